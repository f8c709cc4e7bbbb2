package bench

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"kontor/internal/app"
	"kontor/internal/foundation/record"
)

// ledger is the yardstick of a placed order: the rows that one order writes, as they stand in the tables, to be written
// again and again under new keys with the plainest transaction that is as durable as ours.
type ledger struct {
	yardstick
	tables []tableRows
	levels []levelKey
	next   atomic.Int64
}

type levelKey struct{ item, warehouse string }

// written are the tables that placing an order inserts into, with the column that names the order.
var written = []struct{ table, column string }{
	{"sales_order", "id"}, {"sales_order_line", "order_id"}, {"change", "id"}, {"activity", "id"},
}

// newLedger reads the rows of an order that was just placed.
func newLedger(ctx context.Context, house *app.House, f firm, order string) (*ledger, error) {
	y, err := newYardstick(ctx, house, f)
	if err != nil {
		return nil, err
	}
	l := &ledger{yardstick: y}
	s, err := l.session(ctx, f.ID)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return l, l.read(s, f.ID, order)
}

func (l *ledger) read(s *session, company, order string) error {
	for _, w := range written {
		t := tableRows{table: w.table}
		err := t.read(s,
			fmt.Sprintf(
				"select * from %s where company = '%s' and %s in (select id from sales_order where company = '%s' and number_key = '%s')",
				w.table, company, w.column, company, record.Fold(order)))
		if err != nil {
			return err
		}
		l.tables = append(l.tables, t)
	}
	key := tableRows{table: "idempotency"}
	if err := key.read(s, fmt.Sprintf("select * from idempotency where company = '%s' order by created_at desc limit 1",
		company)); err != nil {
		return err
	}
	l.tables = append(l.tables, key)
	for _, t := range l.tables {
		if err := t.written("placing an order"); err != nil {
			return err
		}
	}
	levels := tableRows{table: "stock_level"}
	if err := levels.read(s, fmt.Sprintf("select * from stock_level where company = '%s' order by item_id limit 100000",
		company)); err != nil {
		return err
	}
	at := slices.Index(levels.columns, "item_id")
	on := slices.Index(levels.columns, "warehouse")
	for _, row := range levels.rows {
		l.levels = append(l.levels, levelKey{fmt.Sprint(row[at]), fmt.Sprint(row[on])})
	}
	return l.own(company, levels.columns, s.run)
}

// own copies what the yardstick updates to its own company.
func (l *ledger) own(company string, columns []string, run func(string) error) error {
	others := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "company" })
	list := strings.Join(others, ", ")
	var texts []string
	if l.engine.OneWriter {
		texts = append(texts,
			fmt.Sprintf("insert into stock_level (company, %s) select '%s', %s from stock_level where company = '%s'",
				list, l.company, list, company),
			fmt.Sprintf("insert into number_series (company, series, next) values ('%s', 'order', 1)", l.company))
	} else {
		// Row-level security shows one company at a time: the rows wait in a table of their own in between.
		texts = append(texts,
			fmt.Sprintf("create temporary table own_level as select %s from stock_level where company = '%s'", list,
				company), "set kontor.company = '"+l.company+"'",
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
	for _, t := range l.tables {
		inserts = append(inserts, t.insert(l.engine))
	}
	p := marks(l.engine)
	level = fmt.Sprintf(
		"update stock_level set allocated = allocated + %s, changed_at = %s where company = %s and item_id = %s and warehouse = %s",
		p(), p(), p(), p(), p())
	if l.engine.OneWriter {
		series = fmt.Sprintf("update number_series set next = next + 1 where company = %s and series = 'order'",
			marks(l.engine)())
	}
	return inserts, level, series
}

// values are the rows of table t as those of a new order.
func (l *ledger) values(t *tableRows, order string, n, now int64) []any {
	number := fmt.Sprintf("BARE-%d", n)
	fresh := map[string]any{"company": l.company, "id": order, "order_id": order, "number": number,
		"number_key": number, "business_key": number, "stamp": now, "at": now, "created_at": now, "changed_at": now}
	if t.table == "idempotency" {
		fresh = map[string]any{"company": l.company, "key": record.NewID() + number, "created_at": now}
	}
	return t.with(fresh)
}

// writer opens a connection that writes orders.
func (l *ledger) writer(ctx context.Context) (*writer, error) {
	inserts, level, series := l.statements()
	return l.yardstick.writer(ctx, append([]string{level, series}, inserts...),
		func(exec map[string]func(...any) error) func() error {
			return func() error { return l.one(inserts, level, series, exec) }
		})
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
	return l.drop(ctx, "stock_level", "idempotency", "sales_order", "sales_order_line", "change", "activity")
}
