package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var attributes = record.TableOf(Attributes, record.Layout[Attribute]{
	Fixed: "code",
	Changing: "name, description, group_name, data_type, unit, allowed_values, is_multi_value, is_visible, " +
		"min_value, max_value, pattern, is_active",
	Key:     "code_key",
	KeyOf:   func(a *Attribute) string { return a.Code },
	Derived: func(a *Attribute) db.Args { return db.Args{"search": record.SearchText(a.Code, a.Name)} },
})

// FindAttribute is the active definition with this code. Refusal: Attribute.NotFound.
func FindAttribute(tx *db.Tx, code string) (Attribute, error) {
	a, found, err := attributes.One(tx, "catalog.FindAttribute", "code_key = :key and is_active = 1",
		db.Args{"key": record.Fold(code)})
	return a, ErrAttributeNotFound.When(!found, err,
		"there is no active attribute %s: GET /preview/attributes lists them", code)
}

// ListAttributes are the active definitions by code.
func ListAttributes(tx *db.Tx, search string, p record.Page) (record.Found[Attribute], error) {
	q := attributes.Query("catalog.ListAttributes")
	q.Where("is_active = 1", nil)
	q.Search("search", search)
	return record.ListOf(tx, q, p, attributes.Scan)
}

func attributeUsed(tx *db.Tx, code string) (bool, error) {
	var one int
	return tx.One(`-- catalog.attributeUsed
		select 1 from item_attribute where company = :company and attribute_key = :key limit 1`,
		db.Args{"key": record.Fold(code)}, &one)
}

// valuesOf are the values an item has of one attribute.
func valuesOf(tx *db.Tx, itemID, code string) (values []string, err error) {
	return db.Column[string](tx, `-- catalog.valuesOf
		select value from item_attribute where company = :company and item_id = :item and attribute_key = :key order by position`,
		db.Args{"item": itemID, "key": record.Fold(code)})
}

// maxValueKey keeps the index of values small: a filter compares the first characters of long texts.
const maxValueKey = 200

// valueKey is the form in which a filter compares a value.
func valueKey(v string) string {
	v = record.Fold(v)
	if r := []rune(v); len(r) > maxValueKey {
		return string(r[:maxValueKey])
	}
	return v
}

func writeValues(tx *db.Tx, itemID, code string, values []string) error {
	key := record.Fold(code)
	if err := tx.Delete(db.Args{"item_id": itemID, "attribute_key": key}, "item_attribute"); err != nil {
		return err
	}
	return tx.Insert("item_attribute", "item_id, attribute_key, position, value, value_key", len(values),
		func(n int) []any {
			return []any{itemID, key, n + 1, values[n], valueKey(values[n])}
		})
}

// ValuesOf are the attribute values of an item, by attribute code, with their definitions. Values of an
// attribute that is no longer active are left out.
func ValuesOf(tx *db.Tx, itemID string) ([]Value, error) {
	var out []Value
	err := tx.Each(`-- catalog.ValuesOf
		select a.id, a.code, a.name, a.data_type, a.unit, v.value
		from item_attribute v join attribute a on a.company = v.company and a.code_key = v.attribute_key
		where v.company = :company and v.item_id = :item and a.is_active = 1 order by v.attribute_key, v.position`,
		db.Args{"item": itemID}, func(r db.Row) error {
			var a Attribute
			var value string
			if err := r.Scan(&a.ID, &a.Code, &a.Name, &a.DataType, &a.Unit, &value); err != nil {
				return err
			}
			if n := len(out); n == 0 || out[n-1].Attribute.ID != a.ID {
				out = append(out, Value{Attribute: a})
			}
			out[len(out)-1].Values = append(out[len(out)-1].Values, value)
			return nil
		})
	return out, err
}

// PutManyValues gives new items their first attribute values, for imports: by item id, then by
// attribute code. The values are already in the plain form of CheckValues; the change is part of the items' creation.
func PutManyValues(tx *db.Tx, values map[string]map[string][]string) error {
	var rows [][]any
	for item, byCode := range values {
		for code, vs := range byCode {
			for n, v := range vs {
				rows = append(rows, []any{item, record.Fold(code), n + 1, v, valueKey(v)})
			}
		}
	}
	return tx.Insert("item_attribute", "item_id, attribute_key, position, value, value_key", len(rows),
		func(n int) []any { return rows[n] })
}
