package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/halt"
)

// side is one of the things compared: ours, or a yardstick.
type side struct {
	// client prepares one client and answers what it does again and again: each call is one unit of work, checked.
	client func(n int) (work, leave func())
}

// callers are clients of a server, each of which works on a connection of its own.
func (t *target) callers(work func(c *caller, n int) func()) side {
	return side{client: func(n int) (func(), func()) {
		c := t.dial()
		return work(c, n), c.close
	}}
}

// visitors are clients of the store, each a visitor.
func (s *selling) visitors(work func(v *visitor, n int) func()) side {
	return s.visitorsOf(s.site.url, work)
}

func (s *selling) visitorsOf(url string, work func(v *visitor, n int) func()) side {
	return side{client: func(n int) (func(), func()) {
		v := s.visitor(url)
		return work(v, n), v.close
	}}
}

// drawing is the chance of a client.
func drawing(n int) *rand.Rand { return rand.New(rand.NewPCG(uint64(n), rand.Uint64())) }

// pace bounds a measurement.
type pace struct {
	clients int
	round   time.Duration // of one side
	rounds  int
	units   int64 // at most, in one round
	// profile, where it is set, is begun for one more round of the first side alone, which counts for nothing.
	profile func() (end func())
}

// measured are the rounds of one side.
type measured struct {
	rates []float64 // units a second, by round
	took  []float64 // milliseconds of single units
	cpu   []float64 // microseconds of computing a unit, clients included, by round
}

// rate is the median of the rounds.
func (m measured) rate() float64 { return median(m.rates) }

// ratios are ours over theirs, round by round: what disturbs the machine disturbs both sides of a round alike. A round
// in which the yardstick finished nothing tells nothing.
func ratios(ours, theirs measured) []float64 {
	out := make([]float64, 0, len(ours.rates))
	for i := range min(len(ours.rates), len(theirs.rates)) {
		if theirs.rates[i] > 0 {
			out = append(out, ours.rates[i]/theirs.rates[i])
		}
	}
	return out
}

func median(v []float64) float64 { return quantile(v, 0.5) }

func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

// drive lets the sides work in turns, each after a short warm-up, so that both meet the same machine.
func drive(ctx context.Context, p pace, sides ...side) []measured {
	out := make([]measured, len(sides))
	crews := make([]crew, len(sides))
	defer func() {
		for _, c := range crews {
			c.leave()
		}
	}()
	for i, s := range sides {
		crews[i] = s.hire(p.clients)
		crews[i].run(ctx, p.round/4, p.units/4+1, &measured{})
	}
	for round := range p.rounds {
		for k := range sides {
			i := (k + round) % len(sides) // neither is always the first
			crews[i].run(ctx, p.round, p.units, &out[i])
		}
	}
	if p.profile != nil {
		defer p.profile()()
		crews[0].run(ctx, 3*p.round, 3*p.units, &measured{})
	}
	return out
}

// crew are the clients of one side.
type crew struct {
	works  []func()
	leaves []func()
}

func (s side) hire(clients int) (c crew) {
	err := halt.Told(func() {
		for n := range clients {
			work, leave := s.client(n)
			c.works, c.leaves = append(c.works, work), append(c.leaves, leave)
		}
	})
	if err != nil {
		c.leave()
		halt.On(err)
	}
	return c
}

func (c crew) leave() {
	for _, leave := range c.leaves {
		leave()
	}
}

// sampled is of how many units one is kept by itself: enough for quantiles, too few to cost anything.
const sampled = 8

// run is a closed loop: every client sends its next request when it has the answer to the last one.
func (c crew) run(ctx context.Context, d time.Duration, most int64, m *measured) {
	var begun, done atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	var first error
	turn, end := context.WithCancel(ctx)
	defer end()
	start, computed := time.Now(), cpuTime()
	until := start.Add(d)
	for _, work := range c.works {
		all.Go(func() {
			var took []float64
			err := halt.Told(func() {
				for n := 0; ; n++ {
					at := time.Now()
					if at.After(until) || turn.Err() != nil || begun.Add(1) > most {
						return
					}
					work()
					done.Add(1)
					if n%sampled == 0 {
						took = append(took, time.Since(at).Seconds()*1000)
					}
				}
			})
			if err != nil {
				end()
			}
			mu.Lock()
			defer mu.Unlock()
			m.took = append(m.took, took...)
			if first == nil {
				first = err
			}
		})
	}
	all.Wait()
	halt.On(errors.Join(first, ctx.Err()))
	units := float64(done.Load())
	m.rates = append(m.rates, units/time.Since(start).Seconds())
	m.cpu = append(m.cpu, (cpuTime()-computed)/max(1, units))
}
