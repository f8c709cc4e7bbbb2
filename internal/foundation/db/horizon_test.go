package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A reader is told the horizon even where every connection that numbers are drawn on is lent and waits for a lock.
func TestTheHorizonWaitsForNoNumber(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	o.Connections = 56 // several for numbers
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, watch := dbtest.Open(t, o), dbtest.Beside(t, o.URL)

	var work sync.WaitGroup
	write := func(fn func(tx *db.Tx) error) {
		work.Go(func() {
			if err := s.Write(ctx, dbtest.Request(), fn); err != nil {
				t.Error(err)
			}
		})
	}
	held, release := make(chan struct{}), make(chan struct{})
	write(func(tx *db.Tx) error {
		err := tx.Insert("number_series", "series, prefix, next, width", 1,
			func(int) []any { return []any{"s", "S-", 1, 6} })
		close(held)
		<-release
		return err
	})
	<-held
	for range 6 {
		write(func(tx *db.Tx) error {
			_, _, _, err := tx.NextNumbers("s", 1, func() (string, int64, int) { return "S-", 1, 6 })
			return err
		})
	}
	for waiting := 0; waiting < 4; {
		if err := watch.QueryRowContext(ctx,
			"select count(*) from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())").
			Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	r := dbtest.Request()
	r.AsksCommitted = true
	for range 5 {
		asked, stop := context.WithTimeout(ctx, 20*time.Second)
		err := s.Read(asked, r, func(tx *db.Tx) error {
			_, err := tx.Committed()
			return err
		})
		stop()
		if err != nil {
			t.Errorf("the horizon: %v", err)
		}
	}
	close(release)
	work.Wait()
}
