package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kontor/internal/foundation/fault"
)

// maxTries is how often work is run again after a deadlock, a serialization failure or a lost connection, and maxTrying
// how long.
const (
	maxTries  = 6
	maxTrying = 5 * time.Second
)

var errLostAtCommit = errors.New("db: the connection was lost at COMMIT")

// writeShared runs fn in a transaction of an engine with many writers, and again where the engine asks for it.
func (c *cell) writeShared(ctx context.Context, r Request, fn func(*Tx) error) error {
	ctx, stop := untilDeadline(ctx)
	defer stop()
	start := time.Now()
	for try := 1; ; try++ {
		err := c.tryShared(ctx, r, fn)
		if err == nil {
			return nil
		}
		if _, ok := errors.AsType[*fault.Fault](err); ok {
			if try > 1 && c.engine.Classify(err) == Waited { // for what an earlier try of ours has left on the server
				return c.unavailable(err)
			}
			return err // whoever refused knows more than the engine's error behind it says
		}
		failure := c.engine.Classify(err)
		c.store.setback(failure)
		switch {
		case errors.Is(err, errLostAtCommit) && !r.Replayable:
			f := fault.ErrUnavailable.Because(
				"the database went away while the change was being confirmed; read the record to see whether it was made")
			f.RetryAfterSeconds = 2
			return f.From(err)
		case failure == Retry || failure == Lost || errors.Is(err, errLostAtCommit):
			if !r.Once && try < maxTries && time.Since(start) < maxTrying && ctx.Err() == nil {
				c.store.again(failure)
				time.Sleep(time.Duration(try*try)*2*time.Millisecond + rand.N(5*time.Millisecond))
				continue
			}
			return c.unavailable(err)
		case failure == Full || failure == Waited:
			return c.unavailable(err)
		}
		return err
	}
}

func (c *cell) tryShared(ctx context.Context, r Request, fn func(*Tx) error) error {
	cn, err := c.writers.get(ctx)
	if err != nil {
		return err
	}
	tx := c.tx(ctx, r, cn, true)
	if err = call(tx, fn); err == nil {
		err = tx.foreseeShared()
	}
	broken, met, known := false, err, false
	defer func() { c.writers.put(cn, broken, met) }()
	if !tx.begun {
		return err
	}
	defer func() { tx.ends(known) }()
	if err != nil {
		broken = cn.rollback() != nil
		known = !broken
		return err
	}
	if err := cn.commit(ctx); err != nil {
		broken, met = true, err
		if c.engine.Classify(err) == Lost {
			return fmt.Errorf("%w: %w", errLostAtCommit, err)
		}
		return err
	}
	tx.committed()
	known = true
	tx.conclude()
	return nil
}

// untilDeadline is ctx with its deadline, but without its end: a change is not given up because who asked for it has
// left.
func untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	free := context.WithoutCancel(ctx)
	if at, ok := ctx.Deadline(); ok {
		return context.WithDeadline(free, at)
	}
	return free, func() {}
}
