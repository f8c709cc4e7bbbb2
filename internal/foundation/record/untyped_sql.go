package record

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/number"
)

// table is a Table of records whose type is known as the program runs. Each function that takes a record takes a
// pointer to it, and one that reads into a list a pointer to that.
type table struct {
	Columns              string // of a whole record, in the order of Scan
	of                   reflect.Type
	row, fixed, changing *db.Columns
	resource             Resource
	texts                func() *texts

	// As Layout has them.
	key          string
	fold         func(string) string
	keyOf, named func(v any) string
	number       func(v any) *string
	series       string
	derived      func(v any) db.Args
	sealed       *sealed
	parts        []*parts
	step         func(v any, verb string) error
	owned        []string
	Missing      func(key string) error
	taken        func(v any) error
}

// tables are those of a program, which packages lay out as their variables are set.
type tables struct {
	mu  sync.Mutex
	all []*table
}

var laidOut = &tables{}

func (t *tables) add(one *table) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, one)
}

func (t *tables) list() []*table {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.all)
}

// sealed is what Sealed says.
type sealed struct {
	column, named string
	of            func(v any) string
	open          func(v any, text string, lost bool)
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
	query              Query    // of Query, but for its name
}

// layOut completes a table.
func (t *table) layOut(fixed, changing string) {
	t.fixed, t.changing = db.ColumnsOf(t.of, joined(RootColumns, fixed)), db.ColumnsOf(t.of, changing)
	t.Columns = joined(RootColumns, fixed, changing)
	t.row = db.ColumnsOf(t.of, t.Columns)
	sealed := ""
	if t.sealed != nil {
		sealed = t.sealed.column
		t.Columns = joined(t.Columns, sealed)
	}
	if t.fold == nil {
		t.fold = Fold
	}
	if t.key == "" {
		t.key, t.fold, t.keyOf = "id", strings.ToLower, func(v any) string { return RootOf(v).ID }
	}
	if t.named == nil {
		t.named = t.keyOf
	}
	laidOut.add(t)
	t.texts = lazy.Of(t, func() *texts {
		all := &texts{}
		if t.derived != nil {
			all.derived = slices.Sorted(maps.Keys(t.derived(reflect.New(t.of).Interface())))
		}
		all.changing = joined(changing, sealed, strings.Join(all.derived, ", "))
		all.compose(t.resource.Table, t.Columns, t.key)
		all.query = Query{Select: t.Columns, From: t.resource.Table, Stamp: "changed_at", Key: []string{t.key},
			Resources: []string{t.resource.Name}}
		return all
	})
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

// batch are records, or parts of them, of some type.
type batch struct{ list reflect.Value }

// batchOf are the records of a list of them, or of pointers to them.
func batchOf(records any) batch { return batch{reflect.ValueOf(records)} }

// batchAt are the records of the list that a pointer leads to.
func batchAt(records any) batch { return batch{reflect.ValueOf(records).Elem()} }

func (b batch) len() int { return b.list.Len() }

// at is the pointer to one of them.
func (b batch) at(i int) any {
	v := b.list.Index(i)
	if v.Kind() == reflect.Struct {
		v = v.Addr()
	}
	return v.Interface()
}

// scan reads a row of Columns.
func (t *table) scan(tx *db.Tx) func(db.Row, any) error {
	if t.sealed == nil {
		return t.row.Scan
	}
	return func(r db.Row, v any) error {
		var sealed string
		if err := r.Scan(append(t.row.Of(v), &sealed)...); err != nil {
			return err
		}
		text, err := tx.Unseal(t.resource.Table, t.sealed.column, RootOf(v).ID, sealed)
		t.sealed.open(v, text, err != nil)
		return nil
	}
}

// values are those of some columns of records, with what is sealed and what follows from them.
func (t *table) values(tx *db.Tx, columns *db.Columns, records batch) ([][]any, error) {
	all := make([][]any, records.len())
	for i := range all {
		v := records.at(i)
		all[i] = columns.Of(v)
		if t.sealed != nil {
			sealed, err := tx.Seal(t.resource.Table, t.sealed.column, RootOf(v).ID, t.sealed.of(v))
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], sealed)
		}
		if t.derived != nil {
			derived := t.derived(v)
			for _, name := range t.texts().derived {
				all[i] = append(all[i], derived[name])
			}
		}
	}
	return all, nil
}

func (t *table) find(tx *db.Tx, verb, key, lock string, v any) error {
	ok, err := t.first(tx, verb, t.key, t.fold(key), lock, v)
	if err == nil && !ok {
		err = t.Missing(key)
	}
	return err
}

func (t *table) lock(tx *db.Tx, key string, v any) error {
	return t.find(tx, "Lock", key, db.ForUpdate, v)
}

func (t *table) first(tx *db.Tx, verb, column, key, lock string, v any) (bool, error) {
	ok, err := t.read(tx, t.texts().name+verb+t.texts().find+"and "+column+" = :key"+lock, db.Args{"key": key}, v)
	if err != nil || !ok || len(t.parts) == 0 {
		return ok, err
	}
	return true, t.whole(tx, batchOf([]any{v}))
}

func (t *table) one(tx *db.Tx, function, condition string, args db.Args, v any) (bool, error) {
	return t.read(tx, "-- "+function+t.texts().find+"and "+condition, args, v)
}

func (t *table) read(tx *db.Tx, query string, args db.Args, v any) (bool, error) {
	scan := t.scan(tx)
	ok, err := tx.First(query, args, func(r db.Row) error { return scan(r, v) })
	if err == nil && ok && strings.HasSuffix(query, db.ForUpdate) {
		err = RootOf(v).Fresh(tx)
	}
	return ok, err
}

func (t *table) whole(tx *db.Tx, records batch) error {
	return each.Do(t.parts, func(p *parts) error { return p.read(tx, records) })
}

func (t *table) list(tx *db.Tx, q Query, p Page, records any) (total int, err error) {
	if total, err = q.read(tx, p, records, t.scan(tx)); err == nil {
		err = t.whole(tx, batchAt(records))
	}
	return total, err
}

// those reads the records that meet a condition, without their parts.
func (t *table) those(tx *db.Tx, function, condition string, args db.Args, records any) error {
	return tx.Append(records, "-- "+function+t.texts().find+condition, args, t.scan(tx))
}

// beyond reads some records after an id.
func (t *table) beyond(tx *db.Tx, after string, records any) error {
	err := tx.Append(records, t.texts().name+"Through"+t.texts().find+"and id > :after order by id limit 500",
		db.Args{"after": after}, t.scan(tx))
	if err == nil {
		err = t.whole(tx, batchAt(records))
	}
	return err
}

func (t *table) many(tx *db.Tx, verb string, keys []string, lock string, records any) error {
	if len(keys) == 0 {
		return nil
	}
	folded := each.Of(keys, t.fold)
	slices.Sort(folded)
	err := tx.Append(records, t.texts().name+verb+t.texts().find+"and "+t.key+" in (:keys)"+lock,
		db.Args{"keys": slices.Compact(folded)}, t.scan(tx))
	found := batchAt(records)
	for i := 0; err == nil && strings.HasSuffix(lock, db.ForUpdate) && i < found.len(); i++ {
		err = RootOf(found.at(i)).Fresh(tx)
	}
	if err == nil {
		err = t.whole(tx, found)
	}
	return err
}

// folded is the key of a record in the form in which keys are compared.
func (t *table) folded(v any) string { return t.fold(t.keyOf(v)) }

func (t *table) free(tx *db.Tx, v any) error {
	taken, err := t.IsTaken(tx, t.keyOf(v))
	if err == nil && taken {
		err = t.taken(v)
	}
	return err
}

// IsTaken reports whether a record has a key.
func (t *table) IsTaken(tx *db.Tx, key string) (bool, error) {
	var n int
	return tx.One(t.texts().name+"IsTaken\nselect 1 from "+t.resource.Table+" where company = :company and "+t.key+
		" = :key", db.Args{"key": t.fold(key)}, &n)
}

func (t *table) insert(tx *db.Tx, records batch) error {
	err := t.upsert(tx, "", records)
	for i := 0; err == nil && i < len(t.parts); i++ {
		err = t.parts[i].insert(tx, records)
	}
	return err
}

func (t *table) upsert(tx *db.Tx, onConflict string, records batch) error {
	all, err := t.values(tx, t.row, records)
	if err != nil {
		return err
	}
	return tx.Upsert(t.resource.Table, t.texts().written, len(all), func(i int) []any {
		if t.texts().keyed {
			return append(all[i], t.folded(records.at(i)))
		}
		return all[i]
	}, onConflict)
}

func (t *table) update(tx *db.Tx, records batch) error {
	all, err := t.values(tx, t.changing, records)
	if err != nil {
		return err
	}
	if len(all) == 1 {
		args := db.Args{"id": RootOf(records.at(0)).ID}
		for i, name := range t.texts().names {
			args[name] = all[0][i]
		}
		return tx.Run(t.texts().update, args)
	}
	_, err = tx.Update(t.resource.Table, "id, "+t.texts().changing, 1, len(all), func(i int) []any {
		return append([]any{RootOf(records.at(i)).ID}, all[i]...)
	})
	return err
}

func (t *table) remove(tx *db.Tx, records batch) error {
	if records.len() == 0 {
		return nil
	}
	ids := make([]string, records.len())
	for i := range ids {
		ids[i] = RootOf(records.at(i)).ID
	}
	for _, p := range t.parts {
		if err := tx.Delete(db.Args{p.owner: ids}, p.table); err != nil {
			return err
		}
	}
	for _, owned := range t.owned {
		table, column, _ := strings.Cut(owned, ".")
		if err := tx.Delete(db.Args{column: ids}, table); err != nil {
			return err
		}
	}
	return tx.Delete(db.Args{"id": ids}, t.resource.Table)
}

// Query is a page's question for records by their key, to be read with Scan. name is the function that asks.
func (t *table) Query(name string) Query {
	q := t.texts().query
	q.Name = name
	return q
}

// valueOf is what v points to, as it is now.
func valueOf(v any) any { return reflect.ValueOf(v).Elem().Interface() }

func (t *table) create(tx *db.Tx, v any) error {
	if err := t.complete(tx, v); err != nil {
		return err
	}
	if err := t.unique(tx, v, t.insert(tx, batchOf([]any{v}))); err != nil {
		return err
	}
	return t.resource.Created(tx, *RootOf(v), t.named(v), valueOf(v))
}

// complete gives a new record the root and the number that it lacks.
func (t *table) complete(tx *db.Tx, v any) (err error) {
	if RootOf(v).ID == "" {
		*RootOf(v) = New(tx)
	}
	if t.series == "" || *t.number(v) != "" {
		return nil
	}
	taken := t.IsTaken
	if t.taken == nil {
		taken = nil
	}
	*t.number(v), err = number.Next(tx, t.series, taken)
	return err
}

func (t *table) change(tx *db.Tx, key string, before, v any, edit, check func() error) error {
	if err := t.lock(tx, key, before); err != nil {
		return err
	}
	t.copy(v, before)
	if err := edit(); err != nil {
		return err
	}
	t.fixed.Copy(v, before)
	if err := check(); err != nil {
		return err
	}
	return t.act(tx, changed, before, v)
}

// copy makes a record what another is, with parts of its own.
func (t *table) copy(to, from any) {
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	for _, p := range t.parts {
		p.own(to)
	}
}

func (t *table) begin(tx *db.Tx, key, verb string, v, before any) error {
	if err := t.lock(tx, key, v); err != nil {
		return err
	}
	t.copy(before, v)
	if t.step == nil {
		return nil
	}
	return t.step(v, verb)
}

func (t *table) act(tx *db.Tx, action string, before, v any) error {
	if err := t.report(tx, action, before, v); err != nil {
		return err
	}
	return t.keep(tx, before, v)
}

func (t *table) report(tx *db.Tx, action string, before, v any) error {
	if t.sealed != nil && t.sealed.of(before) != t.sealed.of(v) {
		return t.resource.Touched(tx, RootOf(v), t.named(v), action, map[string][2]any{t.sealed.named: {"", "changed"}})
	}
	return t.resource.Acted(tx, RootOf(v), t.named(v), action, valueOf(before), valueOf(v))
}

func (t *table) keep(tx *db.Tx, before, v any) error {
	if RootOf(v).Version != RootOf(before).Version || !reflect.DeepEqual(t.changing.Of(before), t.changing.Of(v)) {
		if err := t.unique(tx, v, t.update(tx, batchOf([]any{v}))); err != nil {
			return err
		}
	}
	return each.Do(t.parts, func(p *parts) error { return p.write(tx, before, v) })
}

func (t *table) put(tx *db.Tx, before, v any, check func() error) error {
	exists, err := t.first(tx, "Lock", t.key, t.folded(v), db.ForUpdate, before)
	if err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	if exists {
		t.fixed.Copy(v, before)
		return t.act(tx, changed, before, v)
	}
	*RootOf(v) = New(tx)
	return t.create(tx, v)
}

func (t *table) delete(tx *db.Tx, key string, refuse func(any) error) error {
	v := reflect.New(t.of).Interface()
	if err := t.lock(tx, key, v); err != nil {
		return err
	}
	if refuse != nil {
		if err := refuse(v); err != nil {
			return err
		}
	}
	return t.drop(tx, v)
}

func (t *table) drop(tx *db.Tx, v any) error {
	if err := t.remove(tx, batchOf([]any{v})); err != nil {
		return err
	}
	return t.resource.Deleted(tx, *RootOf(v), t.named(v), valueOf(v))
}

// unique is the refusal for a broken uniqueness constraint.
func (t *table) unique(tx *db.Tx, v any, err error) error {
	if tx.Unique(err) && t.taken != nil {
		return t.taken(v)
	}
	return err
}
