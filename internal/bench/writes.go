package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
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
func place(c *caller, at *fixture, random *rand.Rand) (path string, body []byte, err error) {
	key := fmt.Sprintf("bench-%x-%x", random.Uint64(), rand.Uint64())
	a, err := c.send(http.MethodPost, "/preview/orders", key, placing(at, random))
	if err == nil && (a.status != http.StatusCreated || a.location == "" || len(a.body) == 0) {
		err = fmt.Errorf("POST /preview/orders answers %d: %.300s", a.status, a.body)
	}
	return a.location, a.body, err
}

// placeSide are clients that place orders.
func placeSide(t *target, at *fixture) side {
	return t.callers(func(c *caller, n int) func() error {
		random := drawing(n)
		return func() error { _, _, err := place(c, at, random); return err }
	})
}

// flowSide are clients that take one order after another through the house: placed, released, on a shipment, picked,
// handed over, which invoices it.
func flowSide(t *target, at *fixture) side {
	return t.callers(func(c *caller, n int) func() error {
		random := drawing(n)
		return func() error { _, err := flow(c, at, random); return err }
	})
}

// flow answers the path of its order.
func flow(c *caller, at *fixture, random *rand.Rand) (string, error) {
	order, _, err := place(c, at, random)
	if err != nil {
		return "", err
	}
	if err := c.act(order + "/release"); err != nil {
		return "", err
	}
	body := `{"orderNumbers":["` + order[strings.LastIndexByte(order, '/')+1:] + `"]}`
	shipment, err := c.done(http.MethodPost, "/preview/shipments", body, http.StatusCreated)
	if err != nil {
		return "", err
	}
	if err := c.act(shipment + "/pick"); err != nil {
		return "", err
	}
	return order, c.act(shipment + "/hand-over")
}

// act is an action without a body.
func (c *caller) act(path string) error {
	a, err := c.send(http.MethodPost, path, "", nil)
	return a.expect(err, http.StatusOK, http.MethodPost, path)
}

// invoiced checks once that a flow ends with an invoice, so that the measured one is whole.
func invoiced(c *caller, order string) error {
	a, err := c.read(order)
	if err != nil {
		return err
	}
	var o struct {
		Status         string   `json:"status"`
		InvoicedStatus string   `json:"invoicedStatus"`
		InvoiceNumbers []string `json:"invoiceNumbers"`
	}
	if err := json.Unmarshal(a.body, &o); err != nil {
		return err
	}
	if o.InvoicedStatus != "FullyInvoiced" || len(o.InvoiceNumbers) != 1 {
		return fmt.Errorf("bench: an order that was handed over is %s and %s: it should be invoiced", o.Status,
			o.InvoicedStatus)
	}
	return nil
}

// measurePlacing compares POST order with a bare transaction of the same rows, or where we cannot see the database
// (another server) with a bare handler.
func measurePlacing(ctx context.Context, at *fixture, p pace) (Row, error) {
	const name = "POST order of 3 lines"
	t, c, err := at.dial()
	if err != nil {
		return Row{}, err
	}
	defer c.close()
	order, body, err := place(c, at, drawing(1))
	if err != nil {
		return Row{}, err
	}
	if at.site == nil {
		return besideBare(ctx, at, p, name, body, placeSide(t, at))
	}
	row, err := besideRows(ctx, at, p, placingRows(), order, placeSide(t, at), atLeast(0.40))
	row.Work, row.Unit = name, "orders/s"
	return row, err
}

// measurePublished compares placing orders of items that a store shows, and whose search follows what is there, with
// placing those of others.
func (m *measuring) measurePublished(ctx context.Context) (Row, error) {
	store := selling{measuring: *m, firm: m.big.firm}
	if _, err := store.searchable(ctx, m.site.url, nil); err != nil {
		return Row{}, err
	}
	t, err := newTarget(m.big.url, m.big.key)
	if err != nil {
		return Row{}, err
	}
	published, others := *m.big, *m.big
	published.among, others.among = isPublished, func(n int) bool { return !isPublished(n) }
	got, err := drive(ctx, m.pace("place"), placeSide(t, &published), placeSide(t, &others))
	if err != nil {
		return Row{}, err
	}
	return rated("POST order of 3 lines, items published in a store", "orders/s", got[0], "of other items", got[1],
		atLeast(0.95)), nil
}

// measureReleasing compares placing and releasing an order with placing it.
func measureReleasing(ctx context.Context, at *fixture, p pace) (Row, error) {
	t, err := newTarget(at.url, at.key)
	if err != nil {
		return Row{}, err
	}
	releasing := t.callers(func(c *caller, n int) func() error {
		random := drawing(n)
		return func() error {
			order, _, err := place(c, at, random)
			if err == nil {
				err = c.act(order + "/release")
			}
			return err
		}
	})
	got, err := drive(ctx, p, releasing, placeSide(t, at))
	if err != nil {
		return Row{}, err
	}
	return rated("place and release one order", "orders/s", got[0], "POST order", got[1], need{}), nil
}

// besideRows compares an operation with a bare transaction of the rows that it has just written for a document.
func besideRows(ctx context.Context, at *fixture, p pace, o operation, document string, ours side,
	n need) (Row, error) {
	l, err := newLedger(ctx, at.site.kontor, at.firm, o, document[strings.LastIndexByte(document, '/')+1:])
	if err != nil {
		return Row{}, err
	}
	defer l.clear(context.WithoutCancel(ctx))
	against, yardstick, stop, err := asWeWork(ctx, l.engine.OneWriter, l.writer)
	if err != nil {
		return Row{}, err
	}
	defer stop()
	got, err := drive(ctx, p, ours, yardstick)
	if err != nil {
		return Row{}, err
	}
	return rated("", "", got[0], against, got[1], n), nil
}

func besideBare(ctx context.Context, at *fixture, p pace, name string, body []byte, ours side) (Row, error) {
	b, err := serveBare(http.StatusCreated, body, nil)
	if err != nil {
		return Row{}, err
	}
	defer b.close()
	theirs, err := newTarget(b.url, at.key)
	if err != nil {
		return Row{}, err
	}
	got, err := drive(ctx, p, ours, placeSide(theirs, at))
	if err != nil {
		return Row{}, err
	}
	return rated(name, "orders/s", got[0], "bare handler", got[1], need{}), nil
}

// measureFlow compares the whole way of an order with placing it.
func measureFlow(ctx context.Context, at *fixture, p pace) (Row, error) {
	t, c, err := at.dial()
	if err != nil {
		return Row{}, err
	}
	defer c.close()
	order, err := flow(c, at, drawing(1))
	if err == nil {
		err = invoiced(c, order)
	}
	if err != nil {
		return Row{}, err
	}
	got, err := drive(ctx, p, flowSide(t, at), placeSide(t, at))
	if err != nil {
		return Row{}, err
	}
	row := rated("place, release, ship, pick, hand over and invoice one order", "orders/s", got[0], "POST order",
		got[1], atLeast(0.25))
	row.Note = "five requests, each a durable transaction of its own"
	return row, nil
}
