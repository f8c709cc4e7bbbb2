package db_test

import (
	"context"
	"errors"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// What the engine could not do at once is done again, but for what can be done but once: that is refused.
func TestWhatCanBeDoneButOnceIsRunOnce(t *testing.T) {
	conflict := errors.New("somebody else was faster")
	for _, name := range dbtest.Engines() {
		o := dbtest.Options(t, name)
		engine := *o.Engine
		o.Engine = &engine
		known := engine.Classify
		engine.Classify = func(err error) db.Failure {
			if errors.Is(err, conflict) {
				return db.Retry
			}
			return known(err)
		}
		s := dbtest.Open(t, o)
		run := map[string]func(context.Context, db.Request, func(*db.Tx) error) error{"reading": s.Read}
		if !engine.OneWriter {
			run["writing"] = s.Write
		}
		for kind, run := range run {
			for _, once := range []bool{false, true} {
				r, tries := dbtest.Request(), 0
				r.Once = once
				err := run(t.Context(), r, func(tx *db.Tx) error {
					if tries++; tries == 1 {
						return conflict
					}
					return nil
				})
				want := map[bool]int{false: 2, true: 1}[once]
				if tries != want || fault.Is(err, fault.ErrUnavailable) != once {
					t.Errorf("%s on %s, once %t: run %d times, want %d: %v", kind, name, once, tries, want, err)
				}
			}
		}
	}
}

// Where there are doubts every third reader, and every third group of an engine with one writer, is run twice and done
// once.
func TestStoresThatDoubtRunTransactionsTwice(t *testing.T) {
	for _, name := range dbtest.Engines() {
		ctx := db.Doubting(t.Context(), func(text string) { t.Error(text) })
		s, err := db.Open(ctx, dbtest.Options(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.CreateCell(ctx, dbtest.Info()); err != nil {
			t.Fatal(err)
		}
		const many = 30
		for _, once := range []bool{false, true} {
			tries, effects := 0, 0
			r := dbtest.Request()
			r.Once = once
			for range many {
				err := s.Read(ctx, r, func(tx *db.Tx) error {
					tries++
					tx.Done(func() { effects++ })
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if want := map[bool]int{false: many * 4 / 3, true: many}[once]; tries != want || effects != many {
				t.Errorf("%s, once %t: %d readers were run %d times, want %d, and done %d times", name, once, many,
					tries, want, effects)
			}
		}
	}
}
