package stock_test

import (
	"testing"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Of what is to come in a warehouse all counts, and the first day that has not passed.
func TestWhatIsToComeKnowsItsFirstDay(t *testing.T) {
	each(t, func(w *world) {
		id, other := w.items["None"].ID, w.items["Batch"].ID
		var today day.Date
		w.write(func(tx *db.Tx) error {
			today = tx.Today()
			line := func(n int, item, warehouse, quantity string, due day.Date) stock.Expectation {
				return stock.Expectation{Line: n, ItemID: item, Item: "None", Warehouse: warehouse,
					Quantity: dec.Must(quantity), Due: due}
			}
			return stock.Expect(tx, stock.RefPurchaseOrder, "PO-1", []stock.Expectation{
				line(1, id, "MAIN", "5", today.AddDays(-1)), line(2, id, "MAIN", "3", ""),
				line(3, id, "MAIN", "2", today.AddDays(9)), line(4, id, "MAIN", "1", today.AddDays(4)),
				line(5, id, "MAIN", "1", today.AddDays(6)), line(6, id, "EAST", "7", today),
				line(7, other, "MAIN", "8", today.AddDays(-3))})
		})
		want := map[stock.Key]stock.ToCome{
			{ItemID: id, Warehouse: "MAIN"}:    {Quantity: dec.Int(12), First: today.AddDays(4)},
			{ItemID: id, Warehouse: "EAST"}:    {Quantity: dec.Int(7), First: today},
			{ItemID: other, Warehouse: "MAIN"}: {Quantity: dec.Int(8)},
		}
		w.write(func(tx *db.Tx) error {
			got, err := stock.Expected(tx, []string{id, other})
			for k, v := range want {
				if got[k] != v {
					w.Errorf("%+v: %+v, want %+v", k, got[k], v)
				}
			}
			return err
		})
	})
}
