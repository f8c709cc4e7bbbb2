package socket

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const (
	name = "kontor.sock"
	// maxPath is how long the path of a Unix socket may be on every system (BSD has the shortest).
	maxPath = 103
)

// address is a path of the socket in dir that is short enough, good until done is called. A long one is
// reached from the working folder, or else through the folder's open file, where the system has /proc.
func address(dir string) (path string, done func(), err error) {
	done = func() {}
	path, err = filepath.Abs(filepath.Join(dir, name))
	if err != nil || len(path) <= maxPath {
		return path, done, err
	}
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) <= maxPath {
			return rel, done, nil
		}
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", done, err
	}
	path = fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), name)
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return "", done,
			errors.Join(
				fmt.Errorf(
					"the path of the data folder is too long for a socket: choose one of less than %d characters",
					maxPath-len(name)), f.Close())
	}
	return path, func() { f.Close() }, nil
}
