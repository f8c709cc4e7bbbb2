package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"kontor/internal/db"
)

// SchemaState is how far one database has come.
type SchemaState struct {
	Schema  db.Schema `json:"schema"`
	Target  string    `json:"target"` // a file's name below the data folder, or "database"
	Version int64     `json:"version"`
	Newest  int64     `json:"newest"`
}

// SchemaStates reads the schema version of every database at place.
func SchemaStates(ctx context.Context, place Place) ([]SchemaState, error) {
	engine := place.Engine()
	var all []SchemaState
	add := func(schema db.Schema, name, target string) error {
		have, newest, err := db.MigrationStatus(ctx, engine, target, schema)
		all = append(all, SchemaState{schema, name, have, newest})
		return err
	}
	if place.DatabaseURL != "" {
		err := errors.Join(add(db.ControlSchema, "database", place.DatabaseURL), add(db.CellSchema, "database", place.DatabaseURL))
		return all, err
	}
	files, err := place.files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		schema := db.CellSchema
		if f == controlFile {
			schema = db.ControlSchema
		}
		if err := add(schema, f, filepath.Join(place.Data, f)); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
	}
	return all, nil
}

const controlFile = "control.db"

// files are the database files below the data folder, the control database first.
func (p Place) files() ([]string, error) {
	var names []string
	if _, err := os.Stat(filepath.Join(p.Data, controlFile)); err == nil {
		names = append(names, controlFile)
	}
	cells, err := filepath.Glob(filepath.Join(p.Data, "cells", "*.db"))
	for _, c := range cells {
		names = append(names, filepath.Join("cells", filepath.Base(c)))
	}
	return names, err
}

// Migrate brings every database at place forward: the companies' schema to version and no further, where one is
// given (0 is the newest). Opening the data later brings it up to date all the same.
func Migrate(ctx context.Context, place Place, log *slog.Logger, version int64) error {
	newest := db.Newest(db.CellSchema)
	if version == 0 {
		version = newest
	}
	if version < 0 || version > newest {
		return ErrConfig.At("to", "there is no schema version %d; the newest is %d", version, newest)
	}
	if place.DatabaseURL != "" {
		return errors.Join(db.Migrate(ctx, place.Engine(), place.DatabaseURL, db.ControlSchema),
			db.MigrateTo(ctx, place.Engine(), place.DatabaseURL, db.CellSchema, version))
	}
	lock, err := TakeLock(place.Data)
	if err != nil {
		return err
	}
	if lock == nil {
		return errLocked(place)
	}
	err = place.finishSwap()
	if err == nil {
		err = migrateFiles(ctx, place, log, version)
	}
	return errors.Join(err, lock.Release())
}

// migrateFiles copies files whose schema is behind into a folder of their own, then brings each forward. A shared
// database is migrated as it is opened, and backed up by its operator's means.
func migrateFiles(ctx context.Context, place Place, log *slog.Logger, version int64) error {
	if place.upToDate() {
		return nil
	}
	states, err := SchemaStates(ctx, place)
	if err != nil {
		return err
	}
	goal := map[db.Schema]int64{db.ControlSchema: db.Newest(db.ControlSchema), db.CellSchema: version}
	var behind []SchemaState
	for _, s := range states {
		if s.Version > s.Newest {
			return fmt.Errorf("%s has schema version %d, this program knows %d: it was written by a newer Kontor; use that one", s.Target, s.Version, s.Newest)
		}
		if s.Version < goal[s.Schema] {
			behind = append(behind, s)
		}
	}
	if len(behind) > 0 {
		if err := migrateCopied(ctx, place, log, behind, goal); err != nil {
			return err
		}
	}
	if version < db.Newest(db.CellSchema) {
		return nil
	}
	return place.noteUpToDate()
}

func migrateCopied(ctx context.Context, place Place, log *slog.Logger, behind []SchemaState, goal map[db.Schema]int64) error {
	keep := filepath.Join(place.Data, "backups", "before-migration-"+time.Now().UTC().Format("20060102T150405.000Z"))
	for _, s := range behind {
		if err := copyDatabase(filepath.Join(place.Data, s.Target), filepath.Join(keep, s.Target)); err != nil {
			return fmt.Errorf("the copy before the migration failed, nothing was migrated: %w", err)
		}
	}
	log.Info("migrating", "databases", len(behind), "copies", keep)
	for _, s := range behind {
		if err := db.MigrateTo(ctx, place.Engine(), filepath.Join(place.Data, s.Target), s.Schema, goal[s.Schema]); err != nil {
			return fmt.Errorf("%s: %w (the copy from before lies in %s)", s.Target, err, keep)
		}
	}
	return nil
}

// schemaFile notes the versions that all files have, so that thousands of them need not be asked at every start.
const schemaFile = "schema"

func schemaNote() string {
	return fmt.Sprintf("control %d cell %d\n", db.Newest(db.ControlSchema), db.Newest(db.CellSchema))
}

func (p Place) upToDate() bool {
	b, err := os.ReadFile(filepath.Join(p.Data, schemaFile))
	return err == nil && string(b) == schemaNote()
}

func (p Place) noteUpToDate() error {
	return os.WriteFile(filepath.Join(p.Data, schemaFile), []byte(schemaNote()), 0o600)
}

// copyDatabase copies a database file that nobody has open, with its write-ahead log.
func copyDatabase(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(from+suffix, to+suffix); err != nil && !(suffix != "" && errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(out.Sync(), out.Close())
}
