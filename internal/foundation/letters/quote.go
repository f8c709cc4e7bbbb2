package letters

import (
	"fmt"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/mail"
)

// Quote is an offer that waits for its reader's answer.
type Quote struct {
	Number, Title string
	ValidUntil    day.Date
	Total         dec.Dec // with tax
	Currency      string
	Digits        int
	Link          string // where it is answered
}

// QuoteOffered brings a quote, which is attached, with the link that answers it.
func QuoteOffered(lang string, s Store, to mail.Address, q Quote) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.QuoteSubject, q.Number), q.Number
	l.Paragraphs = append(some(oneLine(q.Title)), w.QuoteIntro)
	l.Facts = facts(fact{Label: w.QuoteNumber, Value: q.Number},
		fact{Label: w.ValidUntil, Value: date(l.Lang, q.ValidUntil)},
		fact{Label: w.Total, Value: Money(l.Lang, q.Total, q.Digits, q.Currency), Strong: true})
	l.Button = link{w.AnswerQuote, q.Link}
	return l.message(to)
}
