package db_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

func addSeries(tx *db.Tx, name string) error {
	_, err := tx.Exec("-- test\ninsert into number_series (company, series, next) values (:company, :series, 1)",
		db.Args{"series": name})
	return err
}

// While something is tried others write, and are not seen by it; what was tried leaves nothing.
func TestADryRunLeavesNothingAndKeepsNobodyWaiting(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error { return addSeries(tx, "before") })
		want := append(seriesOf(t, s), "beside")
		slices.Sort(want)
		err := s.DryRun(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			if err := addSeries(tx, "tried"); err != nil {
				return err
			}
			dbtest.Write(t, s, func(tx *db.Tx) error { return addSeries(tx, "beside") })
			all, err := db.Set[string](tx, "-- test\nselect series from number_series where company = :company", nil)
			if s.OneWriter() && all["beside"] || !all["tried"] || !all["before"] {
				t.Errorf("a dry run sees %v", all)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if now := seriesOf(t, s); !slices.Equal(now, want) {
			t.Errorf("after a dry run there are %v, want %v", now, want)
		}
		err = s.DryRun(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			return errors.Join(addSeries(tx, "refused"), errRefused)
		})
		if !errors.Is(err, errRefused) || !slices.Equal(seriesOf(t, s), want) {
			t.Errorf("a dry run that was refused answered %v and left %v", err, seriesOf(t, s))
		}
		if left, _ := filepath.Glob(filepath.Join(s.Dir(), "dry-runs", "*")); len(left) > 0 {
			t.Errorf("dry runs left %v", left)
		}
	})
}

// What a process that was killed has left of its dry runs goes when the data is opened again.
func TestWhatADryRunLeftGoes(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	left := filepath.Join(o.Dir, "dry-runs", "1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	dbtest.Open(t, o)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is there still (%v)", err)
	}
}
