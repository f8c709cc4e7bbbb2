package cart_test

import (
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/promotion"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// The unit that an item is sold by may change while it lies in a cart: what is put in then is added to as many pieces
// as lie there.
func TestTheUnitChangesMeanwhile(t *testing.T) {
	each(t, func(s *shop) {
		soldBy := func(unit string, units ...catalog.Unit) {
			dbtest.Write(t, s.store, func(tx *db.Tx) error {
				_, err := catalog.Change(tx, "NAIL", func(i *catalog.Item) error {
					i.SalesUnit, i.Units = unit, units
					return nil
				})
				return err
			})
		}
		box := catalog.Unit{Code: "BOX", Factor: dec.Int(100)}
		v := s.visit()
		v.adds("NAIL", "3")
		soldBy("PCS", box)
		v.adds("NAIL", "50")
		v.wants("three boxes and fifty pieces", "NAIL 350 PCS 175+43.75; 218.75")
		soldBy("BOX", box)
		v.refused("Cart.QuantityNotSold", v.adding("NAIL", "1"))
		v.wants("half a box too many to add to", "NAIL 350 PCS 175+43.75; 218.75")
		line := v.sees().Lines[0].ID
		v.do(func(tx *db.Tx) error {
			_, err := cart.Change(tx, line, func(e *cart.Edit) error { e.Quantity = dec.Int(400); return nil })
			return err
		})
		v.adds("NAIL", "1")
		v.wants("four boxes and one", "NAIL 5 BOX 250+62.5; 312.5")
		soldBy("PCS")
		v.wants("what a box was is not known any more", "NAIL 5 BOX 0+0 !Cart.QuantityNotSold; 0")
		v.adds("NAIL", "20")
		v.wants("put in again", "NAIL 20 PCS 10+2.5; 12.5")
	})
}

// A code that somebody else uses up makes a cart dearer, though the prices of its lines stand. What the visitor does
// himself is no surprise, and what he was shown once is none any more.
func TestTheAmountMovesMeanwhile(t *testing.T) {
	each(t, func(s *shop) {
		var half promotion.Discount
		dbtest.Write(t, s.store, func(tx *db.Tx) (err error) {
			half, err = promotion.Create(tx, promotion.Discount{Code: "HALF", Percent: dec.Int(50), LimitTotal: 1,
				IsActive: true})
			return err
		})
		v := s.visit()
		moved := func(when string, want bool) {
			t.Helper()
			v.do(func(tx *db.Tx) error {
				c, err := cart.Of(tx)
				if c.Moved() != want {
					t.Errorf("%s: moved is %t", when, c.Moved())
				}
				return err
			})
		}
		v.adds("SAW", "1")
		v.adds("CABLE", "1")
		v.do(func(tx *db.Tx) error { return cart.Apply(tx, "HALF") })
		moved("applied", false)
		v.adds("SAW", "1")
		moved("one more", false)
		line := v.sees().Lines[0].ID
		v.do(func(tx *db.Tx) error { return cart.Remove(tx, line) })
		moved("a line taken out", false)
		v.wants("half", "CABLE 1 PCS 5+1.25; 6.25")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			return promotion.Redeem(tx, promotion.Redemption{OrderID: "other", OrderNumber: "other",
				Email: "bo@example.com", CurrencyCode: "SEK",
				Applied: []promotion.Applied{{ID: half.ID, Code: half.Code, Kind: promotion.DiscountCode,
					Amount: dec.Int(5)}}})
		})
		moved("used up by somebody else", true)
		v.wants("told", "CABLE 1 PCS 10+2.5; 12.5 (Code.UsedUp)")
		moved("shown", false)
		v.do(func(tx *db.Tx) error { return cart.TakeOff(tx, "half") })
		moved("taken off", false)
	})
}
