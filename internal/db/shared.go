package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kontor/internal/fault"
)

// maxTries is how often work is run again after a deadlock, a serialization failure or a lost connection.
const maxTries = 6

var errLostAtCommit = errors.New("db: the connection was lost at COMMIT")

// writeShared runs fn in a transaction of an engine with many writers, and again where the engine asks for it.
func (c *cell) writeShared(ctx context.Context, r Request, fn func(*Tx) error) error {
	ctx = context.WithoutCancel(ctx)
	for try := 1; ; try++ {
		err := c.tryShared(ctx, r, fn)
		if err == nil {
			return nil
		}
		var refusal *fault.Fault
		if errors.As(err, &refusal) {
			return err // whoever refused knows more than the engine's error behind it says
		}
		failure := c.engine.Classify(err)
		switch {
		case errors.Is(err, errLostAtCommit) && !r.Replayable:
			f := fault.ErrUnavailable.Because("the database went away while the change was being confirmed; read the record to see whether it was made")
			f.RetryAfterSeconds = 2
			return f.From(err)
		case failure == Retry || failure == Lost || errors.Is(err, errLostAtCommit):
			if try < maxTries {
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
	err = call(tx, fn)
	broken := false
	defer func() { c.writers.put(cn, broken) }()
	if !tx.begun {
		broken = err != nil && c.engine.Classify(err) == Lost // a dead connection that is kept fails everybody after us
		return err
	}
	if err != nil {
		rerr := cn.exec("rollback")
		broken = rerr != nil
		return err
	}
	if err := c.engine.Commit(ctx, cn.sql); err != nil {
		broken = true
		if c.engine.Classify(err) == Lost {
			return fmt.Errorf("%w: %w", errLostAtCommit, err)
		}
		return err
	}
	tx.committed()
	tx.conclude()
	return nil
}
