package stripe

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v82"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// digitsOf are the decimals that Stripe counts a currency's amounts in, which are not always the currency's own. "Minor
// units in API amounts": zero-decimal currencies are sent as they are; ISK has no decimals any more and is still sent
// with two, always 00.
func digitsOf(currency string) int {
	switch strings.ToUpper(currency) {
	case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	case "BHD", "JOD", "KWD", "OMR", "TND":
		return 3
	}
	return 2
}

// minor is an amount as Stripe counts it. In currencies of three decimals the last must be 0, in ISK both. UGX is
// refused: Stripe has it among the zero-decimal currencies and among those sent with two, and a buyer must not pay a
// hundredfold.
func minor(amount dec.Dec, currency string) (int64, error) {
	if strings.EqualFold(currency, "UGX") {
		return 0, payment.ErrInvalid.Because("Payments in UGX are not taken through Stripe. Choose another way to pay.")
	}
	n, err := payment.Minor(amount, digitsOf(currency))
	if err != nil {
		return 0, err
	}
	step := int64(1)
	switch strings.ToUpper(currency) {
	case "BHD", "JOD", "KWD", "OMR", "TND":
		step = 10
	case "ISK":
		step = 100
	}
	if n%step != 0 {
		return 0, payment.ErrInexact.Because("Stripe takes no amount as fine as %s %s. Choose another way to pay.", amount,
			currency)
	}
	return n, nil
}

func amountOf(n int64, currency string) (dec.Dec, error) {
	amount, err := payment.OfMinor(n, digitsOf(currency))
	if err != nil {
		return 0, payment.ErrUnavailable.Because("Stripe tells an amount beyond all bounds.").From(err)
	}
	return amount, nil
}

// intent is what we read of a PaymentIntent, of an answer and of an event, whose API version may be older or newer.
type intent struct {
	ID           string            `json:"id"`
	Amount       int64             `json:"amount"`
	Received     int64             `json:"amount_received"`
	Currency     string            `json:"currency"`
	Status       string            `json:"status"`
	Cancellation string            `json:"cancellation_reason"`
	Metadata     map[string]string `json:"metadata"`
	LastError    *struct{}         `json:"last_payment_error"`
}

func intentOf(p *stripe.PaymentIntent) intent {
	i := intent{ID: p.ID, Amount: p.Amount, Received: p.AmountReceived, Currency: string(p.Currency),
		Status: string(p.Status), Cancellation: string(p.CancellationReason), Metadata: p.Metadata}
	if p.LastPaymentError != nil {
		i.LastError = &struct{}{}
	}
	return i
}

// status reads Stripe's. An intent whose last attempt failed waits for another one: Failed, which a later success
// follows.
func (i intent) status() payment.Status {
	switch stripe.PaymentIntentStatus(i.Status) {
	case stripe.PaymentIntentStatusSucceeded:
		return payment.Captured
	case stripe.PaymentIntentStatusRequiresCapture:
		return payment.Authorized
	case stripe.PaymentIntentStatusCanceled:
		if i.Cancellation == string(stripe.PaymentIntentCancellationReasonExpired) ||
			i.Cancellation == string(stripe.PaymentIntentCancellationReasonAutomatic) {
			return payment.Expired
		}
		return payment.Cancelled
	case stripe.PaymentIntentStatusRequiresPaymentMethod:
		if i.LastError != nil {
			return payment.Failed
		}
	}
	return payment.Pending
}

func (i intent) state() (payment.State, error) {
	s := payment.State{Ref: i.ID, Status: i.status(), Currency: strings.ToUpper(i.Currency)}
	var err error
	if s.Amount, err = amountOf(i.Amount, i.Currency); err != nil {
		return s, err
	}
	if s.Captured, err = amountOf(i.Received, i.Currency); err != nil {
		return s, err
	}
	if s.Status == payment.Failed {
		s.Reason = "attempt failed"
	}
	return s, nil
}

// stateOf is the state of an answered intent, with what its charge gave back when the charge was read along.
func stateOf(p *stripe.PaymentIntent) (payment.State, error) {
	s, err := intentOf(p).state()
	if c := p.LatestCharge; err == nil && c != nil {
		s.Refunded, err = amountOf(givenBack(c.Amount, c.AmountCaptured, c.AmountRefunded), string(p.Currency))
	}
	return s, err
}

// givenBack is what of a charge went back to the buyer: Stripe counts what was held and never taken as refunded, too.
func givenBack(amount, captured, refunded int64) int64 {
	return max(0, refunded-max(0, amount-captured))
}

// charge is what we read of the charge in a refund's event.
type charge struct {
	Amount   int64             `json:"amount"`
	Captured int64             `json:"amount_captured"`
	Refunded int64             `json:"amount_refunded"`
	Currency string            `json:"currency"`
	Metadata map[string]string `json:"metadata"`
	// Intent is an id, or the whole object where the account's webhook expands it.
	Intent json.RawMessage `json:"payment_intent"`
}

// refund is what we read of a refund in an event of its own.
type refund struct {
	ID       string            `json:"id"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
	Intent   json.RawMessage   `json:"payment_intent"` // see charge
}

// Receive proves a webhook's signature and age and reads its event.
func (p *Provider) Receive(_ context.Context, a payment.Account, c payment.Callback, now time.Time) (payment.Event,
	error) {
	if err := p.Describe().Prove(a, c.Header("Stripe-Signature"), c.Body, now); err != nil {
		return payment.Event{}, err
	}
	e, err := read(c.Body)
	if err != nil {
		return payment.Event{}, err
	}
	if e.Concerns() && !e.byRef && e.company != a.Company {
		return payment.Event{ID: e.ID, At: e.At}, nil // of another company with the same account, or made elsewhere
	}
	return e.Event, nil
}

// told is an event and the company that its payment was started for.
type told struct {
	payment.Event
	company string
	byRef   bool // it says nothing of that: whose its payment is only the ref tells
}

func read(body []byte) (e told, err error) {
	var frame struct {
		ID      string `json:"id"`
		Type    string `json:"type"`
		Created int64  `json:"created"`
		Data    struct {
			Object json.RawMessage `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &frame); err != nil || frame.ID == "" {
		return e, payment.ErrCallback.Because("The callback is no event of Stripe.").From(err)
	}
	e.ID, e.At = frame.ID, time.Unix(frame.Created, 0).UTC()
	switch {
	case strings.HasPrefix(frame.Type, "payment_intent."):
		var i intent
		if err := json.Unmarshal(frame.Data.Object, &i); err != nil || i.ID == "" {
			return e, payment.ErrCallback.Because("The event holds no payment intent.").From(err)
		}
		e.PaymentID, e.company = i.Metadata[metaPayment], i.Metadata[metaCompany]
		e.State, err = i.state()
	case frame.Type == "charge.refunded":
		var c charge
		if err := json.Unmarshal(frame.Data.Object, &c); err != nil {
			return e, payment.ErrCallback.Because("The event holds no charge.").From(err)
		}
		if c.Captured == 0 && c.Refunded > 0 {
			return e, nil // held money was let go: the intent tells that
		}
		e.PaymentID, e.company = c.Metadata[metaPayment], c.Metadata[metaCompany]
		e.State, err = c.state()
	case frame.Type == "refund.failed", frame.Type == "refund.updated", frame.Type == "charge.refund.updated":
		var r refund
		if err := json.Unmarshal(frame.Data.Object, &r); err != nil || r.ID == "" {
			return e, payment.ErrCallback.Because("The event holds no refund.").From(err)
		}
		if stripe.RefundStatus(r.Status) == stripe.RefundStatusFailed ||
			stripe.RefundStatus(r.Status) == stripe.RefundStatusCanceled {
			// Stripe tells one failure by several events.
			e.ID, e.Ref, e.byRef = r.ID+" "+r.Status, idOf(r.Intent), true
			e.Failed.ID = r.Metadata[metaRefund]
			e.Failed.Amount, err = amountOf(r.Amount, r.Currency)
		}
	}
	if err != nil {
		return e, payment.ErrCallback.Because("The event tells an amount that there is not.").From(err)
	}
	if e.Status != "" {
		err = payment.CheckTold(e.State)
	}
	return e, err
}

// state is Captured with what was given back. Its amount is not the intent's, and left out.
func (c charge) state() (s payment.State, err error) {
	s = payment.State{Ref: idOf(c.Intent), Status: payment.Captured, Currency: strings.ToUpper(c.Currency)}
	if s.Captured, err = amountOf(c.Captured, c.Currency); err == nil {
		s.Refunded, err = amountOf(givenBack(c.Amount, c.Captured, c.Refunded), c.Currency)
	}
	return s, err
}

// idOf reads an id, or the id of the object in its place.
func idOf(b json.RawMessage) string {
	id, _ := stripe.ParseID(b)
	if id != "" {
		return id
	}
	var o struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(b, &o) // what is neither has none
	return o.ID
}
