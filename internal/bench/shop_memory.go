package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// rested is how long a server has nothing to do before its memory is read: what it may drop, it has dropped by then.
const rested = 60 * time.Second

// measureMemory measures what a server holds at its peak, whose visitors look at pages that nobody has seen, search and
// buy, what it still holds when they have gone, and what another holds that has just begun.
func (s *selling) measureMemory(ctx context.Context) (rows []Row) {
	serving(ctx, s.Program, s.place, func(c *child, url string) {
		s.searchable(ctx, url, nil)
		p := s.pace("memory")
		p.profile = nil
		drive(ctx, p, s.visitorsOf(url, s.shopping))
		peak := c.holds("memory at its peak, after pages, searches and checkouts", "VmHWM", 350)
		s.Tick("letting the server rest", 0, 0)
		time.Sleep(rested)
		rows = append(rows, peak, c.holds(fmt.Sprintf("the same, idle for %s", rested), "VmRSS", 120))
	})
	serving(ctx, s.Program, s.place, func(c *child, url string) {
		s.searchable(ctx, url, nil)
		rows = append(rows, c.holds("the same, started anew, after its first search", "VmRSS", 70))
	})
	return rows
}

// shopping is a visitor who looks at a product, searches, looks at a list, and every eighth time buys.
func (s *selling) shopping(v *visitor, n int) func() {
	random, lists, at := drawing(n), s.lists(), int64(0)
	return func() {
		at++
		for _, path := range []string{"/ecom/catalog/products/" + productSlug(random.IntN(s.Items)), s.query(random),
			lists[random.IntN(len(lists))]} {
			v.read(path)
		}
		if at%8 == 0 {
			v.buy(s.items, rand.Int64(), random)
		}
	}
}
