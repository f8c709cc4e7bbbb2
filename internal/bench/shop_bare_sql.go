package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/app"
	"kontor/internal/db"
	"kontor/internal/record"
)

// cartLedger is the yardstick of an addition to a cart: the row of its line, and that of the cart, which is made with the first
// line and marked as changed with every other.
type cartLedger struct {
	ledger
	cart, line tableRows
}

// newCartLedger reads the rows of a cart that has just got its first line.
func newCartLedger(ctx context.Context, house *app.House, f firm) (*cartLedger, error) {
	l := &cartLedger{ledger: ledger{engine: house.Place.Engine(), target: house.Place.DatabaseURL, company: record.NewID()},
		cart: tableRows{table: "cart"}, line: tableRows{table: "cart_line"}}
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
	if err := l.as(func(text string) error { _, err := c.ExecContext(ctx, text); return err }, f.ID); err != nil {
		return nil, err
	}
	for t, text := range map[*tableRows]string{
		&l.cart: "select * from cart where company = '" + f.ID + "' order by changed_at desc limit 1",
		&l.line: "select * from cart_line where company = '" + f.ID + "' order by id desc limit 1",
	} {
		rows, err := c.QueryContext(ctx, text)
		if err == nil {
			err = t.read(rows)
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// answered are the rows that a query answers.
type answered interface {
	Columns() ([]string, error)
	Next() bool
	Scan(into ...any) error
	Err() error
	Close() error
}

// read takes the rows, of which there must be some.
func (t *tableRows) read(rows answered) (err error) {
	defer rows.Close()
	if t.columns, err = rows.Columns(); err != nil {
		return err
	}
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
	if err := rows.Err(); err != nil {
		return err
	}
	if len(t.rows) == 0 {
		return fmt.Errorf("bench: an addition to a cart wrote nothing to %s: the yardstick no longer knows what is written", t.table)
	}
	return nil
}

// with is the row with some columns as they are told.
func (t *tableRows) with(fresh map[string]any) []any {
	out := slices.Clone(t.rows[0])
	for i, c := range t.columns {
		if v, ok := fresh[c]; ok {
			out[i] = v
		}
	}
	return out
}

// insert is the text that writes the row anew.
func (l *cartLedger) insert(t *tableRows) string {
	marks := make([]string, len(t.columns))
	for i := range marks {
		marks[i] = fmt.Sprintf("%c%d", l.engine.Mark, i+1)
	}
	return fmt.Sprintf("insert into %s (%s) values (%s)", t.table, strings.Join(t.columns, ", "), strings.Join(marks, ", "))
}

// writer opens a connection that fills one cart after another.
func (l *cartLedger) writer(ctx context.Context) (*writer, error) {
	d, err := l.engine.Open(l.target, db.ForWriting)
	if err != nil {
		return nil, err
	}
	c, err := d.Conn(ctx) // held: a transaction lives on it
	if err != nil {
		return nil, err
	}
	if err := l.as(func(text string) error { _, err := c.ExecContext(ctx, text); return err }, l.company); err != nil {
		return nil, err
	}
	begin := "begin"
	if l.engine.OneWriter {
		begin = "begin immediate"
	}
	cart := l.insert(&l.cart) + " on conflict (company, session_id) do update set changed_at = excluded.changed_at"
	line := l.insert(&l.line)
	exec := map[string]func(args ...any) error{}
	for _, text := range []string{begin, "commit", cart, line} {
		st, err := c.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("%.60s: %w", text, err)
		}
		exec[text] = func(args ...any) error { _, err := st.ExecContext(ctx, args...); return err }
	}
	// As many carts as there are clients are filled in turns.
	const open = 16
	var carts [open]string
	n := 0
	return &writer{
		begin:  func() error { return exec[begin]() },
		commit: func() error { return exec["commit"]() },
		one: func() error {
			at := n % open
			if n/open%cartLines == 0 {
				carts[at] = record.NewID()
			}
			n++
			now := time.Now().UnixMicro()
			fresh := map[string]any{"company": l.company, "id": carts[at], "session_id": carts[at], "created_at": now, "changed_at": now}
			if err := exec[cart](l.cart.with(fresh)...); err != nil {
				return err
			}
			id := record.NewID()
			return exec[line](l.line.with(map[string]any{"company": l.company, "cart_id": carts[at], "id": id, "item_id": id})...)
		},
		close: func() { c.Close(); d.Close() },
	}, nil
}

// clear deletes what the yardstick wrote.
func (l *cartLedger) clear(ctx context.Context) error {
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
	for _, t := range []string{"cart_line", "cart"} {
		if err := run("delete from " + t + " where company = '" + l.company + "'"); err != nil {
			return err
		}
	}
	return nil
}
