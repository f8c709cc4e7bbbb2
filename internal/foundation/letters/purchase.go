package letters

import (
	"fmt"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/mail"
)

// Purchase is an order to a supplier.
type Purchase struct {
	Number, Reference string // Reference is the supplier's
	WantedBy          day.Date
	Total             dec.Dec // without tax
	Currency          string
	Digits            int
}

// PurchaseOrdered brings a supplier an order, which is attached.
func PurchaseOrdered(lang string, s Store, to mail.Address, p Purchase) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.PurchaseSubject, p.Number), p.Number
	l.Paragraphs = []string{w.PurchaseIntro}
	l.Facts = facts(fact{Label: w.OrderNumber, Value: p.Number}, fact{Label: w.Reference, Value: p.Reference},
		fact{Label: w.WantedBy, Value: date(l.Lang, p.WantedBy)},
		fact{Label: w.TotalWithoutTax, Value: Money(l.Lang, p.Total, p.Digits, p.Currency), Strong: true})
	return l.message(to)
}
