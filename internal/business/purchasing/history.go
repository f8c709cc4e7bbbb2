package purchasing

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Past is an order that was sent, confirmed and received before the books began.
type Past struct {
	NewOrder
	// Drafted, Closed or Cancelled; Sent where the supplier has not answered. Anything else follows from the lines.
	Status       OrderStatus
	Closes       bool            // what has not come is given up
	Tax, Freight dec.Dec         // charged on top of the lines, in the order's currency
	Numbers      []int           // of the lines; none = counted from 1
	Confirmed    []ConfirmedLine // Line is an index; of the others the supplier confirmed what was ordered
	Arrived      []PastArrival
}

// PastArrival is what came of a line, on a day.
type PastArrival struct {
	Line     int // index into the order's lines
	On       day.Date
	Quantity dec.Dec
	Location string // "" = the first pickable one
	Batch    string
	Serials  []string
}

// EnterPast writes orders of the past in their final state, each sent and confirmed on its day, and the receipts of
// what came, as of their days, in few statements. Suppliers and items may be inactive by now. stay says that the goods
// still lie in the warehouse: see stock.TakeInPast. The answer has an entry for each order: nil, or why it was refused,
// with what CreateOrder and ReceiveOrder refuse. The error is of all of them: of what stock refuses.
func EnterPast(tx *db.Tx, past []Past, stay bool) ([]error, error) {
	w, err := writerOfPast(tx, past)
	if err != nil {
		return nil, err
	}
	refused := make([]error, len(past))
	var orders []Order
	var deliveries []stock.Incoming
	for i := range past {
		o, arrived, err := w.enter(&past[i])
		if err != nil {
			if fault.As(err).Kind == fault.Internal {
				return nil, err
			}
			refused[i] = err
			continue
		}
		o.Root = record.New(tx)
		orders, deliveries = append(orders, o), append(deliveries, arrived...)
	}
	if err := purchaseOrders.CreateMany(tx, record.Pointers(orders)...); err != nil {
		if tx.Unique(err) {
			err = ErrOrderExists.Because("one of these purchase orders was written at this very moment")
		}
		return nil, err
	}
	var expected []stock.Expectation
	for i := range orders {
		for _, e := range orders[i].expectations(&orders[i]) {
			e.RefID = orders[i].Number
			expected = append(expected, e)
		}
	}
	if err := stock.TakeInPast(tx, deliveries, stay); err != nil {
		return nil, err
	}
	return refused, stock.ExpectNew(tx, stock.RefPurchaseOrder, expected)
}

// pastWriter is a writer that knows the items and suppliers of all the orders it will write.
type pastWriter struct {
	writer
	suppliers map[string]Supplier
}

func writerOfPast(tx *db.Tx, past []Past) (*pastWriter, error) {
	plain, err := writerFor(tx)
	if err != nil {
		return nil, err
	}
	w := &pastWriter{writer: *plain}
	w.past = true
	var suppliers, items []string
	for i := range past {
		suppliers = append(suppliers, past[i].SupplierNumber)
		for _, l := range past[i].Lines {
			items = append(items, l.Item)
		}
	}
	if w.suppliers, err = LockSuppliers(tx, suppliers); err != nil {
		return nil, err
	}
	w.items, err = catalog.FindMany(tx, record.FoldAll(items))
	return w, err
}

// enter makes an order of the past, and the deliveries that it had, day by day.
func (w *pastWriter) enter(p *Past) (Order, []stock.Incoming, error) {
	w.wrong = fault.List{}
	o := Order{Number: p.Number, Status: cmp.Or(p.Status, Sent), OrderHead: p.OrderHead, NextLine: 1, IsSettled: true}
	var ok bool
	if w.supplier, ok = w.suppliers[record.Fold(p.SupplierNumber)]; !ok {
		return o, nil, ErrOrderSupplier.At("supplierNumber", "there is no supplier %s", p.SupplierNumber)
	}
	o.SupplierID, o.SupplierNumber, o.SupplierName = w.supplier.ID, w.supplier.Number, w.supplier.Name
	o.OrderDate = cmp.Or(o.OrderDate, w.tx.Today())
	w.codes(&o, &o)
	o.Tax, o.Freight = p.Tax.Round(o.Digits), p.Freight.Round(o.Digits)
	w.wrong.If(o.Tax < 0 || o.Freight < 0, ErrOrderInvalid, "taxAmount", "and freight must not be negative")
	if err := w.lay(&o, p.Lines, func(i int) string { return fmt.Sprintf("lines[%d].", i) }); err != nil {
		return o, nil, err
	}
	if err := w.wrong.Err(); err != nil {
		return o, nil, err
	}
	for i, number := range p.Numbers {
		o.Lines[i].Number, o.NextLine = number, max(o.NextLine, number+1)
	}
	w.answered(&o, p)
	deliveries, err := w.deliveries(&o, p)
	if err != nil {
		return o, nil, err
	}
	if err := w.finish(&o); err != nil {
		return o, nil, err
	}
	if p.Closes && o.isOnItsWay() {
		o.Status = Closed
	}
	return o, deliveries, nil
}

// answered says that an order was sent on its day, and what the supplier confirmed of it.
func (w *pastWriter) answered(o *Order, p *Past) {
	if o.Status == Drafted {
		return
	}
	o.SentAt = noon(o.OrderDate)
	o.IsConfirmed = p.Status == Confirmed || p.Status == PartiallyConfirmed
	for i := range o.Lines {
		if l := &o.Lines[i]; p.Status != Sent {
			l.Confirmed, l.ConfirmedDate = l.Quantity, l.ExpectedDate
		}
	}
	for _, c := range p.Confirmed {
		at := c.Line
		o.Lines[at].Confirmed, o.Lines[at].ConfirmedDate = 0, ""
		c.Line = o.Lines[at].Number
		w.confirm(o, at, c, "")
	}
	o.IsConfirmed = o.IsConfirmed || slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.Confirmed > 0 })
}

// deliveries are what came of an order, those of a day together, in the order of their days.
func (w *pastWriter) deliveries(o *Order, p *Past) ([]stock.Incoming, error) {
	if len(p.Arrived) > 0 && (o.Status == Drafted || o.Status == Cancelled) {
		return nil, ErrOrderStatus.Because("goods of order %s have come: it cannot be %s", o.Number, o.Status)
	}
	var out []stock.Incoming
	for _, arrived := range each.Together(p.Arrived, func(a PastArrival) day.Date { return a.On }) {
		d := Delivery{At: noon(arrived[0].On)}
		for _, a := range arrived {
			d.Arrived = append(d.Arrived, Arrival{Field: fmt.Sprintf("lines[%d].", a.Line),
				Line: o.Lines[a.Line].Number, Quantity: a.Quantity, Location: a.Location, Batch: a.Batch,
				Serials: a.Serials})
		}
		in, err := o.incomingOf(w.book, w.byID, d, w.tx.DayOf(d.At))
		if err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// noon is a moment of a day of which only the date is known; it is that day in nearly every zone.
func noon(d day.Date) db.Time { return db.TimeOf(d.Time().Add(12 * time.Hour)) }

func (w *pastWriter) byID(l *OrderLine) catalog.Item { return w.items[record.Fold(l.Item)] }

// KnownOrder is an order as a table that names it meets it.
type KnownOrder struct {
	Number, Supplier    string
	Currency            string
	Total, Tax, Freight dec.Dec
}
