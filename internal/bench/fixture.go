package bench

import (
	"encoding/json"
	"errors"
	"math/rand/v2"

	"kontor/internal/foundation/halt"
)

// fixture is a company behind a server: ours with what was loaded, or another with what it happens to have.
type fixture struct {
	firm
	site      *site // nil for a server that was there
	url       string
	orderType string           // of orders that are placed; "" = the company's
	among     func(n int) bool // which items are ordered, every other one; nil: all

	// What a company has that was not loaded by us.
	known struct{ orders, items, customers []string }
}

// dial is a connection to the server that is measured.
func (at *fixture) dial() (*target, *caller) {
	t := newTarget(at.url, at.key)
	return t, t.dial()
}

// hotOrders are orders to be read again and again, spread over all.
func (at *fixture) hotOrders() []string {
	if at.site == nil {
		return at.known.orders
	}
	n := min(hotOrders, at.Orders)
	return listOf(n, func(i int) string { return orderNumber(i * (at.Orders / n)) })
}

// listOf is what of makes of each number from 0 to n-1.
func listOf[T any](n int, of func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

func (at *fixture) item(n int) string {
	if at.site == nil {
		return at.known.items[n%len(at.known.items)]
	}
	if at.among != nil && !at.among(n) {
		n = min(n^1, at.Items-1)
	}
	return itemNumber(n)
}

func (at *fixture) customer(random *rand.Rand) string {
	if at.site == nil {
		return at.known.customers[random.IntN(len(at.known.customers))]
	}
	return customerNumber(random.IntN(at.Customers))
}

// visit looks at what a running server's company has.
func visit(url, key string) *fixture {
	at := &fixture{url: url, firm: firm{key: key}}
	_, c := at.dial()
	defer c.close()
	for _, list := range []struct {
		path, field string
		total       *int
		into        *[]string
	}{
		{"/preview/orders?pageSize=200", "orderNumber", &at.Orders, &at.known.orders},
		{"/preview/items?pageSize=200&type=Stock&isActive=true", "itemNumber", &at.Items, &at.known.items},
		{"/preview/customers?pageSize=200&isActive=true", "customerNumber", &at.Customers, &at.known.customers},
	} {
		*list.total, *list.into = numbers(c, list.path, list.field)
	}
	if at.Orders == 0 || at.Items == 0 || at.Customers == 0 {
		halt.On(errors.New("the company of this key has no orders, no items or no customers to measure with"))
	}
	return at
}

// numbers are the business keys on the first page of a list.
func numbers(c *caller, path, field string) (total int, out []string) {
	var page struct {
		TotalCount int              `json:"totalCount"`
		Items      []map[string]any `json:"items"`
	}
	halt.On(json.Unmarshal(c.read(path).body, &page))
	for _, row := range page.Items {
		if s, ok := row[field].(string); ok {
			out = append(out, s)
		}
	}
	return page.TotalCount, out
}
