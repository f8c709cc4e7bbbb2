package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const settingFields = "is_active, importance, replenishment, supply_policy, lot_sizing, min_quantity, max_quantity, reorder_quantity, safety_stock, " +
	"calculated_safety_stock, service_level, lead_time_days, transfer_from, transfer_days"

const settingFrom = "item_warehouse w join item i on i.company = w.company and i.id = w.item_id"

const settingSelect = "w.id, w.version, w.created_at, w.modified_at, w.changed_at, w.item_id, w.item, i.name, w.warehouse, w.is_active, w.importance, " +
	"w.replenishment, w.supply_policy, w.lot_sizing, w.min_quantity, w.max_quantity, w.reorder_quantity, w.safety_stock, w.calculated_safety_stock, " +
	"w.service_level, w.lead_time_days, w.transfer_from, w.transfer_days"

func scanSetting(r db.Row, w *ItemWarehouse) error {
	return r.Scan(append(w.Root.Scan(), &w.ItemID, &w.Item, &w.ItemName, &w.Warehouse, &w.IsActive, &w.Importance,
		&w.Replenishment, &w.SupplyPolicy, &w.LotSizing, &w.MinQuantity, &w.MaxQuantity, &w.ReorderQuantity,
		&w.SafetyStock, &w.CalculatedSafetyStock, &w.ServiceLevel, &w.LeadTimeDays, &w.TransferFrom,
		&w.TransferDays)...)
}

// ItemWarehouseFilter narrows a list of rows; its zero value takes all. Numbers and codes are compared whole.
type ItemWarehouseFilter struct {
	Item, Warehouse string
	IsActive        *bool
}

// ListItemWarehouses are the rows that were set, by item and warehouse.
func ListItemWarehouses(tx *db.Tx, f ItemWarehouseFilter, p record.Page) (record.Found[ItemWarehouse], error) {
	q := record.Query{Name: "stock.ListItemWarehouses", Select: settingSelect, From: settingFrom,
		Key: []record.Order{{Column: "w.item_key"}, {Column: "w.warehouse_key"}}, Stamp: "w.changed_at",
		Resources: []string{ItemWarehouses.Name}}
	if f.Item != "" {
		q.Where("w.item_key = :item", db.Args{"item": record.Fold(f.Item)})
	}
	if f.Warehouse != "" {
		q.Where("w.warehouse_key = :warehouse", db.Args{"warehouse": record.Fold(f.Warehouse)})
	}
	if f.IsActive != nil {
		q.Where("w.is_active = :active", db.Args{"active": *f.IsActive})
	}
	return record.ListOf(tx, q, p, scanSetting)
}

// settingsOf are the rows that were set for items, by their ids.
func settingsOf(tx *db.Tx, itemIDs []string) (map[Key]ItemWarehouse, error) {
	out := map[Key]ItemWarehouse{}
	if len(itemIDs) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- stock.settingsOf
		select `+settingSelect+` from `+settingFrom+` where w.company = :company and w.item_id in (:items)`,
		db.Args{"items": itemIDs}, func(r db.Row) error {
			var w ItemWarehouse
			err := scanSetting(r, &w)
			out[Key{w.ItemID, w.Warehouse}] = w
			return err
		})
}

// upsertSettings writes rows, new or changed; the root of one that is there is moved by the report.
func upsertSettings(tx *db.Tx, rows []*ItemWarehouse) error {
	return tx.Upsert("item_warehouse", record.RootColumns+", item_id, item, item_key, warehouse, warehouse_key, "+
		settingFields, len(rows), func(n int) []any {
		w := rows[n]
		return append(w.Root.Values(), w.ItemID, w.Item, record.Fold(w.Item), w.Warehouse, record.Fold(w.Warehouse),
			w.IsActive, w.Importance, w.Replenishment, w.SupplyPolicy, w.LotSizing, w.MinQuantity, w.MaxQuantity,
			w.ReorderQuantity, w.SafetyStock, w.CalculatedSafetyStock, w.ServiceLevel, w.LeadTimeDays, w.TransferFrom,
			w.TransferDays)
	}, `on conflict (company, id) do update set is_active = excluded.is_active, importance = excluded.importance, replenishment = excluded.replenishment,
		supply_policy = excluded.supply_policy, lot_sizing = excluded.lot_sizing, min_quantity = excluded.min_quantity, max_quantity = excluded.max_quantity,
		reorder_quantity = excluded.reorder_quantity, safety_stock = excluded.safety_stock, calculated_safety_stock = excluded.calculated_safety_stock,
		service_level = excluded.service_level, lead_time_days = excluded.lead_time_days, transfer_from = excluded.transfer_from,
		transfer_days = excluded.transfer_days`)
}

func removeSettings(tx *db.Tx, itemID string) error {
	_, err := tx.Exec(`-- stock.removeSettings
		delete from item_warehouse where company = :company and item_id = :item`, db.Args{"item": itemID})
	return err
}
