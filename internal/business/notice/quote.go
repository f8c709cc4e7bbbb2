package notice

import (
	"net/url"

	"kontor/internal/business/channel"
	"kontor/internal/business/paper"
	"kontor/internal/business/quoting"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// QuotePage is the path of the page that a quote's link opens; its token stands after the question mark.
const QuotePage = "/quote"

// QuoteURL is the address that opens a quote for its reader, below the address under which others reach the house.
func QuoteURL(tx *db.Tx, base string, q *quoting.Quote) (string, error) {
	token, err := quoting.Link(tx, q)
	return base + QuotePage + "?" + url.Values{"token": {token}}.Encode(), err
}

// OnQuoteMailed brings a quote to its reader, with the paper and the link that answers it. base is the address under
// which others reach the house. Its reader is written to wherever the quote was made: it is the company's own people
// who send it.
func OnQuoteMailed(base func() string) func(*db.Tx, quoting.Mailed) error {
	return func(tx *db.Tx, e quoting.Mailed) error {
		q := e.Quote
		r, err := paper.QuoteReaderOf(tx, *q)
		if err != nil {
			return err
		}
		to, err := QuoteURL(tx, base(), q)
		if err != nil {
			return err
		}
		office := channel.Letterhead(tx, channel.Channel{Name: tx.Info.Name})
		m := letters.QuoteOffered(r.Language, office, mail.Address{Name: q.ContactName, Email: q.ContactEmail,
			Confirmed: true},
			letters.Quote{Number: q.Number, Title: q.Title, ValidUntil: q.ValidUntil, Total: q.TotalIncludingTax(),
				Currency: q.CurrencyCode, Digits: q.Digits, Link: to})
		m.MessageID, m.Paper, m.Readers = mail.NameAbout(quoting.Quotes.Name, q.ID), quotePaper+q.Number, "quotes:read"
		return mail.Enqueue(tx, m)
	}
}

func printQuote(tx *db.Tx, number string) ([]mail.Attachment, error) {
	q, err := quoting.Find(tx, number)
	if err != nil {
		return nil, err
	}
	f, err := paper.QuoteFor(tx, q)
	return attached(f, paper.Media), err
}
