package purchasing

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// DeleteOrder removes a draft. Refusals: PurchaseOrder.NotFound, PurchaseOrder.InvalidStatus.
func DeleteOrder(tx *db.Tx, orderNumber string) error {
	o, _, err := purchaseOrders.Begin(tx, orderNumber, "delete")
	if err != nil {
		return err
	}
	return purchaseOrders.Drop(tx, &o)
}

// SendOrder sends a draft to the supplier. Refusals: PurchaseOrder.NotFound, PurchaseOrder.InvalidStatus, and
// PurchaseOrder.NoLines (409) for an empty one.
func SendOrder(tx *db.Tx, orderNumber string) (Order, error) {
	o, before, err := purchaseOrders.Begin(tx, orderNumber, "send")
	if err != nil {
		return o, err
	}
	if len(o.Lines) == 0 {
		return o, ErrOrderNoLines.Because("order %s has no lines: add what is to be bought before sending it", o.Number)
	}
	o.SentAt = tx.Now
	if err := saveAndExpect(tx, "send", &o, &before); err != nil {
		return o, err
	}
	return o, tx.Fire(OrderSent{&o})
}

// CloseOrder closes an order; what is outstanding is given up. Refusals: PurchaseOrder.NotFound,
// PurchaseOrder.InvalidStatus.
func CloseOrder(tx *db.Tx, orderNumber string) (Order, error) {
	return moveOrder(tx, orderNumber, "close")
}

// CancelOrder cancels an order of which nothing was received. Refusals: PurchaseOrder.NotFound,
// PurchaseOrder.InvalidStatus.
func CancelOrder(tx *db.Tx, orderNumber string) (Order, error) {
	return moveOrder(tx, orderNumber, "cancel")
}

func moveOrder(tx *db.Tx, orderNumber, verb string) (Order, error) {
	o, before, err := purchaseOrders.Begin(tx, orderNumber, verb)
	if err != nil {
		return o, err
	}
	return o, saveAndExpect(tx, verb, &o, &before)
}

// Confirmation is what a supplier answers to an order.
type Confirmation struct {
	PromisedDate day.Date        // "" = as it was, else the last of the lines' days
	Lines        []ConfirmedLine // none = all as ordered
}

// ConfirmedLine is what a supplier says of one line.
type ConfirmedLine struct {
	Line      int
	Quantity  dec.Dec
	Date      day.Date // "" = the promised one
	UnitPrice *dec.Dec // another price than ordered
}

// ConfirmOrder records the supplier's confirmation, and may be repeated until the first receipt. Lines that are not
// named stay as they are. Refusals: PurchaseOrder.NotFound, PurchaseOrder.InvalidStatus, PurchaseOrderLine.NotFound
// (400), PurchaseOrderLine.QuantityExceedsOrdered, PurchaseOrderLine.Invalid, Quantity.TooManyDecimals.
func ConfirmOrder(tx *db.Tx, orderNumber string, c Confirmation) (Order, error) {
	o, before, err := purchaseOrders.Begin(tx, orderNumber, "confirm")
	if err != nil {
		return o, err
	}
	o.IsConfirmed = true
	o.PromisedDate = cmp.Or(c.PromisedDate, o.PromisedDate)
	if len(c.Lines) == 0 {
		for i := range o.Lines {
			l := &o.Lines[i]
			l.Confirmed, l.ConfirmedDate = l.Quantity, cmp.Or(c.PromisedDate, l.ConfirmedDate, l.ExpectedDate,
				o.ExpectedDate)
		}
	}
	w := writer{tx: tx}
	for i, n := range c.Lines {
		w.wrong.If(slices.ContainsFunc(c.Lines[:i], func(said ConfirmedLine) bool { return said.Line == n.Line }),
			ErrLineInvalid, confirmedField(i, "lineNumber"),
			"line %d is confirmed twice: a line has one quantity and one day, so say them once", n.Line)
		w.confirm(&o, i, n, c.PromisedDate)
	}
	if err := w.finish(&o); err != nil {
		return o, err
	}
	if o.PromisedDate == "" {
		for _, l := range o.Lines {
			o.PromisedDate = max(o.PromisedDate, l.ConfirmedDate)
		}
	}
	return o, saveAndExpect(tx, "confirm", &o, &before)
}

// confirm puts on a line what the supplier said of it.
func (w *writer) confirm(o *Order, i int, n ConfirmedLine, promised day.Date) {
	l := o.Line(n.Line)
	if l == nil {
		w.wrong.Add(ErrLineUnknown, confirmedField(i, "lineNumber"), "purchase order %s has no line %d", o.Number,
			n.Line)
		return
	}
	switch {
	case n.Quantity < 0:
		w.wrong.Add(ErrLineInvalid, confirmedField(i, "confirmedQuantity"),
			"must not be negative; 0 where the supplier has none")
	case n.Quantity > l.Quantity:
		w.wrong.Add(ErrExceedsOrder, confirmedField(i, "confirmedQuantity"),
			"%s is more than the %s of line %d that are ordered: change the line first", n.Quantity, l.Quantity,
			l.Number)
	case n.Quantity.Decimals() > l.Decimals:
		w.wrong.Add(catalog.ErrTooManyDecimals, confirmedField(i, "confirmedQuantity"),
			"item %s is counted with at most %d decimals", l.Item, l.Decimals)
	}
	l.Confirmed, l.ConfirmedDate = n.Quantity, cmp.Or(n.Date, promised, l.ConfirmedDate)
	if n.UnitPrice != nil {
		l.UnitPrice, l.IsManualPrice = *n.UnitPrice, true
	}
	w.check(l, fmt.Sprintf("lines[%d].", i), "unitPrice")
}

func confirmedField(i int, field string) string { return fmt.Sprintf("lines[%d].%s", i, field) }

// Delivery is what arrived of an order at once.
type Delivery struct {
	At      db.Time // 0 = now
	Notes   string
	Arrived []Arrival
}

// Arrival is what came of one line, of one batch and to one place.
type Arrival struct {
	Field    string // prefix of the fields in refusals
	Line     int
	Quantity dec.Dec
	UnitCost *dec.Dec // base currency; nil = the line's price at the rate of the day
	Location string   // "" = the first pickable one
	Batch    string
	Serials  []string
	Expiry   day.Date
	Notes    string
}

// ReceiveOrder books goods that arrived: a receipt, its entries in the ledger, and the waiting orders that they cover.
// Refusals:
// PurchaseOrder.NotFound, PurchaseOrder.InvalidStatus, PurchaseOrderLine.NotFound, PurchaseOrderLine.NotReceivable
// (409) for text, services and what is not kept in stock, PurchaseOrderLine.QuantityExceedsOutstanding (409),
// Quantity.TooManyDecimals, Inventory.InvalidUnitCost and those of stock.TakeIn.
func ReceiveOrder(tx *db.Tx, orderNumber string, d Delivery) (Order, stock.GoodsReceipt, error) {
	var receipt stock.GoodsReceipt
	o, before, err := purchaseOrders.Begin(tx, orderNumber, "receive")
	if err != nil {
		return o, receipt, err
	}
	in, err := o.incoming(tx, d)
	if err != nil {
		return o, receipt, err
	}
	if err := saveOrder(tx, "receive", &o, &before); err != nil {
		return o, receipt, err
	}
	// Last of all, because stock that arrives covers back-orders and so writes sales orders. What is still to come is
	// told after that: orders are locked before levels.
	if receipt, err = stock.TakeIn(tx, in); err != nil {
		return o, receipt, err
	}
	return o, receipt, o.expect(tx, &before)
}

// incoming notes what arrived on the lines, and answers it as stock takes it in.
func (o *Order) incoming(tx *db.Tx, d Delivery) (stock.Incoming, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return stock.Incoming{}, err
	}
	items, err := o.itemsOf(tx, d)
	if err != nil {
		return stock.Incoming{}, err
	}
	on := tx.Today()
	if d.At != 0 {
		on = tx.DayOf(d.At)
	}
	in, err := o.incomingOf(book, func(l *OrderLine) catalog.Item { return items[l.ItemID] }, d, on)
	if err != nil {
		err = in.Refused(tx, err)
	}
	return in, err
}

// incomingOf is incoming for who knows the items; on is the day whose rate the prices are converted at.
func (o *Order) incomingOf(book *reference.Book, itemOf func(*OrderLine) catalog.Item, d Delivery,
	on day.Date) (stock.Incoming, error) {
	in := stock.Incoming{RefType: stock.RefPurchaseOrder, RefID: o.Number, Warehouse: o.WarehouseCode, At: d.At,
		Notes: d.Notes}
	var wrong fault.List
	for _, a := range d.Arrived {
		l := o.Line(a.Line)
		if err := o.refuse(&wrong, l, a); err != nil {
			return in, err
		}
		if a.UnitCost == nil {
			cost, err := o.cost(book, l.UnitPrice, on)
			if err != nil {
				return in, err
			}
			a.UnitCost = &cost
		}
		item := itemOf(l)
		in.Lines = append(in.Lines, stock.IncomingLine{Field: a.Field, Line: l.Number, ItemID: l.ItemID, Item: l.Item,
			ItemName: item.Name, Tracking: item.Tracking, Quantity: a.Quantity, UnitCost: a.UnitCost,
			Location: a.Location, Batch: a.Batch, Serials: a.Serials, Notes: a.Notes, Expiry: a.Expiry})
		if wrong.Empty() {
			l.Received = l.Received.Add(a.Quantity)
		}
	}
	return in, wrong.Err()
}

func (o *Order) itemsOf(tx *db.Tx, d Delivery) (map[string]catalog.Item, error) {
	var ids []string
	for _, a := range d.Arrived {
		if l := o.Line(a.Line); l != nil && l.ItemID != "" {
			ids = append(ids, l.ItemID)
		}
	}
	return catalog.FindByID(tx, ids)
}

// refuse says why something cannot have come of a line, and notes what is wrong with how it was said.
func (o *Order) refuse(wrong *fault.List, l *OrderLine, a Arrival) error {
	if l == nil {
		return ErrLineNotFound.Because("purchase order %s has no line %d", o.Number, a.Line)
	}
	if !l.IsGoods {
		return ErrLineNotGoods.Because("line %d of order %s is not kept in stock: nothing of it is received", l.Number,
			o.Number)
	}
	switch {
	case a.Quantity <= 0:
		wrong.Add(ErrLineInvalid, a.Field+"quantity", "must be above 0")
	case a.Quantity.Decimals() > l.Decimals:
		wrong.Add(catalog.ErrTooManyDecimals, a.Field+"quantity", "item %s is counted with at most %d decimals", l.Item,
			l.Decimals)
	}
	wrong.If(a.UnitCost != nil && *a.UnitCost < 0, stock.ErrCost, a.Field+"unitCost",
		"item %s: a cost is never negative", l.Item)
	if a.UnitCost != nil {
		limit.Price.Check(wrong, a.Field+"unitCost", *a.UnitCost)
	}
	if wrong.Empty() && a.Quantity > l.Outstanding() {
		return ErrExceedsToCome.Because("%s is more than the %s of line %d that are outstanding", a.Quantity,
			l.Outstanding(), l.Number).In(a.Field + "quantity")
	}
	return nil
}

// ReverseReceipt takes a receipt that was keyed wrongly back while its goods are still there: its quantities are
// outstanding again, unless the order is closed. Refusals: Receipt.NotFound, Receipt.InvalidStatus, Receipt.GoodsGone
// (409), and Receipt.NotOfPurchase for a receipt of a transfer.
func ReverseReceipt(tx *db.Tx, receiptNumber, reason string) (stock.GoodsReceipt, error) {
	r, err := stock.FindReceipt(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	if r.Lines[0].PurchaseOrder == "" {
		return r, ErrNotOfPurchase.Because("receipt %s is of a transfer: move the goods back by another transfer",
			r.Number)
	}
	r.Status, err = stock.ReceiptMoves.Check(stock.ErrReceiptInvalidStatus, "goods receipt", r.Number, r.Status, "reverse")
	if err != nil {
		return r, err
	}
	o, before, err := purchaseOrders.Begin(tx, r.Lines[0].PurchaseOrder, "reverse")
	if err != nil {
		return r, err
	}
	for _, l := range r.Lines {
		line := o.Line(l.SourceLine)
		if line == nil || line.Received < l.Quantity {
			return r, stock.ErrReceiptInvalidStatus.Because("receipt %s was reversed at this very moment", r.Number)
		}
		line.Received = line.Received.Sub(l.Quantity)
	}
	if r, err = stock.Reverse(tx, r.Number, reason); err != nil {
		return r, err
	}
	return r, saveAndExpect(tx, "reverse", &o, &before)
}
