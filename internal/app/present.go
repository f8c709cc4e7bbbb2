package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/health"
	"kontor/internal/foundation/pause"
)

// presentEvery is how often a server looks whether the files that it stands on are still those it opened.
const presentEvery = 2 * time.Second

// standing are the files that a house on files cannot do without, as they were when it began.
type standing map[string]fs.FileInfo

// stand notes the lock and the control database.
func (h *App) stand() (standing, error) {
	all := standing{}
	for _, name := range []string{"lock", datadir.ControlFile} {
		info, err := os.Stat(filepath.Join(h.DataDir.Data, name))
		if err != nil {
			return nil, err
		}
		all[name] = info
	}
	return all, nil
}

// gone says which of them is not there any more, or is another file by now: what is written to the old one is lost, and
// another process may have begun with the new one.
func (s standing) gone(dir string) error {
	for name, was := range s {
		is, err := os.Stat(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(was, is) {
			return fmt.Errorf(
				"the file %s was removed or replaced in %s under the running server, which stops: what it wrote now would be lost. "+
					"Put the file back, or restore a backup, then start the server again", name, dir)
		}
	}
	return nil
}

// watchFiles fails when a file that the house stands on is gone, and ends with ctx. While the data is exchanged nothing
// is looked at.
func (h *App) watchFiles(ctx context.Context) error {
	if !h.Embedded() {
		return nil
	}
	var was standing
	var of *db.Store
	for {
		var gone error
		// refused while the data is exchanged, and looked at again afterwards
		_ = h.inside(func(s *db.Store) (err error) {
			if of != s {
				of = s
				was, err = h.stand()
			} else {
				gone = was.gone(h.DataDir.Data)
			}
			return err
		})
		if gone != nil || pause.For(ctx, presentEvery) != nil {
			return gone
		}
	}
}

// companyFiles proves that every active company has its file. The folder is read, and no company opened.
func (h *App) companyFiles(ctx context.Context) error {
	if !h.Embedded() {
		return nil
	}
	active, err := h.Companies(ctx)
	if err != nil {
		return whyUnwritable(err)
	}
	entries, err := os.ReadDir(filepath.Join(h.DataDir.Data, "cells"))
	if err != nil {
		return health.Amiss(err, "the folder cells of the data folder cannot be read: put it back, or restore a backup")
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
	}
	var missing []string
	for _, c := range active {
		if c.Status == identity.Active && !there[c.ID+".db"] && h.stillActive(ctx, c.ID) {
			missing = append(missing, c.Code)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	named := strings.Join(missing[:min(len(missing), 5)], ", ")
	if more := len(missing) - 5; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return health.Amiss(nil, "the data file of %s is gone: put it back, or restore the company from a backup", named)
}

// stillActive asks again: a company may have been deleted between two looks.
func (h *App) stillActive(ctx context.Context, id string) bool {
	c, err := h.Company(ctx, id)
	if err != nil || c.Status != identity.Active {
		return false
	}
	_, err = os.Stat(h.DataDir.CellPath(id))
	return errors.Is(err, fs.ErrNotExist)
}
