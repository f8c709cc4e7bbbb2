package checkout

import (
	"context"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
)

// Weighing gives back what was paid for an order and is not needed for it any more.
var Weighing = jobs.Kind{Name: "payment-rest", Counted: true}

// patience is how long somebody who edits an order has time to put something else in the place of what he took off.
// Whoever looks at the job may run it sooner, or cancel it where the buyer agreed to something else.
const patience = time.Hour

// WeighLessened lets a job give back what an order was paid for and came to cost less. It handles sales.Lessened.
func WeighLessened(tx *db.Tx, e sales.Lessened) error {
	placed, err := receiptOf(tx, e.Order.ID)
	if err != nil || placed == nil {
		return err
	}
	if e.IsEdit {
		at := db.TimeOf(tx.Now.Time().Add(patience))
		return weigh(tx, e.Order, jobs.Options{Key: e.Order.ID + editedKey, RunAt: at})
	}
	return weigh(tx, e.Order, jobs.Options{Key: e.Order.ID})
}

// editedKey ends the keys of jobs that wait for an edit to be over.
const editedKey = " edited"

func weigh(tx *db.Tx, o *sales.Order, when jobs.Options) error {
	_, err := jobs.Add(tx, Weighing, o.Number, about{o.ID}, when)
	return err
}

// Weigh is the handler of Weighing: money goes back first, then what gift cards paid. Held money of an order that will
// not be billed is let go.
func (t *Payments) Weigh(_ context.Context, g Transactor, orderID string) error {
	return g.Write(func(tx *db.Tx) error {
		orders, err := sales.LockIDs(tx, []string{orderID})
		if err != nil || len(orders) == 0 {
			return err
		}
		o := orders[0]
		w, err := lockPurse(tx, orderID)
		if err != nil {
			return err
		}
		if err := w.payInvoices(tx, o); err != nil {
			return err
		}
		return w.giveBackRest(tx, o)
	})
}

// purse is what was paid for an order.
type purse struct {
	orderID string
	payment *Payment // nil = there is none
	cards   dec.Dec  // what gift cards paid, less what went back
	used    dec.Dec  // the part of it that settled invoices
}

// lockPurse reads it for a change: gift cards, receipt, payment, in this order.
func lockPurse(tx *db.Tx, orderID string) (w purse, err error) {
	w.orderID = orderID
	if w.cards, err = promotion.LockSpent(tx, orderID); err != nil {
		return w, err
	}
	if w.used, err = cardsSettled(tx, orderID); err != nil {
		return w, err
	}
	w.payment, err = lockOrderPayment(tx, orderID)
	return w, err
}

// free is what of the purse no invoice has used, and what is not on its way back.
func (w *purse) free(tx *db.Tx) (money, cards dec.Dec, err error) {
	if p := w.payment; p != nil && p.Provider != invoiceProvider {
		money, err = p.free(tx)
	}
	return max(0, money), max(0, w.cards.Sub(w.used)), err
}

// payInvoices lets what is free pay the invoices of the order that want it.
func (w *purse) payInvoices(tx *db.Tx, o *sales.Order) error {
	for _, number := range o.InvoiceNumbers {
		if err := payByCards(tx, o.ID, number); err != nil {
			return err
		}
		if w.payment == nil {
			continue
		}
		if err := w.payment.pay(tx, number); err != nil {
			return err
		}
	}
	var err error
	w.used, err = cardsSettled(tx, o.ID)
	return err
}

// rest is what of the purse is free and not needed: what money and gift cards have paid beyond what the order came to.
func (w *purse) rest(tx *db.Tx, o *sales.Order) (money, cards, needed dec.Dec, err error) {
	if money, cards, err = w.free(tx); err != nil {
		return 0, 0, 0, err
	}
	if needed, err = neededFor(tx, o); err != nil {
		return 0, 0, 0, err
	}
	over := max(0, money.Add(cards).Sub(needed))
	money = min(over, money)
	return money, min(over.Sub(money), cards), needed, nil
}

func (w *purse) giveBackRest(tx *db.Tx, o *sales.Order) error {
	money, cards, needed, err := w.rest(tx, o)
	if err != nil {
		return err
	}
	reason := "order " + o.Number + " came to less than was paid"
	p := w.payment
	switch {
	case money > 0:
		err = giveBack(tx, p, money, reason)
	case p != nil && p.holds() && needed == 0 && o.Status == sales.Closed:
		err = p.letGo(tx, reason)
	}
	if err == nil {
		err = w.releaseRest(tx, o)
	}
	if err != nil || cards <= 0 {
		return err
	}
	return promotion.PutBack(tx, o.ID, cards)
}

// holds reports whether all of a payment is held by its provider and nothing of it was taken.
func (p *Payment) holds() bool {
	return p.Status == payment.Authorized && p.Captured == 0 && p.Provider != invoiceProvider
}

// letGo lets a job release held money, unless some of it is being taken.
func (p *Payment) letGo(tx *db.Tx, reason string) error {
	if _, taking, err := openTransfers(tx, p.ID, Capture); err != nil || taking > 0 {
		return err
	}
	return giveBack(tx, p, 0, reason)
}

// releaseRest lets a job release what is still held of money that was taken in part.
func (w *purse) releaseRest(tx *db.Tx, o *sales.Order) error {
	if is, err := w.holdsRest(tx, o); err != nil || !is {
		return err
	}
	_, err := jobs.Add(tx, Releasing, o.Number, about{w.payment.ID}, jobs.Options{Key: w.payment.ID})
	return err
}

// holdsRest reports whether an order is over that took a part of its money, will take no more, and whose provider may
// hold the rest still.
func (w *purse) holdsRest(tx *db.Tx, o *sales.Order) (bool, error) {
	p := w.payment
	if p == nil || o.Status.IsOpen() || p.Status != payment.Captured || p.Captured <= 0 || p.Captured >= p.Amount {
		return false, nil
	}
	if _, taking, err := openTransfers(tx, p.ID, Capture); err != nil || taking > 0 {
		return false, err // it is asked for again once that was taken
	}
	needed, err := neededFor(tx, o)
	return needed == 0, err
}

// Release is the handler of Releasing. An order that was opened again meanwhile keeps what is held for it.
func (t *Payments) Release(ctx context.Context, g Transactor, id string) error {
	var p *Payment
	isOver := false
	err := g.Read(func(tx *db.Tx) (err error) {
		if p, err = readPayment(tx, id); err != nil || p == nil || p.OrderNumber == "" {
			return err
		}
		o, err := sales.Find(tx, p.OrderNumber)
		if err != nil {
			return err
		}
		isOver, err = (&purse{orderID: o.ID, payment: p}).holdsRest(tx, &o)
		return err
	})
	if err != nil || !isOver {
		return err
	}
	provider, account, err := t.of(g, p)
	if err != nil {
		return err
	}
	if err := provider.Release(ctx, account, p.At()); err != nil {
		return lasting(err)
	}
	return nil
}

// neededFor is what of an order's money must wait: for what may still be billed, for invoices that are not booked yet,
// and for those that are not paid.
func neededFor(tx *db.Tx, o *sales.Order) (sum dec.Dec, err error) {
	sum = o.Unbilled()
	invoices, err := invoicing.FindMany(tx, o.InvoiceNumbers)
	if err != nil {
		return 0, err
	}
	for _, i := range invoices {
		switch {
		case i.Type == invoicing.CreditNote:
		case i.Status == invoicing.Booked:
			due, err := invoicing.BalanceOf(tx, i, o.ID)
			if err != nil {
				return 0, err
			}
			sum = sum.Add(max(0, due))
		case i.Status == invoicing.Open:
			for k := range i.Lines {
				if l := &i.Lines[k]; l.OrderID == o.ID {
					sum = sum.Add(l.LineTotal).Add(l.TaxAmount)
				}
			}
		}
	}
	return sum, nil
}

// free is what of a payment has settled no invoice and is not on its way back. What goes back for a credit note is
// still on the invoice that this credits.
func (p *Payment) free(tx *db.Tx) (dec.Dec, error) {
	all, err := Transfers(tx, p.ID)
	free := p.Captured.Sub(p.Refunded).Sub(p.Settled)
	for _, m := range all {
		if m.Kind == Refund && m.Status == Open && m.Invoice == "" {
			free = free.Sub(m.Amount)
		}
	}
	return free, err
}

// weighRest asks for the job where more was paid for an order than it needs. p is its locked payment, nil where there
// is none.
func weighRest(tx *db.Tx, o *sales.Order, p *Payment) error {
	w := purse{orderID: o.ID, payment: p}
	err := w.releaseRest(tx, o)
	if err != nil {
		return err
	}
	if w.cards, err = promotion.GiftCardsPaid(tx, o.ID); err != nil {
		return err
	}
	if w.used, err = cardsUsed(tx, o.ID); err != nil {
		return err
	}
	if money, cards, err := w.free(tx); err != nil || money.Add(cards) == 0 {
		return err
	}
	money, cards, _, err := w.rest(tx, o)
	if err != nil || money.Add(cards) == 0 {
		return err
	}
	return weigh(tx, o, jobs.Options{Key: o.ID})
}

// FreeCredited takes what was paid off an invoice that a credit note undoes so that its goods can be billed again: it
// waits on the order, for the next invoice, unless the order is over and needs it no more. It handles invoicing.Issued,
// in whose transaction the credited invoice is locked.
func FreeCredited(tx *db.Tx, e invoicing.Issued) error {
	undone := map[string]dec.Dec{}
	var orders []string
	for k := range e.Invoice.Lines {
		l := &e.Invoice.Lines[k]
		if e.Invoice.Type != invoicing.CreditNote || !l.Rebill || l.OrderID == "" {
			continue
		}
		if _, known := undone[l.OrderID]; !known {
			orders = append(orders, l.OrderID)
		}
		undone[l.OrderID] = undone[l.OrderID].Add(l.LineTotal).Add(l.TaxAmount)
	}
	for _, id := range orders {
		placed, err := receiptOf(tx, id)
		if err != nil {
			return err
		}
		if placed == nil {
			continue
		}
		w, err := lockPurse(tx, id)
		if err != nil {
			return err
		}
		if err := w.takeOff(tx, e.Invoice.CreditsInvoiceNumber, undone[id]); err != nil {
			return err
		}
		o, err := sales.Find(tx, placed.OrderNumber)
		if err == nil && o.Status == sales.Closed {
			err = weighRest(tx, &o, w.payment)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeOff takes what an order has paid of an invoice off it, as far as that was paid too much, at most so much.
func (w *purse) takeOff(tx *db.Tx, invoice string, most dec.Dec) error {
	i, err := invoicing.Find(tx, invoice)
	if err != nil {
		return err
	}
	on, err := invoicing.PaidFor(tx, w.orderID)
	if err != nil {
		return err
	}
	over := min(most, i.Balance().Neg())
	for _, part := range on {
		if part.Invoice != i.Number {
			continue
		}
		if off := min(over, part.Money); off > 0 && w.payment != nil {
			if err := w.payment.settle(tx, i.Number, w.payment.Ref, off.Neg()); err != nil {
				return err
			}
			over = over.Sub(off)
		}
		if off := min(over, part.Cards); off > 0 {
			if err := w.settleCards(tx, i.Number, off.Neg()); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle settles an invoice with money of a locked payment, which is called ref, or takes it off again: below zero.
func (p *Payment) settle(tx *db.Tx, invoice, ref string, amount dec.Dec) error {
	p.Settled = p.Settled.Add(amount)
	if err := writePayment(tx, p); err != nil {
		return err
	}
	_, err := invoicing.Pay(tx, invoice, invoicing.Payment{Kind: invoicing.Money, Amount: amount,
		Reference: referenceOf(p.Method, ref), OrderID: p.OrderID})
	return err
}

// settleCards settles an invoice with what gift cards paid, or takes it off again: below zero.
func (w *purse) settleCards(tx *db.Tx, invoice string, amount dec.Dec) error {
	w.used = w.used.Add(amount)
	if err := settleCards(tx, w.orderID, w.used); err != nil {
		return err
	}
	_, err := invoicing.Pay(tx, invoice, invoicing.Payment{Kind: invoicing.GiftCard, Amount: amount,
		Reference: ByGiftCard, OrderID: w.orderID})
	return err
}

// uncover takes money of a locked payment that is here no more off the invoices it had paid: first off those that were
// paid too much, then off the latest. It went back without a credit note, by us or by somebody at the provider's.
func (p *Payment) uncover(tx *db.Tx) error {
	over := p.Settled.Sub(max(0, p.Captured.Sub(p.Refunded)))
	if over <= 0 || p.OrderID == "" {
		return nil
	}
	on, err := invoicing.PaidFor(tx, p.OrderID)
	if err != nil {
		return err
	}
	for _, tooMuch := range []bool{true, false} {
		for k := range on {
			i, err := invoicing.Find(tx, on[k].Invoice)
			if err != nil {
				return err
			}
			off := min(over, on[k].Money)
			if tooMuch {
				off = min(off, i.Balance().Neg())
			}
			if off <= 0 {
				continue
			}
			if err := p.settle(tx, i.Number, p.Ref, off.Neg()); err != nil {
				return err
			}
			over, on[k].Money = over.Sub(off), on[k].Money.Sub(off)
		}
	}
	return nil
}

// uncoverCards takes what gift cards paid for an order off its invoices: it is back on the cards.
func uncoverCards(tx *db.Tx, orderID string) error {
	used, err := cardsSettled(tx, orderID)
	if err != nil || used <= 0 {
		return err
	}
	w := purse{orderID: orderID, used: used}
	on, err := invoicing.PaidFor(tx, orderID)
	for _, part := range on {
		if off := min(part.Cards, w.used); err == nil && off > 0 {
			err = w.settleCards(tx, part.Invoice, off.Neg())
		}
	}
	return err
}
