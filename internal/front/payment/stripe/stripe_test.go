package stripe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v82/webhook"
	"github.com/stripe/stripe-mock/embedded"
	mock "github.com/stripe/stripe-mock/server"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	. "kontor/internal/foundation/payment/paymenttest"
	"kontor/internal/front/payment/stripe"
	"kontor/internal/front/payment/wire"
)

func account(settings ...string) payment.Account {
	a := payment.Account{Company: "DEMO", IsTest: true, Settings: payment.Settings{"secretKey": "sk_test_123",
		"secret": "whsec_hush", "publishableKey": "pk_test_1"}}
	for i := 0; i < len(settings); i += 2 {
		a.Settings[settings[i]] = settings[i+1]
	}
	return a
}

// stripe-mock refuses requests that Stripe's OpenAPI description does not allow, so every call that passes is well
// formed.
func TestRequestsFitStripesDescription(t *testing.T) {
	spec, err := mock.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := mock.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	stub, err := mock.NewStubServer(fixtures, spec, false, false)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			keys = append(keys, r.URL.Path+" "+r.Header.Get("Idempotency-Key"))
		}
		stub.HandleRequest(w, r)
	}))
	defer server.Close()
	p := stripe.New(wire.New(true), server.URL)
	a := account("capture", "Manual")
	started, err := p.Start(context.Background(), a, Intent())
	if err != nil || started.Mode != payment.RenderClientKey || started.ClientKey == "" ||
		started.PublicKey != "pk_test_1" {
		t.Fatalf("started as %+v: %v", started, err)
	}
	for name, call := range Calls(p, a, Kept(started.Ref, payment.Authorized)) {
		if err := call(); err != nil && !(name == "Refund" && fault.Is(err, payment.ErrDeclined)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, want := range []string{"/v1/payment_intents " + ID, "/capture c1", "/cancel " + ID + "-cancel",
		"/v1/refunds r1"} {
		if !strings.Contains(strings.Join(keys, "\n"), want) {
			t.Errorf("no write with the key %q: %v", want, keys)
		}
	}
}

// begin starts a payment at a server that keeps its state.
func begin(t *testing.T, settings ...string) (*server, *stripe.Provider, payment.Account, payment.Payment) {
	t.Helper()
	s := serve(t)
	p, a := stripe.New(wire.New(true), s.URL), account(settings...)
	started, err := p.Start(context.Background(), a, Intent())
	Want(t, err, fault.Code{})
	again, err := p.Start(context.Background(), a, Intent())
	if err != nil || again.Ref != started.Ref || s.made != 1 || started.Status != payment.Pending {
		t.Fatalf("started twice as %+v and %+v: %v", started, again, err)
	}
	return s, p, a, Kept(started.Ref, started.Status)
}

// An error of Stripe's own, which it repeats for a day, ends nothing: what was done shows, and what was not is done.
func TestErrorsThatAreRepeatedAreOvercome(t *testing.T) {
	ctx := context.Background()
	s := serve(t)
	p, a := stripe.New(wire.New(true), s.URL), account("capture", "Manual")
	broken := func(call func() error) {
		t.Helper()
		s.breaks = true
		Want(t, call(), payment.ErrUnavailable)
		s.breaks = false
		Want(t, call(), fault.Code{})
	}
	var started payment.Started
	broken(func() (err error) { started, err = p.Start(ctx, a, Intent()); return err })
	pay := Kept(started.Ref, payment.Authorized)
	s.set(pay.Ref, map[string]any{"status": "requires_capture"})
	broken(func() error {
		got, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
		if err == nil && got.Captured != dec.Int(100) {
			t.Errorf("captured as %+v", got)
		}
		return err
	})
	pay.Status, pay.Captured = payment.Captured, dec.Int(100)
	broken(func() error {
		_, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.Int(30)})
		return err
	})
	if got, err := p.Look(ctx, a, pay); err != nil || got.Refunded != dec.Int(30) {
		t.Errorf("given back as %+v: %v", got, err)
	}
	s, p, a, pay = begin(t)
	broken(func() error {
		got, err := p.Cancel(ctx, a, pay)
		if err == nil && got.Status != payment.Cancelled {
			t.Errorf("cancelled as %+v", got)
		}
		return err
	})
}

func TestStatuses(t *testing.T) {
	s, p, a, pay := begin(t)
	for _, c := range []struct {
		values map[string]any
		want   payment.Status
	}{
		{map[string]any{"status": "requires_action"}, payment.Pending},
		{map[string]any{"status": "processing"}, payment.Pending},
		{map[string]any{"status": "requires_payment_method",
			"last_payment_error": map[string]any{"code": "card_declined", "type": "card_error"}}, payment.Failed},
		{map[string]any{"status": "requires_capture"}, payment.Authorized},
		{map[string]any{"status": "something new"}, payment.Pending},
		{map[string]any{"status": "canceled", "cancellation_reason": "automatic"}, payment.Expired},
		{map[string]any{"status": "canceled", "cancellation_reason": "abandoned"}, payment.Cancelled},
		{map[string]any{"status": "succeeded", "amount_received": 12500}, payment.Captured},
	} {
		s.set(pay.Ref, c.values)
		got, err := p.Look(context.Background(), a, pay)
		if err != nil || got.Status != c.want || payment.Agrees(pay, got) != nil {
			t.Errorf("%v is %+v, want %s: %v", c.values, got, c.want, err)
		}
	}
	s.set(pay.Ref, map[string]any{"amount": 12400})
	got, err := p.Look(context.Background(), a, pay)
	Want(t, err, fault.Code{})
	Want(t, payment.Agrees(pay, got), payment.ErrMismatch)
	_, err = p.Look(context.Background(), a, Kept("pi_none", payment.Pending))
	Want(t, err, payment.ErrNotFound)
}

func TestCaptureRefundAndCancelHappenOnce(t *testing.T) {
	ctx := context.Background()
	s, p, a, pay := begin(t, "capture", "Manual")
	_, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
	Want(t, err, payment.ErrWrongState) // nothing is held yet
	s.set(pay.Ref, map[string]any{"status": "requires_capture"})
	for range 2 {
		got, err := p.Capture(ctx, a, pay, payment.Capture{ID: "c1", Amount: dec.Int(100)})
		if err != nil || got.Status != payment.Captured || got.Captured != dec.Int(100) {
			t.Fatalf("captured as %+v: %v", got, err)
		}
	}
	_, err = p.Cancel(ctx, a, pay)
	Want(t, err, payment.ErrWrongState)
	for n := range 3 {
		if n == 2 {
			s.forget() // made again after Stripe forgot the key
		}
		got, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r1", Amount: dec.Int(60)})
		if err != nil || got.Ref != "re_2" || got.IsByHand {
			t.Fatalf("refunded as %+v: %v", got, err)
		}
	}
	if got, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r2", Amount: dec.Must("7.77")}); err != nil ||
		got.IsByHand {
		t.Errorf("a pending refund is %+v: %v", got, err)
	}
	_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r3", Amount: dec.Int(60)})
	Want(t, err, payment.ErrWrongState)
	if got, err := p.Look(ctx, a, pay); err != nil || got.Refunded != dec.Must("67.77") {
		t.Errorf("looked at as %+v: %v", got, err)
	}
	s.poor = true
	for range 2 {
		_, err = p.Refund(ctx, a, pay, payment.Refund{ID: "r4", Amount: dec.Int(5)})
		Want(t, err, payment.ErrDeclined)
	}
	s.poor = false // money has come, and Stripe still keeps what it said
	if got, err := p.Refund(ctx, a, pay, payment.Refund{ID: "r4", Amount: dec.Int(5)}); err != nil || got.Ref == "" {
		t.Errorf("refunded after a refusal as %+v: %v", got, err)
	}
	_, p, a, pay = begin(t)
	for range 2 {
		if got, err := p.Cancel(ctx, a, pay); err != nil || got.Status != payment.Cancelled {
			t.Errorf("cancelled as %+v: %v", got, err)
		}
	}
}

func TestAmountsAsStripeCountsThem(t *testing.T) {
	s := serve(t)
	p := stripe.New(wire.New(true), s.URL)
	for i, c := range []struct {
		amount, currency string
		digits           int
		sent             int64
		want             fault.Code
	}{
		{"12.5", "EUR", 2, 1250, fault.Code{}}, {"1250", "JPY", 0, 1250, fault.Code{}},
		{"1.25", "KWD", 3, 1250, fault.Code{}}, {"500", "ISK", 0, 50000, fault.Code{}},
		{"1.255", "KWD", 3, 0, payment.ErrInexact}, {"12.5", "MGA", 2, 0, payment.ErrInexact},
		{"500", "UGX", 0, 0, payment.ErrInvalid}, {"12.505", "EUR", 3, 0, payment.ErrInexact},
	} {
		intent := Intent()
		intent.ID, intent.Lines, intent.Amount, intent.Currency, intent.Digits = fmt.Sprint("p", i), nil,
			dec.Must(c.amount), c.currency, c.digits
		started, err := p.Start(context.Background(), account(), intent)
		Want(t, err, c.want)
		if err == nil && s.intents[started.Ref]["amount"] != c.sent {
			t.Errorf("%s %s was sent as %v, want %d", c.amount, c.currency, s.intents[started.Ref]["amount"], c.sent)
		}
		if err != nil {
			continue
		}
		got, err := p.Look(context.Background(), account(), payment.Payment{ID: intent.ID, Ref: started.Ref})
		if err != nil || got.Amount != intent.Amount || got.Currency != c.currency {
			t.Errorf("%s %s came back as %+v: %v", c.amount, c.currency, got, err)
		}
	}
}

func TestDeclinesAndTrouble(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   fault.Code
	}{
		{402,
			`{"error": {"type": "card_error", "code": "card_declined", "decline_code": "lost_card", "message": "Your card sk_test_123 was declined."}}`,
			payment.ErrDeclined},
		{409, `{"error": {"type": "idempotency_error", "code": "idempotency_key_in_use"}}`, payment.ErrUnavailable},
		{400, `{"error": {"type": "idempotency_error"}}`, payment.ErrInvalid},
		{429, `{"error": {"type": "invalid_request_error", "code": "lock_timeout"}}`, payment.ErrUnavailable},
		{403, `{"error": {"type": "invalid_request_error"}}`, payment.ErrMisconfigured},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		_, err := stripe.New(wire.New(true), server.URL).Start(context.Background(), account(), Intent())
		Want(t, err, c.want)
		if strings.Contains(err.Error(), "sk_test") {
			t.Errorf("the error repeats a key: %v", err)
		}
		server.Close()
	}
	Troubles(t, func(address string) (payment.Provider, payment.Account) {
		return stripe.New(wire.New(true), address), account()
	}, "pi_1")
}

func TestKeysBelongToTheCompanysWorld(t *testing.T) {
	p := stripe.New(wire.New(true), serve(t).URL)
	Settings(t, p, account(), Kept("pi_1", payment.Pending))
	live := account()
	live.IsTest = false
	for _, a := range []payment.Account{live, account("secretKey", "sk_live_123"),
		account("secretKey", "rk_live_123")} {
		_, err := p.Start(context.Background(), a, Intent())
		Want(t, err, payment.ErrMisconfigured)
	}
}

func event(id, kind string, object map[string]any) []byte {
	b, _ := json.Marshal(map[string]any{"id": id, "object": "event", "type": kind, "created": 1777896000,
		"api_version": "2020-08-27", "data": map[string]any{"object": object}})
	return b
}

func TestWebhooks(t *testing.T) {
	p, ctx := stripe.New(wire.New(false), "https://api.stripe.invalid"), context.Background()
	mine := map[string]any{"kontor_payment": ID, "kontor_company": "DEMO"}
	intent := map[string]any{"id": "pi_1", "object": "payment_intent", "amount": 12500, "amount_received": 12500,
		"currency": "sek", "status": "succeeded", "metadata": mine}
	now := time.Now() // the library signs at its own clock
	receive := func(body []byte, secret string, arrived time.Time) (payment.Event, error) {
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: body, Secret: secret,
			Timestamp: now})
		return p.Receive(ctx, account(), Callback(signed.Payload, map[string]string{"Stripe-Signature": signed.Header},
			nil), arrived)
	}
	good := event("evt_1", "payment_intent.succeeded", intent)
	e, err := receive(good, "whsec_hush", now)
	if err != nil || e.ID != "evt_1" || e.PaymentID != ID || e.Ref != "pi_1" || e.Status != payment.Captured ||
		e.Captured != dec.Int(125) || payment.Agrees(Kept("pi_1", ""), e.State) != nil {
		t.Fatalf("read as %+v: %v", e, err)
	}
	again, err := receive(good, "whsec_hush", now.Add(time.Minute))
	if err != nil || again.ID != e.ID {
		t.Errorf("the same event again is %+v: %v", again, err)
	}
	_, err = receive(good, "whsec_other", now)
	Want(t, err, payment.ErrForged)
	_, err = receive(good, "whsec_hush", now.Add(time.Hour))
	Want(t, err, payment.ErrStale)
	_, err = receive([]byte("{"), "whsec_hush", now)
	Want(t, err, payment.ErrCallback)
	_, err = receive(event("evt_2", "payment_intent.succeeded", map[string]any{}), "whsec_hush", now)
	Want(t, err, payment.ErrCallback)
	_, err = receive(event("evt_3", "payment_intent.succeeded",
		map[string]any{"id": "pi_1", "amount": -5, "currency": "sek", "metadata": mine}), "whsec_hush", now)
	Want(t, err, payment.ErrCallback)
	back, err := receive(event("evt_4", "charge.refunded", map[string]any{"id": "ch_1", "payment_intent": "pi_1",
		"amount_captured": 12500, "amount_refunded": 500, "currency": "sek", "metadata": mine}), "whsec_hush", now)
	if err != nil || back.Ref != "pi_1" || back.Refunded != dec.Int(5) || back.Captured != dec.Int(125) ||
		back.PaymentID != ID {
		t.Errorf("a refund is %+v: %v", back, err)
	}
	// Of 125 held 100 were taken: the 25 that were let go, which Stripe counts as refunded, are nobody's refund.
	rest, err := receive(event("evt_6", "charge.refunded", map[string]any{"id": "ch_1", "payment_intent": "pi_1",
		"amount": 12500, "amount_captured": 10000, "amount_refunded": 3000, "currency": "sek", "metadata": mine}),
		"whsec_hush", now)
	if err != nil || rest.Refunded != dec.Int(5) || rest.Captured != dec.Int(100) {
		t.Errorf("a refund after a part was taken is %+v: %v", rest, err)
	}
	for _, kind := range []string{"refund.failed", "charge.refund.updated"} {
		lost, err := receive(event("evt_"+kind, kind, map[string]any{"id": "re_1", "payment_intent": "pi_1",
			"amount": 500, "currency": "sek", "status": "failed", "metadata": map[string]any{"kontor_refund": "r1"}}),
			"whsec_hush", now)
		if err != nil || lost.ID != "re_1 failed" || lost.Ref != "pi_1" || lost.Status != "" ||
			lost.Failed != (payment.FailedRefund{ID: "r1", Amount: dec.Int(5)}) || !lost.Concerns() {
			t.Errorf("a failed refund is %+v: %v", lost, err)
		}
	}
	for _, kind := range p.Describe().Reports {
		e, err := receive(event("evt_"+kind, kind, map[string]any{"id": "one", "payment_intent": "pi_1", "amount": 12500,
			"amount_captured": 12500, "amount_refunded": 500, "currency": "sek", "status": "failed",
			"metadata": map[string]any{"kontor_company": "DEMO", "kontor_payment": ID, "kontor_refund": "r1"}}),
			"whsec_hush", now)
		if err != nil || !e.Concerns() {
			t.Errorf("the webhook has to report %s, which is heard as %+v: %v", kind, e, err)
		}
	}
	for kind, object := range map[string]map[string]any{
		"customer.created": {"id": "cus_1"},
		"charge.refunded": {"id": "ch_1", "payment_intent": "pi_1", "amount": 12500, "amount_captured": 0,
			"amount_refunded": 12500, "currency": "sek", "metadata": mine}, // what was held was let go
		"refund.updated": {"id": "re_2", "payment_intent": "pi_1", "amount": 500, "currency": "sek",
			"status": "succeeded"},
		"payment_intent.succeeded": {"id": "pi_9", "amount": 1, "currency": "sek", "status": "succeeded",
			"metadata": map[string]any{"kontor_payment": ID, "kontor_company": "OTHER"}},
		"payment_intent.canceled": {"id": "pi_9", "amount": 1, "currency": "sek", "status": "canceled"},
	} {
		if e, err := receive(event("evt_5", kind, object), "whsec_hush", now); err != nil || e.Concerns() {
			t.Errorf("%s concerns us as %+v: %v", kind, e, err)
		}
	}
}

func FuzzReceive(f *testing.F) {
	p := stripe.New(wire.New(false), "https://api.stripe.invalid")
	f.Add(event("evt_1", "payment_intent.succeeded", map[string]any{"id": "pi_1", "amount": 12500, "currency": "sek",
		"status": "succeeded", "metadata": map[string]any{"kontor_company": "DEMO", "kontor_payment": ID}}))
	f.Add(event("evt_1", "charge.refunded", map[string]any{"id": "ch_1", "payment_intent": map[string]any{"id": "pi_1"},
		"amount_refunded": 1 << 62, "currency": "jpy"}))
	now := time.Unix(1777896000, 0)
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := p.Receive(context.Background(), account(),
			Callback(body, map[string]string{"Stripe-Signature": payment.Sign("whsec_hush", now, body)}, nil), now)
		if err == nil && (e.ID == "" || e.Amount < 0 || e.Captured < 0 || e.Refunded < 0) {
			t.Fatalf("read %+v", e)
		}
	})
}
