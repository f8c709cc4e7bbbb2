package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
)

// The hot set of the reading workloads: so many different addresses are asked for in no order.
const (
	hotOrders = 1_000
	hotPages  = 20
	pageSize  = 50
)

// Beside reads go writes: one of twenty requests (5 %), made by clients of their own. They may fall a little behind, so
// that a commit holds several, but never more than lag.
const (
	beside  = 20
	writers = 4
	lag     = 64
)

// reading is a set of addresses to read.
type reading struct {
	workload string
	of       string // which kind of record
	name     string // of the row
	paths    []string
	orders   []string // that are written to beside
}

// orderReads are single orders.
func orderReads(at *fixture) reading {
	orders := at.hotOrders()
	return reading{workload: "order", of: "order", name: "GET one order of 3 lines", orders: orders,
		paths: each.Of(orders, func(o string) string { return "/preview/orders/" + o })}
}

// hotPagesOf are the first pages of a list of so many rows.
func hotPagesOf(list string, rows int) []string {
	return listOf(min(hotPages, max(1, rows/pageSize)), func(n int) string {
		return fmt.Sprintf("/preview/%s?page=%d&pageSize=%d", list, n+1, pageSize)
	})
}

// pageReads are pages of a list.
func pageReads(at *fixture) reading {
	return reading{workload: "list", of: "items", name: "GET list page of 50 items", orders: at.hotOrders(),
		paths: hotPagesOf("items", at.Items)}
}

// orderPageReads are pages of the list of orders, for whose rows everything changes most often.
func orderPageReads(at *fixture) reading {
	return reading{workload: "list", of: "orders", name: "GET list page of 50 orders", orders: at.hotOrders(),
		paths: hotPagesOf("orders", at.Orders)}
}

// measure compares reading with a bare handler that answers the bytes of the first address. With writes, every
// twentieth request changes one of the records that are read.
func (r reading) measure(ctx context.Context, at *fixture, p pace, how string, write writing, n need) Row {
	ours := newTarget(at.url, at.key)
	lengths, body := r.survey(ours)
	if write != nil {
		lengths = nil // a change may lengthen an answer
	}
	b := serveBare(http.StatusOK, body, nil)
	defer b.close()
	same := slices.Repeat([]int{len(body)}, len(r.paths))
	got := drive(ctx, p, r.side(ours, lengths, write), r.side(newTarget(b.url, at.key), same, nil))
	return rated(r.name+", "+how, "requests/s", got[0], "bare handler", got[1], n)
}

// survey reads every address once, which also keeps it where answers are kept.
func (r reading) survey(t *target) (lengths []int, first []byte) {
	c := t.dial()
	defer c.close()
	for i, p := range r.paths {
		a := c.read(p)
		lengths = append(lengths, len(a.body))
		if i == 0 {
			first = append(first, a.body...)
		}
	}
	return lengths, first
}

// writing makes the n-th write beside reads.
type writing func(c *caller, r *reading, n int64)

// side are clients that read. With write, each leaves every twentieth request to the clients that write.
func (r reading) side(t *target, lengths []int, write writing) side {
	requests := each.Of(r.paths, t.get)
	s := t.callers(func(c *caller, n int) func() {
		random := rand.New(rand.NewPCG(uint64(n), 1))
		return func() {
			i := random.IntN(len(requests))
			a := c.do(requests[i])
			a.expect(http.StatusOK, http.MethodGet, r.paths[i])
			if len(a.body) == 0 || lengths != nil && len(a.body) != lengths[i] {
				halt.On(fmt.Errorf("GET %s answers %d bytes", r.paths[i], len(a.body)))
			}
		}
	})
	if write != nil {
		s.client = r.shared(t, write, s.client)
	}
	return s
}

// writeQueue is where readers leave writes to be done.
type writeQueue struct {
	waiting chan struct{}
	writers sync.WaitGroup
	broken  atomic.Pointer[error]
	users   atomic.Int64
}

// shared has every twentieth request of the readers made by writers, who come with the first reader and go with the
// last.
func (r *reading) shared(t *target, write writing, reader func(int) (work, leave func())) func(int) (work,
	leave func()) {
	d := &writeQueue{waiting: make(chan struct{}, lag)}
	return func(n int) (func(), func()) {
		work, leave := reader(n)
		if n == 0 {
			d.open(t, r, write)
		}
		d.users.Add(1)
		count := n % beside
		return func() {
				if e := d.broken.Load(); e != nil {
					halt.On(*e)
				}
				if count++; count%beside != 0 {
					work()
					return
				}
				d.waiting <- struct{}{}
			}, func() {
				leave()
				if d.users.Add(-1) == 0 {
					close(d.waiting)
					d.writers.Wait() // what comes next is not to meet late writes
				}
			}
	}
}

// open begins the writing.
func (d *writeQueue) open(t *target, r *reading, write writing) {
	var count atomic.Int64
	for range writers {
		c := t.dial()
		d.writers.Go(func() {
			defer c.close()
			for range d.waiting { // also after a failure, so that nobody waits for a place in the queue
				if d.broken.Load() != nil {
					continue
				}
				if err := halt.Told(func() { write(c, r, count.Add(1)) }); err != nil {
					d.broken.Store(&err)
				}
			}
		})
	}
}

// changeOrder changes one of the orders that are read.
func changeOrder(c *caller, r *reading, n int64) {
	o := r.orders[int(n*7919)%len(r.orders)]
	c.change("/preview/orders/"+o, `{"customerReference":"PO `+strconv.FormatInt(n, 10)+`-`+
		strconv.FormatUint(rand.Uint64(), 36)+`"}`)
}

// changeItem changes an item that stands on the pages that are read.
func changeItem(c *caller, r *reading, n int64) {
	item := itemNumber(int(n*7919) % (len(r.paths) * pageSize))
	c.change("/preview/items/"+item, `{"description":"Counted `+strconv.FormatInt(n, 10)+` times, `+
		strconv.FormatUint(rand.Uint64(), 36)+`"}`)
}

// change is a PATCH that must be answered with 200.
func (c *caller) change(path, body string) { c.want(http.StatusOK, http.MethodPatch, path, "", body) }
