package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kontor/internal/app/archive"
	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/seal"
)

// checkIn unpacks the backup at an address into folder dir and proves what it can of it.
func checkIn(ctx context.Context, address, dir string) (m archive.Manifest, err error) {
	src, err := archive.Open(ctx, address)
	if err != nil {
		return m, err
	}
	m = src.Manifest()
	if err := errors.Join(os.Mkdir(dir, 0o700), archive.Unpack(ctx, src, dir), src.Close()); err != nil {
		return m, err
	}
	keys, err := seal.Parse(seal.NewKey()) // nothing sealed is opened
	if err != nil {
		return m, err
	}
	ring := &seal.Ring{}
	ring.Use(keys, nil)
	s := &stage{dir: dir, manifest: m, companies: m.Companies, ring: ring, everything: m.Whole}
	if err := s.count(ctx); err != nil {
		return m, err
	}
	if err := s.prepare(ctx); err != nil {
		return m, fmt.Errorf("it cannot be made into data: %w", err)
	}
	return m, s.findMedia(ctx)
}

// count compares the rows of books that are files with those that were counted when they were written. Of rows the
// reader counts.
func (s *stage) count(ctx context.Context) error {
	for i, c := range s.manifest.Companies {
		path := filepath.Join(s.dir, "cells", c.ID+".db")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		x, err := db.Examine(ctx, sqlite.Engine(), path, c.ID)
		if err == nil && c.Rows > 0 && x.Rows != c.Rows {
			err = fmt.Errorf("its books have %d rows, and %d were written", x.Rows, c.Rows)
		}
		if err != nil {
			return fmt.Errorf("company %s: %w", c.Code, err)
		}
		s.manifest.Companies[i].Rows = x.Rows
	}
	return nil
}

// findMedia looks for the pictures and documents that the records of the prepared companies use.
func (s *stage) findMedia(ctx context.Context) error {
	store, err := s.open(ctx)
	if err != nil {
		return err
	}
	library := media.NewLibrary(blob.Folder(filepath.Join(s.dir, datadir.Media)), "", 0)
	for i, c := range s.manifest.Companies {
		var used map[string]bool
		e := store.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, db.Into(&used, media.UsedFiles))
		s.manifest.Companies[i].Media = len(used)
		e = errors.Join(e, library.Each(ctx, c.ID, func(_, hash string) error { delete(used, hash); return nil }))
		for hash := range used {
			if !slices.Contains(c.Missing, hash) {
				e = errors.Join(e, fmt.Errorf("a picture or document that its records use is missing: %s", hash))
				break
			}
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("company %s: %w", c.Code, e))
		}
	}
	return errors.Join(err, store.Close())
}
