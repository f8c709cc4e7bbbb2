package record_test

import (
	"encoding/base64"
	"fmt"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

var things = record.Define("things", "number_series", "Thing")

// feed reads one answer of the change feed.
func feed(t testing.TB, s *db.Store, after string, limit int) (c record.Changes, err error) {
	t.Helper()
	r := dbtest.Request()
	r.AsksCommitted = true
	return feedAs(t, s, r, after, limit)
}

func feedAs(t testing.TB, s *db.Store, r db.Request, after string, limit int) (c record.Changes, err error) {
	err = s.Read(t.Context(), r, func(tx *db.Tx) (err error) {
		c, err = record.Feed(tx, after, "", limit)
		return err
	})
	return c, err
}

func make3(tx *db.Tx) error {
	for i := range 3 {
		if err := things.Created(tx, record.New(tx), fmt.Sprint("T", i), nil); err != nil {
			return err
		}
	}
	return nil
}

func TestFeedIsReadPieceByPiece(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, make3)
		var seen []string
		after := ""
		for range 5 {
			c, err := feed(t, s, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range c.Rows {
				seen = append(seen, r.BusinessKey)
			}
			if n := len(c.Rows); n == 2 && c.Rows[1].Cursor != c.Next {
				t.Error("the cursor of a full answer is not its last row's")
			}
			after = c.Next
		}
		if fmt.Sprint(seen) != "[T0 T1 T2]" {
			t.Errorf("seen %v", seen)
		}
		dbtest.Write(t, s, make3)
		if c, err := feed(t, s, after, 10); err != nil || len(c.Rows) != 3 {
			t.Errorf("after the end: %v %v", c, err)
		}
	})
}

func TestCursors(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, make3)
		c, err := feed(t, s, "", 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"x", "%%%", base64.RawURLEncoding.EncodeToString([]byte("a b"))} {
			if _, err := feed(t, s, bad, 10); fault.As(err).Kind != fault.Invalid {
				t.Errorf("cursor %q: %v", bad, err)
			}
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate company_state set generation = 'restored' where company = :company", nil)
			return err
		})
		if _, err := feed(t, s, c.Next, 10); !fault.Is(err, record.ErrCursorExpired) {
			t.Errorf("a cursor from before a restore: %v", err)
		}
		if c, err := feed(t, s, "", 10); err != nil || len(c.Rows) != 3 {
			t.Errorf("beginning anew: %v %v", c, err)
		}
	})
}

func TestDeletionsAreOldestFirst(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for i := range 3 {
			dbtest.Write(t, s, func(tx *db.Tx) error {
				return things.Deleted(tx, record.New(tx), fmt.Sprint("T", i), nil)
			})
		}
		r := dbtest.Request()
		r.AsksCommitted = true
		err := s.Read(t.Context(), r, func(tx *db.Tx) error {
			horizon, err := record.Watermark(tx)
			if err != nil {
				return err
			}
			page := record.Page{Number: 1, Size: 2, Horizon: horizon}
			all, err := record.Deletions(tx, 0, "", page)
			if err != nil || all.Total != 3 || all.Items[0].BusinessKey != "T0" ||
				all.Items[1].DeletedAt <= all.Items[0].DeletedAt {
				t.Errorf("all: %+v %v", all, err)
			}
			since, err := record.Deletions(tx, all.Items[1].DeletedAt, "things", page)
			if err != nil || since.Total != 2 || since.Items[0].BusinessKey != "T1" {
				t.Errorf("since the second, inclusive: %+v %v", since, err)
			}
			none, err := record.Deletions(tx, 0, "items", page)
			if err != nil || none.Total != 0 {
				t.Errorf("another resource: %+v %v", none, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Writers begin one after another and commit in the opposite order, so that every stamp becomes visible after a later
// one; a poller that goes on from cursor to cursor must still see each of them.
func TestFeedPassesNoLateCommitterOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		const rounds, writers = 5, 4
		seen := map[string]bool{}
		after := ""
		poll := func() {
			c, err := feed(t, s, after, 3)
			if err != nil {
				t.Error(err)
				return
			}
			for _, r := range c.Rows {
				seen[r.BusinessKey] = true
			}
			after = c.Next
		}
		for round := range rounds {
			begun, commit := make([]chan bool, writers), make([]chan bool, writers)
			var done sync.WaitGroup
			for w := range writers {
				begun[w], commit[w] = make(chan bool), make(chan bool)
				done.Go(func() {
					var once sync.Once
					err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
						err := things.Created(tx, record.New(tx), fmt.Sprintf("R%d-W%d", round, w), nil)
						if tx.Engine() == "postgres" { // with one writer nobody can be late
							once.Do(func() { close(begun[w]) })
							<-commit[w]
						}
						return err
					})
					if err != nil {
						t.Error(err)
					}
				})
				if s.EngineName() == "postgres" {
					<-begun[w]
				}
			}
			for w := writers - 1; w >= 0; w-- {
				poll()
				close(commit[w])
				poll()
			}
			done.Wait()
		}
		for range rounds * writers {
			poll()
		}
		if len(seen) != rounds*writers {
			t.Errorf("the poller has %d of %d changes", len(seen), rounds*writers)
		}
	})
}

// Who asks what has changed is told of all that was acknowledged before, though somebody else is still writing: he
// waits for that one, a second at most.
func TestWhoAsksForChangesWaitsForWriters(t *testing.T) {
	s := dbtest.Open(t, dbtest.Options(t, "postgres"))
	begun, commit := make(chan bool), make(chan bool)
	var slow sync.WaitGroup
	slow.Go(func() {
		var once sync.Once
		dbtest.Write(t, s, func(tx *db.Tx) error {
			once.Do(func() { close(begun) })
			<-commit
			return things.Created(tx, record.New(tx), "slow", nil)
		})
	})
	<-begun
	dbtest.Write(t, s, make3)
	if c, err := feed(t, s, "", 10); err != nil || len(c.Rows) > 0 {
		t.Errorf("behind a writer that has not ended: %v %v", c.Rows, err)
	}
	asked := time.Now()
	time.AfterFunc(100*time.Millisecond, func() { close(commit) })
	r := dbtest.Request()
	r.AsksCommitted, r.AwaitsWriters = true, true
	c, err := feedAs(t, s, r, "", 10)
	if took := time.Since(asked); err != nil || len(c.Rows) < 3 && took < time.Second {
		t.Errorf("after %s: %v %v", took, c.Rows, err)
	}
	slow.Wait()
}

// What is committed after a reader's snapshot was taken is not seen by it, so the watermark must not reach it either.
func TestTheWatermarkIsNotAheadOfTheSnapshot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, make3)
		r := dbtest.Request()
		r.AsksCommitted = true
		err := s.Read(t.Context(), r, func(tx *db.Tx) error {
			if _, err := record.Watermark(tx); err != nil { // the first statement takes the snapshot
				return err
			}
			var late record.Root
			dbtest.Write(t, s, func(tx *db.Tx) error {
				late = record.New(tx)
				return things.Created(tx, late, "late", nil)
			})
			c, err := record.Feed(tx, "", "", 10)
			if err != nil {
				return err
			}
			horizon, err := record.Watermark(tx)
			if horizon >= late.ChangedAt {
				t.Errorf("complete up to %s, and what was stamped %s is missing", horizon, late.ChangedAt)
			}
			if len(c.Rows) != 3 {
				t.Errorf("%d rows in the snapshot", len(c.Rows))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
