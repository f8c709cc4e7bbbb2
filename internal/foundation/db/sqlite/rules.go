package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/foundation/lazy"
)

// addRule and dropRule are the statements of a step that lay a rule over the rows of a table, or take it away, which
// SQLite has no words for. A rule with other words is dropped and added again.
var (
	addRule  = lazy.Regexp(`(?m)^alter table (\w+) add (constraint \w+ check \(.*\)) not valid;$`)
	dropRule = lazy.Regexp(`(?m)^alter table (\w+) drop constraint (\w+);$`)
)

// oneOf is a column that takes a few words. SQLite makes a table of them each time a row is written; asked one by one
// it does not.
var oneOf = lazy.Regexp(`(\w+) in \(('[^)]*)\)`)

func oneByOne(check string) string {
	return oneOf().ReplaceAllStringFunc(check, func(s string) string {
		m := oneOf().FindStringSubmatch(s)
		return "(" + m[1] + " = " + strings.ReplaceAll(m[2], ", ", " or "+m[1]+" = ") + ")"
	})
}

// step runs a step of the schema. Rules become part of the tables' own definitions, as SQLite's manual says how (Making
// Other Kinds Of Table Schema Changes): the rows stay as they are, and are not looked at. A rule there costs a tenth of
// what a trigger costs, and holds for whoever writes into the file.
func step(ctx context.Context, tx *sql.Tx, text string) error {
	rules, dropped := addRule().FindAllStringSubmatch(text, -1), dropRule().FindAllStringSubmatch(text, -1)
	text = dropRule().ReplaceAllString(addRule().ReplaceAllString(text, ""), "")
	if _, err := tx.ExecContext(ctx, text); err != nil || len(rules)+len(dropped) == 0 {
		return err
	}
	added, gone, tables := map[string][]string{}, map[string][]string{}, []string(nil)
	for _, r := range rules {
		added[r[1]] = append(added[r[1]], oneByOne(r[2]))
		tables = append(tables, r[1])
	}
	for _, r := range dropped {
		gone[r[1]] = append(gone[r[1]], r[2])
		tables = append(tables, r[1])
	}
	slices.Sort(tables)
	tables = slices.Compact(tables)
	var version int64
	if err := tx.QueryRowContext(ctx, "pragma schema_version").Scan(&version); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "pragma writable_schema = on"); err != nil {
		return err
	}
	for _, table := range tables {
		if err := define(ctx, tx, table, gone[table], added[table]); err != nil {
			return err
		}
	}
	// The definitions are read again, here and by whoever has the file open: a word that SQLite cannot read undoes the
	// step.
	_, err := tx.ExecContext(ctx, fmt.Sprintf("pragma schema_version = %d; pragma writable_schema = reset", version+1))
	for _, table := range tables {
		if err == nil {
			_, err = tx.ExecContext(ctx, "select 1 from "+table+" limit 0")
		}
	}
	return err
}

// define takes rules out of the definition of a table, and writes others behind all that it has.
func define(ctx context.Context, tx *sql.Tx, table string, gone, added []string) error {
	var text string
	err := tx.QueryRowContext(ctx, "select sql from sqlite_master where type = 'table' and name = ?", table).Scan(&text)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	for _, name := range gone {
		from, after, found := strings.Cut(text, ruleLine+"constraint "+name+" check (")
		_, rest, ends := strings.Cut(after, "\n")
		if !found || !ends {
			return fmt.Errorf("table %s has no rule %s", table, name)
		}
		text = from + "\n" + rest
	}
	end := strings.LastIndexByte(text, ')')
	text, tail := strings.TrimRight(text[:end], " \t\n"), text[end:]
	for _, rule := range added {
		text += ruleLine + rule
	}
	_, err = tx.ExecContext(ctx, "update sqlite_master set sql = ? where type = 'table' and name = ?", text+"\n"+tail,
		table)
	return err
}

// ruleLine comes before each rule, which has a line to itself. The comma begins it: what stands before may be a
// comment.
const ruleLine = "\n\t, "
