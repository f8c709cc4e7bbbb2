package db_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// oneSeries is a row of number_series, as the readers scan it.
type oneSeries struct{ name, prefix string }

func scanByPrefix(r db.Row, prefix *string, s *oneSeries) error {
	err := r.Scan(&s.prefix, &s.name)
	*prefix = s.prefix
	return err
}

func TestAResultIsReadAsAListOrByKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			rows := []oneSeries{{"a", "P"}, {"b", "P"}, {"c", "Q"}}
			return tx.Insert("number_series", "series, next, prefix", len(rows), func(i int) []any {
				return []any{"read-" + rows[i].name, i + 1, rows[i].prefix}
			})
		})
		const of = " from number_series where company = :company and series like 'read-%' order by series"
		dbtest.Read(t, s, func(tx *db.Tx) error {
			first, found, err := db.First(tx, "-- test\nselect prefix, series"+of, nil,
				func(r db.Row, v *oneSeries) error { return r.Scan(&v.prefix, &v.name) })
			if err != nil || !found || first != (oneSeries{"read-a", "P"}) {
				t.Errorf("the first row is %v (%v, %v)", first, found, err)
			}
			_, found, err = db.First(tx, "-- test\nselect series from number_series where company = :company and series = 'none'",
				nil, func(r db.Row, v *string) error { return r.Scan(v) })
			if err != nil || found {
				t.Errorf("a first row was found where there is none (%v)", err)
			}
			set, err := db.Set[string](tx, "-- test\nselect prefix"+of, nil)
			if err != nil || !maps.Equal(set, map[string]bool{"P": true, "Q": true}) {
				t.Errorf("the set of prefixes is %v (%v)", set, err)
			}
			pairs, err := db.Pairs[string, int](tx, "-- test\nselect series, next"+of, nil)
			if err != nil || !maps.Equal(pairs, map[string]int{"read-a": 1, "read-b": 2, "read-c": 3}) {
				t.Errorf("the numbers by series are %v (%v)", pairs, err)
			}
			last, err := db.ByKey(tx, "-- test\nselect prefix, series"+of, nil, scanByPrefix)
			if err != nil || len(last) != 2 || last["P"].name != "read-b" || last["Q"].name != "read-c" {
				t.Errorf("the last series of each prefix are %v (%v)", last, err)
			}
			groups, err := db.Grouped(tx, "-- test\nselect prefix, series"+of, nil, scanByPrefix)
			if err != nil || len(groups) != 2 || !slices.Equal(groups["P"], []oneSeries{{"read-a", "P"}, {"read-b", "P"}}) {
				t.Errorf("the series by prefix are %v (%v)", groups, err)
			}
			sums, err := db.Sums(tx, "-- test\nselect prefix, next"+of, nil,
				func(r db.Row, prefix *string, n *dec.Dec) error { return r.Scan(prefix, n) })
			if err != nil || !maps.Equal(sums, map[string]dec.Dec{"P": 3, "Q": 3}) {
				t.Errorf("the sums by prefix are %v (%v)", sums, err)
			}
			unread := errors.New("unread")
			_, err = db.ByKey(tx, "-- test\nselect series"+of, nil, func(db.Row, *string, *string) error { return unread })
			if !errors.Is(err, unread) {
				t.Errorf("a row that cannot be read is answered with %v", err)
			}
			return nil
		})
	})
}

// Whoever has gone is read no further for.
func TestWhoHasGoneIsReadNoFurtherFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx, leave := context.WithCancel(t.Context())
		read := 0
		err := s.Read(ctx, dbtest.Request(), func(tx *db.Tx) error {
			for range 3 {
				_, err := tx.One("-- test\nselect series from number_series where company = :company limit 1", nil, new(string))
				if err != nil {
					return err
				}
				read++
				leave()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || read != 1 {
			t.Errorf("%d statements were read: %v", read, err)
		}
	})
}
