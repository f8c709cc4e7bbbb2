package checkout

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// creditOf is what a visitor may owe. Credit is given by hand: it has who was given payment terms of his own that leave
// time to pay. Guests, and customers who have just signed themselves up, pay first. Used to offer invoices, to start
// them and to place orders on them. Limit and Owed are in the cart's currency.
func creditOf(tx *db.Tx, v *storefront.Visit, currency string) (payment.Credit, error) {
	if !v.SignedIn() {
		return payment.Credit{}, nil
	}
	return creditOfCustomer(tx, v.Customer.Number, currency)
}

// creditOfCustomer is what a customer may owe, in a currency.
func creditOfCustomer(tx *db.Tx, number, currency string) (payment.Credit, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return payment.Credit{}, err
	}
	c, err := party.Find(tx, number)
	if err != nil {
		return payment.Credit{}, err
	}
	t, ok := book.PaymentTerm(c.PaymentTermCode)
	out := payment.Credit{HasCredit: ok && t.Days > 0}
	if !out.HasCredit || c.CreditLimit == nil {
		return out, nil
	}
	owed, err := Owed(tx, &c)
	if err != nil {
		return out, err
	}
	base := book.Base().Code
	from, _ := book.RateOn(base, tx.Today())
	to, ok := book.RateOn(currency, tx.Today())
	if !ok { // nobody can say what it comes to
		return payment.Credit{HasCredit: true, IsLimited: true}, nil
	}
	digits := book.Digits(currency)
	out.IsLimited, out.Limit = true, dec.Convert(*c.CreditLimit, from, to, digits)
	out.Owed = dec.Capped(func() dec.Dec { return dec.Convert(owed, from, to, digits) })
	return out, nil
}

// Owed is what a customer owes or will, with tax, in the company's currency: what is open of his invoices, and what is
// not invoiced yet of his orders, but for orders that are paid, or will be before they are sent; at most dec.Cap.
func Owed(tx *db.Tx, c *party.Customer) (sum dec.Dec, err error) {
	book, err := reference.Of(tx)
	if err != nil {
		return 0, err
	}
	open, err := invoicing.OpenOf(tx, c.ID)
	if err != nil {
		return 0, err
	}
	orders, err := sales.UnbilledOf(tx, c.Number)
	if err != nil {
		return 0, err
	}
	elsewhere, err := paidElsewhere(tx, orders)
	if err != nil {
		return 0, err
	}
	for _, o := range orders {
		if !elsewhere[o.ID] {
			open[o.CurrencyCode] = open[o.CurrencyCode].AddCapped(o.Unbilled())
		}
	}
	base := book.Base().Code
	to, _ := book.RateOn(base, tx.Today())
	for currency, amount := range open {
		from, ok := book.RateOn(currency, tx.Today())
		if !ok {
			from = to
		}
		sum = sum.AddCapped(dec.Capped(func() dec.Dec { return dec.Convert(amount, from, to, book.Digits(base)) }))
	}
	return sum, nil
}

// HoldBeyondCredit keeps the order of a quote that the customer accepts by himself for the company's people to release,
// where it brings what he owes beyond his limit. It handles quoting.Accepting.
func HoldBeyondCredit(tx *db.Tx, e quoting.Accepting) error {
	q := e.Quote
	credit, err := creditOfCustomer(tx, q.CustomerNumber, q.CurrencyCode)
	if err == nil && beyond(credit, q.TotalIncludingTax(), q.CurrencyCode, q.Digits) != nil {
		*e.Wait = true
	}
	return err
}

// beyond is the refusal of an amount that a limit does not bear; nil where it does.
func beyond(c payment.Credit, amount dec.Dec, currency string, digits int) error {
	brings := c.Owed.AddCapped(amount)
	if !c.IsLimited || brings <= c.Limit {
		return nil
	}
	return ErrCreditLimit.Because(
		"the order would bring what you owe to %s %s; your credit limit is %s. Pay open invoices first, or choose another way to pay",
		brings.Fixed(digits), currency, c.Limit.Fixed(digits)).
		With("creditLimit", c.Limit.Fixed(digits)).With("owed", c.Owed.Fixed(digits))
}
