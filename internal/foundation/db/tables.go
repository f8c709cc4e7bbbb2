package db

import (
	"fmt"
	"math/bits"
	"strings"
	"sync"

	"kontor/internal/foundation/lazy"
)

// Tables is a set of tables of the schemas. What a transaction has read and written is observed from its statements:
// nobody who keeps an answer in memory has to remember what it was made of.
type Tables [4]uint64

// And is what is in either set.
func (t Tables) And(other Tables) Tables {
	for i := range t {
		t[i] |= other[i]
	}
	return t
}

// Without is what is in the first set alone.
func (t Tables) Without(other Tables) Tables {
	for i := range t {
		t[i] &^= other[i]
	}
	return t
}

// Within reports whether the other set holds all of this one.
func (t Tables) Within(other Tables) bool { return t.Without(other) == Tables{} }

// Count is how many they are.
func (t Tables) Count() (n int) {
	for _, word := range t {
		n += bits.OnesCount64(word)
	}
	return n
}

// each calls fn with the number of every table in the set.
func (t Tables) each(fn func(number int)) {
	for i, word := range t {
		for ; word != 0; word &= word - 1 {
			fn(i*64 + bits.TrailingZeros64(word))
		}
	}
}

// TablesNamed is the set of these tables; it panics at a name that no schema has.
func TablesNamed(names ...string) (t Tables) {
	for _, name := range names {
		n, ok := tableNumbers()[name]
		if !ok {
			panic("db: there is no table " + name)
		}
		t[n/64] |= 1 << (n % 64)
	}
	return t
}

var tableMade = lazy.Regexp(`(?m)^create table (\w+)`)

// tablesOfSchema are the names of the tables that a schema's steps make.
func tablesOfSchema(schema Schema) (names []string) {
	for _, f := range schemaFiles(schema) {
		text, err := schemas.ReadFile("schema/" + string(schema) + "/" + f.Name())
		if err != nil {
			panic(err) // it is embedded
		}
		for _, m := range tableMade().FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// tableNumbers numbers the tables of both schemas.
var tableNumbers = sync.OnceValue(func() map[string]int {
	numbers := map[string]int{}
	for _, name := range append(tablesOfSchema(ControlSchema), tablesOfSchema(CellSchema)...) {
		if _, ok := numbers[name]; !ok {
			numbers[name] = len(numbers)
		}
	}
	if len(numbers) > 64*len(Tables{}) {
		panic(fmt.Sprintf("db: %d tables, and Tables has room for %d", len(numbers), 64*len(Tables{})))
	}
	return numbers
})

// The tables that every writer writes. What reads them asks what has changed at all (a horizon, the newest change of a
// list), and is no more than its answer if that is older: nothing is kept that depends on them otherwise.
var ledgers = sync.OnceValue(func() Tables {
	return TablesNamed("change", "deletion", "activity", "idempotency", "number_series", "company_state")
})

// tableNamed finds what may be tables in a statement without comments and texts: what follows these words, and each
// comma in a list after from.
var tableNamed = lazy.Regexp(
	`(?i)\b(?:(delete)\s+from|(insert)\s+into|(update)|from|join|using)\s+(?:only\s+|lateral\s+)?(\w+)((?:(?:\s+(?:as\s+)?\w+)?\s*,\s*\w+)*)`)

var listed = lazy.Regexp(`,\s*(\w+)`)

// tablesOf are the tables that a statement reads, and those that it writes.
func tablesOf(code string) (from, into Tables) {
	for _, m := range tableNamed().FindAllStringSubmatch(code, -1) {
		set := &from
		if m[1]+m[2]+m[3] != "" {
			set = &into
		}
		*set = set.And(observed(m[4]))
		for _, more := range listed().FindAllStringSubmatch(m[5], -1) {
			from = from.And(observed(more[1]))
		}
	}
	return from, into
}

// observed is the set of the table with this name; the empty one for ledgers, and for what is no table.
func observed(name string) (t Tables) {
	if n, ok := tableNumbers()[strings.ToLower(name)]; ok {
		t[n/64] |= 1 << (n % 64)
	}
	return t.Without(ledgers())
}

// Read are the tables that this transaction has read, or found in what is remembered of the company's reference data.
// ok is false where it used a value in memory, whose tables it does not know, or leaves out what has changed because
// somebody is writing, who may change nothing of it.
func (tx *Tx) Read() (t Tables, ok bool) { return tx.from, !tx.fromCache && !tx.before.incomplete }

// Observing are the tables that fn reads.
func (tx *Tx) Observing(fn func() error) (t Tables, err error) {
	before := tx.from
	tx.from = Tables{}
	err = fn()
	t, tx.from = tx.from, tx.from.And(before)
	return t, err
}

// RestsOn says that this transaction uses what was read from these tables before.
func (tx *Tx) RestsOn(t Tables) { tx.reads(t) }

// Own says that the rows of some tables are parts of a resource's records: a commit that changes one without saying of
// which record moves them all. It is called while the house is put together.
func (s *Store) Own(resource string, tables Tables) {
	for _, o := range s.owned {
		if o.resource == resource {
			return
		}
	}
	s.owned = append(s.owned, owned{resource, tables})
}

type owned struct {
	resource string
	tables   Tables
}

// The keys under which Versions counts the commits that changed a table, and those that changed rows of a resource's
// tables and named none of its records.
const (
	tables = "\x00table"
	strays = "\x00stray"
)

// OfTables are where the counters of some tables stand now, before that the company's facts and reference data.
func (v *Versions) OfTables(company string, t Tables) []Mark {
	marks := append(make([]Mark, 0, t.Count()+3), v.Mark("", othersKey, ""), v.Mark(company, epochs, ""),
		v.Mark(company, everything, ""))
	t.each(func(n int) { marks = append(marks, v.Mark(company, tables, tableKeys[n])) })
	return marks
}

// OfRecord are where the counters of one record stand now.
func (v *Versions) OfRecord(company, resource, key string) []Mark {
	return []Mark{v.Mark(company, resource, key), v.Mark(company, strays, resource)}
}

// tableKeys are the numbers of tables as texts.
var tableKeys = func() (keys [64 * len(Tables{})]string) {
	for i := range keys {
		keys[i] = fmt.Sprint(i)
	}
	return keys
}()

// moveTables moves the counters of the tables that a commit has changed.
func (tx *Tx) moveTables(v *Versions) {
	tx.into.each(func(n int) { v.Counter(tx.Company, tables, tableKeys[n]).Add(1) })
	for _, o := range tx.cell.store.owned {
		if tx.into.Without(o.tables) != tx.into && !tx.hasTouched(o.resource) {
			v.Counter(tx.Company, strays, o.resource).Add(1)
		}
	}
}

func (tx *Tx) hasTouched(resource string) bool {
	for _, t := range tx.touched {
		if t.resource == resource && t.key != "" {
			return true
		}
	}
	return false
}
