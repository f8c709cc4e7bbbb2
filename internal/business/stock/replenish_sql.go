package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const settingFields = "is_active, importance, replenishment, supply_policy, lot_sizing, min_quantity, " +
	"max_quantity, reorder_quantity, safety_stock, " +
	"calculated_safety_stock, service_level, lead_time_days, transfer_from, transfer_days"

const settingFrom = "item_warehouse w join item i on i.company = w.company and i.id = w.item_id"

const settingColumns = record.RootColumns + ", item_id, item, warehouse, " + settingFields

var (
	settingRow    = db.Map[ItemWarehouse](settingColumns)
	settingSelect = settingRow.Select("w") + ", i.name"
)

func scanSetting(r db.Row, w *ItemWarehouse) error {
	return r.Scan(append(settingRow.Of(w), &w.ItemName)...)
}

// ItemWarehouseFilter narrows a list of rows; its zero value takes all. Numbers and codes are compared whole.
type ItemWarehouseFilter struct {
	Item, Warehouse string
	IsActive        *bool
}

// ListItemWarehouses are the rows that were set, by item and warehouse.
func ListItemWarehouses(tx *db.Tx, f ItemWarehouseFilter, p record.Page) (record.Found[ItemWarehouse], error) {
	q := record.Query{Name: "stock.ListItemWarehouses", Select: settingSelect, From: settingFrom,
		Key: []string{"w.item_key", "w.warehouse_key"}, Stamp: "w.changed_at",
		Resources: []string{ItemWarehouses.Name}}
	q.Given("w.item_key = :item", record.Fold(f.Item))
	q.Given("w.warehouse_key = :warehouse", record.Fold(f.Warehouse))
	q.Given("w.is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, scanSetting)
}

// settingsOf are the rows that were set for items, by their ids.
func settingsOf(tx *db.Tx, itemIDs []string) (map[Key]ItemWarehouse, error) {
	if len(itemIDs) == 0 {
		return map[Key]ItemWarehouse{}, nil
	}
	return db.ByKey(tx, `-- stock.settingsOf
		select `+settingSelect+` from `+settingFrom+` where w.company = :company and w.item_id in (:items)`,
		db.Args{"items": itemIDs}, func(r db.Row, k *Key, w *ItemWarehouse) error {
			err := scanSetting(r, w)
			*k = Key{w.ItemID, w.Warehouse}
			return err
		})
}

// upsertSettings writes rows, new or changed; the root of one that is there is moved by the report.
func upsertSettings(tx *db.Tx, rows []*ItemWarehouse) error {
	return tx.Upsert("item_warehouse", settingColumns+", item_key, warehouse_key", len(rows), func(n int) []any {
		return append(settingRow.Of(rows[n]), record.Fold(rows[n].Item), record.Fold(rows[n].Warehouse))
	}, db.Overwriting("id", settingFields))
}
