// Package invoice is payment on the seller's own invoice, for customers with credit. Nobody outside is asked: what the
// caller knows of the buyer's credit decides, and the money is the business of the invoices.
package invoice

import (
	"context"
	"time"

	"kontor/internal/foundation/payment"
)

// Provider is the Invoice provider.
type Provider struct{ payment.Ours }

// New is the provider.
func New() Provider { return Provider{} }

// Describe tells what it is.
func (Provider) Describe() payment.Description {
	return payment.Description{Name: "Invoice", NeedsCredit: true, IsSettledByUs: true}
}

// Start authorizes at once what the buyer's credit covers: payment.ErrNotAllowed without credit, payment.ErrDeclined
// beyond the limit.
func (p Provider) Start(_ context.Context, a payment.Account, i payment.Intent) (payment.Started, error) {
	if err := i.Check(); err != nil {
		return payment.Started{}, err
	}
	c := i.Credit
	if !c.HasCredit {
		return payment.Started{},
			payment.ErrNotAllowed.Because(
				"Paying on invoice is for signed-in customers with credit. Sign in or choose another way to pay.")
	}
	if c.IsLimited && i.Amount > c.Limit.Sub(c.Owed) {
		return payment.Started{},
			payment.ErrDeclined.Because(
				"The order exceeds the credit limit. Choose another way to pay or pay what is open first.")
	}
	s := payment.Started{Ref: i.ID, Status: payment.Authorized, Mode: payment.RenderNone}
	return s, s.Check()
}

// Refund counts an amount as credited; the credit note is the caller's.
func (Provider) Refund(_ context.Context, _ payment.Account, p payment.Payment, r payment.Refund) (payment.Refunded,
	error) {
	return p.GiveBack(r)
}

// Receive refuses: there is nobody who could send a callback.
func (Provider) Receive(context.Context, payment.Account, payment.Callback, time.Time) (payment.Event, error) {
	return payment.Event{}, payment.ErrCallback.Because("Payment on invoice has no callbacks.")
}
