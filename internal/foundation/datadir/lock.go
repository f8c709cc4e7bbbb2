package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kontor/internal/foundation/durable"
)

// Lock is the right to write the files of a data folder: one process has it at a time.
type Lock struct{ file *os.File }

// TakeLock takes the folder's lock, making the folder where it is missing. It answers nil when another
// process has it; Holder says which.
func TakeLock(dir string) (*Lock, error) {
	if err := durable.MakeFolder(dir); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, refused(dir, err)
	}
	ok, err := tryLock(f)
	if err != nil || !ok {
		f.Close()
		return nil, err
	}
	if err := mayWrite(filepath.Join(dir, ControlFile)); err != nil {
		f.Close()
		return nil, refused(dir, err)
	}
	// For people and for the message of whoever finds it taken; nothing depends on it.
	if err := f.Truncate(0); err == nil {
		fmt.Fprintln(f, os.Getpid())
	}
	return &Lock{f}, nil
}

// mayWrite is nil where there is no such file. Of one that belongs to somebody else, who once ran a command here, the
// database says no name.
func mayWrite(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Release gives the lock back. The file stays: removing it would let two processes lock two files.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// Holder is the process that noted itself in the folder's lock last; 0 when that cannot be told.
func Holder(dir string) int {
	b, err := os.ReadFile(filepath.Join(dir, "lock"))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	return pid
}
