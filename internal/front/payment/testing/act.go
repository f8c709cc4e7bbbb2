package testing

import (
	"context"
	"encoding/json"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// SignatureHeader carries the signature of a callback.
const SignatureHeader = "Test-Signature"

// message is the body of a callback.
type message struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Payment string    `json:"payment"`
	Ref     string    `json:"ref"`
	Status  string    `json:"status"`
	Amount  dec.Dec   `json:"amount"`
	Taken   dec.Dec   `json:"captured"`
	Unit    string    `json:"currency"`
	Reason  string    `json:"reason,omitempty"`
}

// Delivery is a callback the provider sends: Body with Header, as a POST to the callback address, not before Due.
type Delivery struct {
	Address string
	Header  map[string]string
	Body    []byte
	Due     time.Time
}

// Deliveries are the callbacks of a payment in the order they are sent, by the card it was started with or, where that
// is none, the one given. Whoever sends them acts as the provider: the page, a demonstration, a test.
func Deliveries(a payment.Account, ref, card string, now time.Time) ([]Delivery, error) {
	t, err := open(a, ref)
	if err != nil {
		return nil, err
	}
	if t.Card == "" {
		if !isCard(card) {
			return nil, payment.ErrInvalid.At("card", "%s is none of the test cards; %s succeeds", masked(card),
				CardSucceeds)
		}
		t.Card = card
		t.Started = now.UTC().Truncate(time.Second) // what is late is late from here
		ref = t.sign(a.Settings["secret"])
	}
	due := now
	if late := t.Started.Add(lateAfter); t.Card == CardLate && late.After(now) {
		due = late
	}
	final := t.state(ref, due)
	held := final
	held.Status, held.Captured = payment.Authorized, 0
	states := []payment.State{final}
	switch {
	case t.Card == CardSilent || t.Card == CardUnreachable:
		return nil, nil
	case t.Card == CardDisordered && final.Status == payment.Captured:
		states = []payment.State{final, held}
	case t.Card == CardDisordered:
		states = []payment.State{final, {Ref: ref, Status: payment.Pending, Amount: t.Amount, Currency: t.Currency}}
	case t.Card == CardTwice:
		states = []payment.State{final, final}
	case final.Status == payment.Captured:
		states = []payment.State{held, final}
	}
	sent := make([]Delivery, len(states))
	for i, s := range states {
		if sent[i], err = t.deliver(a.Settings["secret"], s, due); err != nil {
			return nil, err
		}
	}
	return sent, nil
}

// CalledOff is the callback of a buyer who gives up on the page.
func CalledOff(a payment.Account, ref string, now time.Time) (Delivery, error) {
	t, err := open(a, ref)
	if err != nil {
		return Delivery{}, err
	}
	if t.Card != "" {
		return Delivery{}, payment.ErrWrongState.Because("The payment has its card already.")
	}
	t.IsCancelled = true
	ref = t.sign(a.Settings["secret"])
	return t.deliver(a.Settings["secret"], t.state(ref, now), now)
}

func (t ticket) deliver(secret string, s payment.State, at time.Time) (Delivery, error) {
	body, err := json.Marshal(message{ID: t.Payment + "-" + string(s.Status), At: at.UTC().Truncate(time.Second),
		Payment: t.Payment, Ref: s.Ref, Status: string(s.Status), Amount: s.Amount, Taken: s.Captured, Unit: s.Currency,
		Reason: s.Reason})
	if err != nil {
		return Delivery{}, err
	}
	return Delivery{t.Callback, map[string]string{"Content-Type": "application/json",
		SignatureHeader: payment.Sign(secret, at, body)}, body, at}, nil
}

// Receive proves a callback and reads it.
func (p *Provider) Receive(_ context.Context, a payment.Account, c payment.Callback, now time.Time) (payment.Event,
	error) {
	if err := p.Describe().Prove(a, c.Header(SignatureHeader), c.Body, now); err != nil {
		return payment.Event{}, err
	}
	var m message
	if err := json.Unmarshal(c.Body, &m); err != nil {
		return payment.Event{}, payment.ErrCallback.Because("The callback is not the JSON expected.").From(err)
	}
	t, err := open(a, m.Ref)
	if err != nil {
		return payment.Event{}, err
	}
	s := payment.State{Ref: m.Ref, Status: payment.Status(m.Status), Amount: m.Amount, Currency: m.Unit,
		Captured: m.Taken, Reason: m.Reason}
	return payment.Event{ID: m.ID, PaymentID: t.Payment, State: s, At: m.At}, payment.CheckTold(s)
}
