package datadir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/durable"
)

// SchemaState is how far one database has come.
type SchemaState struct {
	Schema  db.Schema `json:"schema"`
	Target  string    `json:"target"` // a file's name below the data folder, or "database"
	Version int64     `json:"version"`
	Newest  int64     `json:"newest"`
	// Pending are the steps that were not applied, also such as lie below Version.
	Pending []int64 `json:"pending"`
}

// SchemaStates reads the schema version of every database at place.
func SchemaStates(ctx context.Context, place Dir) ([]SchemaState, error) {
	engine := place.Engine()
	var all []SchemaState
	add := func(schema db.Schema, name, target string) error {
		p, err := db.MigrationStatus(ctx, engine, target, schema)
		all = append(all, SchemaState{schema, name, p.Version, p.Newest, append([]int64{}, p.Pending...)})
		return err
	}
	if place.DatabaseURL != "" {
		err := errors.Join(add(db.ControlSchema, "database", place.DatabaseURL),
			add(db.CellSchema, "database", place.DatabaseURL))
		return all, err
	}
	files, err := place.files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		schema := db.CellSchema
		if f == ControlFile {
			schema = db.ControlSchema
		}
		if err := add(schema, f, filepath.Join(place.Data, f)); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
	}
	return all, nil
}

// Behind refuses data that an older program has left, for who only reads it: to bring its schema forward is a change.
func Behind(ctx context.Context, place Dir) error {
	if place.DatabaseURL == "" {
		lock, err := TakeLock(place.Data)
		if err != nil {
			return err
		}
		if lock == nil {
			return Locked(place)
		}
		defer lock.Release()
		if err := place.FinishSwap(); err != nil || place.upToDate() {
			return err
		}
	}
	states, err := SchemaStates(ctx, place)
	if err != nil {
		return err
	}
	for _, s := range states {
		switch {
		case s.Version == 0 && place.DatabaseURL != "":
			return errors.New("there is no data in the database: begin with company create")
		case len(s.Pending) > 0:
			return fmt.Errorf("%s was written by an older Kontor (schema version %d, this program reads %d), and what only reads changes nothing: use that one, or let kontor migrate or kontor serve bring it forward",
				s.Target, s.Version, s.Newest)
		}
	}
	return nil
}

// Migrate brings every database at place forward: the companies' schema to version and no further, where one is
// given (0 is the newest). Opening the data later brings it up to date all the same.
func Migrate(ctx context.Context, place Dir, log *slog.Logger, version int64) error {
	newest := db.Newest(db.CellSchema)
	version = cmp.Or(version, newest)
	if version < 0 || version > newest {
		return ErrInvalid.At("to", "there is no schema version %d; the newest is %d", version, newest)
	}
	if place.DatabaseURL != "" {
		return errors.Join(db.Migrate(ctx, place.Engine(), place.DatabaseURL, db.ControlSchema),
			db.MigrateTo(ctx, place.Engine(), place.DatabaseURL, db.CellSchema, version))
	}
	if err := place.IsElsewhere(); err != nil {
		return err
	}
	lock, err := TakeLock(place.Data)
	if err != nil {
		return err
	}
	if lock == nil {
		return Locked(place)
	}
	err = place.FinishSwap()
	if err == nil {
		err = MigrateFiles(ctx, place, log, version)
	}
	return errors.Join(err, lock.Release())
}

// MigrateFiles copies files whose schema is behind into a folder of their own, then brings each forward. A shared
// database is migrated as it is opened, and backed up by its operator's means.
func MigrateFiles(ctx context.Context, place Dir, log *slog.Logger, version int64) error {
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
			return fmt.Errorf("%s has schema version %d, this program knows %d: %w", s.Target, s.Version, s.Newest,
				db.ErrNewer)
		}
		if len(s.Pending) > 0 && s.Pending[0] <= goal[s.Schema] {
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

// unfinished marks a folder of copies whose migration did not come to its end.
const unfinished = "unfinished"

// migrateCopied copies files, then migrates them. Who tries again after a failure goes on with the copies of the first
// try: what they hold is what was there before, and files are large.
func migrateCopied(ctx context.Context, place Dir, log *slog.Logger, behind []SchemaState,
	goal map[db.Schema]int64) error {
	keep, err := copiesFolder(filepath.Join(place.Data, "backups"))
	if err != nil {
		return err
	}
	for _, s := range behind {
		if err := copyOnce(ctx, place, s, filepath.Join(keep, s.Target)); err != nil {
			return fmt.Errorf("the copy before the migration failed, nothing was migrated: %w", err)
		}
	}
	log.Warn("the schema is brought forward", "databases", len(behind), "copies", keep)
	for _, s := range behind {
		if err := db.MigrateTo(ctx, place.Engine(), filepath.Join(place.Data, s.Target), s.Schema,
			goal[s.Schema]); err != nil {
			return fmt.Errorf("%s: %w (the copy from before lies in %s)", s.Target, err, keep)
		}
	}
	return os.Remove(filepath.Join(keep, unfinished))
}

// copiesFolder is the folder of a try that did not come to its end, or a new one.
func copiesFolder(backups string) (string, error) {
	marks, err := filepath.Glob(filepath.Join(backups, "before-migration-*", unfinished))
	if err != nil {
		return "", err
	}
	if len(marks) > 0 {
		return filepath.Dir(marks[len(marks)-1]), nil
	}
	keep := filepath.Join(backups, "before-migration-"+time.Now().UTC().Format("20060102T150405.000Z"))
	if err := durable.MakeFolder(keep); err != nil {
		return "", err
	}
	return keep, os.WriteFile(filepath.Join(keep, unfinished), nil, 0o600)
}

// copyOnce copies a database, unless a copy stands there that is from before the steps it has by now.
func copyOnce(ctx context.Context, place Dir, s SchemaState, to string) error {
	if _, err := os.Stat(to); err == nil {
		have, err := db.MigrationStatus(ctx, place.Engine(), to, s.Schema)
		if err == nil && len(have.Pending) > len(s.Pending) {
			return nil
		}
		if err := errors.Join(os.Remove(to), os.RemoveAll(to+"-wal"), os.RemoveAll(to+"-shm")); err != nil {
			return err
		}
	}
	return copyDatabase(filepath.Join(place.Data, s.Target), to)
}

// schemaFile notes the steps that all files have, so that thousands of them need not be asked at every start.
const schemaFile = "schema"

func schemaNote() string {
	return strings.Join(append(db.Steps(db.ControlSchema), db.Steps(db.CellSchema)...), "\n") + "\n"
}

func (p Dir) upToDate() bool {
	b, err := os.ReadFile(filepath.Join(p.Data, schemaFile))
	return err == nil && string(b) == schemaNote()
}

func (p Dir) noteUpToDate() error {
	return os.WriteFile(filepath.Join(p.Data, schemaFile), []byte(schemaNote()), 0o600)
}

// copyDatabase copies a database file that nobody has open, with its write-ahead log.
func copyDatabase(from, to string) error {
	if err := durable.MakeFolder(filepath.Dir(to)); err != nil {
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
	return errors.Join(out.Sync(), out.Close(), durable.Sync(filepath.Dir(to)))
}
