package app

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
)

// One company is put back while others are at work: none of their requests is refused, or waits for it.
func TestARestoreDisturbsNoOther(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		h := openApp(t, place)
		defer h.Close(ctx)
		if _, err := h.CreateCompany(ctx, acme()); err != nil {
			t.Fatal(err)
		}
		c := acme()
		c.Code = "other"
		other, err := h.CreateCompany(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		archived := filepath.Join(t.TempDir(), "backup")
		if _, err := h.Backup(ctx, BackupOf{}, archived); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		var work sync.WaitGroup
		var mu sync.Mutex
		var requests int
		var longest time.Duration
		for range 2 {
			work.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					begun := time.Now()
					err := h.inside(func(s *db.Store) error {
						return s.Write(ctx, db.Request{Company: other.ID, Actor: Operator()},
							func(tx *db.Tx) error { return tx.BumpEpoch() })
					})
					mu.Lock()
					requests++
					longest = max(longest, time.Since(begun))
					mu.Unlock()
					if err != nil {
						t.Errorf("another company's request was refused: %v", err)
						return
					}
				}
			})
		}
		for range 2 {
			if _, err := h.Restore(ctx, archived, "acme", true, true); err != nil {
				t.Error(err)
			}
		}
		close(done)
		work.Wait()
		t.Logf("%d requests of another company, the longest took %s", requests, longest)
		if err := h.InCompany(ctx, "acme", func(tx *db.Tx) error { return tx.BumpEpoch() }); err != nil {
			t.Errorf("the company that was put back: %v", err)
		}
	})
}
