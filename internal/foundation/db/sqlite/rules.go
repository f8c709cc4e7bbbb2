package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
)

// addRule is the statement of a step that lays a rule over the rows of a table, which SQLite has no words for.
var addRule = regexp.MustCompile(`(?m)^alter table (\w+) add (constraint \w+ check \(.*\)) not valid;$`)

// oneOf is a column that takes a few words. SQLite makes a table of them each time a row is written; asked one by one it does not.
var oneOf = regexp.MustCompile(`(\w+) in \(('[^)]*)\)`)

func oneByOne(check string) string {
	return oneOf.ReplaceAllStringFunc(check, func(s string) string {
		m := oneOf.FindStringSubmatch(s)
		return "(" + m[1] + " = " + strings.ReplaceAll(m[2], ", ", " or "+m[1]+" = ") + ")"
	})
}

// step runs a step of the schema. Rules become part of the tables' own definitions, as SQLite's manual says how (Making Other Kinds Of
// Table Schema Changes): the rows stay as they are, and are not looked at. A rule there costs a tenth of what a trigger costs, and
// holds for whoever writes into the file.
func step(ctx context.Context, tx *sql.Tx, text string) error {
	rules := addRule.FindAllStringSubmatch(text, -1)
	if _, err := tx.ExecContext(ctx, addRule.ReplaceAllString(text, "")); err != nil || len(rules) == 0 {
		return err
	}
	byTable, tables := map[string][]string{}, []string(nil)
	for _, r := range rules {
		if byTable[r[1]] == nil {
			tables = append(tables, r[1])
		}
		byTable[r[1]] = append(byTable[r[1]], oneByOne(r[2]))
	}
	var version int64
	if err := tx.QueryRowContext(ctx, "pragma schema_version").Scan(&version); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "pragma writable_schema = on"); err != nil {
		return err
	}
	for _, table := range tables {
		if err := define(ctx, tx, table, byTable[table]); err != nil {
			return err
		}
	}
	// The definitions are read again, here and by whoever has the file open: a word that SQLite cannot read undoes the step.
	_, err := tx.ExecContext(ctx, fmt.Sprintf("pragma schema_version = %d; pragma writable_schema = reset", version+1))
	for _, table := range tables {
		if err == nil {
			_, err = tx.ExecContext(ctx, "select 1 from "+table+" limit 0")
		}
	}
	return err
}

// define writes rules behind all that the definition of a table has already.
func define(ctx context.Context, tx *sql.Tx, table string, rules []string) error {
	var text string
	err := tx.QueryRowContext(ctx, "select sql from sqlite_master where type = 'table' and name = ?", table).Scan(&text)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	end := strings.LastIndexByte(text, ')')
	// The comma begins a line: what stands before it may be a comment.
	text = strings.TrimRight(text[:end], " \t\n") + "\n\t, " + strings.Join(rules, "\n\t, ") + "\n" + text[end:]
	_, err = tx.ExecContext(ctx, "update sqlite_master set sql = ? where type = 'table' and name = ?", text, table)
	return err
}
