package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// What is asked for in large companies.
const (
	lastPage  = 10_000
	deltaSize = 50
)

// watch times single requests of one client.
type watch struct {
	c    *caller
	took []float64 // milliseconds
}

func (at *fixture) watch() *watch {
	_, c := at.dial()
	return &watch{c: c}
}

// get times one GET and answers its body.
func (w *watch) get(path string) []byte {
	request := w.c.to.get(path)
	start := time.Now()
	a := w.c.do(request)
	w.took = append(w.took, time.Since(start).Seconds()*1000)
	a.expect(http.StatusOK, http.MethodGet, path)
	return a.body
}

// both are two companies to compare, with a client each.
type both struct {
	looks        int // how often each request is timed
	big, small   *fixture
	bigW, smallW *watch
}

func (b both) fresh() both {
	b.bigW, b.smallW = b.big.watch(), b.small.watch()
	return b
}

func (b both) row(work string, n need) Row {
	b.bigW.c.close()
	b.smallW.c.close()
	return timed(work, b.bigW.took, fmt.Sprintf("of %d orders", b.small.Orders), b.smallW.took, n)
}

// measureDepth compares a company of many orders with one of few, and the last pages of a list with its first.
func measureDepth(ctx context.Context, big, small *fixture, looks int) (rows []Row) {
	b := both{looks: looks, big: big, small: small}
	for _, m := range []func(context.Context, both) Row{quietTotal, busyTotal, filteredTotal, delta} {
		rows = append(rows, m(ctx, b.fresh()))
	}
	return append(rows, deepPages(ctx, big, looks))
}

// eachTurn asks both sides in turns.
func (b both) eachTurn(ctx context.Context, ask func(at *fixture, w *watch, n int)) {
	for n := range b.looks {
		halt.On(ctx.Err())
		ask(b.small, b.smallW, n)
		ask(b.big, b.bigW, n)
	}
}

const firstPage = "/preview/orders?page=1&pageSize=50"

func quietTotal(ctx context.Context, b both) Row {
	b.eachTurn(ctx, func(_ *fixture, w *watch, _ int) { w.get(firstPage) })
	return b.row(fmt.Sprintf("page 1 with totalCount of %d orders", b.big.Orders), atMost(2))
}

func busyTotal(ctx context.Context, b both) Row {
	b.eachTurn(ctx, func(at *fixture, w *watch, n int) {
		touch(at, w.c, n)
		w.get(firstPage)
	})
	return b.row(fmt.Sprintf("the same, each after a change (%d orders)", b.big.Orders), atMost(2))
}

func filteredTotal(ctx context.Context, b both) Row {
	b.eachTurn(ctx, func(at *fixture, w *watch, n int) {
		if n >= b.looks/5 { // each counts anew
			return
		}
		touch(at, w.c, n)
		w.get(firstPage + "&status=Placed")
	})
	row := b.row(fmt.Sprintf("the same, filtered by status (%d orders)", b.big.Orders), need{})
	row.Note = "a filtered total is counted anew after a change; nothing is promised of it"
	return row
}

// touch changes an order, so that nothing remembered of the list stands any more.
func touch(at *fixture, c *caller, n int) {
	c.change("/preview/orders/"+orderNumber(n%at.Orders), `{"customerReference":"`+
		strconv.FormatInt(time.Now().UnixNano(), 36)+`"}`)
}

// delta reads what changed: 50 orders of each company.
func delta(ctx context.Context, b both) Row {
	since := db.TimeOf(time.Now())
	changed := min(deltaSize, b.small.Orders)
	for n := range changed {
		touch(b.small, b.smallW.c, n)
		touch(b.big, b.bigW.c, n*(b.big.Orders/changed))
	}
	b.eachTurn(ctx, func(_ *fixture, w *watch, n int) {
		// Each time since another moment before the changes, so that no total is remembered.
		body := w.get("/preview/orders?pageSize=200&modifiedSince=" + (since - db.Time(n+1)).String())
		var page struct {
			TotalCount int `json:"totalCount"`
		}
		halt.On(json.Unmarshal(body, &page))
		if page.TotalCount != changed {
			halt.On(fmt.Errorf("bench: %d orders were changed, but the delta has %d", changed, page.TotalCount))
		}
	})
	return b.row(fmt.Sprintf("delta of %d changed orders out of %d", changed, b.big.Orders), atMost(2))
}

// deepPages walks a list from its first page to the 10,000th (fewer where there are fewer), and compares the last ones
// with the first.
func deepPages(ctx context.Context, at *fixture, looks int) Row {
	size := max(1, min(pageSize, at.Orders/lastPage))
	pages := min(lastPage, at.Orders/size)
	w := at.watch()
	defer w.c.close()
	path := func(page int) string { return fmt.Sprintf("/preview/orders?page=%d&pageSize=%d", page, size) }
	first := &watch{c: w.c}
	for page := 1; page <= pages; page++ {
		halt.On(ctx.Err())
		if page > pages-looks {
			first.get(path(1))
		}
		w.get(path(page))
	}
	last := w.took[max(0, len(w.took)-looks):]
	return timed(fmt.Sprintf("page %d of %d orders each, walked in order", pages, size), last, "page 1", first.took,
		atMost(3))
}
