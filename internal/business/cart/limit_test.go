package cart_test

import (
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
)

// What no shop sells is refused at the line, whether it is put in at once, bit by bit, or by changing the line; and
// nothing of it stays.
func TestACartHasAnEnd(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.adds("SAW", "5")
		v.refused("Quantity.TooLarge", v.adding("CABLE", "737869762899"))
		v.refused("Amount.TooLarge", v.adding("SAW", "99999995"))
		v.refused("Quantity.TooLarge", v.adding("SAW", "99999996"))
		v.adds("CABLE", "99999999.75")
		v.refused("Quantity.TooLarge", v.adding("CABLE", "1"))
		c := v.sees()
		v.refused("Amount.TooLarge", func(tx *db.Tx) error {
			_, err := cart.Change(tx, c.Lines[0].ID, func(e *cart.Edit) error {
				e.Quantity = dec.Int(100_000_000)
				return nil
			})
			return err
		})
		v.wants("nothing of it stays",
			"SAW 5 PCS 500+125; CABLE 99999999.75 PCS 999999997.5+249999999.38; 1250000621.88")
	})
}

// An item that is set up so that no number holds its price or its quantity leaves the rest of a cart as it is.
func TestOneWrongItemSpoilsNoCart(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.adds("NAIL", "99999999")
		v.adds("SAW", "1")
		change := func(number string, how func(i *catalog.Item)) {
			dbtest.Write(t, s.store, func(tx *db.Tx) error {
				_, err := catalog.Change(tx, number, func(i *catalog.Item) error { how(i); return nil })
				return err
			})
		}
		most, heaviest := limit.Price.Most(), limit.Measure.Most()
		change("NAIL", func(i *catalog.Item) { i.WeightKg = &heaviest })
		v.wants("by its weight", "NAIL 99999999 BOX 4999999950+1249999987.5; SAW 1 PCS 100+25; 6250000062.5")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := catalog.PutUnit(tx, "NAIL", catalog.Unit{Code: "BOX", Factor: limit.Quantity.Most()})
			return err
		})
		v.wants("by its unit", "NAIL 99999999 BOX 0+0 !Amount.TooLarge; SAW 1 PCS 100+25; 125")
		change("NAIL", func(i *catalog.Item) { i.SalesPrice = &most })
		v.wants("by its price", "NAIL 99999999 BOX 0+0 !Cart.NoPrice; SAW 1 PCS 100+25; 125")
		change("SAW", func(i *catalog.Item) { i.SalesUnit = "BOX" })
		v.wants("by a unit that it says nothing of",
			"NAIL 99999999 BOX 0+0 !Cart.NoPrice; SAW 1 PCS 0+0 !Cart.NoLongerSold; 0")
		v.refused("Cart.NotPurchasable", v.adding("SAW", "1"))
		v.do(func(tx *db.Tx) error {
			viewer := storefront.Of(tx).Viewer()
			sold, err := assortment.Articles(tx, viewer, []string{s.ids["SAW"], s.ids["CABLE"]})
			if err != nil {
				return err
			}
			prices, err := assortment.Prices(tx, viewer, []assortment.Ask{
				{Article: sold[s.ids["SAW"]], Quantity: dec.One}, {Article: sold[s.ids["CABLE"]], Quantity: dec.One}})
			if err == nil && (prices[0].UnitPrice != nil || prices[1].UnitPrice == nil) {
				t.Errorf("prices beside one of a unit without a factor: %+v", prices)
			}
			return err
		})
	})
}
