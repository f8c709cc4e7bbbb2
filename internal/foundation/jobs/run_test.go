package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/jobs"
)

// within fails the test when nothing comes out of c.
func within[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(30 * time.Second):
		t.Fatal("waited in vain for " + what)
	}
	return v
}

// start lets a runner run until the test ends or stop is called.
func start(t *testing.T, r *jobs.Runner) (stop func(), stopped <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan struct{})
	go func() { r.Run(ctx); close(c) }()
	t.Cleanup(func() { cancel(); <-c })
	return cancel, c
}

func TestARunnerHearsOfJobs(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		did := make(chan string, 100)
		jobs.Outside(r, plain, func(_ context.Context, j jobs.Job) (int, error) { return 0, nil },
			func(tx *db.Tx, j jobs.Job, _ int) error {
				tx.Done(func() { did <- j.Company + j.Subject })
				return nil
			})
		before := p.add(plain, "before", jobs.Options{})
		r.Follow(p.store)
		start(t, r)
		if got := within(t, "the job from before the start", did); got != dbtest.Company+"before" {
			t.Error(got)
		}
		p.is(before, jobs.Done, 1)
		other := dbtest.Request()
		other.Company = dbtest.Other
		for i := range 20 {
			as, want := dbtest.Request(), dbtest.Company
			if i%2 == 1 {
				as, want = other, dbtest.Other
			}
			err := p.store.Write(context.Background(), as, func(tx *db.Tx) error {
				_, err := jobs.Add(tx, plain, fmt.Sprint(i), nil, jobs.Options{})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := within(t, "a job that was added", did); got != want+fmt.Sprint(i) {
				t.Errorf("%s, not %s%d", got, want, i)
			}
		}
		if f := r.Figures(); f.Failed != 0 || f.Endings[jobs.Ending{Kind: "plain", Outcome: "done"}] < 20 {
			t.Errorf("%+v", f)
		}
	})
}

// No more jobs of a kind run at once than it says, and the others of a company pass by them.
func TestAKindDoesNotStandInTheWayOfOthers(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		slow := jobs.Kind{Name: "slow", Parallel: 2}
		began, release, passed := make(chan string, 10), make(chan struct{}), make(chan string, 10)
		jobs.Outside(r, slow, func(_ context.Context, j jobs.Job) (int, error) {
			began <- j.Subject
			<-release
			return 0, nil
		}, nil)
		r.InTx(plain, func(tx *db.Tx, j jobs.Job) error {
			tx.Done(func() { passed <- j.Subject })
			return nil
		})
		for i := range 5 {
			p.add(slow, fmt.Sprint(i), jobs.Options{})
		}
		p.add(plain, "quick", jobs.Options{})
		r.Follow(p.store)
		start(t, r)
		within(t, "the first", began)
		within(t, "the second", began)
		within(t, "the quick one", passed)
		if len(began) != 0 {
			t.Error("a third of a kind began that allows two")
		}
		close(release)
		for range 3 {
			within(t, "another slow one", began)
		}
	})
}

func TestARunnerLetsWhatRunsEnd(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		began, release := make(chan struct{}), make(chan struct{})
		jobs.Outside(r, plain, func(context.Context, jobs.Job) (int, error) {
			close(began)
			<-release
			return 0, nil
		}, nil)
		id := p.add(plain, "1001", jobs.Options{})
		stop, stopped := start(t, r)
		within(t, "the job", began)
		stop()
		select {
		case <-stopped:
			t.Error("the runner left a job that runs")
		default:
		}
		close(release)
		within(t, "the runner's end", stopped)
		p.is(id, jobs.Done, 1)
	})
}

// Where there is one process, what an earlier one had begun is begun anew at once.
func TestWhatAKilledProcessHadBegunIsDone(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		if p.store.EngineName() != "sqlite" {
			t.Skip("with several nodes nobody knows who is gone: its jobs come back when their time is over")
		}
		id := p.add(plain, "1001", jobs.Options{})
		abandon(p)
		p.is(id, jobs.Running, 1)
		r := p.runner()
		did := make(chan string, 1)
		r.InTx(plain, func(tx *db.Tx, j jobs.Job) error {
			tx.Done(func() { did <- j.Subject })
			return nil
		})
		start(t, r)
		within(t, "the job that was broken off", did)
		p.is(id, jobs.Done, 2)
	})
}

func TestAPanicOutsideIsAFailure(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		jobs.Outside(r, plain, func(context.Context, jobs.Job) (int, error) { panic("no line") }, nil)
		id := p.add(plain, "1001", jobs.Options{})
		p.run(r)
		if j := p.is(id, jobs.Waiting, 1); j.LastError != "panic: no line" {
			t.Errorf("the last error is %q", j.LastError)
		}
	})
}

func TestAPayloadThatCannotBeReadFailsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		r.InTx(plain, func(_ *db.Tx, j jobs.Job) error { return j.Read(new(int)) })
		id := p.add(plain, "1001", jobs.Options{})
		p.run(r)
		if j := p.is(id, jobs.Failed, 1); !strings.Contains(j.LastError, "payload") {
			t.Errorf("the last error is %q", j.LastError)
		}
	})
}

// Where a connection is lost as a job is taken, or as it is written what became of it, the runner does not know: it
// looks at its own jobs and takes those again that it has not in hand, instead of waiting until their time is over.
func TestAJobWhoseWordWasLostIsTakenAgain(t *testing.T) {
	lost := errors.New("the connection was lost")
	for what, of := range map[string]struct {
		write  int  // which of the runner's writes is lost,
		commit bool // and whether it was committed
	}{"taking": {1, true}, "ending": {2, false}} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, p place) {
				data, writes, done := jobs.TransactorOf(p.store, dbtest.Company), 0, 0
				write := data.Write
				data.Write = func(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
					if writes++; writes != of.write {
						return write(ctx, as, fn)
					}
					if of.commit {
						return errors.Join(lost, write(ctx, as, fn))
					}
					return lost
				}
				r := jobs.NewRunner(data, slog.New(slog.DiscardHandler))
				jobs.Outside(r, plain, func(context.Context, jobs.Job) (int, error) {
					if done++; done == 1 && what == "ending" {
						return 0, errors.New("not yet")
					}
					return 0, nil
				}, nil)
				id := p.add(plain, "1", jobs.Options{})
				for range 2 {
					if _, err := r.RunDue(t.Context(), dbtest.Company); err != nil && !errors.Is(err, lost) {
						t.Fatal(err)
					}
				}
				p.is(id, jobs.Done, 2)
			})
		})
	}
}
