package record

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
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
	// Derived are further columns that follow from a record, such as its search text; nil = none.
	Derived func(*T) db.Args
	// Parts reads the rows that belong to records, such as their lines; nil = there are none.
	Parts func(*db.Tx, []T) error
	// Missing is the refusal of a record that is not there, Taken that of one whose key, or whatever else is unique,
	// another record has.
	Missing func(key string) error
	Taken   func(*T) error
}

// Table is where the records of a resource stand: each column is said once, in its Layout, and how a record is found,
// locked, written and removed follows.
type Table[T any] struct {
	Layout[T]
	Columns              string // of a whole record, in the order of Scan
	row, fixed, changing db.Mapping[T]
	resource             Resource
	texts                texts
}

// texts are what a table's statements are made of.
type texts struct {
	name, find, update string
	derived            []string // columns, sorted
	written            string   // the columns of Insert
}

// TableOf makes the table of a resource. Called in the var block of the room that owns it.
func TableOf[T any](r Resource, l Layout[T]) Table[T] {
	t := Table[T]{Layout: l, resource: r, fixed: db.Map[T](RootColumns + ", " + l.Fixed), changing: db.Map[T](l.Changing)}
	t.Columns = joined(RootColumns, l.Fixed, l.Changing)
	t.row = db.Map[T](t.Columns)
	if t.Fold == nil {
		t.Fold = Fold
	}
	if t.Key == "" {
		t.Key, t.Fold, t.KeyOf = "id", strings.ToLower, func(v *T) string { return rootOf(v).ID }
	}
	if l.Derived != nil {
		t.texts.derived = slices.Sorted(maps.Keys(l.Derived(new(T))))
	}
	t.texts.compose(r.Table, t.Columns, t.Key, t.changing.Set())
	return t
}

func (t *texts) compose(table, columns, key, set string) {
	t.name = "-- record.Table " + table + "."
	t.written = joined(columns, strings.Join(t.derived, ", "))
	if key != "id" {
		t.written += ", " + key
	}
	t.find = "\nselect " + columns + " from " + table + " where company = :company and "
	for _, d := range t.derived {
		set += ", " + d + " = :" + d
	}
	t.update = t.name + "Update\nupdate " + table + " set " + set + " where company = :company and id = :id"
}

func joined(lists ...string) string {
	return strings.Join(slices.DeleteFunc(lists, func(s string) bool { return s == "" }), ", ")
}

func rootOf(v any) *Root { return v.(interface{ root() *Root }).root() }

// Scan reads a row of Columns.
func (t *Table[T]) Scan(r db.Row, v *T) error { return t.row.Scan(r, v) }

// Find is the record with this key, whole. Refuses with what Missing says.
func (t *Table[T]) Find(tx *db.Tx, key string) (T, error) { return t.one(tx, "Find", key, "") }

// Lock is Find for a change.
func (t *Table[T]) Lock(tx *db.Tx, key string) (T, error) {
	return t.one(tx, "Lock", key, " for update")
}

func (t *Table[T]) one(tx *db.Tx, verb, key, lock string) (T, error) {
	v, ok, err := t.first(tx, verb, t.Key, t.Fold(key), lock)
	if err == nil && !ok {
		err = t.Missing(key)
	}
	return v, err
}

// ByID is the record with this id, whole; false where there is none.
func (t *Table[T]) ByID(tx *db.Tx, id string) (T, bool, error) {
	return t.first(tx, "ByID", "id", id, "")
}

func (t *Table[T]) first(tx *db.Tx, verb, column, key, lock string) (v T, ok bool, err error) {
	ok, err = tx.One(t.texts.name+verb+t.texts.find+column+" = :key"+lock, db.Args{"key": key}, t.row.Of(&v)...)
	if err != nil || !ok || t.Parts == nil {
		return v, ok, err
	}
	list := []T{v}
	err = t.Parts(tx, list)
	return list[0], true, err
}

// Where reads the records that meet a condition, without their parts. What follows the condition, such as an order,
// ends the statement; function names who asks.
func (t *Table[T]) Where(tx *db.Tx, function, condition string, args db.Args) ([]T, error) {
	return db.Rows(tx, "-- "+function+t.texts.find+condition, args, t.row.Scan)
}

// FindMany are the records with these keys, without their parts, by folded key; what does not exist is absent.
func (t *Table[T]) FindMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.many(tx, "FindMany", keys, "")
}

// LockMany is FindMany for a change, locked in the order of their ids.
func (t *Table[T]) LockMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.many(tx, "LockMany", keys, " order by id for update")
}

// ShareMany is FindMany for records that others are about to refer to: they cannot be deleted before the commit.
func (t *Table[T]) ShareMany(tx *db.Tx, keys []string) (map[string]T, error) {
	return t.many(tx, "ShareMany", keys, " order by id for share")
}

func (t *Table[T]) many(tx *db.Tx, verb string, keys []string, lock string) (map[string]T, error) {
	out := make(map[string]T, len(keys))
	if len(keys) == 0 {
		return out, nil
	}
	folded := make([]string, len(keys))
	for i, k := range keys {
		folded[i] = t.Fold(k)
	}
	slices.Sort(folded)
	query := t.texts.name + verb + t.texts.find + t.Key + " in (:keys)" + lock
	return out, tx.Each(query, db.Args{"keys": slices.Compact(folded)}, func(r db.Row) error {
		var v T
		err := t.row.Scan(r, &v)
		out[t.Fold(t.KeyOf(&v))] = v
		return err
	})
}

// Free refuses, with what Taken says, a record whose key another one has.
func (t *Table[T]) Free(tx *db.Tx, v *T) error {
	var n int
	taken, err := tx.One(t.texts.name+"Free\nselect 1 from "+t.resource.Table+" where company = :company and "+t.Key+
		" = :key", db.Args{"key": t.Fold(t.KeyOf(v))}, &n)
	if err == nil && taken {
		err = t.Taken(v)
	}
	return err
}

// Insert writes new records, without their parts, and reports nothing.
func (t *Table[T]) Insert(tx *db.Tx, records ...*T) error {
	return tx.Insert(t.resource.Table, t.texts.written, len(records), func(i int) []any {
		values := t.row.Of(records[i])
		if t.Derived != nil {
			derived := t.Derived(records[i])
			for _, name := range t.texts.derived {
				values = append(values, derived[name])
			}
		}
		if t.Key != "id" {
			values = append(values, t.Fold(t.KeyOf(records[i])))
		}
		return values
	})
}

// Update writes what a change may have written of records, and reports nothing: revision and stamps are the funnel's.
func (t *Table[T]) Update(tx *db.Tx, records ...*T) error {
	for _, v := range records {
		args := db.Args{"id": rootOf(v).ID}
		if t.Derived != nil {
			maps.Copy(args, t.Derived(v))
		}
		if err := tx.Run(t.texts.update, t.changing.Args(v, args)); err != nil {
			return err
		}
	}
	return nil
}

// Remove deletes the row of a record, and reports nothing.
func (t *Table[T]) Remove(tx *db.Tx, v *T) error {
	return tx.Delete(db.Args{"id": rootOf(v).ID}, t.resource.Table)
}

// Query is a page's question for records by their key, to be read with Scan. name is the function that asks.
func (t *Table[T]) Query(name string) Query {
	return Query{Name: name, Select: t.Columns, From: t.resource.Table, Stamp: "changed_at", Key: []string{t.Key},
		Resources: []string{t.resource.Name}}
}

// Create writes a new record with the root from New, and reports it. Refuses with what Taken says where another has its
// key.
func (t *Table[T]) Create(tx *db.Tx, v *T) error {
	if err := t.taken(tx, v, t.Insert(tx, v)); err != nil {
		return err
	}
	return t.resource.Created(tx, *rootOf(v), t.KeyOf(v), *v)
}

// Change lays edit over a record, lets check look at it beside what it was, and writes and reports what differs:
// nothing where nothing does. What is fixed stays as it was. Refuses with what Missing, edit, check and Taken say.
func (t *Table[T]) Change(tx *db.Tx, key string, edit func(*T) error, check func(before T, v *T) error) (before, v T,
	err error) {
	if before, err = t.Lock(tx, key); err != nil {
		return before, v, err
	}
	v = before
	if err := edit(&v); err != nil {
		return before, v, err
	}
	t.fixed.Copy(&v, &before)
	if err := check(before, &v); err != nil {
		return before, v, err
	}
	root := rootOf(&v)
	err = t.resource.Changed(tx, root, t.KeyOf(&v), before, v)
	if err != nil || root.Version == rootOf(&before).Version {
		return before, v, err
	}
	return before, v, t.taken(tx, &v, t.Update(tx, &v))
}

// Delete removes a record, and reports it, unless refuse has a reason against it.
func (t *Table[T]) Delete(tx *db.Tx, key string, refuse func(*T) error) error {
	v, err := t.Lock(tx, key)
	if err != nil {
		return err
	}
	if err := refuse(&v); err != nil {
		return err
	}
	if err := t.Remove(tx, &v); err != nil {
		return err
	}
	return t.resource.Deleted(tx, *rootOf(&v), t.KeyOf(&v), v)
}

// taken is the refusal for a broken uniqueness constraint.
func (t *Table[T]) taken(tx *db.Tx, v *T, err error) error {
	if tx.Unique(err) && t.Taken != nil {
		return t.Taken(v)
	}
	return err
}
