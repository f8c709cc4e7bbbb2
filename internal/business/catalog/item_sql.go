package catalog

import (
	"encoding/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var items = record.TableOf(Items, record.Layout[Item]{
	Fixed: "number",
	Changing: "name, description, type, is_active, category_code, group_code, brand_code, base_unit, sales_unit, " +
		"purchase_unit, decimal_places, sales_price, tax_code, gtin, manufacturer_number, supplier_number, weight_kg, " +
		"length_cm, width_cm, height_cm, origin_country, commodity_code, tracking, replenishment, is_configurable, " +
		"variant_of, variant_options, cross_references, units",
	Number: func(i *Item) *string { return &i.Number },
	Derived: func(i *Item) db.Args {
		return db.Args{"group_key": record.Fold(i.GroupCode),
			"search": record.SearchText(i.Number, i.Name, i.GTIN, i.ManufacturerNumber)}
	},
	Owned:   []string{"item_attribute.item_id"},
	Missing: missing,
})

// Find is the item with this number. Refusal: Item.NotFound.
func Find(tx *db.Tx, itemNumber string) (Item, error) { return items.Find(tx, itemNumber) }

// FindMany are the items with these numbers, by folded number; what does not exist is absent.
func FindMany(tx *db.Tx, numbers []string) (map[string]Item, error) {
	return items.FindMany(tx, numbers)
}

// ReferMany is FindMany for items that others are about to name: they cannot be deleted before the commit.
func ReferMany(tx *db.Tx, numbers []string) (map[string]Item, error) {
	return items.ReferMany(tx, numbers)
}

// FindGroups are those of these item groups that some item belongs to, folded: a group has no record of its own.
func FindGroups(tx *db.Tx, codes []string) (map[string]bool, error) {
	if len(codes) == 0 {
		return map[string]bool{}, nil
	}
	return db.Set[string](tx, `-- catalog.FindGroups
		select distinct group_key from item where company = :company and group_key <> '' and group_key in (:keys)`,
		db.Args{"keys": record.FoldAll(codes)})
}

// calledBy are the numbers of the items for which a customer has numbers of its own.
func calledBy(tx *db.Tx, customer string) ([]string, error) {
	mark, err := json.Marshal(customer)
	if err != nil {
		return nil, err
	}
	return db.Column[string](tx, `-- catalog.calledBy whole
		select number from item where company = :company and cross_references <> ''
			and instr(cross_references, :mark) > 0 order by number_key`, db.Args{"mark": `"customerNumber":` + string(mark)})
}

// FindByID are the items with these ids, by id.
func FindByID(tx *db.Tx, ids []string) (map[string]Item, error) {
	out := make(map[string]Item, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	rows, err := items.Where(tx, "catalog.FindByID", "id in (:ids)", db.Args{"ids": ids})
	for _, i := range rows {
		out[i.ID] = i
	}
	return out, err
}

// Lock reads an item for update, for a higher room that keeps a part of it. Item.NotFound.
func Lock(tx *db.Tx, itemNumber string) (Item, error) { return items.Lock(tx, itemNumber) }

// LockMany reads items for update, by folded number, in the order of their ids; what does not exist is absent. It is
// for a higher room that is about to change a part of them.
func LockMany(tx *db.Tx, numbers []string) (map[string]Item, error) {
	return items.LockMany(tx, numbers)
}

// firstVariant is the number of some variant of an item, empty if it has none.
func firstVariant(tx *db.Tx, itemNumber string) (string, error) {
	return db.Value[string](tx, `-- catalog.firstVariant
		select number from item where company = :company and variant_of <> '' and variant_of = :number order by number_key limit 1`,
		db.Args{"number": itemNumber})
}

// withVariants tells which of the items are parents.
func withVariants(tx *db.Tx, numbers []string) (map[string]bool, error) {
	if len(numbers) == 0 {
		return map[string]bool{}, nil
	}
	return db.Set[string](tx, `-- catalog.withVariants
		select distinct variant_of from item where company = :company and variant_of <> '' and variant_of in (:numbers)`,
		db.Args{"numbers": numbers})
}

// table names a table of records with a code.
type table string

const (
	categoryTable table = "category"
	brandTable    table = "brand"
)

// codes are those of the wanted codes that exist, by folded code. They cannot be deleted before the commit.
func codes(tx *db.Tx, t table, wanted []string) (map[string]string, error) {
	if len(wanted) == 0 {
		return map[string]string{}, nil
	}
	return db.ByKey(tx, `-- catalog.codes
		select code from `+string(t)+` where company = :company and code_key in (:keys) order by id for share`,
		db.Args{"keys": record.FoldAll(wanted)}, func(r db.Row, key, c *string) error {
			err := r.Scan(c)
			*key = record.Fold(*c)
			return err
		})
}
