package record_test

import (
	"context"
	"database/sql"
	"fmt"
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
