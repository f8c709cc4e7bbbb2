package letters

import (
	"fmt"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/mail"
)

// Invoice is an invoice or a credit note that was booked.
type Invoice struct {
	Number      string // that stands on it
	Credits     string // of a credit note: the number on the invoice that it takes back; "" = of several, or of none
	OrderNumber string
	Date, Due   day.Date // Due "" = nothing is to be paid
	Total       dec.Dec  // with tax
	Paid        dec.Dec  // of it already
	Currency    string
	Digits      int
}

// InvoiceBooked brings an invoice, which is attached.
func InvoiceBooked(lang string, s Store, to mail.Address, i Invoice) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.InvoiceSubject, i.Number), i.Number
	l.Paragraphs = []string{fmt.Sprintf(w.InvoiceIntro, i.OrderNumber)}
	l.Facts = i.facts(&l, w.InvoiceNumber, fact{Label: w.DueDate, Value: date(l.Lang, i.Due)})
	return l.message(to)
}

// CreditNoteBooked brings a credit note, which is attached.
func CreditNoteBooked(lang string, s Store, to mail.Address, i Invoice) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.CreditSubject, i.Number), i.Number
	l.Paragraphs = []string{fmt.Sprintf(w.CreditIntro, i.OrderNumber)}
	l.Facts = i.facts(&l, w.CreditNumber, fact{Label: w.CreditsInvoice, Value: i.Credits})
	return l.message(to)
}

func (i Invoice) facts(l *letter, number string, more fact) []fact {
	all := facts(fact{Label: number, Value: i.Number}, fact{Label: l.words.Date, Value: date(l.Lang, i.Date)}, more,
		fact{Label: l.words.Total, Value: Money(l.Lang, i.Total, i.Digits, i.Currency), Strong: true})
	if i.Paid > 0 {
		open := max(0, i.Total.Sub(i.Paid))
		all = append(all, fact{Label: l.words.Paid, Value: Money(l.Lang, i.Paid, i.Digits, i.Currency)},
			fact{Label: l.words.ToPay, Value: Money(l.Lang, open, i.Digits, i.Currency), Strong: true})
	}
	return all
}

func date(lang string, d day.Date) string {
	if d == "" {
		return ""
	}
	return Date(lang, d)
}

// Return is a return that moved on.
type Return struct {
	Number      string
	OrderNumber string
	Lines       []ShippedLine
}

// ReturnApproved says that goods may be sent back.
func ReturnApproved(lang string, s Store, to mail.Address, r Return) mail.Message {
	w := wordsOf(Language(lang))
	return r.letter(lang, s, to, w.ReturnApprovedSubject, w.ReturnApprovedIntro)
}

// ReturnReceived says that goods have come back.
func ReturnReceived(lang string, s Store, to mail.Address, r Return) mail.Message {
	w := wordsOf(Language(lang))
	return r.letter(lang, s, to, w.ReturnReceivedSubject, w.ReturnReceivedIntro)
}

func (r Return) letter(lang string, s Store, to mail.Address, subject, intro string) mail.Message {
	l := begin(lang, s, to)
	l.Subject, l.About = fmt.Sprintf(subject, r.Number), r.Number
	l.Paragraphs = []string{fmt.Sprintf(intro, r.OrderNumber)}
	l.list(r.Lines)
	return l.message(to)
}
