// Package exchange is the tables that come in and go out: import and export of items, customers, price lists, stock and
// a history of orders, row by row with the codes of the API.
package exchange

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/table"
)

// target is the name by which a kind knows a column, whatever the user calls it.
func (k *kind) target(name string) (string, bool) {
	want := bareName(name)
	wanted := func(n string) bool { return bareName(n) == want }
	i := slices.IndexFunc(k.fields, func(f field) bool {
		return wanted(f.name) || slices.ContainsFunc(f.others, wanted)
	})
	if i < 0 {
		return "", false
	}
	return k.fields[i].name, true
}

func bareName(s string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(s))
}

// mapColumns finds the column of each target: as the user mapped it (target=column), else, unless exactly those are
// wanted, by its name. Everything that is wrong is reported at once.
func mapColumns(r *table.Reader, k *kind, mapping map[string]string, exact bool) (map[string]int, error) {
	columns := map[string]int{}
	var wrong fault.List
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		t, ok := k.target(name)
		if !ok {
			names := each.Of(k.fields, func(f field) string { return f.name })
			slices.Sort(names)
			wrong.Add(fault.ErrInvalid, name, "is nothing that %s have; they have %s", k.name, strings.Join(names, ", "))
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
		t, ok := k.target(c)
		if _, mapped := columns[t]; ok && !mapped && !exact {
			columns[t] = i
		}
	}
	named := wrong.Empty() && len(r.Columns()) > 0 // without any there are no rows either
	for _, f := range k.fields {
		if _, ok := columns[f.name]; f.required && !ok && named {
			wrong.Add(fault.ErrInvalid, f.name, "no column holds it: name one with --map %s=COLUMN", f.name)
		}
	}
	return columns, wrong.Err()
}

// noColumn refuses a column that the file does not have.
func noColumn(r *table.Reader, target, column string) error {
	return fault.ErrInvalid.At(target, "the file has no column %q; it has %s", column, strings.Join(r.Columns(), ", "))
}
