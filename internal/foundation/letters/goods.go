package letters

import (
	"fmt"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/mail"
)

// Shipped is a shipment that was given to its carrier.
type Shipped struct {
	OrderNumber    string
	OrderURL       string
	Carrier        string
	TrackingNumber string
	TrackingURL    string
	Lines          []ShippedLine
}

// ShippedLine is what of an item is in a shipment.
type ShippedLine struct {
	Number, Name, Unit string
	Chosen             string // of what is made to order
	Quantity           dec.Dec
}

// OrderShipped says that goods are on their way, and how to follow them.
func OrderShipped(lang string, s Store, to mail.Address, p Shipped) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.ShippedSubject, p.OrderNumber), p.OrderNumber
	l.Paragraphs = []string{fmt.Sprintf(w.ShippedIntro, p.OrderNumber)}
	l.Facts = facts(fact{Label: w.Carrier, Value: p.Carrier}, fact{Label: w.TrackingNumber, Value: p.TrackingNumber})
	l.Button = link{w.ViewOrder, p.OrderURL}
	if p.TrackingURL != "" {
		l.Button = link{w.Track, p.TrackingURL}
	}
	l.list(p.Lines)
	return l.message(to)
}

// list shows which goods a letter is about.
func (l *letter) list(goods []ShippedLine) {
	l.Columns = columns{Item: l.words.Item, Quantity: l.words.Quantity}
	for _, i := range goods {
		l.Rows = append(l.Rows, row{Name: i.Name, Under: some(i.Number, i.Chosen),
			Quantity: quantity(l.Lang, i.Quantity, i.Unit)})
	}
}

// Collection is goods that wait to be fetched.
type Collection struct {
	OrderNumber string
	OrderURL    string
	Place       string // name and address on one line
	Lines       []ShippedLine
}

// OrderReady says that goods are ready to be fetched, and where.
func OrderReady(lang string, s Store, to mail.Address, c Collection) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.CollectSubject, c.OrderNumber), c.OrderNumber
	l.Paragraphs = []string{fmt.Sprintf(w.CollectIntro, c.OrderNumber)}
	l.Facts = facts(fact{Label: w.CollectAt, Value: c.Place, Strong: true})
	l.Button = link{w.ViewOrder, c.OrderURL}
	l.list(c.Lines)
	return l.message(to)
}

// OrderCancelled says that an order was called off, and that nothing is to be paid for it.
func OrderCancelled(lang string, s Store, to mail.Address, orderNumber, orderURL string) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.CancelledSubject, orderNumber), orderNumber
	l.Paragraphs = []string{fmt.Sprintf(w.CancelledIntro, orderNumber), w.CancelledMoney}
	l.Button = link{w.ViewOrder, orderURL}
	return l.message(to)
}

// Item is an item that somebody watches.
type Item struct {
	Name     string
	URL      string
	ImageURL string
	Price    string // as Money writes it; may be empty
}

// BackInStock says that an item can be bought again.
func BackInStock(lang string, s Store, to mail.Address, i Item, unsubscribeURL string) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.StockSubject, i.Name), i.Name
	l.ImageURL = i.ImageURL
	l.Paragraphs = []string{fmt.Sprintf(w.StockIntro, i.Name)}
	l.Facts = facts(fact{Label: w.Price, Value: i.Price})
	l.Button = link{w.ViewItem, i.URL}
	l.Unsubscribe = link{w.Unwatch, unsubscribeURL}
	return l.message(to)
}

// Refund is money that was given back: for a return, because the order came to less than was paid or was cancelled, or
// because none was made of it.
type Refund struct {
	OrderNumber  string // "" = there is no order
	ReturnNumber string
	IsRest       bool // the order came to less than was paid
	Amount       dec.Dec
	Currency     string
	Digits       int
	Method       string // how it was paid and is paid back
}

// RefundMade says that money is on its way back.
func RefundMade(lang string, s Store, to mail.Address, r Refund) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	amount := Money(l.Lang, r.Amount, r.Digits, r.Currency)
	var reason string
	switch {
	case r.OrderNumber == "":
		l.Subject, reason = w.RefundPlain, w.RefundNoOrder
		l.Paragraphs = []string{fmt.Sprintf(w.RefundPlainIntro, amount)}
	case r.IsRest:
		reason = w.RefundRest
	case r.ReturnNumber == "":
		reason = w.RefundCancelled
	default:
		reason = fmt.Sprintf(w.RefundReturn, r.ReturnNumber)
	}
	if r.OrderNumber != "" {
		l.Subject, l.About = fmt.Sprintf(w.RefundSubject, r.OrderNumber), r.OrderNumber
		l.Paragraphs = []string{fmt.Sprintf(w.RefundIntro, amount, r.OrderNumber)}
	}
	l.Facts = facts(fact{Label: w.PaymentMethod, Value: r.Method}, fact{Label: w.Reason, Value: reason})
	l.Notes = []string{w.RefundWhen}
	return l.message(to)
}

// Approval is an order that somebody else must approve.
type Approval struct {
	OrderNumber string
	By          string // who wants to order
	Link        string
	Total       dec.Dec
	Currency    string
	Digits      int
}

// OrderApprovalWanted asks for the approval of an order.
func OrderApprovalWanted(lang string, s Store, to mail.Address, a Approval) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	if !to.Confirmed {
		a.By = w.Colleague
	}
	l.Subject, l.About = fmt.Sprintf(w.ApprovalSubject, a.OrderNumber), a.OrderNumber
	l.Paragraphs = []string{fmt.Sprintf(w.ApprovalIntro, oneLine(a.By), a.OrderNumber,
		Money(l.Lang, a.Total, a.Digits, a.Currency))}
	l.Button = link{w.Review, a.Link}
	return l.message(to)
}

// Decision is what became of an order that had to be approved.
type Decision struct {
	OrderNumber string
	IsApproved  bool
	By          string // who decided
	Reason      string // of a rejection
	Link        string
	Total       dec.Dec
	Currency    string
	Digits      int
}

// OrderDecided tells who placed an order that a colleague has approved it, or has not.
func OrderDecided(lang string, s Store, to mail.Address, d Decision) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	if !to.Confirmed {
		d.By, d.Reason = w.Colleague, ""
	}
	subject, intro := w.ApprovedSubject, w.ApprovedIntro
	if !d.IsApproved {
		subject, intro = w.RejectedSubject, w.RejectedIntro
	}
	l.Subject, l.About = fmt.Sprintf(subject, d.OrderNumber), d.OrderNumber
	l.Paragraphs = []string{fmt.Sprintf(intro, oneLine(d.By), d.OrderNumber,
		Money(l.Lang, d.Total, d.Digits, d.Currency))}
	l.Facts = facts(fact{Label: w.Reason, Value: d.Reason})
	l.Button = link{w.ViewOrder, d.Link}
	return l.message(to)
}
