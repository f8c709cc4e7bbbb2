// Package quoting is quotes: what is offered to a customer, or to a prospect, at prices that stay until a day. An
// accepted quote becomes one sales order in the same transaction.
//
// A quote that was sent does not change any more. Revise copies it to a next version, and the one before can no longer
// be accepted.
//
// Locks are taken in this order: the quote, then what placing an order takes.
package quoting

import (
	"kontor/internal/business/configuration"
	"kontor/internal/business/sales"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Quotes is the resource of this room.
var Quotes = record.Define("quotes", "quote", "Quote", "quote_line")

// What this room refuses.
var (
	ErrNotFound         = fault.New(fault.NotFound, "Quote.NotFound")
	ErrInvalid          = fault.New(fault.Invalid, "Quote.Invalid")
	ErrUnknownCode      = fault.New(fault.Invalid, "Quote.UnknownCode")
	ErrInvalidStatus    = fault.New(fault.Conflict, "Quote.InvalidStatus")
	ErrExpired          = fault.New(fault.Conflict, "Quote.Expired")
	ErrCustomerRequired = fault.New(fault.Conflict, "Quote.CustomerRequired")
	ErrEmpty            = fault.New(fault.Conflict, "Quote.Empty")
	ErrLineInvalid      = fault.New(fault.Invalid, "QuoteLine.Invalid")
	ErrNoPrice          = fault.New(fault.Invalid, "QuoteLine.NoPrice")
	ErrUnknownUnit      = fault.New(fault.Invalid, "QuoteLine.UnknownUnit")
)

// Status is where a quote stands.
type Status string

// The statuses.
const (
	Draft     Status = "Draft"
	Sent      Status = "Sent"
	Accepted  Status = "Accepted"
	Declined  Status = "Declined"
	Expired   Status = "Expired"
	Converted Status = "Converted"
)

// Values are all statuses.
func (Status) Values() []Status {
	return []Status{Draft, Sent, Accepted, Declined, Expired, Converted}
}

// Moves are the moves of a quote. A version that another replaces has expired; a declined one stays declined when it is
// reworked.
var Moves = lifecycle.Moves[Status]{
	"change":  {From: []Status{Draft}, Done: "changed"},
	"delete":  {From: []Status{Draft}, Done: "deleted"},
	"send":    {From: []Status{Draft}, To: Sent, Done: "sent"},
	"resend":  {From: []Status{Sent}, Done: "sent again"},
	"accept":  {From: []Status{Sent}, To: Accepted, Done: "accepted"},
	"decline": {From: []Status{Sent}, To: Declined, Done: "declined"},
	"expire":  {From: []Status{Sent}, To: Expired, Done: lifecycle.Unsaid},
	"convert": {From: []Status{Draft, Sent, Accepted}, To: Converted, Done: "made into an order"},
	"revise":  {From: []Status{Sent, Expired}, To: Expired, Done: "made anew"},
	"rework":  {From: []Status{Declined}, Done: "made anew"},
}

// Head is what a caller may say about a quote besides its lines.
type Head struct {
	Title          string
	Description    string
	CustomerNumber string // empty for a prospect
	ProspectName   string // of somebody who is no customer yet
	ContactName    string // who is written to
	ContactEmail   string
	QuoteDate      day.Date // of the prices; empty = today
	ValidUntil     day.Date // the last day on which it may be accepted; empty = 30 days after QuoteDate
	CurrencyCode   string   // empty = the customer's, else the company's
}

// usuallyValid is how many days a quote is valid where nobody says otherwise.
const usuallyValid = 30

// Quote is an offer with its lines.
type Quote struct {
	record.Root
	Number          string
	FirstNumber     string `log:"-"` // of the first version
	Issue           int    `log:"-"` // 1, 2, … of the versions
	ReplacedBy      string // the number of the next version
	Title           string
	Description     string
	Status          Status
	CustomerID      string `log:"-"` // empty for a prospect
	CustomerNumber  string
	CustomerName    string
	ContactName     string
	ContactEmail    string
	IsRequested     bool   `log:"-"` // by the customer, who sees it while it is a draft
	CustomerMessage string // what they asked for
	QuoteDate       day.Date
	ValidUntil      day.Date
	CurrencyCode    string  `db:"currency"`
	Digits          int     `log:"-"`    // minor digits of the currency
	TotalAmount     dec.Dec `db:"total"` // without tax
	TotalVAT        dec.Dec `db:"vat"`
	SentAt          db.Time `log:"-"`
	AcceptedAt      db.Time `log:"-"`
	DeclinedAt      db.Time `log:"-"`
	DeclinedReason  string
	OrderNumber     string // that it has become
	Lines           []Line
}

// Line is one thing offered, in its unit and at its price.
type Line struct {
	Number              int    `db:"line"`
	ID                  string `log:"-"`
	ItemID              string `log:"-"` // empty on a free-text line
	Item                string // number
	Description         string
	Quantity            dec.Dec
	Unit                string
	UnitPrice           dec.Dec
	IsManualPrice       bool    `log:"-"` // said by somebody, not by the price rule
	IsPriceIncludingTax bool    `db:"gross_price" log:"-"`
	DiscountPercent     dec.Dec `db:"discount"`
	IsManualDiscount    bool    `log:"-"`
	TaxCode             string
	TaxPercent          dec.Dec
	LineTotal           dec.Dec `db:"total"` // without tax
	TaxAmount           dec.Dec `db:"vat"`
	Notes               string  // the customer's, who asked for it
	ConfigurationNumber string  `db:"configuration"` // of an item that is made to order; empty for another
}

// OfItsOwn is NewLine.Was of a line that none of the draft's became.
const OfItsOwn = -1

// NewLine is a line as a caller asks for it: an item, or free text with a price.
type NewLine struct {
	Item            string // number
	Description     string // empty: the item's name
	Quantity        dec.Dec
	Unit            string   // empty: the item's sales unit, else its base unit
	UnitPrice       *dec.Dec // nil: priced by the rule
	DiscountPercent *dec.Dec // nil: the rule's, or none
	TaxCode         string   // empty: the item's, else the company's
	Notes           string
	// ConfigurationNumber is of choices that were saved and not ordered yet; they raise the price of the rule.
	ConfigurationNumber string
	// Was is the number of the line of the draft that this one was: what the customer noted stays with it, and the tax
	// code while the item is the same, where no other is said. OfItsOwn is a new line, 0 one of which nobody says.
	Was int

	withTax bool // UnitPrice includes it
}

// TotalIncludingTax is what the customer would pay.
func (q *Quote) TotalIncludingTax() dec.Dec { return q.TotalAmount.Add(q.TotalVAT) }

// IsProspect reports whether the quote is for somebody who is no customer yet.
func (q *Quote) IsProspect() bool { return q.CustomerID == "" }

// IsOpen reports whether the quote may be accepted or declined by its reader on a day.
func (q *Quote) IsOpen(today day.Date) bool { return q.Status == Sent && q.ValidUntil >= today }

// IsShownTo reports whether a customer sees the quote: their own once it was sent, and as a draft where they asked for
// it.
func (q *Quote) IsShownTo(customerID string) bool {
	return q.CustomerID != "" && q.CustomerID == customerID && (q.Status != Draft || q.IsRequested)
}

// derive computes the amounts.
func (q *Quote) derive() {
	q.TotalAmount, q.TotalVAT = 0, 0
	for i := range q.Lines {
		l := &q.Lines[i]
		l.LineTotal, l.TaxAmount = tax.Line(sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, q.Digits),
			l.TaxPercent, q.Digits, l.IsPriceIncludingTax)
		q.TotalAmount = q.TotalAmount.Add(l.LineTotal)
		q.TotalVAT = q.TotalVAT.Add(l.TaxAmount)
	}
}

// Head is what the quote says of its head.
func (q *Quote) Head() Head {
	h := Head{Title: q.Title, Description: q.Description, CustomerNumber: q.CustomerNumber, ContactName: q.ContactName,
		ContactEmail: q.ContactEmail, QuoteDate: q.QuoteDate, ValidUntil: q.ValidUntil, CurrencyCode: q.CurrencyCode}
	if q.IsProspect() {
		h.ProspectName = q.CustomerName
	}
	return h
}

// Chosen are the configurations of lines that are made to order, by the line's place; nil elsewhere.
func Chosen(tx *db.Tx, lines []Line) ([]*configuration.Configuration, error) {
	numbers := each.Given(lines, func(l Line) string { return l.ConfigurationNumber })
	found, err := configuration.FindMany(tx, numbers)
	return each.Of(lines,
		func(l Line) *configuration.Configuration { return found[record.Fold(l.ConfigurationNumber)] }), err
}

// Mailed is fired when a quote was sent, or is sent again, and there is an address that it goes to.
type Mailed struct{ Quote *Quote }

// Accepting is fired before a customer's own acceptance makes the order. Who wants that kept unreleased, for somebody
// of the company to look at, sets Wait.
type Accepting struct {
	Quote *Quote
	Wait  *bool
}

// Decided is fired when a quote was accepted or declined.
type Decided struct{ Quote *Quote }
