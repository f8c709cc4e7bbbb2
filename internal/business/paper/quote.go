package paper

import (
	"slices"

	"github.com/signintech/gopdf"

	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// QuoteFor prints a quote for its customer, or for a prospect in the language of the company's country.
func QuoteFor(tx *db.Tx, q quoting.Quote) (File, error) {
	s, err := SenderOf(tx)
	if err != nil {
		return File{}, err
	}
	r, err := QuoteReaderOf(tx, q)
	if err != nil {
		return File{}, err
	}
	if q.Lines, err = describedLines(tx, q.Lines, wordsOf(r.Language)); err != nil {
		return File{}, err
	}
	return Quote(s, r, q)
}

// describedLines are the lines of a quote with what was chosen of what is made to order, under their descriptions.
func describedLines(tx *db.Tx, lines []quoting.Line, say words) ([]quoting.Line, error) {
	chosen, err := quoting.Chosen(tx, lines)
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].Description = say.with(chosen[i], lines[i].Description)
	}
	return lines, err
}

// with is what describes a line, and below it what was chosen where it is made to order.
func (w words) with(c *configuration.Configuration, description string) string {
	if c == nil {
		return description
	}
	return description + "\n" + c.Summary(w.Yes, w.No)
}

// QuoteReaderOf reads the receiver of a quote.
func QuoteReaderOf(tx *db.Tx, q quoting.Quote) (Receiver, error) {
	if !q.IsProspect() {
		return ReceiverOf(tx, q.CustomerNumber, "", party.Postal{})
	}
	return Receiver{Customer: party.Customer{Name: q.CustomerName}, Language: languageAtHome(tx)}, nil
}

// Quote prints a quote: what is offered, at which prices, and until when.
func Quote(s Sender, r Receiver, q quoting.Quote) (File, error) {
	p := newSheet(s, r)
	title := p.say.Quote
	if q.Status == quoting.Draft {
		title += " (" + p.say.Draft + ")"
	}
	p.letterhead(title, q.Number)
	to := r.Customer.Postal()
	to.Name, to.ContactPerson, to.Email, to.Phone = q.CustomerName, q.ContactName, "", ""
	if to.ContactPerson == to.Name {
		to.ContactPerson = ""
	}
	p.address(p.say.To, to, pair{p.say.Number, q.Number}, pair{p.say.Date, p.date(q.QuoteDate)},
		pair{p.say.ValidUntil, p.date(q.ValidUntil)}, pair{p.say.Customer, q.CustomerNumber})
	if q.Title != "" {
		p.prose(bold, textSize+2, q.Title)
		p.y += 4
	}
	if q.Description != "" {
		p.prose(plain, textSize, q.Description)
		p.y += lineHeight
	}
	p.quoteLines(q)
	p.quoteSums(q)
	if q.ReplacedBy != "" {
		p.y += gap
		p.room(lineHeight)
		p.write(bold, textSize, leftEdge, rightEdge-leftEdge, gopdf.Left, p.say.ReplacedBy+" "+q.ReplacedBy)
	}
	p.foot()
	return p.file("quote-" + q.Number)
}

// priced are the columns of lines that have a price with tax.
func (p *sheet) priced() []column {
	return []column{{p.say.Item, leftEdge, 80, whole}, {p.say.Description, 136, 152, whole},
		{p.say.Quantity, 290, 60, figure}, {p.say.Price, 354, 88, figure}, {p.say.Tax, 444, 36, figure},
		{p.say.Total, 482, rightEdge - 482, figure}}
}

func (p *sheet) quoteLines(q quoting.Quote) {
	columns := p.priced()
	p.heads(columns)
	for i := range q.Lines {
		l := &q.Lines[i]
		off := sales.Amount(l.Quantity, l.UnitPrice, 0, q.Digits).
			Sub(sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, q.Digits))
		price := p.price(priced{l.Quantity, l.UnitPrice, l.DiscountPercent, off, l.LineTotal, l.TaxAmount, l.TaxPercent,
			l.IsPriceIncludingTax, q.Digits})
		p.row(columns, l.Item, l.Description, p.quantity(l.Quantity, l.Unit), price, p.percent(l.TaxPercent),
			p.number(l.LineTotal, q.Digits))
	}
	p.y += 4
	p.rule()
}

func (p *sheet) quoteSums(q quoting.Quote) {
	p.room(6 * lineHeight)
	money := func(d dec.Dec) string { return p.number(d, q.Digits) }
	p.pairs(plain, pair{p.say.WithoutTax, money(q.TotalAmount)}, pair{p.say.Tax, money(q.TotalVAT)})
	p.pairs(bold, pair{p.say.Total + " " + q.CurrencyCode, money(q.TotalIncludingTax())})
}
