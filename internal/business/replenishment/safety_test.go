package replenishment_test

import (
	"errors"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/replenishment"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// Safety stock follows what went out, how important the row is and what was set for it; what does not change is not
// written.
func TestSafetyStockIsCalculated(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			i, err := catalog.Find(tx, "A")
			if err != nil {
				return err
			}
			cost := dec.One
			m := stock.Move{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Location: "A-01",
				RefType: "test", RefID: "1"}
			in := m
			in.Quantity, in.UnitCost, in.At = dec.Int(100), &cost, tx.Now-40*day
			if _, err := stock.Receive(tx, stock.Receipt, []stock.Move{in}); err != nil {
				return err
			}
			for _, ago := range []db.Time{20, 10} {
				out := m
				out.Quantity, out.At = dec.Int(9), tx.Now-ago*day
				if _, err := stock.Issue(tx, []stock.Move{out}); err != nil {
					return err
				}
			}
			return nil
		})
		set := func(edit func(*stock.ItemWarehouse)) {
			dbtest.Write(t, s, func(tx *db.Tx) error {
				_, err := stock.ChangeItemWarehouse(tx, "A", "MAIN", func(w *stock.ItemWarehouse) error {
					edit(w)
					return nil
				})
				return err
			})
		}
		is := func(want string) {
			t.Helper()
			var w [2]stock.ItemWarehouse
			for n := range w {
				dbtest.Write(t, s, func(tx *db.Tx) error {
					changed, err := replenishment.SafetyStocks(tx)
					return errors.Join(err, stock.SetCalculatedSafety(tx, changed))
				})
				dbtest.Read(t, s, func(tx *db.Tx) (err error) {
					w[n], err = stock.FindItemWarehouse(tx, "A", "MAIN")
					return err
				})
			}
			if got := w[0].CalculatedSafetyStock; got == nil || *got != dec.Must(want) || w[0].Version != w[1].Version {
				t.Errorf("calculated %v, want %s; version %d, then %d", got, want, w[0].Version, w[1].Version)
			}
		}
		set(func(w *stock.ItemWarehouse) { w.Importance = stock.Standard; lead := 14; w.LeadTimeDays = &lead })
		is("9") // 1.645 x 1.334 a day x the root of 14 days is 8.21
		set(func(w *stock.ItemWarehouse) { w.Importance = stock.Critical })
		is("11") // 2.054: 10.25
		set(func(w *stock.ItemWarehouse) { half := dec.Must("0.5"); w.ServiceLevel = &half })
		is("0")
	})
}

const day = db.Time(24 * 60 * 60 * 1_000_000)
