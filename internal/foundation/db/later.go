package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Later runs fn, whose statements are sent with whatever is sent next, at the latest with the commit: a server is told
// many things in one round trip. It is for writes whose outcome nobody looks at (how many rows there were, or that one
// is taken already): what they meet ends the transaction. Where the engine has no server they are done at once.
func (tx *Tx) Later(fn func() error) error {
	before := tx.later
	tx.later = true
	defer func() { tx.later = before }()
	return fn()
}

// Waiting is a statement that was put off by Later.
type Waiting struct {
	Text string
	Args []any
}

// maxWaiting bounds what a connection puts off.
const maxWaiting = 100

// putOff is a statement that waits for the next one.
type putOff struct {
	c    *conn
	text string
}

// ExecContext answers as if it had written a row, which counts as a change until the transaction has ended.
func (p putOff) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	if p.c.engine.Send == nil {
		st, err := p.c.prepare(ctx, p.text)
		if err != nil {
			return nil, err
		}
		return st.ExecContext(ctx, args...)
	}
	p.c.waiting = append(p.c.waiting, Waiting{p.text, args})
	if len(p.c.waiting) >= maxWaiting {
		return driver.RowsAffected(1), p.c.send(ctx)
	}
	return driver.RowsAffected(1), nil
}

// QueryContext refuses: rows are not read later.
func (p putOff) QueryContext(context.Context, ...any) (*sql.Rows, error) {
	return nil, fmt.Errorf("db: %s is asked for its rows, which Later does not wait for", nameOf(p.text))
}

// send sends what waits.
func (c *conn) send(ctx context.Context) error {
	if len(c.waiting) == 0 {
		return nil
	}
	waiting := c.waiting
	c.waiting = nil
	return c.unawaited(c.engine.Send(ctx, c.sql, waiting))
}

// commit sends what waits, and ends the transaction.
func (c *conn) commit(ctx context.Context) error {
	waiting := c.waiting
	c.waiting = nil
	return c.unawaited(c.engine.Commit(ctx, c.sql, waiting))
}

// rollback drops what waits, and ends the transaction.
func (c *conn) rollback() error {
	c.waiting = nil
	return c.exec("rollback")
}

// unawaited is an error that nobody expects where it comes up: that a row is taken is said of another statement.
func (c *conn) unawaited(err error) error {
	if err != nil && c.engine.Classify(err) == NotUnique {
		return errors.New(err.Error())
	}
	return err
}
