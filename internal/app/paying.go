package app

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/hosted"
	"kontor/internal/front/payment/invoice"
	"kontor/internal/front/payment/klarna"
	"kontor/internal/front/payment/prepayment"
	"kontor/internal/front/payment/stripe"
	"kontor/internal/front/payment/testing"
	"kontor/internal/front/payment/wire"
	"kontor/internal/front/rest"
)

// testPagePath is where buyers meet the Test provider, callbackPath begins what payment providers report to, stripeAPI
// is where one of them is.
const (
	testPagePath = "/pay/test"
	callbackPath = "/ecom/checkout/callbacks/"
	kcoPath      = "/ecom/kco/"
	stripeAPI    = "https://api.stripe.com"
)

// newPayments is where the house takes payments.
func (h *App) newPayments() *checkout.Payments {
	outside := wire.New(false)
	abroad := []payment.Provider{invoice.New(), prepayment.New(), stripe.New(outside, stripeAPI),
		klarna.New(outside), hosted.New(outside)}
	return &checkout.Payments{
		Providers: func() payment.Providers { return payment.NewProviders(append(abroad, h.testProvider())...) },
		CallbackURL: func(company, provider, method string) string {
			path := callbackPath + url.PathEscape(provider)
			if provider == checkout.KlarnaProvider {
				path = kcoPath + "push"
			}
			return h.base() + path + "?" + url.Values{"tenant": {company}, "method": {method}}.Encode()
		},
		CheckURL: func(company, provider, method string) string {
			if provider != checkout.KlarnaProvider {
				return ""
			}
			return h.base() + kcoPath + "validate?" + url.Values{"tenant": {company}, "method": {method}}.Encode()
		},
	}
}

// testProvider knows where its page is only once the house listens.
func (h *App) testProvider() *testing.Provider {
	return testing.New(h.base()+testPagePath, h.now)
}

// testPage is the page of the Test provider, which reports to this house itself.
func (h *App) testPage() http.Handler {
	send := testing.Post(wire.New(true))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.testProvider().Page(h.findPayment, send).ServeHTTP(w, r)
	})
}

// findPayment is a started payment with the account it was started with.
func (h *App) findPayment(ctx context.Context, company, id string) (a payment.Account, p payment.Payment, err error) {
	unknown := payment.ErrNotFound.Because("Test does not know this payment.")
	if _, open, err := h.companies.Find(ctx, company); err != nil || !open {
		return a, p, unknown.From(err)
	}
	err = h.store.Read(ctx, db.Request{Company: company, Actor: cashier()}, func(tx *db.Tx) error {
		found, err := checkout.FindStarted(tx, id)
		if err != nil {
			return err
		}
		m, err := checkout.FindMethod(tx, found.Method)
		a, p = m.Account(tx), found.At()
		return err
	})
	return a, p, err
}

func cashier() db.Actor { return db.Actor{Kind: "system", ID: "payments", Name: "payments"} }

// byCallback finds the company that a provider's callback is for: by the address that the provider was given.
func (h *App) byCallback(r *http.Request) (rest.Caller, error) {
	if err := h.countStranger("callback:", h.clientOf(r)); err != nil {
		return rest.Caller{}, err
	}
	tenant := strings.ToLower(r.URL.Query().Get("tenant"))
	_, open, err := h.companies.Find(r.Context(), tenant)
	if err != nil {
		return rest.Caller{}, err
	}
	if !open {
		return rest.Caller{},
			identity.ErrInvalidCredential.Because(
				"the address of the callback names no company here: copy it from the payment method")
	}
	return rest.Caller{Company: tenant, Unlimited: true, Credential: "callbacks:" + tenant, Actor: cashier(),
		Limit: &rest.Limit{}}, nil
}

func isCallback(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, callbackPath) || r.URL.Path == kcoPath+"push" || r.URL.Path == kcoPath+
		"validate"
}

// counter is where the jobs of payments get their transactions.
type counter struct {
	ctx context.Context
	h   *App
	as  db.Request
}

// Read runs fn in a snapshot.
func (c counter) Read(fn func(tx *db.Tx) error) error {
	return c.h.inside(func(s *db.Store) error { return s.Read(c.ctx, c.as, fn) })
}

// Write runs fn in a transaction.
func (c counter) Write(fn func(tx *db.Tx) error) error {
	return c.h.inside(func(s *db.Store) error { return s.Write(c.ctx, c.as, fn) })
}

// payments tells the runner what is done about payments.
func (h *App) handlePayments(r *jobs.Runner) {
	for kind, do := range map[*jobs.Kind]func(context.Context, checkout.Transactor, string) error{
		&checkout.Expiring: h.payments.Expire, &checkout.Concluding: h.payments.Conclude,
		&checkout.Refunding: h.payments.Move, &checkout.Capturing: h.payments.Move,
		&checkout.Announcing: h.payments.Announce, &checkout.Weighing: h.payments.Weigh,
		&checkout.Releasing: h.payments.Release,
	} {
		jobs.Outside(r, *kind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
			id, err := checkout.Subject(j)
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, do(ctx, counter{ctx, h, db.Request{Company: j.Company, Actor: cashier()}}, id)
		}, nil)
	}
}

// Providers are the payment providers of the house.
func (h *App) Providers() payment.Providers { return h.payments.Providers() }

// beginning are the providers whose ways to pay a new company begins with: they need no contract with anybody.
func beginning() payment.Providers {
	return payment.NewProviders(invoice.New(), prepayment.New(), testing.New("", time.Now))
}
