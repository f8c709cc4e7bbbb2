package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// rested is how long a server has nothing to do before its memory is read: what it may drop, it has dropped by then.
const rested = 60 * time.Second

// measureMemory measures what a server holds at its peak, whose visitors look at pages that nobody has seen, search and
// buy, what it still holds when they have gone, and what another holds that has just begun.
func (s *selling) measureMemory(ctx context.Context) ([]Row, error) {
	c, url, err := serve(ctx, s.Program, s.place)
	if err != nil {
		return nil, err
	}
	if _, err = s.searchable(ctx, url, nil); err == nil {
		p := s.pace("memory")
		p.profile = nil
		_, err = drive(ctx, p, s.visitorsOf(url, s.shopping))
	}
	peak := s.holds(c, "memory at its peak, after pages, searches and checkouts", "VmHWM", 350)
	if err == nil {
		s.Tick("letting the server rest", 0, 0)
		time.Sleep(rested)
	}
	again := s.holds(c, fmt.Sprintf("the same, idle for %s", rested), "VmRSS", 120)
	if err := errors.Join(err, c.end()); err != nil {
		return nil, err
	}
	if c, url, err = serve(ctx, s.Program, s.place); err != nil {
		return nil, err
	}
	_, err = s.searchable(ctx, url, nil)
	anew := s.holds(c, "the same, started anew, after its first search", "VmRSS", 70)
	return []Row{peak, again, anew}, errors.Join(err, c.end())
}

// holds is a row of what a server holds of memory.
func (s *selling) holds(c *child, work, field string, most float64) Row {
	r := Row{Work: work, Unit: "MB", Value: c.memory(field)}
	if r.Value == 0 {
		r.Note = "only Linux tells"
		return r
	}
	r.Note = fmt.Sprintf("of which now %.0f MB are the program and its files as they are mapped, and %.0f MB its own",
		c.memory("RssFile"), c.memory("RssAnon"))
	below(most).judge(&r)
	return r
}

// shopping is a visitor who looks at a product, searches, looks at a list, and every eighth time buys.
func (s *selling) shopping(v *visitor, n int) func() error {
	random, lists, at := drawing(n), s.lists(), int64(0)
	return func() error {
		at++
		for _, path := range []string{"/ecom/catalog/products/" + productSlug(random.IntN(s.Items)), s.query(random),
			lists[random.IntN(len(lists))]} {
			if _, err := v.read(path); err != nil {
				return err
			}
		}
		if at%8 != 0 {
			return nil
		}
		return v.buy(s.items, rand.Int64(), random)
	}
}
