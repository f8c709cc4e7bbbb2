// Package stripe takes payments through Stripe's PaymentIntents: the front end gets the intent's client secret
// (ClientKey) and pays with Stripe's own elements; the webhook or Look tells the outcome. Our ids are Stripe's
// idempotency keys and stand in the metadata, so that a refund made again after Stripe forgot its key is found.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/stripe/stripe-go/v82"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/wire"
)

// The names under which our ids stand in Stripe's metadata.
const (
	metaPayment = "kontor_payment"
	metaCompany = "kontor_company"
	metaRefund  = "kontor_refund"
	metaOrder   = "kontor_order"
)

// reports are the events that a webhook has to listen to; others are acknowledged and forgotten.
var reports = []string{"payment_intent.succeeded", "payment_intent.amount_capturable_updated",
	"payment_intent.processing", "payment_intent.payment_failed", "payment_intent.canceled", "charge.refunded",
	"refund.failed"}

// Provider is the Stripe provider.
type Provider struct {
	client  *wire.Client
	address string
}

// New is the provider. The address is Stripe's, stripe.APIURL, or that of what stands in for it.
func New(client *wire.Client, address string) *Provider { return &Provider{client, address} }

// Describe tells what it is.
func (*Provider) Describe() payment.Description {
	return payment.Description{Name: "Stripe", SendsCallbacks: true, CapturesOnce: true, Reports: reports, Settings: []payment.Setting{
		{Name: "secretKey",
			Means:      "The secret key of the account: sk_test_… for companies of environment Test, sk_live_… for others; a restricted key rk_… will do",
			IsRequired: true, IsSecret: true},
		{Name: "publishableKey", Means: "The publishable key pk_… for the front end"},
		{Name: "secret", Means: "The signing secret whsec_… of the webhook that points to this payment method",
			IsRequired: true, IsSecret: true},
		{Name: "capture",
			Means:   "Automatic takes the money at once, Manual holds it until goods leave: with the first of them all of the order is paid",
			Choices: []string{"Automatic", "Manual"}},
	}}
}

// open is a client of an account, whose key must belong to the same world as the company: a test must not take money,
// and goods must not leave for money that is none. The library does not try again by itself: the caller does, with the
// same ids, while a buyer waits no longer than one request.
func (p *Provider) open(a payment.Account) (*stripe.Client, error) {
	if err := p.Describe().Ready(a); err != nil {
		return nil, err
	}
	key := a.Settings["secretKey"]
	if isTest := strings.HasPrefix(key, "sk_test_") || strings.HasPrefix(key, "rk_test_"); isTest != a.IsTest {
		return nil,
			payment.ErrMisconfigured.Because("Companies of environment Test use Stripe's test keys, and only they do.")
	}
	return stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		HTTPClient: p.client.HTTP(), URL: &p.address, EnableTelemetry: stripe.Bool(false),
		MaxNetworkRetries: stripe.Int64(0), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}}))), nil
}

// Start makes a PaymentIntent.
func (p *Provider) Start(ctx context.Context, a payment.Account, i payment.Intent) (payment.Started, error) {
	c, err := p.open(a)
	if err == nil {
		err = i.Check()
	}
	if err != nil {
		return payment.Started{}, err
	}
	amount, err := minor(i.Amount, i.Currency)
	if err != nil {
		return payment.Started{}, err
	}
	method := stripe.PaymentIntentCaptureMethodAutomatic
	if a.Settings["capture"] == "Manual" {
		method = stripe.PaymentIntentCaptureMethodManual
	}
	q := &stripe.PaymentIntentCreateParams{Amount: &amount, Currency: stripe.String(strings.ToLower(i.Currency)),
		CaptureMethod:           stripe.String(string(method)),
		AutomaticPaymentMethods: &stripe.PaymentIntentCreateAutomaticPaymentMethodsParams{Enabled: stripe.Bool(true)}}
	if i.Reference != "" {
		q.Description = &i.Reference
	}
	q.AddMetadata(metaPayment, i.ID)
	q.AddMetadata(metaCompany, a.Company)
	made, err := anew(q, i.ID, isRepeated,
		func() (*stripe.PaymentIntent, error) { return c.V1PaymentIntents.Create(ctx, q) })
	if err != nil {
		return payment.Started{}, faultOf(err)
	}
	s := payment.Started{Ref: made.ID, Status: intentOf(made).status(), Mode: payment.RenderClientKey,
		ClientKey: made.ClientSecret, PublicKey: a.Settings["publishableKey"]}
	return s, s.Check()
}

// Look reads the PaymentIntent.
func (p *Provider) Look(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	c, err := p.open(a)
	if err != nil {
		return payment.State{}, err
	}
	return look(ctx, c, pay.Ref)
}

func look(ctx context.Context, c *stripe.Client, ref string) (payment.State, error) {
	q := &stripe.PaymentIntentRetrieveParams{}
	q.AddExpand("latest_charge")
	got, err := c.V1PaymentIntents.Retrieve(ctx, ref, q)
	if err != nil {
		return payment.State{}, faultOf(err)
	}
	return stateOf(got)
}

// Placed writes the order's number to the intent, where the merchant sees it.
func (p *Provider) Placed(ctx context.Context, a payment.Account, pay payment.Payment, orderNumber string) error {
	c, err := p.open(a)
	if err != nil {
		return err
	}
	q := &stripe.PaymentIntentUpdateParams{Description: &orderNumber}
	q.AddMetadata(metaOrder, orderNumber)
	_, err = c.V1PaymentIntents.Update(ctx, pay.Ref, q)
	return faultOf(err)
}

// forPart opens the account for a capture or a refund, and counts its amount as Stripe does.
func (p *Provider) forPart(a payment.Account, pay payment.Payment, id string, amount dec.Dec) (c *stripe.Client,
	n int64, err error) {
	if c, err = p.open(a); err == nil {
		err = pay.CheckPart(id, amount)
	}
	if err == nil {
		n, err = minor(amount, pay.Currency)
	}
	return c, n, err
}

// Capture takes held money. A part releases the rest: Stripe captures an intent once.
func (p *Provider) Capture(ctx context.Context, a payment.Account, pay payment.Payment,
	part payment.Capture) (payment.State, error) {
	c, amount, err := p.forPart(a, pay, part.ID, part.Amount)
	if err != nil {
		return payment.State{}, err
	}
	q := &stripe.PaymentIntentCaptureParams{AmountToCapture: &amount}
	got, err := anew(q, part.ID, isRepeated,
		func() (*stripe.PaymentIntent, error) { return c.V1PaymentIntents.Capture(ctx, pay.Ref, q) })
	if err == nil {
		return stateOf(got)
	}
	if s, found := standsAs(ctx, c, pay.Ref, err); found && s.Status == payment.Captured && s.Captured >= part.Amount {
		return s, nil // taken already: by this call made before, or at once
	}
	return payment.State{}, faultOf(err)
}

// Cancel calls the intent off.
func (p *Provider) Cancel(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	c, err := p.open(a)
	if err != nil {
		return payment.State{}, err
	}
	q := &stripe.PaymentIntentCancelParams{
		CancellationReason: stripe.String(string(stripe.PaymentIntentCancellationReasonAbandoned))}
	got, err := anew(q, pay.ID+"-cancel", isRepeated,
		func() (*stripe.PaymentIntent, error) { return c.V1PaymentIntents.Cancel(ctx, pay.Ref, q) })
	if err == nil {
		return stateOf(got)
	}
	if s, found := standsAs(ctx, c, pay.Ref, err); found && s.Status.IsOver() {
		return s, nil
	}
	return payment.State{}, faultOf(err)
}

// Release has nothing to let go: what a capture leaves Stripe lets go by itself.
func (*Provider) Release(context.Context, payment.Account, payment.Payment) error { return nil }

// standsAs is how the intent stands, after Stripe said that it stands otherwise than a call supposed.
func standsAs(ctx context.Context, c *stripe.Client, ref string, err error) (payment.State, bool) {
	if e := (*stripe.Error)(nil); !errors.As(err, &e) || e.Code != stripe.ErrorCodePaymentIntentUnexpectedState {
		return payment.State{}, false
	}
	s, err := look(ctx, c, ref)
	return s, err == nil
}

// Refund gives money back. A refund of the same id that Stripe has already, whenever it was made, is answered again.
func (p *Provider) Refund(ctx context.Context, a payment.Account, pay payment.Payment,
	part payment.Refund) (payment.Refunded, error) {
	c, amount, err := p.forPart(a, pay, part.ID, part.Amount)
	if err != nil {
		return payment.Refunded{}, err
	}
	for r, err := range c.V1Refunds.List(ctx, &stripe.RefundListParams{PaymentIntent: &pay.Ref,
		ListParams: stripe.ListParams{Limit: stripe.Int64(100)}}) {
		if err != nil {
			return payment.Refunded{}, faultOf(err)
		}
		if r.Metadata[metaRefund] == part.ID {
			return refunded(r)
		}
	}
	q := &stripe.RefundCreateParams{PaymentIntent: &pay.Ref, Amount: &amount,
		Reason: stripe.String(string(stripe.RefundReasonRequestedByCustomer))}
	q.AddMetadata(metaRefund, part.ID)
	r, err := anew(q, part.ID, isRepeatedRefusal, func() (*stripe.Refund, error) { return c.V1Refunds.Create(ctx, q) })
	if err != nil {
		return payment.Refunded{}, faultOf(err)
	}
	return refunded(r)
}

func refunded(r *stripe.Refund) (payment.Refunded, error) {
	switch r.Status {
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		return payment.Refunded{},
			payment.ErrDeclined.Because("The refund did not reach the buyer. Pay the money back another way.").
				From(fmt.Errorf("refund %s is %s: %s", r.ID, r.Status, r.FailureReason))
	}
	return payment.Refunded{Ref: r.ID}, nil
}

// mostKeys bounds how often a call is made anew.
const mostKeys = 50

// anew makes a call under an idempotency key. Stripe keeps what it answered to a key for a day, a refusal too, and
// repeats it (https://docs.stripe.com/api/idempotent_requests) although what was refused may be possible by now: money
// is there again that a refund takes. What was refused has done nothing, so the call is made under the next key then.
// An error of Stripe's own leaves open what it has done. What cannot be done twice, or has no effect by itself, is
// asked for anew all the same: an intent is captured once and cancelled once, and Stripe says so. A refund is not: that
// answer stays.
func anew[T any](q stripe.ParamsContainer, key string, again func(error) bool, call func() (T, error)) (got T,
	err error) {
	for n := 1; n <= mostKeys; n++ {
		q.GetParams().SetIdempotencyKey(key)
		if n > 1 {
			q.GetParams().SetIdempotencyKey(fmt.Sprintf("%s-%d", key, n))
		}
		if got, err = call(); !again(err) {
			break
		}
	}
	return got, err
}

func isRepeatedRefusal(err error) bool {
	e := (*stripe.Error)(nil)
	return isRepeated(err) && errors.As(err, &e) && e.HTTPStatusCode < 500
}

func isRepeated(err error) bool {
	e := (*stripe.Error)(nil)
	return errors.As(err, &e) && e.LastResponse != nil &&
		e.LastResponse.Header.Get("Idempotent-Replayed") == "true"
}

// faultOf is Stripe's error as one of ours. Its words stay out: they may name what was sent.
func faultOf(err error) error {
	if err == nil {
		return nil
	}
	e := (*stripe.Error)(nil)
	if !errors.As(err, &e) {
		if lost := (*url.Error)(nil); !errors.As(err, &lost) {
			err = errors.New("an answer that is none of Stripe's") // the library's error repeats it
		}
		return wire.Lost("Stripe", err)
	}
	note := fmt.Sprintf("type %s code %s decline %s param %s request %s", e.Type, e.Code, e.DeclineCode, e.Param,
		e.RequestID)
	status := e.HTTPStatusCode
	switch {
	case e.Code == stripe.ErrorCodeBalanceInsufficient:
		return payment.ErrDeclined.Because("Stripe holds less of your money than this takes. Try again when there is more, " +
			"or pay the money back another way.").From(errors.New(note))
	case e.Type == stripe.ErrorTypeCard:
		status = 402
	case e.Code == stripe.ErrorCodePaymentIntentUnexpectedState || e.Code == stripe.ErrorCodeChargeAlreadyRefunded:
		status = 409
	case e.Code == stripe.ErrorCodeIdempotencyKeyInUse || e.Code == stripe.ErrorCodeLockTimeout:
		status = 503 // the same call is under way elsewhere
	case e.Code == stripe.ErrorCodeResourceMissing:
		status = 404
	}
	return wire.Answer{Provider: "Stripe", Status: status}.Fault(note)
}
