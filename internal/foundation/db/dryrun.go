package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// DryRuns is the folder, in that of the data, of the copies that something is tried on. What a killed process has left
// there goes when the data is opened.
const DryRuns = "dry-runs"

// errUndone ends a dry run that was not refused.
var errUndone = errors.New("db: a dry run leaves nothing")

// DryRun runs fn in a transaction of the company's data that is undone in the end. A company in a file has one writer,
// so its file is copied first, and fn works on the copy: nobody waits for a dry run, however long it takes. On a shared
// database others wait where they want a row that it has written. fn may run more than once.
func (s *Store) DryRun(ctx context.Context, r Request, fn func(*Tx) error) error {
	write := s.Write
	if s.shared == nil {
		c, remove, err := s.copied(ctx, r.Company)
		if err != nil {
			return err
		}
		defer remove()
		write = c.write
	}
	err := write(ctx, r, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errUndone
	})
	if errors.Is(err, errUndone) {
		return nil
	}
	return err
}

// copied is a cell on a copy of a company's file, which goes with remove.
func (s *Store) copied(ctx context.Context, company string) (c *cell, remove func(), err error) {
	if err := os.MkdirAll(s.path(DryRuns), 0o700); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp(s.path(DryRuns), "")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, company+".db")
	if err = s.Snapshot(ctx, company, path, true); err == nil {
		c, err = s.openCell(path, company)
	}
	if err != nil {
		if s.IsFull(err) {
			err = s.control.unavailable(err)
		}
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return c, func() {
		c.close()
		s.dropCached(c)
		os.RemoveAll(dir)
	}, nil
}
