// Package prepayment is payment in advance by bank transfer: the order is placed unpaid, and waits for its money, which
// the books see and no provider.
package prepayment

import (
	"context"
	"time"

	"kontor/internal/foundation/payment"
)

// Provider is the Prepayment provider.
type Provider struct{ payment.Ours }

// New is the provider.
func New() Provider { return Provider{} }

// Describe tells what it is.
func (Provider) Describe() payment.Description {
	return payment.Description{Name: "Prepayment", PlacesUnpaid: true, IsSettledByUs: true}
}

// Start leaves the payment pending.
func (Provider) Start(_ context.Context, _ payment.Account, i payment.Intent) (payment.Started, error) {
	if err := i.Check(); err != nil {
		return payment.Started{}, err
	}
	s := payment.Started{Ref: i.ID, Status: payment.Pending, Mode: payment.RenderNone}
	return s, s.Check()
}

// Refund counts an amount as given back; the transfer is the merchant's to make.
func (Provider) Refund(_ context.Context, _ payment.Account, p payment.Payment, r payment.Refund) (payment.Refunded,
	error) {
	back, err := p.GiveBack(r)
	back.IsByHand = err == nil
	return back, err
}

// Receive refuses: there is nobody who could send a callback.
func (Provider) Receive(context.Context, payment.Account, payment.Callback, time.Time) (payment.Event, error) {
	return payment.Event{}, payment.ErrCallback.Because("Prepayment has no callbacks.")
}
