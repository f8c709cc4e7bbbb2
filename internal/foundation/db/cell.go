package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/ago"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// cell is where a company's data lives: a SQLite file of its own, or a PostgreSQL database shared by many.
type cell struct {
	store  *Store
	engine *Engine
	target string

	readers *pool
	writers *pool // PostgreSQL: many; SQLite: the one connection the writer goroutine owns
	owner   *pool // PostgreSQL: numbers, which are drawn outside a transaction, and the planner's figures
	watch   *pool // PostgreSQL: the horizon, which nobody who waits for a number may hold up

	company   string // on files; "" of the control database
	starting  sync.Mutex
	writing   atomic.Bool // the writer works: it begins with the first change
	jobs      chan *job
	stopped   chan struct{}
	moved     bool // the transaction of the one writer has written the company's facts or epoch; the writer's own
	standing  standing
	lastStamp atomic.Int64
	dueMu     sync.Mutex // on files: held from what is noted in the index of what is due until the commit stands

	parsed sync.Map // query text -> *parsed
	texts  sync.Map // rowsKey -> string
	types  sync.Map // table -> the types of its columns, see Engine.Columns

	infoMu sync.RWMutex
	infos  map[string]known

	opening uint64 // of this cell, among all of the store
	// invalid are the counters that the open transaction of the one writer will move; the writer's own.
	invalid map[*atomic.Uint64]struct{}

	users    atomic.Int64 // transactions under way; below 0 it is closed
	lastUsed ago.Moment
}

type known struct {
	epoch int64
	info  CompanyInfo
}

func (c *cell) parse(query string) *parsed {
	if p, ok := c.parsed.Load(query); ok {
		return p.(*parsed)
	}
	p := parse(query, c.engine)
	c.parsed.Store(query, p)
	return p
}

// nextStamp is the clock of the one writer: it never stands still and never goes back.
func (c *cell) nextStamp() Time {
	now := time.Now().UnixMicro()
	for {
		last := c.lastStamp.Load()
		next := max(now, last+1)
		if c.lastStamp.CompareAndSwap(last, next) {
			return Time(next)
		}
	}
}

// tx prepares a transaction on a connection; it begins with its first statement.
func (c *cell) tx(ctx context.Context, r Request, cn *conn, write bool) *Tx {
	tx := &Tx{Request: r, Control: r.Company == "", ctx: ctx, cell: c, conn: cn, write: write}
	if v := c.store.counters; r.Company != "" {
		if !write {
			tx.seen = v.Of(r.Company, commits)
		}
		if ref := r.partyRef(); ref.Key != "" {
			tx.party = v.Mark(r.Company, ref.Resource, ref.Key)
		}
	}
	if tx.dated = tx.Now != 0; !tx.dated {
		tx.Now = TimeOf(c.store.clock())
	}
	switch {
	case c.engine.OneWriter: // there is nothing to catch up with
		tx.Caught.ok = tx.Caught.ok || tx.Catches
		tx.Catches = false
	case !write:
		tx.Catches = false
	}
	return tx
}

func (tx *Tx) begin() error {
	var b Begun
	var err error
	looks, sent := tx.Catches && tx.cell.store.caches, time.Now()
	if begin := tx.cell.engine.Begin; begin != nil {
		b, err = begin(tx.ctx, tx.conn.sql, Beginning{tx.Company, tx.write, looks})
	} else {
		err = tx.conn.exec("begin")
	}
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx.conn.waiting = append(tx.conn.waiting, b.First...)
	tx.begun, tx.light, tx.clock = true, len(b.First) > 0, b.Clock
	switch {
	case b.ID != 0:
		tx.ends = tx.cell.store.others.begins(b.ID)
	case tx.write && !tx.OneWriter(): // its commit would pass for another process's
		return errors.New("begin: the server has not named the transaction")
	}
	if looks {
		tx.Caught = tx.cell.store.catchAt(tx.ctx, tx.Company, b.Ended)
	}
	if tx.clock == 0 {
		tx.clock = TimeOf(time.Now())
	} else if tx.cell.store.opt.Clock == nil {
		tx.cell.store.follow(b.Now, sent)
		if !tx.dated {
			tx.Now = b.Now // as the stamps: who was first by the one was first by the other, unless it was put back
		}
	}
	return nil
}

// ErrNotHere is behind the refusal of a company that the control data knows and whose cell holds not even its own
// facts.
var ErrNotHere = errors.New("the cell holds no rows of the company")

// introduce fills in the company's facts, from memory while its epoch stands.
func (tx *Tx) introduce() error {
	if tx.Control || tx.recognize() {
		return nil
	}
	if tx.Catches {
		if err := tx.begin(); err != nil {
			return err
		}
	}
	if known, err := tx.presume(); known || err != nil {
		return err
	}
	c := tx.cell
	seen := c.standing.seen() // before the snapshot
	if _, err := tx.One(`-- db.introduce
		select epoch from company_state where company = :company`, nil, &tx.Epoch); err != nil {
		return err
	}
	c.infoMu.RLock()
	k, ok := c.infos[tx.Company]
	c.infoMu.RUnlock()
	if ok && k.epoch == tx.Epoch {
		tx.Info = k.info
		tx.share(seen)
		return nil
	}
	info := CompanyInfo{ID: tx.Company, Zone: time.UTC}
	found, err := tx.One(`-- db.introduce facts
		select code, name, currency, country, time_zone, environment from company_state where company = :company`, nil,
		&info.Code, &info.Name, &info.Currency, &info.Country, &info.TimeZone, &info.Environment)
	if err != nil {
		return err
	}
	if !found && tx.founding {
		return nil
	}
	if !found {
		return fault.ErrUnavailable.Because("the company's data is not here at the moment").From(ErrNotHere)
	}
	if z, err := time.LoadLocation(info.TimeZone); err == nil {
		info.Zone = z
	}
	if !tx.write { // what is not committed yet must not be remembered
		c.infoMu.Lock()
		c.infos[tx.Company] = known{tx.Epoch, info}
		c.infoMu.Unlock()
	}
	tx.Info = info
	tx.share(seen)
	return nil
}

// call runs fn, as the whole of a transaction.
func call(tx *Tx, fn func(*Tx) error) error {
	err := guarded(func() error {
		if err := tx.introduce(); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		return tx.finish()
	})
	if err != nil {
		return err
	}
	return tx.unmet()
}

// guarded runs fn; a panic becomes an error, so that one operation never takes the others down, and a number that grew
// too long a refusal, whether it is told of by a panic or by an error.
func guarded(fn func() error) error {
	err := fault.Guard(fn)
	if errors.Is(err, dec.ErrRange) {
		return fault.As(err)
	}
	return err
}

// read runs fn in a snapshot.
func (c *cell) read(ctx context.Context, r Request, fn func(*Tx) error) error {
	var seen committed
	if r.AsksCommitted && c.engine.Horizon != nil {
		// Before the snapshot: what a writer commits between the two is seen by it or stamped after the horizon.
		var err error
		if seen, err = c.committed(ctx, r); err != nil {
			return err
		}
	}
	cn, err := c.readers.get(ctx)
	if err != nil {
		return err
	}
	tx := c.reading(ctx, r, cn, seen)
	err = call(tx, fn)
	broken := tx.end()
	if !broken && (tx.moved || err == nil && !r.Once && c.store.repeats()) {
		tx = c.reading(ctx, r, cn, seen)
		tx.doubtful = true
		err = call(tx, fn)
		broken = tx.end()
	}
	c.readers.put(cn, broken, err)
	if err == nil {
		tx.afterwards()
	}
	return err
}

// reading is a transaction that reads. An interrupted statement of SQLite costs more than it saves, and a goroutine
// each.
func (c *cell) reading(ctx context.Context, r Request, cn *conn, seen committed) *Tx {
	if !c.engine.OneWriter {
		tx := c.tx(ctx, r, cn, false)
		tx.before = seen
		return tx
	}
	tx := c.tx(context.WithoutCancel(ctx), r, cn, false)
	tx.asker = ctx
	return tx
}

// end gives the snapshot back, and reports whether the connection is of no more use.
func (tx *Tx) end() (broken bool) {
	if tx.begun && tx.light {
		tx.conn.endLater()
		return false
	}
	return tx.begun && tx.conn.exec("rollback") != nil
}

// endTime bounds the end of a transaction, which is not of the request's time.
const endTime = 5 * time.Second

func (c *conn) exec(text string) error {
	ctx := context.Background()
	if c.engine.Discard != nil {
		limited, stop := context.WithTimeout(ctx, endTime)
		defer stop()
		ctx = limited
	}
	st, err := c.prepare(ctx, text)
	if err != nil {
		return err
	}
	_, err = st.exec(ctx, nil)
	return err
}

// committed drops what was kept of the records this transaction changed, before anybody else commits or hears of it.
func (tx *Tx) committed() {
	tx.cell.store.growth.wrote.Store(true)
	if v := tx.cell.store.counters; v != nil {
		if tx.stirred {
			v.Counter(tx.Company, commits, "").Add(1)
			v.Counter(tx.Company, epochs, "").Add(1)
		}
		v.bump(tx.Company, tx.touched)
		tx.moveTables(v)
	}
	for i := range tx.written {
		tx.written[i].found(tx)
	}
}

// conclude runs the after-effects of a commit, before who asked for it is answered.
func (tx *Tx) conclude() {
	for i := range tx.written {
		w := &tx.written[i]
		tx.cell.cachePut(tx.Company, w.name, w.cached)
	}
	for _, c := range tx.counts {
		tx.cell.store.counts.add(c.name, c.n)
	}
	tx.afterwards()
	if tx.loud {
		tx.cell.store.tell(tx.Company)
		tx.cell.store.news.add(tx.Company)
	}
}

// afterwards runs what Done was given.
func (tx *Tx) afterwards() {
	for _, fn := range tx.after {
		fn()
	}
}

func (c *cell) close() error {
	if c.writing.Load() {
		close(c.jobs)
		<-c.stopped
	}
	var errs []error
	for _, p := range []*pool{c.readers, c.writers, c.owner, c.watch} {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}
