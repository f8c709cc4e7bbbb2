package record

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
)

func (r *Root) root() *Root { return r }

// Belonging are rows of a table that are read, written and removed with the records that they belong to.
type Belonging[T any] interface {
	// Read puts the rows of records into them.
	Read(tx *db.Tx, records []T) error
	// Insert writes those of new records.
	Insert(tx *db.Tx, records ...*T) error
	// Write writes what differs in those of a record from what they were before, and deletes those that are gone.
	Write(tx *db.Tx, before, after *T) error
	// Remove deletes those of the records with these ids.
	Remove(tx *db.Tx, ids []string) error
	// Part gives a record a list of its own, with what it held.
	Part(record *T)
}

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

// Parts are where the rows stand that belong to records: see Layout.Parts.
type Parts[T, P any] struct {
	PartLayout[T, P]
	row         db.Mapping[P]
	derived     []string // columns, sorted
	numbered    int      // where Place is among the columns; -1 = nowhere
	written     string   // the columns of Insert
	overwriting string   // the end of Write
}

// PartsOf lays out rows that belong to records. Called in the var block of the room that owns them.
func PartsOf[T, P any](l PartLayout[T, P]) *Parts[T, P] {
	p := &Parts[T, P]{PartLayout: l, row: db.Map[P](l.Columns)}
	p.numbered = slices.Index(db.ColumnNames(l.Columns), l.Place)
	if l.Derived != nil {
		p.derived = slices.Sorted(maps.Keys(l.Derived(new(T), new(P))))
	}
	p.written = joined(l.Columns, strings.Join(p.derived, ", "), l.Owner)
	if p.numbered < 0 {
		p.written = joined(p.written, l.Place)
	}
	p.overwriting = db.Overwriting(l.Owner+", "+l.Place, p.written)
	return p
}

// Read is that of Belonging.
func (p *Parts[T, P]) Read(tx *db.Tx, records []T) error {
	at, ids := make(map[string]int, len(records)), make([]string, 0, len(records))
	for i := range records {
		if p.Count != nil && p.Count(&records[i]) == 0 {
			continue
		}
		id := RootOf(&records[i]).ID
		ids, at[id] = append(ids, id), i
	}
	if len(ids) == 0 {
		return nil
	}
	query := "-- record.Parts.Read " + p.Table + "\nselect " + p.row.Select(p.Table) + ", " + p.Owner + " from " + p.Table +
		" where company = :company and " + p.Owner + " in (:ids) order by " + p.Owner + ", " + p.Place
	return tx.Each(query, db.Args{"ids": ids}, func(r db.Row) error {
		var id string
		var part P
		err := r.Scan(append(p.row.Of(&part), &id)...)
		list := p.Of(&records[at[id]])
		*list = append(*list, part)
		return err
	})
}

// placed is a part with the record that it belongs to.
type placed[T, P any] struct {
	of    *T
	part  *P
	place int
}

// placed are the parts of a record.
func (p *Parts[T, P]) placed(record *T) []placed[T, P] {
	list := *p.Of(record)
	out := make([]placed[T, P], len(list))
	for i := range list {
		out[i] = placed[T, P]{record, &list[i], i + 1}
		if p.numbered >= 0 {
			out[i].place = *p.row.Of(&list[i])[p.numbered].(*int)
		}
	}
	return out
}

func (p *Parts[T, P]) values(at placed[T, P]) []any {
	values := p.row.Of(at.part)
	if p.Derived != nil {
		derived := p.Derived(at.of, at.part)
		for _, name := range p.derived {
			values = append(values, derived[name])
		}
	}
	if values = append(values, RootOf(at.of).ID); p.numbered < 0 {
		values = append(values, at.place)
	}
	return values
}

// Insert is that of Belonging.
func (p *Parts[T, P]) Insert(tx *db.Tx, records ...*T) error {
	var rows []placed[T, P]
	for _, r := range records {
		rows = append(rows, p.placed(r)...)
	}
	return tx.Insert(p.Table, p.written, len(rows), func(i int) []any { return p.values(rows[i]) })
}

// Write is that of Belonging.
func (p *Parts[T, P]) Write(tx *db.Tx, before, after *T) error {
	was := map[int]placed[T, P]{}
	for _, b := range p.placed(before) {
		was[b.place] = b
	}
	var differ []placed[T, P]
	for _, a := range p.placed(after) {
		if b, ok := was[a.place]; !ok || !reflect.DeepEqual(p.values(b), p.values(a)) {
			differ = append(differ, a)
		}
		delete(was, a.place)
	}
	if len(was) > 0 {
		gone := db.Args{p.Owner: RootOf(after).ID, p.Place: slices.Sorted(maps.Keys(was))}
		if err := tx.Delete(gone, p.Table); err != nil {
			return err
		}
	}
	return tx.Upsert(p.Table, p.written, len(differ), func(i int) []any { return p.values(differ[i]) }, p.overwriting)
}

// Remove is that of Belonging.
func (p *Parts[T, P]) Remove(tx *db.Tx, ids []string) error {
	return tx.Delete(db.Args{p.Owner: ids}, p.Table)
}

// Part is that of Belonging.
func (p *Parts[T, P]) Part(record *T) {
	list := p.Of(record)
	*list = slices.Clone(*list)
}
