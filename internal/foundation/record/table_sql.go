package record

import (
	"reflect"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Layout says of which columns the rows of a resource's table are, those of Root aside, and how one is found.
type Layout[T any] struct {
	Fixed    string // columns that are written once, as a record is created
	Changing string // those that a change may write
	// Key is the column of the business key in the form in which keys are compared, KeyOf the key of a record, and Fold
	// makes that form of it (nil = Fold of this package). Without Key a record is known by its id alone.
	Key   string
	KeyOf func(*T) string
	Fold  func(string) string
	// Number is, in place of both, where a record has the number that it is known by, of which number_key is the key.
	Number func(*T) *string
	// Series is that of the numbers of records that are created without one; "" = there are none. What it gives is held
	// against the others where Taken is said: numbers are given by hand, too.
	Series string
	// Named is the business key under which a record is reported, such as its code behind that of its store; nil =
	// KeyOf.
	Named func(*T) string
	// Derived are further columns that follow from a record, such as its search text, an empty one too; nil = none.
	Derived func(*T) db.Args
	// Sealed is the column that is kept sealed; nil = none.
	Sealed *Sealed[T]
	// Parts are rows of other tables that are read, written and removed with a record, such as its lines.
	Parts []*Parts[T]
	// Step takes a record where a verb leads, or refuses: see Begin and lifecycle.Step.
	Step func(v *T, verb string) error
	// Owned are the columns, as in order_line.order_id, that name a record in tables whose rows go with it.
	Owned []string
	// Missing is the refusal of a record that is not there, Taken that of one whose key, or whatever else is unique,
	// another record has.
	Missing func(key string) error
	Taken   func(*T) error
}

// Sealed is a column that is kept sealed, such as a password: what it holds is told to nobody, only that it is another.
type Sealed[T any] struct {
	Column string
	Named  string // as the log names it
	Of     func(*T) string
	// Open takes what was sealed; it is lost where its key is not here.
	Open func(v *T, text string, lost bool)
}

// Table is where the records of a resource stand: each column is said once, in its Layout, and how a record is found,
// locked, written and removed follows. What is done is done by table, once for every T.
type Table[T any] struct{ *table }

// TableOf makes the table of a resource. Called in the var block of the room that owns it.
func TableOf[T any](r Resource, l Layout[T]) Table[T] {
	t := &table{resource: r, of: reflect.TypeFor[T](), key: l.Key, keyOf: ofAny(l.KeyOf), fold: l.Fold,
		named: ofAny(l.Named), derived: ofAny(l.Derived), owned: l.Owned, Missing: l.Missing, taken: ofAny(l.Taken)}
	if l.Step != nil {
		t.step = func(v any, verb string) error { return l.Step(v.(*T), verb) }
	}
	if s := l.Sealed; s != nil {
		t.sealed = &sealed{s.Column, s.Named, ofAny(s.Of), func(v any, text string, lost bool) {
			s.Open(v.(*T), text, lost)
		}}
	}
	for _, p := range l.Parts {
		t.parts = append(t.parts, p.parts)
	}
	if l.Number != nil {
		t.key, t.number, t.series = "number_key", func(v any) *string { return l.Number(v.(*T)) }, l.Series
		t.keyOf = func(v any) string { return *l.Number(v.(*T)) }
	}
	t.layOut(l.Fixed, l.Changing)
	return Table[T]{t}
}

// ofAny is a function of a T that is called with what is known to point to one; nil where there is none.
func ofAny[T, R any](f func(*T) R) func(any) R {
	if f == nil {
		return nil
	}
	return func(v any) R { return f(v.(*T)) }
}

// Scan reads a row of Columns, of a table without a sealed one.
func (t *Table[T]) Scan(r db.Row, v *T) error { return t.row.Scan(r, v) }

// Find is the record with this key, whole. Refuses with what Missing says.
func (t *Table[T]) Find(tx *db.Tx, key string) (v T, err error) {
	err = t.find(tx, "Find", key, "", &v)
	return v, err
}

// Lock is Find for a change.
func (t *Table[T]) Lock(tx *db.Tx, key string) (v T, err error) {
	err = t.lock(tx, key, &v)
	return v, err
}

// ByID is the record with this id, whole; false where there is none.
func (t *Table[T]) ByID(tx *db.Tx, id string) (v T, ok bool, err error) {
	ok, err = t.first(tx, "ByID", "id", id, "", &v)
	return v, ok, err
}

// Whole reads the parts of records that were read without them.
func (t *Table[T]) Whole(tx *db.Tx, records []T) error { return t.whole(tx, batchOf(records)) }

// List is a page of records, with their parts.
func (t *Table[T]) List(tx *db.Tx, q Query, p Page) (found Found[T], err error) {
	found.Total, err = t.list(tx, q, p, &found.Items)
	return found, err
}

// Where reads the records that meet a condition, without their parts. What follows the condition, such as an order,
// ends the statement; function names who asks.
func (t *Table[T]) Where(tx *db.Tx, function, condition string, args db.Args) (list []T, err error) {
	err = t.those(tx, function, "and "+condition, args, &list)
	return list, err
}

// All reads every record, without its parts: where there are few. order, and perhaps a lock, ends the statement;
// function names who asks.
func (t *Table[T]) All(tx *db.Tx, function, order string) (list []T, err error) {
	err = t.those(tx, function, order, nil, &list)
	return list, err
}

// Through hands out all records with their parts, by id: see the function of this name.
func (t *Table[T]) Through(tx *db.Tx, visit func([]T) error) error {
	return Through(func(after string) (list []T, err error) {
		err = t.beyond(tx, after, &list)
		return list, err
	}, func(v *T) string { return RootOf(v).ID }, visit)
}

// Every hands out one record after another, with its parts, by id.
func (t *Table[T]) Every(tx *db.Tx, visit func(*T)) error {
	return t.Through(tx, func(some []T) error {
		for i := range some {
			visit(&some[i])
		}
		return nil
	})
}

// Through hands out all that there is, some at a time so that memory stays bounded: next reads what follows an id.
func Through[T any](next func(after string) ([]T, error), id func(*T) string, visit func([]T) error) error {
	for after := ""; ; {
		some, err := next(after)
		if err != nil || len(some) == 0 {
			return err
		}
		if err := visit(some); err != nil {
			return err
		}
		after = id(&some[len(some)-1])
	}
}

// One reads the first record that meets a condition, without its parts; false where none does. What follows the
// condition, such as a lock, ends the statement; function names who asks.
func (t *Table[T]) One(tx *db.Tx, function, condition string, args db.Args) (v T, ok bool, err error) {
	ok, err = t.one(tx, function, condition, args, &v)
	return v, ok, err
}

// FindMany are the records with these keys by folded key; what does not exist is absent.
func (t *Table[T]) FindMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.byKey(tx, "FindMany", keys, "")
}

// LockMany is FindMany for a change, locked in the order of their ids.
func (t *Table[T]) LockMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.byKey(tx, "LockMany", keys, " order by id for update")
}

// ReferMany is FindMany for records that others are about to refer to: they cannot be deleted before the commit, and
// who changes what is no key of them goes on.
func (t *Table[T]) ReferMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.byKey(tx, "ReferMany", keys, " order by id for key share")
}

// ShareMany is FindMany for records that others are about to refer to: they are neither deleted nor changed before the
// commit.
func (t *Table[T]) ShareMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.byKey(tx, "ShareMany", keys, " order by id for share")
}

func (t *Table[T]) byKey(tx *db.Tx, verb string, keys []string, lock string) (map[string]T, error) {
	var list []T
	err := t.many(tx, verb, keys, lock, &list)
	out := make(map[string]T, len(keys))
	for i := range list {
		out[t.folded(&list[i])] = list[i]
	}
	return out, err
}

// Free refuses, with what Taken says, a record whose key another one has.
func (t *Table[T]) Free(tx *db.Tx, v *T) error { return t.free(tx, v) }

// Insert writes new records with their parts, and reports nothing.
func (t *Table[T]) Insert(tx *db.Tx, records ...*T) error { return t.insert(tx, batchOf(records)) }

// Write is, for records without parts, Insert for those that are new and Update for the others, in one statement.
func (t *Table[T]) Write(tx *db.Tx, records ...*T) error {
	return t.upsert(tx, t.texts().overwriting, batchOf(records))
}

// Pointers are those to the records of a list, for Insert and its kin.
func Pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// Upsert is Insert, without parts, followed by an `on conflict …` clause.
func (t *Table[T]) Upsert(tx *db.Tx, onConflict string, records ...*T) error {
	return t.upsert(tx, onConflict, batchOf(records))
}

// Update writes what a change may have written of records, without their parts, and reports nothing: revision and
// stamps are the funnel's.
func (t *Table[T]) Update(tx *db.Tx, records ...*T) error { return t.update(tx, batchOf(records)) }

// Remove deletes the rows of records with their parts and what they own, and reports nothing.
func (t *Table[T]) Remove(tx *db.Tx, records ...*T) error { return t.remove(tx, batchOf(records)) }

// Create writes a new record, and reports it: with the root from New and the next number of its series where it has
// none. Refuses with what Taken says where another has its key.
func (t *Table[T]) Create(tx *db.Tx, v *T) error { return t.create(tx, v) }

// Pair is a record as it was, nil where it is new, and as it becomes.
type Pair[T any] struct{ Before, After *T }

// SaveMany is, in few statements, Create of those that are new and Changed of the others, where records without parts
// may be changed. What breaks a uniqueness constraint is the statement's error.
func (t *Table[T]) SaveMany(tx *db.Tx, pairs ...Pair[T]) error {
	var rows []*T
	var changes []Change
	write := t.Insert
	for _, p := range pairs {
		c := Change{Root: RootOf(p.After), Key: t.named(p.After), Action: created, After: p.After}
		if p.Before != nil {
			if c.Action, c.Detail = changed, Diff(p.Before, p.After); len(c.Detail) == 0 {
				if err := tx.Match(c.Root.ID, c.Root.ETag()); err != nil {
					return err
				}
				continue
			}
			write = t.Write
		}
		rows, changes = append(rows, p.After), append(changes, c)
	}
	if err := t.resource.ReportMany(tx, changes); err != nil {
		return err
	}
	return write(tx, rows...)
}

// CreateMany is Create of many records at once, each with the root from New. What breaks a uniqueness constraint is the
// statement's error.
func (t *Table[T]) CreateMany(tx *db.Tx, records ...*T) error {
	return t.SaveMany(tx, each.Of(records, func(v *T) Pair[T] { return Pair[T]{After: v} })...)
}

// Change lays edit over a record, lets check look at it beside what it was (nil = anything goes), and writes and
// reports what differs: nothing where nothing does. What is fixed stays as it was. Refuses with what Missing, edit,
// check and Taken say.
func (t *Table[T]) Change(tx *db.Tx, key string, edit func(*T) error, check func(before T, v *T) error) (before, v T,
	err error) {
	err = t.change(tx, key, &before, &v, func() error { return edit(&v) }, func() error {
		if check == nil {
			return nil
		}
		return check(before, &v)
	})
	return before, v, err
}

// Changed is Act for a change of no name.
func (t *Table[T]) Changed(tx *db.Tx, before T, v *T) error { return t.act(tx, changed, &before, v) }

// Copy is a record whose parts may be changed without those of the one that it is made of.
func (t *Table[T]) Copy(v *T) (c T) {
	t.copy(&c, v)
	return c
}

// Begin locks a record for a verb and takes the step that Layout.Step knows, if there is one; before is the record as
// it was. Refuses with what Missing and Step say.
func (t *Table[T]) Begin(tx *db.Tx, key, verb string) (v, before T, err error) {
	err = t.begin(tx, key, verb, &v, &before)
	return v, before, err
}

// Act writes what differs in a locked record and its parts from what it was before, and reports it as what was done:
// nothing where nothing differs. What the log does not tell of is written without a revision. Refuses with what Taken
// says.
func (t *Table[T]) Act(tx *db.Tx, action string, before T, v *T) error {
	return t.act(tx, action, &before, v)
}

// Do is a whole verb: Begin, what do does to the record (nil = nothing more), and Act. Of records without a Step the
// verb is only what was done. Refuses with what Missing, Step, do and Taken say.
func (t *Table[T]) Do(tx *db.Tx, key, verb string, do func(*T) error) (T, error) {
	v, before, err := t.Begin(tx, key, verb)
	if err == nil && do != nil {
		err = do(&v)
	}
	if err == nil {
		err = t.Act(tx, verb, before, &v)
	}
	return v, err
}

// Keep is the writing of Act, for who reports what was done in another way, and before.
func (t *Table[T]) Keep(tx *db.Tx, before T, v *T) error { return t.keep(tx, &before, v) }

// Put makes a record, or lays it over the one with its key, of which the root and what is fixed stay. check looks at it
// beside what it was, without an id where it is new. Refuses with what check and Taken say.
func (t *Table[T]) Put(tx *db.Tx, v *T, check func(before T, v *T) error) (before T, err error) {
	err = t.put(tx, &before, v, func() error { return check(before, v) })
	return before, err
}

// Delete removes a record, and reports it, unless refuse has a reason against it; nil = there is none.
func (t *Table[T]) Delete(tx *db.Tx, key string, refuse func(*T) error) error {
	return t.delete(tx, key, ofAny(refuse))
}

// Drop removes a locked record, and reports it.
func (t *Table[T]) Drop(tx *db.Tx, v *T) error { return t.drop(tx, v) }
