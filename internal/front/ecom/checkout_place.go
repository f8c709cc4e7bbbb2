package ecom

import (
	"context"
	"io"
	"net/http"

	"kontor/internal/business/checkout"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/rest"
)

// CheckoutSession is a payment of the cart.
type CheckoutSession struct {
	rest.Located
	ID           string        `json:"id" format:"uuid"`
	Status       paymentStatus `json:"status"`
	RenderMode   renderMode    `json:"renderMode" doc:"What the front end acts on; it need not know the provider."`
	HTMLFragment rest.Text     `json:"htmlFragment" secret:"true" doc:"With HtmlFragment."`
	RedirectURL  rest.Text     `json:"redirectUrl" secret:"true" doc:"With Redirect."`
	ClientKey    rest.Text     `json:"clientKey" secret:"true" doc:"With ClientKey."`
	PublicKey    rest.Text     `json:"publicKey" doc:"Goes with clientKey where the provider has one."`
	Amount       dec.Fixed     `json:"amount"`
	CurrencyCode string        `json:"currencyCode"`
	ExpiresAt    db.Time       `json:"expiresAt" doc:"Until then the goods are held."`
	OrderNumber  rest.Text     `json:"orderNumber" doc:"Once the order is placed."`
}

type paymentStatus payment.Status

// Values are all statuses of a payment.
func (paymentStatus) Values() []paymentStatus {
	return each.Of(payment.Statuses(), func(s payment.Status) paymentStatus { return paymentStatus(s) })
}

type renderMode payment.RenderMode

// Values are all modes.
func (renderMode) Values() []renderMode {
	return []renderMode{renderMode(payment.RenderNone), renderMode(payment.RenderHTMLFragment),
		renderMode(payment.RenderRedirect), renderMode(payment.RenderClientKey)}
}

func checkoutSessionOf(p *checkout.Payment, err error) (CheckoutSession, error) {
	if err != nil {
		return CheckoutSession{}, err
	}
	out := CheckoutSession{Located: rest.Located{Location: "/ecom/checkout/sessions/" + p.ID}, ID: p.ID,
		Status: paymentStatus(p.Status), RenderMode: renderMode(p.Mode),
		Amount: dec.Fixed{Value: p.Amount, Digits: p.Digits}, CurrencyCode: p.Currency, ExpiresAt: p.ExpiresAt,
		OrderNumber: rest.Text(p.OrderNumber), PublicKey: rest.Text(p.PublicKey)}
	if p.IsDropped && p.Status.IsGood() { // what was paid goes back: nothing comes of this session any more
		out.Status = paymentStatus(payment.Cancelled)
	}
	switch p.Mode {
	case payment.RenderHTMLFragment:
		out.HTMLFragment = rest.Text(p.Render)
	case payment.RenderRedirect:
		out.RedirectURL = rest.Text(p.Render)
	case payment.RenderClientKey:
		out.ClientKey = rest.Text(p.Render)
	default:
		out.RenderMode = renderMode(payment.RenderNone)
	}
	return out, nil
}

type startPaymentIn struct {
	Body struct {
		ReturnURL string            `json:"returnUrl" req:"true" max:"2000" doc:"Where the buyer comes back to." example:"https://shop.example.com/checkout/done"`
		Method    rest.Text         `json:"method" doc:"Code of the payment method; left out: the one chosen."`
		Data      map[string]string `json:"data" doc:"Further values for the provider, such as the card of the Test provider."`
	}
	opening checkout.Opening
}

func (s checkouts) starting(a *rest.Ahead, in *startPaymentIn) (err error) {
	in.opening, err = s.Start(a.Context, a, checkout.Wish{Method: string(in.Body.Method), ReturnURL: in.Body.ReturnURL,
		Data: in.Body.Data})
	return err
}

func (s checkouts) start(tx *db.Tx, in startPaymentIn) (CheckoutSession, error) {
	return checkoutSessionOf(s.Record(tx, in.opening))
}

func (s checkouts) session(ctx context.Context, st *rest.Streaming, in rest.ID) (out CheckoutSession,
	err error) {
	read := db.Into(&out,
		func(tx *db.Tx) (CheckoutSession, error) { return checkoutSessionOf(checkout.Find(tx, in.ID)) })
	if err = st.Read(read); err != nil || out.Status != paymentStatus(payment.Pending) {
		return out, err
	}
	if err := s.Look(ctx, st, in.ID); err != nil {
		return out, nil // the provider does not answer now: the payment is as it was
	}
	return out, st.Read(read)
}

type placeOrderRequest struct {
	TermsAccepted     bool      `json:"termsAccepted" req:"true" doc:"Must be true."`
	CheckoutSessionID rest.Text `json:"checkoutSessionId" format:"uuid" doc:"Left out: the one under way."`
}

// placing asks the provider how the payment stands.
func (s checkouts) placing(a *rest.Ahead, in *rest.Sent[placeOrderRequest]) error {
	if !in.Body.TermsAccepted {
		return checkout.ErrTerms.At("termsAccepted",
			"an order is placed by who accepts the terms of the store: must be true")
	}
	return s.Prepare(a.Context, a, string(in.Body.CheckoutSessionID))
}

func (s checkouts) notPlaced(a *rest.Ahead, err error) error { return s.Refused(a, err) }

// PlacedOrder is an order that was just placed.
type PlacedOrder struct {
	rest.Located
	OrderID       string         `json:"orderId" format:"uuid"`
	OrderNumber   string         `json:"orderNumber"`
	CurrencyCode  string         `json:"currencyCode"`
	Totals        CheckoutTotals `json:"totals"`
	PaymentStatus paymentStatus  `json:"paymentStatus" doc:"Captured where nothing was to be paid."`
}

func (s checkouts) place(tx *db.Tx, in rest.Sent[placeOrderRequest]) (PlacedOrder, error) {
	p, err := s.Place(tx, string(in.Body.CheckoutSessionID))
	if err != nil {
		return PlacedOrder{}, err
	}
	return placedOrderOf(tx, p)
}

func placedOrderOf(tx *db.Tx, p *checkout.Placed) (PlacedOrder, error) {
	status, err := p.PaymentStatus(tx)
	return PlacedOrder{Located: rest.Located{Location: rest.Self("/ecom/checkout/orders/", p.OrderNumber).Self},
		OrderID: p.OrderID, OrderNumber: p.OrderNumber, CurrencyCode: p.Receipt.CurrencyCode,
		Totals: totalsOf(p.Receipt.Totals, p.Receipt.Digits), PaymentStatus: paymentStatus(status)}, err
}

// OrderConfirmation is what a buyer reads after ordering.
type OrderConfirmation struct {
	PlacedOrder
	OrderDate day.Date           `json:"orderDate"`
	Status    sales.Status       `json:"status"`
	Reference rest.Text          `json:"reference"`
	Note      rest.Text          `json:"note"`
	Contact   CheckoutContact    `json:"contact"`
	Addresses CheckoutAddresses  `json:"addresses"`
	Delivery  OrderDelivery      `json:"delivery"`
	Payment   *OrderPayment      `json:"payment" doc:"Null where nothing was to be paid."`
	Codes     []CartCode         `json:"codes"`
	Lines     []ConfirmationLine `json:"lines" doc:"Freight and fee are among them."`
}

// OrderDelivery is how an order travels.
type OrderDelivery struct {
	ShippingMethodCode    string    `json:"shippingMethodCode"`
	Name                  string    `json:"name"`
	PickupPointID         rest.Text `json:"pickupPointId"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
}

// OrderPayment is how an order is paid.
type OrderPayment struct {
	PaymentMethodCode string    `json:"paymentMethodCode"`
	Name              string    `json:"name"`
	Instructions      rest.Text `json:"instructions" doc:"How to pay, for payment in advance."`
}

// ConfirmationLine is a line of an order.
type ConfirmationLine struct {
	LineNumber            int       `json:"lineNumber" of:"Number"`
	ItemID                rest.Text `json:"itemId" format:"uuid"`
	ItemNumber            rest.Text `json:"itemNumber" of:"Item"`
	Description           string    `json:"description"`
	Quantity              dec.Dec   `json:"quantity"`
	Unit                  rest.Text `json:"unit"`
	UnitPrice             dec.Fixed `json:"unitPrice" doc:"As the price list has it: with tax where isPriceIncludingTax."`
	IsPriceIncludingTax   bool      `json:"isPriceIncludingTax"`
	LineTotal             dec.Fixed `json:"lineTotal" doc:"Without tax, discounts taken off."`
	LineTotalIncludingTax dec.Fixed `json:"lineTotalIncludingTax" of:"-"`
	TaxPercent            dec.Dec   `json:"taxPercent"`

	Values []ChosenValue `json:"values" of:"-" doc:"What is chosen of what is made to order; empty of any other."`
}

var confirmationLines = rest.ShownIn[[]ConfirmationLine, []sales.Line]()

func (s checkouts) placed(tx *db.Tx, in rest.Key) (OrderConfirmation, error) {
	p, err := checkout.FindPlaced(tx, in.Key)
	if err != nil {
		return OrderConfirmation{}, err
	}
	o, err := sales.Find(tx, p.OrderNumber)
	if err != nil {
		return OrderConfirmation{}, err
	}
	chosen, err := sales.Chosen(tx, &o)
	if err != nil {
		return OrderConfirmation{}, err
	}
	r := &p.Receipt
	f := func(d dec.Dec) dec.Fixed { return dec.Fixed{Value: d, Digits: o.Digits} }
	out := OrderConfirmation{OrderDate: o.OrderDate, Status: o.Status, Reference: rest.Text(o.CustomerReference),
		Note: rest.Text(o.Notes), Contact: *contactOf(r.Contact),
		Addresses: CheckoutAddresses{checkoutAddressOf(o.InvoiceAddress),
			checkoutAddressOf(o.DeliveryAddress)},
		Delivery: OrderDelivery{r.Shipping, r.ShippingName, rest.Text(r.PickupPoint), rest.Date(r.Requested)},
		Codes:    cartCodesIn(o.Digits, r.Codes), Lines: confirmationLines(o.Digits, o.Lines)}
	if r.Payment != "" {
		out.Payment = &OrderPayment{r.Payment, r.PaymentName, rest.Text(r.Instructions)}
	}
	for i, l := range o.Lines {
		out.Lines[i].LineTotalIncludingTax = f(l.LineTotal.Add(l.TaxAmount))
		out.Lines[i].Values = chosenValues(chosen[sales.At{OrderID: o.ID, Line: l.Number}])
	}
	out.PlacedOrder, err = placedOrderOf(tx, p)
	return out, err
}

type callbackIn struct {
	Provider string `path:"provider" doc:"Name of the provider."`
	Tenant   string `query:"tenant" req:"true" format:"uuid" doc:"The company, as the address that the provider was given says."`
	Method   string `query:"method" req:"true" doc:"The payment method."`
}

// longestCallback is how many bytes a provider may report at once.
const longestCallback = 1 << 20

// reported is what a provider reports.
func reported(st *rest.Streaming) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, st.HTTP().Body, longestCallback))
	if err != nil {
		err = payment.ErrCallback.Because("the callback is longer than %d bytes, or broke off", longestCallback)
	}
	return body, err
}

func (s checkouts) callback(ctx context.Context, st *rest.Streaming, in callbackIn) (rest.NoContent, error) {
	body, err := reported(st)
	if err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{}, s.Receive(ctx, st, in.Provider, in.Method,
		payment.Callback{Header: st.HTTP().Header.Get, Query: st.HTTP().URL.Query().Get, Body: body}, st.Now().Time())
}
