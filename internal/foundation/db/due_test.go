package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

const dueKind = "jobs"

func keepJobs(s *db.Store) {
	s.DueIn(db.DueSource{Kind: dueKind, Tables: db.TablesNamed("job"), Next: func(tx *db.Tx) (at db.Time, err error) {
		_, err = tx.One("-- test\nselect min(run_at) from job where company = :company and status = 'Waiting'", nil,
			&at)
		return at, err
	}})
}

func addJob(tx *db.Tx, id string, at db.Time) error {
	_, err := tx.Exec(`-- test
		insert into job (company, id, kind, payload, status, run_at, created_at) values (:company, :id, 'test', '{}', 'Waiting', :at, :now)`,
		db.Args{"id": id, "at": at})
	return err
}

func dropJob(tx *db.Tx, id string) error {
	_, err := tx.Exec("-- test\ndelete from job where company = :company and id = :id", db.Args{"id": id})
	return err
}

// entryOf is where the company's entry stands; 0 = it has none.
func entryOf(t *testing.T, s *db.Store, company string) (at db.Time) {
	t.Helper()
	err := s.Control(context.Background(), db.Request{}, false, func(tx *db.Tx) error {
		_, err := tx.One("-- test\nselect due_at from company_due where company_id = :of and kind = 'jobs'",
			db.Args{"of": company}, &at)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// What is due is in the index with the commit that makes it due, whoever writes it, and goes when the company says that
// it is done.
func TestWhatIsDueIsIndexed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		keepJobs(s)
		ctx := context.Background()
		settle := func() db.Time {
			t.Helper()
			at, late, err := s.RecheckDue(ctx, dbtest.Company, dueKind)
			if err != nil || late {
				t.Fatalf("late %v: %v", late, err)
			}
			return at
		}
		if at := entryOf(t, s, dbtest.Company); at != 0 {
			t.Fatalf("an entry without work: %d", at)
		}
		now := db.TimeOf(time.Now())
		hour := db.Time(time.Hour.Microseconds())
		dbtest.Write(t, s, func(tx *db.Tx) error { return addJob(tx, "late", now+hour) })
		if at := entryOf(t, s, dbtest.Company); at != now+hour {
			t.Fatalf("the entry stands at %d, not %d", at, now+hour)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return addJob(tx, "soon", now-1) })
		if at := entryOf(t, s, dbtest.Company); at != now-1 {
			t.Fatalf("the entry was not brought forward: %d", at)
		}
		err := s.Write(ctx, dbtest.Request(),
			func(tx *db.Tx) error { return errors.Join(addJob(tx, "refused", now-hour), errors.New("refused")) })
		if at := entryOf(t, s, dbtest.Company); err == nil || at != now-1 {
			t.Fatalf("what was refused moved the entry to %d (%v)", at, err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return dropJob(tx, "soon") })
		if at := settle(); at != now+hour || entryOf(t, s, dbtest.Company) != at {
			t.Fatalf("the entry was settled at %d", at)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return dropJob(tx, "late") })
		if at := settle(); at != 0 || entryOf(t, s, dbtest.Company) != 0 {
			t.Fatalf("the entry of a company without work stands at %d", at)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return addJob(tx, "again", now+hour) })
		if at := entryOf(t, s, dbtest.Company); at != now+hour {
			t.Fatalf("after it was settled nothing was noted: %d", at)
		}
		err = s.Control(ctx, db.Request{}, true, func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\ndelete from company_due", nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if at, late, err := s.RecheckDue(ctx, dbtest.Company, dueKind); err != nil || !late || at != now+hour ||
			entryOf(t, s, dbtest.Company) != at {
			t.Errorf("a missing entry was not told or not mended: %d, %v, %v", at, late, err)
		}
	})
}

// A company is given to one node at a time, and to another one when the lease is over.
func TestACompanyIsClaimedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx, now := context.Background(), db.TimeOf(time.Now())
		const companies = 40
		for i := range companies {
			if err := s.NoteDue(ctx, fmt.Sprint(i), dueKind, now-1); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.NoteDue(ctx, "later", dueKind, now+db.Time(time.Hour.Microseconds())); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		times := map[string]int{}
		claim := func(node string, lease time.Duration) (n int) {
			ids, _, err := s.ClaimDue(ctx, dueKind, node, now, lease, 3)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, id := range ids {
				times[id]++
			}
			return len(ids)
		}
		var all sync.WaitGroup
		for node := range 4 {
			all.Go(func() {
				for claim(fmt.Sprint("node", node), time.Second) > 0 {
				}
			})
		}
		all.Wait()
		if len(times) != companies {
			t.Errorf("%d of %d companies were claimed", len(times), companies)
		}
		for id, n := range times {
			if n != 1 || id == "later" {
				t.Errorf("%s was claimed %d times", id, n)
			}
		}
		time.Sleep(1100 * time.Millisecond)
		if n := claim("other", time.Hour); n != 3 {
			t.Errorf("when the leases were over %d were claimed", n)
		}
	})
}

// A lease from a clock that was ahead, and is set right, holds nobody up; nor does one of a node that is gone.
func TestALeaseEndsWithItsClockOrItsNode(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ctx, now := context.Background(), db.TimeOf(time.Now())
		claim := func(what, node string, lease time.Duration, want int) {
			t.Helper()
			if ids, _, err := s.ClaimDue(ctx, dueKind, node, now, lease, 3); err != nil || len(ids) != want {
				t.Errorf("%s: claimed %v, %v", what, ids, err)
			}
		}
		if err := s.NoteDue(ctx, "one", dueKind, now-1); err != nil {
			t.Fatal(err)
		}
		claim("by the clock that is ahead", "a", 24*time.Hour, 1)
		claim("by the right one", "b", 30*time.Minute, 1)
		claim("while it is held", "c", 30*time.Minute, 0)
		if err := s.FreeDue(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		claim("while another node is gone", "c", 30*time.Minute, 0)
		if err := s.FreeDue(ctx, "b"); err != nil {
			t.Fatal(err)
		}
		claim("when its node is gone", "c", 30*time.Minute, 1)
	})
}

// However many write what is due while others say that it is done: an entry is never missing and never too late.
func TestTheIndexIsNeverBehind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		keepJobs(s)
		ctx := context.Background()
		const workers, rounds = 6, 60
		var writers, settlers sync.WaitGroup
		done := make(chan struct{})
		for w := range workers {
			writers.Go(func() {
				for i := range rounds {
					id, at := fmt.Sprint(w, "-", i), db.TimeOf(time.Now())+db.Time(i%3-1)*1_000_000
					err := s.Write(ctx, dbtest.Request(), func(tx *db.Tx) error { return addJob(tx, id, at) })
					if err == nil && i < rounds-1 {
						err = s.Write(ctx, dbtest.Request(), func(tx *db.Tx) error { return dropJob(tx, id) })
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 2 {
			settlers.Go(func() {
				for {
					if _, late, err := s.RecheckDue(ctx, dbtest.Company, dueKind); err != nil || late {
						t.Errorf("late %v: %v", late, err)
					}
					select {
					case <-done:
						return
					case <-time.After(time.Millisecond):
					}
				}
			})
		}
		writers.Wait()
		close(done)
		settlers.Wait()
		at, late, err := s.RecheckDue(ctx, dbtest.Company, dueKind)
		if err != nil || late || at == 0 || entryOf(t, s, dbtest.Company) != at {
			t.Errorf("at the end it stands at %d, late %v: %v", at, late, err)
		}
	})
}
