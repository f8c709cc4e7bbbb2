package checkout

import (
	"fmt"

	"kontor/internal/db"
	"kontor/internal/payment"
)

// Verify checks that money and orders agree: what was paid belongs to an order or is on its way back, no cart became two orders, and
// goods are held for payments alone that may still become one.
func Verify(tx *db.Tx, report func(string)) error {
	return everyPayment(tx, func(p *Payment) error {
		say := func(format string, args ...any) { report("payment " + p.ID + ": " + fmt.Sprintf(format, args...)) }
		if p.Refunded > p.Captured {
			say("%s was given back of %s", p.Refunded, p.Captured)
		}
		if p.Settled > p.Captured {
			say("%s has paid invoices, %s was taken", p.Settled, p.Captured)
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
