// Package invoicing is what customers owe: invoices made from what was delivered and not yet billed, credit
// notes that undo them, and payments.
//
// An open invoice is a draft that may be cancelled; booking gives it the document number without gaps
// and makes it immutable. A booked invoice is undone by a credit note only.
//
// Locks are taken in this order: the invoice that is acted on, the invoices it credits by id, orders,
// number series.
package invoicing

import (
	"cmp"

	"kontor/internal/business/party"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Invoices is the resource of this room; credit notes are part of it.
var Invoices = record.Define("invoices", "invoice", "Invoice", "invoice_line", "invoice_payment")

// What this room refuses.
var (
	ErrNotFound        = fault.New(fault.NotFound, "Invoice.NotFound")
	ErrLineNotFound    = fault.New(fault.Invalid, "InvoiceLine.NotFound")
	ErrInvalid         = fault.New(fault.Invalid, "Invoice.Invalid")
	ErrInvalidStatus   = fault.New(fault.Conflict, "Invoice.InvalidStatus")
	ErrNothingBillable = fault.New(fault.Conflict, "Invoice.NothingBillable")
	ErrDifferentHeads  = fault.New(fault.Conflict, "Invoice.OrdersDiffer")
	ErrNotCreditable   = fault.New(fault.Conflict, "Invoice.NotCreditable")
	ErrExceedsInvoiced = fault.New(fault.Invalid, "Invoice.QuantityExceedsInvoiced")
	ErrDocumentExists  = fault.New(fault.Conflict, "Invoice.DocumentNumberExists")
	ErrSurplus         = fault.New(fault.Conflict, "Invoice.AmountExceedsBalance")
	ErrOrderNotFound   = fault.New(fault.Invalid, "SalesOrder.NotFound")
)

// Type is what kind of document an invoice is.
type Type string

// The types. A receipt is an invoice paid on the spot.
const (
	Standard   Type = "Invoice"
	CreditNote Type = "CreditNote"
	Receipt    Type = "Receipt"
)

// Values are all types.
func (Type) Values() []Type { return []Type{Standard, CreditNote, Receipt} }

// Status is where an invoice stands.
type Status string

// The statuses.
const (
	Open      Status = "Open"
	Booked    Status = "Booked"
	Cancelled Status = "Cancelled"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Open, Booked, Cancelled} }

// PaymentStatus is how much of an invoice is paid.
type PaymentStatus string

// The payment statuses.
const (
	Unpaid               PaymentStatus = "Unpaid"
	PartiallyPaid        PaymentStatus = "PartiallyPaid"
	Paid                 PaymentStatus = "Paid"
	AwaitingTaxReduction PaymentStatus = "AwaitingTaxReduction"
)

// Values are all payment statuses.
func (PaymentStatus) Values() []PaymentStatus {
	return []PaymentStatus{Unpaid, PartiallyPaid, Paid, AwaitingTaxReduction}
}

// Moves are the moves of an invoice.
var Moves = lifecycle.Moves[Status]{
	"book":   {From: []Status{Open}, To: Booked, Done: "booked"},
	"cancel": {From: []Status{Open}, To: Cancelled, Done: "cancelled"},
	"credit": {From: []Status{Booked}, To: Booked, Done: "credited"},
	"pay":    {From: []Status{Booked}, To: Booked, Done: "paid"},
}

// Invoice is an invoice or a credit note with its lines. Names are those of the day it was made.
type Invoice struct {
	record.Root
	Number               string
	Type                 Type
	Status               Status
	PaymentStatus        PaymentStatus
	CustomerID           string `log:"-"`
	CustomerNumber       string
	CustomerName         string
	InvoiceAddress       party.Postal `db:"address"`
	InvoiceDate, DueDate day.Date
	// SuppliedOn is the day the last of the goods was handed over, in the company's time zone; where no shipment took
	// any, the invoice date. A credit note has that of the last invoice it credits. "" = not known: older documents,
	// and credit notes for no invoice. The paper shows it where it is not the invoice date (Directive 2006/112/EC,
	// article 226, point 7).
	SuppliedOn   day.Date
	CurrencyCode string `db:"currency"`
	Digits       int    `log:"-"` // minor digits of the currency
	// RateAmount and RateUnits are the rate of the currency on the invoice date, kept when it is booked: who corrects a
	// quotation later changes no document. A credit note has that of the last invoice it credits, whose tax it takes
	// back.
	RateAmount, RateUnits  dec.Dec `log:"-"`
	PaymentTermCode        string  `db:"payment_term"`
	TotalAmount            dec.Dec `db:"total"` // without tax
	TotalVAT               dec.Dec `db:"vat"`
	PaidAmount             dec.Dec `db:"paid"` // payments, and what credit notes settled
	TaxReduction           dec.Dec // the part of the amount that the tax authority pays
	ExternalDocumentNumber string  `db:"document_number"`
	Comments               string
	CreditsInvoiceNumber   string   `db:"credits_invoice"` // of a credit note for one invoice
	CreditsDocument        string   // its document number
	ReturnNumber           string   // of a credit note for returned goods
	OrderNumbers           []string `db:",lines"`
	Lines                  []Line   `log:"-"`

	References   []string `db:"customer_references,lines" log:"-"` // of the customer, for its paper and the search
	PaymentCount int      `db:"payments" log:"-"`                  // numbers the rows of payments
}

// Line is one line of an invoice.
type Line struct {
	Number          int `db:"line"`
	OrderID         string
	OrderNumber     string
	OrderLine       int
	ItemID          string
	Item            string // number; empty on charges and free text
	Description     string
	Unit            string
	Quantity        dec.Dec
	UnitPrice       dec.Dec
	DiscountPercent dec.Dec `db:"discount"`
	// off quantity times price; on a credit note's line it may be below zero, by what rounding left for the part
	DiscountAmount      dec.Dec
	IsPriceIncludingTax bool `db:"gross_price"`
	TaxCode             string
	TaxPercent          dec.Dec
	LineTotal           dec.Dec `db:"total"` // without tax
	TaxAmount           dec.Dec `db:"tax"`

	CreditsInvoice string // the invoice and the line that a line of a credit note takes back
	CreditsLine    int
	Rebill         bool // what is credited was never due, or is billed anew: it becomes billable again

	Credited                   dec.Dec // what credit notes took back of the line
	CreditedTotal, CreditedTax dec.Dec

	recredited bool // Credited changed and is to be written
}

// cost is what the line costs in the terms of its price: with tax where that has it.
func (l *Line) cost() dec.Dec {
	if l.IsPriceIncludingTax {
		return l.LineTotal.Add(l.TaxAmount)
	}
	return l.LineTotal
}

// left is what of the line no credit note has taken back.
func (l *Line) left() dec.Dec { return l.Quantity.Sub(l.Credited) }

// Document is the number that everybody outside knows the invoice by: the booked one; before it has that, its own.
func (i *Invoice) Document() string { return cmp.Or(i.ExternalDocumentNumber, i.Number) }

// Rate is what its currency was worth in the company's own when it was booked; 0 = it is not, or nobody knew.
func (i *Invoice) Rate() dec.Rate { return dec.Rate{Amount: i.RateAmount, Units: i.RateUnits} }

// TotalIncludingTax is what is to be paid.
func (i *Invoice) TotalIncludingTax() dec.Dec { return i.TotalAmount.Add(i.TotalVAT) }

// Balance is what is still to be paid; below zero when too much was.
func (i *Invoice) Balance() dec.Dec { return i.TotalIncludingTax().Sub(i.PaidAmount) }

// sharedBy is what of an invoice its lines for an order come to, less what was credited of them. Lines for no order may
// be paid by any.
func (i *Invoice) sharedBy(orderID string) (sum dec.Dec) {
	for k := range i.Lines {
		if l := &i.Lines[k]; l.OrderID == orderID || l.OrderID == "" {
			sum = sum.Add(l.LineTotal).Add(l.TaxAmount).Sub(l.CreditedTotal).Sub(l.CreditedTax)
		}
	}
	return sum
}

// Overdue reports whether the customer should have paid before a day and has not.
func (i *Invoice) Overdue(today day.Date) bool {
	unpaid := i.PaymentStatus == Unpaid || i.PaymentStatus == PartiallyPaid
	return i.Status == Booked && unpaid && i.Type != CreditNote && i.DueDate != "" && i.DueDate < today
}

// derive writes everything that follows from lines and payments; nobody else writes these.
func (i *Invoice) derive() {
	i.TotalAmount, i.TotalVAT = 0, 0
	for k := range i.Lines {
		i.TotalAmount = i.TotalAmount.Add(i.Lines[k].LineTotal)
		i.TotalVAT = i.TotalVAT.Add(i.Lines[k].TaxAmount)
	}
	i.PaymentStatus = paymentStatus(i.TotalIncludingTax(), i.PaidAmount, i.TaxReduction)
}

// paymentStatus is how an amount stands of which paid was paid. Once the customer has paid all but the tax
// reduction, the rest is the authority's.
func paymentStatus(amount, paid, taxReduction dec.Dec) PaymentStatus {
	switch balance := amount.Sub(paid); {
	case balance <= 0:
		return Paid
	case taxReduction > 0 && balance <= taxReduction:
		return AwaitingTaxReduction
	case paid > 0:
		return PartiallyPaid
	}
	return Unpaid
}

// ReturnBilling is fired before a credit note of a return is changed, and locked: who keeps the return locks it first.
type ReturnBilling struct{ Number string }

// Issued is fired when an invoice or credit note was booked. LastOfReturn says that no credit note of its return is
// open any more.
type Issued struct {
	Invoice      *Invoice
	LastOfReturn bool
}

// Withdrawn is fired when an open invoice or credit note was cancelled.
type Withdrawn struct{ Invoice *Invoice }
