package payment

import (
	"context"

	"kontor/internal/foundation/dec"
)

// What follows answers for payments of which nobody but the caller knows: on invoice, in advance, and the Test
// provider's. Two sums never overflow when added, and there is no transaction here that would turn dec's panic into a
// refusal.

// Ours is what providers have in common whose payments we settle ourselves (Description.IsSettledByUs), who embed it:
// there is nobody to ask or to tell.
type Ours struct{}

// Look repeats what the caller keeps.
func (Ours) Look(_ context.Context, _ Account, p Payment) (State, error) { return p.State(), nil }

// Placed has nobody to tell.
func (Ours) Placed(context.Context, Account, Payment, string) error { return nil }

// Capture counts an amount as taken.
func (Ours) Capture(_ context.Context, _ Account, p Payment, c Capture) (State, error) {
	return p.Take(c)
}

// Cancel calls the payment off; what was taken is refunded instead.
func (Ours) Cancel(_ context.Context, _ Account, p Payment) (State, error) { return p.CallOff() }

// Release lets nothing go: nobody holds any.
func (Ours) Release(context.Context, Account, Payment) error { return nil }

// State is the payment as its caller keeps it.
func (p Payment) State() State {
	return State{Ref: p.Ref, Status: p.Status, Amount: p.Amount, Currency: p.Currency, Captured: p.Captured,
		Refunded: p.Refunded}
}

// Take is the state after a capture: of held money, or of money that came for a pending payment. At most the payment's
// amount.
func (p Payment) Take(c Capture) (State, error) {
	if err := p.CheckPart(c.ID, c.Amount); err != nil {
		return State{}, err
	}
	if p.Status.IsOver() || p.Status == Failed {
		return State{}, ErrWrongState.Because("The payment is %s: no money can be taken.", p.Status)
	}
	if p.Captured.Add(c.Amount) > p.Amount {
		return State{}, ErrWrongState.Because("Of %s, %s is taken already: %s more is too much.",
			p.Amount.Fixed(p.Digits), p.Captured.Fixed(p.Digits), c.Amount.Fixed(p.Digits))
	}
	s := p.State()
	s.Status, s.Captured = Captured, p.Captured.Add(c.Amount)
	return s, nil
}

// CallOff is the state after a cancellation.
func (p Payment) CallOff() (State, error) {
	s := p.State()
	switch {
	case p.Captured > 0 || p.Status == Captured:
		return s, ErrWrongState.Because("The payment is captured. Refund it instead.")
	case !p.Status.IsOver():
		s.Status = Cancelled
	}
	return s, nil
}

// GiveBack is a refund of captured money, at most what is left of it.
func (p Payment) GiveBack(r Refund) (Refunded, error) {
	if err := p.CheckPart(r.ID, r.Amount); err != nil {
		return Refunded{}, err
	}
	if p.Refunded.Add(r.Amount) > p.Captured {
		return Refunded{}, ErrWrongState.Because("Of %s captured, %s is given back already: %s more is too much.",
			p.Captured.Fixed(p.Digits), p.Refunded.Fixed(p.Digits), r.Amount.Fixed(p.Digits))
	}
	return Refunded{Ref: r.ID}, nil
}

// CheckPart is what every adapter asks of a capture or a refund before it is sent: an id, and an amount above zero that
// is exact.
func (p Payment) CheckPart(id string, amount dec.Dec) error {
	if id == "" || amount <= 0 {
		return ErrInvalid.Because("A capture and a refund have an id and an amount above zero.")
	}
	_, err := Minor(amount, p.Digits)
	return err
}
