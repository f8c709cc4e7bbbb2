package db

import (
	"context"
	"fmt"

	"kontor/internal/fault"
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

// submit hands the work to the writer and waits for the commit that holds it. A client that goes away
// does not cancel it: an interrupted statement would roll the whole group back.
func (c *cell) submit(ctx context.Context, r Request, fn func(*Tx) error) error {
	j := &job{req: r, ctx: context.WithoutCancel(ctx), fn: fn, done: make(chan struct{})}
	c.jobs <- j
	<-j.done
	return j.err
}

// writeLoop owns the write connection: it takes whatever waits, up to maxGroup operations, runs each
// under a savepoint and answers all of them after the commit.
func (c *cell) writeLoop(cn *conn) {
	defer close(c.stopped)
	for j := range c.jobs {
		group := append(make([]*job, 0, maxGroup), j)
		c.runGroup(cn, group)
	}
	c.writers.put(cn, false)
}

func (c *cell) runGroup(cn *conn, group []*job) {
	if err := cn.exec("begin immediate"); err != nil {
		c.answer(group, c.unavailable(err))
		return
	}
	for i := 0; i < len(group); i++ {
		if err := c.runOne(cn, group[i]); err != nil {
			cn.exec("rollback")
			c.afterLoss(cn, group[:i], group[i:], err)
			return
		}
		if len(group) < maxGroup {
			select {
			case next, ok := <-c.jobs:
				if ok {
					group = append(group, next)
				}
			default:
			}
		}
	}
	if err := cn.exec("commit"); err != nil {
		cn.exec("rollback")
		c.afterLoss(cn, group, nil, err)
		return
	}
	for _, j := range group {
		if j.err == nil {
			j.tx.committed()
		}
	}
	c.answer(group, nil)
}

// runOne runs one operation under its savepoint. What it returns is the loss of the whole group; the
// operation's own refusal is kept in the job.
func (c *cell) runOne(cn *conn, j *job) error {
	if err := cn.exec("savepoint op"); err != nil {
		return err
	}
	j.tx = c.tx(j.ctx, j.req, cn, true)
	j.tx.begun, j.tx.clock = true, TimeOf(c.store.clock())
	j.err = call(j.tx, j.fn)
	if j.err == nil {
		err := cn.exec("release op")
		return err
	}
	if c.engine.Classify(j.err) == Full {
		return j.err
	}
	if err := cn.exec("rollback to op"); err != nil {
		return err
	}
	err := cn.exec("release op")
	return err
}

// afterLoss runs every operation of a lost group again, each alone: one whose rows do not fit must not
// take the others with it.
func (c *cell) afterLoss(cn *conn, ran, rest []*job, cause error) {
	all := append(append([]*job{}, ran...), rest...)
	if len(all) == 1 {
		c.answer(all, c.unavailable(cause))
		return
	}
	for _, j := range all {
		c.runAlone(cn, j)
	}
}

func (c *cell) runAlone(cn *conn, j *job) {
	if err := cn.exec("begin immediate"); err != nil {
		c.answer([]*job{j}, c.unavailable(err))
		return
	}
	err := c.runOne(cn, j)
	if err == nil {
		err = cn.exec("commit")
	}
	if err != nil {
		cn.exec("rollback")
		c.answer([]*job{j}, c.unavailable(err))
		return
	}
	if j.err == nil {
		j.tx.committed()
	}
	c.answer([]*job{j}, nil)
}

func (c *cell) answer(group []*job, err error) {
	for _, j := range group {
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
