package purchasing

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// PurchaseOrders is the resource of purchase orders.
var PurchaseOrders = record.Define("purchase-orders", "purchase_order", "PurchaseOrder", "purchase_order_line")

// What this room refuses of purchase orders.
var (
	ErrOrderNotFound    = fault.New(fault.NotFound, "PurchaseOrder.NotFound")
	ErrOrderExists      = fault.New(fault.Conflict, "PurchaseOrder.AlreadyExists")
	ErrOrderStatus      = fault.New(fault.Conflict, "PurchaseOrder.InvalidStatus")
	ErrOrderUnknownCode = fault.New(fault.Invalid, "PurchaseOrder.UnknownCode")
	ErrOrderInvalid     = fault.New(fault.Invalid, "PurchaseOrder.Invalid")
	ErrOrderNoLines     = fault.New(fault.Conflict, "PurchaseOrder.NoLines")
	ErrOrderSupplier    = fault.New(fault.Invalid, "Supplier.NotFound")
	ErrOrderItem        = fault.New(fault.Invalid, "Item.NotFound")

	ErrNotOfPurchase = fault.New(fault.Conflict, "Receipt.NotOfPurchase")

	ErrLineNotFound  = fault.New(fault.NotFound, "PurchaseOrderLine.NotFound")
	ErrLineUnknown   = fault.New(fault.Invalid, "PurchaseOrderLine.NotFound")
	ErrLineNoPrice   = fault.New(fault.Invalid, "PurchaseOrderLine.NoPrice")
	ErrLineInvalid   = fault.New(fault.Invalid, "PurchaseOrderLine.Invalid")
	ErrLineReceived  = fault.New(fault.Conflict, "PurchaseOrderLine.AlreadyReceived")
	ErrLineNotGoods  = fault.New(fault.Conflict, "PurchaseOrderLine.NotReceivable")
	ErrExceedsOrder  = fault.New(fault.Invalid, "PurchaseOrderLine.QuantityExceedsOrdered")
	ErrExceedsToCome = fault.New(fault.Conflict, "PurchaseOrderLine.QuantityExceedsOutstanding")
)

// OrderStatus is where a purchase order stands.
type OrderStatus string

// The statuses. Those between Sent and Received follow from the lines.
const (
	Drafted            OrderStatus = "Draft"
	Sent               OrderStatus = "Sent"
	PartiallyConfirmed OrderStatus = "PartiallyConfirmed"
	Confirmed          OrderStatus = "Confirmed"
	PartiallyReceived  OrderStatus = "PartiallyReceived"
	Received           OrderStatus = "Received"
	Closed             OrderStatus = "Closed"
	Cancelled          OrderStatus = "Cancelled"
)

// Values are all statuses.
func (OrderStatus) Values() []OrderStatus {
	return []OrderStatus{Drafted, Sent, PartiallyConfirmed, Confirmed, PartiallyReceived, Received, Closed, Cancelled}
}

// OrderMoves are the moves of a purchase order. Where a verb names no status, the lines decide.
var OrderMoves = lifecycle.Moves[OrderStatus]{
	"change": {From: []OrderStatus{Drafted, Sent, PartiallyConfirmed, Confirmed, PartiallyReceived, Received},
		Done: "changed"},
	"change lines": {From: []OrderStatus{Drafted, Sent, PartiallyConfirmed, Confirmed, PartiallyReceived},
		Done: "changed"},
	"delete":  {From: []OrderStatus{Drafted}, Done: "deleted"},
	"send":    {From: []OrderStatus{Drafted}, To: Sent, Done: "sent"},
	"confirm": {From: []OrderStatus{Sent, PartiallyConfirmed, Confirmed}, Done: "confirmed"},
	"receive": {From: []OrderStatus{Sent, PartiallyConfirmed, Confirmed, PartiallyReceived, Received},
		Done: "received"},
	"reverse": {From: []OrderStatus{PartiallyReceived, Received, Closed}, Done: "reversed"},
	"close": {From: []OrderStatus{Sent, PartiallyConfirmed, Confirmed, PartiallyReceived, Received}, To: Closed,
		Done: "closed"},
	"cancel": {From: []OrderStatus{Drafted, Sent, PartiallyConfirmed, Confirmed}, To: Cancelled,
		Done: "cancelled"},
}

// MaxLines is how many lines an order has at most.
const MaxLines = 5000

// OrderHead is what may be changed of a purchase order besides its lines. Supplier and currency change in Draft alone.
type OrderHead struct {
	SupplierNumber    string
	SupplierReference string
	OrderDate         day.Date
	ExpectedDate      day.Date
	CurrencyCode      string `db:"currency"`
	WarehouseCode     string `db:"warehouse"`
	Notes             string
}

// Order is what the company buys of one supplier.
type Order struct {
	record.Root
	Number string
	Status OrderStatus
	OrderHead
	SupplierID   string `log:"-"`
	SupplierName string
	PromisedDate day.Date // by the supplier
	Digits       int      `log:"-"` // minor digits of the currency
	SentAt       db.Time
	IsConfirmed  bool `log:"-"` // the supplier has answered
	NextLine     int  `log:"-"`
	LineCount    int
	Total        dec.Dec // without tax
	Tax          dec.Dec `db:"charged_tax"` // charged on top of Total, of an order of the past
	Freight      dec.Dec `db:"charged_freight"`
	// IsSettled says that an order was paid before the books began, so that no invoice of it is waited for.
	IsSettled bool `log:"-"`
	Lines     []OrderLine
}

// OrderLine is one item, or text, that is bought. Quantities are in base units, the price is of one of them, without
// tax.
type OrderLine struct {
	Number        int    `db:"line"`
	ItemID        string `log:"-"`
	Item          string // number; "" on a line of text
	Description   string
	Unit          string
	IsGoods       bool `log:"-"` // kept in stock, so it is received
	Decimals      int  `log:"-"`
	Quantity      dec.Dec
	UnitPrice     dec.Dec
	IsManualPrice bool `log:"-"` // given, not the supplier item's
	LineTotal     dec.Dec
	ExpectedDate  day.Date
	Confirmed     dec.Dec
	ConfirmedDate day.Date
	Received      dec.Dec
}

// Outstanding is what is still to be received, whatever was confirmed.
func (l *OrderLine) Outstanding() dec.Dec { return l.Quantity.Sub(l.Received) }

// Line finds a line by its number, nil when there is none.
func (o *Order) Line(number int) *OrderLine {
	for i := range o.Lines { // a function would be handed a copy of each
		if o.Lines[i].Number == number {
			return &o.Lines[i]
		}
	}
	return nil
}

// items are the numbers of the items that it names, each once.
func (o *Order) items() []string {
	return each.Given(o.Lines, func(l OrderLine) string { return l.Item })
}

// derive writes what follows from the lines: amounts, and the status of an order that is on its way.
func (o *Order) derive() {
	o.Total, o.LineCount = 0, len(o.Lines)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.LineTotal = l.Quantity.MulRound(l.UnitPrice, o.Digits)
		o.Total = o.Total.Add(l.LineTotal)
	}
	o.Status = o.derivedStatus()
}

// derivedStatus is the status that the lines make of an order that is on its way; drafts, closed and cancelled ones
// stay as they are.
func (o *Order) derivedStatus() OrderStatus {
	if o.Status == Drafted || o.Status == Closed || o.Status == Cancelled {
		return o.Status
	}
	came, isWhole, isConfirmed := false, true, true
	for i := range o.Lines {
		l := &o.Lines[i]
		came = came || l.Received > 0
		isWhole = isWhole && (!l.IsGoods || l.Outstanding() == 0)
		isConfirmed = isConfirmed && l.Confirmed >= l.Quantity
	}
	switch {
	case came && isWhole:
		return Received
	case came:
		return PartiallyReceived
	case !o.IsConfirmed:
		return Sent
	case isConfirmed:
		return Confirmed
	}
	return PartiallyConfirmed
}

// isOnItsWay reports whether goods of the order may still come.
func (o *Order) isOnItsWay() bool {
	return o.Status != Drafted && o.Status != Closed && o.Status != Cancelled && o.Status != Received
}

// expectations are what the order lets stock expect of its lines, and of those that it had before.
func (o *Order) expectations(before *Order) []stock.Expectation {
	var rows []stock.Expectation
	for i := range o.Lines {
		l := &o.Lines[i]
		e := stock.Expectation{Line: l.Number, ItemID: l.ItemID, Item: l.Item, Warehouse: o.WarehouseCode,
			Due: o.due(l)}
		if o.isOnItsWay() && l.IsGoods {
			e.Quantity = l.Outstanding()
		}
		rows = append(rows, e)
	}
	for i := range before.Lines {
		if l := &before.Lines[i]; o.Line(l.Number) == nil {
			rows = append(rows, stock.Expectation{Line: l.Number})
		}
	}
	return rows
}

// due is the day on which a line is expected: as the supplier said of the line, then of the order, else as it was asked
// for.
func (o *Order) due(l *OrderLine) day.Date {
	return cmp.Or(l.ConfirmedDate, o.PromisedDate, l.ExpectedDate, o.ExpectedDate)
}

// OrderSent is fired when an order was sent: whoever writes letters mails it to the supplier.
type OrderSent struct{ Order *Order }

// RefuseItemDeletion listens to catalog.Deleting: an item that stands on a purchase order stays. Refusal: Item.InUse
// (409).
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	found, err := firstOrdering(tx, e.Item.ID, false)
	return catalog.ErrInUse.When(found != "", err,
		"item %s stands on purchase order %s: set isActive to false instead of deleting it", e.Item.Number, found)
}

// RefuseItemChange listens to catalog.Changing: type and base unit of an item are fixed while open purchase orders
// count by them.
// Refusal: Item.InUse (409).
func RefuseItemChange(tx *db.Tx, e catalog.Changing) error {
	if e.Before.Type == e.After.Type && e.Before.BaseUnit == e.After.BaseUnit {
		return nil
	}
	found, err := firstOrdering(tx, e.Before.ID, true)
	return catalog.ErrInUse.When(found != "", err,
		"item %s is on open purchase orders, %s among them; its type and base unit can change once they are closed or cancelled",
		e.Before.Number, found)
}

// cost is a line's price in the company's currency on a day.
func (o *Order) cost(book *reference.Book, price dec.Dec, on day.Date) (dec.Dec, error) {
	return convert(book, price, o.CurrencyCode, book.Base().Code, on)
}

// convert is a price in another currency at a day's rate, with up to six decimals. Refusal: PurchaseOrder.UnknownCode
// where a currency has no rate.
func convert(book *reference.Book, price dec.Dec, from, to string, on day.Date) (dec.Dec, error) {
	if record.Fold(from) == record.Fold(to) {
		return price, nil
	}
	f, ok := book.RateOn(from, on)
	if !ok {
		return 0, noRate(from)
	}
	t, ok := book.RateOn(to, on)
	if !ok {
		return 0, noRate(to)
	}
	return dec.Convert(price, f, t, dec.Scale), nil
}

func noRate(currency string) error {
	return ErrOrderUnknownCode.At("currencyCode", "the currency %s has no exchange rate: give it one under Settings",
		currency)
}
