package db_test

import (
	"context"
	"errors"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What is done afterwards is done once, and not for who was refused or only tried something.
func TestWhatIsDoneAfterwards(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		refused := errors.New("refused")
		for kind, run := range map[string]func(context.Context, db.Request, func(*db.Tx) error) error{
			"writing": s.Write, "reading": s.Read} {
			for name, fn := range map[string]func(tx *db.Tx) error{
				"done":    func(*db.Tx) error { return nil },
				"refused": func(*db.Tx) error { return refused },
				"panics":  func(*db.Tx) error { panic("halfway") },
				"tried":   func(tx *db.Tx) error { return tx.Try(func() error { return nil }) },
			} {
				effects, want := 0, 0
				if name == "done" {
					want = 1
				}
				err := run(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
					tx.Done(func() { effects++ })
					return fn(tx)
				})
				if effects != want || (err == nil) != (want == 1) {
					t.Errorf("%s, %s: done %d times, want %d: %v", kind, name, effects, want, err)
				}
			}
		}
	})
}
