package db_test

import (
	"errors"
	"fmt"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// later puts off rows of the small table, from the first on.
func later(tx *db.Tx, from, n int) error {
	return tx.Later(func() error {
		for i := from; i < from+n; i++ {
			err := tx.Insert("number_series", "series, next", 1, func(int) []any {
				return []any{fmt.Sprintf("l%d", i), i}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func laterCount(tx *db.Tx) (n int, err error) {
	_, err = tx.One("-- test\nselect count(*) from number_series where company = :company and series like 'l%'", nil, &n)
	return n, err
}

func TestWhatIsPutOffIsDone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := later(tx, 0, 250); err != nil {
				return err
			}
			n, err := laterCount(tx)
			if n != 250 {
				t.Errorf("the next statement finds %d rows", n)
			}
			return errors.Join(err, later(tx, 250, 3), tx.Later(func() error {
				return tx.Delete(db.Args{"series": "l1"}, "number_series")
			}))
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			n, err := laterCount(tx)
			if n != 252 {
				t.Errorf("the commit left %d rows", n)
			}
			return err
		})
	})
}

func TestWhatIsPutOffIsUndoneWithTheRest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		refused := errors.New("refused")
		err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			return errors.Join(later(tx, 0, 5), refused)
		})
		if !errors.Is(err, refused) {
			t.Errorf("the writer met %v", err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return later(tx, 9, 1) }) // on the same connection
		dbtest.Read(t, s, func(tx *db.Tx) error {
			n, err := laterCount(tx)
			if n != 1 {
				t.Errorf("%d rows are there, want the one that was not refused", n)
			}
			return err
		})
	})
}

// Nobody waits for what is put off, so nobody may take its failure for that of what he has just sent himself.
func TestWhatIsPutOffAndFailsEndsTheTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, last := range []bool{true, false} {
			err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
				if err := errors.Join(later(tx, 0, 2), later(tx, 1, 2)); err != nil || last {
					return err
				}
				err := tx.Insert("number_series", "series, next", 1, func(int) []any { return []any{"x", 1} })
				if !tx.OneWriter() && tx.Unique(err) {
					t.Error("the next statement is said to be the one whose row is taken")
				}
				return err
			})
			if err == nil {
				t.Error("two rows of one key were put off and written")
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				n, err := laterCount(tx)
				if n != 0 {
					t.Errorf("%d rows of a transaction that failed are there", n)
				}
				return err
			})
		}
	})
}

func TestNoRowsAreReadLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			return tx.Later(func() error { _, err := laterCount(tx); return err })
		})
		if err == nil {
			t.Error("a question that is put off is answered")
		}
	})
}
