package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kontor/internal/app/archive"
	"kontor/internal/blob"
	"kontor/internal/db"
	"kontor/internal/identity"
)

// Backup writes everything, or with a code one company, into an archive at path, while it is in use: each company
// as of one moment.
func (h *House) Backup(ctx context.Context, code, path string) (archive.Manifest, error) {
	var m archive.Manifest
	companies, err := h.chosen(ctx, code)
	if err != nil {
		return m, err
	}
	staging, err := os.MkdirTemp(filepath.Dir(path), ".kontor-backup-")
	if err != nil {
		return m, fmt.Errorf("the backup's folder cannot be written to: %w", err)
	}
	defer os.RemoveAll(staging)

	m = archive.Manifest{Kontor: Version().Version, Engine: h.store.EngineName(), Whole: code == "", Companies: []archive.Company{}, SecretKey: h.ring.Current()}
	if m.Schema, err = h.schemaVersions(ctx); err != nil {
		return m, err
	}
	one := ""
	if code != "" {
		one = companies[0].ID
	}
	err = h.Look(ctx, func(tx *db.Tx) error { return archive.DumpControl(tx, one, filepath.Join(staging, "control")) })
	if err != nil {
		return m, err
	}
	for _, c := range companies {
		if err := h.stageCompany(ctx, c.ID, staging); err != nil {
			return m, fmt.Errorf("company %s: %w", c.Code, err)
		}
		m.Companies = append(m.Companies, archive.Company{ID: c.ID, Code: c.Code, Name: c.Name, Environment: string(c.Environment)})
	}
	return archive.Pack(ctx, staging, path, m)
}

// chosen are the companies a backup takes: the one named, else all that answer.
func (h *House) chosen(ctx context.Context, code string) ([]identity.Company, error) {
	if code != "" {
		c, err := h.Company(ctx, code)
		return []identity.Company{c}, err
	}
	all, err := h.Companies(ctx)
	if err != nil {
		return nil, err
	}
	var active []identity.Company
	for _, c := range all {
		if c.Status == identity.Active {
			active = append(active, c)
		}
	}
	return active, nil
}

// stageCompany copies a company's books and media below staging.
func (h *House) stageCompany(ctx context.Context, id, staging string) error {
	cells := filepath.Join(staging, "cells")
	if err := os.MkdirAll(cells, 0o700); err != nil {
		return err
	}
	var err error
	if h.Embedded() {
		err = h.store.Snapshot(ctx, id, filepath.Join(cells, id+".db"))
	} else {
		err = archive.Dump(ctx, h.store, id, filepath.Join(cells, id))
	}
	if err != nil {
		return err
	}
	if err := h.warnOfMissing(ctx, id); err != nil {
		return err
	}
	return h.files.Export(ctx, id, blob.Draft(filepath.Join(staging, mediaDir)))
}

// schemaVersions are the versions of the two schemas in use.
func (h *House) schemaVersions(ctx context.Context) (map[string]int64, error) {
	states, err := SchemaStates(ctx, h.Place)
	if err != nil {
		return nil, err
	}
	versions := map[string]int64{}
	for _, s := range states {
		versions[string(s.Schema)] = s.Version
	}
	return versions, nil
}
