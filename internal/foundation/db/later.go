package db

import (
	"context"
	"fmt"
	"slices"
	"time"
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

// Waiting is a statement that goes with the next one: one that was put off by Later, or that begins or ends a
// transaction.
type Waiting struct {
	Text string
	Args []any
}

// maxWaiting bounds what a connection puts off.
const maxWaiting = 100

// putOff is a statement that waits for the next one.
type putOff sent

// exec answers as if it had written a row, which counts as a change until the transaction has ended.
func (p putOff) exec(ctx context.Context, args []any) (int64, error) {
	if p.c.engine.Send == nil {
		st, err := p.c.prepare(ctx, p.text)
		if err != nil {
			return 0, err
		}
		return st.exec(ctx, args)
	}
	p.c.waiting = append(p.c.waiting, Waiting{p.text, args})
	if len(p.c.waiting) >= maxWaiting {
		return 1, p.c.send(ctx)
	}
	return 1, nil
}

// query refuses: rows are not read later.
func (p putOff) query(context.Context, []any) (Result, error) {
	return nil, fmt.Errorf("db: %s is asked for its rows, which Later does not wait for", nameOf(p.text))
}

// sent is a statement that is sent with what waits.
type sent struct {
	c    *conn
	text string
}

func (s sent) exec(ctx context.Context, args []any) (int64, error) {
	return s.c.engine.Send(ctx, s.c.sql, s.c.waited(), &Waiting{s.text, args})
}

func (s sent) query(ctx context.Context, args []any) (Result, error) {
	return s.c.engine.Ask(ctx, s.c.sql, s.c.waited(), Waiting{s.text, args})
}

// waited is what waits, which does so no longer.
func (c *conn) waited() []Waiting {
	waiting := c.waiting
	c.waiting = nil
	return waiting
}

// send sends what waits.
func (c *conn) send(ctx context.Context) error {
	if len(c.waiting) == 0 {
		return nil
	}
	_, err := c.engine.Send(ctx, c.sql, c.waited(), nil)
	return err
}

// commit sends what waits, and ends the transaction.
func (c *conn) commit(ctx context.Context) error { return c.engine.Commit(ctx, c.sql, c.waited()) }

// rollback drops what waits, and ends the transaction.
func (c *conn) rollback() error {
	c.waiting = nil
	return c.exec("rollback")
}

// restingTime is how long a connection that lies idle may keep a snapshot whose end waits. Who is lent the connection
// before sends the end with his own beginning.
const restingTime = 20 * time.Millisecond

// endLater ends a transaction that has only read with what is sent next.
func (c *conn) endLater() { c.waiting = append(c.waiting, Waiting{Text: "rollback"}) }

// settle sends the ends that wait on connections that lie idle.
func (p *pool) settle() {
	p.mu.Lock()
	p.settling = false
	p.mu.Unlock()
	for {
		select {
		case p.size <- struct{}{}:
		default:
			return // all are lent, so none is idle
		}
		c := p.takeResting()
		if c == nil {
			<-p.size
			return
		}
		ctx, stop := context.WithTimeout(context.Background(), endTime)
		err := c.send(ctx)
		stop()
		p.put(c, err != nil, err)
	}
}

// takeResting is a connection that lies idle and has an end that waits; nil where there is none.
func (p *pool) takeResting() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.idle, func(c *conn) bool { return len(c.waiting) > 0 })
	if i < 0 {
		return nil
	}
	c := p.idle[i]
	p.idle = slices.Delete(p.idle, i, i+1)
	return c
}
