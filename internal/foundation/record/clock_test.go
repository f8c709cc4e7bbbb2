package record_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// follow reads what is after a cursor.
func follow(t *testing.T, s *db.Store, after string) (c record.Changes, err error) {
	t.Helper()
	r := dbtest.Request()
	r.AsksCommitted = true
	err = s.Read(context.Background(), r, func(tx *db.Tx) (err error) {
		c, err = record.Feed(tx, after, "", 100)
		return err
	})
	return c, err
}

// note writes a change, as the funnel stamps it.
func note(t *testing.T, s *db.Store, id string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		return tx.Insert("change", "stamp, id, resource, business_key, kind", 1, func(int) []any {
			return []any{tx.Stamp(), id, "items", id, "changed"}
		})
	})
}

// putClock sets the clock of PostgreSQL's server.
func putClock(t *testing.T, server *sql.DB, by string) {
	t.Helper()
	_, err := server.Exec(`create or replace function kontor_clock() returns bigint language sql volatile
		as 'select (extract(epoch from clock_timestamp() + interval ''` + by + `'') * 1000000)::bigint'`)
	if err != nil {
		t.Fatal(err)
	}
}

// A clock that was ahead by a day and is set right again shows the right day at once, although stamps go on from where
// they were; and whatever a node's own clock says, who reads there and who writes live at the same moment.
func TestTheDayIsRightOnceTheClockIs(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s, server := dbtest.Open(t, o), dbtest.Beside(t, o.URL)
	for _, by := range []time.Duration{24 * time.Hour, 0, -5 * time.Minute, 30 * time.Second, 0} {
		putClock(t, server, fmt.Sprintf("%d seconds", int(by.Seconds())))
		note(t, s, "at "+by.String())
		want := time.Now().Add(by)
		is := func(who string, tx *db.Tx) {
			if off := tx.Now.Time().Sub(want).Abs(); off > 5*time.Second {
				t.Errorf("%s, the clock is ahead by %s: it is %s, %s off", who, by, tx.Now, off)
			}
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { is("a writer", tx); return nil })
		dbtest.Read(t, s, func(tx *db.Tx) error { is("a reader", tx); return nil })
	}
}

// The clock of PostgreSQL's server goes back, as after the promotion of a standby that was ahead of nobody: who follows
// the changes misses none.
func TestStampsNeverStepBack(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s, server := dbtest.Open(t, o), dbtest.Beside(t, o.URL)
	note(t, s, "before")
	c, err := follow(t, s, "")
	if err != nil || len(c.Rows) != 1 {
		t.Fatalf("before: %+v, %v", c, err)
	}
	putClock(t, server, "-1 hour")
	for _, id := range []string{"one", "two"} {
		note(t, s, id)
		if c, err = follow(t, s, c.Next); err != nil || len(c.Rows) != 1 || c.Rows[0].ID != id {
			t.Errorf("%s, after the clock went back: %+v, %v", id, c, err)
		}
	}
	other := dbtest.Request()
	other.Company = dbtest.Other
	slow := make(chan struct{})
	held, done := make(chan struct{}), make(chan error)
	go func() { // another company's writer is slow
		done <- s.Write(t.Context(), other, func(tx *db.Tx) error {
			close(held) // its transaction has begun: it is introduced
			<-slow
			return nil
		})
	}()
	<-held
	note(t, s, "three")
	if c, err = follow(t, s, c.Next); err != nil || len(c.Rows) != 1 {
		t.Errorf("while somebody else writes: %+v, %v", c, err)
	}
	close(slow)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Data that went back to an earlier state is noticed by whoever has seen a later one, on both engines.
func TestACursorFromALostFutureExpires(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		note(t, s, "kept")
		kept, err := follow(t, s, "")
		if err != nil {
			t.Fatal(err)
		}
		note(t, s, "lost")
		lost, err := follow(t, s, kept.Next)
		if err != nil || len(lost.Rows) != 1 {
			t.Fatalf("%+v, %v", lost, err)
		}
		dbtest.Corrupt(t, s, "delete from change where company = :company and id = 'lost'") // as a file put back has it
		note(t, s, "instead")
		if _, err := follow(t, s, lost.Next); !fault.Is(err, record.ErrCursorExpired) {
			t.Errorf("a cursor from the lost future: %v", err)
		}
		if c, err := follow(t, s, kept.Next); err != nil || len(c.Rows) != 1 || c.Rows[0].ID != "instead" {
			t.Errorf("a cursor from before: %+v, %v", c, err)
		}
	})
}

// After a clock that was ahead was set right, who follows the changes sees them while others go on writing without a
// pause, and misses none.
func TestChangesGoOnBehindAClockThatWasAhead(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s, server := dbtest.Open(t, o), dbtest.Beside(t, o.URL)
	putClock(t, server, "1 day")
	note(t, s, "ahead")
	putClock(t, server, "0 days")
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	var wrote [4]atomic.Int64
	for w := range wrote {
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				note := func(tx *db.Tx) error {
					time.Sleep(20 * time.Millisecond) // another has begun before it ends
					return tx.Insert("change", "stamp, id, resource, business_key, kind", 1, func(int) []any {
						return []any{tx.Stamp(), fmt.Sprintf("%d-%06d", w, n), "items", fmt.Sprint(w, n), "changed"}
					})
				}
				if err := s.Write(context.Background(), dbtest.Request(), note); err != nil {
					t.Error(err)
				}
				wrote[w].Add(1)
			}
		})
	}
	var next [4]int
	from, seen := "", 0
	look := func() {
		c, err := follow(t, s, from)
		if err != nil {
			t.Fatal(err)
		}
		from = c.Next
		for _, row := range c.Rows {
			var w, n int
			if _, err := fmt.Sscanf(row.ID, "%d-%d", &w, &n); err != nil {
				continue // the first one
			}
			if n != next[w] {
				t.Fatalf("after %d of writer %d comes %d", next[w]-1, w, n)
			}
			next[w], seen = n+1, seen+1
		}
	}
	for start := time.Now(); seen < 200; look() {
		if time.Since(start) > 20*time.Second {
			t.Errorf("after %s only %d changes were seen, while they were written", time.Since(start), seen)
			break
		}
	}
	stop()
	writers.Wait()
	for range 20 {
		look()
	}
	for w := range wrote {
		if got := int64(next[w]); got != wrote[w].Load() {
			t.Errorf("writer %d has written %d changes, and %d were seen", w, wrote[w].Load(), got)
		}
	}
}
