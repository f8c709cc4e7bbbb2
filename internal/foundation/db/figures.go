package db

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
)

// Figures are what a store knows of its own work since it was opened.
type Figures struct {
	// Pools are the connections by what they are for, all cells together.
	Pools map[string]PoolFigures
	// Setbacks count by their kind what the engine could not do at once, and Retries how often work was run again for
	// it.
	Setbacks, Retries map[string]int64
	// Counts are what was counted with Tx.Count.
	Counts map[string]int64
	// LogBytes are in the write-ahead logs of the open files, of which there are Files.
	LogBytes int64
	Files    int
	// CachedBytes is about what lies in the cache, of Options.Memory.
	CachedBytes uint64
	// Opened counts how often a data file was opened, Closed how often one made room for another.
	Opened, Closed uint64
}

// PoolFigures are of connections for one use.
type PoolFigures struct{ Size, InUse, Waiting int64 }

// tallies are counters by name.
type tallies struct{ m sync.Map }

func (t *tallies) add(name string, n int64) {
	c, ok := t.m.Load(name)
	if !ok {
		c, _ = t.m.LoadOrStore(name, new(atomic.Int64))
	}
	c.(*atomic.Int64).Add(n)
}

func (t *tallies) all() map[string]int64 {
	out := map[string]int64{}
	t.m.Range(func(name, c any) bool { out[name.(string)] = c.(*atomic.Int64).Load(); return true })
	return out
}

// kinds are the names of failures as Figures knows them.
var kinds = [...]string{Retry: "conflict", Waited: "lock_timeout", Full: "storage", Lost: "connection_lost",
	Ruled: "rule_broken"}

// setback counts a failure that is not a fault of ours.
func (s *Store) setback(f Failure) {
	if int(f) < len(kinds) && kinds[f] != "" {
		s.setbacks.add(kinds[f], 1)
	}
}

// again counts work that is run once more for a failure.
func (s *Store) again(f Failure) {
	if int(f) < len(kinds) && kinds[f] != "" {
		s.retries.add(kinds[f], 1)
	}
}

// counted is a number of somethings that a transaction has done.
type counted struct {
	name string
	n    int64
}

// Count counts what the transaction does, once it is committed, for Figures. Names are few: each becomes a series.
func (tx *Tx) Count(name string, n int64) { tx.counts = append(tx.counts, counted{name, n}) }

// Figures takes them.
func (s *Store) Figures() Figures {
	f := Figures{Pools: map[string]PoolFigures{}, Setbacks: s.setbacks.all(), Retries: s.retries.all(),
		Counts: s.counts.all(), CachedBytes: s.cache.WeightedSize()}
	open := append([]*cell{s.control}, s.open.all()...)
	f.Opened, f.Closed = s.openings.Load(), s.open.evicted.Load()
	for _, c := range open {
		for use, p := range map[string]*pool{"read": c.readers, "write": c.writers, "numbers": c.owner,
			"follow": c.watch} {
			if p != nil {
				f.Pools[use] = p.figures(f.Pools[use])
			}
		}
		if !c.engine.OneWriter {
			continue
		}
		f.Files++
		if info, err := os.Stat(c.target + "-wal"); err == nil {
			f.LogBytes += info.Size()
		}
	}
	return f
}

func (p *pool) figures(f PoolFigures) PoolFigures {
	return PoolFigures{f.Size + int64(cap(p.size)), f.InUse + int64(len(p.size)), f.Waiting + p.waiting.Load()}
}

// place waits for a connection of the pool that nobody has.
func (p *pool) place(ctx context.Context) error {
	select {
	case p.size <- struct{}{}:
		return nil
	default:
	}
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case p.size <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
