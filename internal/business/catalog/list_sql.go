package catalog

import (
	"strconv"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// List are the items by number.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Item], error) {
	q := items.Query("catalog.List")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "name": {"lower(name)", "number_key"},
		"category": {"category_code", "number_key"}, "brand": {"brand_code", "number_key"},
		"price": {"coalesce(sales_price, -1)", "number_key"},
	}
	q.Search("search", f.Search)
	if f.CategoryCode != "" {
		below, err := CategorySubtree(tx, f.CategoryCode)
		if err != nil {
			return record.Found[Item]{}, err
		}
		q.Where("category_code in (:categories)", db.Args{"categories": below})
	}
	q.Given("brand_code in (select b.code from brand b where b.company = :company and b.code_key = :brand)", record.Fold(f.BrandCode))
	q.Given("group_key = :group", record.Fold(f.GroupCode))
	q.Given("type = :type", f.Type)
	if f.Type != "" && f.Type != Stock {
		q.Where("type <> 'Stock'", nil) // these are few, and in an index of their own
	}
	q.Active(f.IsActive)
	for n, a := range f.Attributes {
		k, v := "attribute"+strconv.Itoa(n), "value"+strconv.Itoa(n)
		q.Where("id in (select item_id from item_attribute where company = :company and attribute_key = :"+k+
			" and value_key = :"+v+")", db.Args{k: record.Fold(a.Code), v: valueKey(a.Value)})
	}
	return record.ListOf(tx, q, p, items.Scan)
}

// ListVariants are the variants of an item by number.
func ListVariants(tx *db.Tx, parent Item, p record.Page) (record.Found[Item], error) {
	q := items.Query("catalog.ListVariants")
	q.Stamp = ""
	q.Where("variant_of = :parent", db.Args{"parent": parent.Number})
	return record.ListOf(tx, q, p, items.Scan)
}
