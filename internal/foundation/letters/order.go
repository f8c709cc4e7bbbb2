package letters

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/mail"
)

// Order is an order as its confirmation shows it. Whatever is empty is left out.
type Order struct {
	Number    string
	Reference string // the customer's
	URL       string // where it can be looked at
	Currency  string
	Digits    int // of the currency
	Date      day.Date
	Lines     []Line
	Subtotal  dec.Dec  // of the lines
	Freight   *dec.Dec // 0 = free; nil = none is shown
	// PaymentFee is nil or above 0.
	PaymentFee *dec.Dec
	Discounts  []Sum // amounts above 0 are taken off
	GiftCards  []Sum
	Taxes      []Sum // by rate; the label may be the rate alone
	// PricesIncludeTax says that the taxes are part of the amounts above and of the total, not added to them.
	PricesIncludeTax  bool
	Total             dec.Dec
	ToPay             dec.Dec  // what is still to be paid; 0 = not shown
	Billing, Delivery []string // lines of the addresses
	DeliveryMethod    string
	PaymentMethod     string
	Instructions      []string // how to pay in advance: account, reference
	NeedsApproval     bool     // a colleague has to agree before it goes ahead
	ReturnCode        string   // with the number it authorises a return without an account
}

// Line is a line of an order.
type Line struct {
	Number, Name, Note string
	Chosen             string // of what is made to order, but for what somebody typed
	Typed              string // as Chosen: what somebody typed
	Unit               string
	Quantity           dec.Dec
	UnitPrice, Total   dec.Dec
}

// Sum is an amount and what it is for.
type Sum struct {
	Label  string
	Amount dec.Dec
}

// OrderConfirmation says what was ordered.
func OrderConfirmation(lang string, s Store, to mail.Address, o Order) mail.Message {
	if !to.Confirmed {
		o = o.withoutWords()
	}
	l := begin(lang, s, to)
	w := l.words
	money := func(d dec.Dec) string { return Money(l.Lang, d, o.Digits, o.Currency) }
	l.Subject, l.About = fmt.Sprintf(w.OrderSubject, o.Number), o.Number
	l.Title = w.OrderTitle
	l.Paragraphs = []string{fmt.Sprintf(w.OrderIntro, o.Number)}
	if o.NeedsApproval {
		l.Paragraphs = append(l.Paragraphs, w.OrderWaits)
	}
	l.Facts = facts(fact{Label: w.OrderNumber, Value: o.Number}, fact{Label: w.OrderDate, Value: Date(l.Lang, o.Date)},
		fact{Label: w.Reference, Value: o.Reference})
	l.Button = link{w.ViewOrder, o.URL}
	l.Columns = columns{w.Item, w.Quantity, w.Amount}
	for _, i := range o.Lines {
		each := fmt.Sprintf(w.Each, money(i.UnitPrice), i.Unit)
		if i.Unit == "" {
			each = money(i.UnitPrice)
		}
		l.Rows = append(l.Rows, row{Name: i.Name, Under: some(i.Number, i.Chosen, i.Typed, i.Note, each),
			Quantity: quantity(l.Lang, i.Quantity, i.Unit), Amount: money(i.Total)})
	}
	l.Sums = l.sums(o, money)
	l.Blocks = blocks(
		block{w.BillingAddress, some(o.Billing...)}, block{w.DeliveryAddress, some(o.Delivery...)},
		block{w.DeliveryMethod, some(o.DeliveryMethod)}, block{w.PaymentMethod, some(o.PaymentMethod)},
		block{w.PaymentHow, some(o.Instructions...)}, block{w.ReturnCode, some(o.ReturnCode)})
	return l.message(to)
}

// withoutWords is the order without what whoever placed it has typed.
func (o Order) withoutWords() Order {
	o.Reference, o.Billing, o.Delivery, o.Lines = "", nil, nil, slices.Clone(o.Lines)
	for i := range o.Lines {
		o.Lines[i].Note, o.Lines[i].Typed = "", ""
	}
	return o
}

// sums are the amounts below the lines, in the order in which they add up.
func (l letter) sums(o Order, money func(dec.Dec) string) (all []fact) {
	w := l.words
	add := func(label, value string) { all = append(all, fact{Label: label, Value: value}) }
	add(w.Subtotal, money(o.Subtotal))
	for _, d := range o.Discounts {
		add(labelled(w.Discount, d.Label), money(d.Amount.Neg()))
	}
	if o.Freight != nil && *o.Freight == 0 {
		add(w.Freight, w.Free)
	} else if o.Freight != nil {
		add(w.Freight, money(*o.Freight))
	}
	if o.PaymentFee != nil {
		add(w.PaymentFee, money(*o.PaymentFee))
	}
	if !o.PricesIncludeTax {
		for _, t := range o.Taxes {
			add(labelled(w.Tax, t.Label), money(t.Amount))
		}
	}
	all = append(all, fact{Label: w.Total, Value: money(o.Total), Strong: true})
	if o.PricesIncludeTax {
		for _, t := range o.Taxes {
			add(fmt.Sprintf(w.Included, labelled(w.Tax, t.Label)), money(t.Amount))
		}
	}
	for _, g := range o.GiftCards {
		add(labelled(w.GiftCard, g.Label), money(g.Amount.Neg()))
	}
	if o.ToPay > 0 {
		all = append(all, fact{Label: w.ToPay, Value: money(o.ToPay), Strong: true})
	}
	return all
}

func labelled(what, which string) string {
	if which == "" {
		return what
	}
	return what + " " + which
}

func quantity(lang string, n dec.Dec, unit string) string {
	text := Number(lang, n, 0)
	if unit == "" {
		return text
	}
	return text + noBreak + unit
}

// some are the texts that are not empty.
func some(texts ...string) (out []string) {
	return each.Where(texts, func(t string) bool { return t != "" })
}

// facts are those that have a value.
func facts(all ...fact) (out []fact) {
	return each.Where(all, func(f fact) bool { return f.Value != "" })
}

// blocks are those that have lines.
func blocks(all ...block) (out []block) {
	return each.Where(all, func(b block) bool { return len(b.Lines) > 0 })
}
