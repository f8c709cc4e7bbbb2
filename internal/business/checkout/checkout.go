// Package checkout makes one order of one cart: what the buyer says on the way, how it is paid, and the order itself,
// from however many processes and callbacks it is asked for.
//
// The order, its reservation, what its codes grant, the link to its payment and the mail that confirms it are one
// transaction under the lock of the cart. A payment is started in three steps, so that nothing is open while a provider
// is asked:
// the intent is kept and the goods are held, the provider is called, its answer is kept. Whatever breaks off in between
// is picked up by the job that looks after the payment when its time is over. Money that arrives for an order that can
// no longer be placed goes back by a job that everybody can see.
//
// Locks are taken in this order: cart, codes, payment, guest, orders, holds, stock levels, number series.
package checkout

import (
	"cmp"
	"strings"

	"kontor/internal/business/cart"
	"kontor/internal/business/freight"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// What this room refuses.
var (
	ErrIncomplete      = fault.New(fault.Conflict, "Checkout.Incomplete")
	ErrPaymentRequired = fault.New(fault.Conflict, "Checkout.PaymentRequired")
	ErrPriceChanged    = fault.New(fault.Conflict, "Checkout.PriceChanged")
	ErrTerms           = fault.New(fault.Invalid, "Checkout.TermsNotAccepted")
	ErrNoTerms         = fault.New(fault.Conflict, "Store.TermsMissing")
	ErrInvalid         = fault.New(fault.Invalid, "Checkout.Invalid")
	ErrSurplus         = fault.New(fault.Conflict, "Payment.AmountExceedsMissing")
	ErrCreditLimit     = fault.New(fault.Conflict, "Customer.CreditLimitExceeded")
	ErrNotOffered      = fault.New(fault.Invalid, "Checkout.NotOffered")
	ErrSessionNotFound = fault.New(fault.NotFound, "CheckoutSession.NotFound")
	ErrOrderNotFound   = fault.New(fault.NotFound, "SalesOrder.NotFound")

	ErrMethodNotFound = fault.New(fault.NotFound, "PaymentMethod.NotFound")
	ErrMethodInvalid  = fault.New(fault.Invalid, "PaymentMethod.Invalid")
	ErrMethodUnknown  = fault.New(fault.Invalid, "PaymentMethod.UnknownCode")
)

// Payments is where payments are taken: the providers, and how they reach this house.
type Payments struct {
	Providers func() payment.Providers
	// CallbackURL is where a provider reports on payments by a method.
	CallbackURL func(company, provider, method string) string
	// CheckURL is where a provider asks, before the buyer may pay, whether the order can still be placed; "" where it
	// does not ask.
	CheckURL func(company, provider, method string) string
}

// Contact is who buys.
type Contact struct {
	Email              string `json:"email"`
	FirstName          string `json:"firstName"`
	LastName           string `json:"lastName"`
	Phone              string `json:"phone,omitempty"`
	CompanyName        string `json:"companyName,omitempty"`
	OrganizationNumber string `json:"organizationNumber,omitempty"`
	VATNumber          string `json:"vatNumber,omitempty"`
}

// Name is the buyer's own.
func (c Contact) Name() string { return strings.TrimSpace(c.FirstName + " " + c.LastName) }

// Steps is what the buyer has said.
type Steps struct {
	CartID        string
	Contact       Contact `db:",json"`
	Billing       party.Postal
	Delivery      party.Postal // zero: as Billing
	Shipping      string       `db:"method"` // method
	PickupPoint   string
	RequestedDate day.Date
	PaymentMethod string
	SeenFee       *dec.Dec // what the method cost when that was last shown; nil = not known
}

// To is where the goods go.
func (s Steps) To() party.Postal {
	if s.Delivery.IsZero() {
		return s.Billing
	}
	return s.Delivery
}

// delivery is what prices depend on.
func (s Steps) delivery() cart.Delivery {
	to := s.To()
	return cart.Delivery{CountryCode: to.CountryCode, PostalCode: to.PostalCode, Method: s.Shipping,
		Email: s.Contact.Email}
}

// Step is a part of the checkout.
type Step string

// The steps. SignIn is missing where a store sells to those only whom it knows.
const (
	SignIn        Step = "signIn"
	ContactStep   Step = "contact"
	AddressesStep Step = "addresses"
	DeliveryStep  Step = "delivery"
	PaymentStep   Step = "payment"
)

// Values are all steps, in their usual order.
func (Step) Values() []Step {
	return []Step{SignIn, ContactStep, AddressesStep, DeliveryStep, PaymentStep}
}

// Checkout is the way to the order as it stands.
type Checkout struct {
	Steps
	Cart    *cart.Cart
	Way     *freight.Method // of delivery, also of an empty cart, whose freight counts nowhere; nil as with Method
	Method  *Method         // of payment; nil = none chosen, or no longer offered
	Fee     Fee             // of the payment method; none where nothing is to be paid
	Missing []Step

	account       payment.Account
	credit        payment.Credit
	tooDear       error // why the method that was chosen is not offered: the limit
	asksColleague bool  // its order waits for a colleague to agree; known once the order is placed
}

// Amount is what is to be paid through a provider.
func (c *Checkout) Amount() dec.Dec { return c.Cart.AmountToPay.Add(c.Fee.IncludingTax) }

// isPaid reports whether gift cards pay for everything.
func (c *Checkout) isPaid() bool { return c.Cart.AmountToPay == 0 && !c.Cart.IsEmpty() }

// Total is the order without tax.
func (c *Checkout) Total() dec.Dec { return c.Cart.Total.Add(c.Fee.Net) }

// TaxTotal is the tax of the order.
func (c *Checkout) TaxTotal() dec.Dec { return c.Cart.TaxTotal.Add(c.Fee.Tax) }

// print is another as soon as what the buyer agrees to is another.
func (c *Checkout) print() string {
	return c.Cart.Fingerprint() + "|" + c.Fee.IncludingTax.String()
}

// incomplete is the refusal that names what is missing, or says that no order may come to so much: carts that were
// joined, or another address's tax, bring what nobody has put in at once.
func (c *Checkout) incomplete() error {
	if len(c.Missing) == 0 {
		var wrong fault.List
		limit.Total.Of(&wrong, "lines", func() dec.Dec { return c.Total().Add(c.TaxTotal()) })
		return wrong.Err()
	}
	if len(c.Missing) == 1 && c.tooDear != nil {
		return c.tooDear
	}
	names := each.Of(c.Missing, func(s Step) string { return string(s) })
	return ErrIncomplete.Because("the checkout lacks: %s", strings.Join(names, ", ")).With("missing", names)
}

// Of is the checkout of this transaction's visit.
func (t *Payments) Of(tx *db.Tx) (*Checkout, error) { return t.look(tx, storefront.Of(tx), cart.Read) }

// Shown is Of where the buyer is shown it, whole, after something was done to the cart: that is noted with it.
func (t *Payments) Shown(tx *db.Tx) (*Checkout, error) {
	c, err := t.Of(tx)
	if err != nil {
		return nil, err
	}
	return c, c.note(tx)
}

// Show is Of where the buyer is shown it, whole, and that leaves something to be noted.
func (t *Payments) Show(tx *db.Tx) (*Checkout, error) {
	c, err := t.lay(tx, func(*Steps) error { return nil }, nil)
	if err != nil {
		return nil, err
	}
	return c, c.note(tx)
}

// HasNews reports whether showing the checkout leaves something to be noted: it comes to something else than was shown.
func (c *Checkout) HasNews() bool {
	return !c.Cart.IsAmountSeen() || c.Method != nil && (c.SeenFee == nil || *c.SeenFee != c.Fee.IncludingTax)
}

type reading func(tx *db.Tx, v *storefront.Visit) (*cart.Cart, error)

// look reads what the buyer has said, and prices the cart by it.
func (t *Payments) look(tx *db.Tx, v *storefront.Visit, read reading) (*Checkout, error) {
	c := &Checkout{}
	var err error
	if c.Cart, err = read(tx, v); err != nil {
		return nil, err
	}
	if c.Steps, err = stepsOf(tx, v, c.Cart); err != nil {
		return nil, err
	}
	return c, t.weigh(tx, v, c)
}

// weigh prices the cart by what the buyer has said.
func (t *Payments) weigh(tx *db.Tx, v *storefront.Visit, c *Checkout) error {
	if err := c.Cart.Price(tx, v, c.delivery()); err != nil {
		return err
	}
	if c.Way = c.Cart.Freight; c.Way == nil && c.Shipping != "" && c.Cart.IsEmpty() {
		way, ok, err := freight.Find(tx, c.Cart.Shipping(v, c.delivery()), c.Shipping)
		if err != nil {
			return err
		}
		if ok {
			c.Way = &way
		}
	}
	if err := t.choose(tx, v, c); err != nil {
		return err
	}
	c.Missing = missing(v, c)
	return nil
}

// choose finds the payment method that was chosen, and what it costs.
func (t *Payments) choose(tx *db.Tx, v *storefront.Visit, c *Checkout) error {
	if c.Steps.PaymentMethod == "" || c.isPaid() {
		return nil
	}
	offers, credit, err := t.offers(tx, v, c.Cart.CurrencyCode, c.Billing.CountryCode)
	if err != nil {
		return err
	}
	for i := range offers {
		if m := &offers[i]; record.Fold(m.Code) == record.Fold(c.Steps.PaymentMethod) {
			c.Method, c.account, c.credit = m, m.Account(tx), credit
			if c.Cart.AmountToPay == 0 {
				return nil
			}
			if c.Fee, err = m.fee(tx, c.Cart.CurrencyCode, cmp.Or(c.To().CountryCode, v.Country)); err != nil {
				return err
			}
			if !t.isCredit(m) {
				return nil
			}
			if c.tooDear = beyond(credit, c.Amount(), c.Cart.CurrencyCode, c.Cart.Digits); c.tooDear != nil {
				c.Method, c.Fee = nil, Fee{}
			}
		}
	}
	return nil
}

// missing are the steps without which no order can be placed.
func missing(v *storefront.Visit, c *Checkout) []Step {
	out := []Step{}
	add := func(lacks bool, s Step) {
		if lacks {
			out = append(out, s)
		}
	}
	add(!v.SignedIn() && !v.Channel.Store.Offers().GuestCheckout, SignIn)
	add(c.Contact.Email == "" || c.Contact.Name() == "", ContactStep)
	add(c.Billing.Street1 == "" || c.Billing.City == "" || c.Billing.CountryCode == "", AddressesStep)
	add(c.Way == nil, DeliveryStep)
	add(c.Method == nil && !c.isPaid(), PaymentStep)
	return out
}

// DeliveryMethods are the ways the cart can be delivered.
func (c *Checkout) DeliveryMethods(tx *db.Tx) ([]freight.Method, error) {
	return freight.Methods(tx, c.Cart.Shipping(storefront.Of(tx), c.delivery()))
}

// PaymentOffer is a way to pay with what it costs.
type PaymentOffer struct {
	Method
	Fee Fee
}

// PaymentMethods are the ways the visitor may pay.
func (t *Payments) PaymentMethods(tx *db.Tx, c *Checkout) ([]PaymentOffer, error) {
	v := storefront.Of(tx)
	methods, credit, err := t.offers(tx, v, c.Cart.CurrencyCode, c.Billing.CountryCode)
	if err != nil {
		return nil, err
	}
	out := make([]PaymentOffer, 0, len(methods))
	for i := range methods {
		fee, err := methods[i].fee(tx, c.Cart.CurrencyCode, cmp.Or(c.To().CountryCode, v.Country))
		if err != nil {
			return nil, err
		}
		if t.isCredit(&methods[i]) && beyond(credit, c.Cart.AmountToPay.Add(fee.IncludingTax), c.Cart.CurrencyCode,
			c.Cart.Digits) != nil {
			continue
		}
		out = append(out, PaymentOffer{methods[i], fee})
	}
	return out, nil
}

// stepsOf are the steps of a visit's cart, filled up from what is known of who is signed in.
func stepsOf(tx *db.Tx, v *storefront.Visit, kept *cart.Cart) (Steps, error) {
	s, err := stepsKept(tx, kept)
	if err != nil || !v.SignedIn() {
		return s, err
	}
	if s.Contact.Email == "" {
		first, last, _ := strings.Cut(v.Contact.Name, " ")
		s.Contact = Contact{Email: v.Contact.Email, FirstName: first, LastName: last}
	}
	if !s.Billing.IsZero() {
		return s, nil
	}
	customer, err := party.Find(tx, v.Customer.Number)
	if err != nil {
		return s, err
	}
	s.Billing = customer.Postal().Mailable()
	if s.Delivery.IsZero() {
		own, err := party.DefaultAddress(tx, v.Customer.ID)
		if err != nil {
			return s, err
		}
		if own != nil {
			s.Delivery = own.Mailable()
		}
	}
	return s, nil
}

// TellCart says where a cart goes. It handles cart.DeliveryWanted.
func TellCart(tx *db.Tx, e cart.DeliveryWanted) error {
	v, ok := tx.Admitted.(*storefront.Visit)
	if !ok {
		return nil
	}
	s, err := stepsOf(tx, v, e.Cart)
	if err == nil {
		*e.Delivery = s.delivery()
	}
	return err
}

// change writes a step of the visit's checkout and shows the whole, which the step may look at before it is written.
func (t *Payments) change(tx *db.Tx, edit func(*Steps) error, look func(*Checkout) error) (*Checkout, error) {
	c, err := t.lay(tx, edit, look)
	if err == nil {
		err = c.saw(tx)
	}
	if err != nil {
		return nil, err
	}
	return c, writeSteps(tx, c)
}

// saw notes that the buyer is shown what the cart comes to, and its way to pay.
func (c *Checkout) saw(tx *db.Tx) error {
	fee := c.Fee.IncludingTax
	c.SeenFee = &fee
	return c.Cart.Saw(tx)
}

// note is saw where the steps are not written in any case.
func (c *Checkout) note(tx *db.Tx) error {
	before := c.SeenFee
	if err := c.saw(tx); err != nil || before != nil && *before == *c.SeenFee {
		return err
	}
	return writeSteps(tx, c)
}

// tell notes that the buyer is told what is to be paid in money. What gift cards pay beside it is not shown by that.
func (c *Checkout) tell(tx *db.Tx) error {
	if c.Cart.GiftCardTotal > 0 {
		return nil
	}
	return c.note(tx)
}

// lay is change before anything of the checkout is shown or written.
func (t *Payments) lay(tx *db.Tx, edit func(*Steps) error, look func(*Checkout) error) (*Checkout, error) {
	v := storefront.Of(tx)
	c := &Checkout{}
	var err error
	if c.Cart, err = cart.ReadLocked(tx, v); err != nil {
		return nil, err
	}
	if c.Steps, err = stepsOf(tx, v, c.Cart); err != nil {
		return nil, err
	}
	if err := edit(&c.Steps); err != nil {
		return nil, err
	}
	if err := t.weigh(tx, v, c); err != nil {
		return nil, err
	}
	if look != nil {
		if err := look(c); err != nil {
			return nil, err
		}
	}
	return c, c.Cart.Enter(tx)
}

// SaveContact keeps who buys. Checkout.Invalid.
func (t *Payments) SaveContact(tx *db.Tx, c Contact) (*Checkout, error) {
	return t.change(tx, func(s *Steps) error {
		if !mail.IsAddress(c.Email) {
			return ErrInvalid.At("email", "%q is no mail address such as name@example.com", c.Email)
		}
		if c.Name() == "" {
			return ErrInvalid.At("lastName", "a name is needed")
		}
		s.Contact = c
		return nil
	}, nil)
}

// SaveAddresses keeps who pays, and where the goods go; a zero delivery is the billing address. Checkout.Invalid names
// everything that is wrong, Checkout.NotOffered a country that the store does not deliver to.
func (t *Payments) SaveAddresses(tx *db.Tx, billing, delivery party.Postal) (*Checkout, error) {
	return t.change(tx, func(s *Steps) error {
		var wrong fault.List
		checkAddress(&wrong, "billing", &billing)
		to, path := &billing, "billing"
		if !delivery.IsZero() {
			checkAddress(&wrong, "delivery", &delivery)
			to, path = &delivery, "delivery"
		}
		countries := storefront.Countries(tx, storefront.Of(tx).Channel)
		wrong.If(wrong.Empty() && !among(countries, to.CountryCode), ErrNotOffered, path+".countryCode",
			"the store does not deliver to %s: it delivers to %s", to.CountryCode, strings.Join(countries, ", "))
		s.Billing, s.Delivery = billing, delivery
		return wrong.Err()
	}, nil)
}

func checkAddress(wrong *fault.List, path string, a *party.Postal) {
	a.CountryCode = strings.ToUpper(a.CountryCode)
	if _, ok := reference.Country(a.CountryCode); !ok {
		wrong.Add(ErrInvalid, path+".countryCode", "%q is no country: write its ISO 3166-1 alpha-2 code, such as SE",
			a.CountryCode)
	}
	mail.Check(wrong, ErrInvalid, path+".email", a.Email)
}

// ChooseDelivery keeps how the goods travel. Checkout.NotOffered where the cart cannot be delivered so,
// Checkout.Invalid for a day that is over.
func (t *Payments) ChooseDelivery(tx *db.Tx, method, pickupPoint string, on day.Date) (*Checkout, error) {
	return t.change(tx, func(s *Steps) error {
		if on != "" && on < tx.Today() {
			return ErrInvalid.At("requestedDeliveryDate", "%s is over: ask for today or later", on)
		}
		s.Shipping, s.PickupPoint, s.RequestedDate = method, pickupPoint, on
		return nil
	}, func(c *Checkout) error {
		if c.Way == nil {
			return ErrNotOffered.At("shippingMethodCode",
				"this cart cannot be delivered by %q there; GET /ecom/checkout/data lists how it can", method)
		}
		c.Shipping = c.Way.Code
		return nil
	})
}

// ChoosePayment keeps how the buyer pays. Checkout.NotOffered.
func (t *Payments) ChoosePayment(tx *db.Tx, method string) (*Checkout, error) {
	return t.change(tx, func(s *Steps) error { return t.pick(tx, s, "paymentMethodCode", method) },
		func(c *Checkout) error { return c.tooDear })
}

// payBy is ChoosePayment where nothing of the checkout is shown.
func (t *Payments) payBy(tx *db.Tx, method string) error {
	c, err := t.lay(tx, func(s *Steps) error { return t.pick(tx, s, "method", method) },
		func(c *Checkout) error { return c.tooDear })
	if err != nil {
		return err
	}
	return writeSteps(tx, c)
}

// pick chooses the method that a field of a request names.
func (t *Payments) pick(tx *db.Tx, s *Steps, field, method string) error {
	offers, _, err := t.offers(tx, storefront.Of(tx), "", s.Billing.CountryCode)
	if err != nil {
		return err
	}
	for i := range offers {
		if record.Fold(offers[i].Code) == record.Fold(method) {
			s.PaymentMethod = offers[i].Code
			return nil
		}
	}
	return ErrNotOffered.At(field, "%q is no way to pay here; GET /ecom/checkout/data lists those there are",
		method)
}
