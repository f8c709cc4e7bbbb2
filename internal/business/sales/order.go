// Package sales is sales orders: what a customer has asked for, at which price, what of it is reserved,
// on its way, delivered, returned and invoiced.
//
// An order with its lines is one aggregate. Two functions write what is derived: Book is the one
// writer of the quantities that shipments, invoices and returns change, and derive is the one writer of
// statuses and sums that follow from the lines. Verify recomputes both.
//
// Locks are taken in this order: order roots by id, stock levels, number series.
package sales

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Orders is the resource of this room.
var Orders = record.Define("orders", "sales_order", "SalesOrder", "sales_order_line", "sales_order_external")

// What this room refuses.
var (
	ErrNotFound          = fault.New(fault.NotFound, "SalesOrder.NotFound")
	ErrExists            = fault.New(fault.Conflict, "SalesOrder.AlreadyExists")
	ErrInvalid           = fault.New(fault.Invalid, "SalesOrder.Invalid")
	ErrInvalidStatus     = fault.New(fault.Conflict, "SalesOrder.InvalidStatus")
	ErrExternalExists    = fault.New(fault.Conflict, "SalesOrder.ExternalNumberExists")
	ErrUnknownCode       = fault.New(fault.Invalid, "SalesOrder.UnknownCode")
	ErrHasDeliveries     = fault.New(fault.Conflict, "SalesOrder.HasDeliveries")
	ErrHasOpenShipments  = fault.New(fault.Conflict, "SalesOrder.HasOpenShipments")
	ErrLastLine          = fault.New(fault.Conflict, "SalesOrder.LastLine")
	ErrLineNotFound      = fault.New(fault.NotFound, "SalesOrderLine.NotFound")
	ErrNoPrice           = fault.New(fault.Invalid, "SalesOrderLine.NoPrice")
	ErrUnknownUnit       = fault.New(fault.Invalid, "SalesOrderLine.UnknownUnit")
	ErrLineInvalid       = fault.New(fault.Invalid, "SalesOrderLine.Invalid")
	ErrAlreadyShipped    = fault.New(fault.Conflict, "SalesOrderLine.AlreadyShipped")
	ErrAlreadyInvoiced   = fault.New(fault.Conflict, "SalesOrderLine.AlreadyInvoiced")
	ErrQuantity          = fault.New(fault.Conflict, "SalesOrderLine.QuantityOutOfRange")
	ErrWarehouseNotFound = fault.New(fault.NotFound, "Warehouse.NotFound")
)

// Status is the commercial state of an order.
type Status string

// The statuses.
const (
	Placed    Status = "Placed"
	Released  Status = "Released"
	Closed    Status = "Closed"
	Cancelled Status = "Cancelled"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Placed, Released, Closed, Cancelled} }

// IsOpen reports whether goods are still to be reserved for the order.
func (s Status) IsOpen() bool { return s == Placed || s == Released }

// Moves are the moves of an order. It also closes by itself, see derive.
var Moves = lifecycle.Moves[Status]{
	"change":  {From: []Status{Placed, Released}, Done: "changed"},
	"release": {From: []Status{Placed}, To: Released, Done: "released"},
	"cancel":  {From: []Status{Placed, Released}, To: Cancelled, Done: "cancelled"},
	"close":   {From: []Status{Placed, Released}, To: Closed, Done: "closed"},
}

// DeliveryStatus is how much of an order or a line is delivered.
type DeliveryStatus string

// The delivery statuses.
const (
	NotDelivered       DeliveryStatus = "NotDelivered"
	PartiallyDelivered DeliveryStatus = "PartiallyDelivered"
	FullyDelivered     DeliveryStatus = "FullyDelivered"
)

// Values are all delivery statuses.
func (DeliveryStatus) Values() []DeliveryStatus {
	return []DeliveryStatus{NotDelivered, PartiallyDelivered, FullyDelivered}
}

// InvoicedStatus is how much of an order is invoiced.
type InvoicedStatus string

// The invoiced statuses.
const (
	NotInvoiced       InvoicedStatus = "NotInvoiced"
	PartiallyInvoiced InvoicedStatus = "PartiallyInvoiced"
	FullyInvoiced     InvoicedStatus = "FullyInvoiced"
)

// Values are all invoiced statuses.
func (InvoicedStatus) Values() []InvoicedStatus {
	return []InvoicedStatus{NotInvoiced, PartiallyInvoiced, FullyInvoiced}
}

// Head is what a caller may say about an order besides its lines. Codes are those of the reference book,
// in its spelling.
type Head struct {
	CustomerReference     string `db:"reference"`
	OrderDate             day.Date
	RequestedDeliveryDate day.Date `db:"requested_on"`
	OrderTypeCode         string   `db:"order_type"`
	WarehouseCode         string   `db:"warehouse"` // where lines are taken from that name no warehouse
	PaymentTermCode       string   `db:"payment_term"`
	DeliveryTermCode      string   `db:"delivery_term"`
	ShippingMethodCode    string   `db:"shipping_method"`
	DeliveryAddress       party.Postal
	InvoiceAddress        party.Postal
	ExternalNumber        string // unique together with its scope
	ExternalScope         string
	ShipTogether          bool // a ship group: its shipment is not consolidated with other orders
	Notes                 string
	InternalNotes         string
}

// Order is a sales order with its lines. Names are those of the day it was made or last changed.
type Order struct {
	record.Root
	Head
	Number         string
	Status         Status
	CustomerID     string
	CustomerNumber string `db:"customer"`
	CustomerName   string
	CurrencyCode   string `db:"currency"`
	ChannelCode    string `db:"channel"`
	ChannelName    string
	Language       string `log:"-"` // BCP 47: that of the store it was placed in; empty where nobody said

	OrderTypeName, WarehouseName, PaymentTermName, DeliveryTermName, ShippingMethodName string `log:"-"`

	PlacedAt db.Time `log:"-"` // back-orders of one day are covered in the order of placing
	GivenUp  bool    `log:"-"` // closed by hand: what is undelivered stays so
	Digits   int     `log:"-"` // minor digits of the currency
	NextLine int     `log:"-"` // line numbers are not used twice

	// Derived from the lines by derive, and by nobody else.
	Delivery            DeliveryStatus `db:"delivery_status"`
	Invoicing           InvoicedStatus `db:"invoiced_status"`
	DeliveredPercent    dec.Dec
	PlannedDeliveryDate day.Date `db:"planned_on"`
	TotalAmount         dec.Dec  // without tax
	TotalVAT            dec.Dec
	LineCount           int `log:"-"`

	ShipmentNumbers []string `log:"-"` // in the order they were made
	InvoiceNumbers  []string `log:"-"`

	Lines []Line

	fresh *fresh // until the order is stored
}

// fresh is what becomes of an order between Compose and Enter.
type fresh struct {
	drawn bool        // the number comes from the series
	after loggedOrder // the order before the first act
	acts  []record.Act
	// configured are the configurations that its lines order, and those of orders composed with it.
	configured []*configuration.Configuration
}

// IsNew reports whether the order is not stored yet: see Compose.
func (o *Order) IsNew() bool { return o.fresh != nil }

// TotalIncludingTax is what the customer pays.
func (o *Order) TotalIncludingTax() dec.Dec { return o.TotalAmount.Add(o.TotalVAT) }

// Line finds a line by its number; nil when there is none.
func (o *Order) Line(number int) *Line {
	// Lines are kept in the order of their numbers.
	i, ok := slices.BinarySearchFunc(o.Lines, number, func(l Line, n int) int { return l.Number - n })
	if !ok {
		return nil
	}
	return &o.Lines[i]
}

// Line is one thing ordered. All quantities are in the line's unit; stock counts in base units, see Base.
type Line struct {
	Number      int    `db:"line"`
	ItemID      string `log:"-"` // empty on a free-text line
	Item        string // number
	Description string
	Type        catalog.ItemType `log:"-"` // empty on a free-text line
	Decimals    int              `log:"-"` // decimals a quantity may have

	Quantity     dec.Dec
	Unit         string
	Factor       dec.Dec `log:"-"` // base units per unit
	BaseQuantity dec.Dec `log:"-"`

	UnitPrice           dec.Dec
	IsManualPrice       bool   // given by the caller, so never priced anew
	IsPriceIncludingTax bool   `db:"includes_tax"`
	PriceListCode       string `db:"price_list"`
	DiscountPercent     dec.Dec
	DiscountAmount      dec.Dec // off quantity times price, in the price's terms: with tax where that has it; see Cost
	// the amount was agreed and stays; else the percentage was, and the amount follows it
	KeepsDiscount bool `log:"-"`
	TaxCode       string
	TaxPercent    dec.Dec
	LineTotal     dec.Dec // without tax, in the currency's minor digits
	TaxAmount     dec.Dec

	// Allocated is what is reserved in stock and not delivered yet, OnShipment the part of it that stands
	// on an open shipment: 0 <= OnShipment <= Allocated <= Quantity - Delivered.
	Allocated  dec.Dec
	OnShipment dec.Dec
	Delivered  dec.Dec
	Returned   dec.Dec // of what was delivered
	Invoiced   dec.Dec
	// InvoicedAmount is what Invoiced came to on the invoices, in the terms of the price.
	InvoicedAmount dec.Dec `log:"-"`
	// ReturnedUnbilled is the part of Returned that came back before it was invoiced and so never will be.
	ReturnedUnbilled dec.Dec

	RequestedDeliveryDate day.Date `db:"requested_on"`
	PlannedDeliveryDate   day.Date `db:"planned_on" log:"-"` // derived
	WarehouseCode         string   `db:"warehouse"`
	ConfigurationNumber   string   `db:"configuration"`
	ExternalLineID        string   `db:"external_line"`

	mayWait bool // only while it is placed: see NewLine
}

// Ships reports whether the line is goods that travel on a shipment. Services, non-stock items and
// free text do not: they count as delivered with the first goods of their order, and on release where
// the order has no goods.
func (l *Line) Ships() bool { return l.ItemID != "" && l.Type == catalog.Stock }

// Base is a quantity of the line's unit in base units.
func (l *Line) Base(q dec.Dec) dec.Dec { return q.Mul(l.Factor) }

// Billable is what of the line may be invoiced now: delivered, less what came back before it was
// invoiced, less what is invoiced.
func (l *Line) Billable() dec.Dec {
	return max(0, l.Delivered.Sub(l.ReturnedUnbilled).Sub(l.Invoiced))
}

// due is what of a line was invoiced or may be still: all of it but what came back unbilled, and of an order that was
// given up only what was delivered.
func (o *Order) due(l *Line) dec.Dec {
	switch {
	case o.Status == Cancelled:
		return 0
	case o.GivenUp:
		return max(0, l.Delivered.Sub(l.ReturnedUnbilled))
	}
	return max(0, l.Quantity.Sub(l.ReturnedUnbilled))
}

// Missing is what is neither delivered nor reserved: the back-order of an open order.
func (l *Line) Missing() dec.Dec {
	if !l.Ships() {
		return 0
	}
	return max(0, l.Quantity.Sub(l.Delivered).Sub(l.Allocated))
}

// IsMadeToOrder reports that the line's goods are made for it, as its configuration says: what lies on the shelf under
// the same item is another thing.
func (l *Line) IsMadeToOrder() bool { return l.ConfigurationNumber != "" }

// Waits is what of the line is missing and may be taken from any stock there is.
func (l *Line) Waits() dec.Dec {
	if l.IsMadeToOrder() {
		return 0
	}
	return l.Missing()
}

// DeliveryStatus is how much of the line is delivered.
func (l *Line) DeliveryStatus() DeliveryStatus {
	switch {
	case l.Delivered <= 0:
		return NotDelivered
	case l.Delivered < l.Quantity:
		return PartiallyDelivered
	}
	return FullyDelivered
}

// OrderReleased is fired when an order was released to the warehouse, with the order as it is stored.
// AutoShip says that its type wants the shipment at once.
type OrderReleased struct {
	Order    *Order
	AutoShip bool
}

// Demanded is fired when lines of a released order, as it is stored, came to miss goods: when it is released, when a
// line is added or raised or moves to another warehouse, and when somebody asks for it.
type Demanded struct {
	Order *Order
	Lines []*Line
}

// OrderCancelling is fired before an order is called off, which is locked, and before the stock that it frees is.
type OrderCancelling struct{ Order *Order }

// OrderCancelled is fired when an order was called off, with the order as it is stored.
type OrderCancelled struct{ Order *Order }

// Lessened is fired when an order, as it is stored now, can ask less of its customer than before without an invoice or
// a credit note: goods came back before they were billed, a line was lowered or removed, or what is undelivered was
// given up.
// IsEdit says that somebody is at work on it: what was taken off may be on its way to another line. A cancelled order
// fires OrderCancelled alone.
type Lessened struct {
	Order  *Order
	IsEdit bool
}

// clone is a copy whose lines may be changed, for the activity log's before.
func (o *Order) clone() Order {
	c := *o
	c.Lines = slices.Clone(o.Lines)
	return c
}
