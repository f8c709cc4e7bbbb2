package db_test

import (
	"fmt"
	"slices"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// series are rows of a small table, few or many: how they are bound depends on it.
func series(n int) func(i int) []any {
	return func(i int) []any { return []any{fmt.Sprintf("s%04d", i%n), i} }
}

func numbered(t *testing.T, s *db.Store, names []string) (count, sum int64) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		_, err := tx.One(
			"-- test\nselect count(*), sum(next) from number_series where company = :company and series in (:names)",
			db.Args{"names": names}, &count, &sum)
		return err
	})
	return count, sum
}

func TestRowsAreWrittenInAnyNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, n := range []int{1, 5, 6, 7, 300, 4_100} {
			var inserted, again, updated int64
			var names []string
			for i := range n {
				names = append(names, fmt.Sprintf("s%04d", i))
			}
			dbtest.Write(t, s, func(tx *db.Tx) (err error) {
				if _, err = tx.Exec("-- test\ndelete from number_series where company = :company", nil); err != nil {
					return err
				}
				if inserted, err = tx.InsertNew("number_series", "series, next", n, series(n),
					"on conflict (company, series) do nothing"); err != nil {
					return err
				}
				if again, err = tx.InsertNew("number_series", "series, next", n, series(n),
					"on conflict (company, series) do nothing"); err != nil {
					return err
				}
				updated, err = tx.Update("number_series", "series, next, prefix", 1, n,
					func(i int) []any { return []any{names[i], i + 1, "P"} })
				return err
			})
			count, sum := numbered(t, s, names)
			if inserted != int64(n) || again != 0 || updated != int64(n) || count != int64(n) ||
				sum != int64(n)*int64(n+1)/2 {
				t.Errorf("%d rows: %d inserted, %d again, %d updated; %d are there and add up to %d", n, inserted,
					again, updated, count, sum)
			}
		}
	})
}

func TestAnUpdateFindsOnlyRowsOfItsCompany(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("number_series", "series, next", 2, series(2))
		})
		r := dbtest.Request()
		r.Company = dbtest.Other
		err := s.Write(t.Context(), r, func(tx *db.Tx) error {
			found, err := tx.Update("number_series", "series, next", 1, 2,
				func(i int) []any { return []any{fmt.Sprintf("s%04d", i), 99} })
			if found != 0 {
				t.Errorf("%d rows of another company were updated", found)
			}
			return err
		})
		if _, sum := numbered(t, s, []string{"s0000", "s0001"}); err != nil || sum != 1 {
			t.Errorf("%v; they add up to %d, want 1", err, sum)
		}
	})
}

func TestEmptyValuesAreKeptInAnyNumberOfRows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, n := range []int{2, 20} {
			var got []db.Time
			dbtest.Write(t, s, func(tx *db.Tx) error {
				err := tx.Insert("customer_address",
					"customer_id, id, country_code, is_default, created_at, changed_at, modified_at", n,
					func(i int) []any {
						return []any{fmt.Sprint(n), fmt.Sprintf("%02d", i), "", i%2 == 1, 1, 2, db.Time(i % 2)}
					})
				if err != nil {
					return err
				}
				return tx.Each(
					"-- test\nselect modified_at from customer_address where company = :company and customer_id = :n order by id",
					db.Args{"n": fmt.Sprint(n)}, func(r db.Row) error {
						got = append(got, -1)
						return r.Scan(&got[len(got)-1])
					})
			})
			if want := slices.Repeat([]db.Time{0, 1}, n/2); !slices.Equal(got, want) {
				t.Errorf("%d rows: %v, want %v", n, got, want)
			}
		}
	})
}

func TestListsOfAnyLength(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error { return tx.Insert("number_series", "series, next", 40, series(40)) })
		for _, n := range []int{0, 1, 3, 15, 16, 17, 40} {
			var names []string
			numbers := []int64{-1}
			for i := range n {
				names, numbers = append(names, fmt.Sprintf("s%04d", i), "unknown"), append(numbers, int64(i))
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				var in, out int
				_, err := tx.One(
					"-- test\nselect count(*) from number_series where company = :company and series in (:names) and next in (:numbers)",
					db.Args{"names": names, "numbers": numbers}, &in)
				if err != nil {
					return err
				}
				_, err = tx.One(
					"-- test\nselect count(*) from number_series where company = :company and next not in (:numbers)",
					db.Args{"numbers": numbers}, &out)
				if in != n || out != 40-n {
					t.Errorf("a list of %d: %d are in it, %d are not", n, in, out)
				}
				return err
			})
		}
	})
}

// What PostgreSQL can neither hold nor look for is refused on both engines, before anybody is asked: in a value, in a
// list, and in rows few and many.
func TestATextThatNoEngineHoldsIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, text := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80"} {
			for name, fn := range map[string]func(tx *db.Tx) error{
				"value": func(tx *db.Tx) error {
					_, err := tx.One("-- test\nselect next from number_series where company = :company and series = :s",
						db.Args{"s": text}, new(int64))
					return err
				},
				"list": func(tx *db.Tx) error {
					_, err := tx.One("-- test\nselect count(*) from number_series where company = :company and series in (:s)",
						db.Args{"s": slices.Repeat([]string{"a", text}, 20)}, new(int64))
					return err
				},
				"row": func(tx *db.Tx) error {
					return tx.Insert("number_series", "series, next", 1, func(int) []any { return []any{text, 1} })
				},
				"rows": func(tx *db.Tx) error {
					return tx.Insert("number_series", "series, next", 20,
						func(i int) []any { return []any{fmt.Sprint(text, i), 1} })
				},
			} {
				err := s.Write(t.Context(), db.Request{Company: dbtest.Company}, fn)
				if !fault.Is(err, fault.ErrInvalid) {
					t.Errorf("%s %q: %v", name, text, err)
				}
			}
		}
	})
}
