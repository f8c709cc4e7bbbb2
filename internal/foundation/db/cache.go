package db

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// Ref names what a cached value was made of: the record of a resource with this business key, folded, or with ""
// all of its records.
type Ref struct{ Resource, Key string }

// Dependencies is what a cached value stands on: the counters of what it was made of, as they were when it was
// read, and the time it holds for. The zero Dependencies are unknown: a value with them is not cached.
type Dependencies struct {
	shared, own   []Mark // shared by the values of one reading
	opens, closes Time   // closes 0 = never
	cacheable     bool
	seen          *seen // how it came to be, where there are doubts
}

// IsCacheable reports whether anything may be cached on it.
func (g Dependencies) IsCacheable() bool { return g.cacheable }

// Stand reports whether nothing that the value was made of has changed since, at this moment.
func (g Dependencies) Stand(now Time) bool {
	if !g.cacheable || now < g.opens || g.closes != 0 && g.closes <= now {
		return false
	}
	return Unmoved(g.shared) && Unmoved(g.own)
}

// Within are the dependencies of a value that holds only between two moments; 0 is open.
func (g Dependencies) Within(opens, closes Time) Dependencies {
	g.opens = max(g.opens, opens)
	if closes != 0 && (g.closes == 0 || closes < g.closes) {
		g.closes = closes
	}
	return g
}

// And are the dependencies of a value that was made of another's as well.
func (g Dependencies) And(other Dependencies) Dependencies {
	g.cacheable = g.cacheable && other.cacheable
	own := append(make([]Mark, 0, len(g.own)+len(other.own)+len(other.shared)), g.own...)
	own = append(own, other.own...)
	if !slices.Equal(g.shared, other.shared) {
		own = append(own, other.shared...)
	}
	g.own = own
	g.seen = g.seen.and(other.seen)
	return g.Within(other.opens, other.closes)
}

// With are the dependencies of a value that was made of these as well.
func (g Dependencies) With(tx *Tx, refs ...Ref) Dependencies {
	if !g.cacheable {
		return g
	}
	own := make([]Mark, 0, len(g.own)+len(refs))
	g.own = tx.marks(append(own, g.own...), refs)
	g.seen = g.seen.with(refs)
	return g
}

// OnCounter are the dependencies of a value that stands only while somebody else's counter does, which stood at at.
func (g Dependencies) OnCounter(c *atomic.Uint64, at uint64) Dependencies {
	g.own = append(append(make([]Mark, 0, len(g.own)+1), g.own...), Mark{c, at})
	return g
}

// DependsOnMarks are the dependencies of a value that was made of what these marks were taken of.
func DependsOnMarks(marks []Mark) Dependencies { return Dependencies{own: marks, cacheable: true} }

// epochs is the key under which Versions counts the commits that moved a company's epoch.
const epochs = "\x00epochs"

// DependsOn is where a value that this transaction makes of some records will stand. Take it before they are read. It
// stands on the company's reference data as well.
func (tx *Tx) DependsOn(refs ...Ref) Dependencies {
	if !tx.cell.store.caches || tx.counters() == nil {
		return Dependencies{}
	}
	all := tx.marks(make([]Mark, 0, len(refs)+2), refs)
	return Dependencies{shared: append(all, tx.mark(epochs, ""), tx.mark(everything, "")), cacheable: true, seen: tx.sees(refs)}
}

func (tx *Tx) marks(out []Mark, refs []Ref) []Mark {
	for _, r := range refs {
		out = append(out, tx.mark(r.Resource, r.Key))
	}
	return out
}

func (tx *Tx) mark(resource, key string) Mark { return tx.counters().Mark(tx.Company, resource, key) }

// cache is all that may be gone at any moment, of all cells, weighed together: values of rooms and encoded answers with
// their dependencies, and what is found out to be true by who finds it.
//
// It names no type of the library, which every package that sees a Store would compile anew.
type cache interface {
	Set(cacheKey, cached) (cached, bool)
	GetIfPresent(cacheKey) (cached, bool)
	Keys() iter.Seq[cacheKey]
	Invalidate(cacheKey) (cached, bool)
	InvalidateAll()
	WeightedSize() uint64
}

// leastCache is room for what proves itself (reference data, totals of lists) where nothing else is cached.
const leastCache = 4 << 20

// cacheKey names a value. What was cached of a cell is not found again once the cell was closed: others may have
// written it.
type cacheKey struct {
	opening       uint64
	company, name string
}

type cached struct {
	depends Dependencies
	value   any
	weight  uint32
}

// forever is longer than anything is cached.
const forever = 1000 * time.Hour

// newCache is a cache of so many bytes. What holds until a moment by the clock is thrown out then: most of what a store
// answers holds for a second, and would lie there until it is the oldest.
func newCache(bytes int64, now func() Time) (cache, error) {
	return otter.New(&otter.Options[cacheKey, cached]{
		MaximumWeight: uint64(max(bytes, leastCache)),
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[cacheKey, cached]) time.Duration {
			if e.Value.depends.closes == 0 {
				return forever
			}
			return max(1, time.Duration(e.Value.depends.closes-now())*time.Microsecond)
		}),
		Weigher: func(key cacheKey, m cached) uint32 {
			return uint32(len(key.company)+len(key.name)+16*len(m.depends.own)) + m.weight + 200
		},
	})
}

func (c *cell) cachePut(company, name string, m cached) {
	if m.depends.closes != 0 { // it may be of a day that has not come by a clock that is put back since
		m.depends.opens = max(m.depends.opens, c.store.Now().Add(-ClockBack))
	}
	c.store.cache.Set(cacheKey{c.opening, company, name}, m)
}

func (c *cell) cacheGet(company, name string) (cached, bool) {
	return c.store.cache.GetIfPresent(cacheKey{c.opening, company, name})
}

// leftovers are the openings of cells that were closed, of which values still lie in the cache.
type leftovers struct {
	mu       sync.Mutex
	openings map[uint64]bool
}

// mostLeftovers is how many closed cells gather before what was cached of them is thrown out: to look through the cache
// for each would cost more than it holds.
const mostLeftovers = 16

// dropCached throws out what was cached of closed cells, now and then: nobody finds it any more.
func (s *Store) dropCached(c *cell) {
	s.left.mu.Lock()
	defer s.left.mu.Unlock()
	if s.left.openings == nil {
		s.left.openings = map[uint64]bool{}
	}
	if s.left.openings[c.opening] = true; len(s.left.openings) < mostLeftovers {
		return
	}
	for key := range s.cache.Keys() {
		if s.left.openings[key.opening] {
			s.cache.Invalidate(key)
		}
	}
	clear(s.left.openings)
}

// MostCached is how many values of a kind are cached of one reading: who reads more goes through all there are,
// as the making of an index does, and would drive out what others come back for.
const MostCached = 250

// CachePut keeps a value under a name of the company, until its ground moves or room is needed for others. It is kept
// only where it is what everybody would read now: a reader's where nobody has committed since he began, a writer's
// after his commit.
// weight is about how many bytes it takes. The value is shared by many and must not be changed.
func (tx *Tx) CachePut(name string, g Dependencies, weight int, value any) {
	if !g.cacheable || tx.Afresh {
		return
	}
	tx.doubt(name, g.seen)
	put := func() { tx.cell.cachePut(tx.Company, name, cached{g, value, uint32(weight)}) }
	switch {
	case tx.write:
		tx.Done(put)
	case tx.Undisturbed():
		put()
	}
}

// CachePutWritten keeps a value that this transaction, a writer's, has itself written: it stands on these as its own
// commit leaves them, and on nothing else.
func (tx *Tx) CachePutWritten(name string, weight int, value any, refs ...Ref) {
	if !tx.cell.store.caches || !tx.Alone() {
		return
	}
	tx.written = append(tx.written, written{name, cached{Dependencies{cacheable: true}, value, uint32(weight)}, refs})
}

// written is a value that is cached once its transaction has committed.
type written struct {
	name string
	cached
	refs []Ref
}

// found says what a written value stands on: the commit of its transaction, before anybody else's.
func (w *written) found(tx *Tx) { w.depends.own = tx.marks(make([]Mark, 0, len(w.refs)), w.refs) }

// CachePutUnvalidated keeps a value that others may change without anything here noticing it, a writer's after his
// commit: whoever finds it has to prove it before relying on it, as by a version under lock, the company's epoch, or
// the newest change of what it was made of.
func (tx *Tx) CachePutUnvalidated(name string, weight int, value any) {
	if tx.Afresh {
		return
	}
	m := cached{Dependencies{cacheable: true}, value, uint32(weight)}
	if tx.write {
		tx.Done(func() { tx.cell.cachePut(tx.Company, name, m) })
		return
	}
	tx.cell.cachePut(tx.Company, name, m)
}

// CacheGetUnvalidated is what CachePutUnvalidated has kept under a name.
func CacheGetUnvalidated[T any](tx *Tx, name string) (value T, ok bool) {
	m, ok := tx.cell.cacheGet(tx.Company, name)
	if !ok || tx.Afresh {
		return value, false
	}
	value, ok = m.value.(T)
	return value, ok
}

// CachePutFor keeps a value for a time, whatever changes meanwhile: what is dear to make and may be that old.
func (tx *Tx) CachePutFor(d time.Duration, name string, weight int, value any) {
	if !tx.cell.store.caches || tx.Afresh {
		return
	}
	g := Dependencies{cacheable: true, closes: tx.Now.Add(d)}
	put := func() { tx.cell.cachePut(tx.Company, name, cached{g, value, uint32(weight)}) }
	if tx.write {
		tx.Done(put)
		return
	}
	put()
}

// isTimed reports whether it stands on nothing but time.
func (g Dependencies) isTimed() bool { return g.closes != 0 && len(g.shared)+len(g.own) == 0 }

// CacheGet is the value cached under a name, with its dependencies, if these still stand. A writer does not see those
// that he, or who shares his commit, has moved.
func CacheGet[T any](tx *Tx, name string) (value T, g Dependencies, ok bool) {
	c := tx.cell
	m, ok := c.cacheGet(tx.Company, name)
	if !ok || tx.Afresh || tx.counters() == nil && !m.depends.isTimed() || !tx.Holds(m.depends) {
		return value, g, false
	}
	tx.fromCache = true
	if m.depends.seen != nil {
		tx.reads(c.store.covered(m.depends.seen.names))
	}
	value, ok = m.value.(T)
	return value, m.depends, ok
}

// CachePut keeps a value that was made outside of a transaction, such as an encoded answer; see Tx.CachePut.
func (s *Store) CachePut(company, name string, d Dependencies, weight int, value any) {
	if c := s.opened(company); c != nil && d.cacheable {
		c.cachePut(company, name, cached{d, value, uint32(weight)})
	}
}

// CacheGet is the function CacheGet without a transaction, at the present moment, for who has caught up.
func (s *Store) CacheGet(company, name string) (value any, ok bool) {
	c := s.opened(company)
	if c == nil {
		return nil, false
	}
	m, ok := c.cacheGet(company, name)
	if !ok || !m.depends.Stand(s.Now()) {
		return nil, false
	}
	return m.value, true
}

// Now is the moment by the house's clock.
func (s *Store) Now() Time { return TimeOf(s.clock()) }

// opened is the cell of a company if it is open.
func (s *Store) opened(company string) *cell {
	if s.shared != nil {
		return s.shared
	}
	c, ok := s.open.byCompany.Load(company)
	if !ok || s.open.rests.Load() > 0 {
		return nil
	}
	return c.(*cell)
}

// Holds reports whether a value with these dependencies is what this transaction would read.
func (tx *Tx) Holds(g Dependencies) bool { return g.Stand(tx.Now) && !(tx.write && tx.invalidated(g)) }

// AnswerDependsOn notes that the answer of this transaction was made of values with these dependencies.
func (tx *Tx) AnswerDependsOn(g Dependencies) { tx.answerDependsOn = append(tx.answerDependsOn, g) }

// Behind notes that the answer of this transaction was made of something that follows the records, and lags behind them
// by so much.
func (tx *Tx) Behind(lag time.Duration) { tx.lag = max(tx.lag, lag) }

// Lag is the most that Behind was told; 0 where the answer is as new as the transaction.
func (tx *Tx) Lag() time.Duration { return tx.lag }

// AnswerDependencies are those of all that AnswerDependsOn was told, if the answer may be kept on it: nobody has
// committed since this transaction began.
func (tx *Tx) AnswerDependencies() (all Dependencies, ok bool) {
	all.cacheable = len(tx.answerDependsOn) > 0
	for i, g := range tx.answerDependsOn {
		all.cacheable = all.cacheable && g.cacheable
		all.own = append(all.own, g.own...)
		if i == 0 || !sameMarks(g.shared, tx.answerDependsOn[i-1].shared) {
			all.own = append(all.own, g.shared...)
		}
		all = all.Within(g.opens, g.closes)
	}
	if all.cacheable {
		tx.doubtAnswer()
	}
	return all, all.cacheable && !tx.write && tx.Undisturbed()
}

func sameMarks(a, b []Mark) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// DependsOnParty is DependsOn for what is known of a party. A reader has it for his own party alone, as it stood before
// his snapshot: a commit that changes no record leaves him Undisturbed.
func (tx *Tx) DependsOnParty(ref Ref) Dependencies {
	d := tx.DependsOn()
	switch {
	case !d.cacheable:
	case tx.write:
		return d.With(tx, ref)
	case ref == tx.partyRef():
		d.own = []Mark{tx.party}
		d.seen = d.seen.with([]Ref{ref})
		return d
	}
	return Dependencies{}
}

// partyRef is the party's; zero where there is none.
func (r *Request) partyRef() (none Ref) {
	if r.Party == nil {
		return none
	}
	return r.Party.Ref()
}

// Invalidate notes that something changes that is no record: what is cached of it falls, and nobody else is told.
func (tx *Tx) Invalidate(resource, key string) {
	tx.touched = append(tx.touched, touch{resource, key, true})
	tx.invalidates(resource, key)
}

// invalidates notes what the open transaction has moved and not committed yet: a group's, where operations share one.
func (tx *Tx) invalidates(resource, key string) {
	if !tx.write || tx.counters() == nil {
		return
	}
	at := &tx.invalid
	if tx.OneWriter() {
		at = &tx.cell.invalid
	}
	if *at == nil {
		*at = map[*atomic.Uint64]struct{}{}
	}
	(*at)[tx.counters().Counter(tx.Company, resource, key)] = struct{}{}
}

// invalidated reports whether the open transaction has moved what a value stands on.
func (tx *Tx) invalidated(g Dependencies) bool {
	moved := tx.invalid
	if tx.OneWriter() {
		moved = tx.cell.invalid
	}
	if len(moved) == 0 {
		return false
	}
	for _, m := range g.shared {
		if _, ok := moved[m.counter]; ok {
			return true
		}
	}
	for _, m := range g.own {
		if _, ok := moved[m.counter]; ok {
			return true
		}
	}
	return false
}
