package db

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
)

// conn is one connection with the statements prepared on it.
type conn struct {
	sql        *sql.Conn
	engine     *Engine
	unprepared bool
	stmts      map[string]*sql.Stmt
}

// statement is one that is ready to run, prepared or as its text.
type statement interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
}

// unprepared is a statement that is sent as its text each time.
type unprepared struct {
	c    *sql.Conn
	text string
}

func (p unprepared) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return p.c.ExecContext(ctx, p.text, args...)
}

func (p unprepared) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return p.c.QueryContext(ctx, p.text, args...)
}

// maxStatements bounds the prepared statements of one connection; when it is reached all are dropped,
// which costs one preparation each and keeps the bookkeeping trivial.
const maxStatements = 600

func (c *conn) prepare(ctx context.Context, text string) (statement, error) {
	if c.unprepared {
		return unprepared{c.sql, text}, nil
	}
	if st, ok := c.stmts[text]; ok {
		return st, nil
	}
	if len(c.stmts) >= maxStatements {
		c.forget()
	}
	st, err := c.sql.PrepareContext(ctx, text)
	if err != nil {
		return nil, wrap(text, err)
	}
	c.stmts[text] = st
	return st, nil
}

func (c *conn) forget() {
	for _, st := range c.stmts {
		st.Close()
	}
	clear(c.stmts)
}

// close ends the connection for good. A handle would keep it, and a server that is silent would be waited for, for each of its statements.
func (c *conn) close() {
	if discard := c.engine.Discard; discard != nil {
		discard(c.sql)
	}
	c.forget()
	c.sql.Close()
}

func (c *conn) clean() bool { return c.engine.Clean == nil || c.engine.Clean(c.sql) }

// pool lends connections, each to one transaction at a time.
type pool struct {
	db      *sql.DB
	engine  *Engine
	size    chan struct{} // a token for each connection that may exist
	waiting atomic.Int64  // who asks for a place
	mu      sync.Mutex
	idle    []*conn
}

// newPools are pools of these sizes on one handle. A pool keeps its connections, so nothing may be asked of the handle itself:
// once they are all in the pools' hands it would wait for ever.
func newPools(d *sql.DB, e *Engine, sizes ...int) []*pool {
	pools, all := make([]*pool, len(sizes)), 0
	for i, n := range sizes {
		pools[i] = &pool{db: d, engine: e, size: make(chan struct{}, n)}
		all += n
	}
	d.SetMaxOpenConns(all)
	d.SetMaxIdleConns(all)
	return pools
}

func (p *pool) get(ctx context.Context) (*conn, error) {
	if err := p.place(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.db.Conn(ctx)
	if err != nil {
		<-p.size
		return nil, err
	}
	unprepared := p.engine.Unprepared != nil && p.engine.Unprepared(c)
	return &conn{sql: c, engine: p.engine, unprepared: unprepared, stmts: map[string]*sql.Stmt{}}, nil
}

// put gives a connection back, which is kept only in a known clean state. One that failed as it was used for err is closed, and with it
// those that lie idle where it was lost: what broke one, such as a server that was started anew, or is no longer the one that takes
// changes, has mostly broken all of them, and whoever tries again shall not meet the next.
func (p *pool) put(c *conn, broken bool, err error) {
	lost := err != nil && p.engine.Classify(err) == Lost
	var gone []*conn
	if broken || lost || !c.clean() {
		gone = append(gone, c)
	}
	p.mu.Lock()
	if lost {
		gone = append(gone, p.idle...)
		p.idle = nil
	}
	if gone == nil {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
	<-p.size
}

// lend runs fn on a connection of the pool, which is not used again when fn fails.
func (p *pool) lend(ctx context.Context, fn func(*conn) error) error {
	c, err := p.get(ctx)
	if err != nil {
		return err
	}
	err = fn(c)
	p.put(c, err != nil, err)
	return err
}

func (p *pool) close() error {
	p.mu.Lock()
	for _, c := range p.idle {
		c.close()
	}
	p.idle = nil
	p.mu.Unlock()
	return p.db.Close()
}
