// Package payable is what suppliers ask for: their invoices, each line held against what was ordered and what was
// received (the three-way match).
//
// An invoice that is as it was ordered, within what the company lets pass, is approved by itself; any other waits for a
// person. Its quantities count as billed from the registration on, until it is rejected or cancelled, and a receipt
// that is billed is not reversed. On approval the goods cost what is asked for them: what lies in the warehouse still
// is revalued, the rest of a difference is an expense that stands on the line. Costs of the delivery become charges of
// the receipt.
//
// Who changes one locks the invoice first, then the receipts in the order of their ids, then their levels.
package payable

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Invoices is the resource of suppliers' invoices.
var Invoices = record.Define("supplier-invoices", "supplier_invoice", "SupplierInvoice", "supplier_invoice_line")

// What this room refuses.
var (
	ErrNotFound      = fault.New(fault.NotFound, "SupplierInvoice.NotFound")
	ErrExists        = fault.New(fault.Conflict, "SupplierInvoice.AlreadyExists")
	ErrInvalidStatus = fault.New(fault.Conflict, "SupplierInvoice.InvalidStatus")
	ErrInvalid       = fault.New(fault.Invalid, "SupplierInvoice.Invalid")
)

// Status is where an invoice stands.
type Status string

// The statuses.
const (
	Waiting   Status = "Waiting" // for a person, because it differs
	Approved  Status = "Approved"
	Rejected  Status = "Rejected"
	Paid      Status = "Paid"
	Cancelled Status = "Cancelled" // it was registered wrongly
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Waiting, Approved, Rejected, Paid, Cancelled} }

// Moves are the moves of an invoice.
var Moves = lifecycle.Moves[Status]{
	"approve": {From: []Status{Waiting}, To: Approved, Done: "approved"},
	"reject":  {From: []Status{Waiting}, To: Rejected, Done: "rejected"},
	"pay":     {From: []Status{Approved}, To: Paid, Done: "paid"},
	"cancel":  {From: []Status{Waiting, Approved}, To: Cancelled, Done: "cancelled"},
}

// MaxLines is how many lines an invoice has at most.
const MaxLines = 1000

// Goods is the kind of a line that bills goods; the others are those of charges.
const Goods stock.ChargeKind = "Goods"

// Invoice is what a supplier asks for.
type Invoice struct {
	record.Root
	Number         string
	Status         Status
	SupplierID     string `log:"-"`
	SupplierNumber string
	SupplierName   string
	Reference      string // the supplier's own number of it
	InvoiceDate    day.Date
	DueDate        day.Date
	CurrencyCode   string `db:"currency"` // of the orders
	Digits         int    `log:"-"`       // minor digits of the currency
	BaseDigits     int    `log:"-"`       // and of the base currency
	Net            dec.Dec
	Tax            dec.Dec
	Notes          string
	DecidedAt      db.Time
	DecidedBy      string // "" = it was matched by itself
	Reason         string
	PaidAt         db.Time
	PaidWith       string
	LineCount      int
	Lines          []Line
}

// Total is what is to be paid.
func (v *Invoice) Total() dec.Dec { return v.Net.Add(v.Tax) }

// Line bills goods of a receipt, or a cost of their delivery. Prices and Amount are in the invoice's currency and
// without tax; UnitCost and what follows is in the base currency.
type Line struct {
	Number        int `db:"line"`
	Kind          stock.ChargeKind
	ReceiptID     string `log:"-"`
	Receipt       string // number; "" on a cost that belongs to no receipt
	ReceiptLine   int
	PurchaseOrder string
	OrderLine     int
	Item          string
	Description   string
	Ordered       dec.Dec
	OrderPrice    dec.Dec
	Received      dec.Dec // with this receipt
	Quantity      dec.Dec
	UnitPrice     dec.Dec
	Amount        dec.Dec
	IsMatched     bool    // as it was ordered, within what the company lets pass
	UnitCost      dec.Dec // that the goods came in at
	BaseAmount    dec.Dec
	OnHand        dec.Dec // in the warehouse, as the difference was booked
	InStock       dec.Dec // of the difference, in the value of the stock since then
	EntryID       string  `log:"-"`
	LeftOver      dec.Dec // on hand as it was taken back
	Returned      dec.Dec // of InStock, out of the value of the stock again
	CounterID     string  `log:"-"`
	Charge        int     // of the receipt, that the line became
}

// Expected is what the order makes of the line: nothing of a cost of the delivery.
func (l *Line) Expected(digits int) dec.Dec {
	if l.Kind != Goods {
		return 0
	}
	return l.Quantity.MulRound(l.OrderPrice, digits)
}

// Differs is what is asked beyond the order; less is below zero.
func (l *Line) Differs(digits int) dec.Dec { return l.Amount.Sub(l.Expected(digits)) }

// Dearer is what goods cost beyond what they came in at, in the base currency; cheaper is below zero.
func (l *Line) Dearer(baseDigits int) dec.Dec {
	if l.Kind != Goods {
		return 0
	}
	return l.BaseAmount.Sub(l.Quantity.MulRound(l.UnitCost, baseDigits))
}

// Expense is the part of the difference that met no stock, of an invoice that was approved: goods that have left.
// What a charge of a receipt came to stands with the receipt.
func (l *Line) Expense(baseDigits int) dec.Dec {
	if l.Kind != Goods {
		if l.Charge > 0 {
			return 0
		}
		return l.BaseAmount
	}
	return l.Dearer(baseDigits).Sub(l.InStock)
}

// receipts are the numbers of those that the lines name.
func (v *Invoice) receipts() (numbers []string) {
	return each.Given(v.Lines, func(l Line) string { return l.Receipt })
}

// derive writes what follows from the lines.
func (v *Invoice) derive() {
	v.Net, v.LineCount = 0, len(v.Lines)
	for i := range v.Lines {
		l := &v.Lines[i]
		l.Number, l.Amount = i+1, l.Quantity.MulRound(l.UnitPrice, v.Digits)
		v.Net = v.Net.Add(l.Amount)
	}
}
