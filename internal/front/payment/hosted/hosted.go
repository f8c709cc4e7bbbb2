// Package hosted takes payments on a provider's own page, by a small protocol that a merchant's bank or an adapter in
// front of another provider can speak:
//
//	POST {address}/payments                  {id, amount, currency, capture, description, returnUrl, callbackUrl,
//	                                          email, language, country}
//	                                         -> payment with redirectUrl; Idempotency-Key is the id
//	GET  {address}/payments/{ref}            -> payment
//	POST {address}/payments/{ref}/captures   {id, amount}          -> payment
//	POST {address}/payments/{ref}/cancel                           -> payment
//	POST {address}/payments/{ref}/release                          -> payment; no more of it will be captured
//	POST {address}/payments/{ref}/refunds    {id, amount, reason}  -> {ref, status: Pending|Succeeded|Failed}
//	PUT  {address}/payments/{ref}/order      {orderNumber}
//
// A payment is {ref, id, status, amount, currency, captured, refunded, redirectUrl, expiresAt}, its amounts decimal
// text ("12.50"), its status one of Pending, Authorized, Captured, Failed, Cancelled, Expired. Requests carry
// Authorization: Bearer with the API key; a write with an id made again answers the first. 402 is declined, 409 does
// not fit the payment's state,
// 429 and 5xx may be tried again.
//
// The provider reports to callbackUrl with {eventId, at, payment} and the header Payment-Signature: t=<unix
// seconds>,v1=<hex of HMAC-SHA256 with the secret over t, a point and the body>, and repeats until it is answered with
// 2xx. Of a refund that was taken and did not reach the buyer it reports with {eventId, at, payment, failedRefund: {id,
// amount}}: the id is the one it was asked for with, none where it was made elsewhere.
package hosted

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/wire"
)

// SignatureHeader carries the signature of a callback.
const SignatureHeader = "Payment-Signature"

// Provider is the Hosted provider.
type Provider struct{ client *wire.Client }

// New is the provider.
func New(client *wire.Client) *Provider { return &Provider{client} }

// Describe tells what it is.
func (*Provider) Describe() payment.Description {
	return payment.Description{Name: "Hosted", SendsCallbacks: true, Settings: []payment.Setting{
		{Name: "address", Means: "Where the provider's API is: https://host/path", IsRequired: true},
		{Name: "apiKey", Means: "The key of the API", IsRequired: true, IsSecret: true},
		{Name: "secret", Means: "Signs the provider's callbacks", IsRequired: true, IsSecret: true},
		{Name: "capture", Means: "Automatic takes the money at once, Manual holds it until goods leave",
			Choices: []string{"Automatic", "Manual"}},
	}}
}

// remote is a payment as the provider has it.
type remote struct {
	Ref         string         `json:"ref"`
	ID          string         `json:"id"`
	Status      payment.Status `json:"status"`
	Amount      dec.Dec        `json:"amount"`
	Currency    string         `json:"currency"`
	Captured    dec.Dec        `json:"captured"`
	Refunded    dec.Dec        `json:"refunded"`
	RedirectURL string         `json:"redirectUrl"`
	Expires     time.Time      `json:"expiresAt"`
}

func (r remote) state() (payment.State, error) {
	s := payment.State{Ref: r.Ref, Status: r.Status, Amount: r.Amount, Currency: r.Currency, Captured: r.Captured,
		Refunded: r.Refunded}
	if r.Ref == "" || payment.CheckTold(s) != nil {
		return s,
			payment.ErrUnavailable.Because(
				"The payment provider gave an answer that cannot be read. Try again in a moment.")
	}
	if s.Status == payment.Failed {
		s.Reason = "declined"
	}
	return s, nil
}

func (p *Provider) ask(ctx context.Context, a payment.Account, method, path, key string, body, into any) error {
	if err := p.Describe().Ready(a); err != nil {
		return err
	}
	base, err := wire.Base("The payment provider", a.Settings["address"], a)
	if err != nil {
		return err
	}
	header := map[string]string{"Authorization": "Bearer " + a.Settings["apiKey"]}
	if key != "" {
		header["Idempotency-Key"] = key
	}
	answer, err := p.client.To(base, a).Do(ctx, wire.Request{Provider: "The payment provider", Method: method, Address: base + path,
		Header: header, Body: body})
	switch {
	case err != nil:
		return err
	case !answer.IsGood():
		return answer.Fault("")
	case into == nil:
		return nil
	}
	return answer.Into(into)
}

// pathOf is a payment's place below the address.
func pathOf(pay payment.Payment) string { return "/payments/" + url.PathEscape(pay.Ref) }

// own is the state of the payment that was asked for, and of no other.
func own(pay payment.Payment, r remote) (payment.State, error) {
	if r.ID != pay.ID || r.Ref != pay.Ref {
		return payment.State{}, payment.ErrNotFound.Because("The payment provider answered with another payment.")
	}
	return r.state()
}

// Start creates a payment; the buyer is sent to its page.
func (p *Provider) Start(ctx context.Context, a payment.Account, i payment.Intent) (payment.Started, error) {
	if err := i.Check(); err != nil {
		return payment.Started{}, err
	}
	var r remote
	err := p.ask(ctx, a, http.MethodPost, "/payments", i.ID,
		map[string]any{"id": i.ID, "amount": i.Amount.Fixed(i.Digits), "currency": i.Currency,
			"capture": cmp.Or(a.Settings["capture"], "Automatic"), "description": i.Reference,
			"returnUrl": i.ReturnURL, "callbackUrl": i.CallbackURL, "email": i.Email, "language": i.Language, "country": i.Country}, &r)
	if err != nil {
		return payment.Started{}, err
	}
	state, err := own(payment.Payment{ID: i.ID, Ref: r.Ref}, r)
	if err != nil {
		return payment.Started{}, err
	}
	if err := payment.Agrees(payment.Payment{Amount: i.Amount, Currency: i.Currency, Digits: i.Digits},
		state); err != nil {
		return payment.Started{}, err
	}
	if u, err := url.Parse(r.RedirectURL); err != nil || u.Scheme != "https" && !a.IsTest {
		return payment.Started{},
			payment.ErrMisconfigured.Because("The payment provider's page is not reached by https.")
	}
	s := payment.Started{Ref: r.Ref, Status: state.Status, Mode: payment.RenderRedirect, RedirectURL: r.RedirectURL,
		Expires: r.Expires}
	return s, s.Check()
}

// Look reads the payment.
func (p *Provider) Look(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	return p.change(ctx, a, pay, http.MethodGet, "", "", nil)
}

// change makes a request that answers the payment.
func (p *Provider) change(ctx context.Context, a payment.Account, pay payment.Payment, method, path, key string,
	body any) (payment.State, error) {
	var r remote
	if err := p.ask(ctx, a, method, pathOf(pay)+path, key, body, &r); err != nil {
		return payment.State{}, err
	}
	return own(pay, r)
}

// Placed tells the order's number.
func (p *Provider) Placed(ctx context.Context, a payment.Account, pay payment.Payment, orderNumber string) error {
	return p.ask(ctx, a, http.MethodPut, pathOf(pay)+"/order", "", map[string]string{"orderNumber": orderNumber}, nil)
}

// Capture takes held money.
func (p *Provider) Capture(ctx context.Context, a payment.Account, pay payment.Payment,
	c payment.Capture) (payment.State, error) {
	if err := pay.CheckPart(c.ID, c.Amount); err != nil {
		return payment.State{}, err
	}
	return p.change(ctx, a, pay, http.MethodPost, "/captures", c.ID,
		map[string]string{"id": c.ID, "amount": c.Amount.Fixed(pay.Digits)})
}

// Cancel calls the payment off.
func (p *Provider) Cancel(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	return p.change(ctx, a, pay, http.MethodPost, "/cancel", pay.ID+"-cancel", nil)
}

// Release lets go what is still held. A provider that does not know of it lets its hold run out.
func (p *Provider) Release(ctx context.Context, a payment.Account, pay payment.Payment) error {
	_, err := p.change(ctx, a, pay, http.MethodPost, "/release", pay.ID+"-release", nil)
	if fault.Is(err, payment.ErrNotFound) {
		return nil
	}
	return err
}

// Refund gives captured money back.
func (p *Provider) Refund(ctx context.Context, a payment.Account, pay payment.Payment,
	r payment.Refund) (payment.Refunded, error) {
	if err := pay.CheckPart(r.ID, r.Amount); err != nil {
		return payment.Refunded{}, err
	}
	var back struct {
		Ref    string `json:"ref"`
		Status string `json:"status"`
	}
	err := p.ask(ctx, a, http.MethodPost, pathOf(pay)+"/refunds", r.ID,
		map[string]string{"id": r.ID, "amount": r.Amount.Fixed(pay.Digits), "reason": r.Reason}, &back)
	switch {
	case err != nil:
		return payment.Refunded{}, err
	case back.Status == "Failed":
		return payment.Refunded{},
			payment.ErrDeclined.Because("The refund did not reach the buyer. Pay the money back another way.")
	}
	return payment.Refunded{Ref: back.Ref}, nil
}

// Receive proves a callback's signature and age and reads it.
func (p *Provider) Receive(_ context.Context, a payment.Account, c payment.Callback, now time.Time) (payment.Event,
	error) {
	if err := p.Describe().Prove(a, c.Header(SignatureHeader), c.Body, now); err != nil {
		return payment.Event{}, err
	}
	return read(c.Body)
}

func read(body []byte) (payment.Event, error) {
	var m struct {
		ID      string    `json:"eventId"`
		At      time.Time `json:"at"`
		Payment remote    `json:"payment"`
		Failed  *struct {
			ID     string  `json:"id"`
			Amount dec.Dec `json:"amount"`
		} `json:"failedRefund"`
	}
	if err := json.Unmarshal(body, &m); err != nil || strings.TrimSpace(m.ID) == "" || m.Payment.ID == "" {
		return payment.Event{}, payment.ErrCallback.Because("The callback is not {eventId, at, payment}.").From(err)
	}
	s, err := m.Payment.state()
	if err != nil {
		return payment.Event{},
			payment.ErrCallback.Because("The callback's payment has no ref, or a status or a sum that there is not.")
	}
	e := payment.Event{ID: m.ID, PaymentID: m.Payment.ID, State: s, At: m.At}
	if f := m.Failed; f != nil {
		if f.Amount <= 0 {
			return e, payment.ErrCallback.Because("The callback's failed refund has no amount.")
		}
		e.Status, e.Failed = "", payment.FailedRefund(*f)
	}
	return e, nil
}
