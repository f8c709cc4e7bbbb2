package record

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
)

// Page says which page of a list is wanted.
type Page struct {
	Number, Size int     // 1-based; at most 200
	Since        db.Time // modifiedSince, inclusive; 0 = none
	Horizon      db.Time // nothing stamped after it is shown when Since is set; 0 = none
	// Latest is the order in which people look for what they have just worked on: the newest change first.
	Latest bool
	// Sort is the order by one of the list's Sorts, "" = the list's own; Down turns it round.
	Sort string
	Down bool

	walk *walk // nil where one page is wanted
}

// Found is one page and how many there are in all.
type Found[T any] struct {
	Items []T
	Total int
}

// order is one column of a list's order.
type order struct {
	column string
	desc   bool
}

// Query is a paged list.
type Query struct {
	Name   string   // of the Go function that asks, for the statement's comment
	Select string   // the columns that scan reads
	From   string   // tables and joins, beginning with the root table and its alias: "customer c"
	Key    []string // the columns of its order, as they stand in an order by; the last one unique in the company
	Stamp  string   // the change stamp's column, "" where the rows carry none
	// Sorts are the orders that may be asked for instead of Key, by name and each written as Key is, upwards; nil where
	// there is none. Each is one that an index has, to be read from either end, of columns that are never NULL, the
	// last one unique in the company.
	Sorts map[string][]string
	// Resources are those whose changes alone can change which rows the list has, the root's first. With them the total
	// and the places of pages are remembered while nothing changes; without them they are found each time.
	Resources []string
	// Newest is the statement that reads the newest change stamp of rows that the change log does not know, such as
	// levels of stock; it takes the place of Resources.
	Newest string

	// Walked is the same list where a delta has many rows, to be read in its order, of a list that finds what changed
	// by another table's stamps; nil where the list has a Stamp.
	Walked *Query

	where    []string
	filtered bool
	args     db.Args
	order    []order
	by       string // the order asked for, "" = Key as it was declared
}

// Where adds a condition.
func (q *Query) Where(sql string, a db.Args) {
	q.filtered = true
	q.Standing(sql, a)
}

// Standing adds a condition that a record meets from its creation to its end, such as whose it is.
func (q *Query) Standing(sql string, a db.Args) {
	q.where = append(q.where, sql)
	if q.args == nil {
		q.args = db.Args{}
	}
	maps.Copy(q.args, a)
}

// Given adds a condition on its parameter, unless the value asks for nothing: it is empty, or a pointer that is nil.
func (q *Query) Given(sql string, value any) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.IsZero() {
		return
	}
	for _, m := range parameter().FindAllStringSubmatch(sql, -1) {
		if m[1] != "company" {
			q.Where(sql, db.Args{m[1]: reflect.Indirect(v).Interface()})
			return
		}
	}
	panic("record: no parameter in the condition " + sql)
}

var parameter = lazy.Regexp(`:(\w+)`)

// Active narrows to the records that are active, or to those that are not. These are few: where they have an index of
// their own, it serves a statement that repeats its condition.
func (q *Query) Active(is *bool) {
	switch {
	case is == nil:
	case *is:
		q.Where("is_active = 1", nil)
	default:
		q.Where("is_active = 0", nil)
	}
}

// Search adds that every word of text must be part of column, which keeps SearchText.
func (q *Query) Search(column, text string) {
	for i, w := range Words(text) {
		name := "word" + strconv.Itoa(i)
		q.Where("instr("+column+", :"+name+") > 0", db.Args{name: w})
	}
}

// SearchAny adds that for every word of text one of the conditions must hold, which name the word as {word}. It is for
// lists that are searched by what they show, when that is kept in several places.
func (q *Query) SearchAny(text string, conditions ...string) {
	for i, w := range Words(text) {
		if w = strings.Trim(w, ",;"); w == "" { // what stands between two values that are shown as one
			continue
		}
		name := "any" + strconv.Itoa(i)
		q.Where("("+strings.ReplaceAll(strings.Join(conditions, " or "), "{word}", ":"+name)+")", db.Args{name: w})
	}
}

// alias of the root table.
func (q *Query) alias() string {
	f := strings.Fields(q.From)
	if len(f) > 1 && f[1] != "join" && f[1] != "left" {
		return f[1]
	}
	return f[0]
}

func (q *Query) conditions() string {
	return "where " + strings.Join(append([]string{q.alias() + ".company = :company"}, q.where...), " and ")
}

// fingerprint tells this list with these filters from every other.
func (q *Query) fingerprint(size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%s|%d|%s", q.Name, q.From, size, strings.Join(q.where, " and "))
	for _, k := range slices.Sorted(maps.Keys(q.args)) {
		fmt.Fprintf(&b, "|%s=%v", k, q.args[k])
	}
	return b.String()
}

// ListOf reads one page of q.
func ListOf[T any](tx *db.Tx, q Query, p Page, scan func(db.Row, *T) error) (f Found[T], err error) {
	f.Total, err = q.read(tx, p, &f.Items, func(r db.Row, v any) error { return scan(r, v.(*T)) })
	return f, err
}

// read reads one page into the list that items points to, as ListOf does.
func (q *Query) read(tx *db.Tx, p Page, items any, scan func(db.Row, any) error) (total int, err error) {
	q.sort(p)
	if p.Since > 0 && q.Stamp != "" {
		q.Where(q.Stamp+stampedSince, db.Args{"since": p.Since})
		q.Given(q.Stamp+stampedUntil, p.Horizon)
	}
	if w := p.walk; w != nil {
		text, args := q.page(p, 0, w.after)
		w.began = true
		w.read, w.after, err = q.rows(tx, text, args, items, scan)
		return 0, err
	}
	memo, err := q.recall(tx, p)
	if err != nil {
		return 0, err
	}
	if total, err = memo.total(tx, q); err != nil {
		return 0, err
	}
	offset := (p.Number - 1) * p.Size
	if offset >= total {
		return total, nil
	}
	reflect.ValueOf(items).Elem().Grow(min(p.Size, total-offset))
	if p.Since > 0 && total > narrow {
		q = q.walked()
	}
	text, args := q.page(p, total, memo.place(p.Number))
	_, last, err := q.rows(tx, text, args, items, scan)
	memo.left(tx, p.Number+1, last)
	return total, err
}

// rows reads what a page's statement finds into the list that items points to, and says the key of the last row.
func (q *Query) rows(tx *db.Tx, text string, args db.Args, items any, scan func(db.Row, any) error) (n int, last []any,
	err error) {
	list := reflect.ValueOf(items).Elem()
	row := &keyed{key: make([]any, len(q.order))}
	err = tx.Each(text, args, func(r db.Row) error {
		n++
		row.row = r
		return scan(row, db.Grown(list).Addr().Interface())
	})
	return n, row.key, err
}

// The conditions of a delta, behind the stamp's column.
const (
	stampedSince = " >= :since"
	stampedUntil = " <= :horizon"
)

// walked is q for a page of a delta of many rows, which is read in the list's order: told of stamps, planners gather
// everything that changed and sort it, for each page anew. They do not use an index for a column behind a plus.
func (q *Query) walked() *Query {
	w := *q
	if q.Walked != nil {
		w = *q.Walked
		w.order, w.by = q.order, q.by
	}
	w.where = slices.Clone(w.where)
	for i, condition := range w.where {
		if condition == q.Stamp+stampedSince || condition == q.Stamp+stampedUntil {
			w.where[i] = "+" + condition
		}
	}
	return &w
}

// keyed is a row whose last columns are the list's key.
type keyed struct {
	row db.Row
	key []any
}

func (k *keyed) Scan(dest ...any) error {
	for i := range k.key {
		dest = append(dest, &k.key[i])
	}
	return k.row.Scan(dest...)
}

// narrow is up to how many changed records a delta is gathered by its stamp and sorted, instead of walked in key order.
const narrow = 5_000

// page is the statement of a page. After a page that was read before, it goes on from its last key; else it skips.
func (q *Query) page(p Page, total int, after []any) (string, db.Args) {
	columns, sorts := make([]string, len(q.order)), make([]string, len(q.order))
	for i, o := range q.order {
		columns[i], sorts[i] = o.column, o.column
		if o.desc {
			sorts[i] += " desc"
		}
	}
	args := db.Args{"limit": p.Size}
	maps.Copy(args, q.args)
	tail := "order by " + strings.Join(sorts, ", ") + " limit :limit"
	chosen := q.Select + ", " + strings.Join(columns, ", ")
	conditions := q.conditions()
	if after != nil {
		conditions += " and " + q.beyond(after, args)
	} else if p.Number > 1 {
		tail += " offset :offset"
		args["offset"] = (p.Number - 1) * p.Size
	}
	if p.Since > 0 && q.Stamp != "" && total <= narrow {
		// The few changed rows are gathered by their stamp first: `materialized` keeps the planner from walking the
		// whole key.
		a := q.alias()
		return fmt.Sprintf(
			"-- %s changed%s\nwith hit as materialized (select %s.id as hit_id from %s %s)\nselect %s "+
				"from hit cross join %s\nwhere %s.id = hit.hit_id and %s.company = :company %s",
			q.Name, q.by, a, q.From, conditions, chosen, q.From, a, a, tail), args
	}
	return fmt.Sprintf("-- %s%s\nselect %s from %s %s %s", q.Name, q.by, chosen, q.From, conditions, tail), args
}

// beyond is the condition of rows after a key. The bound on the first column alone lets both engines seek in the index.
func (q *Query) beyond(key []any, args db.Args) string {
	compare := func(i int, orEqual string) string {
		op := ">"
		if q.order[i].desc {
			op = "<"
		}
		name := "after" + strconv.Itoa(i)
		args[name] = key[i]
		return q.order[i].column + " " + op + orEqual + " :" + name
	}
	last := len(q.order) - 1
	text := compare(last, "")
	for i := last - 1; i >= 0; i-- {
		text = fmt.Sprintf("%s and (%s or %s)", compare(i, "="), compare(i, ""), text)
	}
	return text
}

// sort puts the list into the order that the page asks for. A name that the list does not have asks for nothing.
func (q *Query) sort(p Page) {
	q.order = ordersOf(q.Key)
	if p.Latest && q.Stamp != "" {
		q.by = " latest"
		q.order = []order{{q.Stamp, true}, {q.alias() + ".id", true}}
		return
	}
	columns := q.Sorts[p.Sort]
	if len(columns) == 0 {
		return
	}
	q.order, q.by = ordersOf(columns), " by "+p.Sort
	if p.Down {
		q.by += " down"
		for i := range q.order {
			q.order[i].desc = !q.order[i].desc
		}
	}
}

// ordersOf reads columns as they stand in an order by.
func ordersOf(columns []string) []order {
	all := make([]order, len(columns))
	for i, c := range columns {
		all[i].column, all[i].desc = strings.CutSuffix(c, " desc")
	}
	return all
}
