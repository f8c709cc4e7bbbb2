package datadir

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// What lies in a data folder is for the user alone who runs the server.
const (
	privateFile   fs.FileMode = 0o600
	privateFolder fs.FileMode = 0o700
)

// CloseToOthers takes everybody else's rights to a folder and to all that lies in it: a folder that somebody else made,
// or an earlier version. What is made from now on is closed by KeepPrivate. What belongs to another user stays as it
// is, and the log says so.
func CloseToOthers(dir string, log *slog.Logger) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = closePath(path, d)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while we looked
		case errors.Is(err, fs.ErrPermission):
			log.Warn("other users may read what belongs to another user in the data folder", "path", path, "error", err)
			if d != nil && d.IsDir() && path != root {
				return fs.SkipDir
			}
			return nil
		}
		return err
	})
}

func closePath(path string, d fs.DirEntry) error {
	want := privateFile
	switch {
	case d.IsDir():
		want = privateFolder
	case !d.Type().IsRegular() && d.Type() != fs.ModeSocket: // a link leads elsewhere
		return nil
	}
	info, err := d.Info()
	if err != nil || info.Mode().Perm()&^want == 0 {
		return err
	}
	return os.Chmod(path, want)
}
