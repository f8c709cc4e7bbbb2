package invoicing

import (
	"cmp"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// PaymentKind is where a payment came from.
type PaymentKind string

// The kinds. A settlement is the other side of a credit note: what it takes off the invoice it credits.
const (
	Money      PaymentKind = "Payment"
	GiftCard   PaymentKind = "GiftCard"
	Settlement PaymentKind = "CreditNote"
)

// Payment is an amount that settles a part of an invoice; below zero when a payment is taken back.
type Payment struct {
	Kind      PaymentKind // empty = Money
	Date      day.Date    `db:"paid_on"` // empty = today
	Amount    dec.Dec
	Reference string
	OrderID   string // whose payment or gift card it is of; empty = somebody noted it, or a settlement
	Surplus   bool   // what is more than the balance is meant, and stays to the customer's credit
}

// PaidPart is what of an order's own payment, and of the gift cards that it was paid with, stands on an invoice.
type PaidPart struct {
	Invoice      string // number
	Money, Cards dec.Dec
}

// BalanceOf is what of an invoice's balance one of its orders is to pay: orders that are billed together pay for
// themselves.
func BalanceOf(tx *db.Tx, i *Invoice, orderID string) (dec.Dec, error) {
	if len(i.OrderNumbers) < 2 {
		return i.Balance(), nil
	}
	share := i.sharedBy(orderID)
	paid, err := PaidFor(tx, orderID)
	for _, p := range paid {
		if p.Invoice == i.Number {
			share = share.Sub(p.Money).Sub(p.Cards)
		}
	}
	return min(i.Balance(), share), err
}

// Pay notes a payment of a booked invoice (of a credit note: that it was paid out), or takes one back. What is paid too
// much stays as a negative balance; who notes it by hand has to mean it.
//
// Refuses with Invoice.NotFound, Invoice.InvalidStatus, Invoice.Invalid and Invoice.AmountExceedsBalance.
func Pay(tx *db.Tx, invoiceNumber string, p Payment) (Invoice, error) {
	i, before, err := bills.Begin(tx, invoiceNumber, "pay")
	if err != nil {
		return i, err
	}
	paid := i.PaidAmount
	if p.Amount < 0 {
		if paid, err = i.received(tx); err != nil {
			return i, err
		}
	}
	switch {
	case p.Amount == 0:
		return i, ErrInvalid.At("amount", "must not be 0")
	case p.Amount.Decimals() > i.Digits:
		return i, ErrInvalid.At("amount", "has more decimals than %s has (%d)", i.CurrencyCode, i.Digits)
	case paid.Add(p.Amount) < 0:
		return i, ErrInvalid.At("amount", "takes back more than the %s that were paid", paid.Fixed(i.Digits))
	case p.OrderID == "" && !p.Surplus && p.Amount > 0 && p.Amount > i.Balance():
		open := max(0, i.Balance())
		return i, ErrSurplus.At("amount",
			"is %s %s more than the %s that are still to be paid; say that the surplus is meant, and it stays to the customer's credit",
			p.Amount.Sub(open).Fixed(i.Digits), i.CurrencyCode, open.Fixed(i.Digits))
	}
	var wrong fault.List
	limit.Total.Check(&wrong, "amount", p.Amount)
	if wrong.Empty() {
		limit.Total.Check(&wrong, "amount", i.PaidAmount.Add(p.Amount))
	}
	if err := wrong.Err(); err != nil {
		return i, err
	}
	p.Kind = cmp.Or(p.Kind, Money)
	p.Date = cmp.Or(p.Date, tx.Today())
	i.receive(p)
	if err := insertPayments(tx, []*Invoice{&i}, []Payment{p}); err != nil {
		return i, err
	}
	return i, bills.Act(tx, "pay", before, &i)
}

// received is what somebody paid of an invoice: what credit notes settled of it cannot be taken back.
func (i *Invoice) received(tx *db.Tx) (dec.Dec, error) {
	sum := i.PaidAmount
	all, err := Payments(tx, i.ID)
	for _, p := range all {
		if p.Kind == Settlement {
			sum = sum.Sub(p.Amount)
		}
	}
	return sum, err
}

// settleNotes takes credit notes that are being booked off the invoices they credit; what they credit of none stays to
// be paid out. An invoice that was paid already has a negative balance then.
func settleNotes(tx *db.Tx, notes []*Invoice) error {
	var numbers []string
	for _, n := range notes {
		if n.Type == CreditNote {
			numbers = append(numbers, n.credited()...)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	locked, err := lockMany(tx, numbers, false)
	if err != nil {
		return err
	}
	var (
		payees   []*Invoice
		payments []Payment
	)
	invoices := inOrder(locked)
	was := each.Of(invoices, func(i *Invoice) Invoice { return *i })
	for _, n := range notes {
		for _, part := range n.settles(locked) {
			i := part.invoice
			mine := Payment{Kind: Settlement, Date: n.InvoiceDate, Amount: part.amount, Reference: n.Number}
			theirs := Payment{Kind: Settlement, Date: n.InvoiceDate, Amount: part.amount, Reference: i.Number}
			i.receive(mine)
			n.receive(theirs)
			payees, payments = append(payees, i, n), append(payments, mine, theirs)
		}
	}
	if err := insertPayments(tx, payees, payments); err != nil {
		return err
	}
	if err := updatePaid(tx, invoices); err != nil {
		return err
	}
	changes := make([]record.Change, len(invoices))
	for k, i := range invoices {
		changes[k] = record.Change{Root: &i.Root, Key: i.Number, Action: "settle", Detail: record.Diff(was[k], *i)}
	}
	return Invoices.ReportMany(tx, changes)
}

// settlement is what a credit note takes off an invoice.
type settlement struct {
	invoice *Invoice
	amount  dec.Dec
}

// settles is what a credit note takes off each of the invoices it credits, in their order.
func (i *Invoice) settles(invoices map[string]*Invoice) []settlement {
	if i.Type != CreditNote {
		return nil
	}
	amounts, of := map[string]dec.Dec{}, map[string]*Invoice{}
	for _, l := range i.Lines {
		if key := record.Fold(l.CreditsInvoice); key != "" {
			amounts[key], of[key] = amounts[key].Add(l.LineTotal).Add(l.TaxAmount), invoices[key]
		}
	}
	return each.Of(inOrder(of),
		func(credited *Invoice) settlement { return settlement{credited, amounts[record.Fold(credited.Number)]} })
}

// receive adds a payment to what the head knows of them.
func (i *Invoice) receive(p Payment) {
	i.PaymentCount++
	i.PaidAmount = i.PaidAmount.Add(p.Amount)
	i.PaymentStatus = paymentStatus(i.TotalIncludingTax(), i.PaidAmount, i.TaxReduction)
}
