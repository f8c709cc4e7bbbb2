// Package exchange is the tables that come in and go out: import and export of items, customers, price lists, stock and
// a history of orders, row by row with the codes of the API.
package exchange

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/table"
)

// kindColumns are what a kind's rows may hold: target -> other names a column is recognised by.
func kindColumns(kind string) map[string][]string {
	switch kind {
	case "orders":
		return map[string][]string{
			"externalOrderNumber": {"orderNumber", "invoiceNumber", "invoiceNo", "documentNumber", "number"},
			"itemNumber":          {"stockCode", "item", "sku", "productCode"},
			"description":         {"itemName", "name", "product"},
			"quantity":            {"qty"},
			"orderDate":           {"invoiceDate", "date", "documentDate"},
			"unitCode":            nil,
			"unitPrice":           {"price"},
			"isPriceIncludingTax": nil,
			"discountPercent":     nil,
			"discountAmount":      nil,
			"taxCode":             nil,
			"currencyCode":        {"currency"},
			"customerNumber":      {"customerId", "customer"},
			"customerReference":   nil,
			"countryCode":         {"country", "countryName"},
		}
	}
	k, ok := kindOf(kind)
	if !ok {
		return nil
	}
	columns := make(map[string][]string, len(k.fields))
	for _, f := range k.fields {
		columns[f.name] = f.others
	}
	return columns
}

// required are the targets a kind cannot do without.
func required(kind string) []string {
	switch kind {
	case "orders":
		return []string{"externalOrderNumber", "itemNumber", "quantity", "orderDate", "unitPrice"}
	}
	var names []string
	if k, ok := kindOf(kind); ok {
		for _, f := range k.fields {
			if f.required {
				names = append(names, f.name)
			}
		}
	}
	return names
}

// target is the name by which a kind knows a column, whatever the user calls it.
func target(kind, name string) (string, bool) {
	want := bareName(name)
	for t, others := range kindColumns(kind) {
		if bareName(t) == want || slices.ContainsFunc(others, func(o string) bool { return bareName(o) == want }) {
			return t, true
		}
	}
	return "", false
}

func bareName(s string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(s))
}

// mapColumns finds the column of each target: as the user mapped it (target=column), else, unless exactly those are
// wanted, by its name. Everything that is wrong is reported at once.
func mapColumns(r *table.Reader, kind string, mapping map[string]string, exact bool) (map[string]int, error) {
	columns := map[string]int{}
	var wrong fault.List
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		t, ok := target(kind, name)
		if !ok {
			wrong.Add(fault.ErrInvalid, name, "is nothing that %s have; they have %s", kind,
				strings.Join(slices.Sorted(maps.Keys(kindColumns(kind))), ", "))
			continue
		}
		i := r.Index(mapping[name])
		if i < 0 {
			wrong.AddError(noColumn(r, name, mapping[name]))
			continue
		}
		columns[t] = i
	}
	for i, c := range r.Columns() {
		t, ok := target(kind, c)
		if _, mapped := columns[t]; ok && !mapped && !exact {
			columns[t] = i
		}
	}
	named := wrong.Empty() && len(r.Columns()) > 0 // without any there are no rows either
	for _, t := range required(kind) {
		if _, ok := columns[t]; !ok && named {
			wrong.Add(fault.ErrInvalid, t, "no column holds it: name one with --map %s=COLUMN", t)
		}
	}
	return columns, wrong.Err()
}

// noColumn refuses a column that the file does not have.
func noColumn(r *table.Reader, target, column string) error {
	return fault.ErrInvalid.At(target, "the file has no column %q; it has %s", column, strings.Join(r.Columns(), ", "))
}
