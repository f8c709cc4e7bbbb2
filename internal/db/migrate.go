package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed schema/cell/*.sql schema/control/*.sql
var schemas embed.FS

// Schema is one of the two sets of tables.
type Schema string

// The control database holds what is not company data; a cell holds companies' data.
const (
	ControlSchema Schema = "control"
	CellSchema    Schema = "cell"
)

// Migrate brings the schema of target up to date. It costs one query when nothing is to be done.
func Migrate(ctx context.Context, e *Engine, target string, schema Schema) error {
	return MigrateTo(ctx, e, target, schema, Newest(schema))
}

// Newest is the version that this program brings a schema to.
func Newest(schema Schema) int64 {
	files, err := fs.ReadDir(schemas, path.Join("schema", string(schema)))
	if err != nil || len(files) == 0 {
		panic("db: the schema is not embedded") // cannot be: the embed directive would not compile
	}
	digits, _, _ := strings.Cut(files[len(files)-1].Name(), "_")
	version, _ := strconv.ParseInt(digits, 10, 64) // migrations() refuses a name without a number
	return version
}

// MigrateTo brings the schema of target forward to a version and no further, for who upgrades step by step.
func MigrateTo(ctx context.Context, e *Engine, target string, schema Schema, version int64) error {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return err
	}
	defer d.Close()
	steps, err := migrations(e, schema)
	if err != nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(m *goose.Migration) bool { return m.Version > version })
	have, err := current(ctx, d, schema)
	if err != nil || len(steps) == 0 || have >= steps[len(steps)-1].Version {
		return err
	}
	if e.Lock != nil {
		unlock, err := e.Lock(ctx, d)
		if err != nil {
			return err
		}
		defer unlock()
	}
	p, err := provider(e, d, schema, steps)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate %s: %w", schema, err)
	}
	if e.Protect != nil {
		return e.Protect(ctx, d)
	}
	return nil
}

// MigrationStatus is the schema version a target has and the newest there is.
func MigrationStatus(ctx context.Context, e *Engine, target string, schema Schema) (have, newest int64, err error) {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return 0, 0, err
	}
	defer d.Close()
	steps, err := migrations(e, schema)
	if err != nil {
		return 0, 0, err
	}
	have, err = current(ctx, d, schema)
	return have, steps[len(steps)-1].Version, err
}

func provider(e *Engine, d *sql.DB, schema Schema, steps []*goose.Migration) (*goose.Provider, error) {
	return goose.NewProvider(goose.Dialect(e.Goose), d, nil, goose.WithGoMigrations(steps...),
		goose.WithDisableGlobalRegistry(true), goose.WithTableName("schema_version_"+string(schema)))
}

// current is the version the target has; 0 where there is no table yet, which the engines say in words of their own.
func current(ctx context.Context, d *sql.DB, schema Schema) (v int64, err error) {
	err = d.QueryRowContext(ctx, "select coalesce(max(version_id), 0) from schema_version_"+string(schema)).Scan(&v)
	if err != nil && (strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "42P01")) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("the %s schema cannot be read: %w", schema, err)
	}
	return v, err
}

// migrations are the embedded files as steps, in the order of their numbers, in the engine's words.
func migrations(e *Engine, schema Schema) ([]*goose.Migration, error) {
	dir := path.Join("schema", string(schema))
	files, err := fs.ReadDir(schemas, dir)
	if err != nil {
		return nil, err
	}
	var steps []*goose.Migration
	for _, f := range files {
		text, err := schemas.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(f.Name(), "_")
		version, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("schema file %s: its name must begin with a number", f.Name())
		}
		statements := e.Types.Replace(string(text))
		steps = append(steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, statements); err != nil {
				return fmt.Errorf("%s: %w", f.Name(), err)
			}
			return nil
		}}, nil))
	}
	return steps, nil
}
