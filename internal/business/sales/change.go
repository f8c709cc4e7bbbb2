package sales

import (
	"cmp"
	"slices"

	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Amendment is an order's head while it is being changed.
type Amendment struct {
	Head
	DeliveryAddressID string // of the customer; takes the place of DeliveryAddress
}

// Change changes the head of an order that is Placed or Released. The customer and the currency stay: they decided the
// prices. Another warehouse takes along the lines that were taken from the old one, as far as none of them has moved
// yet; another destination changes the tax of what is not invoiced. Refusals: SalesOrder.NotFound,
// SalesOrder.InvalidStatus, SalesOrder.UnknownCode, SalesOrder.ExternalNumberExists.
func Change(tx *db.Tx, number string, edit func(*Amendment) error) (Order, error) {
	o, before, err := lockToFree(tx, number, "change", func(o *Order) []*Line {
		a := Amendment{Head: o.Head}
		if edit(&a) != nil || a.WarehouseCode == o.WarehouseCode {
			return nil
		}
		return o.lines()
	})
	if err != nil {
		return Order{}, err
	}
	a := Amendment{Head: o.Head}
	if err := edit(&a); err != nil {
		return Order{}, err
	}
	o.Head = a.Head
	d, err := entryFor(tx, nil, false)
	if err != nil {
		return Order{}, err
	}
	if err := d.amend(o, &before, a.DeliveryAddressID); err != nil {
		return Order{}, err
	}
	if err := d.wrong.Err(); err != nil {
		return Order{}, err
	}
	if externalKey(o) != externalKey(&before) {
		if err := tx.Delete(db.Args{"order_id": o.ID}, "sales_order_external"); err != nil {
			return Order{}, err
		}
		if err := takeExternalNumbers(tx, []*Order{o}); err != nil {
			return Order{}, err
		}
	}
	free, err := d.rehouse(o, before.WarehouseCode)
	if err != nil {
		return Order{}, err
	}
	return finishChange(tx, "changed", o, &before, free)
}

// lockFor reads an order for a verb, once to be changed and once as it was, and gives it the status the verb leads to.
// It refuses the verb where the status forbids it.
func lockFor(tx *db.Tx, number, verb string) (o *Order, before Order, err error) {
	if o, err = LockOne(tx, number); err != nil {
		return nil, before, err
	}
	return begun(o, verb)
}

// lockToFree is lockFor for a verb that gives back what lines have allocated: who waits for that is locked with the
// order. lines says which, of the order as it is before it is locked.
func lockToFree(tx *db.Tx, number, verb string, lines func(o *Order) []*Line) (*Order, Order, error) {
	if tx.Alone() {
		return lockFor(tx, number, verb)
	}
	o, err := Find(tx, number)
	if err != nil {
		return nil, Order{}, err
	}
	found, err := LockToCover(tx, []string{o.ID}, freeable(lines(&o)...))
	if err != nil {
		return nil, Order{}, err
	}
	if len(found) == 0 {
		return nil, Order{}, notFound(number)
	}
	return begun(found[0], verb)
}

func (o *Order) lines() []*Line {
	out := make([]*Line, len(o.Lines))
	for i := range o.Lines {
		out[i] = &o.Lines[i]
	}
	return out
}

func begun(o *Order, verb string) (_ *Order, before Order, err error) {
	before = o.clone()
	o.Status, err = Moves.Check(ErrInvalidStatus, "order", o.Number, o.Status, verb)
	return o, before, err
}

// amend checks a changed head and brings what follows from it up to date.
func (d *orderEntry) amend(o, before *Order, addressID string) error {
	o.OrderDate = cmp.Or(o.OrderDate, before.OrderDate)
	o.WarehouseCode = cmp.Or(o.WarehouseCode, d.book.Defaults().Warehouse)
	d.codes(o, &before.Head, "")
	c := party.Customer{Root: record.Root{ID: o.CustomerID}, Number: o.CustomerNumber}
	if o.DeliveryAddress.IsZero() && addressID == "" || o.InvoiceAddress.IsZero() {
		found, err := party.FindMany(d.tx, []string{o.CustomerNumber})
		if err != nil {
			return err
		}
		c = found[record.Fold(o.CustomerNumber)]
	}
	if o.InvoiceAddress.IsZero() {
		o.InvoiceAddress = c.Postal()
	} else {
		o.InvoiceAddress.Check(&d.wrong, "invoiceAddress", before.InvoiceAddress)
	}
	if addressID != "" && o.DeliveryAddress == before.DeliveryAddress {
		o.DeliveryAddress = party.Postal{} // it was not named beside the id, it was there before
	}
	if err := d.address(o, &c, before.DeliveryAddress, addressID, ""); err != nil {
		return err
	}
	if destination(o) == destination(before) && o.OrderDate == before.OrderDate {
		return nil
	}
	for i := range o.Lines {
		if l := &o.Lines[i]; l.Invoiced == 0 {
			d.tax(o, l, "")
		}
	}
	return nil
}

// rehouse moves lines to the order's new warehouse and reserves for them there. What was made for a line lies where it
// was made, and would be free for others: such a line stays. It answers the stock that became free.
func (d *orderEntry) rehouse(o *Order, old string) ([]stock.Key, error) {
	if o.WarehouseCode == old || o.WarehouseCode == "" {
		return nil, nil
	}
	var ws []want
	for i := range o.Lines {
		l := &o.Lines[i]
		isMade := l.IsMadeToOrder() && l.Allocated > 0
		if l.WarehouseCode == old && l.OnShipment == 0 && l.Delivered == 0 && !isMade {
			ws = append(ws, want{order: o, line: l})
		}
	}
	free, err := release(d.tx, ws, nothing)
	if err != nil {
		return nil, err
	}
	for _, w := range ws {
		w.line.WarehouseCode = o.WarehouseCode
	}
	missing := slices.DeleteFunc(ws, func(w want) bool { return w.line.Waits() == 0 })
	return free, reserve(d.tx, missing, stock.AsMuchAsThereIs, func(want) {})
}

// nothing and rest say how much of its allocation a line keeps.
func nothing(*Line) dec.Dec { return 0 }
func rest(l *Line) dec.Dec  { return max(0, l.Quantity.Sub(l.Delivered)) }

// finishChange stores what a verb made of an order, reports it, and offers stock that became free to those who wait for
// it.
func finishChange(tx *db.Tx, action string, o, before *Order, free []stock.Key) (Order, error) {
	if err := store(tx, action, o, before); err != nil {
		return Order{}, err
	}
	if err := demand(tx, o, before); err != nil || len(free) == 0 {
		return *o, err
	}
	if err := cover(tx, free); err != nil {
		return Order{}, err
	}
	return Find(tx, o.Number) // a line of its own may have been waiting
}

// store derives and writes what differs between an order as it was read and as it is now, reports it, and says where
// that can ask less of the customer.
func store(tx *db.Tx, action string, o, before *Order) error {
	derive(o, func(*Line) {})
	version := o.Version
	if err := Orders.Acted(tx, &o.Root, o.Number, action, before, o); err != nil || o.Version == version {
		return err
	}
	if err := writeHead(tx, o); err != nil {
		return err
	}
	var rows []want
	for i := range o.Lines {
		l := &o.Lines[i]
		was := before.Line(l.Number)
		if was == nil || *was != *l || wanted(o, l) != wanted(before, was) || waiting(o, l) != waiting(before, was) {
			rows = append(rows, want{order: o, line: l})
		}
	}
	var gone []int64
	for i := range before.Lines {
		if n := before.Lines[i].Number; o.Line(n) == nil {
			gone = append(gone, int64(n))
		}
	}
	if err := deleteLines(tx, o, gone); err != nil {
		return err
	}
	if err := writeLines(tx, rows); err != nil || o.Status == Cancelled || o.cost() >= before.cost() {
		return err
	}
	return tx.Fire(Lessened{Order: o, IsEdit: action != "close"})
}

// Revision is an order line while it is being changed.
type Revision struct {
	Description           string
	Quantity              dec.Dec
	Unit                  string
	UnitPrice             *dec.Dec // nil: priced by the rule
	DiscountPercent       dec.Dec
	TaxCode               string
	RequestedDeliveryDate day.Date
	WarehouseCode         string
	ExternalLineID        string
}

// Revision is what may be changed of a line, as it is.
func (l *Line) Revision() Revision {
	r := Revision{Description: l.Description, Quantity: l.Quantity, Unit: l.Unit, DiscountPercent: l.DiscountPercent,
		TaxCode: l.TaxCode, RequestedDeliveryDate: l.RequestedDeliveryDate, WarehouseCode: l.WarehouseCode,
		ExternalLineID: l.ExternalLineID}
	if l.IsManualPrice {
		price := l.UnitPrice
		r.UnitPrice = &price
	}
	return r
}

func (r Revision) onto(l *Line) {
	if r.DiscountPercent != l.DiscountPercent {
		l.DiscountAmount, l.KeepsDiscount = 0, false // another agreement
	}
	l.Description, l.Quantity, l.Unit, l.DiscountPercent, l.TaxCode = r.Description, r.Quantity, r.Unit,
		r.DiscountPercent, r.TaxCode
	l.RequestedDeliveryDate, l.WarehouseCode, l.ExternalLineID = r.RequestedDeliveryDate, r.WarehouseCode,
		r.ExternalLineID
	if r.UnitPrice != nil {
		if !l.IsManualPrice || *r.UnitPrice != l.UnitPrice { // an agreed price still comes from where it came
			l.PriceListCode = ""
		}
		l.UnitPrice = *r.UnitPrice
		// a list's price may include tax, the caller's does not
		l.IsPriceIncludingTax = l.IsPriceIncludingTax && l.IsManualPrice
	}
	l.IsManualPrice = r.UnitPrice != nil
}

// AddLine adds a line to an order that is Placed or Released, prices it and reserves what there is for it. Refusals:
// SalesOrder.NotFound, SalesOrder.InvalidStatus and those of Place on lines.
func AddLine(tx *db.Tx, number string, n NewLine) (Order, Line, error) {
	o, before, err := lockFor(tx, number, "change")
	if err != nil {
		return Order{}, Line{}, err
	}
	d, c, err := entryOf(tx, o, n.Item)
	if err != nil {
		return Order{}, Line{}, err
	}
	if err := d.configured([]NewLine{n}); err != nil {
		return Order{}, Line{}, err
	}
	if err := d.lines(o, &c, []NewLine{n}, ""); err != nil {
		return Order{}, Line{}, err
	}
	d.wrong.If(len(o.Lines) > maxLines, ErrInvalid, "lines", "an order has at most %d lines; place another order",
		maxLines)
	if err := d.wrong.Err(); err != nil {
		return Order{}, Line{}, err
	}
	l := &o.Lines[len(o.Lines)-1]
	if l.Waits() > 0 {
		if err := reserve(tx, []want{{order: o, line: l}}, stock.AsMuchAsThereIs, func(want) {}); err != nil {
			return Order{}, Line{}, err
		}
	}
	if err := o.ordered(tx, d.chosen); err != nil {
		return Order{}, Line{}, err
	}
	out, err := finishChange(tx, "changed", o, &before, nil)
	return out, *l, err
}

// entryOf is an order entry for changing lines of one order.
func entryOf(tx *db.Tx, o *Order, item string) (*orderEntry, party.Customer, error) {
	var items []string
	if item != "" {
		items = []string{item}
	}
	d, err := entryFor(tx, items, false)
	if err != nil {
		return nil, party.Customer{}, err
	}
	found, err := party.FindMany(tx, []string{o.CustomerNumber})
	return d, found[record.Fold(o.CustomerNumber)], err
}

// ChangeLine changes a line of an order that is Placed or Released. A line that the rule priced is priced anew when its
// quantity or unit changes. Refusals: SalesOrder.NotFound, SalesOrderLine.NotFound, SalesOrder.InvalidStatus,
// SalesOrderLine.AlreadyShipped below what is shipped or on an open shipment, SalesOrderLine.AlreadyInvoiced, and those
// of Place on lines.
func ChangeLine(tx *db.Tx, number string, line int, edit func(*Revision) error) (Order, Line, error) {
	o, before, l, err := lockLine(tx, number, line)
	if err != nil {
		return Order{}, Line{}, err
	}
	r := l.Revision()
	if err := edit(&r); err != nil {
		return Order{}, Line{}, err
	}
	d, c, err := entryOf(tx, o, l.Item)
	if err != nil {
		return Order{}, Line{}, err
	}
	was := *l
	r.onto(l)
	if err := d.revise(o, l, &was, &c); err != nil {
		return Order{}, Line{}, err
	}
	free, err := d.reallocate(o, l, &was)
	if err != nil {
		return Order{}, Line{}, err
	}
	out, err := finishChange(tx, "changed", o, &before, free)
	if err != nil {
		return Order{}, Line{}, err
	}
	return out, *out.Line(line), nil
}

func lockLine(tx *db.Tx, number string, line int) (o *Order, before Order, l *Line, err error) {
	o, before, err = lockToFree(tx, number, "change", func(o *Order) []*Line {
		if l := o.Line(line); l != nil {
			return []*Line{l}
		}
		return nil
	})
	if err != nil {
		return nil, before, nil, err
	}
	if l = o.Line(line); l == nil {
		err = ErrLineNotFound.Because("order %s has no line %d", o.Number, line)
	}
	return o, before, l, err
}

// revise checks a changed line and prices it anew where the rule decides.
func (d *orderEntry) revise(o *Order, l, was *Line, c *party.Customer) error {
	item, known := d.items[record.Fold(l.Item)]
	if l.ItemID != "" && known {
		l.Unit = cmp.Or(l.Unit, item.SalesUnit, item.BaseUnit)
		l.Description = cmp.Or(l.Description, item.Name)
		l.TaxCode = cmp.Or(l.TaxCode, item.TaxCode)
		d.check(o, l, &item, "")
	} else {
		d.check(o, l, nil, "")
	}
	// What was agreed stays, whatever became of the item's units and the tax rates since.
	if l.Unit == was.Unit {
		l.Factor = was.Factor
	}
	if known {
		d.exact(l, &item, "")
	}
	if was.Invoiced > 0 && l.TaxCode == was.TaxCode {
		l.TaxPercent = was.TaxPercent
	}
	d.wrong.If(l.ItemID == "" && !l.IsManualPrice, ErrNoPrice, "unitPrice",
		"a line without an item needs its own unitPrice")
	if err := l.movable(was); err != nil {
		return err
	}
	l.requantify(was, o.Digits)
	repriced := !l.IsManualPrice && (was.IsManualPrice || l.Quantity != was.Quantity || l.Unit != was.Unit)
	if repriced && known && was.Invoiced == 0 {
		if err := d.recall(l); err != nil {
			return err
		}
		if err := d.price(o, c,
			[]unpriced{{slices.IndexFunc(o.Lines, func(x Line) bool { return x.Number == l.Number }), item,
				""}}); err != nil {
			return err
		}
	}
	if d.wrong.Empty() {
		d.amount(o, l, "")
		d.total(o, "")
	}
	return d.wrong.Err()
}

// movable refuses what shipments and invoices have made of a line to be undone.
func (l *Line) movable(was *Line) error {
	if shipped := was.Delivered.Add(was.OnShipment); l.Ships() && shipped > 0 {
		if l.Quantity < shipped {
			return ErrAlreadyShipped.Because(
				"%s of line %d are shipped or on an open shipment; the quantity cannot be below that", shipped,
				l.Number)
		}
		if l.Unit != was.Unit || l.WarehouseCode != was.WarehouseCode {
			return ErrAlreadyShipped.Because(
				"line %d is shipped or on an open shipment; its unit and warehouse stay as they are", l.Number)
		}
	}
	if was.Invoiced == 0 && was.Returned == 0 {
		return nil
	}
	if billed := max(was.Invoiced, was.Returned); l.Quantity < billed {
		return ErrAlreadyInvoiced.Because("%s of line %d are invoiced or returned; the quantity cannot be below that",
			billed, l.Number)
	}
	if l.Unit != was.Unit || l.TaxCode != was.TaxCode || l.DiscountPercent != was.DiscountPercent ||
		l.UnitPrice != was.UnitPrice {
		return ErrAlreadyInvoiced.Because(
			"line %d is invoiced; its unit, price, discount and tax stay as they are. Credit the invoice to change them",
			l.Number)
	}
	return nil
}

// reallocate gives back what a changed line needs no more, and reserves what it needs now. It answers the stock that
// became free.
func (d *orderEntry) reallocate(o *Order, l, was *Line) ([]stock.Key, error) {
	if !l.Ships() {
		return nil, nil
	}
	is := *l
	keep := rest
	if is.Unit != was.Unit || is.WarehouseCode != was.WarehouseCode {
		keep = nothing
	}
	// What is given back is counted in the old unit and taken from the old warehouse.
	l.Unit, l.Factor, l.WarehouseCode = was.Unit, was.Factor, was.WarehouseCode
	free, err := release(d.tx, []want{{order: o, line: l}}, keep)
	l.Unit, l.Factor, l.WarehouseCode = is.Unit, is.Factor, is.WarehouseCode
	if err != nil || l.Waits() == 0 || l.Quantity == was.Quantity && len(free) == 0 {
		return free, err
	}
	return free, reserve(d.tx, []want{{order: o, line: l}}, stock.AsMuchAsThereIs, func(want) {})
}

// DeleteLine removes a line that is neither shipped, on an open shipment nor invoiced. Refusals: SalesOrder.NotFound,
// SalesOrderLine.NotFound, SalesOrder.InvalidStatus, SalesOrderLine.AlreadyShipped, SalesOrderLine.AlreadyInvoiced,
// SalesOrder.LastLine.
func DeleteLine(tx *db.Tx, number string, line int) (Order, error) {
	o, before, l, err := lockLine(tx, number, line)
	if err != nil {
		return Order{}, err
	}
	switch {
	case l.Ships() && l.Delivered.Add(l.OnShipment) > 0:
		return Order{},
			ErrAlreadyShipped.Because(
				"line %d is shipped or on an open shipment; cancel the shipment, or register a return", line)
	case l.Invoiced > 0 || l.Returned > 0:
		return Order{}, ErrAlreadyInvoiced.Because("line %d is invoiced or returned and stays on the order", line)
	case len(o.Lines) == 1:
		return Order{}, ErrLastLine.Because("line %d is the last one of order %s; cancel the order instead", line,
			o.Number)
	}
	free, err := release(tx, []want{{order: o, line: l}}, nothing)
	if err != nil {
		return Order{}, err
	}
	if err := configuration.Reopened(tx, o.Number, configurationsOf([]Line{*l})); err != nil {
		return Order{}, err
	}
	o.Lines = slices.DeleteFunc(o.Lines, func(x Line) bool { return x.Number == line })
	return finishChange(tx, "changed", o, &before, free)
}
