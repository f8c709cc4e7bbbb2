package returns

import (
	"cmp"
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// New is what a caller says about a return to register.
type New struct {
	OrderNumber   string
	Reason        Reason
	Lines         []NewLine // none: everything delivered that has not come back
	ReturnDate    day.Date  // empty = today
	RMANumber     string
	WarehouseCode string // empty = the order's
	ExternalNotes string
	InternalNotes string
}

// NewLine is how much of an order line comes back, in the line's unit.
type NewLine struct {
	OrderLine int
	Quantity  dec.Dec
	Condition string
	Notes     string
}

// Create registers a return. No stock moves. A line never returns more than was delivered less what other
// returns have brought back or announced; the order is locked first, so that two of them cannot both
// have the same pieces.
//
// Refuses with SalesOrder.NotFound, SalesOrderLine.NotFound, Warehouse.NotFound, Quantity.TooManyDecimals,
// SalesReturn.QuantityExceedsDelivered and SalesReturn.NoDeliveredLines.
func Create(tx *db.Tx, n New) (Return, error) {
	found, err := sales.Lock(tx, []string{n.OrderNumber})
	if err != nil {
		return Return{}, err
	}
	var wrong fault.List
	o := found[record.Fold(n.OrderNumber)]
	if o == nil {
		wrong.Add(ErrOrderNotFound, "orderNumber", "no order has the number %q", n.OrderNumber)
		_, err := head(tx, n, &sales.Order{}, &wrong)
		return Return{}, cmp.Or(err, wrong.Err())
	}
	announced, err := announcedOf(tx, o.ID)
	if err != nil {
		return Return{}, err
	}
	undelivered, err := shipping.Undelivered(tx, o.ID)
	if err != nil {
		return Return{}, err
	}
	r, err := head(tx, n, o, &wrong)
	if err != nil {
		return r, err
	}
	if err := r.register(n.Lines, o, expected{announced, undelivered}, &wrong); err != nil {
		return r, err
	}
	r.derive()
	return r, returns.Create(tx, &r)
}

// Left is what of each line of an order may still be registered for return, by line number: what was delivered and has
// neither come back nor been announced by another return.
func Left(tx *db.Tx, o *sales.Order) (map[int]dec.Dec, error) {
	announced, err := announcedOf(tx, o.ID)
	if err != nil {
		return nil, err
	}
	undelivered, err := shipping.Undelivered(tx, o.ID)
	if err != nil {
		return nil, err
	}
	e, out := expected{announced, undelivered}, make(map[int]dec.Dec, len(o.Lines))
	for i := range o.Lines {
		out[o.Lines[i].Number] = e.left(&o.Lines[i])
	}
	return out, nil
}

// expected is what of an order's lines a customer cannot register any more though it has left: what other returns have
// announced, and what never reached him because its delivery failed. That is taken back, or sent again.
type expected struct{ announced, undelivered map[int]dec.Dec }

// left is what of a line may still be registered.
func (e expected) left(l *sales.Line) dec.Dec {
	return max(0, l.Delivered.Sub(l.Returned).Sub(e.announced[l.Number]).Sub(e.undelivered[l.Number]))
}

// why says what beside returns keeps a line from being registered.
func (e expected) why(l *sales.Line) fault.Said {
	if q := e.undelivered[l.Number]; q > 0 {
		return fault.Say("; the delivery of %s failed: take that shipment back, or send it again", q)
	}
	return fault.Said{}
}

func head(tx *db.Tx, n New, o *sales.Order, wrong *fault.List) (Return, error) {
	r := Return{RMANumber: n.RMANumber, OrderID: o.ID, OrderNumber: o.Number, CustomerID: o.CustomerID,
		CustomerNumber: o.CustomerNumber, Status: Draft, Reason: n.Reason, ReturnDate: n.ReturnDate,
		WarehouseCode: o.WarehouseCode, CurrencyCode: o.CurrencyCode, Digits: o.Digits, ExternalNotes: n.ExternalNotes,
		InternalNotes: n.InternalNotes}
	r.ReturnDate = cmp.Or(r.ReturnDate, tx.Today())
	if n.WarehouseCode == "" {
		return r, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return r, err
	}
	w, ok := book.Warehouse(n.WarehouseCode)
	wrong.If(!ok, ErrWarehouseNotFound, "warehouseCode",
		"no warehouse has the code %q; GET /preview/reference/warehouses lists them", n.WarehouseCode)
	r.WarehouseCode = w.Code
	return r, nil
}

// register puts the lines on the return, and refuses it where they or the head are wrong.
func (r *Return) register(lines []NewLine, o *sales.Order, e expected, wrong *fault.List) error {
	whole := len(lines) == 0
	delivered := false
	var why fault.Said
	for i := range o.Lines {
		l := &o.Lines[i]
		delivered = delivered || l.Delivered > 0
		if whole && l.Ships() && e.left(l) > 0 {
			lines = append(lines, NewLine{OrderLine: l.Number, Quantity: e.left(l)})
		}
		if !why.Is() {
			why = e.why(l)
		}
	}
	if !delivered {
		wrong.Add(ErrNoDelivered, "orderNumber", "nothing of order %s has been delivered; there is nothing to return",
			o.Number)
		return wrong.Err()
	}
	if len(lines) == 0 {
		wrong.Add(ErrNoDelivered, "orderNumber",
			"everything delivered on order %s has come back or stands on another return%s", o.Number, why)
		return wrong.Err()
	}
	for i, n := range lines {
		l := e.check(i, &n, o, wrong)
		if l == nil {
			continue
		}
		off := discount(l, l.Returned.Add(e.announced[l.Number]), n.Quantity, r.Digits)
		e.announced[l.Number] = e.announced[l.Number].Add(n.Quantity)
		r.Lines = append(r.Lines, Line{Number: i + 1, OrderLine: l.Number, ItemID: l.ItemID, Item: l.Item,
			ItemName: l.Description, Unit: l.Unit, Factor: l.Factor, Decimals: l.Decimals, Ships: l.Ships(),
			Registered: n.Quantity, Quantity: n.Quantity, UnitPrice: l.UnitPrice, DiscountPercent: l.DiscountPercent,
			DiscountAmount: off, IsPriceIncludingTax: l.IsPriceIncludingTax, TaxPercent: l.TaxPercent,
			Condition: n.Condition, Notes: n.Notes})
	}
	return wrong.Err()
}

// check finds the line of the order that the line i of a return is of; nil where that is wrong.
func (e expected) check(i int, n *NewLine, o *sales.Order, wrong *fault.List) *sales.Line {
	l := o.Line(n.OrderLine)
	switch {
	case l == nil:
		wrong.Add(ErrOrderLineNotFound, pathOf(i, "orderLineNumber"), "order %s has no line %d", o.Number, n.OrderLine)
	case n.Quantity <= 0:
		wrong.Add(ErrInvalid, pathOf(i, "quantity"), "must be above 0")
	case n.Quantity.Decimals() > l.Decimals:
		wrong.Add(catalog.ErrTooManyDecimals, pathOf(i, "quantity"), "item %s is counted with at most %d decimals", l.Item,
			l.Decimals)
	case n.Quantity > e.left(l):
		wrong.Add(ErrExceedsDelivered, pathOf(i, "quantity"),
			"%s is more than the %s of line %d that were delivered and have not come back or been announced%s", n.Quantity,
			e.left(l), l.Number, e.why(l))
	default:
		return l
	}
	return nil
}

// discount is what of an order line's discount goes with a quantity that comes back after so much of it.
func discount(l *sales.Line, after, quantity dec.Dec, digits int) dec.Dec {
	if l.DiscountAmount == 0 {
		return 0
	}
	rest := l.Cost(digits).Sub(sales.Part(l.Cost(digits), after, l.Quantity, digits))
	return sales.Amount(quantity, l.UnitPrice, 0, digits).
		Sub(sales.Discounted(rest, quantity, l.Quantity.Sub(after), l.UnitPrice, digits))
}

func pathOf(i int, field string) string { return fmt.Sprintf("lines[%d].%s", i, field) }

// Change lets change alter what may be altered before receipt: RMA number, reason and notes.
//
// Refuses with SalesReturn.NotFound and SalesReturn.InvalidStatus.
func Change(tx *db.Tx, returnNumber string, change func(*Return) error) (Return, error) {
	r, before, err := returns.Begin(tx, returnNumber, "change")
	if err != nil {
		return r, err
	}
	if err := change(&r); err != nil {
		return r, err
	}
	return r, returns.Changed(tx, before, &r)
}

// Approve lets the customer send the goods. Refuses with SalesReturn.NotFound and SalesReturn.InvalidStatus.
func Approve(tx *db.Tx, returnNumber string) (Return, error) {
	r, err := returns.Do(tx, returnNumber, "approve", nil)
	if err != nil {
		return r, err
	}
	return r, tx.Fire(Moved{&r})
}

// Cancel gives a return up before receipt: what it announced may be returned by another. Refuses with
// SalesReturn.NotFound and SalesReturn.InvalidStatus.
func Cancel(tx *db.Tx, returnNumber string) (Return, error) {
	return returns.Do(tx, returnNumber, "cancel", nil)
}

// Credit makes credit notes for what had been invoiced of a received return. Where nothing had been, or all of it was
// given back by hand, there is nothing to give back and the return is closed.
//
// Refuses with SalesReturn.NotFound, SalesReturn.InvalidStatus and what the invoices refuse with.
func Credit(tx *db.Tx, returnNumber string) (Return, error) {
	r, before, err := returns.Begin(tx, returnNumber, "credit")
	if err != nil {
		return r, err
	}
	var owed dec.Dec
	for _, l := range r.Lines {
		owed = owed.Add(l.ToCredit)
	}
	open := 0
	if owed > 0 {
		if err := tx.Fire(Crediting{Return: &r, Open: &open}); err != nil {
			return r, err
		}
	}
	if open == 0 {
		r.Status = Closed
		return r, returns.Act(tx, "close", before, &r)
	}
	return r, returns.Act(tx, "credit", before, &r)
}

// Hold locks a return until the transaction ends. Return.NotFound.
func Hold(tx *db.Tx, returnNumber string) error {
	_, err := returns.Lock(tx, returnNumber)
	return err
}

// CreditBooked closes a return whose last credit note was booked. One that went back to Received, because a credit
// note of it was cancelled, waits to be credited again.
func CreditBooked(tx *db.Tx, returnNumber string) error { return follow(tx, returnNumber, "close") }

// CreditWithdrawn takes a return back to Received when a credit note of it was cancelled, so that it can be credited
// again.
func CreditWithdrawn(tx *db.Tx, returnNumber string) error {
	return follow(tx, returnNumber, "uncredit")
}

// follow moves a return if it may be moved.
func follow(tx *db.Tx, returnNumber, verb string) error {
	if _, err := returns.Do(tx, returnNumber, verb, nil); !fault.Is(err, ErrInvalidStatus) {
		return err
	}
	return nil
}
