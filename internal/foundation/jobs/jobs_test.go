package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// clock is a house clock that tests move.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time { return time.UnixMicro(c.at.Load()) }

func (c *clock) pass(d time.Duration) { c.at.Add(d.Microseconds()) }

// place is a store with a clock, and what its jobs did.
type place struct {
	*clock
	*testing.T
	store *db.Store
}

func each(t *testing.T, fn func(t *testing.T, p place)) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			c := &clock{}
			c.at.Store(time.Now().UnixMicro())
			o := dbtest.Options(t, engine)
			o.Clock = c.now
			s, err := db.Open(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			info := dbtest.Info()
			if err := s.CreateCell(context.Background(), info); err != nil {
				t.Fatal(err)
			}
			info.ID, info.Code = dbtest.Other, "other"
			if err := s.CreateCell(context.Background(), info); err != nil {
				t.Fatal(err)
			}
			fn(t, place{c, t, s})
		})
	}
}

func (p place) runner() *jobs.Runner {
	return jobs.NewRunner(jobs.TransactorOf(p.store, dbtest.Company, dbtest.Other), slog.New(slog.DiscardHandler))
}

func (p place) add(k jobs.Kind, subject string, o jobs.Options) (id string) {
	p.Helper()
	dbtest.Write(p, p.store, func(tx *db.Tx) (err error) {
		id, err = jobs.Add(tx, k, subject, map[string]string{"about": subject}, o)
		return err
	})
	return id
}

func (p place) find(id string) (j jobs.Job) {
	p.Helper()
	dbtest.Read(p, p.store, func(tx *db.Tx) (err error) {
		j, err = jobs.Find(tx, id)
		return err
	})
	return j
}

func (p place) run(r *jobs.Runner) int {
	p.Helper()
	n, err := r.RunDue(context.Background(), dbtest.Company)
	if err != nil {
		p.Fatal(err)
	}
	return n
}

func (p place) is(id string, s jobs.Status, attempts int) jobs.Job {
	p.Helper()
	j := p.find(id)
	if j.Status != s || j.Attempts != attempts {
		p.Fatalf("the job is %s after %d attempts (%s), not %s after %d", j.Status, j.Attempts, j.LastError, s,
			attempts)
	}
	return j
}

var plain = jobs.Kind{Name: "plain", Attempts: 3, Backoff: time.Minute}

func TestAJobIsDoneOnceAfterItsCommit(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		var did []string
		r := p.runner()
		r.InTx(plain, func(tx *db.Tx, j jobs.Job) error {
			var what struct {
				About string `json:"about"`
			}
			if err := j.Read(&what); err != nil {
				return err
			}
			did = append(did, what.About)
			return nil
		})
		err := p.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			if _, err := jobs.Add(tx, plain, "lost", nil, jobs.Options{}); err != nil {
				return err
			}
			return errors.New("refused")
		})
		if err == nil {
			t.Fatal("the refusal was lost")
		}
		id := p.add(plain, "1001", jobs.Options{})
		later := p.add(plain, "1002", jobs.Options{RunAt: db.TimeOf(p.now().Add(time.Hour))})
		if n := p.run(r); n != 1 || len(did) != 1 || did[0] != "1001" {
			t.Fatalf("%d attempts did %v", n, did)
		}
		if j := p.is(id, jobs.Done, 1); j.DoneAt == 0 || j.Actor != "test" || j.Subject != "1001" {
			t.Errorf("%+v", j)
		}
		p.is(later, jobs.Waiting, 0)
		if at := p.find(later).RunAt; at > db.TimeOf(time.Now().Add(time.Hour)) {
			t.Errorf("it waits until %v: a runner that begins looks an hour and a half ahead", at)
		}
		p.pass(time.Hour)
		if n := p.run(r) + p.run(r); n != 1 || len(did) != 2 {
			t.Errorf("%d attempts did %v", n, did)
		}
		n, err := r.RunDue(context.Background(), dbtest.Other)
		if n != 0 || err != nil {
			t.Errorf("the other company had %d jobs: %v", n, err)
		}
	})
}

func TestWhatFailsIsTriedAgainAndGivenUpAloud(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		r.InTx(plain, func(tx *db.Tx, j jobs.Job) error {
			// An effect that is taken back with the attempt.
			if _, err := jobs.Add(tx, plain, "by-product", nil, jobs.Options{}); err != nil {
				return err
			}
			panic("no paper " + j.Subject)
		})
		id := p.add(plain, "1001", jobs.Options{})
		for attempt := 1; attempt <= 2; attempt++ {
			if n := p.run(r); n != 1 {
				t.Fatalf("%d attempts", n)
			}
			j := p.is(id, jobs.Waiting, attempt)
			wait := time.Duration(j.RunAt-db.TimeOf(p.now())) * time.Microsecond
			least := time.Minute << (attempt - 1) / 2
			if wait < least || wait > 3*least {
				t.Errorf("the pause after attempt %d is %s", attempt, wait)
			}
			if !strings.Contains(j.LastError, "no paper 1001") || strings.Contains(j.LastError, "\n") {
				t.Errorf("the last error is %q", j.LastError)
			}
			if n := p.run(r); n != 0 {
				t.Fatal("it was tried again before its pause was over")
			}
			p.pass(wait)
		}
		p.run(r)
		p.is(id, jobs.Failed, 3)
		p.pass(48 * time.Hour)
		if n := p.run(r); n != 0 {
			t.Fatal("what was given up was tried again")
		}
		dbtest.Write(t, p.store, func(tx *db.Tx) error {
			_, err := jobs.Retry(tx, id)
			return err
		})
		p.run(r)
		p.is(id, jobs.Waiting, 1)
		var counts []jobs.Count
		dbtest.Read(t, p.store, func(tx *db.Tx) (err error) {
			counts, err = jobs.Counts(tx)
			return err
		})
		if len(counts) != 1 || counts[0] != (jobs.Count{Kind: "plain", Status: jobs.Waiting, Jobs: 1}) {
			t.Errorf("an effect outlived the failure of its attempt: %v", counts)
		}
	})
}

func TestAHandlerSaysWhatBecomesOfAJob(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		cause := errors.New("because")
		answer := map[string]error{"never": jobs.Permanent(cause), "later": jobs.Postpone(cause, 48*time.Hour),
			"needless": fmt.Errorf("so: %w", jobs.Drop(cause))}
		secret := jobs.Kind{Name: "secret", Remains: func(any) any { return map[string]string{"about": "blank"} }}
		jobs.Outside(r, secret, func(_ context.Context, j jobs.Job) (string,
			error) {
			return j.Subject, answer[j.Subject]
		},
			func(_ *db.Tx, j jobs.Job, result string) error {
				if result != j.Subject {
					return errors.New("another's result")
				}
				return nil
			})
		never, later := p.add(secret, "never", jobs.Options{}), p.add(secret, "later", jobs.Options{})
		needless, fine := p.add(secret, "needless", jobs.Options{}), p.add(secret, "fine", jobs.Options{})
		if n := p.run(r); n != 4 {
			t.Fatalf("%d attempts", n)
		}
		p.is(never, jobs.Failed, 1)
		p.is(later, jobs.Waiting, 0)
		p.is(needless, jobs.Cancelled, 1)
		p.is(fine, jobs.Done, 1)
		for id, want := range map[string]string{never: "never", later: "later", needless: "blank", fine: "blank"} {
			if j := p.find(id); string(j.Payload) != `{"about":"`+want+`"}` {
				t.Errorf("the payload of %s is %s", j.Subject, j.Payload)
			}
		}
		dbtest.Write(t, p.store, func(tx *db.Tx) error {
			j, err := jobs.Cancel(tx, later)
			if err == nil && (j.Status != jobs.Cancelled || strings.Contains(string(j.Payload), "later")) {
				t.Errorf("cancelled: %+v %s", j, j.Payload)
			}
			return err
		})
		err := p.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := jobs.Retry(tx, fine)
			return err
		})
		if !fault.Is(err, jobs.ErrInvalidStatus) {
			t.Errorf("a job that is done could be retried: %v", err)
		}
	})
}

// Two nodes and many jobs: each is done once.
func TestWorkersDoNotTakeEachOthersJobs(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		const many = 40
		for i := range many {
			p.add(plain, fmt.Sprint(i), jobs.Options{})
		}
		var (
			mu  sync.Mutex
			did = map[string]int{}
			all sync.WaitGroup
		)
		for range 3 {
			r := p.runner()
			r.InTx(plain, func(tx *db.Tx, j jobs.Job) error {
				mu.Lock()
				defer mu.Unlock()
				did[j.Subject]++
				return nil
			})
			all.Add(1)
			go func() {
				defer all.Done()
				if _, err := r.RunDue(context.Background(), dbtest.Company); err != nil {
					t.Error(err)
				}
			}()
		}
		all.Wait()
		for i := range many {
			if did[fmt.Sprint(i)] != 1 {
				t.Errorf("job %d was done %d times", i, did[fmt.Sprint(i)])
			}
		}
	})
}

// A worker that is gone holds its job until its time is over; when it comes back after all, its word no longer counts.
func TestAnAbandonedJobIsTakenOver(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		slow, quick := p.runner(), p.runner()
		did := 0
		effect := func(tx *db.Tx, j jobs.Job) error {
			_, err := jobs.Add(tx, jobs.Kind{Name: "effect"}, j.Subject, nil, jobs.Options{})
			return err
		}
		jobs.Outside(quick, plain, func(context.Context, jobs.Job) (int, error) { did++; return 0, nil },
			func(tx *db.Tx, j jobs.Job, _ int) error { return effect(tx, j) })
		jobs.Outside(slow, plain, func(context.Context, jobs.Job) (int, error) {
			if p.run(quick) != 0 {
				t.Error("a job that is being done was taken")
			}
			p.pass(time.Hour)
			if p.run(quick) != 1 {
				t.Error("an abandoned job was not taken")
			}
			return 0, nil
		}, func(tx *db.Tx, j jobs.Job, _ int) error { return effect(tx, j) })
		id := p.add(plain, "1001", jobs.Options{})
		p.run(slow)
		p.is(id, jobs.Done, 2)
		var found record.Found[jobs.Job]
		dbtest.Read(t, p.store, func(tx *db.Tx) (err error) {
			found, err = jobs.List(tx, jobs.Filter{Kind: "effect"}, record.Page{Number: 1, Size: 10})
			return err
		})
		if did != 1 || found.Total != 1 {
			t.Errorf("done %d times by the quick one, recorded %d times", did, found.Total)
		}
	})
}

// A clock that was a day ahead, and is set right, leaves nothing waiting for that day: what was to be done at once,
// what was to be tried again, what a killed worker had in hand and what was to come an hour later is done by the right
// clock, be it set right while a process runs or before the next one does. What somebody named a moment for waits for
// that.
func TestNothingWaitsForAClockThatWasAhead(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		var beats sync.Map // by subject
		counted := jobs.Kind{Name: "counted", Counted: true}
		worker := func() *jobs.Runner {
			r := p.runner()
			jobs.Outside(r, plain, func(_ context.Context, j jobs.Job) (int, error) {
				if _, met := beats.LoadOrStore(j.Subject, true); !met && j.Subject == "again" {
					return 0, jobs.Postpone(errors.New("in a minute"), time.Minute)
				}
				return 0, nil
			}, nil)
			r.InTx(counted, func(*db.Tx, jobs.Job) error { return nil })
			r.Follow(p.store)
			return r
		}
		done := func(what, id string, r *jobs.Runner) {
			t.Helper()
			for start := time.Now(); p.find(id).Status != jobs.Done; time.Sleep(20 * time.Millisecond) {
				if time.Since(start) > 20*time.Second {
					t.Fatalf("%s: %+v, and it is %s", what, p.find(id), p.now())
				}
				r.Sweep()
			}
		}
		hour := func(n int) db.Time { return db.TimeOf(p.now()) + db.Time(n)*db.Time(time.Hour.Microseconds()) }
		p.pass(24 * time.Hour)
		again := p.add(plain, "again", jobs.Options{})
		p.run(worker())
		abandoned := p.add(plain, "abandoned", jobs.Options{})
		abandon(p)
		once := p.add(plain, "once", jobs.Options{})
		held := p.add(counted, "held", jobs.Options{RunAt: hour(1)})
		named := p.add(plain, "named", jobs.Options{RunAt: hour(1)})
		p.pass(-24 * time.Hour)
		r := worker()
		stop, stopped := start(t, r)
		done("at once", once, r)
		done("tried again", again, r)
		if p.is(held, jobs.Waiting, 0).RunAt > hour(1) || p.is(named, jobs.Waiting, 0).RunAt < hour(24) {
			t.Error("a moment that was counted stands, or one that was named does not")
		}
		p.pass(2 * time.Minute)
		done("broken off", abandoned, r)

		p.pass(24 * time.Hour)
		r.Sweep()
		beats.Delete("again")
		later := p.add(plain, "again", jobs.Options{})
		for p.find(later).LastError == "" {
			time.Sleep(20 * time.Millisecond)
		}
		p.pass(-48 * time.Hour)
		done("tried again, as the clock was put back", later, r)

		p.pass(72 * time.Hour) // and back before anybody looks at the clock
		held = p.add(counted, "held shortly", jobs.Options{RunAt: hour(1)})
		p.pass(-72 * time.Hour)
		for start := time.Now(); p.is(held, jobs.Waiting, 0).RunAt > hour(1); time.Sleep(20 * time.Millisecond) {
			if time.Since(start) > 10*time.Second {
				t.Fatal("a clock that was ahead for a moment holds up what is counted from there")
			}
			r.Sweep()
		}
		stop()
		<-stopped
	})
}

// Who knows that a worker is gone need not wait until the time of its jobs is over; those of others stay theirs.
func TestTheJobsOfAWorkerThatIsGoneAreTakenOver(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		named := jobs.TransactorOf(p.store, dbtest.Company)
		named.Worker = "gone"
		gone, heir := jobs.NewRunner(named, slog.New(slog.DiscardHandler)), p.runner()
		did := 0
		jobs.Outside(heir, plain, func(context.Context, jobs.Job) (int, error) { did++; return 0, nil },
			func(*db.Tx, jobs.Job, int) error { return nil })
		jobs.Outside(gone, plain, func(context.Context, jobs.Job) (int, error) {
			for _, worker := range []string{"another", "gone"} {
				if p.run(heir) != 0 {
					t.Error("a job that is being done was taken")
				}
				if err := heir.TakeOver(context.Background(), worker); err != nil {
					t.Error(err)
				}
			}
			if p.run(heir) != 1 {
				t.Error("the job of a worker that is gone was not taken")
			}
			return 0, nil
		}, func(*db.Tx, jobs.Job, int) error { return nil })
		id := p.add(plain, "1001", jobs.Options{})
		p.run(gone)
		p.is(id, jobs.Done, 2)
		if did != 1 {
			t.Errorf("done %d times", did)
		}
	})
}

// A worker that seems to be gone may only stand still, and goes on as if nothing had been: what nobody out there
// knows again is begun by another only when the first has no time left for it, and he knows that he has none.
func TestWhatCannotBeRecognisedIsNotTakenOver(t *testing.T) {
	blind := jobs.Kind{Name: "letter", Timeout: time.Minute, Blind: true}
	each(t, func(t *testing.T, p place) {
		named := jobs.TransactorOf(p.store, dbtest.Company)
		named.Worker = "still"
		still, heir := jobs.NewRunner(named, slog.New(slog.DiscardHandler)), p.runner()
		var sent []string
		for name, r := range map[string]*jobs.Runner{"still": still, "heir": heir} {
			jobs.Outside(r, blind, func(ctx context.Context, j jobs.Job) (int, error) {
				if name == "still" && j.Subject == "1001" {
					if err := heir.TakeOver(context.Background(), "still"); err != nil {
						t.Error(err)
					}
					if p.run(heir) != 0 {
						t.Error("what the worker has in hand was begun by another")
					}
				}
				if until, ok := ctx.Deadline(); !ok || time.Until(until) > time.Minute {
					t.Errorf("%s believes to have until %v", name, until)
				}
				sent = append(sent, name+" "+j.Subject)
				return 0, nil
			}, nil)
		}
		id := p.add(blind, "1001", jobs.Options{})
		p.run(still)
		p.is(id, jobs.Done, 1)
		if fmt.Sprint(sent) != "[still 1001]" {
			t.Errorf("sent by %v", sent)
		}
	})
}

// The time of a job is counted from before it is taken: a process that stands still between taking and doing has not
// got longer for it than others leave it.
func TestTheTimeOfAJobRunsWhileItIsTaken(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		slow := jobs.TransactorOf(p.store, dbtest.Company)
		write, taken := slow.Write, time.Time{}
		slow.Write = func(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
			err := write(ctx, as, fn)
			if taken.IsZero() {
				taken = time.Now()
			}
			return err
		}
		r := jobs.NewRunner(slow, slog.New(slog.DiscardHandler))
		jobs.Outside(r, plain, func(ctx context.Context, _ jobs.Job) (int, error) {
			if until, ok := ctx.Deadline(); !ok || until.After(taken.Add(time.Minute)) {
				t.Errorf("it was taken at %v, and it has until %v", taken, until)
			}
			return 0, nil
		}, nil)
		id := p.add(plain, "1001", jobs.Options{})
		p.run(r)
		p.is(id, jobs.Done, 1)
	})
}

// A job that takes the process down each time does not do so for ever.
func TestAJobThatNeverEndsFails(t *testing.T) {
	each(t, func(t *testing.T, p place) {
		r := p.runner()
		jobs.Outside(r, plain, func(context.Context, jobs.Job) (int, error) { return 0, nil },
			func(tx *db.Tx, j jobs.Job, _ int) error { return nil })
		id := p.add(plain, "1001", jobs.Options{})
		for range 3 {
			abandon(p)
			p.pass(time.Hour)
		}
		if n := p.run(r); n != 0 {
			t.Errorf("%d attempts", n)
		}
		if j := p.is(id, jobs.Failed, 3); !strings.Contains(j.LastError, "never ended") {
			t.Errorf("the last error is %q", j.LastError)
		}
	})
}

// abandon takes what is due and never writes what became of it, like a process that is killed.
func abandon(p place) {
	p.Helper()
	g := jobs.TransactorOf(p.store, dbtest.Company)
	write, writes, gone := g.Write, 0, errors.New("gone")
	g.Write = func(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
		if writes++; writes > 1 {
			return gone
		}
		return write(ctx, as, fn)
	}
	r := jobs.NewRunner(g, slog.New(slog.DiscardHandler))
	r.InTx(plain, func(*db.Tx, jobs.Job) error { return nil })
	if n, err := r.RunDue(context.Background(), dbtest.Company); n != 1 || !errors.Is(err, gone) {
		p.Fatalf("%d attempts: %v", n, err)
	}
}
