package production_test

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

var pageOne = record.Page{Number: 1, Size: 50}

// units is a whole quantity as a number.
func units(d dec.Dec) int64 { n, _ := d.Units(0); return n }

// toOrder lets MAIN have an item made for orders alone.
func toOrder(tx *db.Tx, i catalog.Item) error {
	columns := record.RootColumns +
		", item_id, item, item_key, warehouse, warehouse_key, is_active, importance, supply_policy, lot_sizing"
	root := record.New(tx)
	return tx.Insert("item_warehouse", columns, 1, func(int) []any {
		return append(root.Scan(), i.ID, i.Number, record.Fold(i.Number), "MAIN", "main", true, "Standard",
			"ToOrder", "LotForLot")
	})
}
