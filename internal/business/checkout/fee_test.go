package checkout_test

import (
	"strings"
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// costs sets what paying in advance costs, before tax.
func (s *shop) costs(fee int64) {
	s.Helper()
	err := office{s}.Write(func(tx *db.Tx) error {
		_, err := checkout.Save(tx, s.providers(), checkout.Method{Code: "PRE", Name: "In advance", Provider: "Prepayment",
			IsActive: true, Fee: dec.Int(fee), FeeTaxCode: "STD"})
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// Code and name of a way to pay are each one line, counted in characters, and what is wrong is said of the one it is.
func TestAWayToPayIsNamedInOneLine(t *testing.T) {
	each(t, func(s *shop) {
		for _, c := range []struct{ code, name, wrong string }{
			{" " + strings.Repeat("Å", 50) + " ", strings.Repeat("å", 200), ""},
			{strings.Repeat("Å", 51), "x", "code"}, {"A\nB", " ", "code name"}, {"A", strings.Repeat("å", 201), "name"},
			{"", "a\tb", "code name"}} {
			var m checkout.Method
			err := office{s}.Write(func(tx *db.Tx) (err error) {
				m, err = checkout.Save(tx, s.providers(), checkout.Method{Code: c.code, Name: c.name, Provider: "Prepayment"})
				return err
			})
			var wrong []string
			if err != nil {
				for _, f := range fault.As(err).Fields {
					wrong = append(wrong, f.Path)
				}
			}
			if strings.Join(wrong, " ") != c.wrong || err == nil && m.Code != strings.TrimSpace(c.code) {
				t.Errorf("%q %q: %q, %v", c.code, c.name, m.Code, err)
			}
		}
	})
}

// What a way to pay costs is a line of the order, with its tax. Where it costs something else than the buyer was shown,
// he is asked once.
func TestAFeeIsPaidAsItWasShown(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 5)
		s.costs(20)
		v := s.ready("anna@example.com", "PRE", "SAW")
		s.costs(28)
		v.refused(checkout.ErrPriceChanged, "")
		if n := len(s.orders()); n != 0 {
			t.Errorf("%d orders", n)
		}
		placed, err := v.place("")
		if err != nil {
			t.Fatal(err)
		}
		if p := s.payment(placed.PaymentID); p.Amount != dec.Int(160) {
			t.Errorf("(100 + 28) and 25 %% are paid with %s", p.Amount)
		}
		var o sales.Order
		dbtest.Read(t, s.store, func(tx *db.Tx) (err error) { o, err = sales.Find(tx, placed.OrderNumber); return err })
		fee := o.Lines[len(o.Lines)-1]
		if len(o.Lines) != 2 || fee.Description != "In advance" || fee.UnitPrice != dec.Int(28) ||
			fee.TaxAmount != dec.Int(7) || o.TotalIncludingTax() != dec.Int(160) {
			t.Errorf("%+v, in all %s", fee, o.TotalIncludingTax())
		}

		free := s.ready("bo@example.com", "PRE", "SAW")
		s.costs(0)
		free.refused(checkout.ErrPriceChanged, "")
		if placed, err = free.place(""); err != nil || s.payment(placed.PaymentID).Amount != dec.Int(125) {
			t.Errorf("%+v, %v", placed, err)
		}
	})
}
