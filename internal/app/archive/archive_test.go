package archive_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kontor/internal/app/archive"
)

func packed(t *testing.T) (path string, whole []byte) {
	t.Helper()
	dir := t.TempDir()
	// Runs of one byte unpack to the same data under many changes of the archive, as pages of a database do.
	for name, b := range map[string][]byte{"zeros.db": make([]byte, 8192), "rows.ndjson": bytes.Repeat([]byte("{\"quantity\":1}\n"), 100)} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "all.tar.zst")
	if _, err := archive.Pack(t.Context(), dir, path, archive.Manifest{Kontor: "test"}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, whole
}

func unpack(t *testing.T, path string, b []byte) error {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := archive.Unpack(t.Context(), path, t.TempDir())
	return err
}

func TestAnArchiveComesBackAsItWas(t *testing.T) {
	path, whole := packed(t)
	dir := t.TempDir()
	m, err := archive.Unpack(t.Context(), path, dir)
	if err != nil || len(m.Files) != 2 {
		t.Fatalf("%v %v", m.Files, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "zeros.db"))
	if err != nil || !bytes.Equal(got, make([]byte, 8192)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := unpack(t, path, whole); err != nil {
		t.Errorf("a copy is refused: %v", err)
	}
}

func TestAnArchiveWithOneBitChangedIsRefused(t *testing.T) {
	path, whole := packed(t)
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		if unpack(t, path, damaged) == nil {
			t.Fatalf("byte %d of %d changed, and it was taken", i, len(whole))
		}
	}
}

func TestAnArchiveWithoutItsEndIsRefused(t *testing.T) {
	path, whole := packed(t)
	for n := range whole {
		if unpack(t, path, whole[:n]) == nil {
			t.Fatalf("cut after %d of %d bytes, and it was taken", n, len(whole))
		}
	}
	if unpack(t, path, append(bytes.Clone(whole), 0)) == nil {
		t.Error("a byte more, and it was taken")
	}
}
