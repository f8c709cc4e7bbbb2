package db_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// mark is a row of reference data, as it stands in the transaction.
func mark(tx *db.Tx) (*int64, error) {
	n := new(int64)
	_, err := tx.One("-- test\nselect next from number_series where company = :company and series = 'mark'", nil, n)
	return n, err
}

// remark changes it, and the company's name with it.
func remark(tx *db.Tx) error {
	if _, err := tx.Exec(`-- test
		insert into number_series (company, series, next) values (:company, 'mark', 1)
		on conflict (company, series) do update set next = number_series.next + 1`, nil); err != nil {
		return err
	}
	n, err := mark(tx)
	if err != nil {
		return err
	}
	info := dbtest.Info()
	info.Name = fmt.Sprint(*n)
	return tx.SaveInfo(info)
}

// agrees checks that what is kept of the reference data, and of the company, is what the transaction reads.
func agrees(tx *db.Tx, readFirst bool) error {
	if readFirst {
		if _, err := mark(tx); err != nil {
			return err
		}
	}
	kept, err := db.FromReference(tx, "mark", func() (*int64, error) { return mark(tx) })
	if err != nil {
		return err
	}
	read, err := mark(tx)
	if err != nil {
		return err
	}
	if *kept != *read {
		return fmt.Errorf("%d is kept of what is %d", *kept, *read)
	}
	if tx.Info.Name != fmt.Sprint(*read) {
		return fmt.Errorf("the company is called %s in memory and %d in its data", tx.Info.Name, *read)
	}
	return nil
}

// However reference data moves beside them, readers find it in memory as it stands in their snapshot, and so do
// writers.
func TestWhatIsKeptIsWhatTheSnapshotHolds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, remark)
		var work sync.WaitGroup
		ended := make(chan struct{})
		for i := range 6 {
			work.Go(func() {
				for {
					select {
					case <-ended:
						return
					default:
					}
					if err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						return agrees(tx, i%2 == 0)
					}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 100 {
			var fns []func(tx *db.Tx) error
			fns = append(fns, remark)
			if s.EngineName() == "sqlite" { // elsewhere a writer's statements see what others commit between them
				fns = append(fns, func(tx *db.Tx) error { return agrees(tx, false) },
					func(tx *db.Tx) error { return agrees(tx, true) })
			}
			for _, err := range atOnce(s, fns) {
				if err != nil {
					t.Error(err)
				}
			}
		}
		close(ended)
		work.Wait()
	})
}

// A reader who was told of the company, and then finds it changed in his snapshot, is run again before he has read
// anything.
func TestAReaderOvertakenByTheEpochIsRunAgain(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	dbtest.Write(t, s, remark)
	dbtest.Read(t, s, func(tx *db.Tx) error { return agrees(tx, true) }) // now it is kept
	runs, rows := 0, 0
	dbtest.Read(t, s, func(tx *db.Tx) error {
		if runs++; runs == 1 {
			dbtest.Write(t, s, remark)
		}
		err := tx.Each("-- test\nselect next from number_series where company = :company", nil, func(r db.Row) error {
			rows++
			return r.Scan(new(int64))
		})
		if err != nil {
			return err
		}
		return agrees(tx, true)
	})
	if runs != 2 || rows != 1 {
		t.Errorf("the reader ran %d times and read %d rows, want 2 times and 1 row", runs, rows)
	}
}

// A change of the company's facts that is refused, or whose commit others share, is not taken for present.
func TestARefusedChangeOfTheCompanyIsForgotten(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	dbtest.Write(t, s, remark)
	for range 20 {
		atOnce(s, []func(tx *db.Tx) error{
			func(tx *db.Tx) error {
				if err := remark(tx); err != nil {
					return err
				}
				if _, err := db.FromReference(tx, "mark", func() (*int64, error) { return mark(tx) }); err != nil {
					return err
				}
				return errRefused
			},
			func(tx *db.Tx) error {
				return tx.Insert("number_series", "series, next", 1,
					func(int) []any { return []any{fmt.Sprint(tx.Stamp()), 1} })
			},
			func(tx *db.Tx) error { return agrees(tx, false) },
		})
		dbtest.Read(t, s, func(tx *db.Tx) error { return agrees(tx, false) })
	}
}
