// Package ago keeps when something happened in this process, by a clock that nobody can put forward or back.
package ago

import (
	"sync/atomic"
	"time"
)

// begun is when the process began: what Go's times count from beside the wall's clock.
var begun = time.Now()

// Moment is when something happened last, which many may note and ask for; the zero value is never. As a number of
// nanoseconds by the wall's clock it would lie ahead of everything once that was put back, and whoever waits for some
// time to have passed since would wait until the clock has come so far again.
type Moment struct{ at atomic.Int64 } // nanoseconds since begun, and one; 0 = never

func number(t time.Time) int64 { return int64(t.Sub(begun)) + 1 }

// Set notes a moment that is made of time.Now().
func (m *Moment) Set(t time.Time) { m.at.Store(number(t)) }

// SetFirst notes a moment unless there is one.
func (m *Moment) SetFirst(t time.Time) { m.at.CompareAndSwap(0, number(t)) }

// Forget makes it never.
func (m *Moment) Forget() { m.at.Store(0) }

// Time is the moment, to be compared with those that are made of time.Now(); the zero time is never.
func (m *Moment) Time() time.Time {
	at := m.at.Load()
	if at == 0 {
		return time.Time{}
	}
	return begun.Add(time.Duration(at - 1))
}
