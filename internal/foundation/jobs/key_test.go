package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

func TestAJobIsNotAskedForTwice(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		soon := db.TimeOf(p.now().Add(time.Hour))
		first := p.add(plain, "index", jobs.Options{Key: "channel", RunAt: soon})
		second := p.add(plain, "index again", jobs.Options{Key: "channel"})
		if first != second {
			t.Fatal("a second job was added while the first waits")
		}
		if j := p.find(first); j.Subject != "index again" || !strings.Contains(string(j.Payload), "again") ||
			j.RunAt >= soon {
			t.Errorf("the later wish was not taken over: %+v %s", j, j.Payload)
		}
		if other := p.add(plain, "index", jobs.Options{Key: "another"}); other == first {
			t.Error("another key is the same job")
		}
		ran := 0
		r := p.runner()
		jobs.Outside(r, plain, func(_ context.Context, j jobs.Job) (int, error) {
			if ran++; j.Key == "channel" && strings.Contains(string(j.Payload), "index again") {
				if id := p.add(plain, "and again", jobs.Options{Key: "channel"}); id != first {
					t.Error("a second job was added while the first runs")
				}
			}
			return 0, nil
		}, nil)
		p.run(r)
		if ran != 3 {
			t.Errorf("%d runs: one of the other, and two of the one that was asked for again while it ran", ran)
		}
		p.is(first, jobs.Done, 1)
		if third := p.add(plain, "index", jobs.Options{Key: "channel"}); third == first {
			t.Error("a job that is done was taken for one that is open")
		}
	})
}

func TestTwoWishesAtOnceAreOneJob(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		var (
			mu  sync.Mutex
			ids []string
			all sync.WaitGroup
		)
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				id := p.add(plain, "index", jobs.Options{Key: "channel"})
				mu.Lock()
				defer mu.Unlock()
				ids = append(ids, id)
			}()
		}
		all.Wait()
		if slices.Sort(ids); len(slices.Compact(ids)) != 1 {
			t.Errorf("%d jobs", len(ids))
		}
	})
}

func TestRetryKnowsOfAnotherThatDoesTheSame(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		r.InTx(plain, func(*db.Tx, jobs.Job) error { return jobs.Permanent(fmt.Errorf("no")) })
		first := p.add(plain, "index", jobs.Options{Key: "channel"})
		p.run(r)
		p.is(first, jobs.Failed, 1)
		p.add(plain, "index", jobs.Options{Key: "channel"})
		err := p.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := jobs.Retry(tx, first)
			return err
		})
		if !fault.Is(err, jobs.ErrAlreadyOpen) {
			t.Errorf("%v", err)
		}
		err = p.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := jobs.Cancel(tx, "nobody")
			return err
		})
		if !fault.Is(err, jobs.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}

func TestListsAndSweeps(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		other := jobs.Kind{Name: "other"}
		r := p.runner()
		r.InTx(plain, func(_ *db.Tx, j jobs.Job) error {
			if j.Subject == "bad" {
				return jobs.Permanent(fmt.Errorf("the printer is on fire"))
			}
			return nil
		})
		for i := range 5 {
			p.add(plain, fmt.Sprintf("Order %d", i), jobs.Options{})
		}
		p.add(plain, "bad", jobs.Options{})
		p.add(other, "Order 9", jobs.Options{})
		p.run(r)
		list := func(f jobs.Filter, page, size int) (got []string, total int) {
			dbtest.Read(t, p.store, func(tx *db.Tx) error {
				found, err := jobs.List(tx, f, record.Page{Number: page, Size: size})
				for _, j := range found.Items {
					got = append(got, j.Subject)
				}
				total = found.Total
				return err
			})
			return got, total
		}
		for _, c := range []struct {
			filter jobs.Filter
			page   int
			want   string
			total  int
		}{
			{jobs.Filter{}, 1, "Order 9,bad,Order 4", 7},
			{jobs.Filter{}, 2, "Order 3,Order 2,Order 1", 7},
			{jobs.Filter{Status: jobs.Failed}, 1, "bad", 1},
			{jobs.Filter{Status: jobs.Done}, 2, "Order 1,Order 0", 5},
			{jobs.Filter{Kind: "other"}, 1, "Order 9", 1},
			{jobs.Filter{Search: "ORDER 3"}, 1, "Order 3", 1},
			{jobs.Filter{Search: "fire"}, 1, "bad", 1},
		} {
			got, total := list(c.filter, c.page, 3)
			if strings.Join(got, ",") != c.want || total != c.total {
				t.Errorf("%+v page %d: %v of %d", c.filter, c.page, got, total)
			}
		}
		sweep := func(want int) {
			t.Helper()
			if err := p.store.Sweep(t.Context(), dbtest.Request(), jobs.Sweep); err != nil {
				t.Fatal(err)
			}
			if _, total := list(jobs.Filter{}, 1, 3); total != want {
				t.Errorf("%d jobs are left, not %d", total, want)
			}
		}
		p.pass(13 * 24 * time.Hour)
		sweep(7)
		p.pass(2 * 24 * time.Hour)
		sweep(2)
		p.pass(90 * 24 * time.Hour)
		sweep(1) // what waits is not swept
		dbtest.Write(t, p.store, func(tx *db.Tx) error { return jobs.Clear(tx) })
		sweep(0)
	})
}
