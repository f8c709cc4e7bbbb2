package cart_test

import (
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
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
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := catalog.PutUnit(tx, "NAIL", catalog.Unit{Code: "BOX", Factor: limit.Quantity.Most()})
			return err
		})
		v.wants("by its unit", "NAIL 99999999 BOX 0+0 !Amount.TooLarge; SAW 1 PCS 100+25; 125")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "NAIL", func(i *catalog.Item) error {
				most := limit.Price.Most()
				i.SalesPrice = &most
				return nil
			})
			return err
		})
		v.wants("by its price", "NAIL 99999999 BOX 0+0 !Cart.NoPrice; SAW 1 PCS 100+25; 125")
	})
}
