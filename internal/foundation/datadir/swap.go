package datadir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kontor/internal/foundation/durable"
)

// swap is a data folder's exchange under way, noted in the folder, so that a crash at any instant leaves either the
// old data or the new, whole.
type swap struct {
	// Entering says that the old data is out and the new one on its way in: from here it goes forward only.
	Entering bool   `json:"entering"`
	Old      string `json:"old"` // where the old data goes
	New      string `json:"new"` // where the new data comes from
}

const swapFile = "exchanging"

// Swap puts the data of folder fresh in the place of the present data, which goes to folder old.
func (p Dir) Swap(fresh, old string) error {
	s := swap{Old: old, New: fresh}
	if err := p.noteSwap(s); err != nil {
		return err
	}
	if err := moveData(p.Data, old); err != nil {
		return errors.Join(err, p.FinishSwap())
	}
	s.Entering = true
	if err := p.noteSwap(s); err != nil {
		return errors.Join(err, p.FinishSwap())
	}
	return p.FinishSwap()
}

// FinishSwap ends what Swap began: back while the old data was on its way out, else forward.
func (p Dir) FinishSwap() error {
	note := filepath.Join(p.Data, swapFile)
	b, err := os.ReadFile(note)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var s swap
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return fmt.Errorf("%s, which says how far an exchange of the data went, cannot be read: %w", note, err)
	}
	from := s.Old
	if s.Entering {
		from = s.New
	}
	if err := moveData(from, p.Data); err != nil {
		return err
	}
	return os.Remove(note)
}

// noteSwap writes the note so that it is on the disk before anything is moved.
func (p Dir) noteSwap(s swap) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(p.Data, swapFile)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return durable.Rename(path+".new", path)
}

// moveData moves the databases and the media of one folder into another. What was moved before is not there any
// more and is passed over, so that it may be run again.
func moveData(from, to string) error {
	if err := durable.MakeFolder(to); err != nil {
		return err
	}
	for _, name := range []string{ControlFile, ControlFile + "-wal", ControlFile + "-shm", schemaFile, "cells",
		Media} {
		err := durable.Rename(filepath.Join(from, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Staging is the pattern of the folders in which a restore makes an archive into data.
const Staging = ".restore-"

// ClearStaging removes what restores that were cut off have left behind. The caller has the folder's lock.
func (p Dir) ClearStaging() error {
	left, err := filepath.Glob(filepath.Join(p.Data, Staging+"*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}
