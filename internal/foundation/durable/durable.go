// Package durable moves files and makes folders so that a loss of power does not undo it. A file that was written and
// synced is on the disk; under which name, only once its folder is too.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Rename gives a file or a folder its name. What is in a file must be synced before, or it may stand there empty.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return Sync(filepath.Dir(to))
}

// Link gives a file a further name, where nothing has it yet.
func Link(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return Sync(filepath.Dir(to))
}

// MakeFolder makes a folder for its owner alone, and those above it, each noted on the disk by the one that holds it.
func MakeFolder(dir string) error {
	if i, err := os.Stat(dir); err == nil && i.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MakeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if i, gone := os.Stat(dir); errors.Is(err, fs.ErrExist) && gone == nil && i.IsDir() {
			return nil // another made it meanwhile
		}
		return err
	}
	return Sync(parent)
}

// Sync has a folder's entries on the disk. A system that cannot sync a folder keeps them itself.
func Sync(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder in which one may write and not look
	}
	if err != nil {
		return err
	}
	err = d.Sync()
	if runtime.GOOS == "windows" || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
