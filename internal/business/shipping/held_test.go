package shipping_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A picker is sent where the goods are taken from: as far as one location has them, then to the next, and nowhere for
// what is picked.
func TestAPickerIsSentWhereTheGoodsLie(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "5")
		test.Arrive(t, s, "B", "30")
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := stock.Relocate(tx, stock.Relocation{Item: "A", Warehouse: "MAIN", From: "A-01", To: "A-02",
				Quantity: q("2")})
			return err
		})
		box := test.Line("B", "1")
		box.Unit = "BOX"
		o := test.Order(t, s, "STD", test.Line("A", "2"), test.Line("A", "2"), box)
		sh, err := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		if err != nil {
			t.Fatal(err)
		}
		sent := func(want string) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				from, err := sh.TakenFrom(tx)
				if got := fmt.Sprint(from); err == nil && got != want {
					t.Errorf("sent to %s, want %s", got, want)
				}
				return err
			})
		}
		sent("[[A-01] [A-01 A-02] [A-01]]")
		err = test.Attempt(s, func(tx *db.Tx) (err error) {
			sh, err = shipping.PickGoods(tx, sh.Number, []shipping.Pick{{OrderNumber: o.Number, OrderLine: 1,
				Quantity: q("2")}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		sent("[[] [A-01 A-02] [A-01]]")
	})
}
