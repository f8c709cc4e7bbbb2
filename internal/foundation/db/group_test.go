package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

var errRefused = errors.New("refused")

// deed is an operation of a random group: it writes rows before and after it decides.
type deed struct {
	rows    int
	refused bool // after the rows were written
	panics  bool
	swallow bool // a statement fails and the operation goes on as if nothing had happened
	moves   bool // it changes the company's epoch
}

func deeds() *rapid.Generator[deed] {
	return rapid.Custom(func(t *rapid.T) deed {
		d := deed{rows: rapid.IntRange(0, 4).Draw(t, "rows"), moves: rapid.IntRange(0, 7).Draw(t, "moves") == 0}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			d.refused = true
		case 1:
			d.refused, d.panics = true, rapid.Bool().Draw(t, "panics")
		case 2:
			d.swallow = true
		}
		return d
	})
}

// do is the deed as an operation; it counts how often it was run, and how often an effect after the commit was.
func (d deed) do(name string, runs, effects *atomic.Int64) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		runs.Add(1)
		tx.Touch("deeds", "")
		tx.Done(func() { effects.Add(1) })
		for i := range d.rows {
			if err := tx.Insert("number_series", "series, next", 1, func(int) []any {
				return []any{fmt.Sprint(name, "-", i), i}
			}); err != nil {
				return err
			}
		}
		if d.moves {
			if err := tx.BumpEpoch(); err != nil {
				return err
			}
		}
		if d.swallow {
			if _, err := tx.Exec(
				"-- test\ninsert into number_series (company, series, next) values (:company, :series, 'many')",
				db.Args{"series": name}); err == nil {
				return errors.New("a text was taken for a number")
			}
		}
		if d.panics {
			panic("halfway")
		}
		if d.refused {
			return errRefused
		}
		return nil
	}
}

// atOnce runs the operations so that many of them share a commit: the first waits until all are on their way.
func atOnce(s *db.Store, fns []func(tx *db.Tx) error) []error {
	errs := make([]error, len(fns))
	var coming, done sync.WaitGroup
	coming.Add(len(fns))
	for i, fn := range fns {
		done.Go(func() {
			coming.Done()
			errs[i] = s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				coming.Wait()
				return fn(tx)
			})
		})
	}
	done.Wait()
	return errs
}

func seriesOf(t testing.TB, s *db.Store) (names []string) {
	dbtest.Read(t, s, func(tx *db.Tx) error {
		return tx.Each("-- test\nselect series from number_series where company = :company order by series", nil,
			func(r db.Row) error {
				var name string
				err := r.Scan(&name)
				names = append(names, name)
				return err
			})
	})
	return names
}

// Operations that write and are then refused, by an error or by a crash, leave nothing, and those that share their
// commit lose nothing: not their rows, not what they do after the commit, which they do once.
func TestRefusalsHalfDoneLeaveNothing(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(deeds(), 1, 24).Draw(t, "deeds")
		round++
		runs, effects := make([]atomic.Int64, len(all)), make([]atomic.Int64, len(all))
		var fns []func(tx *db.Tx) error
		var want []string
		for i, d := range all {
			name := fmt.Sprintf("%06d-%02d", round, i)
			fns = append(fns, d.do(name, &runs[i], &effects[i]))
			for k := range d.rows {
				if !d.refused {
					want = append(want, fmt.Sprint(name, "-", k))
				}
			}
		}
		before := s.Versions().Of(dbtest.Company, "deeds")
		errs := atOnce(s, fns)
		stay := 0
		for i, d := range all {
			if (errs[i] != nil) != d.refused || d.refused && !d.panics && !errors.Is(errs[i], errRefused) {
				t.Errorf("operation %d (%+v) answered %v", i, d, errs[i])
			}
			if !d.refused {
				stay++
			}
			if n := effects[i].Load(); (n == 1) == d.refused || n > 1 {
				t.Errorf("operation %d (%+v) had %d effects after the commit", i, d, n)
			}
			if n := runs[i].Load(); n > 2 {
				t.Errorf("operation %d (%+v) ran %d times", i, d, n)
			}
		}
		if n := s.Versions().Of(dbtest.Company, "deeds") - before; n != uint64(stay) {
			t.Errorf("%d records were reported as touched, want the %d of the operations that stay", n, stay)
		}
		var got []string
		err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			got = got[:0]
			return tx.Each(
				"-- test\nselect series from number_series where company = :company and series >= :from order by series",
				db.Args{"from": fmt.Sprintf("%06d", round)}, func(r db.Row) error {
					var name string
					err := r.Scan(&name)
					got = append(got, name)
					return err
				})
		})
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: rows %v, want %v", err, got, want)
		}
	})
}

// A caller who is refused halfway again and again costs the others a second run of few of their operations only.
func TestRefusalsHalfDoneDoNotRunTheOthersTwiceForEver(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	var runs, effects atomic.Int64
	operations := 0
	for round := range 60 {
		var fns []func(tx *db.Tx) error
		for i := range 12 {
			fns = append(fns, deed{rows: 1, refused: i%4 == 3}.do(fmt.Sprintf("%d-%d", round, i), &runs, &effects))
		}
		operations += len(fns)
		atOnce(s, fns)
	}
	if n := len(seriesOf(t, s)); n != operations*3/4 {
		t.Errorf("%d rows are there, want %d", n, operations*3/4)
	}
	if n := runs.Load(); n > int64(operations*5/4) {
		t.Errorf("%d operations were run %d times", operations, n)
	}
}

// What was refused before it wrote costs nobody anything.
func TestACleanRefusalRunsNobodyAgain(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	var runs, effects atomic.Int64
	var fns []func(tx *db.Tx) error
	for i := range 40 {
		fns = append(fns, deed{rows: 1 - i%2, refused: i%2 == 1}.do(fmt.Sprint(i), &runs, &effects))
	}
	atOnce(s, fns)
	if runs.Load() != 40 || effects.Load() != 20 {
		t.Errorf("40 operations, half of them refused, were run %d times and had %d effects", runs.Load(),
			effects.Load())
	}
}
