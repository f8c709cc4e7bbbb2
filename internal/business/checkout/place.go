package checkout

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kontor/internal/business/cart"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// Placed is the order that was made of a cart.
type Placed struct {
	OrderID, OrderNumber string
	PaymentID            string  // "" = there was nothing to pay
	Receipt              Receipt `db:",json"`

	cartID, sessionID string
	payment           *Payment // of an order that was placed just now
}

// Receipt is what the buyer of an order agreed to.
type Receipt struct {
	CurrencyCode string              `json:"currencyCode"`
	Digits       int                 `json:"digits"`
	Totals       Totals              `json:"totals"`
	Codes        []promotion.Applied `json:"codes,omitempty"`
	Contact      Contact             `json:"contact"`
	Shipping     string              `json:"shipping"` // method
	ShippingName string              `json:"shippingName"`
	PickupPoint  string              `json:"pickupPoint,omitempty"`
	Requested    day.Date            `json:"requested,omitempty"`
	Payment      string              `json:"payment,omitempty"` // method
	PaymentName  string              `json:"paymentName,omitempty"`
	Instructions string              `json:"instructions,omitempty"`
}

// Totals are the sums of a checkout or an order. All but those that say otherwise are without tax.
type Totals struct {
	Subtotal          dec.Dec `json:"subtotal"`
	DiscountTotal     dec.Dec `json:"discountTotal"`
	Freight           dec.Dec `json:"freight"`
	Fee               dec.Dec `json:"fee"`
	TaxTotal          dec.Dec `json:"taxTotal"`
	Total             dec.Dec `json:"total"`
	TotalIncludingTax dec.Dec `json:"totalIncludingTax"`
	GiftCardTotal     dec.Dec `json:"giftCardTotal"`
	AmountToPay       dec.Dec `json:"amountToPay"`
	SubtotalTax       dec.Dec `json:"subtotalTax,omitzero"`
	DiscountTax       dec.Dec `json:"discountTax,omitzero"`
	FreightTax        dec.Dec `json:"freightTax,omitzero"`
	FeeTax            dec.Dec `json:"feeTax,omitzero"`
}

// Totals are the sums of the checkout.
func (c *Checkout) Totals() Totals {
	return Totals{Subtotal: c.Cart.Subtotal, DiscountTotal: c.Cart.DiscountTotal, Freight: c.Cart.FreightNet,
		Fee: c.Fee.Net, TaxTotal: c.TaxTotal(), Total: c.Total(), TotalIncludingTax: c.Total().Add(c.TaxTotal()),
		GiftCardTotal: c.Cart.GiftCardTotal, AmountToPay: c.Amount(), SubtotalTax: c.Cart.SubtotalTax,
		DiscountTax: c.Cart.DiscountTax, FeeTax: c.Fee.Tax, FreightTax: c.freightTax()}
}

func (c *Checkout) freightTax() dec.Dec {
	if c.Cart.Freight == nil {
		return 0
	}
	return c.Cart.Freight.Tax
}

// Place makes the order of this visit's cart. Asked again it answers the same order, also when a callback placed it
// meanwhile.
// paymentID names the payment that the buyer believes in; "" is the one under way.
//
// Refusals: Cart.Empty, Checkout.Incomplete, Checkout.PaymentRequired, Checkout.PriceChanged,
// Inventory.InsufficientStock, Permission.Denied, Customer.Inactive, Store.TermsMissing, Customer.CreditLimitExceeded.
func (t *Payments) Place(tx *db.Tx, paymentID string) (*Placed, error) {
	return t.place(tx, storefront.Of(tx), paymentID)
}

func (t *Payments) place(tx *db.Tx, v *storefront.Visit, paymentID string) (*Placed, error) {
	if err := holdBuyer(tx, v); err != nil {
		return nil, err
	}
	c, err := t.look(tx, v, cart.ReadForOrder)
	if err != nil {
		return nil, err
	}
	if done, err := t.already(tx, v, c, paymentID); done != nil || err != nil {
		return done, err
	}
	if err := mayOrder(v); err != nil {
		return nil, err
	}
	if err := c.incomplete(); err != nil {
		return nil, err
	}
	p, err := t.paid(tx, v, c, paymentID)
	if err == nil && (p == nil || p.isNew) { // else it was asked before the buyer paid
		err = isOpen(tx, v)
	}
	if err != nil {
		return nil, err
	}
	customer, err := customerOf(tx, v, c)
	if err != nil {
		return nil, err
	}
	o, err := t.order(tx, v, c, p, &customer)
	if err != nil {
		return nil, err
	}
	placed := &Placed{OrderID: o.ID, OrderNumber: o.Number, Receipt: receipt(c)}
	if p != nil {
		placed.PaymentID, placed.payment = p.ID, p
		p.OrderID, p.OrderNumber = o.ID, o.Number
		if err := t.ordered(tx, p); err != nil {
			return nil, err
		}
	}
	return placed, t.finish(tx, v, c, &o, placed)
}

// mayOrder refuses who may only look: before he pays, too. Permission.Denied.
func mayOrder(v *storefront.Visit) error {
	if v.SignedIn() && v.Contact.Role == storefront.ReadOnly {
		return identity.ErrDenied.Because("your account may look, but not order: ask an administrator of %s",
			v.Customer.Name)
	}
	return nil
}

// isOpen refuses orders to a store that nobody can agree with: real buyers accept its terms, so it needs some. A test
// company sells to nobody. Store.TermsMissing.
func isOpen(tx *db.Tx, v *storefront.Visit) error {
	if tx.Info.Environment != string(identity.Production) || v.Channel.Store.Terms.IsThere() {
		return nil
	}
	return ErrNoTerms.Because(
		"the store %s has no terms of sale that a buyer could accept, so it takes no orders yet: whoever runs it writes them in the store's settings",
		v.Channel.Name)
}

// finish takes what codes grant, notes the order, lets the buyer know, and ends the cart.
func (t *Payments) finish(tx *db.Tx, v *storefront.Visit, c *Checkout, o *sales.Order, placed *Placed) error {
	err := promotion.Redeem(tx, promotion.Redemption{OrderID: o.ID, OrderNumber: o.Number, CustomerID: o.CustomerID,
		Email: c.Contact.Email, CurrencyCode: o.CurrencyCode, Applied: c.Cart.Codes})
	if err != nil {
		return err
	}
	err = tx.Later(func() error {
		if err := writePlaced(tx, c.CartID, v.Session.ID, placed); err != nil {
			return err
		}
		if err := tx.Delete(db.Args{"cart_id": c.CartID}, "checkout"); err != nil {
			return err
		}
		return c.Cart.Close(tx)
	})
	if err != nil {
		return err
	}
	// The invoices that an order has as soon as it is placed, for what is no goods is delivered then: when they were
	// booked, nobody could know yet what the order is paid with.
	if err := each.Do(o.InvoiceNumbers, func(n string) error { return t.payFor(tx, o, n) }); err != nil {
		return err
	}
	if c.asksColleague {
		if err := portal.HoldForApproval(tx, v, o); err != nil {
			return err
		}
	}
	return mailOrder(tx, v, c, o)
}

// already is the order that this was asked for before: the one of the payment that is named, else, where nothing lies
// in the cart, the session's latest.
func (t *Payments) already(tx *db.Tx, v *storefront.Visit, c *Checkout, paymentID string) (*Placed, error) {
	if paymentID != "" {
		p, err := readPayment(tx, paymentID)
		switch {
		case err != nil:
			return nil, err
		case p == nil || p.SessionID != v.Session.ID:
			return nil, ErrSessionNotFound.At("checkoutSessionId", "there is no checkout session %q of this visitor",
				paymentID)
		case p.OrderID != "":
			return placedFor(tx, p.CartID)
		}
	}
	if !c.Cart.IsEmpty() {
		return nil, nil
	}
	if len(c.Cart.Lines) == 0 {
		if p, err := lastPlaced(tx, v.Session.ID); p != nil || err != nil {
			return p, err
		}
	}
	return nil, cart.ErrEmpty.Because("nothing lies in the cart that could be ordered")
}

// paid is the payment of the order, locked; nil where nothing is to be paid.
func (t *Payments) paid(tx *db.Tx, v *storefront.Visit, c *Checkout, paymentID string) (*Payment, error) {
	p, err := paymentOf(tx, c.CartID)
	switch {
	case err != nil:
		return nil, err
	case c.Amount() == 0 && (p == nil || p.Amount == 0):
		return nil, c.unlessMoved()
	case paymentID == "" && t.isOurs(c) && (p == nil || t.isSettledByUs(p.Provider)):
		return t.agreed(tx, v, c, p)
	case p == nil:
		return nil, ErrPaymentRequired.Because("start the payment with POST /ecom/checkout/sessions first")
	}
	good, err := t.isGood(p)
	switch {
	case err != nil:
		return nil, err
	case paymentID != "" && paymentID != p.ID:
		return nil, ErrPriceChanged.Because("another checkout session has taken the place of this one: go on with %s",
			p.ID)
	case c.Method == nil || !p.isFor(c):
		return nil,
			ErrPriceChanged.Because(
				"what the order costs is no longer what the payment is over (%s %s): start the payment anew with POST /ecom/checkout/sessions",
				p.Amount.Fixed(p.Digits), p.Currency).
				With("amountToPay", c.Amount().Fixed(c.Cart.Digits))
	case !good:
		return nil,
			ErrPaymentRequired.Because(
				"the payment is %s: let the buyer pay, or start another with POST /ecom/checkout/sessions", p.Status)
	}
	return p, nil
}

// isGood reports whether an order may be placed on a payment: it is made, or its provider lets goods go before it is.
func (t *Payments) isGood(p *Payment) (bool, error) {
	if p.Status.IsGood() {
		return true, nil
	}
	provider, err := t.Providers().Of(p.Provider)
	return err == nil && p.Status == payment.Pending && p.Ref != "" && provider.Describe().PlacesUnpaid, err
}

// agreed is the payment of an order that nobody outside is to know of (in advance, on invoice), which therefore needs
// no session: the one that was started for it, or a new one, written down with the order. No provider is told an amount
// that could be compared: what the buyer last saw is what was agreed to.
func (t *Payments) agreed(tx *db.Tx, v *storefront.Visit, c *Checkout, now *Payment) (*Payment, error) {
	if now != nil && now.isFor(c) && now.isLive(tx.Now) {
		if isGood, err := t.isGood(now); err != nil {
			return nil, err
		} else if isGood { // it told an amount: what was shown after it may be another
			return now, c.unlessIs(c.Cart.AmountMoved())
		}
	}
	if err := c.unlessMoved(); err != nil {
		return nil, err
	}
	if now != nil {
		if err := drop(tx, now, "the cart was changed"); err != nil {
			return nil, err
		}
	}
	provider, err := t.Providers().Of(c.Method.Provider)
	if err != nil {
		return nil, err
	}
	p, err := t.newPayment(tx, v, c, Wish{})
	if err != nil {
		return nil, err
	}
	started, err := provider.Start(tx.Context(), c.account, p.Intent)
	if err != nil {
		return nil, err
	}
	p.begin(started)
	p.isNew = true
	return p, nil
}

// isOurs reports whether the payment that was chosen is settled by us.
func (t *Payments) isOurs(c *Checkout) bool {
	return c.Method != nil && t.isSettledByUs(c.Method.Provider)
}

// isSettledByUs reports whether a provider's payments are settled by us: nobody is told an amount, and nobody asked. So
// is what gift cards pay, which has no provider.
func (t *Payments) isSettledByUs(provider string) bool {
	if provider == "" {
		return true
	}
	p, err := t.Providers().Of(provider)
	return err == nil && p.Describe().IsSettledByUs
}

var errMoved = errors.New("checkout: the cart comes to something else than was shown")

// unlessMoved refuses an order that comes to something else than the buyer was shown.
func (c *Checkout) unlessMoved() error { return c.unlessIs(c.Cart.Moved()) }

// unlessIs refuses an order whose cart has moved, or the fee of its way to pay.
func (c *Checkout) unlessIs(moved bool) error {
	hasFeeMoved := c.Method != nil && c.SeenFee != nil && *c.SeenFee != c.Fee.IncludingTax
	if !moved && !hasFeeMoved {
		return nil
	}
	return ErrPriceChanged.Because(
		"what the order costs has changed since the cart was last shown: show it again, and place the order if the buyer agrees").
		With("amountToPay", c.Amount().Fixed(c.Cart.Digits)).From(errMoved)
}

// ordered notes on a payment that its order exists, and lets its provider know.
func (t *Payments) ordered(tx *db.Tx, p *Payment) error {
	write := writePayment
	if p.isNew {
		write = insertPayment
	}
	err := tx.Later(func() error { return write(tx, p) })
	if err != nil || p.Amount == 0 || t.isSettledByUs(p.Provider) {
		return err
	}
	_, err = jobs.Add(tx, Announcing, p.OrderNumber, about{p.ID}, jobs.Options{Key: p.ID})
	return err
}

// holdBuyer keeps the customer who is signed in, and what he owes, until the end of the transaction: nobody deletes
// him, and others of his wait. Auth.ExpiredCredential.
func holdBuyer(tx *db.Tx, v *storefront.Visit) error {
	if !v.SignedIn() {
		return nil
	}
	found, err := party.ReferMany(tx, []string{v.Customer.Number})
	if err == nil && len(found) == 0 {
		err = storefront.ErrSessionOver.Because(
			"the customer who signed in was deleted meanwhile: open another session with GET /ecom/session")
	}
	if err != nil {
		return err
	}
	return party.LockCredit(tx, v.Customer.ID)
}

// customerOf is the customer who orders. A guest gets a customer record by the e-mail address, which is used again for
// the same address; a record that was made otherwise is never a guest's, since anybody may write any address.
func customerOf(tx *db.Tx, v *storefront.Visit, c *Checkout) (made party.Customer, err error) {
	if v.SignedIn() {
		return party.Find(tx, v.Customer.Number)
	}
	number, err := lockGuest(tx, c.Contact.Email)
	if err != nil {
		return made, err
	}
	if number != "" {
		known, err := party.ReferMany(tx, []string{number})
		if found, ok := known[record.Fold(number)]; ok || err != nil {
			return found, err
		}
	}
	b := c.Billing
	made, err = party.Create(tx, party.Customer{Name: cmp.Or(c.Contact.CompanyName, b.Name, c.Contact.Name()),
		OrganizationNumber: c.Contact.OrganizationNumber, VATNumber: c.Contact.VATNumber, IsActive: true,
		InvoiceEmail: c.Contact.Email, Phone: cmp.Or(c.Contact.Phone, b.Phone), Street1: b.Street1, Street2: b.Street2,
		PostalCode: b.PostalCode, City: b.City, CountryCode: b.CountryCode, CurrencyCode: c.Cart.CurrencyCode})
	if err != nil {
		return made, err
	}
	return made, writeGuest(tx, c.Contact.Email, made.Number)
}

// isServed refuses whom the company has put on hold: before he pays, too. Customer.Inactive.
func isServed(tx *db.Tx, v *storefront.Visit, c *Checkout) error {
	number := v.Customer.Number
	if !v.SignedIn() {
		var err error
		if number, err = guestNumber(tx, c.Contact.Email); err != nil || number == "" {
			return err
		}
	}
	known, err := party.FindMany(tx, []string{number})
	if customer, ok := known[record.Fold(number)]; ok && !customer.IsActive {
		return party.ErrInactive.Because(
			"customer %s is inactive and cannot be placed on new orders; activate it first", number)
	}
	return err
}

// order places the sales order.
func (t *Payments) order(tx *db.Tx, v *storefront.Visit, c *Checkout, p *Payment,
	customer *party.Customer) (sales.Order, error) {
	owner := "" // nothing is held for what is new
	if p != nil && !p.isNew {
		owner = p.ID
	}
	claims, err := claimsOf(tx, v, c, owner)
	if err != nil {
		return sales.Order{}, err
	}
	if err := stock.Unhold(tx, owner, claims); err != nil {
		return sales.Order{}, err
	}
	c.asksColleague, err = portal.NeedsApproval(tx, v, c.Total().Add(c.TaxTotal()), c.Cart.CurrencyCode)
	if err != nil {
		return sales.Order{}, err
	}
	placing := sales.Placing{CustomerNumber: customer.Number, Known: customer, CurrencyCode: c.Cart.CurrencyCode,
		ChannelCode: v.Channel.Code, ChannelName: v.Channel.Name, Language: v.Language, Lines: orderLines(c, claims),
		Unreleased: p != nil && !p.Status.IsGood() || c.asksColleague, Head: sales.Head{
			CustomerReference: c.Cart.Reference, Notes: c.Cart.Note, OrderTypeCode: v.Channel.OrderTypeCode,
			WarehouseCode: v.Channel.WarehouseCode, RequestedDeliveryDate: cmp.Or(c.RequestedDate,
				c.Cart.RequestedDeliveryDate),
			ShippingMethodCode: c.Cart.Freight.Code, DeliveryAddress: c.named(c.To()),
			InvoiceAddress: c.named(c.Billing)}}
	if c.Method != nil {
		placing.PaymentTermCode = c.Method.PaymentTermCode
	}
	if c.PickupPoint != "" {
		placing.InternalNotes = "Pick-up point: " + c.PickupPoint
	}
	o, err := sales.Place(tx, placing, stock.AllOrNothing)
	if err != nil {
		return o, short(v, c, err)
	}
	if want := c.Total().Add(c.TaxTotal()); o.TotalIncludingTax() != want {
		return o, fmt.Errorf("checkout: the order comes to %s, the cart to %s", o.TotalIncludingTax(), want)
	}
	return o, nil
}

// named is an address with the buyer's mail and telephone where it has none of its own.
func (c *Checkout) named(a party.Postal) party.Postal {
	a.Name = cmp.Or(a.Name, c.Contact.CompanyName, c.Contact.Name())
	a.Email, a.Phone = cmp.Or(a.Email, c.Contact.Email), cmp.Or(a.Phone, c.Contact.Phone)
	return a
}

// orderLines are the lines of the order: the goods at the prices that the buyer saw, then freight and fee.
func orderLines(c *Checkout, claims []stock.Claim) (out []sales.NewLine) {
	for i := range c.Cart.Lines {
		l := c.Cart.Lines[i]
		if !l.IsSellable {
			continue
		}
		n := sales.NewLine{Item: l.Item.Number, Known: l.Item, Description: l.Article.Name, Quantity: l.Quantity,
			Unit: l.Unit, UnitPrice: &l.UnitPrice, IsPriceIncludingTax: l.IsPriceIncludingTax,
			PriceListCode: l.PriceListCode, DiscountPercent: &l.DiscountPercent, TaxCode: l.TaxCode,
			ConfigurationNumber: l.ConfigurationNumber, ExternalLineID: l.ID, MayWait: l.Article.AllowBackorder}
		if l.Discount > 0 { // what a code takes off is an amount
			off := sales.Amount(l.Quantity, l.UnitPrice, 0, c.Cart.Digits).Sub(l.Gross).Add(l.Discount)
			n.DiscountAmount = &off
		}
		if l.TakesStock() {
			n.WarehouseCode, claims = claims[0].Warehouse, claims[1:]
		}
		out = append(out, n)
	}
	if f := c.Cart.Freight; f.Price > 0 {
		out = append(out, sales.NewLine{Description: f.Name, Quantity: dec.One, UnitPrice: &f.Price,
			IsPriceIncludingTax: f.IsPriceIncludingTax, TaxCode: f.TaxCode})
	}
	if c.Fee.Price > 0 {
		out = append(out, sales.NewLine{Description: c.Method.Name, Quantity: dec.One, UnitPrice: &c.Fee.Price,
			IsPriceIncludingTax: c.Fee.IncludesTax, TaxCode: c.Fee.TaxCode})
	}
	return out
}

func receipt(c *Checkout) Receipt {
	r := Receipt{CurrencyCode: c.Cart.CurrencyCode, Digits: c.Cart.Digits, Totals: c.Totals(), Contact: c.Contact,
		Shipping: c.Cart.Freight.Code, ShippingName: c.Cart.Freight.Name, PickupPoint: c.PickupPoint,
		Requested: cmp.Or(c.RequestedDate, c.Cart.RequestedDeliveryDate),
		Codes: slices.DeleteFunc(slices.Clone(c.Cart.Codes),
			func(a promotion.Applied) bool { return a.Problem != nil })}
	if c.Method != nil {
		r.Payment, r.PaymentName, r.Instructions = c.Method.Code, c.Method.Name, c.Method.Instructions
	}
	return r
}

// FindPlaced is an order that this visitor has placed. SalesOrder.NotFound.
func FindPlaced(tx *db.Tx, orderNumber string) (*Placed, error) {
	p, err := placedAs(tx, storefront.Of(tx).Session.ID, orderNumber)
	return p, ErrOrderNotFound.When(p == nil, err, "this visitor has placed no order %q", orderNumber)
}

// PaymentStatus is how the order's payment stands.
func (p *Placed) PaymentStatus(tx *db.Tx) (payment.Status, error) {
	if p.PaymentID == "" {
		return payment.Captured, nil
	}
	now := p.payment
	if now == nil {
		var err error
		if now, err = readPayment(tx, p.PaymentID); err != nil || now == nil {
			return payment.Pending, err
		}
	}
	return now.Status, nil
}
