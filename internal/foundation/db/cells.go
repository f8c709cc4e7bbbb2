package db

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/fault"
)

// cells are the companies' files that are open. A company that is asked for is found without a lock; opening and
// closing one file keeps nobody waiting who wants another.
type cells struct {
	byCompany sync.Map      // company -> *cell
	places    chan struct{} // one for each open company
	extra     chan struct{} // one for each connection that reads beyond a company's first
	evicted   atomic.Uint64
	resting   sync.Map // companies that nobody may work on: see Quiesce
	rests     atomic.Int64

	mu   sync.Mutex
	busy map[string]chan struct{} // being opened or closed; closed when that is done
}

// What there is room for where nothing else is said, and how long somebody waits for room among companies that are all
// in use.
const (
	usualOpen  = 64
	usualExtra = 64
	roomTime   = 5 * time.Second
)

func newCells(opt Options) cells {
	return cells{places: make(chan struct{}, cmp.Or(opt.OpenCompanies, usualOpen)),
		extra: make(chan struct{}, cmp.Or(opt.ExtraReaders, usualExtra)), busy: map[string]chan struct{}{}}
}

// all are those that are open now.
func (o *cells) all() (open []*cell) {
	o.byCompany.Range(func(_, c any) bool { open = append(open, c.(*cell)); return true })
	return open
}

// use counts one more user, unless the cell is closed.
func (c *cell) use() bool {
	for {
		n := c.users.Load()
		if n < 0 {
			return false
		}
		if c.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (c *cell) release() { c.users.Add(-1) }

// closedFor is what users of a closed cell stand at.
const closedFor = -1 << 40

// cell finds the open cell of a company, opening its file on demand, and counts one more user of it.
func (s *Store) cell(ctx context.Context, company string) (*cell, error) {
	if company == "" {
		return nil, errors.New("db: company data asked for without a company")
	}
	c, err := s.found(ctx, company)
	if err != nil {
		return nil, err
	}
	if s.open.rests.Load() > 0 { // looked at as a user: who lets a company rest waits for its users afterwards
		if _, rests := s.open.resting.Load(company); rests {
			c.release()
			f := fault.ErrUnavailable.Because("the company's data is being restored or moved; try again in a moment")
			f.RetryAfterSeconds = 5
			return nil, f
		}
	}
	return c, nil
}

func (s *Store) found(ctx context.Context, company string) (*cell, error) {
	if c := s.shared; c != nil {
		c.users.Add(1)
		return c, nil
	}
	for {
		if c, ok := s.open.byCompany.Load(company); ok && c.(*cell).use() {
			c.(*cell).lastUsed.Set(time.Now())
			return c.(*cell), nil
		}
		if err := s.openOnce(ctx, company); err != nil {
			return nil, err
		}
	}
}

// openOnce opens a company's file, or waits while somebody else opens or closes it.
func (s *Store) openOnce(ctx context.Context, company string) error {
	done, wait := s.open.begin(company)
	if wait != nil {
		select {
		case <-wait:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer done()
	if c, ok := s.open.byCompany.Load(company); ok && c.(*cell).users.Load() >= 0 {
		return nil // opened since it was looked for
	}
	if _, rests := s.open.resting.Load(company); rests {
		return fault.ErrUnavailable.Because("the company's data is being restored or moved; try again in a moment")
	}
	if err := s.makeRoom(ctx); err != nil {
		return err
	}
	c, err := s.openCompany(ctx, company)
	if err != nil {
		<-s.open.places
		return unreadable(err)
	}
	c.lastUsed.Set(time.Now())
	s.open.byCompany.Store(company, c)
	return nil
}

// unreadable is the refusal of work on a company whose file cannot be opened. Others go on.
func unreadable(err error) error {
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	f := fault.ErrUnavailable.Because("the company's data cannot be read at the moment")
	f.RetryAfterSeconds = 5
	return f.From(err)
}

// begin makes the company's file the caller's to open or close, until done is called, or answers what to wait for.
func (o *cells) begin(company string) (done func(), wait <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if other, ok := o.busy[company]; ok {
		return nil, other
	}
	mine := make(chan struct{})
	o.busy[company] = mine
	return func() {
		o.mu.Lock()
		delete(o.busy, company)
		o.mu.Unlock()
		close(mine)
	}, nil
}

// makeRoom takes a place for one more open company. Where there is none the company that was used the longest ago is
// closed; where all are in use it waits for one, within limits.
func (s *Store) makeRoom(ctx context.Context) error {
	for start := time.Now(); ; {
		select {
		case s.open.places <- struct{}{}:
			return nil
		default:
		}
		if s.closeOldest() {
			continue
		}
		if time.Since(start) > roomTime {
			f := fault.ErrUnavailable.Because("too many companies are at work at once; try again in a moment")
			f.RetryAfterSeconds = 2
			return f
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// closeOldest closes the company that was used the longest ago and that nobody uses; false where there is none.
func (s *Store) closeOldest() bool {
	all := s.open.all()
	slices.SortFunc(all, func(a, b *cell) int { return a.lastUsed.Time().Compare(b.lastUsed.Time()) })
	for _, c := range all {
		if closed, _ := s.closeUnused(c); closed {
			s.open.evicted.Add(1)
			return true
		}
	}
	return false
}

// closeUnused closes a company's file, unless somebody uses it, or opens or closes it already.
func (s *Store) closeUnused(c *cell) (closed bool, err error) {
	if c.users.Load() != 0 {
		return false, nil
	}
	done, wait := s.open.begin(c.company)
	if wait != nil {
		return false, nil
	}
	defer done()
	if !c.users.CompareAndSwap(0, closedFor) {
		return false, nil
	}
	for _, fn := range s.closings {
		fn(c.company)
	}
	err = c.close()
	s.open.byCompany.CompareAndDelete(c.company, c)
	<-s.open.places
	s.dropCached(c)
	s.freed.Store(true)
	return true, err
}

// shut waits for the users of a company's file and closes it.
func (s *Store) shut(ctx context.Context, c *cell) error {
	for {
		closed, err := s.closeUnused(c)
		if closed || c.users.Load() < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// OnClose subscribes fn to the closing of companies' files: what is kept in memory of one may go. It is called while
// the house is put together; fn must not use the company.
func (s *Store) OnClose(fn func(company string)) { s.closings = append(s.closings, fn) }

// Quiesce waits for the company's work under way, closes its file and refuses new work (503) until resume
// is called.
func (s *Store) Quiesce(ctx context.Context, company string) (resume func(), err error) {
	s.open.resting.Store(company, true)
	s.open.rests.Add(1)
	s.counters.Counter(company, everything, "").Add(1) // other data may stand here afterwards
	resume = sync.OnceFunc(func() { s.open.resting.Delete(company); s.open.rests.Add(-1) })
	for { // who is about to open it has looked before it rested; who comes later is refused
		done, wait := s.open.begin(company)
		if wait == nil {
			done()
			break
		}
		select {
		case <-wait:
		case <-ctx.Done():
			resume()
			return nil, ctx.Err()
		}
	}
	c, ok := s.open.byCompany.Load(company)
	if !ok {
		return resume, nil
	}
	if err := s.shut(ctx, c.(*cell)); err != nil {
		resume()
		return nil, err
	}
	return resume, nil
}

func (s *Store) openCompany(ctx context.Context, company string) (*cell, error) {
	path, err := s.companyPath(company)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fault.ErrUnavailable.Because("the company's data is not here at the moment").From(err)
	}
	c, err := s.openCell(path, company)
	if err != nil {
		return nil, err
	}
	if err := s.upToDate(ctx, c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// upToDate brings a file's schema forward, which is told by one word in its first page.
func (s *Store) upToDate(ctx context.Context, c *cell) error {
	if s.opt.Steps[CellSchema] != nil {
		return s.migrate(ctx, c.target, CellSchema)
	}
	marked := false
	err := c.readers.lend(ctx, func(cn *conn) (err error) {
		marked, err = isMarked(ctx, s.opt.Engine, cn.sql, CellSchema)
		return err
	})
	if err != nil || marked {
		return err
	}
	return Migrate(ctx, s.opt.Engine, c.target, CellSchema)
}

// stands reports whether the schemas are up to date, on a connection that is kept: one for the question alone costs
// more than the question.
func (c *cell) stands(ctx context.Context, schemas ...Schema) bool {
	stands := true
	err := c.readers.lend(ctx, func(cn *conn) error {
		tx, err := cn.sql.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, c.engine.AsOwner); err != nil {
			return err
		}
		for _, schema := range schemas {
			have, err := progress(ctx, tx, schema)
			if err != nil {
				return err
			}
			stands = stands && have.stands()
		}
		return nil
	})
	return err == nil && stands
}

// closeIdle closes files and connections that nobody used for a while, and gives back the memory of files that were
// closed.
func (s *Store) closeIdle() {
	tick := time.NewTicker(min(s.opt.IdleClose/4, givesBack))
	defer tick.Stop()
	for {
		select {
		case <-s.closed:
			return
		case <-tick.C:
		}
		before := time.Now().Add(-s.opt.IdleClose)
		for _, c := range s.open.all() {
			if c.lastUsed.Time().Before(before) {
				s.closeUnused(c)
			}
		}
		s.restPools()
		s.giveBack()
	}
}

// giveBack lets the system have the memory of files that were closed.
func (s *Store) giveBack() {
	if s.freed.Swap(false) && s.opt.Engine.GiveBack != nil {
		s.opt.Engine.GiveBack()
	}
}

// GiveBack drops all that may be dropped, since hardly anybody asks any more: what is cached, and files that nobody
// uses at this moment. Who comes next waits some milliseconds for them.
func (s *Store) GiveBack() {
	for _, c := range s.open.all() {
		s.closeUnused(c)
	}
	s.cache.InvalidateAll()
	s.giveBack()
}

// restPools closes connections that have lain idle. Who looks for them is no user: a cell that is being closed has none
// to lose.
func (s *Store) restPools() {
	before := time.Now().Add(-connectionIdle)
	for _, c := range append(s.open.all(), s.control) {
		if !c.use() {
			continue
		}
		for _, p := range []*pool{c.readers, c.writers, c.owner, c.watch} {
			if p != nil {
				p.rest(before)
			}
		}
		c.release()
	}
}

// connectionIdle is how long a connection that nobody needs stays open, beside the first of its pool.
const connectionIdle = time.Minute

// givesBack is how often the memory of closed files goes back to the system.
const givesBack = 5 * time.Second
