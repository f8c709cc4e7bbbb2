package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Scratch is a folder for one piece of work, which nobody else touches while the process lives, and which the next that
// works in the same place takes away when it does not.
type Scratch struct {
	Dir  string
	lock *os.File
}

const (
	scratchBegin = ".kontor-backup-"
	scratchOwner = "owner"
	// scratchLife is how long a folder lies that another machine made: its locks may not be seen here.
	scratchLife = 24 * time.Hour
)

// NewScratch makes such a folder below dir, which comes into being, and takes away what others who are gone left there.
func NewScratch(dir string) (*Scratch, error) {
	if err := os.MkdirAll(dir, privateFolder); err != nil {
		return nil, fmt.Errorf("the backup's folder cannot be made: %w", err)
	}
	if err := clearScratch(dir); err != nil {
		return nil, err
	}
	for {
		made, err := os.MkdirTemp(dir, scratchBegin)
		if err != nil {
			return nil, fmt.Errorf("the backup's folder cannot be written to: %w", err)
		}
		f, err := os.OpenFile(filepath.Join(made, scratchOwner), os.O_RDWR|os.O_CREATE|os.O_EXCL, privateFile)
		if err != nil {
			return nil, err
		}
		ok, err := tryLock(f)
		if err != nil {
			return nil, errors.Join(err, f.Close(), os.RemoveAll(made))
		}
		if ok {
			return ownScratch(made, f)
		}
		f.Close() // whoever clears up was faster
	}
}

// ownScratch writes into a folder's file whose it is. Where there is no room for that the folder goes again: nobody
// would take away for a day what names no owner.
func ownScratch(dir string, lock *os.File) (*Scratch, error) {
	s := &Scratch{dir, lock}
	if _, err := fmt.Fprintln(lock, HostName(), os.Getpid()); err != nil {
		return nil, errors.Join(fmt.Errorf("the backup's folder cannot be written to: %w", err), s.Remove())
	}
	return s, nil
}

// HostName is what the machine calls itself.
func HostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

// Remove takes the folder away. The lock goes last, so that nobody takes away what we still write.
func (s *Scratch) Remove() error { return errors.Join(os.RemoveAll(s.Dir), s.lock.Close()) }

// clearScratch takes away the folders of processes that are gone: of this machine at once, of others after a day.
func clearScratch(dir string) error {
	left, err := filepath.Glob(filepath.Join(EscapeGlob(dir), scratchBegin+"*"))
	for _, d := range left {
		gone, e := abandoned(d)
		if err = errors.Join(err, e); gone {
			err = errors.Join(err, os.RemoveAll(d))
		}
	}
	return err
}

// EscapeGlob makes a path one that a pattern means literally.
func EscapeGlob(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// abandoned reports whether nobody works in a folder any more.
func abandoned(dir string) (bool, error) {
	f, err := os.OpenFile(filepath.Join(dir, scratchOwner), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) { // just being made, or by a version that had no owners
		return idleSince(dir, scratchLife), nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if ok, err := tryLock(f); err != nil || !ok {
		return false, err
	}
	text, err := os.ReadFile(f.Name())
	if err != nil {
		return false, nil // somebody else took it away
	}
	owner, _, _ := strings.Cut(string(text), " ")
	return owner == HostName() || idleSince(dir, scratchLife), nil
}

// idleSince reports whether nothing in a folder was written for so long.
func idleSince(dir string, long time.Duration) bool {
	newest := time.Time{}
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err == nil && i.ModTime().After(newest) {
			newest = i.ModTime()
		}
		return err
	})
	return err == nil && time.Since(newest) > long
}
