package blob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kontor/internal/foundation/durable"
)

// folder is a store in a folder of this machine, which comes into being with the first file.
type folder struct{ dir string }

// Folder is the store in a folder of this machine.
func Folder(dir string) Store { return folder{dir} }

// partial is how files begin that are being written; no key does.
const partial = ".writing-"

func (f folder) path(key string) (string, error) {
	if !Valid(key) {
		return "", errKey(key)
	}
	return filepath.Join(f.dir, filepath.FromSlash(key)), nil
}

// Put writes a file beside its place, has it on the disk, and moves it there.
func (f folder) Put(_ context.Context, key string, data []byte) error {
	name, err := f.path(key)
	if err != nil {
		return err
	}
	now := time.Now()
	if i, err := os.Stat(name); err == nil && i.Size() == int64(len(data)) && os.Chtimes(name, now, now) == nil {
		return nil
	}
	dir := filepath.Dir(name)
	if err := durable.MakeFolder(dir); err != nil {
		return err
	}
	w, err := os.CreateTemp(dir, partial)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	if err == nil {
		err = w.Sync()
	}
	if err = errors.Join(err, w.Close()); err == nil {
		err = durable.Rename(w.Name(), name)
	}
	if err != nil {
		_ = os.Remove(w.Name())
	}
	return err
}

// Open reads a file.
func (f folder) Open(_ context.Context, key string) (*File, error) {
	name, err := f.path(key)
	if err != nil {
		return nil, err
	}
	r, err := os.Open(name)
	if err != nil {
		return nil, missing(err)
	}
	i, err := r.Stat()
	if err == nil && i.IsDir() {
		err = ErrNotFound
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &File{r, Info{key, i.Size(), i.ModTime()}}, nil
}

// Stat tells of a file.
func (f folder) Stat(_ context.Context, key string) (Info, error) {
	name, err := f.path(key)
	if err != nil {
		return Info{}, err
	}
	i, err := os.Stat(name)
	if err == nil && i.IsDir() {
		err = ErrNotFound
	}
	if err != nil {
		return Info{}, missing(err)
	}
	return Info{key, i.Size(), i.ModTime()}, nil
}

// Delete removes a file.
func (f folder) Delete(_ context.Context, key string) error {
	name, err := f.path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Each walks the folder. What a crash left half written is cleared away once it is a day old.
func (f folder) Each(ctx context.Context, prefix string, fn func(Info) error) error {
	root := filepath.Join(f.dir, filepath.FromSlash(prefix))
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil
		}
		if err != nil {
			return err
		}
		i, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted while we walk
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), partial) {
			if time.Since(i.ModTime()) > 24*time.Hour {
				return os.Remove(name)
			}
			return nil
		}
		key, err := filepath.Rel(f.dir, name)
		if err != nil {
			return err
		}
		return fn(Info{filepath.ToSlash(key), i.Size(), i.ModTime()})
	})
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}
