package record

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
)

func (r *Root) root() *Root { return r }

// PartLayout says of which columns the rows are that belong to records, such as the lines of documents.
type PartLayout[T, P any] struct {
	Table string
	Owner string // the column that names the record
	// Place is the column that says in which order they stand in it: a number of their own, or, where it is none of
	// Columns, 1, 2, … as they lie there.
	Place   string
	Columns string
	Of      func(*T) *[]P
	Derived func(*T, *P) db.Args // further columns, which follow from both; nil = none
	Count   func(*T) int         // how many there are, where a record knows that; nil = they are asked for
}

// Parts are rows of a table that are read, written and removed with the records that they belong to: see Layout.Parts.
type Parts[T any] struct{ *parts }

// PartsOf lays out rows that belong to records. Called in the var block of the room that owns them.
func PartsOf[T, P any](l PartLayout[T, P]) *Parts[T] {
	p := &parts{table: l.Table, owner: l.Owner, place: l.Place, row: db.ColumnsOf(reflect.TypeFor[P](), l.Columns),
		count: ofAny(l.Count), of: func(v any) reflect.Value { return reflect.ValueOf(l.Of(v.(*T))).Elem() }}
	if l.Derived != nil {
		p.derive = func(v, part any) db.Args { return l.Derived(v.(*T), part.(*P)) }
	}
	p.laid = lazy.Of(p, func() *partTexts { return p.layOut(l.Columns, new(T), new(P)) })
	return &Parts[T]{p}
}

// Read puts the rows of records into them.
func (p *Parts[T]) Read(tx *db.Tx, records []T) error { return p.read(tx, batchOf(records)) }

// Insert writes the rows of new records.
func (p *Parts[T]) Insert(tx *db.Tx, records ...*T) error { return p.insert(tx, batchOf(records)) }

// parts are Parts of records whose type is known as the program runs.
type parts struct {
	table, owner, place string
	row                 *db.Columns
	of                  func(v any) reflect.Value // the list in a record
	derive              func(v, part any) db.Args
	count               func(v any) int
	laid                func() *partTexts
}

// partTexts are what the statements of parts are made of.
type partTexts struct {
	derived     []string // columns, sorted
	numbered    int      // where place is among the columns; -1 = nowhere
	written     string   // the columns of Insert
	overwriting string   // the end of a write
}

// layOut finds the texts by means of a record and a part of it.
func (p *parts) layOut(columns string, record, part any) *partTexts {
	t := &partTexts{}
	if p.derive != nil {
		t.derived = slices.Sorted(maps.Keys(p.derive(record, part)))
	}
	t.numbered = slices.Index(db.ColumnNames(columns), p.place)
	t.written = joined(columns, strings.Join(t.derived, ", "), p.owner)
	if t.numbered < 0 {
		t.written = joined(t.written, p.place)
	}
	t.overwriting = db.Overwriting(p.owner+", "+p.place, t.written)
	return t
}

func (p *parts) read(tx *db.Tx, records batch) error {
	at, ids := make(map[string]int, records.len()), make([]string, 0, records.len())
	for i := range records.len() {
		v := records.at(i)
		if p.count != nil && p.count(v) == 0 {
			continue
		}
		id := RootOf(v).ID
		ids, at[id] = append(ids, id), i
	}
	if len(ids) == 0 {
		return nil
	}
	query := "-- record.Parts.Read " + p.table + "\nselect " + p.row.Select(p.table) + ", " + p.owner + " from " + p.table +
		" where company = :company and " + p.owner + " in (:ids) order by " + p.owner + ", " + p.place
	return tx.Each(query, db.Args{"ids": ids}, func(r db.Row) error {
		var id string
		part := reflect.New(p.row.Type())
		err := r.Scan(append(p.row.Of(part.Interface()), &id)...)
		db.Grown(p.of(records.at(at[id]))).Set(part.Elem())
		return err
	})
}

// placed is a part with the record that it belongs to, both by their pointers.
type placed struct {
	of, part any
	place    int
}

// placed are the parts of a record.
func (p *parts) placed(record any) []placed {
	list := batch{p.of(record)}
	out := make([]placed, list.len())
	for i := range out {
		out[i] = placed{record, list.at(i), i + 1}
		if p.laid().numbered >= 0 {
			out[i].place = *p.row.Of(out[i].part)[p.laid().numbered].(*int)
		}
	}
	return out
}

func (p *parts) values(at placed) []any {
	values := p.row.Of(at.part)
	if p.derive != nil {
		derived := p.derive(at.of, at.part)
		for _, name := range p.laid().derived {
			values = append(values, derived[name])
		}
	}
	if values = append(values, RootOf(at.of).ID); p.laid().numbered < 0 {
		values = append(values, at.place)
	}
	return values
}

func (p *parts) insert(tx *db.Tx, records batch) error {
	var rows []placed
	for i := range records.len() {
		rows = append(rows, p.placed(records.at(i))...)
	}
	return tx.Insert(p.table, p.laid().written, len(rows), func(i int) []any { return p.values(rows[i]) })
}

// write writes what differs in those of a record from what they were before, and deletes those that are gone.
func (p *parts) write(tx *db.Tx, before, after any) error {
	was := map[int]placed{}
	for _, b := range p.placed(before) {
		was[b.place] = b
	}
	var differ []placed
	for _, a := range p.placed(after) {
		if b, ok := was[a.place]; !ok || !reflect.DeepEqual(p.values(b), p.values(a)) {
			differ = append(differ, a)
		}
		delete(was, a.place)
	}
	if len(was) > 0 {
		gone := db.Args{p.owner: RootOf(after).ID, p.place: slices.Sorted(maps.Keys(was))}
		if err := tx.Delete(gone, p.table); err != nil {
			return err
		}
	}
	return tx.Upsert(p.table, p.laid().written, len(differ), func(i int) []any { return p.values(differ[i]) },
		p.laid().overwriting)
}

// own gives a record a list of its own, with what it held.
func (p *parts) own(record any) {
	list := p.of(record)
	list.Set(reflect.AppendSlice(list.Slice3(0, 0, 0), list))
}
