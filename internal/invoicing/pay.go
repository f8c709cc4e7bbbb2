package invoicing

import (
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/record"
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
	Date      day.Date    // empty = today
	Amount    dec.Dec
	Reference string
}

// Pay notes a payment of a booked invoice (of a credit note: that it was paid out). What is paid too much stays as a
// negative balance.
//
// Refuses with Invoice.NotFound, Invoice.InvalidStatus and Invoice.Invalid.
func Pay(tx *db.Tx, invoiceNumber string, p Payment) (Invoice, error) {
	i, before, err := begin(tx, invoiceNumber, "pay")
	if err != nil {
		return i, err
	}
	switch {
	case p.Amount == 0:
		return i, ErrInvalid.At("amount", "must not be 0")
	case p.Amount.Decimals() > i.Digits:
		return i, ErrInvalid.At("amount", "has more decimals than %s has (%d)", i.CurrencyCode, i.Digits)
	case i.PaidAmount.Add(p.Amount) < 0:
		return i, ErrInvalid.At("amount", "takes back more than the %s that were paid", i.PaidAmount.Fixed(i.Digits))
	}
	if p.Kind == "" {
		p.Kind = Money
	}
	if p.Date == "" {
		p.Date = tx.Today()
	}
	i.receive(p)
	if err := insertPayments(tx, []*Invoice{&i}, []Payment{p}); err != nil {
		return i, err
	}
	return i, save(tx, &i, before, "pay")
}

// settle takes a credit note that is being booked off the invoices it credits; what it credits of none stays to be
// paid out. An invoice that was paid already has a negative balance then.
func settle(tx *db.Tx, n *Invoice) error {
	if n.Type != CreditNote {
		return nil
	}
	amounts := map[string]dec.Dec{}
	for _, l := range n.Lines {
		if key := record.Fold(l.CreditsInvoice); key != "" {
			amounts[key] = amounts[key].Add(l.LineTotal).Add(l.TaxAmount)
		}
	}
	if len(amounts) == 0 {
		return nil
	}
	locked, err := lockMany(tx, n.credited(), false)
	if err != nil {
		return err
	}
	var (
		payees   []*Invoice
		payments []Payment
		changes  []record.Change
	)
	invoices := inOrder(locked)
	for _, i := range invoices {
		was, amount := *i, amounts[record.Fold(i.Number)]
		mine, theirs := Payment{Settlement, n.InvoiceDate, amount, n.Number}, Payment{Settlement, n.InvoiceDate, amount, i.Number}
		i.receive(mine)
		n.receive(theirs)
		payees, payments = append(payees, i, n), append(payments, mine, theirs)
		changes = append(changes, record.Change{Root: &i.Root, Key: i.Number, Action: "settle", Detail: record.Diff(was, *i)})
	}
	if err := insertPayments(tx, payees, payments); err != nil {
		return err
	}
	if err := updatePaid(tx, invoices); err != nil {
		return err
	}
	return Invoices.ReportMany(tx, changes)
}

// receive adds a payment to what the head knows of them.
func (i *Invoice) receive(p Payment) {
	i.payments++
	i.PaidAmount = i.PaidAmount.Add(p.Amount)
	i.PaymentStatus = paymentStatus(i.TotalIncludingTax(), i.PaidAmount, i.TaxReduction)
}
