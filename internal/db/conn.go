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

// newPools are pools of these sizes on one handle. A pool keeps its connections, so nothing may be asked of the handle itself:
// once they are all in the pools' hands it would wait for ever.
func newPools(d *sql.DB, sizes ...int) []*pool {
	pools, all := make([]*pool, len(sizes)), 0
	for i, n := range sizes {
		pools[i] = &pool{db: d, size: make(chan struct{}, n)}
		all += n
	}
	d.SetMaxOpenConns(all)
	d.SetMaxIdleConns(all)
	return pools
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

// put gives a connection back. A broken one is closed instead, and with it those that lie idle: what broke one, such as a
// server that was started anew, has mostly broken all of them, and whoever tries again shall not meet the next.
func (p *pool) put(c *conn, broken bool) {
	p.mu.Lock()
	if broken {
		c.close()
		p.drop()
	} else {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	<-p.size
}

func (p *pool) drop() {
	for _, c := range p.idle {
		c.close()
	}
	p.idle = nil
}

// lend runs fn on a connection of the pool, which is not used again when fn fails.
func (p *pool) lend(ctx context.Context, fn func(*conn) error) error {
	c, err := p.get(ctx)
	if err != nil {
		return err
	}
	err = fn(c)
	p.put(c, err != nil)
	return err
}

func (p *pool) close() error {
	p.mu.Lock()
	p.drop()
	p.mu.Unlock()
	return p.db.Close()
}
