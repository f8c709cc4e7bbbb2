package checkout

import (
	"fmt"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// GiveBackReturned gives back what was paid for goods that came back, once their credit note is booked: first the money
// that paid the invoice, by the job that every refund is made by, then onto the gift cards that did. What the customer
// owes still is set off against it. It handles invoicing.Issued, in whose transaction the credited invoice is locked.
func GiveBackReturned(tx *db.Tx, e invoicing.Issued) error {
	note := e.Invoice
	if note.Type != invoicing.CreditNote || note.ReturnNumber == "" || note.CreditsInvoiceNumber == "" {
		return nil
	}
	for _, number := range note.OrderNumbers { // a return is of one order
		o, err := sales.Find(tx, number)
		if err != nil {
			return err
		}
		if err := giveBackFor(tx, o.ID, note); err != nil {
			return err
		}
	}
	return nil
}

func giveBackFor(tx *db.Tx, orderID string, note *invoicing.Invoice) error {
	placed, err := receiptOf(tx, orderID)
	if err != nil || placed == nil {
		return err
	}
	w, err := lockPurse(tx, orderID)
	if err != nil {
		return err
	}
	d, err := debtOf(tx, note, orderID, w.payment)
	if err != nil || d.isPaidOut {
		return err
	}
	money := d.money()
	if money > 0 {
		err = transfer(tx, w.payment, Refunding, Transfer{Kind: Refund, Amount: money, Invoice: note.Number, Reason: "return " +
			note.ReturnNumber})
		if err != nil {
			return err
		}
	}
	back := min(d.owed().Sub(money), d.cards, w.cards)
	if back <= 0 {
		return nil
	}
	if err := promotion.PutBack(tx, orderID, back); err != nil {
		return err
	}
	if err := settleCards(tx, orderID, max(0, w.used.Sub(back))); err != nil {
		return err
	}
	_, err = invoicing.Pay(tx, note.CreditsInvoiceNumber,
		invoicing.Payment{Kind: invoicing.GiftCard, Amount: back.Neg(), Reference: note.Document(), OrderID: orderID})
	return err
}

// debt is what a booked credit note makes us owe to the buyer of a locked payment.
type debt struct {
	total       dec.Dec // of the credit note
	balance     dec.Dec // of the invoice it credits
	paid, cards dec.Dec // what money and gift cards paid of that invoice for the order, or nobody knows for which
	left        dec.Dec // what of the payment can go back
	// What is under way: money being taken for the invoice, and money of it going back.
	coming, going dec.Dec
	isPaidOut     bool
}

// owed is what the buyer has paid too much, at most what was credited: who has not paid all owes the less.
func (d debt) owed() dec.Dec {
	return max(0, min(d.total, d.coming.Sub(d.going).Sub(d.balance)))
}

// money is the part of it that money has paid, so that a gift card never becomes money.
func (d debt) money() dec.Dec {
	return max(0, min(d.owed(), d.paid.Add(d.coming).Sub(d.going), d.left))
}

func debtOf(tx *db.Tx, note *invoicing.Invoice, orderID string, p *Payment) (d debt, err error) {
	i, err := invoicing.Find(tx, note.CreditsInvoiceNumber)
	if err != nil {
		return d, err
	}
	d.total, d.balance = note.TotalIncludingTax(), i.Balance()
	payments, err := invoicing.Payments(tx, i.ID)
	if err != nil {
		return d, err
	}
	for _, m := range payments {
		switch {
		case m.OrderID != "" && m.OrderID != orderID: // another's that is billed together with it
		case m.Kind == invoicing.Money:
			d.paid = d.paid.Add(m.Amount)
		case m.Kind == invoicing.GiftCard:
			d.cards = d.cards.Add(m.Amount)
		}
	}
	if p == nil {
		return d, nil
	}
	d.left = p.Captured.Sub(p.Refunded)
	all, err := Transfers(tx, p.ID)
	if err != nil {
		return d, err
	}
	for _, m := range all {
		d.isPaidOut = d.isPaidOut || m.Kind == Refund && m.Invoice == note.Number
		switch {
		case m.Status == Done:
		case m.Kind == Refund:
			d.left = d.left.Sub(m.Amount)
		default:
			d.left = d.left.Add(m.Amount)
			if m.Invoice == i.Number {
				d.coming = d.coming.Add(m.Amount)
			}
		}
	}
	d.going, err = goingBack(tx, p.ID, i.Number)
	return d, err
}

// goingBack is what of a payment is on its way back for credit notes of an invoice: such a refund names the note that
// it pays out.
func goingBack(tx *db.Tx, paymentID, invoice string) (sum dec.Dec, err error) {
	all, err := Transfers(tx, paymentID)
	for _, m := range all {
		if m.Kind != Refund || m.Status == Done || m.Invoice == "" {
			continue
		}
		note, err := invoicing.Find(tx, m.Invoice)
		if err != nil {
			return sum, err
		}
		if note.CreditsInvoiceNumber == invoice {
			sum = sum.Add(m.Amount)
		}
	}
	return sum, err
}

// waits keeps a refund back while the money that it gives back is only being taken.
func (m *Transfer) waits(tx *db.Tx, p *Payment) error {
	if m.Kind != Refund || m.Amount == 0 || p.Captured.Sub(p.Refunded) >= m.Amount {
		return nil
	}
	if _, n, err := openTransfers(tx, p.ID, Capture); err != nil || n == 0 {
		return err
	}
	return fmt.Errorf("%s %s can go back once they were taken: the job that takes them is not done", m.Amount,
		p.Currency)
}

// takeOff takes money that went back for a credit note off the invoice it had paid.
func (p *Payment) takeOff(tx *db.Tx, note, ref string, amount dec.Dec) error {
	n, err := invoicing.Find(tx, note)
	if err != nil {
		return err
	}
	i, err := invoicing.Find(tx, n.CreditsInvoiceNumber)
	if err != nil {
		return err
	}
	off := min(amount, p.Settled, i.Balance().Neg())
	if off <= 0 {
		return nil
	}
	return p.settle(tx, i.Number, ref, off.Neg())
}

// wentBack is what our refunds of a payment add up to.
func wentBack(tx *db.Tx, paymentID string) (sum dec.Dec, err error) {
	all, err := Transfers(tx, paymentID)
	for _, m := range all {
		if m.Kind == Refund && m.Status == Done {
			sum = sum.Add(m.Amount)
		}
	}
	return sum, err
}
