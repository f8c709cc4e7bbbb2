package db

import (
	"context"
	"slices"
	"sync"
)

// others tells whether anybody but this process has committed anything to a server with many writers. It compares which
// transactions have ended since the last look with those that this process knows to be its own: for these the counters
// of Versions have moved. For any other all counters move, because nobody knows what it has changed.
type others struct {
	looks looks[bool]
	store *Store

	mu   sync.Mutex
	last Ended
	own  map[uint64]*ownTx
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

// equal reports whether nothing has ended between two snapshots.
func (s Ended) equal(other Ended) bool {
	return s.Server == other.Server && s.Max == other.Max && slices.Equal(s.Open, other.Open)
}

// othersKey is the key under which Versions counts the times that others have committed.
const othersKey = "\x00others"

// mostOwn is how many ended transactions of its own a process remembers while nobody looks, and how many that have
// ended it tells apart.
const mostOwn = 4_096

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
	if len(o.own) >= mostOwn { // nobody has looked for long
		o.forget(func(uint64) bool { return true })
		o.last = Ended{}
	}
	o.own[id] = t
	return func(known bool) {
		t.known = known
		close(t.ended)
	}
}

// forget drops those transactions of this process that have ended and fit.
func (o *others) forget(fits func(id uint64) bool) {
	for id, t := range o.own {
		select {
		case <-t.ended:
			if fits(id) {
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
	var now Ended
	err := o.store.shared.watch.lend(ctx, func(cn *conn) (err error) {
		now, err = o.store.opt.Engine.Ended(ctx, cn.sql)
		return err
	})
	if err != nil {
		return false
	}
	o.mu.Lock()
	last := o.last
	o.mu.Unlock()
	if now.equal(last) {
		return true
	}
	if !o.areOwn(ctx, last, now) {
		o.store.counters.Counter("", othersKey, "").Add(1)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = now
	o.forget(now.has)
	return true
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
	o.mu.Lock()
	t := o.own[id]
	o.mu.Unlock()
	if t == nil {
		return false
	}
	select {
	case <-t.ended:
		return t.known
	case <-ctx.Done():
		return false
	}
}
