package db_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A process that fills a table lets the planner look at it soon, and that does not pass for a commit of somebody else.
func TestThePlannerLooksAtWhatHasGrown(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s := dbtest.Open(t, o)
	beside := dbtest.Beside(t, o.URL)
	kept := false
	for rows := 2_000; rows < 100_000 && !kept; rows *= 4 { // the server writes for itself now and then
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("search_count", "channel_key, day, text, searches", rows,
				func(i int) []any { return []any{"web", "2026-01-02", fmt.Sprint(rows, " ", i), 1} })
		})
		if n, _, err := searches(s, "web"); int(n) < rows || err != nil {
			t.Fatalf("%d rows, %v", n, err)
		}
		for looked := lookedAt(t, beside); !looked(rows); {
		}
		var err error
		if _, kept, err = searches(s, "web"); err != nil {
			t.Fatal(err)
		}
	}
	if !kept {
		t.Error("a look drops what was kept")
	}
}

// Who looks amid a transaction that fills a table finds no rows in it: it is looked at again when they are there.
func TestThePlannerLooksAgainAtWhatWasBeingFilled(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s, beside := dbtest.Open(t, o), dbtest.Beside(t, o.URL)
	const rows = 5_000
	dbtest.Write(t, s, func(tx *db.Tx) error {
		err := tx.Insert("search_count", "channel_key, day, text, searches", rows,
			func(i int) []any { return []any{"web", "2026-01-02", fmt.Sprint(i), 1} })
		if err != nil {
			return err
		}
		_, err = beside.Exec("analyze search_count")
		return err
	})
	for at, looked := 0, lookedAt(t, beside); !looked(rows); at++ { // the server counts when the connection goes on
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("search_count", "channel_key, day, text, searches", 1,
				func(int) []any { return []any{"web", "2026-01-03", fmt.Sprint(at), 1} })
		})
	}
}

// lookedAt tells, a moment later, whether the planner knows of so many rows. It gives up after a while.
func lookedAt(t *testing.T, beside *sql.DB) func(rows int) bool {
	start := time.Now()
	return func(rows int) bool {
		t.Helper()
		time.Sleep(20 * time.Millisecond)
		var known float64
		err := beside.QueryRow("select reltuples from pg_class where relname = 'search_count'").Scan(&known)
		if err != nil {
			t.Fatal(err)
		}
		if time.Since(start) > 30*time.Second {
			t.Fatalf("the planner knows of %v rows, not of %d", known, rows)
		}
		return int(known) >= rows
	}
}
