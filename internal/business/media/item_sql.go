package media

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const itemAssetColumns = "id, kind, title, alt_text, sort_order, is_primary, " + fileColumns

var itemAssetRow = db.Map[ItemAsset](itemAssetColumns)

// ListItemAssets reads a page of an item's assets, or of those of one kind, in their order. Item.NotFound.
func ListItemAssets(tx *db.Tx, itemNumber string, kind Kind, p record.Page) (record.Found[ItemAsset], error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return record.Found[ItemAsset]{}, err
	}
	q := record.Query{Name: "media.ListItemAssets", Select: itemAssetColumns, From: "item_asset",
		Key: []string{"sort_order", "id"}}
	q.Where("item_id = :item", db.Args{"item": item.ID})
	q.Given("kind = :kind", kind)
	return record.ListOf(tx, q, p, itemAssetRow.Scan)
}

// findItemAsset reads one asset; without an id when the item, whose row is locked, has none such.
func findItemAsset(tx *db.Tx, itemID, id string) (a ItemAsset, err error) {
	err = tx.Each(`-- media.findItemAsset
		select `+itemAssetColumns+` from item_asset where company = :company and item_id = :item and id = :id`,
		db.Args{"item": itemID, "id": id}, func(r db.Row) error { return itemAssetRow.Scan(r, &a) })
	return a, err
}

func hasPrimary(tx *db.Tx, itemID string) (bool, error) {
	var one int64
	return tx.One(`-- media.hasPrimary
		select 1 from item_asset where company = :company and item_id = :item and is_primary = 1`,
		db.Args{"item": itemID}, &one)
}

// writeItemAsset stores an asset, new or changed; a primary one takes that from the one before.
func writeItemAsset(tx *db.Tx, itemID string, a ItemAsset) error {
	if a.IsPrimary {
		if _, err := tx.Exec(`-- media.writeItemAsset
			update item_asset set is_primary = 0 where company = :company and item_id = :item and is_primary = 1 and id <> :id`,
			db.Args{"item": itemID, "id": a.ID}); err != nil {
			return err
		}
	}
	return tx.Upsert("item_asset", itemAssetColumns+", item_id", 1, func(int) []any {
		return append(itemAssetRow.Of(&a), itemID)
	}, db.Overwriting("item_id, id", "title, alt_text, sort_order, is_primary"))
}

func makeFirstPrimary(tx *db.Tx, itemID string) error {
	return tx.Run(`-- media.makeFirstPrimary
		update item_asset set is_primary = 1 where company = :company and item_id = :item and id = (
			select id from item_asset where company = :company and item_id = :item and kind = :image order by sort_order, id limit 1)`,
		db.Args{"item": itemID, "image": Image})
}
