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
	peak := c.holds("memory at its peak, after pages, searches and checkouts", "VmHWM", 350)
	if err == nil {
		s.Tick("letting the server rest", 0, 0)
		time.Sleep(rested)
	}
	again := c.holds(fmt.Sprintf("the same, idle for %s", rested), "VmRSS", 120)
	if err := errors.Join(err, c.end()); err != nil {
		return nil, err
	}
	if c, url, err = serve(ctx, s.Program, s.place); err != nil {
		return nil, err
	}
	_, err = s.searchable(ctx, url, nil)
	anew := c.holds("the same, started anew, after its first search", "VmRSS", 70)
	return []Row{peak, again, anew}, errors.Join(err, c.end())
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
