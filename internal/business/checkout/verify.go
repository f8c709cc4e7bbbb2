package checkout

import (
	"fmt"

	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// Verify checks that money, orders and invoices agree: what was paid belongs to an order or is on its way back, what
// invoices say was paid is here, an order that is over keeps no more than it came to, no cart became two orders, and
// goods are held for payments alone that may still become one.
func Verify(tx *db.Tx, report func(string)) error {
	return record.Verify(tx, report, verifyPayments, verifyTransfers, verifySettled, verifyCards, verifyRests)
}

func verifyPayments(tx *db.Tx, report func(string)) error {
	return everyPayment(tx, func(p *Payment) error {
		say := func(format string, args ...any) { report("payment " + p.ID + ": " + fmt.Sprintf(format, args...)) }
		if p.Refunded > p.Captured {
			say("%s was given back of %s", p.Refunded, p.Captured)
		}
		if here := p.Captured.Sub(p.Refunded); p.Settled > here {
			say("%s stand on invoices as paid, %s of it are here", p.Settled, here)
		}
		open, n, err := openTransfers(tx, p.ID, Refund)
		if err != nil {
			return err
		}
		rest := p.Captured.Sub(p.Refunded).Sub(open)
		if p.IsDropped && p.Amount > 0 && (rest > 0 || p.Status == payment.Authorized && p.Captured == 0 && n == 0) {
			say("it has no order, and %s of it is not given back", rest)
		}
		return nil
	}, report)
}

// verifyRests looks at orders that are over: what they were paid for and did not come to is given back, or a job is to
// do it.
func verifyRests(tx *db.Tx, report func(string)) error {
	numbers, err := ordersWithRest(tx)
	if err != nil {
		return err
	}
	for _, number := range numbers {
		o, err := sales.Find(tx, number)
		if err != nil {
			return err
		}
		w := purse{orderID: o.ID}
		if w.cards, err = promotion.GiftCardsPaid(tx, o.ID); err != nil {
			return err
		}
		if w.used, err = cardsUsed(tx, o.ID); err != nil {
			return err
		}
		if w.payment, err = PaymentOf(tx, o.ID); err != nil {
			return err
		}
		money, cards, _, err := w.rest(tx, &o)
		if err != nil {
			return err
		}
		if rest := money.Add(cards); rest > 0 {
			report(fmt.Sprintf("order %s is over, and %s that was paid for it is neither needed nor on its way back",
				o.Number, rest))
		}
	}
	return nil
}
