package cart_test

import (
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/channel"
	"kontor/internal/business/freight"
	"kontor/internal/business/promotion"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// What a buyer has read "from so much on" is held against what the store shows, whatever list the price came from.
func TestThresholdsAreAsTheStoreShowsPrices(t *testing.T) {
	each(t, func(s *shop) {
		from := dec.Int(250)
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := freight.Create(tx, freight.Rate{MethodCode: "PARCEL", CountryCode: "SE", CurrencyCode: "SEK",
				Basis: freight.Value, FreeFrom: &from, IsActive: true,
				Steps: []freight.Step{{From: 0, Price: dec.Int(80)}, {From: dec.Int(125), Price: dec.Int(40)}}})
			if err == nil {
				_, err = promotion.Create(tx, promotion.Discount{Code: "LARGE", Percent: dec.Int(1), MinValue: from,
					CurrencyCode: "SEK", IsActive: true})
			}
			if err == nil {
				_, err = promotion.Create(tx, promotion.Discount{Code: "OFF", Amount: dec.Int(50), CurrencyCode: "SEK",
					IsActive: true})
			}
			return err
		})
		large := func(tx *db.Tx) error { return cart.Apply(tx, "large") }
		v := s.visit()
		wants := func(what string, saws string, freightNet int64) {
			t.Helper()
			v.do(cart.Clear)
			v.adds("SAW", saws)
			v.do(func(tx *db.Tx) error {
				c, err := cart.Summary(tx)
				if err != nil {
					return err
				}
				m, _, err := freight.Find(tx, c.Shipping(storefront.Of(tx), cart.Delivery{}), "PARCEL")
				if m.PriceNet != dec.Int(freightNet) {
					t.Errorf("%s: %s", what, m.PriceNet)
				}
				return err
			})
		}
		wants("without tax, a step", "1", 80)
		wants("without tax, what it is free from", "2", 40)
		v.refused("Code.NotApplicable", large)
		reduced := func(net, incl string) {
			t.Helper()
			v.do(func(tx *db.Tx) error { return cart.Apply(tx, "off") })
			v.do(func(tx *db.Tx) error {
				c, err := cart.Summary(tx)
				if err == nil && (c.DiscountTotal != dec.Must(net) ||
					c.DiscountTotal.Add(c.DiscountTax) != dec.Must(incl) || c.Codes[0].Amount != dec.Int(50)) {
					t.Errorf("%s off, tax %s, by a code that grants %s; want %s, with tax %s", c.DiscountTotal, c.DiscountTax,
						c.Codes[0].Amount, net, incl)
				}
				return err
			})
			v.do(func(tx *db.Tx) error { return cart.TakeOff(tx, "off") })
		}
		reduced("50", "62.5")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error { c.IsPriceIncludingTax = true; return nil })
			return err
		})
		wants("with tax, a step", "1", 40)
		wants("with tax, what it is free from", "2", 0)
		reduced("40", "50")
		v.do(large)
	})
}
