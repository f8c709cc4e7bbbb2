package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kontor/internal/foundation/db"
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

func (at *fixture) watch() (*watch, error) {
	_, c, err := at.dial()
	return &watch{c: c}, err
}

// get times one GET and answers its body.
func (w *watch) get(path string) ([]byte, error) {
	request := w.c.to.get(path)
	start := time.Now()
	a, err := w.c.do(request)
	w.took = append(w.took, time.Since(start).Seconds()*1000)
	return a.body, a.expect(err, http.StatusOK, http.MethodGet, path)
}

// both are two companies to compare, with a client each.
type both struct {
	looks        int // how often each request is timed
	big, small   *fixture
	bigW, smallW *watch
}

func (b both) fresh() (both, error) {
	var err error
	if b.bigW, err = b.big.watch(); err == nil {
		b.smallW, err = b.small.watch()
	}
	return b, err
}

func (b both) row(work string, n need) Row {
	b.bigW.c.close()
	b.smallW.c.close()
	return timed(work, b.bigW.took, fmt.Sprintf("of %d orders", b.small.Orders), b.smallW.took, n)
}

// measureDepth compares a company of many orders with one of few, and the last pages of a list with its first.
func measureDepth(ctx context.Context, big, small *fixture, looks int) (rows []Row, err error) {
	b := both{looks: looks, big: big, small: small}
	for _, m := range []func(context.Context, both) (Row, error){quietTotal, busyTotal, filteredTotal, delta} {
		fresh, err := b.fresh()
		if err != nil {
			return rows, err
		}
		row, err := m(ctx, fresh)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	row, err := deepPages(ctx, big, looks)
	return append(rows, row), err
}

// eachTurn asks both sides in turns.
func (b both) eachTurn(ctx context.Context, ask func(at *fixture, w *watch, n int) error) error {
	for n := range b.looks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := ask(b.small, b.smallW, n); err != nil {
			return err
		}
		if err := ask(b.big, b.bigW, n); err != nil {
			return err
		}
	}
	return nil
}

const firstPage = "/preview/orders?page=1&pageSize=50"

func quietTotal(ctx context.Context, b both) (Row, error) {
	err := b.eachTurn(ctx, func(_ *fixture, w *watch, _ int) error { _, err := w.get(firstPage); return err })
	return b.row(fmt.Sprintf("page 1 with totalCount of %d orders", b.big.Orders), atMost(2)), err
}

func busyTotal(ctx context.Context, b both) (Row, error) {
	err := b.eachTurn(ctx, func(at *fixture, w *watch, n int) error {
		if err := touch(at, w.c, n); err != nil {
			return err
		}
		_, err := w.get(firstPage)
		return err
	})
	return b.row(fmt.Sprintf("the same, each after a change (%d orders)", b.big.Orders), atMost(2)), err
}

func filteredTotal(ctx context.Context, b both) (Row, error) {
	err := b.eachTurn(ctx, func(at *fixture, w *watch, n int) error {
		if n >= b.looks/5 { // each counts anew
			return nil
		}
		if err := touch(at, w.c, n); err != nil {
			return err
		}
		_, err := w.get(firstPage + "&status=Placed")
		return err
	})
	row := b.row(fmt.Sprintf("the same, filtered by status (%d orders)", b.big.Orders), need{})
	row.Note = "a filtered total is counted anew after a change; nothing is promised of it"
	return row, err
}

// touch changes an order, so that nothing remembered of the list stands any more.
func touch(at *fixture, c *caller, n int) error {
	return c.change("/preview/orders/"+orderNumber(n%at.Orders), `{"customerReference":"`+
		strconv.FormatInt(time.Now().UnixNano(), 36)+`"}`)
}

// delta reads what changed: 50 orders of each company.
func delta(ctx context.Context, b both) (Row, error) {
	since := db.TimeOf(time.Now())
	changed := min(deltaSize, b.small.Orders)
	for n := range changed {
		if err := touch(b.small, b.smallW.c, n); err != nil {
			return Row{}, err
		}
		if err := touch(b.big, b.bigW.c, n*(b.big.Orders/changed)); err != nil {
			return Row{}, err
		}
	}
	err := b.eachTurn(ctx, func(_ *fixture, w *watch, n int) error {
		// Each time since another moment before the changes, so that no total is remembered.
		body, err := w.get("/preview/orders?pageSize=200&modifiedSince=" + (since - db.Time(n+1)).String())
		if err != nil {
			return err
		}
		var page struct {
			TotalCount int `json:"totalCount"`
		}
		if err := json.Unmarshal(body, &page); err != nil || page.TotalCount != changed {
			return fmt.Errorf("bench: %d orders were changed, but the delta has %d (%w)", changed, page.TotalCount, err)
		}
		return nil
	})
	return b.row(fmt.Sprintf("delta of %d changed orders out of %d", changed, b.big.Orders), atMost(2)), err
}

// deepPages walks a list from its first page to the 10,000th (fewer where there are fewer), and compares the last ones
// with the first.
func deepPages(ctx context.Context, at *fixture, looks int) (Row, error) {
	size := max(1, min(pageSize, at.Orders/lastPage))
	pages := min(lastPage, at.Orders/size)
	w, err := at.watch()
	if err != nil {
		return Row{}, err
	}
	defer w.c.close()
	path := func(page int) string { return fmt.Sprintf("/preview/orders?page=%d&pageSize=%d", page, size) }
	first := &watch{c: w.c}
	for page := 1; page <= pages; page++ {
		if err := ctx.Err(); err != nil {
			return Row{}, err
		}
		if page > pages-looks {
			if _, err := first.get(path(1)); err != nil {
				return Row{}, err
			}
		}
		if _, err := w.get(path(page)); err != nil {
			return Row{}, err
		}
	}
	last := w.took[max(0, len(w.took)-looks):]
	return timed(fmt.Sprintf("page %d of %d orders each, walked in order", pages, size), last, "page 1", first.took,
		atMost(3)), nil
}
