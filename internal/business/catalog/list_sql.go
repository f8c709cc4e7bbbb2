package catalog

import (
	"strconv"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// List are the items by number.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Item], error) {
	q := record.Query{Name: "catalog.List", Select: itemColumns, From: "item",
		Key: []record.Order{{Column: "number_key"}}, Stamp: "changed_at", Resources: []string{Items.Name},
		Sorts: func(by string) []record.Order {
			switch by {
			case "number":
				return []record.Order{{Column: "number_key"}}
			case "name":
				return []record.Order{{Column: "lower(name)"}, {Column: "number_key"}}
			case "category":
				return []record.Order{{Column: "category_code"}, {Column: "number_key"}}
			case "brand":
				return []record.Order{{Column: "brand_code"}, {Column: "number_key"}}
			case "price":
				return []record.Order{{Column: "coalesce(sales_price, -1)"}, {Column: "number_key"}}
			}
			return nil
		}}
	q.Search("search", f.Search)
	if f.CategoryCode != "" {
		below, err := CategorySubtree(tx, f.CategoryCode)
		if err != nil {
			return record.Found[Item]{}, err
		}
		q.Where("category_code in (:categories)", db.Args{"categories": below})
	}
	if f.BrandCode != "" {
		q.Where("brand_code in (select b.code from brand b where b.company = :company and b.code_key = :brand)",
			db.Args{"brand": record.Fold(f.BrandCode)})
	}
	if f.GroupCode != "" {
		q.Where("group_key = :group", db.Args{"group": record.Fold(f.GroupCode)})
	}
	if f.Type != "" {
		q.Where("type = :type", db.Args{"type": f.Type})
	}
	if f.IsActive != nil {
		q.Where("is_active = :active", db.Args{"active": *f.IsActive})
	}
	for n, a := range f.Attributes {
		k, v := "attribute"+strconv.Itoa(n), "value"+strconv.Itoa(n)
		q.Where("id in (select item_id from item_attribute where company = :company and attribute_key = :"+k+
			" and value_key = :"+v+")", db.Args{k: record.Fold(a.Code), v: valueKey(a.Value)})
	}
	return record.ListOf(tx, q, p, itemRow.Scan)
}

// ListVariants are the variants of an item by number.
func ListVariants(tx *db.Tx, parent Item, p record.Page) (record.Found[Item], error) {
	q := record.Query{Name: "catalog.ListVariants", Select: itemColumns, From: "item",
		Key: []record.Order{{Column: "number_key"}}, Resources: []string{Items.Name}}
	q.Where("variant_of = :parent", db.Args{"parent": parent.Number})
	return record.ListOf(tx, q, p, itemRow.Scan)
}
