package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// fields are the columns of an item behind its root.
const fields = "number, name, description, type, is_active, category_code, group_code, brand_code, base_unit, sales_unit, purchase_unit, " +
	"decimal_places, sales_price, tax_code, gtin, manufacturer_number, supplier_number, weight_kg, length_cm, width_cm, height_cm, " +
	"origin_country, commodity_code, tracking, replenishment, is_configurable, variant_of, variant_options, cross_references, units"

const itemColumns = record.RootColumns + ", " + fields

// derived are the columns that are made from others for look-ups and filters.
const derived = "number_key, group_key, search"

var itemRow = db.Map[Item](itemColumns)

func (i *Item) values() []any {
	return append(itemRow.Of(i), record.Fold(i.Number), record.Fold(i.GroupCode),
		record.SearchText(i.Number, i.Name, i.GTIN, i.ManufacturerNumber))
}

// Find is the item with this number. Refusal: Item.NotFound.
func Find(tx *db.Tx, itemNumber string) (Item, error) {
	var i Item
	err := tx.Each(`-- catalog.Find
		select `+itemColumns+` from item where company = :company and number_key = :key`,
		db.Args{"key": record.Fold(itemNumber)}, func(r db.Row) error { return itemRow.Scan(r, &i) })
	if err == nil && i.ID == "" {
		err = missing(itemNumber)
	}
	return i, err
}

// FindMany are the items with these numbers, by folded number; what does not exist is absent.
func FindMany(tx *db.Tx, numbers []string) (map[string]Item, error) {
	return collect(tx, `-- catalog.FindMany
		select `+itemColumns+` from item where company = :company and number_key in (:keys)`, record.FoldAll(numbers))
}

// FindGroups are those of these item groups that some item belongs to, folded: a group has no record of its own.
func FindGroups(tx *db.Tx, codes []string) (map[string]bool, error) {
	out := make(map[string]bool, len(codes))
	if len(codes) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- catalog.FindGroups
		select distinct group_key from item where company = :company and group_key <> '' and group_key in (:keys)`,
		db.Args{"keys": record.FoldAll(codes)}, func(r db.Row) error {
			var key string
			err := r.Scan(&key)
			out[key] = true
			return err
		})
}

// FindByID are the items with these ids, by id.
func FindByID(tx *db.Tx, ids []string) (map[string]Item, error) {
	out := make(map[string]Item, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- catalog.FindByID
		select `+itemColumns+` from item where company = :company and id in (:ids)`, db.Args{"ids": ids},
		func(r db.Row) error {
			var i Item
			err := itemRow.Scan(r, &i)
			out[i.ID] = i
			return err
		})
}

// shared is FindMany for items that others are about to refer to: they cannot be deleted before the commit.
func shared(tx *db.Tx, numbers []string) (map[string]Item, error) {
	return collect(tx, `-- catalog.shared
		select `+itemColumns+` from item where company = :company and number_key in (:keys) order by id for share`,
		record.FoldAll(numbers))
}

// lockMany is FindMany for items that are about to change, locked in the order of their ids.
func lockMany(tx *db.Tx, keys []string) (map[string]Item, error) {
	return collect(tx, `-- catalog.lockMany
		select `+itemColumns+` from item where company = :company and number_key in (:keys) order by id for update`,
		keys)
}

func lock(tx *db.Tx, itemNumber string) (Item, error) {
	found, err := lockMany(tx, []string{record.Fold(itemNumber)})
	if err != nil {
		return Item{}, err
	}
	for _, i := range found {
		return i, nil
	}
	return Item{}, missing(itemNumber)
}

// Lock reads an item for update, for a higher room that keeps a part of it. Item.NotFound.
func Lock(tx *db.Tx, itemNumber string) (Item, error) { return lock(tx, itemNumber) }

func collect(tx *db.Tx, query string, keys []string) (map[string]Item, error) {
	out := make(map[string]Item, len(keys))
	if len(keys) == 0 {
		return out, nil
	}
	return out, tx.Each(query, db.Args{"keys": keys}, func(r db.Row) error {
		var i Item
		err := itemRow.Scan(r, &i)
		out[record.Fold(i.Number)] = i
		return err
	})
}

func taken(tx *db.Tx, itemNumber string) (bool, error) {
	var n int
	return tx.One(`-- catalog.taken
		select 1 from item where company = :company and number_key = :key`, db.Args{"key": record.Fold(itemNumber)}, &n)
}

func insert(tx *db.Tx, items []*Item) error {
	return tx.Insert("item", itemColumns+", "+derived, len(items), func(n int) []any { return items[n].values() })
}

// update writes items that exist; the conflict with the row that is there is how one statement changes many.
func update(tx *db.Tx, items []*Item) error {
	return tx.Upsert("item", itemColumns+", "+derived, len(items), func(n int) []any { return items[n].values() },
		db.Overwriting("id", fields+", "+derived))
}

func remove(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"item_id": id}, "item_attribute"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "item")
}

// firstVariant is the number of some variant of an item, empty if it has none.
func firstVariant(tx *db.Tx, itemNumber string) (variant string, err error) {
	_, err = tx.One(`-- catalog.firstVariant
		select number from item where company = :company and variant_of <> '' and variant_of = :number order by number_key limit 1`,
		db.Args{"number": itemNumber}, &variant)
	return variant, err
}

// withVariants tells which of the items are parents.
func withVariants(tx *db.Tx, numbers []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(numbers) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- catalog.withVariants
		select distinct variant_of from item where company = :company and variant_of <> '' and variant_of in (:numbers)`,
		db.Args{"numbers": numbers}, func(r db.Row) error {
			var n string
			err := r.Scan(&n)
			out[n] = true
			return err
		})
}

// table names a table of records with a code.
type table string

const (
	categoryTable table = "category"
	brandTable    table = "brand"
)

// codes are those of the wanted codes that exist, by folded code. They cannot be deleted before the commit.
func codes(tx *db.Tx, t table, wanted []string) (map[string]string, error) {
	out := make(map[string]string, len(wanted))
	if len(wanted) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- catalog.codes
		select code from `+string(t)+` where company = :company and code_key in (:keys) order by id for share`,
		db.Args{"keys": record.FoldAll(wanted)}, func(r db.Row) error {
			var c string
			err := r.Scan(&c)
			out[record.Fold(c)] = c
			return err
		})
}
