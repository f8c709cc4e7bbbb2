package bench

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"kontor/internal/app"
	"kontor/internal/db"
	"kontor/internal/record"
)

// ledger is the yardstick of a placed order: the rows that one order writes, as they stand in the tables, to be written
// again and again under new keys with the plainest transaction that is as durable as ours.
type ledger struct {
	engine  *db.Engine
	target  string // file or URL
	company string // the rows' owner: none that exists, so that nothing else ever sees them
	tables  []tableRows
	levels  []levelKey
	next    atomic.Int64
}

// tableRows are the rows that one order writes to one table.
type tableRows struct {
	table   string
	columns []string
	rows    [][]any
}

type levelKey struct{ item, warehouse string }

// written are the tables that placing an order inserts into, with the column that names the order.
var written = []struct{ table, column string }{
	{"sales_order", "id"}, {"sales_order_line", "order_id"}, {"change", "id"}, {"activity", "id"},
}

// newLedger reads the rows of an order that was just placed. Files are copied first, so that the yardstick works on
// tables as large as ours without getting in the way.
func newLedger(ctx context.Context, house *app.House, f firm, order string) (*ledger, error) {
	l := &ledger{engine: house.Place.Engine(), target: house.Place.DatabaseURL, company: record.NewID()}
	if house.Embedded() {
		l.target = filepath.Join(house.Place.Data, "yardstick-"+l.company+".db")
		if err := house.Store().Snapshot(ctx, f.ID, l.target); err != nil {
			return nil, err
		}
	}
	d, err := l.engine.Open(l.target, db.ForWriting)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	c, err := d.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	run := func(text string) error { _, err := c.ExecContext(ctx, text); return err }
	read := func(t *tableRows, text string) error {
		rows, err := c.QueryContext(ctx, text)
		if err != nil {
			return err
		}
		defer rows.Close()
		t.columns, _ = rows.Columns()
		for rows.Next() {
			row := make([]any, len(t.columns))
			into := make([]any, len(row))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			t.rows = append(t.rows, row)
		}
		return rows.Err()
	}
	if err := l.as(run, f.ID); err != nil {
		return nil, err
	}
	return l, l.read(f.ID, order, run, read)
}

// as makes a PostgreSQL session one of a company's; row-level security asks for it.
func (l *ledger) as(run func(string) error, company string) error {
	if l.engine.OneWriter {
		return nil
	}
	return run("set kontor.company = '" + company + "'")
}

func (l *ledger) read(company, order string, run func(string) error, read func(*tableRows, string) error) error {
	for _, w := range written {
		t := tableRows{table: w.table}
		err := read(&t, fmt.Sprintf("select * from %s where company = '%s' and %s in (select id from sales_order where company = '%s' and number_key = '%s')",
			w.table, company, w.column, company, record.Fold(order)))
		if err != nil {
			return err
		}
		l.tables = append(l.tables, t)
	}
	key := tableRows{table: "idempotency"}
	if err := read(&key, fmt.Sprintf("select * from idempotency where company = '%s' order by created_at desc limit 1", company)); err != nil {
		return err
	}
	l.tables = append(l.tables, key)
	for _, t := range l.tables {
		if len(t.rows) == 0 {
			return fmt.Errorf("bench: placing an order wrote nothing to %s: the yardstick no longer knows what is written", t.table)
		}
	}
	levels := tableRows{table: "stock_level"}
	if err := read(&levels, fmt.Sprintf("select * from stock_level where company = '%s' order by item_id limit 100000", company)); err != nil {
		return err
	}
	at := slices.Index(levels.columns, "item_id")
	on := slices.Index(levels.columns, "warehouse")
	for _, row := range levels.rows {
		l.levels = append(l.levels, levelKey{fmt.Sprint(row[at]), fmt.Sprint(row[on])})
	}
	return l.own(company, levels.columns, run)
}

// own copies what the yardstick updates to its own company.
func (l *ledger) own(company string, columns []string, run func(string) error) error {
	others := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "company" })
	list := strings.Join(others, ", ")
	var texts []string
	if l.engine.OneWriter {
		texts = append(texts, fmt.Sprintf("insert into stock_level (company, %s) select '%s', %s from stock_level where company = '%s'", list, l.company, list, company),
			fmt.Sprintf("insert into number_series (company, series, next) values ('%s', 'order', 1)", l.company))
	} else {
		// Row-level security shows one company at a time: the rows wait in a table of their own in between.
		texts = append(texts, fmt.Sprintf("create temporary table own_level as select %s from stock_level where company = '%s'", list, company),
			"set kontor.company = '"+l.company+"'",
			fmt.Sprintf("insert into stock_level (company, %s) select '%s', %s from own_level", list, l.company, list))
	}
	for _, t := range texts {
		if err := run(t); err != nil {
			return err
		}
	}
	return nil
}

// statements are the texts of one order's rows, in the order of writing: an insert for each table, an update of each
// level, and on files the number series, which other engines draw from outside the transaction.
func (l *ledger) statements() (inserts []string, level, series string) {
	mark := 0
	p := func() string { mark++; return fmt.Sprintf("%c%d", l.engine.Mark, mark) }
	for _, t := range l.tables {
		mark = 0
		var rows []string
		for range t.rows {
			marks := make([]string, len(t.columns))
			for i := range marks {
				marks[i] = p()
			}
			rows = append(rows, "("+strings.Join(marks, ", ")+")")
		}
		inserts = append(inserts, fmt.Sprintf("insert into %s (%s) values %s", t.table, strings.Join(t.columns, ", "), strings.Join(rows, ", ")))
	}
	mark = 0
	level = fmt.Sprintf("update stock_level set allocated = allocated + %s, changed_at = %s where company = %s and item_id = %s and warehouse = %s", p(), p(), p(), p(), p())
	mark = 0
	if l.engine.OneWriter {
		series = fmt.Sprintf("update number_series set next = next + 1 where company = %s and series = 'order'", p())
	}
	return inserts, level, series
}

// values are the rows of table t as those of a new order.
func (l *ledger) values(t *tableRows, order string, n, now int64) []any {
	number := fmt.Sprintf("BARE-%d", n)
	fresh := map[string]any{"company": l.company, "id": order, "order_id": order, "number": number, "number_key": number, "business_key": number,
		"stamp": now, "at": now, "created_at": now, "changed_at": now}
	if t.table == "idempotency" {
		fresh = map[string]any{"company": l.company, "key": record.NewID() + number, "created_at": now}
	}
	out := make([]any, 0, len(t.rows)*len(t.columns))
	for _, row := range t.rows {
		for i, c := range t.columns {
			if v, ok := fresh[c]; ok {
				out = append(out, v)
				continue
			}
			out = append(out, row[i])
		}
	}
	return out
}

// writer is one connection with the statements prepared.
type writer struct {
	begin, commit func() error
	// one writes the rows of one order.
	one   func() error
	close func()
}

// writer opens a connection that writes orders.
func (l *ledger) writer(ctx context.Context) (*writer, error) {
	d, err := l.engine.Open(l.target, db.ForWriting)
	if err != nil {
		return nil, err
	}
	c, err := d.Conn(ctx) // held: a transaction lives on it
	if err != nil {
		return nil, err
	}
	run := func(text string) error { _, err := c.ExecContext(ctx, text); return err }
	if err := l.as(run, l.company); err != nil {
		return nil, err
	}
	exec := map[string]func(args ...any) error{}
	begin := "begin"
	if l.engine.OneWriter {
		begin = "begin immediate"
	}
	inserts, level, series := l.statements()
	for _, text := range append([]string{begin, "commit", level, series}, inserts...) {
		if text == "" {
			continue
		}
		st, err := c.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("%.60s: %w", text, err)
		}
		exec[text] = func(args ...any) error { _, err := st.ExecContext(ctx, args...); return err }
	}
	return &writer{
		begin:  func() error { return exec[begin]() },
		commit: func() error { return exec["commit"]() },
		one:    func() error { return l.one(inserts, level, series, exec) },
		close:  func() { c.Close(); d.Close() },
	}, nil
}

func (l *ledger) one(inserts []string, level, series string, exec map[string]func(...any) error) error {
	n, now := l.next.Add(1), time.Now().UnixMicro()+rand.Int64N(1000)
	order := record.NewID()
	for i, text := range inserts {
		if err := exec[text](l.values(&l.tables[i], order, n, now)...); err != nil {
			return err
		}
	}
	for _, k := range l.someLevels() {
		if err := exec[level](int64(1_000_000), now, l.company, k.item, k.warehouse); err != nil {
			return err
		}
	}
	if series == "" {
		return nil
	}
	return exec[series](l.company)
}

// someLevels are as many different levels as an order has lines, in the order of locking.
func (l *ledger) someLevels() []levelKey {
	chosen := map[int]bool{}
	for len(chosen) < min(linesPerOrder, len(l.levels)) {
		chosen[rand.IntN(len(l.levels))] = true
	}
	out := make([]levelKey, 0, len(chosen))
	for _, i := range slices.Sorted(maps.Keys(chosen)) {
		out = append(out, l.levels[i])
	}
	return out
}

// clear deletes what the yardstick wrote.
func (l *ledger) clear(ctx context.Context) error {
	if l.engine.OneWriter {
		return removeFile(l.target)
	}
	d, err := l.engine.Open(l.target, db.ForWriting)
	if err != nil {
		return err
	}
	defer d.Close()
	d.SetMaxOpenConns(1)
	run := func(text string) error { _, err := d.ExecContext(ctx, text); return err }
	if err := l.as(run, l.company); err != nil {
		return err
	}
	for _, t := range append([]string{"stock_level", "idempotency"}, "sales_order", "sales_order_line", "change", "activity") {
		if err := run(fmt.Sprintf("delete from %s where company = '%s'", t, l.company)); err != nil {
			return err
		}
	}
	return nil
}
