package exchange

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// categoriesThere tells which of the folded codes are categories.
func categoriesThere(tx *db.Tx, keys []string) (map[string]bool, error) {
	return db.Set[string](tx, `-- exchange.categoriesThere
		select code_key from category where company = :company and code_key in (:keys)`, db.Args{"keys": keys})
}

// brandsThere tells which of the folded codes are brands.
func brandsThere(tx *db.Tx, keys []string) (map[string]bool, error) {
	return db.Set[string](tx, `-- exchange.brandsThere
		select code_key from brand where company = :company and code_key in (:keys)`, db.Args{"keys": keys})
}

// valuesThere are the values that items have of attributes: by item id, then by folded attribute code.
func valuesThere(tx *db.Tx, itemIDs, attributes []string) (map[string]map[string][]string, error) {
	values := make(map[string]map[string][]string, len(itemIDs))
	if len(itemIDs) == 0 || len(attributes) == 0 {
		return values, nil
	}
	return values, db.Each3(tx, `-- exchange.valuesThere
		select item_id, attribute_key, value from item_attribute
		where company = :company and item_id in (:items) and attribute_key in (:attributes) order by item_id, attribute_key, position`,
		db.Args{"items": itemIDs, "attributes": record.FoldAll(attributes)}, func(item, key, value string) error {
			if values[item] == nil {
				values[item] = map[string][]string{}
			}
			values[item][key] = append(values[item][key], value)
			return nil
		})
}

// usedAttribute is an active attribute that some item has a value of.
type usedAttribute struct {
	code  string
	multi bool
	of    catalog.DataType
}

// kind is the kind of its cells: several values of one item are a text.
func (a usedAttribute) kind() table.Kind {
	switch {
	case a.multi:
		return table.Text
	case a.of == catalog.WholeNumber, a.of == catalog.DecimalNumber:
		return table.Number
	case a.of == catalog.Boolean:
		return table.Truth
	case a.of == catalog.Date:
		return table.Date
	}
	return table.Text
}

// cell is how an item's values of the attribute stand in a table.
func (a usedAttribute) cell(values []string) string {
	if len(values) == 1 && !a.multi {
		return values[0]
	}
	return joined(values)
}

func attributesUsed(tx *db.Tx) (used []usedAttribute, err error) {
	return db.Rows(tx, `-- exchange.attributesUsed
		select a.code, a.is_multi_value, a.data_type from attribute a where a.company = :company and a.is_active = 1
			and exists (select 1 from item_attribute v where v.company = a.company and v.attribute_key = a.code_key)
		order by a.code_key`, nil, func(r db.Row, a *usedAttribute) error {
		return r.Scan(&a.code, &a.multi, &a.of)
	})
}

// codeNames are the names of categories and brands by code.
type codeNames struct{ categories, brands map[string]string }

func namesOf(tx *db.Tx) (n codeNames, err error) {
	n.categories, err = db.Pairs[string, string](tx, `-- exchange.namesOf whole categories
		select code, name from category where company = :company`, nil)
	if err != nil {
		return n, err
	}
	n.brands, err = db.Pairs[string, string](tx, `-- exchange.namesOf whole brands
		select code, name from brand where company = :company`, nil)
	return n, err
}
