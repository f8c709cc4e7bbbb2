package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// Examined is what a copy of a company's file holds.
type Examined struct {
	// Rows of the company, in all tables but company_state, which knows of the company itself.
	Rows   int64
	Steps  []int64 // of the schema
	Newest int64   // that this program knows
}

// Examine looks through the file at path, which nobody has open: it must be whole, and hold the company's data.
func Examine(ctx context.Context, e *Engine, path, company string) (x Examined, err error) {
	if _, err := os.Stat(path); err != nil { // opening it would make an empty one
		return x, err
	}
	d, err := e.Open(path, ForOwning)
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	c, err := d.Conn(ctx)
	if err != nil {
		return x, err
	}
	defer c.Close()
	var damage []error
	if err := e.Damage(ctx, c, func(text string) {
		damage = append(damage, errors.New("the file is damaged: "+text))
	}); err != nil || damage != nil {
		return x, errors.Join(append(damage, err)...)
	}
	have, err := progress(ctx, d, CellSchema)
	if err != nil {
		return x, err
	}
	x.Steps, x.Newest = have.Applied, have.Newest
	var n int64
	if err := c.QueryRowContext(ctx, "select count(*) from company_state where company = ?", company).
		Scan(&n); err != nil || n != 1 {
		return x, errors.Join(errors.New("the file holds nothing of the company"), err)
	}
	x.Rows, err = countRows(ctx, c, company)
	return x, err
}

func countRows(ctx context.Context, c *sql.Conn, company string) (sum int64, err error) {
	tables, err := c.QueryContext(ctx, `select m.name from sqlite_master m join pragma_table_xinfo(m.name) c
		where m.type = 'table' and m.name <> 'company_state' and c.name = 'company'`)
	if err != nil {
		return 0, err
	}
	var names []string
	for tables.Next() {
		var name string
		if err := tables.Scan(&name); err != nil {
			return 0, errors.Join(err, tables.Close())
		}
		names = append(names, name)
	}
	if err := errors.Join(tables.Err(), tables.Close()); err != nil {
		return 0, err
	}
	for _, name := range names {
		var n int64
		if err := c.QueryRowContext(ctx, fmt.Sprintf("select count(*) from %s where company = ?", name), company).
			Scan(&n); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		sum += n
	}
	return sum, nil
}

// Absent says why nothing of a company that exists may be here, and what to do.
func (s *Store) Absent() string { return "none of its data is here; " + s.opt.Engine.Absent }
