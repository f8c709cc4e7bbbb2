package exchange

import (
	"maps"
	"slices"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/table"
)

// HandedIn are the kinds of tables that people hand in through the office. The history of orders and of purchase
// orders, and registers of postal codes, take more to be told than a page would ask, and stay with the command line.
func HandedIn() []string {
	return slices.DeleteFunc(Kinds(), func(k string) bool {
		return k == orders || k == "purchase-orders" || k == "postal-codes"
	})
}

// Targets are what the columns of a kind may hold, in its own order, without what is only written for people.
func Targets(kind string) []string {
	k, ok := kindOf(kind)
	if !ok {
		return nil
	}
	kept := each.Where(k.fields, func(f field) bool { return !f.shown })
	return each.Of(kept, func(f field) string { return f.name })
}

// Recognised is what columns of a file are taken for by their names: target -> column. What is required and missing is
// not refused.
func Recognised(kind string, t *table.Reader) map[string]string {
	k, ok := kindOf(kind)
	if !ok {
		return nil
	}
	s := &sheet{Reader: t, kind: k, columns: map[string]int{}}
	s.look()
	out := make(map[string]string, len(s.columns))
	for _, f := range k.fields {
		if at, ok := s.columns[f.name]; ok && !f.shown {
			out[f.name] = t.Columns()[at]
		}
	}
	for _, a := range s.attributes {
		out[attributePrefix+a.code] = t.Columns()[a.column]
	}
	return out
}

// Translated are the columns of a file that are written in another language, by what they are taken for: english says
// what a word of it means. A column that is recognised as it is, or another was taken for, is not among them.
func Translated(kind string, t *table.Reader, english func(word string) []string) map[string]string {
	taken, out := Recognised(kind, t), map[string]string{}
	k, ok := kindOf(kind)
	if !ok {
		return out
	}
	for _, column := range t.Columns() {
		if _, ok := k.target(column); ok {
			continue
		}
		for _, word := range english(column) {
			name, ok := k.target(word)
			if _, already := taken[name]; ok && !already && slices.Contains(Targets(kind), name) {
				taken[name], out[name] = column, column
				break
			}
		}
	}
	return out
}

// translated is a mapping with the columns beside it that are written in another language.
func (o *Options) translated(k *kind, t *table.Reader, mapping map[string]string) map[string]string {
	if o.Exact || o.English == nil || o.Heads != nil {
		return mapping
	}
	all := Translated(k.name, t, o.English)
	for name := range mapping {
		of, _ := k.target(name)
		delete(all, of)
	}
	maps.Copy(all, mapping)
	return all
}
