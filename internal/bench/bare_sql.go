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
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// operation says which rows one operation of ours writes. They are read where it has just been done.
type operation struct {
	name     string    // "placing an order"
	inserted []written // tables that it adds rows to
	changed  []change  // rows that stand and are changed, in the order of locking
	series   string    // of numbers that it draws one of
}

// written are the rows that an operation adds to a table: those that meet the condition, which names the document's
// number as %s, or is none, and an order in which they are the first.
type written struct{ table, rows string }

// change is one of rows that stand.
type change struct {
	table string
	keys  []string // of a row, besides the company
	set   string   // and changed_at, where there is one
	rows  int      // how many of them one operation changes
	among string   // the condition of rows that it can be made to, behind the company's; "" = any
}

// ledger is the yardstick of an operation: the rows that it writes, as they stand in the tables, to be written again
// and again under new keys with the plainest transaction that is as durable as ours.
type ledger struct {
	yardstick
	operation
	tables []tableRows
	stands []standing
	next   atomic.Int64
}

// standing are rows of the yardstick's own that a change is made to.
type standing struct {
	change
	text string
	keys [][]any
}

// placingRows are the rows of POST order.
func placingRows() operation {
	const one = "id in (select id from sales_order where number_key = '%s')"
	return operation{name: "placing an order", series: "order",
		inserted: []written{{"sales_order", "and " + one}, {"sales_order_line", "and order_" + one},
			{"change", "and " + one}, {"activity", "and " + one}, {"idempotency", "order by created_at desc limit 1"}},
		changed: []change{{table: "stock_level", keys: []string{"item_id", "warehouse"},
			set: "allocated = allocated + 1000000", rows: linesPerOrder}}}
}

// newLedger reads the rows that an operation has just written for the document of this number.
func newLedger(ctx context.Context, kontor *app.App, f firm, o operation, number string) *ledger {
	l := &ledger{yardstick: newYardstick(ctx, kontor, f), operation: o}
	s := l.session(ctx, f.ID)
	defer s.close()
	l.read(s, f.ID, number)
	return l
}

func (l *ledger) read(s *session, company, number string) {
	for _, w := range l.inserted {
		t := tableRows{table: w.table}
		rows := strings.ReplaceAll(w.rows, "%s", record.Fold(number))
		t.read(s, l.name, fmt.Sprintf("select * from %s where company = '%s' %s", w.table, company, rows))
		l.tables = append(l.tables, t)
	}
	var all []tableRows
	for _, c := range l.changed {
		t := tableRows{table: c.table}
		t.read(s, l.name, fmt.Sprintf("select * from %s where company = '%s'%s order by %s limit 100000", c.table,
			company, c.among, strings.Join(c.keys, ", ")))
		l.stands = append(l.stands, c.of(l.engine, t))
		all = append(all, t)
	}
	l.own(company, all, s.run)
}

// of are the rows of a table that a change can be made to, with its text.
func (c change) of(e *db.Engine, t tableRows) standing {
	p := marks(e)
	out := standing{change: c, text: "update " + c.table + " set " + c.set}
	if slices.Contains(t.columns, "changed_at") {
		out.text += ", changed_at = changed_at + 1"
	}
	out.text += " where company = " + p()
	for _, k := range c.keys {
		out.text += " and " + k + " = " + p()
	}
	for _, row := range t.rows {
		key := each.Of(c.keys, func(k string) any { return row[slices.Index(t.columns, k)] })
		out.keys = append(out.keys, key)
	}
	return out
}

// own copies what the yardstick changes to its own company.
func (l *ledger) own(company string, tables []tableRows, run func(string)) {
	var texts, after []string
	for _, t := range tables {
		others := strings.Join(slices.DeleteFunc(slices.Clone(t.columns),
			func(c string) bool { return c == "company" }), ", ")
		from := t.table + " where company = '" + company + "'"
		if !l.engine.OneWriter {
			// Row-level security shows one company at a time: the rows wait in a table of their own in between.
			texts = append(texts, fmt.Sprintf("create temporary table own_%s as select %s from %s", t.table, others,
				from))
			from = "own_" + t.table
		}
		after = append(after, fmt.Sprintf("insert into %s (company, %s) select '%s', %s from %s", t.table, others,
			l.company, others, from))
	}
	if l.engine.OneWriter {
		after = append(after, fmt.Sprintf("insert into number_series (company, series, next) values ('%s', '%s', 1)",
			l.company, l.series))
	} else {
		texts = append(texts, "set kontor.company = '"+l.company+"'")
	}
	for _, text := range append(texts, after...) {
		run(text)
	}
}

// statements are the texts that add rows, one for each table, and on files that of the number series, which other
// engines draw from outside the transaction.
func (l *ledger) statements() (inserts []string, series string) {
	for _, t := range l.tables {
		inserts = append(inserts, t.insert(l.engine))
	}
	if l.engine.OneWriter {
		series = fmt.Sprintf("update number_series set next = next + 1 where company = %s and series = '%s'",
			marks(l.engine)(), l.series)
	}
	return inserts, series
}

// values are the rows of table t as those of a new document.
func (l *ledger) values(t *tableRows, id string, n, now int64) []any {
	number := fmt.Sprintf("BARE-%d", n)
	fresh := map[string]any{"company": l.company, "id": id, "order_id": id, "receipt_id": id, "number": number,
		"number_key": number, "business_key": number, "stamp": now, "at": now, "seq": n, "created_at": now,
		"changed_at": now}
	if t.table == "idempotency" {
		fresh = map[string]any{"company": l.company, "key": record.NewID() + number, "created_at": now}
	}
	return t.with(fresh)
}

// writer opens a connection that writes what the operation does.
func (l *ledger) writer(ctx context.Context) *writer {
	inserts, series := l.statements()
	texts := append([]string{series}, inserts...)
	for _, s := range l.stands {
		texts = append(texts, s.text)
	}
	return l.yardstick.writer(ctx, texts, func(exec map[string]func(...any)) func() {
		return func() { l.one(inserts, series, exec) }
	})
}

func (l *ledger) one(inserts []string, series string, exec map[string]func(...any)) {
	n, now := l.next.Add(1), time.Now().UnixMicro()+rand.Int64N(1000)
	id := record.NewID()
	for i, text := range inserts {
		exec[text](l.values(&l.tables[i], id, n, now)...)
	}
	for _, s := range l.stands {
		for _, i := range s.some() {
			exec[s.text](append([]any{l.company}, s.keys[i]...)...)
		}
	}
	if series != "" {
		exec[series](l.company)
	}
}

// some are as many different rows as one operation changes, in the order of locking.
func (s *standing) some() []int {
	chosen := map[int]bool{}
	for len(chosen) < min(s.rows, len(s.keys)) {
		chosen[rand.IntN(len(s.keys))] = true
	}
	return slices.Sorted(maps.Keys(chosen))
}

// clear deletes what the yardstick wrote.
func (l *ledger) clear(ctx context.Context) error {
	tables := each.Of(l.inserted, func(w written) string { return w.table })
	for _, c := range l.changed {
		tables = append(tables, c.table)
	}
	return l.drop(ctx, tables...)
}
