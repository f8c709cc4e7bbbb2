package db

import (
	"slices"
	"sync"
	"time"

	"kontor/internal/foundation/ago"
)

// commits is the key under which Versions counts all commits of a company that changed records.
const commits = "\x00commits"

// OnCommit subscribes fn to the commits that changed records: those of this process at once, and those of others where
// the engine tells of them and as soon as it does (see Watch). It is called while the house is put together; fn must
// neither wait nor panic.
func (s *Store) OnCommit(fn func(company string)) { s.watchers = append(s.watchers, fn) }

// Versions counts the changes of records where all of them pass through this process, else nil.
func (tx *Tx) Versions() *Versions {
	if !tx.OneWriter() {
		return nil
	}
	return tx.cell.store.counters
}

// counters are Versions, or those that this transaction's request has caught up with; nil where it knows of no others.
func (tx *Tx) counters() *Versions {
	if tx.OneWriter() || tx.Caught.ok {
		return tx.cell.store.counters
	}
	return nil
}

// Undisturbed reports whether this process knows of no commit that changed records of the company since this
// transaction was made:
// then what Versions says now it also said of this transaction's snapshot, and what was made of it may be kept under
// that. Take the counters first, then ask.
func (tx *Tx) Undisturbed() bool {
	return tx.cell.store.counters.Of(tx.Company, commits) == tx.seen
}

// tell is called after a commit that changed records, and for one of another process as soon as this one hears of it.
func (s *Store) tell(company string) {
	s.watches.wake(company)
	for _, fn := range s.watchers {
		fn(company)
	}
}

// How long who looks again and again at what others commit rests between two looks: often for a while after each commit
// he heard of, because what was committed may show only when an older writer has ended; seldom from then on.
const (
	looksOften  = 200 * time.Millisecond
	looksSeldom = 5 * time.Second
	unsettled   = 10 * time.Second
)

// Rest is how long to rest before the next look at what was committed, for who heard of a commit last at heard. Where
// this process does not hear of what others commit it is always short.
func (s *Store) Rest(heard time.Time) time.Duration {
	if s.Hears() && time.Since(heard) > unsettled {
		return looksSeldom
	}
	return looksOften
}

// Hears reports whether this process hears of every commit soon after it: all pass through it, or the engine tells.
func (s *Store) Hears() bool { return s.opt.Engine.OneWriter || s.hears.Load() }

// Watch wakes who looks again and again at what is committed in one company, when it is time to.
type Watch struct {
	store   *Store
	company string
	due     chan struct{}
	timer   *time.Timer
	heard   ago.Moment // when it heard of a commit last
}

// Watch begins to watch a company: what is committed from now on wakes. Stop must be called.
func (s *Store) Watch(company string) *Watch {
	w := &Watch{store: s, company: company, due: make(chan struct{}, 1)}
	w.timer = time.AfterFunc(looksSeldom, w.wake)
	s.watches.add(w)
	return w
}

// Next receives when it is time to look again: something was committed, or the watcher has rested.
func (w *Watch) Next() <-chan struct{} {
	w.timer.Reset(w.store.Rest(w.heard.Time()))
	return w.due
}

// Stop ends the watch.
func (w *Watch) Stop() {
	w.timer.Stop()
	w.store.watches.remove(w)
}

func (w *Watch) wake() {
	select {
	case w.due <- struct{}{}:
	default: // it will look anyway
	}
}

// watches are those who wait, by company.
type watches struct {
	mu sync.RWMutex
	of map[string][]*Watch
}

func (s *watches) add(w *Watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string][]*Watch{}
	}
	s.of[w.company] = append(s.of[w.company], w)
}

func (s *watches) remove(w *Watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.of[w.company], func(other *Watch) bool { return other == w })
	if s.of[w.company] = left; len(left) == 0 {
		delete(s.of, w.company)
	}
}

// wake wakes those who watch a company.
func (s *watches) wake(company string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, w := range s.of[company] {
		w.heard.Set(time.Now())
		w.wake()
	}
}
