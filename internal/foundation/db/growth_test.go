package db_test

import (
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
	looked := func(rows int) bool {
		t.Helper()
		var known float64
		err := beside.QueryRow("select reltuples from pg_class where relname = 'search_count'").Scan(&known)
		if err != nil {
			t.Fatal(err)
		}
		return int(known) >= rows
	}
	kept := false
	for rows := 2_000; rows < 100_000 && !kept; rows *= 4 { // the server writes for itself now and then
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("search_count", "channel_key, day, text, searches", rows,
				func(i int) []any { return []any{"web", "2026-01-02", fmt.Sprint(rows, " ", i), 1} })
		})
		if n, _, err := searches(s, "web"); int(n) < rows || err != nil {
			t.Fatalf("%d rows, %v", n, err)
		}
		for start := time.Now(); !looked(rows); time.Sleep(20 * time.Millisecond) {
			if time.Since(start) > 30*time.Second {
				t.Fatalf("the planner does not know of %d rows", rows)
			}
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
