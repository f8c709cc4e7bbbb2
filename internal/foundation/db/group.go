package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"kontor/internal/foundation/fault"
)

// job is one operation waiting for the one writer of a file.
type job struct {
	req  Request
	ctx  context.Context
	fn   func(*Tx) error
	tx   *Tx
	err  error
	done chan struct{}
}

// maxGroup is how many operations share one commit, and so one fsync.
const maxGroup = 64

// group is the operations that share one transaction of the writer.
type group struct {
	jobs []*job
	// careful groups give each operation a savepoint, so that one can be undone alone. That costs about a quarter of an
	// operation, because every page it touches is copied first, so a group begins without.
	careful bool
	kept    bool // an operation that stays has written
	halved  bool // one was refused after it wrote, behind others that stay
	// repeated groups have been run again for the sake of a test; see Doubting.
	repeated bool
}

// errHalved ends a group without savepoints in which an operation was refused after it had written: with it went the
// others.
var errHalved = errors.New("db: an operation of the group was refused halfway")

// errOnce ends work that may be run but once, and whose group was run again.
var errOnce = errors.New("db: work that can be done but once was undone with others")

// submit hands the work to the writer and waits for the commit that holds it. A client that goes away
// does not cancel it: an interrupted statement would roll the whole group back.
func (c *cell) submit(ctx context.Context, r Request, fn func(*Tx) error) error {
	if !c.writing.Load() {
		if err := c.startWriter(); err != nil {
			return c.unavailable(err)
		}
	}
	j := &job{req: r, ctx: context.WithoutCancel(ctx), fn: fn, done: make(chan struct{})}
	c.jobs <- j
	<-j.done
	if j.err == nil {
		j.tx.conclude() // here, so that the writer is already at the next group
	}
	return j.err
}

// writeLoop owns the write connection: it takes whatever waits, up to maxGroup operations, runs them in one
// transaction and answers all of them after the commit.
func (c *cell) writeLoop(cn *conn) {
	defer close(c.stopped)
	w := &writer{cell: c, cn: cn, commits: time.Millisecond}
	jobs := make([]*job, 0, maxGroup)
	for j := range c.jobs {
		w.serve(append(jobs, j))
		clear(jobs[:cap(jobs)])
	}
	c.writers.put(cn, false, nil)
}

// writer is the goroutine that owns the write connection of a file.
type writer struct {
	*cell
	cn *conn
	// unrest is how many of 256 groups of late were lost to an operation refused halfway, or would have been.
	unrest int
	// commits is how long a commit has taken of late.
	commits time.Duration
}

// worthwhile is how many times as long as a commit a group works before it takes nobody in any more: those whom it
// answers then come again while the next is at work, and the commits take no more than a part of the writer's time.
const worthwhile = 8

// maxUnrest is from where on savepoints cost less than running every such group a second time.
const maxUnrest = 256 / 4

// serve runs a group and answers it. Where one operation is refused after it has written, the group is run again, once,
// with savepoints; where that happens often, groups have them from the start.
func (w *writer) serve(jobs []*job) {
	g := &group{jobs: jobs, careful: w.unrest > maxUnrest}
	err := w.run(g)
	if errors.Is(err, errHalved) {
		w.cn.exec("rollback")
		g.careful = true
		err = w.run(g)
	}
	w.learn(g.halved)
	if err != nil {
		w.cn.exec("rollback")
		w.afterLoss(g.jobs, err)
		return
	}
	w.confirm(g.jobs...)
}

func (w *writer) learn(halved bool) {
	now := 0
	if halved {
		now = 256
	}
	w.unrest += (now - w.unrest) / 8
}

// run runs the group and whoever comes while it runs in one transaction, and commits it. An error is the loss of all of
// it.
func (w *writer) run(g *group) error {
	g.kept = false
	if err := w.begin(); err != nil {
		return err
	}
	begun := time.Now()
	for i := 0; i < len(g.jobs); i++ {
		if err := w.one(g, g.jobs[i]); err != nil {
			return err
		}
		if next := w.next(g, begun); next != nil {
			g.jobs = append(g.jobs, next)
		}
	}
	once := slices.ContainsFunc(g.jobs, func(j *job) bool { return j.req.Once })
	if !g.repeated && !once && w.store.repeats() {
		g.repeated = true
		w.cn.exec("rollback")
		return w.run(g)
	}
	return w.commit(g.jobs...)
}

// patience is how often a group lets others work before it commits although somebody is on the way.
const patience = 4

// next is one more operation for the group, if somebody waits or is about to come: with him the commit costs both less.
func (w *writer) next(g *group, begun time.Time) *job {
	for range patience {
		if len(g.jobs) == maxGroup || time.Since(begun) > worthwhile*w.commits {
			return nil
		}
		select {
		case j := <-w.jobs:
			return j
		default:
		}
		if w.users.Load() <= int64(len(g.jobs)) {
			return nil
		}
		runtime.Gosched()
	}
	return nil
}

func (w *writer) begin() error {
	w.moved = false
	clear(w.invalid)
	return w.cn.exec("begin immediate")
}

// commit commits what these have done. Who reads while it does so takes the epoch from his snapshot, not from memory.
func (w *writer) commit(jobs ...*job) error {
	noted, err := w.foresee(jobs)
	defer noted()
	if err != nil {
		return err
	}
	if w.moved {
		w.standing.leave()
		defer w.standing.arrive()
	}
	begun := time.Now()
	err = w.cn.exec("commit")
	w.commits += (time.Since(begun) - w.commits) / 8
	return err
}

// one runs one operation of a group. What it returns is the loss of the whole group; the operation's own refusal is
// kept in the job.
func (w *writer) one(g *group, j *job) error {
	if g.careful {
		if err := w.cn.exec("savepoint op"); err != nil {
			return err
		}
	}
	w.perform(j)
	refused := j.err != nil
	if refused && w.engine.Classify(j.err) == Full {
		return j.err
	}
	// An error of the engine may have ended the transaction, whatever the operation made of it.
	halfway := j.tx.failed || refused && j.tx.wrote
	if halfway && g.kept {
		g.halved = true
	}
	if !g.careful && halfway {
		return w.halved(g, refused)
	}
	g.kept = g.kept || !refused && j.tx.wrote
	if !g.careful {
		return nil
	}
	if refused {
		if err := w.cn.exec("rollback to op"); err != nil {
			return err
		}
	}
	return w.cn.exec("release op")
}

// halved gives up an operation that went no further than half its way in a group without savepoints.
func (w *writer) halved(g *group, refused bool) error {
	if g.kept || !refused {
		return errHalved
	}
	w.cn.exec("rollback") // nobody else has written: only its own work is lost
	return w.begin()
}

func (w *writer) perform(j *job) {
	if j.req.Once && j.tx != nil {
		j.err = w.unavailable(errOnce)
		return
	}
	j.tx = w.tx(j.ctx, j.req, w.cn, true)
	j.tx.begun, j.tx.clock = true, TimeOf(w.store.clock())
	j.err = call(j.tx, j.fn)
}

// afterLoss runs every operation of a lost group again, each alone: one whose rows do not fit must not
// take the others with it.
func (w *writer) afterLoss(jobs []*job, cause error) {
	if len(jobs) == 1 {
		w.store.setback(Full)
		w.answer(jobs, w.unavailable(cause))
		return
	}
	for _, j := range jobs {
		w.runAlone(j)
	}
}

func (w *writer) runAlone(j *job) {
	err := w.begin()
	if err == nil {
		err = w.one(&group{careful: true}, j)
	}
	if err == nil {
		err = w.commit(j)
	}
	if err != nil {
		w.cn.exec("rollback")
		w.store.setback(Full)
		w.answer([]*job{j}, w.unavailable(err))
		return
	}
	w.confirm(j)
}

// confirm answers operations whose commit stands.
func (w *writer) confirm(jobs ...*job) {
	for _, j := range jobs {
		if j.err == nil {
			j.tx.committed()
		}
	}
	w.answer(jobs, nil)
}

func (c *cell) answer(jobs []*job, err error) {
	for _, j := range jobs {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// unavailable is the refusal of work that the storage could not take; nothing of it was kept.
func (c *cell) unavailable(err error) error {
	f := fault.ErrUnavailable.Because("the data cannot be written at the moment; nothing was changed, try again")
	f.RetryAfterSeconds = 2
	return f.From(fmt.Errorf("%s: %w", c.target, err))
}
