package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/seal"
)

// ErrOverwrite is what a restore refuses with that would replace a company without being told to.
var ErrOverwrite = fault.New(fault.Conflict, "Restore.WouldOverwrite")

// ErrNoKey is what a restore refuses with whose secrets could not be read here.
var ErrNoKey = fault.New(fault.Conflict, "Restore.KeyMissing")

// ErrNotInBackup is what a restore of one company refuses with when the archive does not hold it.
var ErrNotInBackup = fault.New(fault.NotFound, "Restore.CompanyNotInBackup")

// Restored is what a restore put back.
type Restored struct {
	Companies []archive.Company
	Kept      string // where what was replaced lies now; "" where nothing was
	// Again are people whom the backup knows and who were deleted from what was replaced.
	Again []string
}

// Restore puts an archive back: everything in it, or with a code one company. Companies that are there already are
// replaced only with force. Nothing is changed before the whole archive was read, checked against its
// checksums and made into a data folder that opens. It refuses with Restore.WouldOverwrite.
func (h *App) Restore(ctx context.Context, path, code string, force, withoutSecrets bool) (Restored, error) {
	if err := durable.MakeFolder(h.DataDir.Data); err != nil {
		return Restored{}, err
	}
	staging, err := os.MkdirTemp(h.DataDir.Data, datadir.Staging)
	if err != nil {
		return Restored{}, err
	}
	defer os.RemoveAll(staging)
	s, err := h.stage(ctx, path, code, staging, withoutSecrets)
	if err != nil {
		return Restored{}, err
	}
	replaced, err := h.replaced(ctx, s)
	if err != nil {
		return Restored{}, err
	}
	if len(replaced) > 0 && !force {
		return Restored{}, s.overwriting(replaced)
	}
	if err := s.prepare(ctx); err != nil {
		return Restored{}, fmt.Errorf("the backup cannot be made into data, nothing was changed: %w", err)
	}
	again := h.there(ctx, s, replaced)
	if h.Embedded() && s.everything {
		r, err := h.exchangeAll(ctx, s, len(replaced) > 0)
		r.Again = again
		return r, err
	}
	if err := h.putAllBack(ctx, s, replaced); err != nil {
		return Restored{}, err
	}
	return Restored{Companies: s.companies, Again: again}, nil
}

// putAllBack puts companies back one by one, each in the place of those that it replaces. Who asks for one meanwhile is
// told to wait for it alone.
func (h *App) putAllBack(ctx context.Context, s *stage, replaced []identity.Company) error {
	for _, o := range replaced {
		if s.holds(o) {
			continue
		}
		if err := h.DeleteCompany(ctx, o); err != nil {
			return err
		}
	}
	for _, c := range s.companies {
		var before []identity.Company
		replaced = slices.DeleteFunc(replaced, func(o identity.Company) bool {
			if replaces(c, o) {
				before = append(before, o)
			}
			return replaces(c, o)
		})
		if err := h.putBack(ctx, s, c, before); err != nil {
			return fmt.Errorf("company %s: %w", c.Code, err)
		}
	}
	return nil
}

// replaces reports whether a company of a backup takes the place of one that is here.
func replaces(c archive.Company, here identity.Company) bool {
	return here.ID == c.ID || strings.EqualFold(here.Code, c.Code)
}

// holds reports whether one of the companies to be put back takes the place of one that is here.
func (s *stage) holds(here identity.Company) bool {
	return slices.ContainsFunc(s.companies, func(c archive.Company) bool { return replaces(c, here) })
}

// stage unpacks what is to be restored of an archive into a folder.
func (h *App) stage(ctx context.Context, path, code, into string, withoutSecrets bool) (*stage, error) {
	src, err := archive.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	m := src.Manifest()
	if err := errors.Join(archive.Unpack(ctx, src, into), src.Close()); err != nil {
		return nil, err
	}
	if m.SecretKey != "" && !h.ring.Has(m.SecretKey) && !withoutSecrets {
		return nil, lacks(h.DataDir, m.SecretKey)
	}
	companies, err := wanted(m, code)
	return &stage{dir: into, manifest: m, companies: companies, ring: &h.ring, everything: m.Whole && code == ""}, err
}

// wanted are the companies of a backup that are to be restored: all, or the one with a code. It refuses with
// Restore.CompanyNotInBackup.
func wanted(m archive.Manifest, code string) ([]archive.Company, error) {
	if code == "" {
		return m.Companies, nil
	}
	one := slices.DeleteFunc(slices.Clone(m.Companies),
		func(c archive.Company) bool { return !strings.EqualFold(c.Code, code) && c.ID != code })
	return one, ErrNotInBackup.When(len(one) == 0, nil, "the backup does not hold company %s; it holds %s", code,
		codesOf(m.Companies))
}

func lacks(p datadir.Dir, key string) error {
	return ErrNoKey.Because("the secrets of the backup (second factors, payment providers) are sealed with key %s, "+
		"which is not in %s: put it there, behind the present one if there is one, or repeat with --without-secrets",
		key, p.KeySource())
}

// Restorable refuses what is no backup, or does not hold the company, and one whose key is not here, before any data is
// opened. Data that is begun for a restore gets a key, and would not open with the one that was missing when that is
// put in its place.
func Restorable(ctx context.Context, p datadir.Dir, path, code string, withoutSecrets bool) error {
	src, err := archive.Open(ctx, path)
	if err != nil {
		return err
	}
	m := src.Manifest()
	_, err = wanted(m, code)
	if err := errors.Join(err, src.Close()); err != nil || m.SecretKey == "" || withoutSecrets {
		return err
	}
	keys, err := p.KnownKeys()
	if err == nil && !slices.ContainsFunc(keys, func(k seal.Key) bool { return k.ID == m.SecretKey }) {
		err = lacks(p, m.SecretKey)
	}
	return err
}

// overwriting says what a restore would replace, and above all what it would take away: a whole installation is put
// back as it was, without the companies made since.
func (s *stage) overwriting(replaced []identity.Company) error {
	for _, c := range replaced {
		if !s.holds(c) {
			return ErrOverwrite.Because(
				"company %s is here and not in the backup, which is one of everything: it would be gone. Put companies back one by one with --company, or repeat with --force", c.Code)
		}
	}
	return ErrOverwrite.Because(
		"company %s is here already and would be replaced by its state of %s: repeat with --force", replaced[0].Code,
		s.manifest.CreatedDate)
}

func codesOf(companies []archive.Company) string {
	codes := each.Of(companies, func(c archive.Company) string { return c.Code })
	return strings.Join(codes, ", ")
}

// replaced are the companies here that a restore would replace: those with the id or the code of one to be put back,
// and with a whole installation all of them.
func (h *App) replaced(ctx context.Context, s *stage) ([]identity.Company, error) {
	all, err := h.Companies(ctx)
	if err != nil {
		return nil, err
	}
	if s.everything {
		return all, nil
	}
	return slices.DeleteFunc(all, func(c identity.Company) bool { return !s.holds(c) }), nil
}

// exchangeAll puts a prepared data folder in the place of the present one, which is kept beside it.
func (h *App) exchangeAll(ctx context.Context, s *stage, keep bool) (Restored, error) {
	out := Restored{Companies: s.companies}
	if err := h.moveOut(ctx, s); err != nil {
		return Restored{}, err
	}
	old := filepath.Join(h.DataDir.Data, "backups", "before-restore-"+time.Now().UTC().Format("20060102T150405.000000Z"))
	err := h.Exchange(ctx, func() error { return h.DataDir.Swap(s.dir, old) })
	if err != nil {
		return Restored{}, err
	}
	if !keep {
		return out, os.RemoveAll(old)
	}
	out.Kept = old
	return out, nil
}

// putBack puts one company of a prepared folder into the open house, in the place of those before it. Their entries are
// there until its own is, so that it is known all the time. Until the end its status is Opening, so that nobody is let
// in, and a crash leaves what the next restore clears away.
func (h *App) putBack(ctx context.Context, s *stage, c archive.Company, before []identity.Company) error {
	for _, o := range before {
		if err := h.shut(ctx, o); err != nil {
			return err
		}
		if err := h.removeBooks(ctx, o); err != nil {
			return err
		}
	}
	store, err := s.open(ctx)
	if err != nil {
		return err
	}
	company, err := h.enterFrom(ctx, store, c.ID, before)
	if err == nil && !h.Embedded() {
		if err = h.store.CreateCell(ctx, company.Info()); err == nil {
			err = archive.Copy(ctx, store, c.ID, h.store, c.ID)
		}
	}
	if err = errors.Join(err, store.Close()); err == nil && h.Embedded() {
		err = h.moveIn(ctx, filepath.Join(s.dir, "cells", c.ID+".db"), c.ID)
	}
	if err == nil {
		err = h.files.Import(ctx, c.ID, blob.Folder(filepath.Join(s.dir, datadir.Media)))
	}
	if err == nil {
		err = h.applyDomains(ctx, c.ID)
	}
	if err == nil {
		err = h.Control(ctx, func(tx *db.Tx) error {
			if err := askAgain(tx, c.ID, jobs.DueKind, dueEquip, dueSweep); err != nil {
				return err
			}
			return identity.Activate(tx, c.ID)
		})
	}
	if err == nil {
		h.work.Sweep()
	}
	if err != nil && company.ID != "" {
		return errors.Join(err, h.remove(context.WithoutCancel(ctx), company))
	}
	return err
}

// moveIn makes a file a company's. What was kept of the company is forgotten, and others do not notice.
func (h *App) moveIn(ctx context.Context, file, company string) error {
	resume, err := h.store.Quiesce(ctx, company)
	if err != nil {
		return err
	}
	defer resume()
	return durable.Rename(file, h.DataDir.CellPath(company))
}

// enterFrom enters a company with its users, keys, invitations and connections as another installation has them, in the
// place of those before it.
func (h *App) enterFrom(ctx context.Context, from *db.Store, id string, before []identity.Company) (c identity.Company,
	err error) {
	var e identity.Export
	var access archive.Access
	err = from.Control(ctx, db.Request{Actor: Operator()}, false, func(tx *db.Tx) error {
		if e, err = identity.ExportOf(tx, id); err != nil {
			return err
		}
		access, err = archive.AccessOf(tx, id)
		return err
	})
	if err != nil {
		return c, err
	}
	return e.Company, h.Control(ctx, func(tx *db.Tx) error {
		err := each.Do(before, func(c identity.Company) error { return identity.Remove(tx, c) })
		if err != nil {
			return err
		}
		users, err := identity.Import(tx, e)
		if err != nil {
			return err
		}
		return access.Enter(tx, users)
	})
}

// stage is an unpacked archive on its way to become a data folder of the embedded engine.
type stage struct {
	dir       string
	manifest  archive.Manifest
	companies []archive.Company // to be put back
	// everything says that the whole installation is put back, which replaces companies that the backup does not know.
	everything bool
	ring       *seal.Ring
}

func (s *stage) open(ctx context.Context) (*db.Store, error) { return s.openAt(ctx, nil) }

// openAt opens the folder with a schema made of these steps alone where one is named.
func (s *stage) openAt(ctx context.Context, steps map[db.Schema][]int64) (*db.Store, error) {
	return db.Open(ctx, db.Options{Engine: sqlite.Engine(), Dir: s.dir, Seal: s.ring, Steps: steps})
}

// at opens the folder for a piece of work.
func (s *stage) at(ctx context.Context, steps map[db.Schema][]int64, work func(*db.Store) error) error {
	store, err := s.openAt(ctx, steps)
	if err != nil {
		return err
	}
	return errors.Join(work(store), store.Close())
}

// prepare makes the folder one that opens: the control database from its rows, each company's file from its rows
// where it was not one, all with the present schema and a generation of their own. Rows know nothing of the steps
// between two schemas:
// they are filled into tables as they were when the backup was made, which are migrated then like any other.
func (s *stage) prepare(ctx context.Context) error {
	then := func(schema db.Schema) map[db.Schema][]int64 {
		return map[db.Schema][]int64{schema: s.manifest.StepsOf(schema)}
	}
	if err := s.at(ctx, then(db.ControlSchema), func(store *db.Store) error {
		return s.fillControl(ctx, store)
	}); err != nil {
		return err
	}
	if err := s.at(ctx, then(db.CellSchema), func(store *db.Store) error {
		return s.eachCompany(ctx, store, s.fillRows)
	}); err != nil {
		return err
	}
	return s.at(ctx, nil, func(store *db.Store) error {
		if err := s.eachCompany(ctx, store, renew); err != nil {
			return err
		}
		// The key is that of here, whatever the backup's was.
		return store.Control(ctx, db.Request{Actor: Operator()}, true, func(tx *db.Tx) error {
			if _, err := identity.ClaimSecretKey(tx, s.ring.Current()); err != nil {
				return err
			}
			return identity.SetSecretKey(tx, s.ring.Current())
		})
	})
}

func (s *stage) fillControl(ctx context.Context, store *db.Store) error {
	files, err := filepath.Glob(filepath.Join(datadir.EscapeGlob(s.dir), "control", "*.ndjson"))
	for _, f := range files {
		err = errors.Join(err, archive.ReadFile(f, func(t archive.Table, rows archive.Rows) error {
			return store.Control(ctx, db.Request{Actor: Operator()}, true,
				func(tx *db.Tx) error { return archive.Insert(tx, t, rows, "") })
		}))
	}
	return err
}

func (s *stage) eachCompany(ctx context.Context, store *db.Store,
	work func(context.Context, *db.Store, archive.Company) error) error {
	for _, c := range s.companies {
		if err := work(ctx, store, c); err != nil {
			return fmt.Errorf("company %s: %w", c.Code, err)
		}
	}
	return nil
}

func renew(ctx context.Context, store *db.Store, c archive.Company) error {
	return store.Write(ctx, db.Request{Company: c.ID, Actor: Operator()}, archive.Renew)
}

// fillRows makes a company's file of its rows, where it is not one already.
func (s *stage) fillRows(ctx context.Context, store *db.Store, c archive.Company) error {
	rows := filepath.Join(s.dir, "cells", c.ID)
	if _, err := os.Stat(rows); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var company identity.Company
	err := store.Control(ctx, db.Request{Actor: Operator()}, false, db.Into(&company,
		func(tx *db.Tx) (identity.Company, error) { return identity.FindCompany(tx, c.ID) }))
	if err != nil {
		return err
	}
	if err := store.CreateCell(ctx, company.Info()); err != nil {
		return err
	}
	if err := archive.Load(ctx, store, c.ID, rows); err != nil {
		return err
	}
	return os.RemoveAll(rows)
}
