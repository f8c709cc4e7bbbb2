package exchange

import (
	"fmt"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// heads are the rows in which a table says what belongs to a whole: the columns of a price list's head, repeated in the
// rows of its lines. The first row of each whole says it; a later one may leave it out, or say the same.
type heads struct {
	plain
	field  string   // whose value names the whole
	fields []string // that belong to it
	first  map[string]*row
}

func newHeads(field string, fields ...string) heads {
	return heads{field: field, fields: fields, first: map[string]*row{}}
}

// headsOf are heads whose columns are those of a record, of which the first names the whole.
func headsOf(fields []field) heads {
	names := each.Of(fields, func(f field) string { return f.name })
	return newHeads(names[0], names[1:]...)
}

// admit refuses a row that says otherwise than the first one of its whole.
func (h *heads) admit(r *row) error {
	key := record.Fold(r.get(h.field))
	first, ok := h.first[key]
	if !ok {
		h.first[key] = r
		return nil
	}
	var wrong fault.List
	for _, f := range h.fields {
		if v := r.get(f); v != "" && v != first.get(f) {
			wrong.Add(fault.ErrInvalid, f,
				"says %q, row %d said %q of the same %s: say the same in all of its rows, or only in the first", v,
				first.line, first.get(f), h.field)
		}
	}
	return wrong.Err()
}

// of is the row that says what belongs to the row's whole.
func (h *heads) of(r *row) *row { return h.first[record.Fold(r.get(h.field))] }

// groups parts rows by their wholes, in the order in which those come first.
func (h *heads) groups(rows []*row) [][]*row {
	return each.Together(rows, func(r *row) string { return record.Fold(r.get(h.field)) })
}

// refuseAll refuses the rows of a whole whose head cannot be as its first row says.
func refuseAll(rows []*row, head *row, err error) {
	f := fault.As(err)
	for _, r := range rows {
		if r == head {
			r.refuse(err)
			continue
		}
		again := *f
		again.Detail = fmt.Sprintf("row %d: %s", head.line, f.Detail)
		r.refuse(&again)
	}
}
