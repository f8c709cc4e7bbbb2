package db

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// others tells whether anybody but this process has committed anything to a server with many writers. It compares which
// transactions have ended since the last look with those that this process knows to be its own: for these the counters
// of Versions have moved. For any other all counters move, because nobody knows what it has changed.
type others struct {
	looks looks[bool]
	store *Store
	last  Ended // of the last look

	mu      sync.Mutex
	own     map[uint64]*ownTx
	unnamed map[*ownTx]struct{} // under way, see beginsUnnamed
}

// ownTx is a transaction of this process that writes.
type ownTx struct {
	ended chan struct{}
	known bool // what it has changed: its counters have moved, or it was rolled back
}

// Ended says which transactions of a server have ended: those before Max but for the open ones.
type Ended struct {
	Server string // which one, and since when it runs
	Max    uint64
	Open   []uint64 // in order
}

// has reports whether a transaction has ended.
func (s Ended) has(id uint64) bool {
	_, open := slices.BinarySearch(s.Open, id)
	return id < s.Max && !open
}

// Without is what has ended besides a transaction that is under way: it does not see itself among those that are.
func (s Ended) Without(id uint64) Ended {
	if i, open := slices.BinarySearch(s.Open, id); id < s.Max && !open {
		s.Open = slices.Insert(s.Open, i, id)
	}
	return s
}

// equal reports whether nothing has ended between two snapshots.
func (s Ended) equal(other Ended) bool {
	return s.Server == other.Server && s.Max == other.Max && slices.Equal(s.Open, other.Open)
}

// othersKey is the key under which Versions counts the times that others have committed.
const othersKey = "\x00others"

// mostOwn is how many ended transactions are told apart; a process remembers as many of its own at least, and twice as
// many at most.
const mostOwn = 2_000

// Abreast makes Versions count, for a request that has come, every commit that was answered before the call, whichever
// process made it. Calls that come together share one look. It is false where they do not count: then nothing kept by
// them may be used. Where all commits pass through this process they always do.
func (s *Store) Abreast(ctx context.Context) bool {
	return s.opt.Engine.OneWriter || s.caches && s.others.looks.next(ctx)
}

// begins notes a transaction of this process before anybody can see it ended. What ends it must be called; it says
// whether all that the transaction has changed is known.
func (o *others) begins(id uint64) (ends func(known bool)) {
	t := &ownTx{ended: make(chan struct{})}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.note(id, t)
	return func(known bool) {
		t.known = known
		close(t.ended)
	}
}

func (o *others) note(id uint64, t *ownTx) {
	if o.own[id] = t; len(o.own) >= 2*mostOwn {
		o.forget(id - mostOwn)
	}
}

// beginsUnnamed is begins for a transaction that tells its id in its only answer; 0 = it told none.
func (o *others) beginsUnnamed() (ends func(id uint64)) {
	t := &ownTx{ended: make(chan struct{}), known: true}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unnamed[t] = struct{}{}
	return func(id uint64) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if delete(o.unnamed, t); id != 0 {
			o.note(id, t)
		}
		close(t.ended)
	}
}

// forget drops the transactions that have ended and are older than one.
func (o *others) forget(before uint64) {
	for id, t := range o.own {
		select {
		case <-t.ended:
			if id < before {
				delete(o.own, id)
			}
		default:
		}
	}
}

// look moves the counter of all that others may have changed if anything has ended that is not known here.
func (o *others) look() bool {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	now, err := o.store.ended(ctx)
	if err != nil {
		return false
	}
	if !now.equal(o.last) && !o.areOwn(ctx, o.last, now) {
		o.store.counters.Counter("", othersKey, "").Add(1)
	}
	o.last = now
	return true
}

func (s *Store) ended(ctx context.Context) (now Ended, err error) {
	err = s.shared.watch.lend(ctx, func(cn *conn) (err error) {
		now, err = s.opt.Engine.Ended(ctx, cn.sql)
		return err
	})
	return now, err
}

// areOwn reports whether all that has ended between two snapshots are transactions of this process, and known.
func (o *others) areOwn(ctx context.Context, last, now Ended) bool {
	if last.Server != now.Server || now.Max < last.Max || now.Max-last.Max > mostOwn {
		return false
	}
	for _, id := range last.Open {
		if now.has(id) && !o.isOwn(ctx, id) {
			return false
		}
	}
	for id := last.Max; id < now.Max; id++ {
		if now.has(id) && !o.isOwn(ctx, id) {
			return false
		}
	}
	return true
}

// isOwn waits for a transaction of this process that the server has ended and this process has not heard of yet.
func (o *others) isOwn(ctx context.Context, id uint64) bool {
	t, unnamed := o.named(id)
	for _, u := range unnamed {
		if !u.over(ctx) {
			return false
		}
	}
	if len(unnamed) > 0 {
		t, _ = o.named(id)
	}
	return t != nil && t.over(ctx) && t.known
}

// named is the transaction of an id; where there is none yet, one of the unnamed may be it.
func (o *others) named(id uint64) (*ownTx, []*ownTx) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if t := o.own[id]; t != nil {
		return t, nil
	}
	return nil, slices.Collect(maps.Keys(o.unnamed))
}

// over waits for its end.
func (t *ownTx) over(ctx context.Context) bool {
	select {
	case <-t.ended:
		return true
	case <-ctx.Done():
		return false
	}
}
