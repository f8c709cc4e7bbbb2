// Package sqlite is the embedded engine: one file per company, one writer per file. With cgo it is mattn/go-sqlite3,
// without it modernc.org/sqlite; both run the same tests.
package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"kontor/internal/db"
)

// Engine is the SQLite engine.
func Engine() *db.Engine {
	return &db.Engine{
		Name:      "sqlite",
		Goose:     "sqlite3",
		OneWriter: true,
		Mark:      '?',
		Types:     strings.NewReplacer("{{text}}", "text", "{{int}}", "integer", "{{blob}}", "blob", "{{strict}}", " strict"),
		// The one writer locks everything already.
		Rewrite:  strings.NewReplacer(" for update", "", " for share", "").Replace,
		Classify: classify,
		Open:     open,
		Snapshot: snapshot,
	}
}

// pragmas of every connection. FULL makes each commit durable before it is answered.
var pragmas = [...]string{"journal_mode(wal)", "synchronous(full)", "foreign_keys(on)", "busy_timeout(10000)", "temp_store(memory)"}

func open(path string, use db.Use) (*sql.DB, error) {
	cache := "cache_size(-8000)"
	if use == db.ForWriting {
		cache = "cache_size(-32000)"
	}
	return sql.Open(driver, address(path, append(pragmas[:], cache), use == db.ForReading))
}

func snapshot(ctx context.Context, d *sql.DB, path string) error {
	_, err := d.ExecContext(ctx, "vacuum into ?", path)
	return err
}
