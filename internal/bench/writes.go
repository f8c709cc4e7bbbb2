package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"kontor/internal/foundation/halt"
)

// placing is the measured order: three lines of items that have prices and stock.
func placing(at *fixture, random *rand.Rand) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"customerNumber":%q,"customerReference":"PO %d",`, at.customer(random), random.IntN(1e6))
	if at.orderType != "" {
		fmt.Fprintf(&b, `"orderTypeCode":%q,`, at.orderType)
	}
	b.WriteString(`"lines":[`)
	first := random.IntN(at.Items)
	for i := range linesPerOrder {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"itemNumber":%q,"quantity":"%d"}`, at.item((first+i*(1+at.Items/4))%at.Items),
			1+random.IntN(5))
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// place sends one order and answers its path.
func place(c *caller, at *fixture, random *rand.Rand) (path string, body []byte) {
	key := fmt.Sprintf("bench-%x-%x", random.Uint64(), rand.Uint64())
	a := c.send(http.MethodPost, "/preview/orders", key, placing(at, random))
	if a.status != http.StatusCreated || a.location == "" || len(a.body) == 0 {
		halt.On(fmt.Errorf("POST /preview/orders answers %d: %.300s", a.status, a.body))
	}
	return a.location, a.body
}

// placeSide are clients that place orders.
func placeSide(t *target, at *fixture) side {
	return t.callers(func(c *caller, n int) func() {
		random := drawing(n)
		return func() { place(c, at, random) }
	})
}

// flow takes an order through the house: placed, released, on a shipment, picked, handed over, which invoices it. It
// answers the path of the order.
func flow(c *caller, at *fixture, random *rand.Rand) (order string) {
	order, _ = place(c, at, random)
	c.act(order + "/release")
	body := `{"orderNumbers":["` + order[strings.LastIndexByte(order, '/')+1:] + `"]}`
	shipment := c.done(http.MethodPost, "/preview/shipments", body, http.StatusCreated)
	c.act(shipment + "/pick")
	c.act(shipment + "/hand-over")
	return order
}

// act is an action without a body.
func (c *caller) act(path string) { c.want(http.StatusOK, http.MethodPost, path, "", "") }

// invoiced checks once that a flow ends with an invoice, so that the measured one is whole.
func invoiced(c *caller, order string) {
	var o struct {
		Status         string   `json:"status"`
		InvoicedStatus string   `json:"invoicedStatus"`
		InvoiceNumbers []string `json:"invoiceNumbers"`
	}
	halt.On(json.Unmarshal(c.read(order).body, &o))
	if o.InvoicedStatus != "FullyInvoiced" || len(o.InvoiceNumbers) != 1 {
		halt.On(fmt.Errorf("bench: an order that was handed over is %s and %s: it should be invoiced", o.Status,
			o.InvoicedStatus))
	}
}

// measurePlacing compares POST order with a bare transaction of the same rows, or where we cannot see the database
// (another server) with a bare handler.
func measurePlacing(ctx context.Context, at *fixture, p pace) Row {
	const name = "POST order of 3 lines"
	t, c := at.dial()
	defer c.close()
	order, body := place(c, at, drawing(1))
	if at.site == nil {
		b := serveBare(http.StatusCreated, body, nil)
		defer b.close()
		got := drive(ctx, p, placeSide(t, at), placeSide(newTarget(b.url, at.key), at))
		return rated(name, "orders/s", got[0], "bare handler", got[1], need{})
	}
	row := besideRows(ctx, at, p, placingRows(), order, placeSide(t, at), atLeast(0.40))
	row.Work, row.Unit = name, "orders/s"
	return row
}

// measurePublished compares placing orders of items that a store shows, and whose search follows what is there, with
// placing those of others.
func (m *measuring) measurePublished(ctx context.Context) Row {
	store := selling{measuring: *m, firm: m.big.firm}
	store.searchable(ctx, m.site.url, nil)
	t := newTarget(m.big.url, m.big.key)
	published, others := *m.big, *m.big
	published.among, others.among = isPublished, func(n int) bool { return !isPublished(n) }
	got := drive(ctx, m.pace("place"), placeSide(t, &published), placeSide(t, &others))
	return rated("POST order of 3 lines, items published in a store", "orders/s", got[0], "of other items", got[1],
		atLeast(0.95))
}

// measureReleasing compares placing and releasing an order with placing it.
func measureReleasing(ctx context.Context, at *fixture, p pace) Row {
	t := newTarget(at.url, at.key)
	releasing := t.callers(func(c *caller, n int) func() {
		random := drawing(n)
		return func() {
			order, _ := place(c, at, random)
			c.act(order + "/release")
		}
	})
	got := drive(ctx, p, releasing, placeSide(t, at))
	return rated("place and release one order", "orders/s", got[0], "POST order", got[1], need{})
}

// besideRows compares an operation with a bare transaction of the rows that it has just written for a document.
func besideRows(ctx context.Context, at *fixture, p pace, o operation, document string, ours side,
	n need) Row {
	l := newLedger(ctx, at.site.kontor, at.firm, o, document[strings.LastIndexByte(document, '/')+1:])
	defer l.clear(context.WithoutCancel(ctx))
	against, yardstick, end := asWeWork(ctx, l.engine.OneWriter, l.writer)
	defer end()
	got := drive(ctx, p, ours, yardstick)
	return rated("", "", got[0], against, got[1], n)
}

// measureFlow compares the whole way of an order with placing it.
func measureFlow(ctx context.Context, at *fixture, p pace) Row {
	t, c := at.dial()
	defer c.close()
	invoiced(c, flow(c, at, drawing(1)))
	flowing := t.callers(func(c *caller, n int) func() {
		random := drawing(n)
		return func() { flow(c, at, random) }
	})
	got := drive(ctx, p, flowing, placeSide(t, at))
	row := rated("place, release, ship, pick, hand over and invoice one order", "orders/s", got[0], "POST order",
		got[1], atLeast(0.25))
	row.Note = "five requests, each a durable transaction of its own"
	return row
}
