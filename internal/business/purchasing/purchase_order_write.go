package purchasing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// NewOrder is what a caller says about an order to be made. Without a number it gets the next of the series.
type NewOrder struct {
	Number string
	OrderHead
	Lines []NewLine
}

// NewLine is a line to be put on an order.
type NewLine struct {
	Item         string // number; "" for a line of text
	Description  string // "" = the item's name
	Quantity     dec.Dec
	UnitPrice    *dec.Dec // nil = the supplier item's
	ExpectedDate day.Date
}

// writer is an order being written, with what its lines are checked against.
type writer struct {
	tx       *db.Tx
	book     *reference.Book
	supplier Supplier
	items    map[string]catalog.Item // by folded number
	offers   map[string]SupplierItem // by item id
	wrong    fault.List
	past     bool // what is inactive now was not then
}

func writerFor(tx *db.Tx) (*writer, error) {
	book, err := reference.Of(tx)
	return &writer{tx: tx, book: book, items: map[string]catalog.Item{}, offers: map[string]SupplierItem{}}, err
}

// CreateOrder writes a draft. Refusals (400): Supplier.NotFound, Supplier.Inactive, Item.NotFound, Item.Inactive,
// PurchaseOrder.UnknownCode, PurchaseOrderLine.NoPrice, PurchaseOrderLine.Invalid, Quantity.TooManyDecimals; (409)
// PurchaseOrder.AlreadyExists.
func CreateOrder(tx *db.Tx, n NewOrder) (Order, error) {
	w, err := writerFor(tx)
	if err != nil {
		return Order{}, err
	}
	o := Order{Number: n.Number, Status: Drafted, OrderHead: n.OrderHead, NextLine: 1}
	if err := w.refer(itemsOf(n.Lines)); err != nil {
		return o, err
	}
	if err := w.use(&o, n.SupplierNumber); err != nil {
		return o, err
	}
	o.OrderDate = cmp.Or(o.OrderDate, tx.Today())
	w.codes(&o, nil)
	if err := w.add(&o, n.Lines, func(i int) string { return fmt.Sprintf("lines[%d].", i) }); err != nil {
		return o, err
	}
	if err := w.finish(&o); err != nil {
		return o, err
	}
	return o, purchaseOrders.Create(tx, &o)
}

// use puts the supplier on an order, as it is now, or notes that there is none to buy from.
func (w *writer) use(o *Order, supplierNumber string) (err error) {
	w.supplier, err = Use(w.tx, supplierNumber)
	if fault.Is(err, ErrSupplierNotFound) {
		err = ErrOrderSupplier.At("supplierNumber", "there is no supplier %s", supplierNumber)
	}
	o.SupplierID, o.SupplierNumber, o.SupplierName = w.supplier.ID, w.supplier.Number, w.supplier.Name
	return w.wrong.AddError(err)
}

// codes fills in what the head leaves open and checks the rest. A code that was on the order before stays good.
func (w *writer) codes(o, before *Order) {
	o.CurrencyCode = cmp.Or(o.CurrencyCode, w.supplier.CurrencyCode, w.book.Base().Code)
	o.WarehouseCode = cmp.Or(o.WarehouseCode, w.book.Defaults().Warehouse)
	if c, ok := w.book.Currency(o.CurrencyCode); ok && (c.IsActive || before != nil && before.CurrencyCode == c.Code) {
		o.CurrencyCode, o.Digits = c.Code, c.Decimals
	} else {
		w.wrong.Add(ErrOrderUnknownCode, "currencyCode", "%q is no %s; GET /preview/reference/%s lists them",
			o.CurrencyCode, "active currency", "currencies")
	}
	if x, ok := w.book.Warehouse(o.WarehouseCode); ok &&
		(x.IsActive || before != nil && before.WarehouseCode == x.Code) {
		o.WarehouseCode = x.Code
	} else {
		w.wrong.Add(ErrOrderUnknownCode, "warehouseCode", "%q is no %s; GET /preview/reference/%s lists them",
			o.WarehouseCode, "active warehouse", "warehouses")
	}
}

// add puts lines on an order; at answers what stands before the fields of one in a refusal.
func (w *writer) add(o *Order, lines []NewLine, at func(i int) string) error {
	if err := w.know(itemsOf(lines)); err != nil {
		return err
	}
	return w.lay(o, lines, at)
}

// lay is add for who knows the items already.
func (w *writer) lay(o *Order, lines []NewLine, at func(i int) string) error {
	for i, n := range lines {
		l := OrderLine{Number: o.NextLine, Description: n.Description, Quantity: n.Quantity,
			ExpectedDate: n.ExpectedDate, Decimals: dec.Scale}
		o.NextLine++
		if n.Item != "" && !w.identify(&l, n, at(i)) {
			continue
		}
		w.wrong.If(n.Item == "" && n.Description == "", ErrLineInvalid, at(i)+"itemNumber",
			"a line needs an itemNumber, or a description with a unitPrice")
		if l.IsManualPrice = n.UnitPrice != nil; l.IsManualPrice {
			l.UnitPrice = *n.UnitPrice
		} else if err := w.price(o, &l, at(i)); err != nil {
			return err
		}
		w.check(&l, at(i), "quantity")
		o.Lines = append(o.Lines, l)
	}
	w.wrong.If(len(o.Lines) > MaxLines, ErrLineInvalid, "lines", "an order has at most %d lines; write another order",
		MaxLines)
	return nil
}

// itemsOf are the numbers of the items that new lines name, each once.
func itemsOf(lines []NewLine) []string {
	return each.Given(lines, func(l NewLine) string { return l.Item })
}

// refer reads items that stay until the commit, before the supplier is held: everybody locks them in this order.
func (w *writer) refer(numbers []string) error {
	numbers = each.Where(numbers, func(n string) bool { return w.items[record.Fold(n)].ID == "" })
	found, err := catalog.ReferMany(w.tx, numbers)
	maps.Copy(w.items, found)
	return err
}

// know reads items, and what the supplier says of them.
func (w *writer) know(numbers []string) error {
	err := w.refer(numbers)
	if err != nil || len(w.items) == 0 || w.supplier.ID == "" {
		return err
	}
	w.offers, err = OffersOf(w.tx, w.supplier, each.Of(slices.Collect(maps.Values(w.items)),
		func(i catalog.Item) string { return i.ID }))
	return err
}

// identify puts the item on a line, and reports whether there is such an item.
func (w *writer) identify(l *OrderLine, n NewLine, at string) bool {
	item, ok := w.items[record.Fold(n.Item)]
	if !ok {
		w.wrong.Add(ErrOrderItem, at+"itemNumber", "there is no item %s", n.Item)
		return false
	}
	w.wrong.If(!item.IsActive && !w.past, catalog.ErrInactive, at+"itemNumber",
		"item %s is inactive: choose another, or set it active first", item.Number)
	l.ItemID, l.Item, l.Unit, l.Decimals, l.IsGoods = item.ID, item.Number, item.BaseUnit, item.DecimalPlaces,
		item.Type == catalog.Stock
	l.Description = cmp.Or(n.Description, item.Name)
	return true
}

// price is the supplier item's in the order's currency, at the rate of the order's day. Of an unknown supplier nobody
// knows it.
func (w *writer) price(o *Order, l *OrderLine, at string) error {
	if w.supplier.ID == "" {
		return nil
	}
	offer, ok := w.offers[l.ItemID]
	if l.ItemID == "" || !ok || offer.PriceOn(o.OrderDate) == nil {
		w.wrong.Add(ErrLineNoPrice, at+"unitPrice", "supplier %s has no price of this on %s: give a unitPrice",
			w.supplier.Number, o.OrderDate)
		return nil
	}
	price, err := convert(w.book, *offer.PriceOn(o.OrderDate), offer.Currency(w.supplier, w.book), o.CurrencyCode,
		o.OrderDate)
	if err != nil {
		return w.wrong.AddError(err)
	}
	l.UnitPrice = price
	return nil
}

// check notes what is wrong with the numbers of a line; what makes it come to too much was given in the field large.
func (w *writer) check(l *OrderLine, at, large string) {
	switch {
	case l.Quantity <= 0:
		w.wrong.Add(ErrLineInvalid, at+"quantity", "must be above 0")
	case l.Quantity.Decimals() > l.Decimals:
		w.wrong.Add(catalog.ErrTooManyDecimals, at+"quantity", "item %s is counted with at most %d decimals", l.Item,
			l.Decimals)
	}
	limit.Quantity.Check(&w.wrong, at+"quantity", l.Quantity)
	w.wrong.If(l.UnitPrice < 0, ErrLineInvalid, at+"unitPrice", "must not be negative")
	limit.Price.Check(&w.wrong, at+"unitPrice", l.UnitPrice)
	w.wrong.If(w.wrong.Empty() && !limit.Amount.Holds(func() dec.Dec { return l.Quantity.Mul(l.UnitPrice) }),
		limit.ErrAmount, at+large,
		"makes the line come to more than the largest amount of a line, %s: lower the quantity or the price",
		limit.Amount.Most())
}

// finish derives the order's sums, or says what is wrong with it.
func (w *writer) finish(o *Order) error {
	if err := w.wrong.Err(); err != nil {
		return err
	}
	if !limit.Total.Holds(func() dec.Dec { o.derive(); return o.Total }) {
		return limit.ErrAmount.At("lines",
			"come to more than the largest total of a document, %s: divide them among several", limit.Total.Most())
	}
	return nil
}

// saveOrder derives and writes what differs from before, reports it. What the order lets stock
// expect is told separately, by expect: after goods have come in.
func saveOrder(tx *db.Tx, action string, o, before *Order) error {
	o.derive()
	return purchaseOrders.Act(tx, action, *before, o)
}

// saveAndExpect is saveOrder, and stock learns what is to come.
func saveAndExpect(tx *db.Tx, action string, o, before *Order) error {
	if err := saveOrder(tx, action, o, before); err != nil {
		return err
	}
	return o.expect(tx, before)
}

func (o *Order) expect(tx *db.Tx, before *Order) error {
	return stock.Expect(tx, stock.RefPurchaseOrder, o.Number, o.expectations(before))
}

// ChangeOrder lays edit over an order's head. Supplier and currency change in Draft alone: then prices that are the
// supplier item's are found anew, and those given are converted. Refusals: PurchaseOrder.NotFound,
// PurchaseOrder.InvalidStatus and those of CreateOrder.
func ChangeOrder(tx *db.Tx, number string, edit func(*OrderHead) error) (Order, error) {
	o, before, err := purchaseOrders.Begin(tx, number, "change")
	if err != nil {
		return o, err
	}
	if err := edit(&o.OrderHead); err != nil {
		return o, err
	}
	w, err := writerFor(tx)
	if err != nil {
		return o, err
	}
	o.OrderDate = cmp.Or(o.OrderDate, before.OrderDate)
	other := record.Fold(o.SupplierNumber) != record.Fold(before.SupplierNumber)
	if other {
		if err := w.refer(o.items()); err != nil {
			return o, err
		}
		if err := w.use(&o, o.SupplierNumber); err != nil {
			return o, err
		}
	} else if w.supplier, err = FindSupplier(tx, before.SupplierNumber); err != nil {
		return o, err
	}
	o.SupplierNumber = w.supplier.Number
	w.codes(&o, &before)
	if w.wrong.Empty() && (other || o.CurrencyCode != before.CurrencyCode) {
		if before.Status != Drafted {
			return o,
				ErrOrderStatus.Because("supplier and currency of order %s stay as they were sent; the status is %s",
					o.Number, before.Status)
		}
		if err := w.reprice(&o, &before); err != nil {
			return o, err
		}
	}
	if err := w.finish(&o); err != nil {
		return o, err
	}
	return o, saveAndExpect(tx, "changed", &o, &before)
}

// reprice finds the prices of lines anew.
func (w *writer) reprice(o, before *Order) error {
	if err := w.know(o.items()); err != nil {
		return err
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		var err error
		if !l.IsManualPrice {
			err = w.price(o, l, fmt.Sprintf("lines[%d].", i))
		} else if l.UnitPrice, err = convert(w.book, l.UnitPrice, before.CurrencyCode, o.CurrencyCode,
			o.OrderDate); err != nil {
			err = w.wrong.AddError(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AddOrderLine adds a line until the order is Received. Refusals: PurchaseOrder.NotFound, PurchaseOrder.InvalidStatus
// and those of CreateOrder on lines.
func AddOrderLine(tx *db.Tx, number string, n NewLine) (Order, OrderLine, error) {
	o, before, err := purchaseOrders.Begin(tx, number, "change lines")
	if err != nil {
		return o, OrderLine{}, err
	}
	w, err := writerFor(tx)
	if err != nil {
		return o, OrderLine{}, err
	}
	if w.supplier, err = FindSupplier(tx, o.SupplierNumber); err != nil {
		return o, OrderLine{}, err
	}
	if err := w.add(&o, []NewLine{n}, func(int) string { return "" }); err != nil {
		return o, OrderLine{}, err
	}
	if err := w.finish(&o); err != nil {
		return o, OrderLine{}, err
	}
	return o, o.Lines[len(o.Lines)-1], saveAndExpect(tx, "changed", &o, &before)
}

// LineChange is an order line while it is being changed.
type LineChange struct {
	Description  string
	Quantity     dec.Dec
	UnitPrice    *dec.Dec // nil = the supplier item's
	ExpectedDate day.Date
}

// Change is the line as it may be changed.
func (l *OrderLine) Change() LineChange {
	c := LineChange{Description: l.Description, Quantity: l.Quantity, ExpectedDate: l.ExpectedDate}
	if l.IsManualPrice {
		price := l.UnitPrice
		c.UnitPrice = &price
	}
	return c
}

// ChangeOrderLine changes a line until the order is Received, never below what was received. Another price is of what
// comes from then on, and what the supplier's invoices are held against; goods that came keep the cost they came at.
// What was confirmed stays confirmed up to the quantity. Refusals: PurchaseOrder.NotFound, PurchaseOrderLine.NotFound,
// PurchaseOrder.InvalidStatus, PurchaseOrderLine.AlreadyReceived (409) and those of CreateOrder on lines.
func ChangeOrderLine(tx *db.Tx, orderNumber string, line int, edit func(*LineChange) error) (Order, OrderLine, error) {
	o, before, l, err := beginLine(tx, orderNumber, line)
	if err != nil {
		return o, OrderLine{}, err
	}
	c := l.Change()
	if err := edit(&c); err != nil {
		return o, *l, err
	}
	w, err := writerFor(tx)
	if err != nil {
		return o, *l, err
	}
	if w.supplier, err = FindSupplier(tx, o.SupplierNumber); err != nil {
		return o, *l, err
	}
	was := *l
	l.Description, l.Quantity, l.ExpectedDate = cmp.Or(c.Description, was.Description), c.Quantity, c.ExpectedDate
	if l.IsManualPrice = c.UnitPrice != nil; l.IsManualPrice {
		l.UnitPrice = *c.UnitPrice
	} else if was.IsManualPrice {
		if err := w.know([]string{l.Item}); err != nil {
			return o, *l, err
		}
		if err := w.price(&o, l, ""); err != nil {
			return o, *l, err
		}
	}
	if l.Quantity > 0 && l.Quantity < was.Received {
		return o, *l, ErrLineReceived.Because("%s of line %d were received; the quantity cannot be below that",
			was.Received, line).In("quantity")
	}
	w.check(l, "", "quantity")
	l.Confirmed = min(l.Confirmed, l.Quantity)
	if err := w.finish(&o); err != nil {
		return o, *l, err
	}
	return o, *l, saveAndExpect(tx, "changed", &o, &before)
}

// DeleteOrderLine removes a line of which nothing was received. Refusals: PurchaseOrder.NotFound,
// PurchaseOrderLine.NotFound, PurchaseOrder.InvalidStatus, PurchaseOrderLine.AlreadyReceived, and PurchaseOrder.NoLines
// for the last line of an order that was sent.
func DeleteOrderLine(tx *db.Tx, orderNumber string, line int) (Order, error) {
	o, before, l, err := beginLine(tx, orderNumber, line)
	if err != nil {
		return o, err
	}
	if l.Received > 0 {
		return o, ErrLineReceived.Because("%s of line %d were received; it stays on the order", l.Received, line)
	}
	if len(o.Lines) == 1 && o.Status != Drafted {
		return o, ErrOrderNoLines.Because("line %d is the last of order %s, which was sent: cancel the order instead",
			line, o.Number)
	}
	o.Lines = each.Where(o.Lines, func(x OrderLine) bool { return x.Number != line })
	return o, saveAndExpect(tx, "changed", &o, &before)
}

func beginLine(tx *db.Tx, orderNumber string, line int) (o, before Order, l *OrderLine, err error) {
	if o, err = purchaseOrders.Lock(tx, orderNumber); err != nil {
		return o, o, nil, err
	}
	before = purchaseOrders.Copy(&o)
	if l = o.Line(line); l == nil {
		return o, before, nil, ErrLineNotFound.Because("purchase order %s has no line %d", o.Number, line)
	}
	o.Status, err = OrderMoves.Check(ErrOrderStatus, "purchase order", o.Number, o.Status, "change lines")
	return o, before, l, err
}
