package db

import (
	"context"
	"database/sql"
	"sync"
)

// conn is one connection with the statements prepared on it.
type conn struct {
	sql   *sql.Conn
	stmts map[string]*sql.Stmt
}

// maxStatements bounds the prepared statements of one connection; when it is reached all are dropped,
// which costs one preparation each and keeps the bookkeeping trivial.
const maxStatements = 600

func (c *conn) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
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

func (c *conn) close() {
	c.forget()
	c.sql.Close()
}

// pool lends connections, each to one transaction at a time.
type pool struct {
	db   *sql.DB
	size chan struct{} // a token for each connection that may exist
	mu   sync.Mutex
	idle []*conn
}

// spare are the connections of a handle that no pool keeps: what is asked of the handle itself (the horizon, analyze) would
// wait for ever once the pool's own are all in its hands.
const spare = 4

func newPool(d *sql.DB, size int) *pool {
	d.SetMaxOpenConns(size + spare)
	d.SetMaxIdleConns(size + spare)
	return &pool{db: d, size: make(chan struct{}, size)}
}

func (p *pool) get(ctx context.Context) (*conn, error) {
	select {
	case p.size <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
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
	return &conn{sql: c, stmts: map[string]*sql.Stmt{}}, nil
}

// put gives a connection back; a broken one is closed instead.
func (p *pool) put(c *conn, broken bool) {
	if broken {
		c.close()
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, c)
		p.mu.Unlock()
	}
	<-p.size
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
