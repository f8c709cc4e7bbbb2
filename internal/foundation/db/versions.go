package db

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// Versions counts changes, so that bytes kept of a record or a list can be told from stale ones. It is a
// fixed array of counters that records share by hash: a collision drops bytes too early, never too late.
// A reader takes the counter before it reads and keeps it with the bytes; the bytes hold while the counter
// stands. It works only where every commit passes through this process.
type Versions struct {
	seed  maphash.Seed
	slots [1 << 18]atomic.Uint64
}

// Of is where the counter of a whole resource stands.
func (v *Versions) Of(company, resource string) uint64 {
	return v.Counter(company, resource, "").Load()
}

// Counter is the counter itself of a record, or of a whole resource when key is empty, for who asks again and again.
func (v *Versions) Counter(company, resource, key string) *atomic.Uint64 {
	var h maphash.Hash
	h.SetSeed(v.seed)
	h.WriteString(company)
	h.WriteByte(0)
	h.WriteString(resource)
	h.WriteByte(0)
	h.WriteString(key)
	return &v.slots[h.Sum64()%uint64(len(v.slots))]
}

// Mark is a counter and what it stood at when it was taken.
type Mark struct {
	counter *atomic.Uint64
	at      uint64
}

// Mark is where the counter of a record stands now; of a resource with "".
func (v *Versions) Mark(company, resource, key string) Mark {
	c := v.Counter(company, resource, key)
	return Mark{c, c.Load()}
}

func (m Mark) moved() bool { return m.counter.Load() != m.at }

// Unmoved reports whether nothing was committed that moves one of these counters since the marks were taken.
func Unmoved(marks []Mark) bool {
	for _, m := range marks {
		if m.moved() {
			return false
		}
	}
	return true
}

// bump moves the counters of what a commit touched: those of whole resources first. Who then finds a resource's counter
// unmoved after taking those of its records knows that he took them before the commit moved any.
func (v *Versions) bump(company string, touched []touch) {
	if slices.ContainsFunc(touched, func(t touch) bool { return !t.quiet }) {
		v.Counter(company, commits, "").Add(1) // before all others: see Tx.Undisturbed
	}
	for _, t := range touched {
		if !t.quiet {
			v.Counter(company, t.resource, "").Add(1)
		}
	}
	for _, t := range touched {
		if t.key != "" {
			v.Counter(company, t.resource, t.key).Add(1)
		}
	}
}
