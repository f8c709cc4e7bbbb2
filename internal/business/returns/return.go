// Package returns is goods that customers send back: registered against an order, approved, received into
// stock at the cost they left with, and credited.
//
// Locks are taken in this order: the return, its order, stock levels, number series.
package returns

import (
	"kontor/internal/business/sales"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Returns is the resource of this room.
var Returns = record.Define("returns", "sales_return", "SalesReturn", "sales_return_line")

// What this room refuses.
var (
	ErrNotFound          = fault.New(fault.NotFound, "SalesReturn.NotFound")
	ErrInvalid           = fault.New(fault.Invalid, "SalesReturn.Invalid")
	ErrInvalidStatus     = fault.New(fault.Conflict, "SalesReturn.InvalidStatus")
	ErrOrderNotFound     = fault.New(fault.Invalid, "SalesOrder.NotFound")
	ErrOrderLineNotFound = fault.New(fault.Invalid, "SalesOrderLine.NotFound")
	ErrLineNotFound      = fault.New(fault.Invalid, "SalesReturnLine.NotFound")
	ErrWarehouseNotFound = fault.New(fault.Invalid, "Warehouse.NotFound")
	ErrLocationNotFound  = fault.New(fault.Invalid, "WarehouseLocation.NotFound")
	ErrExceedsDelivered  = fault.New(fault.Invalid, "SalesReturn.QuantityExceedsDelivered")
	ErrExceedsRegistered = fault.New(fault.Invalid, "SalesReturn.QuantityExceedsRegistered")
	ErrNoDelivered       = fault.New(fault.Invalid, "SalesReturn.NoDeliveredLines")
	ErrNotShipped        = fault.New(fault.Invalid, "SalesReturn.NotShipped")
)

// Status is where a return stands.
type Status string

// The statuses.
const (
	Draft       Status = "Draft"
	Approved    Status = "Approved"
	Received    Status = "Received"
	CreditNoted Status = "CreditNoted"
	Closed      Status = "Closed"
	Cancelled   Status = "Cancelled"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{Draft, Approved, Received, CreditNoted, Closed, Cancelled}
}

// Moves are the moves of a return. A return of which nothing had been invoiced closes without a credit note.
var Moves = lifecycle.Moves[Status]{
	"change":   {From: []Status{Draft, Approved}, Done: "changed"},
	"approve":  {From: []Status{Draft}, To: Approved, Done: "approved"},
	"receive":  {From: []Status{Approved}, To: Received, Done: "received"},
	"cancel":   {From: []Status{Draft, Approved}, To: Cancelled, Done: "cancelled"},
	"credit":   {From: []Status{Received}, To: CreditNoted, Done: "credited"},
	"uncredit": {From: []Status{CreditNoted}, To: Received, Done: lifecycle.Unsaid},
	"close":    {From: []Status{CreditNoted}, To: Closed, Done: "closed"},
}

// Reason is why goods come back.
type Reason string

// The reasons.
const (
	Defective        Reason = "Defective"
	WrongItem        Reason = "WrongItem"
	DamagedInTransit Reason = "DamagedInTransit"
	CustomerRemorse  Reason = "CustomerRemorse"
	Warranty         Reason = "Warranty"
	QualityIssue     Reason = "QualityIssue"
	OverDelivery     Reason = "OverDelivery"
	Other            Reason = "Other"
)

// Values are all reasons.
func (Reason) Values() []Reason {
	return []Reason{Defective, WrongItem, DamagedInTransit, CustomerRemorse, Warranty, QualityIssue, OverDelivery,
		Other}
}

// Scrap is the condition of goods that are booked in and at once thrown away. Conditions are free text else.
const Scrap = "Scrap"

// Return is goods of one order that come back.
type Return struct {
	record.Root
	Number         string
	RMANumber      string // the customer's own reference
	OrderID        string `log:"-"`
	OrderNumber    string
	CustomerID     string `log:"-"`
	CustomerNumber string
	Status         Status
	Reason         Reason
	ReturnDate     day.Date
	ReceivedDate   day.Date
	WarehouseCode  string `db:"warehouse"`
	CurrencyCode   string `db:"currency"`
	Digits         int    `log:"-"` // minor digits of the currency
	ExternalNotes  string
	InternalNotes  string
	TotalAmount    dec.Dec `db:"total"` // without tax
	TotalVAT       dec.Dec `db:"vat"`
	Lines          []Line
}

// Line is what comes back of one order line, in its unit and at its price.
type Line struct {
	Number              int `db:"line"`
	OrderLine           int
	ItemID              string `log:"-"`
	Item                string
	ItemName            string
	Unit                string
	Factor              dec.Dec `log:"-"` // base units per unit
	Decimals            int     `log:"-"`
	Ships               bool    `log:"-"` // goods that lie in stock, not services
	Registered          dec.Dec // as announced
	Quantity            dec.Dec // as announced, then as received
	ToCredit            dec.Dec // the part of Quantity that had been invoiced when it was received
	UnitPrice           dec.Dec
	DiscountPercent     dec.Dec `db:"discount"`
	DiscountAmount      dec.Dec // off quantity times price; a part may have it below zero, by what rounding left for it
	IsPriceIncludingTax bool    `db:"gross_price"`
	TaxPercent          dec.Dec
	LineTotal           dec.Dec `db:"total"` // without tax
	TaxAmount           dec.Dec `db:"vat"`
	Condition           string
	Notes               string
}

// derive computes the amounts.
func (r *Return) derive() {
	for i := range r.Lines {
		l := &r.Lines[i]
		l.LineTotal, l.TaxAmount = tax.Line(l.cost(r.Digits), l.TaxPercent, r.Digits, l.IsPriceIncludingTax)
	}
	r.sum()
}

func (r *Return) sum() {
	r.TotalAmount, r.TotalVAT = 0, 0
	for _, l := range r.Lines {
		r.TotalAmount = r.TotalAmount.Add(l.LineTotal)
		r.TotalVAT = r.TotalVAT.Add(l.TaxAmount)
	}
}

// Settle lets what came back of an order line cost what credit notes give back for it: they take what is left of its
// invoices, so that all parts come to what was paid, which what each part costs by itself does not. It changes nothing
// where they give back something less than what came.
func (r *Return) Settle(orderLine int, quantity, net, vat dec.Dec) {
	rest := quantity
	for _, l := range r.Lines {
		if l.OrderLine == orderLine {
			rest = rest.Sub(l.Quantity)
		}
	}
	if rest != 0 {
		return
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.OrderLine != orderLine || l.Quantity == 0 {
			continue
		}
		l.LineTotal = sales.Part(net, l.Quantity, quantity, r.Digits)
		l.TaxAmount = sales.Part(vat, l.Quantity, quantity, r.Digits)
		net, vat, quantity = net.Sub(l.LineTotal), vat.Sub(l.TaxAmount), quantity.Sub(l.Quantity)
		l.DiscountAmount = sales.Amount(l.Quantity, l.UnitPrice, 0, r.Digits).Sub(l.LineTotal)
		if l.IsPriceIncludingTax {
			l.DiscountAmount = l.DiscountAmount.Sub(l.TaxAmount)
		}
	}
	r.sum()
}

// cost is what the line's goods cost in the terms of their price: with tax where that has it.
func (l *Line) cost(digits int) dec.Dec {
	return sales.Amount(l.Quantity, l.UnitPrice, 0, digits).Sub(l.DiscountAmount)
}

// give lets another line have a part of this one's quantity, and the part of its discount that goes with it.
func (l *Line) give(to *Line, digits int) {
	if to.DiscountAmount = 0; l.DiscountAmount != 0 {
		cost := l.cost(digits)
		own := sales.Part(cost, to.Quantity, l.Quantity, digits)
		to.DiscountAmount = sales.Amount(to.Quantity, l.UnitPrice, 0, digits).Sub(own)
		l.DiscountAmount = sales.Amount(l.Quantity.Sub(to.Quantity), l.UnitPrice, 0, digits).Sub(cost.Sub(own))
	}
	l.Quantity = l.Quantity.Sub(to.Quantity)
}

// line finds a line by its number: lines are numbered from 1 without gaps. nil when there is none.
func (r *Return) line(number int) *Line { return each.Numbered(r.Lines, number) }

// Moved is fired when a return was approved or received.
type Moved struct{ Return *Return }

// Crediting is fired when a received return is to be credited: whoever keeps the invoices makes the credit notes for
// what had been invoiced (the lines' ToCredit), or refuses. Open is how many of these are to be booked then.
type Crediting struct {
	Return *Return
	Open   *int
}
