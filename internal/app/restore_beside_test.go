package app

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/founding"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
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
		archived := backedUp(t, h)
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

// backedUp is a backup of everything.
func backedUp(t *testing.T, h *App) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "backup")
	if _, err := h.Backup(t.Context(), BackupOf{}, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Who asks for a company that is being put back is told to wait: neither that it is not there, nor that no store has
// its host name.
func TestACompanyThatIsPutBackIsKnownAllTheTime(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		h := openApp(t, place)
		defer h.Close(ctx)
		c, err := h.CreateCompany(ctx, acme())
		if err != nil {
			t.Fatal(err)
		}
		archived := backedUp(t, h)
		done := make(chan struct{})
		var work sync.WaitGroup
		work.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				_, byDomain := h.storeAt(ctx, storefront.Guest{}, founding.Domain(c.Code))
				_, open, byID := h.companies.Find(ctx, c.ID)
				if byID == nil && !open {
					t.Error("the company is not known")
				}
				for by, err := range map[string]error{"host name": byDomain, "id": byID} {
					if err != nil && !fault.Is(err, fault.ErrUnavailable) {
						t.Errorf("by its %s: %v", by, err)
					}
				}
			}
		})
		_, err = h.Restore(ctx, archived, "acme", true, true)
		close(done)
		work.Wait()
		if err != nil {
			t.Error(err)
		}
		for range 100 { // a node may remember for a moment that it was not open
			if _, err = h.storeAt(ctx, storefront.Guest{}, founding.Domain(c.Code)); err == nil {
				return
			}
			time.Sleep(30 * time.Millisecond)
		}
		t.Errorf("afterwards: %v", err)
	})
}
