package checkout_test

import (
	"errors"
	"sync"
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/invoice"
	"kontor/internal/front/payment/prepayment"
)

// lends makes a shop sell on invoice, to a customer with 30 days and a limit.
func (s *shop) lends(limit int64) {
	s.Helper()
	s.payments.Providers = func() payment.Providers { return payment.NewProviders(prepayment.New(), invoice.New()) }
	most := dec.Int(limit)
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		if err := reference.SavePaymentTerms(tx, reference.PaymentTerm{Code: "N30", Name: "30 days", Days: 30,
			IsActive: true}); err != nil {
			return err
		}
		if _, err := checkout.Save(tx, s.payments.Providers(), checkout.Method{Code: "INV", Name: "Invoice",
			Provider: "Invoice", IsActive: true}); err != nil {
			return err
		}
		_, err := party.Create(tx, party.Customer{Number: "C1", Name: "Nordic Tools", IsActive: true, CountryCode: "SE",
			CurrencyCode: "SEK", PaymentTermCode: "N30", CreditLimit: &most, Street1: "Street 1", City: "Malmö",
			PostalCode: "211 11"})
		return err
	})
}

// signedIn is a visitor of the customer's with a cart, who has not said yet how to pay.
func (s *shop) signedIn(email string, items ...string) *visitor {
	s.Helper()
	v := s.visit()
	v.do(func(tx *db.Tx) error {
		owner, e1 := party.Find(tx, "C1")
		c, e2 := party.CreateContact(tx, "C1", party.Contact{Name: "Anna Berg", Email: email, IsActive: true,
			HasPortalAccess: true})
		return errors.Join(e1, e2, storefront.SignIn(tx, storefront.Customer{ID: owner.ID, Number: owner.Number,
			Name: owner.Name},
			storefront.Contact{ID: c.ID, Name: c.Name, Email: c.Email, Role: storefront.Admin}))
	})
	v.put(items...)
	v.do(func(tx *db.Tx) error {
		_, e1 := v.payments.SaveContact(tx, checkout.Contact{Email: email, FirstName: "Anna", LastName: "Berg"})
		_, e2 := v.payments.SaveAddresses(tx, party.Postal{Name: "Anna Berg", Street1: "Storgatan 1", PostalCode: "111 22",
			City: "Stockholm", CountryCode: "SE"}, party.Postal{})
		_, e3 := v.payments.ChooseDelivery(tx, "PARCEL", "", "")
		return errors.Join(e1, e2, e3)
	})
	return v
}

func (v *visitor) chooseInvoice() error {
	return v.Write(func(tx *db.Tx) error { _, err := v.payments.ChoosePayment(tx, "INV"); return err })
}

func (v *visitor) onInvoice() (*checkout.Placed, error) {
	if err := v.chooseInvoice(); err != nil {
		return nil, err
	}
	return v.place("")
}

// The limit bears what is owed and what is ordered; one krona more, and the method is neither offered nor taken.
func TestCreditLimits(t *testing.T) {
	each(t, func(s *shop) {
		s.lends(250)
		s.supply("SAW", 10)
		first, err := s.signedIn("anna@example.com", "SAW").onInvoice()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.signedIn("bo@example.com", "SAW", "NAIL").onInvoice(); !fault.Is(err, checkout.ErrCreditLimit) {
			t.Errorf("125 owed and 250 more: %v", err)
		}
		s.supply("NAIL", 10)
		if _, err := s.signedIn("cecilia@example.com", "NAIL").onInvoice(); err != nil {
			t.Errorf("to the limit: %v", err)
		}
		v := s.signedIn("david@example.com", "NAIL")
		v.do(func(tx *db.Tx) error {
			c, err := s.payments.Of(tx)
			if err != nil {
				return err
			}
			offers, err := s.payments.PaymentMethods(tx, c)
			for _, o := range offers {
				if o.Provider == "Invoice" {
					t.Error("invoice is offered beyond the limit")
				}
			}
			return err
		})
		if first.OrderNumber == "" {
			t.Error("no order")
		}
	})
}

// Two who order at once for one customer do not both have what is left.
func TestRaceForCredit(t *testing.T) {
	each(t, func(s *shop) {
		const buyers, bears = 6, 2
		s.lends(bears * 125)
		s.supply("SAW", buyers)
		visitors := make([]*visitor, buyers)
		for i := range visitors {
			visitors[i] = s.signedIn(string(rune('a'+i))+"@example.com", "SAW")
			if err := visitors[i].chooseInvoice(); err != nil {
				t.Fatal(err)
			}
		}
		errs := make([]error, buyers)
		var all sync.WaitGroup
		for i, v := range visitors {
			all.Go(func() { _, errs[i] = v.place("") })
		}
		all.Wait()
		placed := 0
		for _, err := range errs {
			switch {
			case err == nil:
				placed++
			case !fault.Is(err, checkout.ErrCreditLimit):
				t.Errorf("refused: %v", err)
			}
		}
		if placed != bears {
			t.Errorf("%d orders were placed, the limit bears %d", placed, bears)
		}
	})
}
