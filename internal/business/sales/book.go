package sales

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Delta is what a shipment, an invoice or a return changes on an order line: signed, in the line's unit.
//
//   - goods put on a shipment: OnShipment +q (they stay allocated)
//   - handed over: OnShipment -q, Allocated -q, Delivered +q
//   - shipment cancelled: OnShipment -q
//   - taken back after a failed delivery: Delivered -q
//   - invoiced: Invoiced +q, InvoicedAmount + what the invoice asks for it; an invoice cancelled, or credited so that
//     it can be billed again: both with a minus
//   - returned: Returned +q (what was not invoiced yet is taken first and never will be); a credit note for
//     returned goods leaves Invoiced
type Delta struct {
	OrderID                                              string
	Line                                                 int
	Allocated, OnShipment, Delivered, Returned, Invoiced dec.Dec
	InvoicedAmount                                       dec.Dec // in the terms of the line's price
}

// Book applies deltas to lines of orders read by Lock or made by Compose, and is the only way their quantities change.
// It refuses with SalesOrderLine.QuantityOutOfRange what no line can have, derives the statuses, closes an
// order once everything is delivered and invoiced (and opens it again when that ceases to hold), writes
// the changed rows and reports every order once under the name action; of an order from Compose, Enter will.
func Book(tx *db.Tx, action string, orders []*Order, deltas []Delta) error {
	if len(deltas) == 0 {
		return nil
	}
	byID := make(map[string]*booking, len(orders))
	bookings := make([]*booking, 0, len(orders))
	for _, o := range orders {
		b := open(o)
		byID[o.ID] = b
		bookings = append(bookings, b)
	}
	for i := range deltas {
		b := byID[deltas[i].OrderID]
		if b == nil {
			return fmt.Errorf("sales: %s books on an order that was not locked", action)
		}
		if err := b.apply(&deltas[i]); err != nil {
			return err
		}
	}
	return finish(tx, action, bookings)
}

// booking is one order while its lines change.
type booking struct {
	order  *Order
	was    Order        // the head before
	lines  map[int]Line // the touched lines before
	detail map[string][2]any
}

// open begins a booking on an order as it was read.
func open(o *Order) *booking {
	if o.fresh != nil && len(o.fresh.acts) == 0 {
		o.fresh.after = o.logged()
	}
	return &booking{order: o, was: *o}
}

// touch remembers a line as it was before its first change.
func (b *booking) touch(l *Line) {
	if b.lines == nil {
		b.lines = map[int]Line{}
	}
	if _, ok := b.lines[l.Number]; !ok {
		b.lines[l.Number] = *l
	}
}

// touched reports whether a line was.
func (b *booking) touched(line int) bool { _, ok := b.lines[line]; return ok }

// headChanged reports whether a derived column of the head is to be written.
func (b *booking) headChanged() bool {
	is, was := b.order, &b.was
	return is.Status != was.Status || is.GivenUp != was.GivenUp || is.PlacedAt != was.PlacedAt ||
		is.Delivery != was.Delivery || is.Invoicing != was.Invoicing || is.DeliveredPercent != was.DeliveredPercent ||
		is.PlannedDeliveryDate != was.PlannedDeliveryDate || is.TotalAmount != was.TotalAmount ||
		is.TotalVAT != was.TotalVAT || is.LineCount != was.LineCount
}

func (b *booking) apply(d *Delta) error {
	l := b.order.Line(d.Line)
	if l == nil {
		return ErrLineNotFound.Because("order %s has no line %d", b.order.Number, d.Line)
	}
	b.touch(l)
	if d.Returned > 0 {
		l.ReturnedUnbilled = l.ReturnedUnbilled.Add(min(d.Returned, l.Billable()))
	}
	l.Allocated = l.Allocated.Add(d.Allocated)
	l.OnShipment = l.OnShipment.Add(d.OnShipment)
	l.Delivered = l.Delivered.Add(d.Delivered)
	l.Returned = l.Returned.Add(d.Returned)
	l.Invoiced = l.Invoiced.Add(d.Invoiced)
	l.InvoicedAmount = l.InvoicedAmount.Add(d.InvoicedAmount)
	return nil
}

// finish checks, derives, writes and reports what was booked.
func finish(tx *db.Tx, action string, bookings []*booking) error {
	var (
		wrong   fault.List
		changes []record.Change
		done    []*booking
	)
	for _, b := range bookings {
		for i := range b.order.Lines {
			if l := &b.order.Lines[i]; b.touched(l.Number) {
				l.check(&wrong, fmt.Sprintf("lines[%d]", i), b.order.Number)
			}
		}
		derive(b.order, b.touch)
		if b.describe(); len(b.detail) == 0 {
			continue
		}
		if b.order.fresh != nil {
			b.order.fresh.acts = append(b.order.fresh.acts, record.Act{Action: action, Detail: b.detail})
			continue
		}
		done = append(done, b)
		changes = append(changes, record.Change{Root: &b.order.Root, Key: b.order.Number, Action: action,
			Detail: b.detail})
	}
	if !wrong.Empty() {
		f := fault.As(wrong.Err())
		f.Kind = fault.Conflict
		return f
	}
	if err := writeQuantities(tx, done); err != nil {
		return err
	}
	if err := report(tx, action, changes); err != nil {
		return err
	}
	for _, b := range done {
		if b.lessens() {
			if err := tx.Fire(Lessened{Order: b.order}); err != nil {
				return err
			}
		}
	}
	return nil
}

func report(tx *db.Tx, action string, changes []record.Change) error {
	if len(changes) == 1 {
		return Orders.Touched(tx, changes[0].Root, changes[0].Key, action, changes[0].Detail)
	}
	return Orders.ReportMany(tx, changes)
}

// lessens reports whether the order can ask less of its customer than before: see Lessened.
func (b *booking) lessens() bool {
	for n, was := range b.lines {
		if b.order.due(b.order.Line(n)) < b.was.due(&was) {
			return true
		}
	}
	return false
}

// check notes every bound that the quantities of a line break, which lies at the path.
func (l *Line) check(wrong *fault.List, path, order string) {
	refuse := func(rule string, is, limit dec.Dec) {
		wrong.Add(ErrQuantity, path, "line %d of order %s: %s (%s against %s)", l.Number, order, rule, is, limit)
	}
	switch {
	case min(l.Allocated, l.OnShipment, l.Delivered, l.Returned, l.Invoiced) < 0:
		refuse("no quantity may fall below zero", min(l.Allocated, l.OnShipment, l.Delivered, l.Returned, l.Invoiced),
			0)
	case l.OnShipment > l.Allocated:
		refuse("only allocated goods can be put on a shipment", l.OnShipment, l.Allocated)
	case l.Allocated.Add(l.Delivered) > l.Quantity:
		refuse("not more can be delivered than is ordered", l.Allocated.Add(l.Delivered), l.Quantity)
	case l.Returned > l.Delivered:
		refuse("not more can come back than was delivered", l.Returned, l.Delivered)
	case l.Invoiced > l.Quantity:
		refuse("not more can be invoiced than is ordered", l.Invoiced, l.Quantity)
	}
}

// maxLogged is how many lines of one booking the activity log spells out; the document that caused a larger one
// has them all.
const maxLogged = 100

// describe says what changed, before and after.
func (b *booking) describe() {
	b.detail = map[string][2]any{}
	head := func(name string, was, is any) {
		if was != is {
			b.detail[name] = [2]any{was, is}
		}
	}
	head("status", string(b.was.Status), string(b.order.Status))
	head("deliveryStatus", string(b.was.Delivery), string(b.order.Delivery))
	head("invoicedStatus", string(b.was.Invoicing), string(b.order.Invoicing))
	if len(b.lines) > maxLogged {
		b.detail["lines"] = [2]any{nil, fmt.Sprintf("%d lines booked", len(b.lines))}
		return
	}
	for n, was := range b.lines {
		is := b.order.Line(n)
		line := func(name string, was, is dec.Dec) {
			if was != is {
				b.detail[fmt.Sprintf("lines[%d].%s", n, name)] = [2]any{was, is}
			}
		}
		line("allocated", was.Allocated, is.Allocated)
		line("onShipment", was.OnShipment, is.OnShipment)
		line("delivered", was.Delivered, is.Delivered)
		line("returned", was.Returned, is.Returned)
		line("invoiced", was.Invoiced, is.Invoiced)
	}
}
