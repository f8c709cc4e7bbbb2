package checkout

import (
	"context"

	"kontor/internal/business/cart"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// KlarnaProvider is the provider that older storefronts call by its own name (/ecom/kco).
const KlarnaProvider = "Klarna"

// ErrRefused is the answer to a provider that asks whether an order can still be placed, where it cannot.
var ErrRefused = fault.New(fault.Invalid, "Payment.ValidationRefused")

func (t *Payments) checkURL(company, provider, method string) string {
	if t.CheckURL == nil {
		return ""
	}
	return t.CheckURL(company, provider, method)
}

// StartKlarna is Start with the company's account at Klarna: by the code of a payment method, or with "" by the one
// that was chosen or else the first that the visitor is offered. Further refusal: Checkout.NotOffered where there is
// none.
func (t *Payments) StartKlarna(ctx context.Context, g Transactor, w Wish) (Opening, error) {
	var method string
	err := g.Read(func(tx *db.Tx) error {
		c, err := t.Of(tx)
		if err != nil {
			return err
		}
		offers, err := t.PaymentMethods(tx, c)
		if err != nil {
			return err
		}
		wanted := w.Method
		if wanted == "" && c.Method != nil && c.Method.Provider == KlarnaProvider {
			wanted = c.Method.Code
		}
		for _, o := range offers {
			if o.Method.Provider == KlarnaProvider &&
				(wanted == "" || record.Fold(o.Method.Code) == record.Fold(wanted)) {
				method = o.Method.Code
				return nil
			}
		}
		return ErrNotOffered.At("method",
			"the store offers no payment through Klarna by this method: set one up, with the provider Klarna")
	})
	if err != nil {
		return Opening{}, err
	}
	w.Method = method
	return t.Start(ctx, g, w)
}

// CurrentKlarna is the visitor's latest payment through Klarna. CheckoutSession.NotFound.
func CurrentKlarna(tx *db.Tx) (*Payment, error) {
	p, err := latestOf(tx, storefront.Of(tx).Session.ID, KlarnaProvider)
	return p, ErrSessionNotFound.When(p == nil, err, "this visitor has no checkout with Klarna: start one")
}

// KlarnaMethod is the code of the company's payment method that a callback without one is about: the only one of
// Klarna.
// PaymentMethod.NotFound.
func KlarnaMethod(tx *db.Tx, code string) (string, error) {
	if code != "" {
		m, err := FindMethod(tx, code)
		return m.Code, err
	}
	all, err := allMethods(tx)
	if err != nil {
		return "", err
	}
	for _, m := range all {
		if m.Provider != KlarnaProvider {
			continue
		}
		if code != "" {
			return "",
				ErrMethodNotFound.Because(
					"the company has several payment methods of Klarna: name one, as the address that Klarna was given does")
		}
		code = m.Code
	}
	if code == "" {
		return "", ErrMethodNotFound.Because("the company has no payment method of Klarna")
	}
	return code, nil
}

// Validate answers a provider that asks whether the order of a payment can still be placed: the payment is under way
// and in its time, for the same amount, and the cart is what it was. It changes nothing and says nothing but yes or no.
// Refusals:
// Payment.ValidationRefused, PaymentMethod.NotFound.
func (t *Payments) Validate(tx *db.Tx, method, ref string, amount int64, currency string) error {
	p, err := paymentByRef(tx, method, ref)
	if err != nil {
		return err
	}
	if p == nil || p.IsDropped || p.OrderID != "" || p.Status != payment.Pending || p.ExpiresAt <= tx.Now {
		return refused("this order is no longer under way: go back to the store")
	}
	if minor, err := payment.Minor(p.Amount, p.Digits); err != nil || minor != amount ||
		record.Fold(currency) != record.Fold(p.Currency) {
		return refused("the amount is not that of the cart: go back to the store")
	}
	v, err := storefront.Recall(tx, p.SessionID)
	if err != nil {
		return err
	}
	if v == nil {
		return refused("the visit has ended: go back to the store")
	}
	c, err := t.look(tx, v, cart.Read)
	if err != nil {
		return err
	}
	if c.Method == nil || len(c.Missing) > 0 || !p.isFor(c) {
		return refused("the cart was changed: go back to the store")
	}
	return nil
}

// refused says no in Klarna's words: an answer of 400 with a type and a text that the buyer reads.
func refused(why string) error {
	return ErrRefused.Because("%s", why).With("error_type", "approval_failed").With("error_text", why)
}
