package exchange

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/table"
)

// sheet is a table whose columns are known.
type sheet struct {
	*table.Reader
	kind       *kind
	exact      bool // no column is read but those that were mapped
	comma      bool // numbers have a decimal comma
	english    func(word string) []string
	columns    map[string]int // target -> column
	attributes []attribute    // columns of attribute values, of items
	seen       int            // columns looked at; those of NDJSON come as the rows do
	unused     []fault.Said
}

// attribute is a column that holds the values of an attribute.
type attribute struct {
	code   string
	column int
}

// attributePrefix begins the names of columns that hold attribute values.
const attributePrefix = "attribute."

// attributeOf is the code of the attribute that a column is named for.
func (k *kind) attributeOf(name string) (code string, ok bool) {
	if !k.hasAttributes || len(name) <= len(attributePrefix) || !strings.EqualFold(name[:len(attributePrefix)],
		attributePrefix) {
		return "", false
	}
	return strings.TrimSpace(name[len(attributePrefix):]), true
}

// openSheet finds the columns: as the user mapped them, else, unless exactly those are wanted, by their names.
func openSheet(t *table.Reader, k *kind, mapping map[string]string, exact bool) (*sheet, error) {
	s := &sheet{Reader: t, kind: k, exact: exact}
	rest := maps.Clone(mapping)
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		code, ok := k.attributeOf(name)
		if !ok {
			continue
		}
		i := t.Index(mapping[name])
		if i < 0 {
			return nil, noColumn(t, name, mapping[name])
		}
		s.attributes = append(s.attributes, attribute{code, i})
		delete(rest, name)
	}
	var err error
	if s.columns, err = mapColumns(t, k, rest, exact); err != nil {
		return nil, err
	}
	s.look()
	return s, nil
}

// look takes in the columns that were not looked at yet.
func (s *sheet) look() {
	all := s.Columns()
	for i := s.seen; i < len(all) && !s.exact; i++ {
		if slices.ContainsFunc(s.attributes, func(a attribute) bool { return a.column == i }) {
			continue
		}
		if t, ok := s.kind.target(all[i]); ok {
			if at, known := s.columns[t]; !known {
				s.columns[t] = i
			} else if at != i {
				s.unused = append(s.unused, fault.Say("column %q was not read: %q holds %s already", all[i], all[at],
					t))
			}
			continue
		}
		if slices.Contains(slices.Collect(maps.Values(s.columns)), i) { // the user said what it holds
			continue
		}
		if code, ok := s.kind.attributeOf(all[i]); ok {
			s.attributes = append(s.attributes, attribute{code, i})
			continue
		}
		s.unused = append(s.unused, fault.Say("column %q was not read: it is nothing that %s have", all[i],
			s.kind.name))
	}
	s.seen = len(all)
}

// next is the next row that is not empty; io.EOF after the last.
func (s *sheet) next() (*row, error) {
	for {
		raw, err := s.Next()
		if bad, ok := errors.AsType[*table.BadRow](err); ok {
			return &row{sheet: s, line: bad.Line, err: bad.Why}, nil
		}
		if err != nil {
			return nil, err
		}
		if len(s.Columns()) > s.seen {
			s.look()
		}
		if slices.ContainsFunc(raw.Values, func(v string) bool { return strings.TrimSpace(v) != "" }) {
			return s.row(raw), nil
		}
	}
}

// row holds the cells against the rules that all texts have: UTF-8 without control characters, not too long.
func (s *sheet) row(raw table.Row) *row {
	r := &row{sheet: s, line: raw.Line, values: slices.Clone(raw.Values)}
	var wrong fault.List
	for i := range s.kind.fields {
		f := &s.kind.fields[i]
		if at, ok := s.columns[f.name]; ok && at < len(r.values) && !f.shown {
			r.values[at] = tidy(&wrong, f.name, f.limit, r.values[at])
		}
	}
	for _, a := range s.attributes {
		if a.column < len(r.values) {
			r.values[a.column] = tidy(&wrong, attributePrefix+a.code, htmlText, r.values[a.column])
		}
	}
	if err := wrong.Err(); err != nil {
		r.refuse(err)
	}
	return r
}

// tidy trims a text and brings its line ends to the form they are kept in. A code is one line, as in the API.
func tidy(wrong *fault.List, name string, limit int, v string) string {
	v = strings.TrimSpace(v)
	if strings.Contains(v, "\r\n") {
		v = strings.ReplaceAll(v, "\r\n", "\n")
	}
	switch {
	case !utf8.ValidString(v):
		wrong.Add(fault.ErrInvalid, name, "is not UTF-8: save the file in that encoding")
		return ""
	case strings.ContainsFunc(v, func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }):
		wrong.Add(fault.ErrInvalid, name, "has control characters in it: remove them")
		return ""
	case limit <= code && strings.ContainsAny(v, "\n\t"):
		wrong.Add(fault.ErrInvalid, name, "must be one line: leave newlines and tabs out")
		return ""
	case len(v) > limit && utf8.RuneCountInString(v) > limit:
		wrong.Add(fault.ErrInvalid, name, "is longer than %d characters: shorten it", limit)
	}
	return v
}

// row is one row of a sheet and what became of it.
type row struct {
	*sheet
	line    int
	values  []string
	outcome outcome
	err     error // the refusal
}

// outcome is what became of a row that was not refused.
type outcome int

const (
	unbooked outcome = iota
	unchanged
	created
	updated
)

// get is the text of a cell, "" where it is empty or there is no such column.
func (r *row) get(name string) string {
	if at, ok := r.columns[name]; ok && at < len(r.values) {
		return r.values[at]
	}
	return ""
}

// has reports whether the table has a column.
func (r *row) has(name string) bool { _, ok := r.columns[name]; return ok }

// key is the row as reports name it: what its first columns hold.
func (r *row) key() string {
	parts := each.Given(r.kind.shownKey, r.get)
	return strings.Join(parts, " ")
}

// refuse notes why the row is not imported.
func (r *row) refuse(err error) { r.err = err }

// became notes what became of the row, unless it was refused.
func (r *row) became(o outcome) {
	if r.err == nil {
		r.outcome = max(r.outcome, o)
	}
}

// turned says what became of a row that a room saved among others.
func (r *row) turned(err error, isNew, changed bool) {
	switch {
	case err != nil:
		r.refuse(err)
	case isNew:
		r.became(created)
	case changed:
		r.became(updated)
	default:
		r.became(unchanged)
	}
}

// revised is the outcome of a record that had version before (0 = it is new) and has version after.
func revised(before, after int64) outcome {
	switch before {
	case 0:
		return created
	case after:
		return unchanged
	}
	return updated
}
