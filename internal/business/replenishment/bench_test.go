package replenishment_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/replenishment"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// BenchmarkRun plans 100,000 items in three warehouses, of which one item in ten is short in each, and then one of them
// alone.
func BenchmarkRun(b *testing.B) {
	const items, at = 100_000, 1_000
	for _, engine := range dbtest.Engines() {
		s := dbtest.Store(b, engine)
		test.Open(b, s)
		dbtest.Write(b, s, func(tx *db.Tx) error {
			return reference.SaveWarehouses(tx, reference.Warehouse{Code: "NORTH", Name: "North", IsActive: true})
		})
		for first := 0; first < items; first += at {
			dbtest.Write(b, s, func(tx *db.Tx) error { return short(tx, first, at) })
		}
		b.Run("all/"+engine, func(b *testing.B) {
			for b.Loop() {
				dbtest.Read(b, s, func(tx *db.Tx) error {
					all, err := replenishment.Run(tx)
					if len(all) < items/10 {
						b.Fatalf("%d proposals", len(all))
					}
					return err
				})
			}
		})
		b.Run("one/"+engine, func(b *testing.B) {
			for b.Loop() {
				dbtest.Read(b, s, func(tx *db.Tx) error {
					all, err := replenishment.RunFor(tx, []string{"P-10"})
					if len(all) != 3 {
						b.Fatalf("%d proposals", len(all))
					}
					return err
				})
			}
		})
	}
}

// short makes items with a rule in each warehouse.
func short(tx *db.Tx, first, n int) error {
	items := make([]catalog.Item, n)
	var rules []stock.ItemWarehouseDraft
	for i := range items {
		number := fmt.Sprintf("P-%d", first+i)
		items[i] = catalog.Item{Number: number, Name: number, IsActive: true, Type: catalog.Stock, TaxCode: "STD",
			Tracking: catalog.None, Replenishment: catalog.Purchase}
		for _, warehouse := range []string{"MAIN", "SOUTH", "NORTH"} {
			rules = append(rules, stock.ItemWarehouseDraft{Item: number, Warehouse: warehouse,
				Edit: func(w *stock.ItemWarehouse) error {
					w.IsActive = true
					if (first+i)%10 == 0 {
						w.SafetyStock = new(dec.Int(5))
					}
					return nil
				}})
		}
	}
	if err := catalog.CreateMany(tx, items); err != nil {
		return err
	}
	_, err := stock.SaveItemWarehouses(tx, rules)
	return err
}
