package quoting

import (
	"cmp"
	"fmt"

	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// Reader is who a quote is sent to. What is empty comes from the quote, then from its customer.
type Reader struct{ Name, Email string }

// Send freezes a draft and brings it to its reader. Without an address nobody is written to: whoever sends it hands it
// over himself.
//
// Refuses with Quote.NotFound, Quote.InvalidStatus, Quote.Empty, QuoteLine.NoPrice, and Quote.Invalid for a mail
// address that is none.
func Send(tx *db.Tx, quoteNumber string, to Reader) (Quote, error) {
	q, before, err := quotes.Begin(tx, quoteNumber, "send")
	if err != nil {
		return q, err
	}
	if len(q.Lines) == 0 {
		return q, ErrEmpty.Because("quote %s has no lines: add what is offered before it is sent", q.Number)
	}
	if err := before.refuseUnpriced(); err != nil {
		return q, err
	}
	if err := q.address(tx, to); err != nil {
		return q, err
	}
	q.SentAt = tx.Now
	if err := quotes.Act(tx, "send", before, &q); err != nil {
		return q, err
	}
	if err := q.awaitExpiry(tx); err != nil || q.ContactEmail == "" {
		return q, err
	}
	return q, tx.Fire(Mailed{&q})
}

// refuseUnpriced refuses a draft that its customer asked for while a line waits for its price: it would be offered for
// nothing. What is to cost nothing has a price of 0 that somebody said.
func (q *Quote) refuseUnpriced() error {
	var wrong fault.List
	for i, l := range q.Lines {
		wrong.If(q.Status == Draft && q.IsRequested && l.UnitPrice == 0 && !l.IsManualPrice, ErrNoPrice,
			fmt.Sprintf("lines[%d].unitPrice", i),
			"item %s waits for its price; save the lines with one, with 0 where it is to cost nothing", l.Item)
	}
	return wrong.Err()
}

// Resend writes to the reader of a sent quote once more. Refuses with Quote.NotFound, Quote.InvalidStatus and
// Quote.Invalid.
func Resend(tx *db.Tx, quoteNumber string, to Reader) (Quote, error) {
	q, before, err := quotes.Begin(tx, quoteNumber, "resend")
	if err != nil {
		return q, err
	}
	if err := q.address(tx, to); err != nil {
		return q, err
	}
	if q.ContactEmail == "" {
		return q, ErrInvalid.At("contactEmail", "name an address: neither the quote nor its customer has one")
	}
	if err := quotes.Act(tx, "resend", before, &q); err != nil {
		return q, err
	}
	return q, tx.Fire(Mailed{&q})
}

// address notes on the quote who is written to.
func (q *Quote) address(tx *db.Tx, to Reader) error {
	q.ContactName, q.ContactEmail = cmp.Or(to.Name, q.ContactName), cmp.Or(to.Email, q.ContactEmail)
	if q.ContactEmail == "" && !q.IsProspect() {
		r, err := ReaderOf(tx, q.CustomerNumber, q.ContactName)
		if err != nil {
			return err
		}
		q.ContactName, q.ContactEmail = cmp.Or(r.Name, q.ContactName), r.Email
	}
	h := q.Head()
	return (&Quote{}).applyHead(tx, h)
}

// ReaderOf is who of a customer reads quotes: the contact with this name, else the primary one, else the first active
// one, that has an address; else whoever reads invoices. Customer.NotFound.
func ReaderOf(tx *db.Tx, customerNumber, name string) (r Reader, err error) {
	contacts, err := party.Contacts(tx, customerNumber, record.Page{Number: 1, Size: 200})
	if err != nil {
		return r, err
	}
	for _, c := range contacts.Items {
		if !c.IsActive || c.Email == "" {
			continue
		}
		if name != "" && record.Fold(c.Name) == record.Fold(name) {
			return Reader{c.Name, c.Email}, nil
		}
		if r.Email == "" || c.IsPrimary {
			r = Reader{c.Name, c.Email}
		}
	}
	if r.Email != "" {
		return r, nil
	}
	c, err := party.Find(tx, customerNumber)
	return Reader{cmp.Or(name, c.Name), c.InvoiceEmail}, err
}

// Acceptance is how a quote is accepted.
type Acceptance struct {
	// Unreleased keeps the order Placed although its type releases by itself: it waits for somebody's approval.
	Unreleased bool
	// ByReader says that the reader decides by himself, and not the company's people for him: Accepting is asked.
	ByReader bool
}

// Accept records that the customer takes the offer: the sales order is made in the same transaction, at the prices of
// the quote.
//
// Refuses with Quote.NotFound, Quote.InvalidStatus, Quote.Expired, Quote.CustomerRequired, and what placing the order
// refuses.
func Accept(tx *db.Tx, quoteNumber string, a Acceptance) (Quote, *sales.Order, error) {
	q, before, err := decide(tx, quoteNumber, "accept")
	if err != nil {
		return q, nil, err
	}
	if a.ByReader && !q.IsProspect() {
		if err := tx.Fire(Accepting{&q, &a.Unreleased}); err != nil {
			return q, nil, err
		}
	}
	q.AcceptedAt = tx.Now
	o, err := q.place(tx, a.Unreleased)
	if err != nil {
		return q, nil, err
	}
	if err := quotes.Act(tx, "accept", before, &q); err != nil {
		return q, nil, err
	}
	return q, o, tx.Fire(Decided{&q})
}

// decide begins what the reader of a quote decides. One that is past its day is expired, whether the daily job has come
// by or not.
func decide(tx *db.Tx, quoteNumber, verb string) (q, before Quote, err error) {
	if q, err = quotes.Lock(tx, quoteNumber); err != nil {
		return q, q, err
	}
	before = quotes.Copy(&q)
	switch {
	case q.ReplacedBy != "":
		return q, before, ErrExpired.Because("quote %s was replaced by %s: decide on that one", q.Number, q.ReplacedBy)
	case q.Status == Expired && q.ValidUntil >= tx.Today(): // by a version that was given up
		return q, before, ErrExpired.Because("quote %s was withdrawn: make a new version of it", q.Number)
	case q.Status == Expired, verb == "accept" && q.Status == Sent && !q.IsOpen(tx.Today()):
		return q, before, ErrExpired.Because("quote %s was valid until %s: make a new version of it", q.Number,
			q.ValidUntil)
	case q.Status != Sent: // said so that its reader understands it, too
		return q, before, Undecidable(&q)
	}
	q.Status, err = Moves.Check(ErrInvalidStatus, "quote", q.Number, q.Status, verb)
	return q, before, err
}

// Undecidable refuses the decision on a quote that is not sent, or was decided on.
func Undecidable(q *Quote) error {
	return ErrInvalidStatus.Because("quote %s is %s: it can be accepted or declined while it is Sent", q.Number, q.Status)
}

// Decline records that the customer does not take the offer, with a reason where there is one.
//
// Refuses with Quote.NotFound, Quote.InvalidStatus and Quote.Expired.
func Decline(tx *db.Tx, quoteNumber, reason string) (Quote, error) {
	q, before, err := decide(tx, quoteNumber, "decline")
	if err != nil {
		return q, err
	}
	q.DeclinedAt, q.DeclinedReason = tx.Now, reason
	if err := quotes.Act(tx, "decline", before, &q); err != nil {
		return q, err
	}
	return q, tx.Fire(Decided{&q})
}

// Convert makes the sales order of a quote without waiting for its reader: the customer has ordered in another way.
//
// Refuses with Quote.NotFound, Quote.InvalidStatus, Quote.CustomerRequired, Quote.Empty, QuoteLine.NoPrice, and what
// placing the order refuses.
func Convert(tx *db.Tx, quoteNumber string) (Quote, error) {
	q, before, err := quotes.Begin(tx, quoteNumber, "convert")
	if err != nil {
		return q, err
	}
	if q.OrderNumber != "" {
		return q, ErrInvalidStatus.Because("quote %s has become order %s already", q.Number, q.OrderNumber)
	}
	if err := before.refuseUnpriced(); err != nil {
		return q, err
	}
	if _, err := q.place(tx, false); err != nil {
		return q, err
	}
	return q, quotes.Act(tx, "convert", before, &q)
}

// place makes the order of the quote.
func (q *Quote) place(tx *db.Tx, unreleased bool) (*sales.Order, error) {
	if q.IsProspect() {
		return nil, ErrCustomerRequired.Because("%s is no customer yet: give quote %s a customerNumber first",
			q.CustomerName, q.Number)
	}
	if len(q.Lines) == 0 {
		return nil, ErrEmpty.Because("quote %s has no lines: there is nothing to order", q.Number)
	}
	p := sales.Placing{CustomerNumber: q.CustomerNumber, CurrencyCode: q.CurrencyCode, Unreleased: unreleased,
		Lines: make([]sales.NewLine, len(q.Lines))}
	for i := range q.Lines {
		l := &q.Lines[i]
		p.Lines[i] = sales.NewLine{Item: l.Item, Description: l.Description, Quantity: l.Quantity, Unit: l.Unit,
			UnitPrice: &l.UnitPrice, IsPriceIncludingTax: l.IsPriceIncludingTax, DiscountPercent: &l.DiscountPercent,
			TaxCode: l.TaxCode, ConfigurationNumber: l.ConfigurationNumber}
	}
	o, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
	q.OrderNumber = o.Number
	return &o, own(err)
}

// Revise copies a quote to a next version, a draft at the prices of the one before, valid as long as a new one. The one
// before can no longer be accepted. Refuses with Quote.NotFound and Quote.InvalidStatus.
func Revise(tx *db.Tx, quoteNumber string) (Quote, error) {
	q, err := quotes.Lock(tx, quoteNumber)
	if err != nil {
		return q, err
	}
	before, verb := quotes.Copy(&q), "revise"
	if q.ReplacedBy != "" {
		return q, ErrInvalidStatus.Because("quote %s was replaced by %s: revise that one", q.Number, q.ReplacedBy)
	}
	if q.Status == Declined {
		verb = "rework"
	}
	if q.Status, err = Moves.Check(ErrInvalidStatus, "quote", q.Number, q.Status, verb); err != nil {
		return q, err
	}
	n := quotes.Copy(&q)
	n.Root, n.Status, n.Issue, n.Number = record.New(tx), Draft, q.Issue+1, version(q.FirstNumber, q.Issue+1)
	n.SentAt, n.DeclinedAt, n.DeclinedReason = 0, 0, ""
	n.QuoteDate, n.ValidUntil = tx.Today(), tx.Today().AddDays(usuallyValid)
	for i := range n.Lines {
		n.Lines[i].ID = record.NewID()
	}
	if err := quotes.Create(tx, &n); err != nil {
		return n, err
	}
	q.ReplacedBy = n.Number
	return n, quotes.Act(tx, verb, before, &q)
}

// version is the number of a quote's first, second, … version.
func version(first string, issue int) string {
	if issue == 1 {
		return first
	}
	return fmt.Sprintf("%s-%d", first, issue)
}

// Enlist makes the prospect of a quote a customer, whose number is the next of the series where c has none, and whose
// name is the prospect's. Refuses with Quote.NotFound, Quote.InvalidStatus, and what creating a customer refuses.
func Enlist(tx *db.Tx, quoteNumber string, c party.Customer) (Quote, error) {
	found, err := quotes.Lock(tx, quoteNumber)
	if err != nil {
		return found, err
	}
	if found.Status != Draft && found.Status != Sent {
		return found, Undecidable(&found)
	}
	if !found.IsProspect() {
		return found, ErrInvalidStatus.Because("quote %s has a customer already", found.Number)
	}
	c.Name, c.InvoiceEmail, c.IsActive = cmp.Or(c.Name, found.CustomerName), cmp.Or(c.InvoiceEmail, found.ContactEmail),
		true
	if c, err = party.Create(tx, c); err != nil {
		return found, err
	}
	return Change(tx, quoteNumber, func(h *Head) error { h.CustomerNumber = c.Number; return nil })
}

// ExpireKind is the daily job that expires quotes, at the beginning of a day of the company's.
var ExpireKind = jobs.Kind{Name: "quotes", Parallel: 1}

// ExpireDue does the daily job.
func ExpireDue(tx *db.Tx, _ jobs.Job) error {
	more, err := Expire(tx)
	if err == nil && more {
		_, err = jobs.Add(tx, ExpireKind, "quotes", struct{}{}, jobs.Options{})
	}
	return err
}

// atOnce is how many quotes expire in one transaction.
const atOnce = 200

// Expire expires quotes that are past their day, so many at once, and reports whether there may be more.
func Expire(tx *db.Tx) (more bool, err error) {
	due, err := lockDue(tx, atOnce)
	if err != nil {
		return false, err
	}
	for i := range due {
		q := &due[i]
		before := *q
		if q.Status, err = Moves.Check(ErrInvalidStatus, "quote", q.Number, q.Status, "expire"); err != nil {
			return false, err
		}
		if err := quotes.Act(tx, "expire", before, q); err != nil {
			return false, err
		}
	}
	return len(due) == atOnce, nil
}

// awaitExpiry asks for the job that expires the quote: one a day for all that end on it. One that is past its day
// already is for the next night.
func (q *Quote) awaitExpiry(tx *db.Tx) error {
	after := max(q.ValidUntil, tx.Today()).AddDays(1)
	_, err := jobs.Add(tx, ExpireKind, "quotes", struct{}{},
		jobs.Options{Key: string(after), RunAt: tx.BeginningOf(after)})
	return err
}
