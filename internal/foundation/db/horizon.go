package db

import (
	"cmp"
	"context"
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

// waited is what was found after the writers had ended.
type waited struct {
	committed
	err error
}

// committed is what Tx.Committed will answer to a request.
func (c *cell) committed(ctx context.Context, r Request) (committed, error) {
	if r.AwaitsWriters {
		w := c.store.tailOf(r.Company).writers.next(ctx)
		return w.committed, cmp.Or(w.err, ctx.Err())
	}
	h, err := c.askHorizon(ctx, r.Company)
	return committed{at: h.At}, err
}

// askHorizon asks on a connection that is lent for this alone, so that it waits only for others who ask.
func (c *cell) askHorizon(ctx context.Context, company string) (h Horizon, err error) {
	err = c.watch.lend(ctx, func(cn *conn) error {
		if h, err = c.engine.Horizon(ctx, cn.sql, company); err == nil && h.ID != 0 {
			h.At = max(h.At, c.store.tailOf(company).passed(h.Beyond))
		}
		return err
	})
	return h, err
}

// awaitWriters waits for whoever is writing now, as long as forWriters says.
func (t *tail) awaitWriters() waited {
	ctx, stop := context.WithTimeout(context.Background(), lookTime)
	defer stop()
	h, err := t.store.shared.askHorizon(ctx, t.company)
	asked, until := h.Asked, time.Now().Add(forWriters)
	for pause := time.Millisecond; err == nil && h.At < asked && h.Writing < forWriters && time.Now().Before(until); {
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
		h, err = t.store.shared.askHorizon(ctx, t.company)
	}
	return waited{committed{h.At, h.At < asked}, err}
}

// passed is up to where everything of a company is committed whose stamps go on beyond a clock that was put back: the
// oldest writer's start says nothing of them, so all is waited for that had begun when they had come so far.
func (t *tail) passed(now Beyond) Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := &t.passes
	if all[1].ID == 0 || all[1].Next > now.Next || all[1].ID > now.ID {
		*all = [2]Beyond{{}, now}
	}
	if now.Oldest > all[1].ID {
		*all = [2]Beyond{all[1], now}
	}
	return all[0].Next - 1
}
