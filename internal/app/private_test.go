//go:build unix

package app_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
)

// openToOthers tells what in a folder others than its user may read or write.
func openToOthers(t testing.TB, dir string) (open []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.Type() == fs.ModeSymlink {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a server works here
		}
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, info.Mode().String()+" "+path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// A data folder that somebody made for us, or that an earlier version wrote, is closed when it is opened, and so is
// whatever is written into it then.
func TestAFolderThatExistedIsClosed(t *testing.T) {
	ctx, dir, elsewhere := context.Background(), filepath.Join(t.TempDir(), "data"),
		filepath.Join(t.TempDir(), "elsewhere")
	company := func(code string) identity.Company {
		return identity.Company{Code: code, Name: code, Country: "SE", Currency: "SEK", Environment: identity.Test}
	}
	open := func() *app.App {
		h, err := app.Open(ctx, datadir.Dir{Data: dir}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := open()
	if _, err := h.CreateCompany(ctx, company("acme")); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(ctx); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, map[bool]fs.FileMode{true: 0o755, false: 0o644}[d.IsDir()])
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{os.WriteFile(elsewhere, nil, 0o600), os.Chmod(elsewhere, 0o644),
		os.Symlink(elsewhere, filepath.Join(dir, "link"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	h = open()
	if _, err := h.CreateCompany(ctx, company("other")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Backup(ctx, app.BackupOf{}, filepath.Join(dir, "backup")); err != nil {
		t.Fatal(err)
	}
	if open := openToOthers(t, dir); len(open) > 0 {
		t.Errorf("open to others while the house is open: %v", open)
	}
	if err := h.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if open := openToOthers(t, dir); len(open) > 0 {
		t.Errorf("open to others: %v", open)
	}
	if info, err := os.Stat(elsewhere); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("what a link leads to was changed: %v %v", info, err)
	}
}
