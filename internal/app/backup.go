package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// BackupOf says what a backup is to hold.
type BackupOf struct {
	// Company is the code or id of the one company; "" = everything.
	Company string
	// AcceptMissing makes it although pictures or documents that records use are lost, which it names.
	AcceptMissing bool
}

// Backup writes everything, or one company, into an archive at path, while it is in use: each company as of one moment.
// It is written beside its place, read back and compared with what was written, and only then replaces what lies there.
// Whatever is missing is a failure that names it.
func (h *App) Backup(ctx context.Context, of BackupOf, path string) (w archive.Written, err error) {
	s, err := datadir.NewScratch(filepath.Dir(path))
	if err != nil {
		return w, err
	}
	id, err := h.installation(ctx)
	if err == nil {
		w, err = h.writeBackup(ctx, of, id, s.Dir, archive.NewFile(path, s.Dir))
	}
	return w, errors.Join(err, s.Remove())
}

// writeBackup hands everything of this installation to a target, by way of a folder for what passes through.
func (h *App) writeBackup(ctx context.Context, of BackupOf, installation, dir string, t archive.Target) (
	w archive.Written, err error) {
	m := archive.Manifest{CreatedDate: h.now().UTC().Format(time.RFC3339), Kontor: Version().Version,
		Engine: h.store.EngineName(), Whole: of.Company == "",
		Companies: []archive.Company{}, SecretKey: h.ring.Current(), Installation: installation}
	if err := h.noteSchemas(ctx, &m); err != nil {
		return w, err
	}
	var companies []identity.Company
	control := filepath.Join(dir, "control")
	err = h.Look(ctx, func(tx *db.Tx) error { // one snapshot: who is in the control data is in the backup
		one := ""
		if companies, err = chosen(tx, of.Company); err != nil {
			return err
		}
		if of.Company != "" {
			one = companies[0].ID
		}
		return archive.DumpControl(tx, one, control)
	})
	if err == nil {
		err = takeFiles(ctx, t, control, "control/")
	}
	if err != nil {
		return w, err
	}
	for _, c := range companies {
		held, err := h.backUpCompany(ctx, c, of, dir, t)
		if err != nil {
			return w, fmt.Errorf("company %s: %w", c.Code, err)
		}
		m.Companies = append(m.Companies, held)
	}
	if w, err = t.Finish(ctx, m); err != nil {
		err = fmt.Errorf("what was written does not hold, it is no backup: %w", err)
	}
	return w, err
}

// installation is the id of this installation. Where it has one nothing is written: the disk may be full.
func (h *App) installation(ctx context.Context) (id string, err error) {
	err = h.Look(ctx, func(tx *db.Tx) (err error) { id, err = identity.Installation(tx); return err })
	if err == nil && id == "" {
		err = h.Control(ctx, func(tx *db.Tx) (err error) { id, err = identity.NameInstallation(tx); return err })
	}
	if h.store.IsFull(err) { // no id is kept: the next backup is another installation's, and leaves this one alone
		return record.NewID(), nil
	}
	return id, err
}

// takeFiles hands the files of a folder to a target, in the order of their names.
func takeFiles(ctx context.Context, t archive.Target, dir, as string) error {
	files, err := filepath.Glob(filepath.Join(datadir.EscapeGlob(dir), "*"))
	for _, f := range files {
		err = errors.Join(err, t.Take(ctx, as+filepath.Base(f), f))
	}
	return err
}

// chosen are the companies a backup takes: the one named, else all that answer.
func chosen(tx *db.Tx, code string) ([]identity.Company, error) {
	if code != "" {
		c, err := identity.FindCompany(tx, code)
		return []identity.Company{c}, err
	}
	all, err := identity.Companies(tx)
	return slices.DeleteFunc(all, func(c identity.Company) bool { return c.Status != identity.Active }), err
}

// backUpCompany hands a company's books and media to a target.
func (h *App) backUpCompany(ctx context.Context, c identity.Company, of BackupOf, dir string,
	t archive.Target) (held archive.Company, err error) {
	held = archive.Company{ID: c.ID, Code: c.Code, Name: c.Name, Environment: string(c.Environment)}
	if h.Embedded() {
		held.Rows, err = h.backUpFile(ctx, c.ID, filepath.Join(dir, "cell.db"), t)
	} else {
		rows := filepath.Join(dir, "rows")
		if held.Rows, err = archive.Dump(ctx, h.store, c.ID, rows); err == nil {
			err = takeFiles(ctx, t, rows, "cells/"+c.ID+"/")
		}
	}
	if err == nil && held.Rows == 0 {
		err = errors.New("there is nothing of it in the database")
	}
	if err != nil {
		return held, err
	}
	return held, h.backUpMedia(ctx, &held, of, t)
}

func (h *App) backUpFile(ctx context.Context, id, copied string, t archive.Target) (rows int64, err error) {
	if err := h.store.Snapshot(ctx, id, copied, t.ByPage()); err != nil {
		return 0, err
	}
	x, err := db.Examine(ctx, h.DataDir.Engine(), copied, id)
	if err != nil {
		return 0, err
	}
	return x.Rows, t.Take(ctx, "cells/"+id+".db", copied)
}

// backUpMedia hands a company's pictures and documents to a target, and refuses to go on without those that its records
// use.
func (h *App) backUpMedia(ctx context.Context, c *archive.Company, of BackupOf, t archive.Target) error {
	lost, err := h.usedFiles(ctx, c.ID)
	if err != nil {
		return err
	}
	c.Media = len(lost)
	err = h.files.Each(ctx, c.ID, func(key, hash string) error {
		name := datadir.Media + "/" + key
		if t.Has(name) {
			delete(lost, hash)
			return nil
		}
		err := h.files.Copied(ctx, key, hash, func(r io.Reader) error { return t.Stream(ctx, name, r) })
		switch {
		case errors.Is(err, blob.ErrNotFound): // it went while we looked
			return nil
		case errors.Is(err, media.ErrDamaged):
			return nil // stays among the lost, where something uses it
		case err == nil:
			delete(lost, hash)
		}
		return err
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	c.Missing = slices.Sorted(maps.Keys(lost))
	if of.AcceptMissing {
		h.Log.Warn("the backup lacks pictures and documents that records use", "company", c.Code, "missing", len(lost))
		return nil
	}
	return h.errMissing(ctx, *c)
}

// errMissing names some of the pictures and documents that are lost.
func (h *App) errMissing(ctx context.Context, c archive.Company) error {
	var names []string
	as := db.Request{Company: c.ID, Actor: Operator()}
	err := h.store.Read(ctx, as, func(tx *db.Tx) error {
		names = nil
		for _, hash := range c.Missing[:min(3, len(c.Missing))] {
			f, _, err := media.FindFile(tx, hash)
			if err != nil {
				return err
			}
			names = append(names, f.FileName)
		}
		return nil
	})
	return errors.Join(err,
		fmt.Errorf(
			"%d of %d pictures and documents that its records use are gone or damaged, such as %s: say where they lie with --media-url, upload them "+
				"again, or make the backup without them with --accept-missing", len(c.Missing), c.Media,
			strings.Join(names, ", ")))
}

// noteSchemas notes which steps the two schemas in use have. Every file is brought up to date as it is opened, so a
// company's is the program's own.
func (h *App) noteSchemas(ctx context.Context, m *archive.Manifest) error {
	target := h.DataDir.DatabaseURL
	if h.Embedded() {
		target = filepath.Join(h.DataDir.Data, datadir.ControlFile)
	}
	m.Schema, m.Steps = map[string]int64{}, map[string][]int64{}
	for _, schema := range []db.Schema{db.ControlSchema, db.CellSchema} {
		if h.Embedded() && schema == db.CellSchema {
			m.Steps[string(schema)], m.Schema[string(schema)] = db.StepNumbers(schema), db.Newest(schema)
			continue
		}
		p, err := db.MigrationStatus(ctx, h.DataDir.Engine(), target, schema)
		if err != nil {
			return err
		}
		m.Steps[string(schema)], m.Schema[string(schema)] = p.Applied, p.Version
	}
	return nil
}

// CheckBackup proves the backup at an address without restoring it anywhere: it reads everything, makes it into data
// that opens, in a folder that goes afterwards, and counts what is in it. It needs no data of its own.
func CheckBackup(ctx context.Context, address string) (m archive.Manifest, err error) {
	beside := os.TempDir()
	if info, e := os.Stat(address); e == nil && !info.IsDir() {
		beside = filepath.Dir(address)
	}
	s, err := datadir.NewScratch(beside)
	if err != nil {
		return m, err
	}
	m, err = checkIn(ctx, address, filepath.Join(s.Dir, "data"))
	return m, errors.Join(err, s.Remove())
}
