package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"kontor/internal/foundation/durable"
)

func TestFilesAndFoldersAreWhereTheyWerePut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // a second time it is there
		if err := durable.MakeFolder(dir); err != nil {
			t.Fatal(err)
		}
	}
	one, two, three := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "3")
	if err := errors.Join(os.WriteFile(one, []byte("x"), 0o600), durable.Rename(one, two), durable.Link(two, three)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{two, three} {
		if b, err := os.ReadFile(name); string(b) != "x" || err != nil {
			t.Errorf("%s: %q %v", name, b, err)
		}
	}
	if err := durable.Rename(one, two); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there was moved: %v", err)
	}
	if err := durable.Link(two, three); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name was given twice: %v", err)
	}
	if err := durable.MakeFolder(two); err == nil {
		t.Error("a file is taken for a folder")
	}
}
