// Package klarna takes payments through Klarna Checkout v3, which is sold as Kustom Checkout since 2024 and speaks the
// same protocol:
// an order is created at /checkout/v3/orders and its HTML snippet shown to the buyer; once bought it is an order of
// /ordermanagement/v1, where it is captured, refunded and cancelled.
//
// The push callback carries an order id and no signature. It is proved by reading the order back with our credentials,
// so that a forged push tells no more than a look would. Klarna pushes until the order is acknowledged (Placed).
package klarna

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/wire"
)

const (
	checkout   = "/checkout/v3/orders"
	management = "/ordermanagement/v1/orders"
	// orderParam names the order in the addresses Klarna calls, placeholder is what Klarna replaces by its id.
	orderParam  = "klarna_order_id"
	placeholder = "{checkout.order.id}"
)

// Provider is the Klarna provider.
type Provider struct{ client *wire.Client }

// New is the provider.
func New(client *wire.Client) *Provider { return &Provider{client} }

// Describe tells what it is.
func (*Provider) Describe() payment.Description {
	return payment.Description{Name: "Klarna", SendsCallbacks: true, Settings: []payment.Setting{
		{Name: "username", Means: "The user name of the API credentials", IsRequired: true},
		{Name: "password", Means: "The password of the API credentials", IsRequired: true, IsSecret: true},
		{Name: "region",
			Means:   "Where the account is; its playground serves companies of environment Test; Europe if empty",
			Choices: []string{"Europe", "NorthAmerica", "Oceania"}},
		{Name: "address", Means: "The address of the API where it is another: Kustom's, for example"},
		{Name: "termsUrl", Means: "The terms of purchase, where the store names none"},
	}}
}

// client is an account's way to the API.
type client struct {
	wire               *wire.Client
	base               string
	username, password string
}

func (p *Provider) open(a payment.Account) (client, error) {
	if err := p.Describe().Ready(a); err != nil {
		return client{}, err
	}
	address := a.Settings["address"]
	if address == "" {
		host := cmp.Or(map[string]string{"NorthAmerica": "api-na", "Oceania": "api-oc"}[a.Settings["region"]], "api")
		if a.IsTest {
			host += ".playground"
		}
		address = "https://" + host + ".klarna.com"
	}
	base, err := wire.Base("Klarna", address, a)
	return client{p.client.To(address, a), base, a.Settings["username"], a.Settings["password"]}, err
}

// ask makes a request. key makes a write once: Klarna wants a UUID of version 5, so it is one of the key.
func (d client) ask(ctx context.Context, method, path, key string, body, into any) (http.Header, error) {
	r := wire.Request{Provider: "Klarna", Method: method, Address: d.base + path, User: d.username,
		Password: d.password, Body: body}
	if key != "" {
		r.Header = map[string]string{"Klarna-Idempotency-Key": uuid.NewSHA1(uuid.NameSpaceOID,
			[]byte("kontor payment "+key)).String()}
	}
	answer, err := d.wire.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	if !answer.IsGood() {
		return nil, faultOf(answer)
	}
	if into != nil {
		return answer.Header, answer.Into(into)
	}
	return answer.Header, nil
}

// faultOf reads Klarna's error code. 403 is both wrong credentials and what an order does not allow.
func faultOf(a wire.Answer) error {
	var said struct {
		Code        string `json:"error_code"`
		Correlation string `json:"correlation_id"`
	}
	_ = json.Unmarshal(a.Body, &said) // without a code the status alone speaks
	if strings.HasSuffix(said.Code, "_NOT_ALLOWED") || said.Code == "READ_ONLY_ORDER" {
		a.Status = http.StatusConflict
	}
	if said.Code == "NO_SUCH_ORDER" {
		a.Status = http.StatusNotFound
	}
	return a.Fault("code " + clip(said.Code) + " correlation " + clip(said.Correlation))
}

// clip keeps a word from outside short and printable for the log.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	return s[:min(len(s), 64)]
}

// Start creates a checkout order. Started again it creates another one, of which the buyer sees one snippet alone; what
// is not bought has no effect.
func (p *Provider) Start(ctx context.Context, a payment.Account, i payment.Intent) (payment.Started, error) {
	d, err := p.open(a)
	if err == nil {
		err = i.Check()
	}
	if err != nil {
		return payment.Started{}, err
	}
	asked, err := orderOf(i, a.Settings["termsUrl"])
	if err != nil {
		return payment.Started{}, err
	}
	var made struct {
		ID      string `json:"order_id"`
		Snippet string `json:"html_snippet"`
	}
	if _, err := d.ask(ctx, http.MethodPost, checkout, "start "+i.ID, asked, &made); err != nil {
		return payment.Started{}, err
	}
	if !isID(made.ID) {
		return payment.Started{},
			payment.ErrUnavailable.Because("Klarna gave an answer that cannot be read. Try again in a moment.")
	}
	s := payment.Started{Ref: made.ID, Status: payment.Pending, Mode: payment.RenderHTMLFragment,
		HTMLFragment: made.Snippet}
	return s, s.Check()
}

// isID keeps what is put into a path to the letters of an id.
func isID(s string) bool {
	return s != "" && len(s) <= 255 && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// with is an address with the order's id as a parameter, in which Klarna's placeholder must stand unescaped.
func with(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += orderParam + "=" + placeholder
	return u.String()
}

// managed is what we read of a bought order.
type managed struct {
	ID        string `json:"order_id"`
	Status    string `json:"status"`
	Fraud     string `json:"fraud_status"`
	Amount    int64  `json:"order_amount"`
	Captured  int64  `json:"captured_amount"`
	Refunded  int64  `json:"refunded_amount"`
	Currency  string `json:"purchase_currency"`
	Reference string `json:"merchant_reference2"`
	Data      string `json:"merchant_data"`
	Captures  []struct {
		Reference string `json:"reference"`
	} `json:"captures"`
	Refunds []struct {
		ID        string `json:"refund_id"`
		Reference string `json:"reference"`
	} `json:"refunds"`
}

func (m managed) state(digits int) (payment.State, error) {
	s := payment.State{Ref: m.ID, Currency: strings.ToUpper(m.Currency), Status: payment.Pending}
	switch m.Status {
	case "AUTHORIZED":
		s.Status = payment.Authorized
	case "PART_CAPTURED", "CAPTURED":
		s.Status = payment.Captured
	case "EXPIRED":
		s.Status = payment.Expired
	case "CANCELLED", "CLOSED": // closed: everything done or let go
		s.Status = payment.Cancelled
	}
	switch {
	case m.Captured > 0:
		s.Status = payment.Captured
	case s.Status == payment.Authorized && m.Fraud == "PENDING":
		s.Status = payment.Pending
	case s.Status == payment.Authorized && m.Fraud == "REJECTED":
		s.Status, s.Reason = payment.Failed, "rejected by the provider's fraud check"
	}
	for _, sum := range []struct {
		to   *dec.Dec
		from int64
	}{{&s.Amount, m.Amount}, {&s.Captured, m.Captured}, {&s.Refunded, m.Refunded}} {
		amount, err := payment.OfMinor(sum.from, digits)
		if err != nil || amount < 0 {
			return s, payment.ErrUnavailable.Because("Klarna tells an amount beyond all bounds.").From(err)
		}
		*sum.to = amount
	}
	return s, nil
}

// read is a bought order; ErrNotFound as long as nobody bought it.
func (d client) read(ctx context.Context, ref string) (m managed, err error) {
	if !isID(ref) {
		return m, payment.ErrNotFound.Because("Klarna does not know this payment.")
	}
	_, err = d.ask(ctx, http.MethodGet, management+"/"+ref, "", nil, &m)
	if err == nil && m.ID != ref {
		err = payment.ErrUnavailable.Because("Klarna answered with another order. Try again in a moment.")
	}
	return m, err
}

// look is an order, bought or not. One that is not bought has a status of the checkout, which is Pending to us: so is
// one that was bought a moment ago and that order management does not know yet.
func (d client) look(ctx context.Context, ref string) (m managed, err error) {
	if m, err = d.read(ctx, ref); !isMissing(err) || !isID(ref) {
		return m, err
	}
	_, err = d.ask(ctx, http.MethodGet, checkout+"/"+ref, "", nil, &m)
	if err == nil && (m.ID != ref || m.Captured != 0 || m.Refunded != 0) {
		err = payment.ErrUnavailable.Because("Klarna answered with another order. Try again in a moment.")
	}
	return m, err
}

// Look reads the order. One that Klarna forgot was never bought: checkouts are kept for two days.
func (p *Provider) Look(ctx context.Context, a payment.Account, pay payment.Payment) (payment.State, error) {
	d, err := p.open(a)
	if err != nil {
		return payment.State{}, err
	}
	m, err := d.look(ctx, pay.Ref)
	switch {
	case isMissing(err) && pay.Status == payment.Pending:
		return payment.State{Ref: pay.Ref, Status: payment.Expired, Amount: pay.Amount, Currency: pay.Currency}, nil
	case err != nil:
		return payment.State{}, err
	case m.Reference != pay.ID:
		return payment.State{}, payment.ErrNotFound.Because("Klarna's order is of another payment.")
	}
	return m.state(pay.Digits)
}

// Receive reads the order that a push names; nothing else of the push counts. The same state pushed again is the same
// event.
func (p *Provider) Receive(ctx context.Context, a payment.Account, c payment.Callback, now time.Time) (payment.Event,
	error) {
	d, err := p.open(a)
	if err != nil {
		return payment.Event{}, err
	}
	ref := cmp.Or(c.Query(orderParam), c.Query("checkout_order_id")) // as older integrations name it
	if !isID(ref) {
		return payment.Event{}, payment.ErrCallback.Because("The push names no order: %s stands in its address.",
			orderParam)
	}
	m, err := d.look(ctx, ref)
	if err != nil {
		return payment.Event{}, err
	}
	digits, isOurs := digitsOf(m.Data)
	if !isOurs {
		return payment.Event{ID: ref, At: now}, nil // an order that was made elsewhere with the same credentials
	}
	s, err := m.state(digits)
	event := strings.Join([]string{ref, string(s.Status), s.Amount.String(), s.Captured.String(), s.Refunded.String()},
		"/")
	return payment.Event{ID: event, PaymentID: m.Reference, State: s, At: now}, err
}
