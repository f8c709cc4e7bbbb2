package record

import (
	"maps"
	"reflect"
	"slices"
	"strings"

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
	// Named is the business key under which a record is reported, such as its code behind that of its store; nil =
	// KeyOf.
	Named func(*T) string
	// Derived are further columns that follow from a record, such as its search text, an empty one too; nil = none.
	Derived func(*T) db.Args
	// Sealed is the column that is kept sealed; nil = none.
	Sealed *Sealed[T]
	// Parts are rows of other tables that are read, written and removed with a record, such as its lines.
	Parts []Belonging[T]
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
	keyed              bool     // the column of the key is none of a record's own
	overwriting        string   // the end of Write
	changing           string   // the columns that Update writes
	names              []string // likewise
}

// TableOf makes the table of a resource. Called in the var block of the room that owns it.
func TableOf[T any](r Resource, l Layout[T]) Table[T] {
	t := Table[T]{Layout: l, resource: r, fixed: db.Map[T](RootColumns + ", " + l.Fixed), changing: db.Map[T](l.Changing)}
	t.Columns = joined(RootColumns, l.Fixed, l.Changing)
	t.row = db.Map[T](t.Columns)
	sealed := ""
	if l.Sealed != nil {
		sealed = l.Sealed.Column
		t.Columns = joined(t.Columns, sealed)
	}
	if t.Fold == nil {
		t.Fold = Fold
	}
	if t.Key == "" {
		t.Key, t.Fold, t.KeyOf = "id", strings.ToLower, func(v *T) string { return RootOf(v).ID }
	}
	if t.Named == nil {
		t.Named = t.KeyOf
	}
	if l.Derived != nil {
		t.texts.derived = slices.Sorted(maps.Keys(l.Derived(new(T))))
	}
	t.texts.changing = joined(l.Changing, sealed, strings.Join(t.texts.derived, ", "))
	t.texts.compose(r.Table, t.Columns, t.Key)
	return t
}

func (t *texts) compose(table, columns, key string) {
	t.name = "-- record.Table " + table + "."
	t.written = joined(columns, strings.Join(t.derived, ", "))
	if t.keyed = !slices.Contains(db.ColumnNames(columns), key); t.keyed {
		t.written += ", " + key
	}
	t.overwriting = db.Overwriting("id", t.changing)
	t.find = "\nselect " + columns + " from " + table + " where company = :company "
	t.names = db.ColumnNames(t.changing)
	sets := each.Of(t.names, func(c string) string { return c + " = :" + c })
	t.update = t.name + "Update\nupdate " + table + " set " + strings.Join(sets, ", ") +
		" where company = :company and id = :id"
}

func joined(lists ...string) string {
	return strings.Join(slices.DeleteFunc(lists, func(s string) bool { return s == "" }), ", ")
}

// RootOf is the root of the record that v points to.
func RootOf(v any) *Root { return v.(interface{ root() *Root }).root() }

// Scan reads a row of Columns, of a table without a sealed one.
func (t *Table[T]) Scan(r db.Row, v *T) error { return t.row.Scan(r, v) }

// scan is Scan of any table.
func (t *Table[T]) scan(tx *db.Tx) func(db.Row, *T) error {
	if t.Sealed == nil {
		return t.row.Scan
	}
	return func(r db.Row, v *T) error { return t.unseal(tx, r, v) }
}

func (t *Table[T]) unseal(tx *db.Tx, r db.Row, v *T) error {
	var sealed string
	if err := r.Scan(append(t.row.Of(v), &sealed)...); err != nil {
		return err
	}
	text, err := tx.Unseal(t.resource.Table, t.Sealed.Column, RootOf(v).ID, sealed)
	t.Sealed.Open(v, text, err != nil)
	return nil
}

// values are those of some columns of records, with what is sealed and what follows from them.
func (t *Table[T]) values(tx *db.Tx, columns db.Mapping[T], records []*T) ([][]any, error) {
	all := make([][]any, len(records))
	for i, v := range records {
		all[i] = columns.Of(v)
		if t.Sealed != nil {
			sealed, err := tx.Seal(t.resource.Table, t.Sealed.Column, RootOf(v).ID, t.Sealed.Of(v))
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], sealed)
		}
		if t.Derived != nil {
			derived := t.Derived(v)
			for _, name := range t.texts.derived {
				all[i] = append(all[i], derived[name])
			}
		}
	}
	return all, nil
}

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
	v, ok, err = db.First(tx, t.texts.name+verb+t.texts.find+"and "+column+" = :key"+lock, db.Args{"key": key},
		t.scan(tx))
	if err != nil || !ok {
		return v, ok, err
	}
	list := []T{v}
	err = t.Whole(tx, list)
	return list[0], true, err
}

// Whole reads the parts of records that were read without them.
func (t *Table[T]) Whole(tx *db.Tx, records []T) error {
	for _, p := range t.Parts {
		if err := p.Read(tx, records); err != nil {
			return err
		}
	}
	return nil
}

// List is a page of records, with their parts.
func (t *Table[T]) List(tx *db.Tx, q Query, p Page) (Found[T], error) {
	found, err := ListOf(tx, q, p, t.scan(tx))
	if err != nil {
		return found, err
	}
	return found, t.Whole(tx, found.Items)
}

// Where reads the records that meet a condition, without their parts. What follows the condition, such as an order,
// ends the statement; function names who asks.
func (t *Table[T]) Where(tx *db.Tx, function, condition string, args db.Args) ([]T, error) {
	return db.Rows(tx, "-- "+function+t.texts.find+"and "+condition, args, t.scan(tx))
}

// All reads every record, without its parts: where there are few. order, and perhaps a lock, ends the statement;
// function names who asks.
func (t *Table[T]) All(tx *db.Tx, function, order string) ([]T, error) {
	return db.Rows(tx, "-- "+function+t.texts.find+order, nil, t.scan(tx))
}

// Through hands out all records with their parts, by id: see the function of this name.
func (t *Table[T]) Through(tx *db.Tx, visit func([]T) error) error {
	return Through(func(after string) ([]T, error) {
		list, err := db.Rows(tx, t.texts.name+"Through"+t.texts.find+"and id > :after order by id limit 500",
			db.Args{"after": after}, t.scan(tx))
		if err != nil {
			return nil, err
		}
		return list, t.Whole(tx, list)
	}, func(v *T) string { return RootOf(v).ID }, visit)
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
	return db.First(tx, "-- "+function+t.texts.find+"and "+condition, args, t.scan(tx))
}

// FindMany are the records with these keys by folded key; what does not exist is absent.
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
	folded := each.Of(keys, t.Fold)
	slices.Sort(folded)
	list, err := db.Rows(tx, t.texts.name+verb+t.texts.find+"and "+t.Key+" in (:keys)"+lock,
		db.Args{"keys": slices.Compact(folded)}, t.scan(tx))
	if err == nil {
		err = t.Whole(tx, list)
	}
	for i := range list {
		out[t.Fold(t.KeyOf(&list[i]))] = list[i]
	}
	return out, err
}

// Free refuses, with what Taken says, a record whose key another one has.
func (t *Table[T]) Free(tx *db.Tx, v *T) error {
	taken, err := t.IsTaken(tx, t.KeyOf(v))
	if err == nil && taken {
		err = t.Taken(v)
	}
	return err
}

// IsTaken reports whether a record has a key.
func (t *Table[T]) IsTaken(tx *db.Tx, key string) (bool, error) {
	var n int
	return tx.One(t.texts.name+"IsTaken\nselect 1 from "+t.resource.Table+" where company = :company and "+t.Key+
		" = :key", db.Args{"key": t.Fold(key)}, &n)
}

// Insert writes new records with their parts, and reports nothing.
func (t *Table[T]) Insert(tx *db.Tx, records ...*T) error {
	err := t.Upsert(tx, "", records...)
	for i := 0; err == nil && i < len(t.Parts); i++ {
		err = t.Parts[i].Insert(tx, records...)
	}
	return err
}

// Write is, for records without parts, Insert for those that are new and Update for the others, in one statement.
func (t *Table[T]) Write(tx *db.Tx, records ...*T) error {
	return t.Upsert(tx, t.texts.overwriting, records...)
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
	all, err := t.values(tx, t.row, records)
	if err != nil {
		return err
	}
	return tx.Upsert(t.resource.Table, t.texts.written, len(records), func(i int) []any {
		if t.texts.keyed {
			return append(all[i], t.Fold(t.KeyOf(records[i])))
		}
		return all[i]
	}, onConflict)
}

// Update writes what a change may have written of records, without their parts, and reports nothing: revision and
// stamps are the funnel's.
func (t *Table[T]) Update(tx *db.Tx, records ...*T) error {
	all, err := t.values(tx, t.changing, records)
	if err != nil {
		return err
	}
	if len(records) == 1 {
		args := db.Args{"id": RootOf(records[0]).ID}
		for i, name := range t.texts.names {
			args[name] = all[0][i]
		}
		return tx.Run(t.texts.update, args)
	}
	_, err = tx.Update(t.resource.Table, "id, "+t.texts.changing, 1, len(records), func(i int) []any {
		return append([]any{RootOf(records[i]).ID}, all[i]...)
	})
	return err
}

// Remove deletes the rows of records with their parts and what they own, and reports nothing.
func (t *Table[T]) Remove(tx *db.Tx, records ...*T) error {
	if len(records) == 0 {
		return nil
	}
	ids := each.Of(records, func(v *T) string { return RootOf(v).ID })
	for _, p := range t.Parts {
		if err := p.Remove(tx, ids); err != nil {
			return err
		}
	}
	for _, owned := range t.Owned {
		table, column, _ := strings.Cut(owned, ".")
		if err := tx.Delete(db.Args{column: ids}, table); err != nil {
			return err
		}
	}
	return tx.Delete(db.Args{"id": ids}, t.resource.Table)
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
	return t.resource.Created(tx, *RootOf(v), t.Named(v), *v)
}

// Change lays edit over a record, lets check look at it beside what it was (nil = anything goes), and writes and
// reports what differs: nothing where nothing does. What is fixed stays as it was. Refuses with what Missing, edit,
// check and Taken say.
func (t *Table[T]) Change(tx *db.Tx, key string, edit func(*T) error, check func(before T, v *T) error) (before, v T,
	err error) {
	if before, err = t.Lock(tx, key); err != nil {
		return before, v, err
	}
	v = t.Copy(&before)
	if err := edit(&v); err != nil {
		return before, v, err
	}
	t.fixed.Copy(&v, &before)
	if check != nil {
		if err := check(before, &v); err != nil {
			return before, v, err
		}
	}
	return before, v, t.Act(tx, changed, before, &v)
}

// Changed is Act for a change of no name.
func (t *Table[T]) Changed(tx *db.Tx, before T, v *T) error { return t.Act(tx, changed, before, v) }

// Copy is a record whose parts may be changed without those of the one that it is made of.
func (t *Table[T]) Copy(v *T) T {
	c := *v
	for _, p := range t.Parts {
		p.Part(&c)
	}
	return c
}

// Begin locks a record for a verb and takes the step that Layout.Step knows; before is the record as it was. Refuses
// with what Missing and Step say.
func (t *Table[T]) Begin(tx *db.Tx, key, verb string) (v, before T, err error) {
	if v, err = t.Lock(tx, key); err != nil {
		return v, v, err
	}
	before = t.Copy(&v)
	return v, before, t.Step(&v, verb)
}

// Act writes what differs in a locked record and its parts from what it was before, and reports it as what was done:
// nothing where nothing differs. What the log does not tell of is written without a revision. Refuses with what Taken
// says.
func (t *Table[T]) Act(tx *db.Tx, action string, before T, v *T) error {
	if err := t.report(tx, action, before, v); err != nil {
		return err
	}
	return t.Keep(tx, before, v)
}

func (t *Table[T]) report(tx *db.Tx, action string, before T, v *T) error {
	if t.Sealed != nil && t.Sealed.Of(&before) != t.Sealed.Of(v) {
		return t.resource.Touched(tx, RootOf(v), t.Named(v), action,
			map[string][2]any{t.Sealed.Named: {"", "changed"}})
	}
	return t.resource.Acted(tx, RootOf(v), t.Named(v), action, before, *v)
}

// Keep is the writing of Act, for who reports what was done in another way, and before.
func (t *Table[T]) Keep(tx *db.Tx, before T, v *T) error {
	if RootOf(v).Version != RootOf(&before).Version || !reflect.DeepEqual(t.changing.Of(&before), t.changing.Of(v)) {
		if err := t.taken(tx, v, t.Update(tx, v)); err != nil {
			return err
		}
	}
	for _, p := range t.Parts {
		if err := p.Write(tx, &before, v); err != nil {
			return err
		}
	}
	return nil
}

// Put makes a record, or lays it over the one with its key, of which the root and what is fixed stay. check looks at it
// beside what it was, without an id where it is new. Refuses with what check and Taken say.
func (t *Table[T]) Put(tx *db.Tx, v *T, check func(before T, v *T) error) (before T, err error) {
	before, exists, err := t.first(tx, "Lock", t.Key, t.Fold(t.KeyOf(v)), " for update")
	if err != nil {
		return before, err
	}
	if err := check(before, v); err != nil {
		return before, err
	}
	if exists {
		t.fixed.Copy(v, &before)
		return before, t.Act(tx, changed, before, v)
	}
	*RootOf(v) = New(tx)
	return before, t.Create(tx, v)
}

// Delete removes a record, and reports it, unless refuse has a reason against it; nil = there is none.
func (t *Table[T]) Delete(tx *db.Tx, key string, refuse func(*T) error) error {
	v, err := t.Lock(tx, key)
	if err != nil {
		return err
	}
	if refuse != nil {
		if err := refuse(&v); err != nil {
			return err
		}
	}
	return t.Drop(tx, &v)
}

// Drop removes a locked record, and reports it.
func (t *Table[T]) Drop(tx *db.Tx, v *T) error {
	if err := t.Remove(tx, v); err != nil {
		return err
	}
	return t.resource.Deleted(tx, *RootOf(v), t.Named(v), *v)
}

// taken is the refusal for a broken uniqueness constraint.
func (t *Table[T]) taken(tx *db.Tx, v *T, err error) error {
	if tx.Unique(err) && t.Taken != nil {
		return t.Taken(v)
	}
	return err
}
