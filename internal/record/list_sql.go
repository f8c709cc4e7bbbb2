package record

import (
	"fmt"
	"strconv"
	"strings"

	"kontor/internal/db"
)

// Page says which page of a list is wanted.
type Page struct {
	Number, Size int     // 1-based; at most 200
	Since        db.Time // modifiedSince, inclusive; 0 = none
	Horizon      db.Time // nothing stamped after it is shown when Since is set; 0 = none
}

// Found is one page and how many there are in all.
type Found[T any] struct {
	Items []T
	Total int
}

// Order is one column of a list's order.
type Order struct {
	Column string
	Desc   bool
}

// Query is a paged list. Its keys are read first, in a subquery, and joined to the columns then: a page costs the
// same however wide the rows are.
type Query struct {
	Name   string  // of the Go function that asks, for the statement's comment
	Select string  // the columns that scan reads
	From   string  // tables and joins, beginning with the root table and its alias: "customer c"
	Key    []Order // the last one unique in the company
	Stamp  string  // the change stamp's column, "" where the rows carry none
	// Resources are those whose change may change the total; the root's resource name. Empty: the total is counted each time.
	Resources []string

	where []string
	args  db.Args
}

// Where adds a condition.
func (q *Query) Where(sql string, a db.Args) {
	q.where = append(q.where, sql)
	if q.args == nil {
		q.args = db.Args{}
	}
	for k, v := range a {
		q.args[k] = v
	}
}

// Search adds that every word of text must be part of column, which keeps SearchText.
func (q *Query) Search(column, text string) {
	for i, w := range Words(text) {
		name := "word" + strconv.Itoa(i)
		q.Where("instr("+column+", :"+name+") > 0", db.Args{name: w})
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

// ListOf reads one page of q.
func ListOf[T any](tx *db.Tx, q Query, p Page, scan func(db.Row, *T) error) (Found[T], error) {
	var f Found[T]
	if p.Since > 0 && q.Stamp != "" {
		q.Where(q.Stamp+" >= :since", db.Args{"since": p.Since})
		if p.Horizon > 0 {
			q.Where(q.Stamp+" <= :horizon", db.Args{"horizon": p.Horizon})
		}
	}
	total, err := q.total(tx)
	if err != nil {
		return f, err
	}
	f.Total = total
	offset := (p.Number - 1) * p.Size
	if offset >= total {
		return f, nil
	}
	f.Items = make([]T, 0, min(p.Size, total-offset))
	args := db.Args{"limit": p.Size, "offset": offset}
	for k, v := range q.args {
		args[k] = v
	}
	err = tx.Each(q.pageText(p, total), args, func(r db.Row) error {
		f.Items = append(f.Items, *new(T))
		return scan(r, &f.Items[len(f.Items)-1])
	})
	return f, err
}

// narrow is up to how many changed records a delta is gathered by its stamp and sorted, instead of walked in key order.
const narrow = 5_000

func (q *Query) pageText(p Page, total int) string {
	var order strings.Builder
	for i, o := range q.Key {
		if i > 0 {
			order.WriteString(", ")
		}
		order.WriteString(o.Column)
		if o.Desc {
			order.WriteString(" desc")
		}
	}
	if p.Since > 0 && q.Stamp != "" && total <= narrow {
		// The few changed rows are gathered by their stamp first; `materialized` keeps the planner from walking the whole key.
		return fmt.Sprintf("-- %s changed\nwith hit as materialized (select %s.id as hit_id from %s %s)\nselect %s from %s join hit on hit.hit_id = %s.id\nwhere %s.company = :company order by %s limit :limit offset :offset",
			q.Name, q.alias(), q.From, q.conditions(), q.Select, q.From, q.alias(), q.alias(), order.String())
	}
	return fmt.Sprintf("-- %s\nselect %s from %s %s order by %s limit :limit offset :offset",
		q.Name, q.Select, q.From, q.conditions(), order.String())
}

func (q *Query) total(tx *db.Tx) (n int, err error) {
	var count int64
	_, err = tx.One(fmt.Sprintf("-- %s total\nselect count(*) from %s %s", q.Name, q.From, q.conditions()), q.args, &count)
	return int(count), err
}
