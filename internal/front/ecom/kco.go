package ecom

import (
	"cmp"
	"context"
	"encoding/json"

	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/rest"
)

// Kco is the older way to pay by Klarna Checkout. New storefronts start a payment with /checkout/sessions, whichever
// the provider.
func Kco(payments *checkout.Payments) rest.Group {
	k := kco{payments}
	starts := []fault.Code{cart.ErrEmpty, identity.ErrDenied, checkout.ErrIncomplete, party.ErrInactive,
		checkout.ErrNotOffered, checkout.ErrNoTerms, stock.ErrInsufficient, payment.ErrUnavailable, payment.ErrDeclined,
		payment.ErrMisconfigured, payment.ErrInvalid, payment.ErrInexact, limit.ErrAmount}
	pushes := []fault.Code{checkout.ErrMethodNotFound, payment.ErrCallback, payment.ErrNotFound, payment.ErrUnavailable,
		payment.ErrMisconfigured}
	return rest.Group{Tag: "Kco", Scope: rest.ScopeSession, Doc: "Klarna Checkout, as older storefronts start it.",
		Ops: []rest.Op{
			rest.Before(rest.Create("createKcoCheckout", "/kco/checkout",
				"Makes Klarna's order of the cart and holds the goods; the answer holds the fragment that the storefront shows.",
				k.record).
				Raises(starts...).Example(`{"returnUrl": "https://shop.example.com/checkout"}`), k.open),
			rest.Get("getKcoCheckout", "/kco/checkout",
				"Klarna's order of this visitor as it stands, with its fragment.", k.current).
				NamedByQuery().Raises(checkout.ErrSessionNotFound),
			rest.Before(rest.Put("updateKcoCheckout", "/kco/checkout",
				"Brings Klarna's order in line with the cart: one for another amount is aborted first, and another is made.",
				k.record).
				Answers(200).Raises(starts...).Example(`{"returnUrl": "https://shop.example.com/checkout"}`), k.open),
			rest.Receive("pushKco", "/kco/push",
				"Klarna's push: proved by reading the order back, heard once, and enough to place the order by itself.",
				k.push).
				Open().NamedByQuery().Raises(pushes...),
			rest.Receive("validateKco", "/kco/validate",
				"Klarna's question whether the order can still be placed: 200, or 400 with error_type and error_text.",
				k.validate).
				Answers(200).Open().NamedByQuery().Extension().Raises(checkout.ErrMethodNotFound, payment.ErrCallback,
				checkout.ErrRefused),
		}}
}

type kco struct{ *checkout.Payments }

// KcoCheckout is an order of Klarna's checkout.
type KcoCheckout struct {
	rest.Located
	ID           string        `json:"id" format:"uuid" doc:"Of the checkout session."`
	OrderID      rest.Text     `json:"orderId" doc:"What Klarna calls it."`
	Status       paymentStatus `json:"status"`
	HTMLFragment rest.Text     `json:"htmlFragment" secret:"true" doc:"To be shown to the buyer as it is."`
	Amount       dec.Fixed     `json:"amount"`
	CurrencyCode string        `json:"currencyCode"`
	ExpiresAt    db.Time       `json:"expiresAt" doc:"Until then the goods are held."`
	OrderNumber  rest.Text     `json:"orderNumber" doc:"Once the order is placed."`
}

func kcoCheckoutOf(p *checkout.Payment, err error) (KcoCheckout, error) {
	s, err := checkoutSessionOf(p, err)
	if err != nil {
		return KcoCheckout{}, err
	}
	return KcoCheckout{Located: rest.Located{Location: "/ecom/kco/checkout"}, ID: s.ID, OrderID: rest.Text(p.Ref),
		Status: s.Status, HTMLFragment: s.HTMLFragment, Amount: s.Amount, CurrencyCode: s.CurrencyCode,
		ExpiresAt: s.ExpiresAt, OrderNumber: s.OrderNumber}, nil
}

// kcoWish is what a storefront says as it starts.
type kcoWish struct {
	ReturnURL rest.Text `json:"returnUrl" max:"2000" doc:"Where the buyer comes back to; left out: the store's /checkout."`
	Method    rest.Text `json:"method" doc:"Code of a payment method of Klarna; left out: the only one."`
}

type kcoIn struct {
	Body    *kcoWish
	opening checkout.Opening
}

func (k kco) open(a *rest.Ahead, in *kcoIn) (err error) {
	w := rest.OrZero(in.Body)
	in.opening, err = k.StartKlarna(a.Context, a,
		checkout.Wish{Method: string(w.Method), ReturnURL: string(w.ReturnURL)})
	return err
}

func (k kco) record(tx *db.Tx, in kcoIn) (KcoCheckout, error) {
	return kcoCheckoutOf(k.Record(tx, in.opening))
}

func (k kco) current(tx *db.Tx, _ struct{}) (KcoCheckout, error) {
	return kcoCheckoutOf(checkout.CurrentKlarna(tx))
}

type kcoCallIn struct {
	Tenant string `query:"tenant" req:"true" format:"uuid" doc:"The company, as the address that Klarna was given says."`
	Method string `query:"method" doc:"The payment method; left out: the company's only one of Klarna."`
	Order  string `query:"klarna_order_id" doc:"What Klarna calls the order; also as checkout_order_id."`
}

// called reads what Klarna sends, and which payment method it is about.
func called(st *rest.Streaming, in kcoCallIn) (body []byte, method string, err error) {
	if body, err = reported(st); err != nil {
		return nil, "", err
	}
	err = st.Read(db.Into(&method, func(tx *db.Tx) (string, error) { return checkout.KlarnaMethod(tx, in.Method) }))
	return body, method, err
}

func (k kco) push(ctx context.Context, st *rest.Streaming, in kcoCallIn) (rest.NoContent, error) {
	body, method, err := called(st, in)
	if err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{}, k.Receive(ctx, st, checkout.KlarnaProvider, method,
		payment.Callback{Header: st.HTTP().Header.Get, Query: st.HTTP().URL.Query().Get, Body: body}, st.Now().Time())
}

func (k kco) validate(_ context.Context, st *rest.Streaming, in kcoCallIn) (rest.NoContent, error) {
	body, method, err := called(st, in)
	if err != nil {
		return rest.NoContent{}, err
	}
	var asked struct {
		ID       string `json:"order_id"`
		Amount   int64  `json:"order_amount"`
		Currency string `json:"purchase_currency"`
	}
	if err := json.Unmarshal(body, &asked); err != nil || cmp.Or(asked.ID, in.Order) == "" {
		return rest.NoContent{},
			payment.ErrCallback.Because(
				"the body is no order of Klarna: order_id, order_amount and purchase_currency are looked for")
	}
	return rest.NoContent{}, st.Read(func(tx *db.Tx) error {
		return k.Validate(tx, method, cmp.Or(asked.ID, in.Order), asked.Amount, asked.Currency)
	})
}
