package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// What the planner is told of tables, so that its plans are those of a large company from the first day, and stay what
// they are. Told nothing, it takes the company, which all keys begin with, to narrow a search to some ten rows, where
// in a company's file it narrows nothing; told what ANALYZE finds, it would plan by the accidents of the day.
const (
	manyRows = 1_000_000
	someRows = 10_000 // of an index that holds the rows of a condition only
	alike    = 10     // rows of one value of a column that tells records apart
	values   = 5      // of a column of few
)

// ofFew are the columns that take few values, besides those that begin with is_.
var ofFew = []string{"warehouse", "channel", "channel_key", "resource", "currency", "kind", "type", "status", "state",
	"payment_status", "series", "ref_type"}

// hasFew reports whether a column takes few values.
func hasFew(column string) bool {
	return slices.Contains(ofFew, column) || strings.HasPrefix(column, "is_")
}

// estimate writes, after the migrations, what ANALYZE would have found: how many rows an index has, and how many meet
// its first column, its first two, and so on (https://www.sqlite.org/fileformat2.html#stat1tab). An index whose first
// column does not narrow a search is not skipped through either.
func estimate(ctx context.Context, d *sql.DB, _ []string) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	indexes, err := indexesOf(ctx, tx)
	if err != nil || len(indexes) == 0 {
		return err
	}
	// Of one table alone, so that no rows are read: the table of the estimates comes into being.
	for _, text := range []string{"analyze " + indexes[0].table, "delete from sqlite_stat1"} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	for _, i := range indexes {
		if _, err := tx.ExecContext(ctx, "insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)", i.table, i.name,
			i.estimate()); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// index is one of a company's tables.
type index struct {
	table, name      string
	columns          []string
	isUnique, isPart bool
}

func (i index) estimate() string {
	rows := manyRows
	if i.isPart {
		rows = someRows
	}
	out := []string{fmt.Sprint(rows)}
	for n, c := range i.columns {
		switch {
		case i.isUnique && n == len(i.columns)-1:
			rows = 1
		case c == "company":
		case hasFew(c):
			rows = max(1, rows/values)
		default:
			rows = min(rows, max(2, alike-n))
		}
		out = append(out, fmt.Sprint(rows))
	}
	return strings.Join(append(out, "noskipscan"), " ")
}

// indexesOf are the indexes that begin with the company. The key of a table without row ids goes by the table's name.
func indexesOf(ctx context.Context, tx *sql.Tx) (all []index, err error) {
	rows, err := tx.QueryContext(ctx, `select t.name, case when i.origin = 'pk' and t.wr then t.name else i.name end,
			i."unique", i.partial,
			(select group_concat(name, ' ') from (select name from pragma_index_info(i.name) order by seqno))
		from pragma_table_list t, pragma_index_list(t.name) i
		where t.schema = 'main' and t.type = 'table' order by 1, 2`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i index
		var columns sql.NullString // of an expression there is no name
		if err := rows.Scan(&i.table, &i.name, &i.isUnique, &i.isPart, &columns); err != nil {
			return nil, err
		}
		if i.columns = strings.Fields(columns.String); len(i.columns) > 0 && i.columns[0] == "company" {
			all = append(all, i)
		}
	}
	return all, rows.Err()
}
