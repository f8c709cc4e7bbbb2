package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Transactor is the data that a runner works on.
type Transactor struct {
	// Due are up to most companies that have something due which the runner may not have heard of, each told to one
	// runner, and how long until it is worth asking again.
	Due func(ctx context.Context, most int) (companies []string, again time.Duration, err error)
	// Soon are all companies with a job that is due within ahead.
	Soon func(ctx context.Context, ahead time.Duration) ([]string, error)
	// Open reports whether a company is open for work.
	Open func(ctx context.Context, company string) (bool, error)

	Read  func(ctx context.Context, r db.Request, fn func(*db.Tx) error) error
	Write func(ctx context.Context, r db.Request, fn func(*db.Tx) error) error
	// Alone says that no other process can take jobs: what one that is gone had begun may be begun anew at once, and
	// nobody adds jobs unnoticed.
	Alone bool
	// Now is the moment by the clock of the data.
	Now func() db.Time
	// Worker names this process in the rows it takes; "" = by a name that nobody else knows.
	Worker string
}

// TransactorOf takes them from a store with these companies, for who has no App around it.
func TransactorOf(s *db.Store, companies ...string) Transactor {
	all := func() []string { return companies }
	return Transactor{
		Due:  func(context.Context, int) ([]string, time.Duration, error) { return all(), sweepEvery, nil },
		Soon: func(context.Context, time.Duration) ([]string, error) { return all(), nil },
		Open: func(_ context.Context, company string) (bool, error) { return slices.Contains(companies, company), nil },
		Read: s.Read, Write: s.Write, Alone: s.EngineName() == "sqlite", Now: s.Now,
	}
}

// How many jobs run at once, for one company and in all, how often the jobs of other nodes are looked for, and how long
// what runs may take when the process ends.
const (
	perCompany = 4
	inAll      = 16
	sweepEvery = 20 * time.Second
	afterError = 30 * time.Second
	patience   = 10 * time.Second
)

// Runner does the jobs of one process. It is given its handlers before Run.
type Runner struct {
	transactor Transactor
	log        *slog.Logger
	worker     string // names this process in the rows it takes
	handlers   map[string]handler
	hasten     []hastened
	putOff     map[string]verdict

	live  atomic.Bool
	ahead atomic.Int64 // how far the clock has come, as a db.Time: see wasPutBack
	woken chan struct{}
	sweep chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	seats map[string]*seat // by company; those that may have something to do
	all   int              // places taken in all
	seen  map[string]standing
	tally map[Ending]int64
	held  map[string]struct{} // ids of jobs that this runner has taken and not ended
	// unsure are companies of which it may have taken a job, or ended one, and does not know: see ownLost.
	unsure map[string]struct{}
}

// seat is what a runner knows of one company.
type seat struct {
	next  time.Time // when to look; zero = not before something happens
	busy  bool      // somebody is looking
	dirty bool      // something was added meanwhile
	taken int       // places
	kinds map[string]int
}

// Ending counts how often an attempt at a job of a kind ended so.
type Ending struct {
	Kind    string
	Outcome string // done, retried, failed or cancelled
}

type handler struct {
	kind Kind
	run  func(ctx context.Context, j Job) error
}

// NewRunner is a runner without handlers.
func NewRunner(g Transactor, log *slog.Logger) *Runner {
	return &Runner{
		transactor: g, log: log, worker: cmp.Or(g.Worker, record.NewID()), handlers: map[string]handler{},
		putOff: map[string]verdict{}, woken: make(chan struct{}, 1), sweep: make(chan struct{}, 1),
		seats: map[string]*seat{}, seen: map[string]standing{}, tally: map[Ending]int64{},
		held: map[string]struct{}{}, unsure: map[string]struct{}{},
	}
}

// Now is the moment by the clock of the data, which is not this machine's.
func (r *Runner) Now() db.Time { return r.transactor.Now() }

// Follow makes the runner hear of what this process adds to a store.
func (r *Runner) Follow(s *db.Store) {
	db.On(s, func(tx *db.Tx, e asking) error {
		if v, ok := r.putOff[e.job.Kind]; ok && r.live.Load() {
			e.job.RunAt, e.job.LastError = max(e.job.RunAt, tx.Now.Add(v.pause)), brief(v)
		}
		return nil
	})
	db.On(s, func(tx *db.Tx, e Added) error {
		company, wait := tx.Company, time.Duration(e.RunAt-tx.Now)*time.Microsecond
		tx.Done(func() { r.reach(r.transactor.Now()); r.wake(company, wait) })
		return nil
	})
}

// Run does what is due until ctx ends, and then lets what is running end. The jobs of a process that was killed come
// back by themselves.
func (r *Runner) Run(ctx context.Context) {
	r.live.Store(true)
	defer r.live.Store(false)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	sweeper := make(chan struct{})
	go func() { r.sweepAll(ctx); close(sweeper) }()
	for ctx.Err() == nil {
		wait := r.dispatch(ctx, running)
		select {
		case <-ctx.Done():
		case <-r.woken:
		case <-time.After(wait):
		}
	}
	<-sweeper
	late := time.AfterFunc(patience, stop)
	defer late.Stop()
	r.ended.Wait()
}

// Sweep makes a runner ask again which companies have something due, as when the data was exchanged.
func (r *Runner) Sweep() {
	select {
	case r.sweep <- struct{}{}:
	default:
	}
}

// Hasten lets the jobs of a kind run at once that wait because of an error which this process does not know any more: a
// server that was missing is there now. To be said before Run.
func (r *Runner) Hasten(k Kind, waited error) {
	r.hasten = append(r.hasten, hastened{k.Name, waited.Error()})
}

// PutOff lets the jobs of a kind that this process adds wait from the first, with the reason that an attempt would have
// found: nothing of the kind can be done here. To be said before Run.
func (r *Runner) PutOff(k Kind, why error, wait time.Duration) {
	r.putOff[k.Name] = verdict{error: why, pause: wait}
}

// Hurry lets the jobs of a kind run at once, of all companies, that wait because of an error which begins so: what they
// failed for is there again.
func (r *Runner) Hurry(ctx context.Context, k Kind, waited string) {
	companies, err := r.transactor.Soon(ctx, mostPaused)
	if err != nil && ctx.Err() == nil {
		r.log.Warn("jobs: companies", "error", err)
	}
	for _, c := range companies {
		r.hurry(ctx, c, hastened{k.Name, waited})
		r.wake(c, 0)
	}
}

// hastened are jobs of a kind whose last error begins so.
type hastened struct{ kind, waited string }

// hurry brings jobs of a company forward.
func (r *Runner) hurry(ctx context.Context, company string, all ...hastened) {
	for _, h := range all {
		err := r.transactor.Write(ctx, r.as(company, h.kind),
			func(tx *db.Tx) error { return bringForward(tx, h.kind, h.waited) })
		if err != nil && ctx.Err() == nil {
			r.log.Warn("jobs that waited for what is there now wait until their time comes", "company", company, "kind",
				h.kind, "error", err)
		}
	}
}

// sweepAll looks at the companies that have something due which this runner has not heard of.
func (r *Runner) sweepAll(ctx context.Context) {
	r.begin(ctx, clockAhead)
	for ctx.Err() == nil {
		if by := r.wasPutBack(); by > 0 {
			r.log.Warn("the clock was put back: what waits by the clock as it was is brought forward", "by", by)
			r.begin(ctx, time.Duration(math.MaxInt64))
		}
		again := tooMany
		if room := mostWaiting - r.waiting(); room > 0 {
			companies, next, err := r.transactor.Due(ctx, room)
			if again = next; err != nil {
				again = afterError
				if ctx.Err() == nil {
					r.log.Warn("jobs: companies", "error", err)
				}
			}
			for _, c := range companies {
				r.wake(c, 0)
			}
		}
		select {
		case <-ctx.Done():
		case <-r.sweep:
		case <-time.After(again):
		}
	}
}

// clockAhead is what a clock that was put back may have been ahead by while no process ran, which is not known: who
// begins looks for jobs that wait as if it had been so much.
const clockAhead = 24*time.Hour + mostPaused

// reach notes how far the clock of this process has come, which is what sweeps go by: a server's may be another. It is
// said wherever jobs are written: one that is ahead for less than the pause between two sweeps is seen as well.
func (r *Runner) reach(now db.Time) (before db.Time) {
	for {
		was := r.ahead.Load()
		if int64(now) <= was || r.ahead.CompareAndSwap(was, int64(now)) {
			return db.Time(was)
		}
	}
}

// wasPutBack is how far the clock is behind what it was, and from here on the clock as it is; 0 = it went on.
func (r *Runner) wasPutBack() time.Duration {
	now := r.transactor.Now()
	was := r.reach(now)
	if now >= was.Add(-db.ClockBack) {
		return 0
	}
	r.ahead.Store(int64(now))
	return time.Duration(was-now) * time.Microsecond
}

// begin looks at every company that has jobs open within a time which may have been broken off, may wait for what is
// there now, or by another clock.
func (r *Runner) begin(ctx context.Context, within time.Duration) {
	companies, err := r.transactor.Soon(ctx, within)
	if err != nil && ctx.Err() == nil {
		r.log.Warn("jobs: companies", "error", err)
	}
	for _, c := range companies {
		if ctx.Err() != nil {
			return
		}
		if r.transactor.Alone {
			r.takeBack(ctx, c)
		}
		if err := r.transactor.Write(ctx, r.as(c, ""), r.setRight); err != nil && ctx.Err() == nil {
			r.log.Warn("jobs that wait by another clock wait until their time comes", "company", c, "error", err)
		}
		r.hurry(ctx, c, r.hasten...)
		r.wake(c, 0)
	}
}

// waiting is how many companies are due and nobody has looked at yet.
func (r *Runner) waiting() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for _, s := range r.seats {
		if !s.next.IsZero() && !s.next.After(now) {
			n++
		}
	}
	return n
}

// At most so many companies wait to be looked at; who has more to say says it a little later.
const (
	mostWaiting = 64
	tooMany     = 250 * time.Millisecond
)

// takeBack frees what a process that is gone had begun.
func (r *Runner) takeBack(ctx context.Context, company string) {
	if err := r.free(ctx, company, others, r.worker, nil); err != nil && ctx.Err() == nil {
		r.log.Warn("jobs that were broken off wait until their time is over", "company", company, "error", err)
	}
}

// free releases what a worker who is gone, or all others, had begun in a company, if anything, but for some kinds.
func (r *Runner) free(ctx context.Context, company string, of whose, worker string, kept []string) error {
	abandoned := false
	err := r.transactor.Read(ctx, r.as(company, ""), func(tx *db.Tx) (err error) {
		abandoned, err = anyRunning(tx, of, worker)
		return err
	})
	if err != nil || !abandoned {
		return err
	}
	err = r.transactor.Write(ctx, r.as(company, ""), func(tx *db.Tx) error {
		return release(tx, of, worker, kept, nil)
	})
	r.wake(company, 0)
	return err
}

// TakeOver lets jobs be begun at once that a worker had taken who is believed to be gone. Those of Blind kinds wait
// until their time is over: the worker may only stand still.
func (r *Runner) TakeOver(ctx context.Context, worker string) error {
	var longest time.Duration
	var blind []string
	for name, h := range r.handlers {
		longest = max(longest, h.kind.timeout()+grace)
		if h.kind.Blind {
			blind = append(blind, name)
		}
	}
	companies, err := r.transactor.Soon(ctx, longest)
	for _, c := range companies {
		if e := r.free(ctx, c, theirs, worker, blind); e != nil {
			err = errors.Join(err, fmt.Errorf("company %s: %w", c, e))
		}
	}
	return err
}

// hold notes jobs that were taken, or where that is not known, the company.
func (r *Runner) hold(company string, due []Job, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.unsure[company] = struct{}{}
	}
	for _, j := range due {
		r.held[j.ID] = struct{}{}
	}
}

// let is hold's counterpart: err is why it is not known that the job has ended.
func (r *Runner) let(j Job, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.held, j.ID)
	if err != nil {
		r.unsure[j.Company] = struct{}{}
	}
}

// ownLost frees what the books say this runner has in hand and it has not: a connection was lost as it took a job, or
// as it wrote what became of one. Else they would wait until their time is over.
func (r *Runner) ownLost(ctx context.Context, company string) error {
	r.mu.Lock()
	_, unsure := r.unsure[company]
	held := slices.Sorted(maps.Keys(r.held))
	r.mu.Unlock()
	if !unsure {
		return nil
	}
	err := r.transactor.Write(ctx, r.as(company, ""), func(tx *db.Tx) error {
		return release(tx, theirs, r.worker, nil, held)
	})
	if err == nil {
		r.mu.Lock()
		delete(r.unsure, company)
		r.mu.Unlock()
	}
	return err
}

// wake makes the runner look at a company after a while.
func (r *Runner) wake(company string, wait time.Duration) {
	if !r.live.Load() {
		return
	}
	r.mu.Lock()
	at := time.Now().Add(wait)
	s := r.seat(company)
	s.dirty = s.dirty || s.busy
	if s.next.IsZero() || at.Before(s.next) {
		s.next = at
	}
	r.mu.Unlock()
	r.signal()
}

func (r *Runner) signal() {
	select {
	case r.woken <- struct{}{}:
	default:
	}
}

func (r *Runner) seat(company string) *seat {
	s := r.seats[company]
	if s == nil {
		s = &seat{kinds: map[string]int{}}
		r.seats[company] = s
	}
	return s
}

// dispatch sends somebody to every company that is due, as far as there are places, and tells how long nothing is to be
// done.
func (r *Runner) dispatch(ctx, running context.Context) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, wait := time.Now(), time.Hour
	for company, s := range r.seats {
		if s.busy || s.next.IsZero() {
			continue
		}
		if s.next.After(now) {
			wait = min(wait, s.next.Sub(now))
			continue
		}
		places := min(perCompany-s.taken, inAll-r.all)
		if places <= 0 {
			continue // the end of a job wakes us
		}
		s.busy, s.dirty, s.next = true, false, time.Time{}
		s.taken += places
		r.all += places
		r.ended.Go(func() {
			r.visit(ctx, running, company, places)
		})
	}
	return wait
}

// visit takes what is due of a company and starts it.
func (r *Runner) visit(ctx, running context.Context, company string, places int) {
	var (
		due  []Job
		next time.Duration
		err  error
	)
	if ctx.Err() == nil {
		due, next, err = r.look(ctx, company, places)
	}
	if err != nil {
		next = r.afterError(ctx, company, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.signal()
	s := r.seat(company)
	s.busy = false
	s.taken -= places - len(due)
	r.all -= places - len(due)
	for _, j := range due {
		s.kinds[j.Kind]++
		r.ended.Go(func() {
			r.attempt(running, j)
			r.leave(j)
		})
	}
	switch {
	case s.dirty || len(due) > 0:
		s.next = time.Now()
	case next > 0:
		s.next = earlier(s.next, time.Now().Add(next))
	case s.taken == 0 && s.next.IsZero():
		delete(r.seats, company)
	}
}

// earlier is the first of two moments, of which a may be none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// leave gives a job's place back and lets somebody look for the next.
func (r *Runner) leave(j Job) {
	r.reach(r.transactor.Now())
	r.mu.Lock()
	s := r.seat(j.Company)
	s.kinds[j.Kind]--
	s.taken--
	r.all--
	s.dirty = s.dirty || s.busy
	s.next = time.Now()
	r.mu.Unlock()
	r.signal()
}

// afterError is when to look at a company again that could not be read; 0 where it is gone.
func (r *Runner) afterError(ctx context.Context, company string, err error) time.Duration {
	if open, cerr := r.transactor.Open(ctx, company); cerr == nil && !open {
		r.saw(company, standing{})
		return 0
	}
	if ctx.Err() == nil && fault.As(err).Kind != fault.Unavailable {
		r.log.Warn("jobs cannot be looked for; it is tried again", "company", company, "error", err)
	}
	return afterError
}

// What waits and has failed is not counted again for seenFor, nor for seenRest times as long as the counting took, but
// once in seenAtLast: a look that finds nothing to do must not cost more because much waits.
const (
	seenFor    = time.Second
	seenRest   = 100
	seenAtLast = time.Minute
)

func (r *Runner) hasJustSeen(company string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seen[company]
	return time.Since(s.at) < min(max(seenFor, seenRest*s.took), seenAtLast)
}

// saw notes what waits and has failed.
func (r *Runner) saw(company string, s standing) {
	s.at = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.waiting == 0 && s.failed == 0 {
		delete(r.seen, company)
		return
	}
	r.seen[company] = s
}

// as is the request of the runner, or of a job of a kind.
func (r *Runner) as(company, kind string) db.Request {
	name := "kontor jobs"
	if kind != "" {
		name = kind
	}
	return db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "job", Name: name}}
}

// Figures are what a runner knows of its jobs.
type Figures struct {
	Waiting, Failed, Running int
	Endings                  map[Ending]int64
	// Oldest is since when the oldest job of a kind has waited.
	Oldest map[string]db.Time
}

// Figures tells how many jobs wait, have failed and run, as far as this process has seen, and how its attempts ended.
func (r *Runner) Figures() Figures {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := Figures{Endings: make(map[Ending]int64, len(r.tally)), Oldest: map[string]db.Time{}}
	for _, n := range r.seen {
		f.Waiting += n.waiting
		f.Failed += n.failed
		for kind, since := range n.oldest {
			if at, ok := f.Oldest[kind]; !ok || since < at {
				f.Oldest[kind] = since
			}
		}
	}
	for _, s := range r.seats {
		for _, n := range s.kinds {
			f.Running += n
		}
	}
	maps.Copy(f.Endings, r.tally)
	return f
}
