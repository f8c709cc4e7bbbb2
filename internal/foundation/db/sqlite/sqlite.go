// Package sqlite is the embedded engine: one file per company, one writer per file. With cgo it is mattn/go-sqlite3,
// without it modernc.org/sqlite; both run the same tests.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fold"
)

// Engine is the SQLite engine.
func Engine() *db.Engine {
	return &db.Engine{
		Name:      "sqlite",
		Goose:     "sqlite3",
		OneWriter: true,
		Absent:    "its file is empty: put back a backup",
		Mark:      '?',
		Types: strings.NewReplacer("{{text}}", "text", "{{int}}", "integer", "{{blob}}", "blob", "{{strict}}",
			" strict", "{{clustered}}", " strict, without rowid", "{{least}}", "min"),
		// The one writer locks everything already.
		Rewrite:  strings.NewReplacer(" for update", "", " for share", "", " for key share", "").Replace,
		Classify: classify,
		Open:     open,
		Snapshot: snapshot,
		Pages:    pages,
		Damage:   damage,
		Step:     step,
		Protect:  estimate,
		Whole:    whole,
		Unruled: func(off bool) string {
			if off {
				return "pragma ignore_check_constraints = on"
			}
			return "pragma ignore_check_constraints = off"
		},
		SetMark:  setMark,
		Marked:   marked,
		GiveBack: giveBack,
	}
}

// pragmas of every connection. FULL makes each commit durable before it is answered.
var pragmas = [...]string{"busy_timeout(10000)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(on)"}

// The writer keeps what it changes in memory, and copies the log into the file in larger parts: an import is twice as
// fast for it. The cache is filled only by companies that need it. Its savepoints' journals may not be kept in memory
// (temp_store): truncating them there takes time in proportion to their length. Readers are many and share the system's
// page cache.
var (
	forWriting = [...]string{"cache_size(-128000)", "wal_autocheckpoint(4000)"}
	forReading = [...]string{"cache_size(-4000)", "query_only(on)", "temp_store(memory)"}
)

func open(path string, use db.Use) (*sql.DB, error) {
	all := pragmas[:]
	if use == db.ForReading {
		return connect(path, append(all, forReading[:]...))
	}
	return connect(path, append(all, forWriting[:]...))
}

// Bound says how much memory, in bytes, all open files of this process may hold together before a connection that wants
// another page puts it in the place of one it holds. So that what one file may keep (forWriting) is not what each of
// many keeps: https://www.sqlite.org/c3ref/hard_heap_limit64.html
func Bound(ctx context.Context, bytes int64) error {
	d, err := connect(":memory:", nil)
	if err != nil {
		return err
	}
	_, err = d.ExecContext(ctx, fmt.Sprintf("pragma soft_heap_limit = %d", bytes))
	return errors.Join(err, d.Close())
}

// damage looks through the whole file.
func damage(ctx context.Context, c *sql.Conn, report func(string)) error {
	rows, err := c.QueryContext(ctx, "pragma quick_check(20)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		// rows from before a rule are no damage
		if text != "ok" && !strings.HasPrefix(text, "CHECK constraint failed") {
			report(text)
		}
	}
	return rows.Err()
}

// isTooLarge reports whether whole numbers passed 64 bits: in sum(), or in an expression, which SQLite then makes a
// float that no column of ours takes.
func isTooLarge(message string) bool {
	return strings.Contains(message, "integer overflow") ||
		strings.Contains(message, "cannot store REAL value in INTEGER column")
}

// snapshot writes the tables anew, so that nothing of what was deleted comes along.
func snapshot(ctx context.Context, d *sql.DB, path string) error {
	_, err := d.ExecContext(ctx, "vacuum into ?", path)
	return err
}

var errBusy = errors.New("the file could not be read in one piece: something else writes it")

// pages copies page by page in one step, which holds one reader's snapshot: writers go on beside it.
func pages(ctx context.Context, d *sql.DB, path string) error {
	c, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(conn any) error { return copyPages(conn, path) })
}

// setMark keeps a number in the file's header: https://www.sqlite.org/pragma.html#pragma_user_version
func setMark(ctx context.Context, c *sql.Conn, mark int32) error {
	_, err := c.ExecContext(ctx, fmt.Sprintf("pragma user_version = %d", mark))
	return err
}

func marked(ctx context.Context, c *sql.Conn) (mark int32, err error) {
	err = c.QueryRowContext(ctx, "pragma user_version").Scan(&mark)
	return mark, err
}

// folded is fold(value) in SQL: what is no text stays as it is.
func folded(value any) any {
	if text, ok := value.(string); ok {
		return fold.Key(text)
	}
	return value
}
