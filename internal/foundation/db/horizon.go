package db

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// forWriters is for how long a writer is waited for, from his beginning on, by who asks what has changed. What takes
// longer is told of afterwards, and delays nobody.
const forWriters = time.Second

// committed is what Tx.Committed answers.
type committed struct {
	at Time
	// Who asks what has changed is not told all that was acknowledged: somebody wrote as he asked, and writes still.
	incomplete bool
}

// horizons is what a store with many writers knows of each company's.
type horizons struct {
	mu     sync.Mutex
	passes map[string][2]Beyond      // the last that has passed, and the one that is waited for
	awaits map[string]*looks[waited] // all who wait for the same writers wait together
}

// waited is what was found after the writers had ended.
type waited struct {
	committed
	err error
}

// committed is what Tx.Committed will answer to a request.
func (c *cell) committed(ctx context.Context, r Request) (committed, error) {
	if r.AwaitsWriters {
		w := c.store.awaiting(r.Company).next(ctx)
		return w.committed, cmp.Or(w.err, ctx.Err())
	}
	h, err := c.askHorizon(ctx, r.Company)
	return committed{at: h.At}, err
}

// askHorizon asks on a connection that is lent for this alone, so that it waits only for others who ask.
func (c *cell) askHorizon(ctx context.Context, company string) (h Horizon, err error) {
	err = c.watch.lend(ctx, func(cn *conn) error {
		if h, err = c.engine.Horizon(ctx, cn.sql, company); err == nil && h.ID != 0 {
			h.At = max(h.At, c.store.passed(company, h.Beyond))
		}
		return err
	})
	return h, err
}

// awaiting are the looks at what is committed of a company once who writes has ended.
func (s *Store) awaiting(company string) *looks[waited] {
	s.horizons.mu.Lock()
	defer s.horizons.mu.Unlock()
	l := s.horizons.awaits[company]
	if l == nil {
		l = &looks[waited]{fn: func() waited { return s.shared.awaitWriters(company) }}
		s.horizons.awaits[company] = l
	}
	return l
}

// awaitWriters waits for whoever is writing now, as long as forWriters says.
func (c *cell) awaitWriters(company string) (w waited) {
	ctx, stop := context.WithTimeout(context.Background(), lookTime)
	defer stop()
	h, err := c.askHorizon(ctx, company)
	asked, until := h.Asked, time.Now().Add(forWriters)
	for pause := time.Millisecond; err == nil && h.At < asked && h.Writing < forWriters && time.Now().Before(until); {
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
		h, err = c.askHorizon(ctx, company)
	}
	return waited{committed{h.At, h.At < asked}, err}
}

// passed is up to where everything of a company is committed whose stamps go on beyond a clock that was put back: the
// oldest writer's start says nothing of them, so all is waited for that had begun when they had come so far.
func (s *Store) passed(company string, now Beyond) Time {
	s.horizons.mu.Lock()
	defer s.horizons.mu.Unlock()
	all := s.horizons.passes[company]
	if all[1].ID == 0 || all[1].Next > now.Next || all[1].ID > now.ID {
		all = [2]Beyond{{}, now}
	}
	if now.Oldest > all[1].ID {
		all = [2]Beyond{all[1], now}
	}
	s.horizons.passes[company] = all
	return all[0].Next - 1
}
