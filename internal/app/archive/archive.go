// Package archive is the form of a backup: one tar file, compressed with zstd. It begins with a manifest that
// names every file with its checksum. control/*.ndjson are rows of the control database; a company's books are
// cells/{id}.db where they were a file, and cells/{id}/*.ndjson where they were rows of a shared database; media/
// are the media as they lay. Behind it stands a seal over every byte. Every archive can be restored on every engine.
package archive

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// format is the version of this form. A reader refuses what it does not know; form 1 had no seal.
const format = 2

const manifestName = "manifest.json"

// Manifest says what an archive holds. It is the archive's first file.
type Manifest struct {
	Format      int              `json:"format"`
	Kontor      string           `json:"kontor"` // version of the program that wrote it
	CreatedDate string           `json:"createdDate"`
	Engine      string           `json:"engine"`
	Schema      map[string]int64 `json:"schema"` // control, cell
	Whole       bool             `json:"whole"`  // the installation, and not one company of it
	// SecretKey is the fingerprint of the key that the secrets in it are sealed with. The key is not in it.
	SecretKey string    `json:"secretKey,omitempty"`
	Companies []Company `json:"companies"`
	Files     []File    `json:"files"`
}

// Company is a company in an archive.
type Company struct {
	ID          string `json:"companyId"`
	Code        string `json:"code"`
	Name        string `json:"name"`
	Environment string `json:"environment"`
}

// File is one file in an archive.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Pack writes the files below dir into an archive at path, the manifest first. The archive appears under its name
// only once it is whole and on the disk.
func Pack(ctx context.Context, dir, path string, m Manifest) (Manifest, error) {
	m.Format, m.CreatedDate = format, time.Now().UTC().Format(time.RFC3339)
	var err error
	if m.Files, err = sums(ctx, dir); err != nil {
		return m, err
	}
	partial := path + ".partial"
	out, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return m, err
	}
	err = errors.Join(sealed(out, func(w io.Writer) error { return pack(ctx, w, dir, m) }), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		return m, errors.Join(err, os.Remove(partial))
	}
	return m, nil
}

func pack(ctx context.Context, out io.Writer, dir string, m Manifest) error {
	z, err := zstd.NewWriter(out)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := add(t, manifestName, int64(len(b)), strings.NewReader(string(b))); err != nil {
		return err
	}
	for _, f := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil {
			return err
		}
		err = errors.Join(add(t, f.Name, f.Size, in), in.Close())
		if err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

func add(t *tar.Writer, name string, size int64, r io.Reader) error {
	if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err := io.Copy(t, r)
	return err
}

// sums are the files below dir with their checksums, by name.
func sums(ctx context.Context, dir string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		h := sha256.New()
		n, err := io.Copy(h, in)
		files = append(files, File{filepath.ToSlash(name), n, hex.EncodeToString(h.Sum(nil))})
		return err
	})
	return files, err
}

// Unpack writes the files of the archive at path below dir and checks each against the manifest: damaged, missing
// and unexpected files are refused.
func Unpack(ctx context.Context, path, dir string) (Manifest, error) {
	var m Manifest
	in, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer in.Close()
	z, err := zstd.NewReader(in)
	if err != nil {
		return m, fmt.Errorf("%s is no backup: %w", path, err)
	}
	defer z.Close()
	t := tar.NewReader(z)
	head, err := t.Next()
	if err != nil || head.Name != manifestName {
		return m, fmt.Errorf("%s is no backup: it does not begin with a manifest", path)
	}
	if err := json.NewDecoder(t).Decode(&m); err != nil {
		return m, fmt.Errorf("%s: the manifest is damaged: %w", path, err)
	}
	if m.Format < 1 || m.Format > format {
		return m, fmt.Errorf("%s has form %d, this program knows 1 to %d: restore it with Kontor %s", path, m.Format, format, m.Kontor)
	}
	if m.Format > 1 {
		if err := unbroken(path); err != nil {
			return m, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	missing := map[string]File{}
	for _, f := range m.Files {
		missing[f.Name] = f
	}
	for {
		head, err := t.Next()
		if err == io.EOF {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return m, fmt.Errorf("%s is damaged: %w", path, err)
		}
		f, ok := missing[head.Name]
		if !ok {
			return m, fmt.Errorf("%s is damaged: %s is not in its manifest", path, head.Name)
		}
		delete(missing, head.Name)
		if err := unpack(t, dir, f); err != nil {
			return m, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	for name := range missing {
		return m, fmt.Errorf("%s is damaged: %s is missing", path, name)
	}
	return m, nil
}

func unpack(r io.Reader, dir string, f File) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
		return fmt.Errorf("%q leads out of the folder", f.Name)
	}
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, h), r)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	if n != f.Size || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s does not match its checksum", f.Name)
	}
	return nil
}
