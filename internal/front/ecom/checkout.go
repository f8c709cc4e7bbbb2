package ecom

import (
	"context"

	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// CheckoutGroup is the way from a cart to an order.
func CheckoutGroup(payments *checkout.Payments, e Access) rest.Group {
	c := checkouts{payments}
	providers := []fault.Code{payment.ErrUnavailable, payment.ErrDeclined, payment.ErrMisconfigured, payment.ErrInvalid,
		payment.ErrInexact}
	return rest.Group{Tag: "Checkout", Scope: rest.ScopeSession,
		Doc: "From the cart to the order: contact, addresses, delivery, payment.", Ops: []rest.Op{
			rest.Stream("getCheckoutData", "/checkout/data", "The checkout, with the ways to deliver and to pay.", c.data).
				Tagging(),
			rest.Put("putCheckoutContact", "/checkout/contact", "Keeps who buys.", c.contact).Answers(200).
				Raises(checkout.ErrInvalid).
				Example(`{"email": "anna@example.com", "firstName": "Anna", "lastName": "Berg"}`),
			rest.Put("putCheckoutAddresses", "/checkout/addresses", "Keeps who is billed and where the goods go.",
				c.addresses).Answers(200).
				Raises(checkout.ErrInvalid, checkout.ErrNotOffered).
				Example(
					`{"billing": {"name": "Anna Berg", "street1": "Storgatan 1", "postalCode": "111 22", "city": "Stockholm", "countryCode": "SE"}}`),
			rest.Put("putCheckoutDelivery", "/checkout/delivery", "Chooses how the goods travel.", c.delivery).
				Answers(200).
				Raises(checkout.ErrInvalid, checkout.ErrNotOffered).Example(`{"shippingMethodCode": "PARCEL"}`),
			rest.Put("putCheckoutPayment", "/checkout/payment", "Chooses how to pay.", c.payment).Answers(200).
				Raises(checkout.ErrNotOffered, checkout.ErrCreditLimit).Example(`{"paymentMethodCode": "PREPAYMENT"}`),
			rest.Before(rest.Do("applyCode", "/checkout/apply-code",
				"Applies a discount code or a gift card; its use or its money is taken when the order is placed.",
				c.apply).
				Raises(promotion.ErrInvalid, promotion.ErrExpired, promotion.ErrNotApplicable, promotion.ErrUsedUp,
					cart.ErrAlreadyApplied, cart.ErrTooManyCodes).
				Example(`{"code": "WELCOME10"}`), e.tryOrderCode),
			rest.Delete("removeCode", "/checkout/codes/{code}", "Takes a code off.", c.takeOff).Answers(200).
				Raises(cart.ErrCodeNotFound), postalCodes(),
			rest.Before(rest.Create("createCheckoutSession", "/checkout/sessions",
				"Starts the payment and holds the goods: the answer says what the front end shows, whichever the provider.",
				c.start).
				Raises(cart.ErrEmpty, identity.ErrDenied, checkout.ErrIncomplete, party.ErrInactive,
					checkout.ErrNotOffered, checkout.ErrCreditLimit, checkout.ErrNoTerms, stock.ErrInsufficient,
					limit.ErrAmount).
				Raises(providers...).
				Example(`{"returnUrl": "https://shop.example.com/checkout/done"}`), c.starting),
			rest.Stream("getCheckoutSession", "/checkout/sessions/{id}",
				"How a payment stands; its provider is asked while that is open.", c.session).Tagging().
				Raises(checkout.ErrSessionNotFound),
			rest.Refused(rest.Before(rest.Create("placeOrder", "/checkout/place",
				"Places the order of the cart; asked again it answers the same order.", c.place).
				Raises(checkout.ErrTerms, checkout.ErrCreditLimit, cart.ErrEmpty, checkout.ErrIncomplete,
					checkout.ErrPaymentRequired, checkout.ErrPriceChanged, checkout.ErrSessionNotFound,
					stock.ErrInsufficient, identity.ErrDenied, party.ErrInactive, checkout.ErrNoTerms, limit.ErrAmount).
				Example(`{"termsAccepted": true}`), c.placing), c.notPlaced),
			rest.Get("getPlacedOrder", "/checkout/orders/{orderNumber}",
				"The confirmation of an order that this session has placed.", c.placed).
				Raises(checkout.ErrOrderNotFound),
			rest.Before(rest.Do("followOrder", "/checkout/orders/follow",
				"How an order stands, for a buyer without an account: by its number with the e-mail address it was placed with, or with the key of the link in its mails.",
				c.follow).
				Extension().NamedByQuery().Raises(checkout.ErrOrderNotFound, portal.ErrTooMany).
				Example(`{"orderNumber": "SO-1042", "email": "anna@example.com"}`), e.tryTrail),
			rest.Receive("receivePaymentCallback", "/checkout/callbacks/{provider}",
				"What a payment provider reports: proved by its signature, heard once.", c.callback).
				Open().NamedByQuery().Raises(checkout.ErrMethodNotFound, payment.ErrForged, payment.ErrStale,
				payment.ErrCallback, payment.ErrUnavailable),
		}}
}

type checkouts struct{ *checkout.Payments }

// Checkout is the way to the order as it stands.
type Checkout struct {
	CurrencyCode string            `json:"currencyCode"`
	Contact      *CheckoutContact  `json:"contact"`
	Addresses    CheckoutAddresses `json:"addresses"`
	Delivery     *CheckoutDelivery `json:"delivery"`
	Payment      *CheckoutPayment  `json:"payment"`
	Codes        []CartCode        `json:"codes"`
	Totals       CheckoutTotals    `json:"totals"`
	Missing      []checkout.Step   `json:"missing" doc:"Steps without which no order can be placed."`
	Messages     []CartMessage     `json:"messages"`
}

// CheckoutContact is who buys.
type CheckoutContact struct {
	Email              string    `json:"email" req:"true" text:"email"`
	FirstName          string    `json:"firstName" req:"true" text:"name"`
	LastName           string    `json:"lastName" req:"true" text:"name"`
	Phone              rest.Text `json:"phone"`
	CompanyName        rest.Text `json:"companyName" text:"name"`
	OrganizationNumber rest.Text `json:"organizationNumber"`
	VATNumber          rest.Text `json:"vatNumber"`
}

// CheckoutAddress is an address of an order.
type CheckoutAddress struct {
	Name          string    `json:"name" req:"true" text:"name"`
	ContactPerson rest.Text `json:"contactPerson" text:"name"`
	Street1       string    `json:"street1" req:"true" text:"name"`
	Street2       rest.Text `json:"street2" text:"name"`
	PostalCode    string    `json:"postalCode" req:"true"`
	City          string    `json:"city" req:"true" text:"name"`
	CountryCode   string    `json:"countryCode" req:"true" doc:"ISO 3166-1 alpha-2." example:"SE"`
	Email         rest.Text `json:"email" text:"email"`
	Phone         rest.Text `json:"phone"`
}

// CheckoutAddresses are who is billed and where the goods go.
type CheckoutAddresses struct {
	Billing  *CheckoutAddress `json:"billing"`
	Delivery *CheckoutAddress `json:"delivery" doc:"Null: the billing address."`
}

// CheckoutDelivery is how the goods travel.
type CheckoutDelivery struct {
	ShippingMethodCode    string    `json:"shippingMethodCode"`
	Name                  string    `json:"name"`
	Price                 dec.Fixed `json:"price" doc:"Without tax."`
	PriceIncludingTax     dec.Fixed `json:"priceIncludingTax"`
	PickupPointID         rest.Text `json:"pickupPointId"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
}

// CheckoutPayment is a way to pay.
type CheckoutPayment struct {
	PaymentMethodCode string    `json:"paymentMethodCode"`
	Name              string    `json:"name"`
	Provider          string    `json:"provider"`
	Fee               dec.Fixed `json:"fee" doc:"Without tax."`
	FeeIncludingTax   dec.Fixed `json:"feeIncludingTax"`
}

// CheckoutTotals are the sums of a checkout or an order.
type CheckoutTotals struct {
	Sums
	Freight             dec.Fixed `json:"freight" doc:"Without tax."`
	Fee                 dec.Fixed `json:"fee" doc:"Of the payment method, without tax."`
	Total               dec.Fixed `json:"total" doc:"Without tax."`
	FreightIncludingTax dec.Fixed `json:"freightIncludingTax"`
	FeeIncludingTax     dec.Fixed `json:"feeIncludingTax"`
}

// Sums are those that a cart has too. What the goods come to with tax adds up with freight and fee to
// totalIncludingTax.
type Sums struct {
	Subtotal                  dec.Fixed `json:"subtotal" doc:"Of the goods before codes, without tax."`
	DiscountTotal             dec.Fixed `json:"discountTotal" doc:"What discount codes take off, without tax."`
	TaxTotal                  dec.Fixed `json:"taxTotal"`
	TotalIncludingTax         dec.Fixed `json:"totalIncludingTax"`
	GiftCardTotal             dec.Fixed `json:"giftCardTotal" doc:"What gift cards pay."`
	AmountToPay               dec.Fixed `json:"amountToPay" doc:"totalIncludingTax less giftCardTotal."`
	SubtotalIncludingTax      dec.Fixed `json:"subtotalIncludingTax"`
	DiscountTotalIncludingTax dec.Fixed `json:"discountTotalIncludingTax"`
}

// CheckoutData is a checkout with what may be chosen in it.
type CheckoutData struct {
	Checkout
	DeliveryMethods []DeliveryMethod  `json:"deliveryMethods"`
	PaymentMethods  []CheckoutPayment `json:"paymentMethods"`
	Countries       []StoreCountry    `json:"countries" doc:"The store delivers to."`
	SavedAddresses  []CheckoutAddress `json:"savedAddresses" doc:"Of the customer who is signed in."`
}

func totalsOf(t checkout.Totals, digits int) CheckoutTotals {
	f := func(d dec.Dec) dec.Fixed { return dec.Fixed{Value: d, Digits: digits} }
	return CheckoutTotals{Sums{f(t.Subtotal), f(t.DiscountTotal), f(t.TaxTotal), f(t.TotalIncludingTax),
		f(t.GiftCardTotal), f(t.AmountToPay), f(t.Subtotal.Add(t.SubtotalTax)), f(t.DiscountTotal.Add(t.DiscountTax))},
		f(t.Freight), f(t.Fee), f(t.Total), f(t.Freight.Add(t.FreightTax)), f(t.Fee.Add(t.FeeTax))}
}

var (
	contactShown      = rest.Shown[CheckoutContact, checkout.Contact]()
	contactWritten    = rest.Written[CheckoutContact, checkout.Contact]()
	checkoutAddressOf = rest.Shown[*CheckoutAddress, party.Postal]()
	postal            = rest.Written[*CheckoutAddress, party.Postal]()
)

func contactOf(c checkout.Contact) *CheckoutContact {
	if c.Email == "" {
		return nil
	}
	shown := contactShown(c)
	return &shown
}

func checkoutPaymentOf(m checkout.Method, f checkout.Fee, digits int) CheckoutPayment {
	return CheckoutPayment{m.Code, m.Name, m.Provider, dec.Fixed{Value: f.Net, Digits: digits},
		dec.Fixed{Value: f.IncludingTax, Digits: digits}}
}

// checkoutOf is a checkout on the wire, or the error of the step.
func checkoutOf(c *checkout.Checkout, err error) (Checkout, error) {
	if err != nil {
		return Checkout{}, err
	}
	digits := c.Cart.Digits
	out := Checkout{CurrencyCode: c.Cart.CurrencyCode, Contact: contactOf(c.Contact),
		Codes:  cartCodesIn(digits, c.Cart.Codes),
		Totals: totalsOf(c.Totals(), digits), Addresses: CheckoutAddresses{checkoutAddressOf(c.Billing),
			checkoutAddressOf(c.Steps.Delivery)},
		Missing: c.Missing, Messages: cartMessages(c.Cart.Messages)}
	if f := c.Way; f != nil {
		out.Delivery = &CheckoutDelivery{f.Code, f.Name, dec.Fixed{Value: f.PriceNet, Digits: digits},
			dec.Fixed{Value: f.PriceIncludingTax(), Digits: digits}, rest.Text(c.PickupPoint),
			rest.Date(c.RequestedDate)}
	}
	if c.Method != nil {
		p := checkoutPaymentOf(*c.Method, c.Fee, digits)
		out.Payment = &p
	}
	return out, nil
}

func (s checkouts) data(_ context.Context, st *rest.Streaming, _ struct{}) (CheckoutData, error) {
	return seen(st, func(tx *db.Tx) (*checkout.Checkout, bool, error) {
		c, err := s.Of(tx)
		return c, err == nil && c.HasNews(), err
	}, s.Show, s.choices)
}

// choices are a checkout with what may be chosen in it.
func (s checkouts) choices(tx *db.Tx, c *checkout.Checkout) (out CheckoutData, err error) {
	v := storefront.Of(tx)
	out = CheckoutData{Countries: each.Of(storefront.Countries(tx, v.Channel), countryOf),
		SavedAddresses: []CheckoutAddress{}}
	if out.Checkout, err = checkoutOf(c, nil); err != nil {
		return out, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return out, err
	}
	ways, err := c.DeliveryMethods(tx)
	if err != nil {
		return out, err
	}
	out.DeliveryMethods = each.Of(ways, deliveryMethodOf(book))
	offers, err := s.PaymentMethods(tx, c)
	if err != nil {
		return out, err
	}
	out.PaymentMethods = each.Of(offers,
		func(o checkout.PaymentOffer) CheckoutPayment {
			return checkoutPaymentOf(o.Method, o.Fee, c.Cart.Digits)
		})
	if !v.SignedIn() {
		return out, nil
	}
	saved, err := party.Addresses(tx, v.Customer.Number, record.Page{Number: 1, Size: 200})
	for _, a := range saved.Items {
		out.SavedAddresses = append(out.SavedAddresses, *checkoutAddressOf(a.Postal))
	}
	return out, err
}

func (s checkouts) contact(tx *db.Tx, in rest.Sent[CheckoutContact]) (Checkout, error) {
	return checkoutOf(s.SaveContact(tx, contactWritten(in.Body)))
}

type putCheckoutAddressesRequest struct {
	Billing  CheckoutAddress  `json:"billing" req:"true"`
	Delivery *CheckoutAddress `json:"delivery" doc:"Left out: the billing address."`
}

func (s checkouts) addresses(tx *db.Tx, in rest.Sent[putCheckoutAddressesRequest]) (Checkout, error) {
	return checkoutOf(s.SaveAddresses(tx, postal(&in.Body.Billing), postal(in.Body.Delivery)))
}

type putCheckoutDeliveryRequest struct {
	ShippingMethodCode    string    `json:"shippingMethodCode" req:"true"`
	PickupPointID         rest.Text `json:"pickupPointId"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
}

func (s checkouts) delivery(tx *db.Tx, in rest.Sent[putCheckoutDeliveryRequest]) (Checkout, error) {
	b := in.Body
	return checkoutOf(s.ChooseDelivery(tx, b.ShippingMethodCode, string(b.PickupPointID),
		day.Date(b.RequestedDeliveryDate)))
}

type putCheckoutPaymentRequest struct {
	PaymentMethodCode string `json:"paymentMethodCode" req:"true"`
}

func (s checkouts) payment(tx *db.Tx, in rest.Sent[putCheckoutPaymentRequest]) (Checkout, error) {
	return checkoutOf(s.ChoosePayment(tx, in.Body.PaymentMethodCode))
}

type applyCodeRequest struct {
	Code string `json:"code" req:"true"`
}

// tryOrderCode counts codes that nobody knows.
func (e Access) tryOrderCode(a *rest.Ahead, in *rest.Sent[applyCodeRequest]) error {
	if err := come(a); err != nil {
		return err
	}
	_, err := e.Guard.Try(a.Context, &throttle.OrderCode, stranger(a, guest(a.Party()).Token),
		func() (known bool, err error) {
			err = a.Read(db.Into(&known,
				func(tx *db.Tx) (bool, error) { return promotion.Exists(tx, promotion.Key(in.Body.Code)) }))
			return known, err
		})
	return err
}

func (s checkouts) apply(tx *db.Tx, in rest.Sent[applyCodeRequest]) (Checkout, error) {
	if err := cart.Apply(tx, in.Body.Code); err != nil {
		return Checkout{}, err
	}
	return checkoutOf(s.Shown(tx))
}

func (s checkouts) takeOff(tx *db.Tx, in rest.Key) (Checkout, error) {
	if err := cart.TakeOff(tx, in.Key); err != nil {
		return Checkout{}, err
	}
	return checkoutOf(s.Shown(tx))
}
