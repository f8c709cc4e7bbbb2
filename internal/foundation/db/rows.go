package db

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/dec"
)

// maxParams keeps a statement below both engines' limit of bound values (SQLite 32,766).
const maxParams = 8_000

// Where an engine takes arrays, so many rows and more are bound as one array for each column: the engine plans and
// reads one short text for any number of them. maxArray bounds the memory of one statement.
const (
	minArray = 6
	maxArray = 4_000
)

// Heads is a query of the first row of each of several, which read the same columns in an order. Each reads it from an
// index; asked for the least of many values at once, SQLite reads all that they have, and PostgreSQL whatever it takes
// for little.
func Heads(queries ...string) string {
	heads := make([]string, len(queries))
	for i, q := range queries {
		heads[i] = fmt.Sprintf("select * from (%s limit 1) as head%d", q, i)
	}
	return strings.Join(heads, " union all ")
}

// HeadsOf is Heads of a query, for each of these values of a column by itself; the values are added to the parameters.
// The column stands in the order as well, and each value is a range: where most rows have the same one, PostgreSQL
// takes an index without the column for as good, and then goes through all rows to find none of the others.
func HeadsOf(query, column string, values []string, order string, a Args) string {
	queries := make([]string, len(values))
	for i, v := range values {
		name := column + strconv.Itoa(i)
		a[name] = v
		queries[i] = fmt.Sprintf("%s and %s >= :%s and %[2]s <= :%[3]s order by %s", query, column, name, order)
	}
	return Heads(queries...)
}

// Halves is SQL that adds up decimals in two columns, for dec.Halves: a sum over as many rows as there are may pass 64
// bits in one.
func Halves(decimal string) string {
	return fmt.Sprintf("cast(sum((%s) / %[2]d) as bigint), cast(sum((%[1]s) %% %[2]d) as bigint)", decimal, dec.One)
}

// Insert writes rows in as few statements as the engines' limits allow. columns is a comma-separated
// list; the company column is added by Insert.
func (tx *Tx) Insert(table, columns string, rows int, value func(i int) []any) error {
	return tx.Upsert(table, columns, rows, value, "")
}

// Upsert is Insert followed by an `on conflict …` clause.
func (tx *Tx) Upsert(table, columns string, rows int, value func(i int) []any, onConflict string) error {
	_, err := tx.InsertNew(table, columns, rows, value, onConflict)
	return err
}

// InsertNew is Upsert that counts the rows written: with `on conflict … do nothing` those that were not there.
func (tx *Tx) InsertNew(table, columns string, rows int, value func(i int) []any, onConflict string) (written int64,
	err error) {
	return tx.eachPart(rowsKey{table: table, columns: columns, onConflict: onConflict}, rows, value)
}

// Update changes rows of a table of company data, each to values of its own: of columns, the first keys many name the
// row.
// It reports how many rows were found. No row may be named twice.
func (tx *Tx) Update(table, columns string, keys, rows int, value func(i int) []any) (found int64, err error) {
	return tx.eachPart(rowsKey{table: table, columns: columns, keys: keys}, rows, value)
}

// Delete deletes the rows of tables that have these values in their columns, or one of them where a value is a list.
func (tx *Tx) Delete(where Args, tables ...string) error {
	var conditions []string
	if !tx.Control {
		conditions = append(conditions, "company = :company")
	}
	for _, c := range slices.Sorted(maps.Keys(where)) {
		if asList(where[c]) != nil {
			conditions = append(conditions, c+" in (:"+c+")")
		} else {
			conditions = append(conditions, c+" = :"+c)
		}
	}
	for _, t := range tables {
		text := fmt.Sprintf("-- db.Delete %s\ndelete from %s where %s", t, t, strings.Join(conditions, " and "))
		if err := tx.Run(text, where); err != nil {
			return err
		}
	}
	return nil
}

// rowsKey identifies the text of a statement that writes rows.
type rowsKey struct {
	table, columns, onConflict string
	keys                       int // of an update; 0 = an insert
	rows                       int // 0 = any number of them, as arrays
}

// eachPart writes rows part by part and sums up how many the engine wrote.
func (tx *Tx) eachPart(k rowsKey, rows int, value func(i int) []any) (written int64, err error) {
	n := strings.Count(k.columns, ",") + 1
	for from := 0; from < rows; {
		part := min(rows-from, maxArray)
		var args []any
		if tx.cell.engine.Columns != nil && (part >= minArray || k.keys > 0) {
			k.rows = 0
			args, err = tx.arrays(k, n, from, part, value)
		} else {
			part = chunkOf(min(rows-from, maxParams/(n+1)))
			k.rows = part
			args, err = tx.values(k, n, from, part, value)
		}
		if err != nil {
			return written, err
		}
		did, err := tx.send(k, n, part, args)
		if err != nil {
			return written, err
		}
		written += did
		from += part
	}
	return written, nil
}

func (tx *Tx) send(k rowsKey, n, rows int, args []any) (int64, error) {
	if tx.trying {
		return 0, errTried
	}
	text, err := tx.rowsText(k, n)
	if err != nil {
		return 0, err
	}
	how := PlanOnce
	if k.keys > 0 && k.rows == 0 && rows >= longList {
		how = PlanJoined
	}
	st, err := tx.statement(text, how)
	if err != nil {
		return 0, err
	}
	if tx.cell.store.doubts != nil && k.keys == 0 {
		tx.locks(k.table)
	}
	end := tx.traced(text)
	written, err := st.exec(tx.ctx, args)
	end(err)
	if err != nil {
		return 0, tx.met(text, err)
	}
	if written > 0 {
		tx.did(observed(k.table), k.table == stateTable)
		tx.left = true
	}
	return written, nil
}

// values are the arguments of a part row by row, the company first.
func (tx *Tx) values(k rowsKey, n, from, part int, value func(i int) []any) ([]any, error) {
	args := make([]any, 0, 1+part*n)
	if !tx.Control {
		args = append(args, tx.Company)
	}
	for i := range part {
		for _, v := range row(k, n, value(from+i)) {
			args = append(args, plain(v))
		}
	}
	return args, fits(args...)
}

// arrays are the arguments of a part column by column, the company first.
func (tx *Tx) arrays(k rowsKey, n, from, part int, value func(i int) []any) ([]any, error) {
	cells := make([]any, n*part)
	for i := range part {
		for c, v := range row(k, n, value(from+i)) {
			cells[c*part+i] = plain(v)
		}
	}
	args := make([]any, 0, 1+n)
	if !tx.Control {
		args = append(args, tx.Company)
	}
	for c := range n {
		args = append(args, tx.cell.engine.Array(cells[c*part:(c+1)*part:(c+1)*part]))
	}
	return args, fits(cells...)
}

func row(k rowsKey, n int, values []any) []any {
	if len(values) != n {
		panic(fmt.Sprintf("db: rows of %s: %d values for %d columns", k.table, len(values), n))
	}
	return values
}

// chunkOf is how many of n rows go into the next statement: exact for small documents, else a power of
// two, so that the number of distinct prepared statements stays small.
func chunkOf(n int) int {
	if n <= 4 {
		return n
	}
	size := 4
	for size*2 <= n && size < 256 {
		size *= 2
	}
	return size
}

// rowsText is the statement that writes rows, kept once it was made.
func (tx *Tx) rowsText(k rowsKey, n int) (string, error) {
	if t, ok := tx.cell.texts.Load(k); ok {
		return t.(string), nil
	}
	names := strings.Fields(strings.ReplaceAll(k.columns, ",", " "))
	var source string
	if k.rows > 0 {
		source = tx.valuesText(k, n)
	} else {
		types, err := tx.columnTypes(k.table)
		if err != nil {
			return "", err
		}
		source = tx.arraysText(k, names, types)
	}
	text := ""
	switch {
	case k.keys > 0:
		text = tx.updateText(k, names, source)
	case tx.Control:
		text = fmt.Sprintf("-- db.Insert %s\ninsert into %s (%s) %s %s", k.table, k.table, k.columns, source,
			k.onConflict)
	default:
		text = fmt.Sprintf("-- db.Insert %s\ninsert into %s (company, %s) %s %s", k.table, k.table, k.columns, source,
			k.onConflict)
	}
	tx.cell.texts.Store(k, text)
	return text, nil
}

// updateText joins the table to the rows by their keys.
func (tx *Tx) updateText(k rowsKey, names []string, source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- db.Update %s\nwith changed (%s) as (%s) update %s set ", k.table, k.columns, source, k.table)
	for i, name := range names[k.keys:] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s = changed.%s", name, name)
	}
	fmt.Fprintf(&b, " from changed where %s.company = %c1", k.table, tx.cell.engine.Mark)
	for _, name := range names[:k.keys] {
		fmt.Fprintf(&b, " and %s.%s = changed.%s", k.table, name, name)
	}
	if k.rows == 0 { // the rows that are looked up by their keys, before they are joined
		fmt.Fprintf(&b, " and %s.%s = any (%c2)", k.table, names[0], tx.cell.engine.Mark)
	}
	return b.String()
}

// valuesText lists the rows value by value; those of an insert begin with the company, which is the first parameter.
func (tx *Tx) valuesText(k rowsKey, n int) string {
	var b strings.Builder
	mark, next := tx.cell.engine.Mark, 1
	if !tx.Control {
		next = 2
	}
	b.WriteString("values ")
	for r := range k.rows {
		if r > 0 {
			b.WriteByte(',')
		}
		lead := "("
		if !tx.Control && k.keys == 0 {
			fmt.Fprintf(&b, "(%c1", mark)
			lead = ","
		}
		for range n {
			fmt.Fprintf(&b, "%s%c%d", lead, mark, next)
			lead = ","
			next++
		}
		b.WriteByte(')')
	}
	return b.String()
}

// arraysText unfolds an array for each column, side by side.
func (tx *Tx) arraysText(k rowsKey, names []string, types map[string]string) string {
	var b strings.Builder
	mark, next := tx.cell.engine.Mark, 1
	lead := "select "
	if !tx.Control {
		next = 2
		if k.keys == 0 {
			fmt.Fprintf(&b, "select %c1::text", mark)
			lead = ", "
		}
	}
	for i, name := range names {
		fmt.Fprintf(&b, "%sunnest(%c%d::%s[])", lead, mark, next+i, types[name])
		lead = ", "
	}
	return b.String()
}

// columnTypes are the types of a table's columns, asked for once.
func (tx *Tx) columnTypes(table string) (map[string]string, error) {
	if t, ok := tx.cell.types.Load(table); ok {
		return t.(map[string]string), nil
	}
	if !tx.begun {
		if err := tx.begin(); err != nil {
			return nil, err
		}
	}
	types, err := tx.cell.engine.Columns(tx.ctx, tx.conn.sql, table)
	if err == nil {
		tx.cell.types.Store(table, types)
	}
	return types, err
}
