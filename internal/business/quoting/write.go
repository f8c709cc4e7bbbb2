package quoting

import (
	"cmp"

	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// New is a quote as a caller asks for it.
type New struct {
	Head
	Lines []NewLine
	// Request is there where the customer asks for the quote: items may have no price yet, and the prices are those of
	// the store.
	Request *Request
}

// Request is what a customer asks for.
type Request struct {
	Message     string
	ChannelCode string
}

// Create makes a draft. Prices that are not given are those of the price rule on the quote's date.
//
// Refuses with Quote.Invalid, Quote.UnknownCode, Customer.NotFound, Customer.Inactive, Item.NotFound, Item.Inactive,
// Quantity.TooManyDecimals, QuoteLine.Invalid, QuoteLine.NoPrice, QuoteLine.UnknownUnit, Configuration.NotFound,
// Configuration.AlreadyOrdered and Configuration.Invalid, naming everything that is wrong.
func Create(tx *db.Tx, n New) (Quote, error) {
	q := Quote{Root: record.New(tx), Issue: 1, Status: Draft}
	if n.Request != nil {
		q.IsRequested, q.CustomerMessage = true, n.Request.Message
	}
	var wrong fault.List
	if err := wrong.AddError(q.applyHead(tx, n.Head)); err != nil {
		return q, err
	}
	if err := wrong.AddError(q.price(tx, n.Lines, n.Request)); err != nil {
		return q, err
	}
	if err := wrong.Err(); err != nil {
		return q, err
	}
	drawn, err := number.Next(tx, "quote", quotes.IsTaken)
	if err != nil {
		return q, err
	}
	q.Number, q.FirstNumber = drawn, drawn
	return q, quotes.Create(tx, &q)
}

// applyHead puts the head on the quote.
func (q *Quote) applyHead(tx *db.Tx, h Head) error {
	var wrong fault.List
	wrong.If(h.CustomerNumber == "" && h.ProspectName == "", ErrInvalid, "customerNumber",
		"name the customer by customerNumber, or somebody who is none yet by prospectName")
	mail.Check(&wrong, ErrInvalid, "contactEmail", h.ContactEmail)
	q.Title, q.Description, q.ContactName, q.ContactEmail = h.Title, h.Description, h.ContactName, h.ContactEmail
	q.QuoteDate = cmp.Or(h.QuoteDate, tx.Today())
	q.ValidUntil = cmp.Or(h.ValidUntil, q.QuoteDate.AddDays(usuallyValid))
	q.CustomerNumber, q.CustomerName, q.CurrencyCode = h.CustomerNumber, h.ProspectName, h.CurrencyCode
	return wrong.Err()
}

// price gives the quote these lines, priced for its customer on its date.
func (q *Quote) price(tx *db.Tx, lines []NewLine, r *Request) error {
	p := sales.Placing{Head: sales.Head{OrderDate: q.QuoteDate}, CustomerNumber: q.CustomerNumber,
		CurrencyCode: q.CurrencyCode, Lines: make([]sales.NewLine, len(lines))}
	if r != nil {
		p.ChannelCode = r.ChannelCode
	}
	for i, l := range lines {
		p.Lines[i] = sales.NewLine{Item: l.Item, Description: l.Description, Quantity: l.Quantity, Unit: l.Unit,
			UnitPrice: l.UnitPrice, IsPriceIncludingTax: l.withTax, DiscountPercent: l.DiscountPercent,
			TaxCode: l.TaxCode, ConfigurationNumber: l.ConfigurationNumber}
	}
	o, err := sales.Estimate(tx, p, r != nil)
	if err != nil {
		return own(err)
	}
	q.CustomerID, q.CustomerNumber, q.CurrencyCode, q.Digits = o.CustomerID, o.CustomerNumber, o.CurrencyCode, o.Digits
	q.CustomerName = cmp.Or(o.CustomerName, q.CustomerName)
	q.Lines = make([]Line, len(o.Lines))
	for i := range o.Lines {
		l := &o.Lines[i]
		q.Lines[i] = Line{Number: i + 1, ID: record.NewID(), ItemID: l.ItemID, Item: l.Item, Description: l.Description,
			Quantity: l.Quantity, Unit: l.Unit, UnitPrice: l.UnitPrice, IsManualPrice: l.IsManualPrice,
			IsPriceIncludingTax: l.IsPriceIncludingTax, DiscountPercent: l.DiscountPercent,
			IsManualDiscount: lines[i].DiscountPercent != nil, TaxCode: l.TaxCode, TaxPercent: l.TaxPercent,
			Notes: lines[i].Notes, ConfigurationNumber: l.ConfigurationNumber}
	}
	q.derive()
	return nil
}

// own says what is wrong with an estimate, or with the order of a quote, in the codes of quotes.
func own(err error) error {
	if err == nil {
		return nil
	}
	f := fault.As(err)
	if f.Kind != fault.Invalid || len(f.Fields) == 0 {
		return err
	}
	codes := map[string]fault.Code{sales.ErrInvalid.Name: ErrInvalid, sales.ErrUnknownCode.Name: ErrUnknownCode,
		sales.ErrLineInvalid.Name: ErrLineInvalid, sales.ErrNoPrice.Name: ErrNoPrice,
		sales.ErrUnknownUnit.Name: ErrUnknownUnit}
	var wrong fault.List
	for _, x := range f.Fields {
		c, ok := codes[x.Code]
		if !ok {
			c = fault.New(fault.Invalid, x.Code)
		}
		wrong.Note(c, x.Path, x.Said())
	}
	return wrong.Err()
}

// asked are the quote's lines as they would be asked for again: what the price rule said is left to it.
func (q *Quote) asked() []NewLine {
	out := make([]NewLine, len(q.Lines))
	for i := range q.Lines {
		l := &q.Lines[i]
		out[i] = NewLine{Item: l.Item, Description: l.Description, Quantity: l.Quantity, Unit: l.Unit,
			TaxCode: l.TaxCode, Notes: l.Notes, ConfigurationNumber: l.ConfigurationNumber}
		if l.IsManualPrice {
			out[i].UnitPrice, out[i].withTax = &l.UnitPrice, l.IsPriceIncludingTax
		}
		if l.IsManualDiscount {
			out[i].DiscountPercent = &l.DiscountPercent
		}
	}
	return out
}

// Change lets edit alter the head of a draft. Where customer, date or currency change, what the price rule said of the
// lines is asked anew; prices that somebody gave stay as they are. A quote for a prospect may be given its customer
// while it is Sent too, at the prices that were sent.
//
// Refuses with Quote.NotFound, Quote.InvalidStatus, and what Create refuses of the head.
func Change(tx *db.Tx, quoteNumber string, edit func(*Head) error) (Quote, error) {
	q, err := quotes.Lock(tx, quoteNumber)
	if err != nil {
		return q, err
	}
	before, was := quotes.Copy(&q), q.Head()
	h := was
	if err := edit(&h); err != nil {
		return q, err
	}
	joined := was
	joined.CustomerNumber = h.CustomerNumber
	if q.Status == Sent && q.IsProspect() && h.CustomerNumber != "" && h == joined {
		return q.join(tx, before, h.CustomerNumber)
	}
	if _, err := Moves.Check(ErrInvalidStatus, "quote", q.Number, q.Status, "change"); err != nil {
		return q, err
	}
	if err := q.applyHead(tx, h); err != nil {
		return q, err
	}
	if h.CustomerNumber != was.CustomerNumber || q.QuoteDate != before.QuoteDate || h.CurrencyCode != was.CurrencyCode {
		if err := q.price(tx, before.asked(), q.request()); err != nil {
			return q, err
		}
	} else if q.CustomerNumber = before.CustomerNumber; !q.IsProspect() {
		q.CustomerName = before.CustomerName
	}
	return q, quotes.Changed(tx, before, &q)
}

// request is there where the customer asked for the quote: its items may lack a price.
func (q *Quote) request() *Request {
	if !q.IsRequested {
		return nil
	}
	return &Request{Message: q.CustomerMessage}
}

// join gives a prospect's quote its customer; nothing else of it changes.
func (q *Quote) join(tx *db.Tx, before Quote, customer string) (Quote, error) {
	o, err := sales.Estimate(tx, sales.Placing{CustomerNumber: customer}, false)
	if err != nil {
		return *q, own(err)
	}
	q.CustomerID, q.CustomerNumber, q.CustomerName = o.CustomerID, o.CustomerNumber, o.CustomerName
	return *q, quotes.Changed(tx, before, q)
}

// PutLines replaces all lines of a draft. Refuses with Quote.NotFound, Quote.InvalidStatus, and what Create refuses of
// lines.
func PutLines(tx *db.Tx, quoteNumber string, lines []NewLine) (Quote, error) {
	q, before, err := quotes.Begin(tx, quoteNumber, "change")
	if err != nil {
		return q, err
	}
	if err := q.price(tx, before.kept(lines), q.request()); err != nil {
		return q, err
	}
	return q, quotes.Changed(tx, before, &q)
}

// kept are lines with what stays of those that they were. Who does not say which line one was, as other systems do that
// price what a customer asked for, means the next one of the item: what was noted to it stays, and nothing else.
func (q *Quote) kept(lines []NewLine) []NewLine {
	said := each.By(lines, func(l NewLine) int { return l.Was })
	notes := map[string][]string{} // by item, of lines of which nobody says what they became
	for _, was := range q.Lines {
		if _, ok := said[was.Number]; !ok && was.Item != "" {
			notes[record.Fold(was.Item)] = append(notes[record.Fold(was.Item)], was.Notes)
		}
	}
	return each.Of(lines, func(l NewLine) NewLine {
		item := record.Fold(l.Item)
		switch {
		case l.Was > 0 && l.Was <= len(q.Lines):
			was := &q.Lines[l.Was-1]
			l.Notes = cmp.Or(l.Notes, was.Notes)
			if item == record.Fold(was.Item) {
				l.TaxCode = cmp.Or(l.TaxCode, was.TaxCode)
			}
		case l.Was == 0 && len(notes[item]) > 0:
			l.Notes = cmp.Or(l.Notes, notes[item][0])
			notes[item] = notes[item][1:]
		}
		return l
	})
}

// Delete removes a draft. The version that it was to replace stays Expired or Declined, and can be made anew again.
// Refuses with Quote.NotFound and Quote.InvalidStatus.
func Delete(tx *db.Tx, quoteNumber string) error {
	found, err := Find(tx, quoteNumber)
	if err != nil {
		return err
	}
	var older Quote
	if found.Issue > 1 { // it has the smaller id, so it is locked first
		if older, err = quotes.Lock(tx, version(found.FirstNumber, found.Issue-1)); err != nil {
			return err
		}
	}
	_, q, err := quotes.Begin(tx, quoteNumber, "delete")
	if err != nil {
		return err
	}
	if older.ReplacedBy != "" {
		before := quotes.Copy(&older)
		older.ReplacedBy = ""
		if err := quotes.Changed(tx, before, &older); err != nil {
			return err
		}
	}
	return quotes.Drop(tx, &q)
}
