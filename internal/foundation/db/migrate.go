package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
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

// Migrate brings schemas of target up to date, one after the other. It costs one connection, and a query for each
// schema when nothing is to be done.
func Migrate(ctx context.Context, e *Engine, target string, schemas ...Schema) error {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, schema := range schemas {
		if err := migrateTo(ctx, e, d, schema, Newest(schema)); err != nil {
			return err
		}
	}
	return nil
}

// Newest is the version that this program brings a schema to.
func Newest(schema Schema) int64 { return stepOf(schemaFiles(schema)[len(schemaFiles(schema))-1]) }

// Steps are the names of the files that make a schema, in the order of their numbers.
func Steps(schema Schema) []string {
	var names []string
	for _, f := range schemaFiles(schema) {
		names = append(names, f.Name())
	}
	return names
}

// StepNumbers are the numbers of the steps that make a schema, in their order.
func StepNumbers(schema Schema) []int64 {
	var steps []int64
	for _, f := range schemaFiles(schema) {
		steps = append(steps, stepOf(f))
	}
	return steps
}

func schemaFiles(schema Schema) []fs.DirEntry {
	files, err := fs.ReadDir(schemas, path.Join("schema", string(schema)))
	if err != nil || len(files) == 0 {
		panic("db: the schema is not embedded") // cannot be: the embed directive would not compile
	}
	return files
}

// stepOf is the number that a file's name begins with; 0 where it has none, which a law refuses.
func stepOf(f fs.DirEntry) int64 {
	digits, _, _ := strings.Cut(f.Name(), "_")
	version, _ := strconv.ParseInt(digits, 10, 64)
	return version
}

// ErrNewer is answered for data that a newer program has migrated: this one would write what that one cannot read.
var ErrNewer = errors.New("it was written by a newer Kontor; use that one")

// MigrateTo brings the schema of target forward to a version and no further, for who upgrades step by step. A step that
// is missing below the newest applied one is applied as well: releases may have been built from branches. Data with a
// newer schema is refused with ErrNewer.
func MigrateTo(ctx context.Context, e *Engine, target string, schema Schema, version int64) error {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return err
	}
	defer d.Close()
	return migrateTo(ctx, e, d, schema, version)
}

func migrateTo(ctx context.Context, e *Engine, d *sql.DB, schema Schema, version int64) error {
	have, err := progress(ctx, d, schema)
	if err != nil {
		return err
	}
	if have.Version > have.Newest {
		return fmt.Errorf("the %s schema has version %d, this program knows %d: %w", schema, have.Version, have.Newest,
			ErrNewer)
	}
	if have.Behind(version) {
		err := apply(ctx, e, d, schema, have, migrations(e, schema, func(step int64) bool { return step <= version }))
		if err != nil || version < Newest(schema) {
			return err
		}
		have.Pending = nil
	}
	return markNewest(ctx, e, d, schema, have)
}

// MigrateOnly applies these steps to a new file and no others, so that rows from before the others can be filled in.
func MigrateOnly(ctx context.Context, e *Engine, target string, schema Schema, steps []int64) error {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return err
	}
	defer d.Close()
	return apply(ctx, e, d, schema, Progress{},
		migrations(e, schema, func(step int64) bool { return slices.Contains(steps, step) }))
}

func apply(ctx context.Context, e *Engine, d *sql.DB, schema Schema, have Progress, steps []*goose.Migration) error {
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
	if e.Bare != nil {
		if err := e.Bare(ctx, d); err != nil {
			return fmt.Errorf("migrate %s: %w", schema, err)
		}
	}
	_, err = p.Up(ctx)
	if err != nil {
		err = fmt.Errorf("migrate %s: %w", schema, err)
	}
	if e.Protect != nil && (err == nil || have.Version > 0) {
		err = errors.Join(err, e.Protect(ctx, d, tablesOfSchema(ControlSchema)))
	}
	return err
}

// step runs the text of a step.
func (e *Engine) step(ctx context.Context, tx *sql.Tx, text string) error {
	if e.Step != nil {
		return e.Step(ctx, tx, text)
	}
	_, err := tx.ExecContext(ctx, text)
	return err
}

// Progress is how far a target's schema has come.
type Progress struct {
	Version int64   // the newest step that was applied; 0 = none
	Newest  int64   // the newest step that this program knows
	Pending []int64 // the steps of this program that were not applied, in order
	Applied []int64 // those that were, also such as this program does not know, in order
}

// Behind reports whether a step up to version is missing.
func (p Progress) Behind(version int64) bool { return len(p.Pending) > 0 && p.Pending[0] <= version }

// stands reports whether nothing is to be done, nor by a newer program was.
func (p Progress) stands() bool { return len(p.Pending) == 0 && p.Version <= p.Newest }

// MigrationStatus is how far a target's schema has come.
func MigrationStatus(ctx context.Context, e *Engine, target string, schema Schema) (Progress, error) {
	d, err := e.Open(target, ForOwning)
	if err != nil {
		return Progress{}, err
	}
	defer d.Close()
	return progress(ctx, d, schema)
}

func provider(e *Engine, d *sql.DB, schema Schema, steps []*goose.Migration) (*goose.Provider, error) {
	return goose.NewProvider(goose.Dialect(e.Goose), d, nil, goose.WithGoMigrations(steps...),
		goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true),
		goose.WithTableName("schema_version_"+string(schema)))
}

// asked is a database or a connection to it.
type asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// progress reads which steps the target has; none where there is no table yet, which the engines say in words of their
// own.
func progress(ctx context.Context, d asked, schema Schema) (Progress, error) {
	applied, err := appliedSteps(ctx, d, schema)
	if err != nil && !strings.Contains(err.Error(), "no such table") && !strings.Contains(err.Error(), "42P01") {
		return Progress{}, fmt.Errorf("the %s schema cannot be read: %w", schema, err)
	}
	p := Progress{Newest: Newest(schema)}
	for version := range applied {
		p.Version = max(p.Version, version)
		if version > 0 { // goose's own first row
			p.Applied = append(p.Applied, version)
		}
	}
	slices.Sort(p.Applied)
	for _, f := range schemaFiles(schema) {
		if version := stepOf(f); !applied[version] {
			p.Pending = append(p.Pending, version)
		}
	}
	return p, nil
}

func appliedSteps(ctx context.Context, d asked, schema Schema) (map[int64]bool, error) {
	rows, err := d.QueryContext(ctx, "select version_id from schema_version_"+string(schema))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	applied := map[int64]bool{}
	for rows.Next() {
		var version int64
		if err := rows.Scan(&version); err != nil {
			return nil, err
		}
		applied[version] = true
	}
	return applied, rows.Err()
}

// migrations are the embedded files that are wanted as steps, in the order of their numbers, in the engine's words.
func migrations(e *Engine, schema Schema, wanted func(step int64) bool) (steps []*goose.Migration) {
	for _, f := range schemaFiles(schema) {
		if !wanted(stepOf(f)) {
			continue
		}
		run := func(ctx context.Context, tx *sql.Tx) error {
			text, err := schemas.ReadFile(path.Join("schema", string(schema), f.Name()))
			if err == nil {
				err = e.step(ctx, tx, e.Types.Replace(string(text)))
			}
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name(), err)
			}
			return nil
		}
		steps = append(steps, goose.NewGoMigration(stepOf(f), &goose.GoFunc{RunTx: run}, nil))
	}
	return steps
}
