package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"kontor/internal/foundation/db"
)

// ErrReadOnly is answered where this process may read the data folder and not write it: a snapshot, a mounted backup,
// another user's folder.
var ErrReadOnly = errors.New("the data folder cannot be written")

// refused says why the lock of a folder could not be taken: ErrReadOnly where there is data that cannot be written.
func refused(dir string, err error) error {
	if _, there := os.Stat(filepath.Join(dir, ControlFile)); there != nil ||
		!errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("the data folder cannot be locked: %w", err)
	}
	return fmt.Errorf("%w: %w; run this as the user whose it is; "+
		"only what reads (verify, backup, export, lists) works without", ErrReadOnly, err)
}

// notCopied are the folders of the data that a command which only reads needs no copy of: media are read where they
// lie.
var notCopied = map[string]bool{Media: true, "search": true, "backups": true, db.DryRuns: true}

// Copy is a copy of the records of a folder that cannot be written, in a temporary folder: SQLite writes beside its
// files even to read them, as their last commits may lie in a log that has to be gone through first. Whoever asked for
// it calls remove.
func (p Dir) Copy() (at Dir, remove func() error, err error) {
	if at = p; p.SecretKey == "" {
		if at.SecretKeyFile, err = p.keyFile(); err != nil {
			return p, nil, err
		}
	}
	if p.Data, err = filepath.Abs(p.Data); err != nil {
		return p, nil, err
	}
	lock, err := holdStill(p)
	if err != nil {
		return p, nil, err
	}
	defer lock.Release()
	if at.Data, err = os.MkdirTemp("", "kontor-copy-"); err != nil {
		return p, nil, err
	}
	remove = func() error { return os.RemoveAll(at.Data) }
	if err = errors.Join(copyFolder(at.Data, p.Data), os.Symlink(filepath.Join(p.Data, Media),
		filepath.Join(at.Data, Media))); err != nil {
		return p, nil, errors.Join(fmt.Errorf("a copy of the data to read: %w", err), remove())
	}
	return at, remove, nil
}

// holdStill takes the folder's lock, which needs no right to write, so that nobody who has that changes what is copied.
func holdStill(p Dir) (*Lock, error) {
	f, err := os.Open(filepath.Join(p.Data, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	free, err := tryLock(f)
	if err == nil && !free {
		err = Locked(p)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Lock{f}, nil
}

// copyFolder copies the files of a folder. Where the file system can, a copy shares its blocks with the original.
func copyFolder(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case notCopied[name]:
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), privateFolder)
		case !d.Type().IsRegular():
			return nil // the socket of a server
		}
		return copyFile(path, filepath.Join(to, name))
	})
}
