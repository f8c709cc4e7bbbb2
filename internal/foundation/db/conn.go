package db

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// conn is one connection with the statements prepared on it.
type conn struct {
	sql     *sql.Conn
	engine  *Engine
	stmts   map[string]*sql.Stmt // where there is no server
	waiting []Waiting            // for what is sent next: see Tx.Later and endLater
	since   time.Time            // lies idle
}

// statement is one that is ready to run.
type statement interface {
	// exec reports how many rows there were.
	exec(ctx context.Context, args []any) (int64, error)
	query(ctx context.Context, args []any) (Result, error)
}

// prepared is a statement where there is no server.
type prepared struct{ *sql.Stmt }

func (p prepared) exec(ctx context.Context, args []any) (int64, error) {
	res, err := p.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (p prepared) query(ctx context.Context, args []any) (Result, error) {
	return p.QueryContext(ctx, args...)
}

// MaxStatements bounds the prepared statements of one connection; when it is reached all are dropped,
// which costs one preparation each and keeps the bookkeeping trivial.
const MaxStatements = 600

func (c *conn) prepare(ctx context.Context, text string) (statement, error) {
	if c.engine.Send != nil {
		return sent{c, text}, nil
	}
	if st, ok := c.stmts[text]; ok {
		return prepared{st}, nil
	}
	if len(c.stmts) >= MaxStatements {
		c.forget()
	}
	st, err := c.sql.PrepareContext(ctx, text)
	if err != nil {
		return nil, wrap(text, err)
	}
	c.stmts[text] = st
	return prepared{st}, nil
}

func (c *conn) forget() {
	for _, st := range c.stmts {
		st.Close()
	}
	clear(c.stmts)
}

// close ends the connection for good. A handle would keep it, and a server that is silent would be waited for, for each
// of its statements.
func (c *conn) close() {
	if discard := c.engine.Discard; discard != nil {
		discard(c.sql)
	}
	c.forget()
	c.sql.Close()
}

func (c *conn) clean() bool {
	return c.engine.Clean == nil || c.engine.Clean(c.sql, len(c.waiting) > 0)
}

// pool lends connections, each to one transaction at a time.
type pool struct {
	db      *sql.DB
	engine  *Engine
	size    chan struct{} // a token for each connection that may exist
	waiting atomic.Int64  // who asks for a place
	// extra has a place for each connection beyond the first of all pools that share it; nil where they need not count
	// them.
	extra chan struct{}

	mu       sync.Mutex
	idle     []*conn
	made     int          // connections that are open, lent or not
	queue    []chan *conn // who waits for one that is lent, as no more may be opened
	settling bool         // settle will come
}

// newPools are pools of these sizes on one handle. A pool keeps its connections, so nothing may be asked of the handle
// itself:
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
	for {
		c, wait := p.take()
		if wait != nil {
			select {
			case c = <-wait:
			case <-ctx.Done():
				p.leave(wait)
				<-p.size
				return nil, ctx.Err()
			}
			if c == nil {
				continue // a place has become free
			}
		}
		if c != nil {
			return c, nil
		}
		c, err := p.connect(ctx)
		if err != nil {
			p.unmade(1)
			<-p.size
		}
		return c, err
	}
}

// take is a connection that lies idle; where one may be opened there is neither one nor anything to wait for.
func (p *pool) take() (*conn, chan *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	if p.extra != nil && p.made > 0 {
		select {
		case p.extra <- struct{}{}:
		default:
			wait := make(chan *conn, 1)
			p.queue = append(p.queue, wait)
			return nil, wait
		}
	}
	p.made++
	return nil, nil
}

// leave takes somebody out of the queue who waits no longer, and hands on what he was given meanwhile.
func (p *pool) leave(wait chan *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.queue, wait); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		return
	}
	p.hand(<-wait)
}

// hand gives a connection to who waits first, or nil where he may open one; it keeps one that nobody waits for. The
// caller has the lock.
func (p *pool) hand(c *conn) {
	if len(p.queue) > 0 {
		p.queue[0] <- c
		p.queue = p.queue[1:]
	} else if c != nil {
		c.since = time.Now()
		p.idle = append(p.idle, c)
		if len(c.waiting) > 0 && !p.settling {
			p.settling = true
			time.AfterFunc(restingTime, p.settle)
		}
	}
}

// rest closes the connections that were given back before then and not lent since, but the last one.
func (p *pool) rest(before time.Time) {
	p.mu.Lock()
	n := 0 // the newest are lent first, so the oldest lie at the front
	for n < len(p.idle)-1 && p.idle[n].since.Before(before) {
		n++
	}
	gone := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	p.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
	p.unmade(n)
}

func (p *pool) connect(ctx context.Context) (*conn, error) {
	c, err := p.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{sql: c, engine: p.engine, stmts: map[string]*sql.Stmt{}}, nil
}

// unmade counts connections that are open no more, and lets somebody who waits open another.
func (p *pool) unmade(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range n {
		if p.made--; p.extra != nil && p.made > 0 {
			<-p.extra
		}
		p.hand(nil)
	}
}

// crowded reports whether few more connections may be opened, so that none should lie idle beside another.
func (p *pool) crowded() bool { return p.extra != nil && 4*len(p.extra) > 3*cap(p.extra) }

// put gives a connection back, which is kept only in a known clean state. One that failed as it was used for err is
// closed, and with it those that lie idle where it was lost: what broke one, such as a server that was started anew, or
// is no longer the one that takes changes, has mostly broken all of them, and whoever tries again shall not meet the
// next.
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
	if gone == nil && p.crowded() && len(p.queue) == 0 && len(p.idle) > 0 {
		gone = append(gone, c)
	}
	if gone == nil {
		p.hand(c)
	}
	p.mu.Unlock()
	for _, c := range gone {
		c.close()
	}
	p.unmade(len(gone))
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
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
	p.unmade(len(idle))
	return p.db.Close()
}
