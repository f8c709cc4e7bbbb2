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

	"github.com/klauspost/compress/zstd"

	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/each"
)

// file is an archive that is being written: its files are gathered in a folder first, since the manifest stands before
// them.
type file struct {
	path, dir string
	files     []File
}

// NewFile begins an archive that shall lie at path. dir is a folder on the same disk for it alone, which the caller
// removes.
func NewFile(path, dir string) Target { return &file{path: path, dir: dir} }

func (*file) ByPage() bool    { return false }
func (*file) Has(string) bool { return false }

func (a *file) place(name string) (string, error) {
	to := filepath.Join(a.dir, "files", filepath.FromSlash(name))
	return to, os.MkdirAll(filepath.Dir(to), 0o700)
}

func (a *file) Take(_ context.Context, name, path string) error {
	to, err := a.place(name)
	if err == nil {
		err = durable.Rename(path, to)
	}
	if err != nil {
		return err
	}
	in, err := os.Open(to)
	if err != nil {
		return err
	}
	return errors.Join(a.sum(name, in, io.Discard), in.Close())
}

func (a *file) Stream(_ context.Context, name string, r io.Reader) error {
	to, err := a.place(name)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(a.sum(name, r, out), out.Close())
}

func (a *file) sum(name string, r io.Reader, out io.Writer) error {
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, out), r)
	a.files = append(a.files, File{Name: name, Size: n, SHA256: hex.EncodeToString(h.Sum(nil))})
	return err
}

// Finish writes the archive beside its place, has it on the disk, reads it back from end to end, and moves it there.
func (a *file) Finish(ctx context.Context, m Manifest) (Written, error) {
	m.complete(a.files)
	partial := filepath.Join(a.dir, "archive")
	out, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Written{}, err
	}
	err = errors.Join(sealed(out, func(w io.Writer) error { return a.pack(ctx, w, m) }), out.Sync(), out.Close())
	if err == nil {
		err = proveFile(ctx, partial)
	}
	var size int64
	if info, e := os.Stat(partial); e == nil {
		size = info.Size()
	}
	if err == nil {
		err = durable.Rename(partial, a.path)
	}
	return Written{Manifest: m, Name: filepath.Base(a.path), Bytes: size, New: size}, err
}

func proveFile(ctx context.Context, path string) error {
	s, err := OpenFile(path)
	if err != nil {
		return err
	}
	return errors.Join(Prove(ctx, s), s.Close())
}

func (a *file) pack(ctx context.Context, out io.Writer, m Manifest) error {
	z, err := zstd.NewWriter(out)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	b, err := m.encode()
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
		in, err := os.Open(filepath.Join(a.dir, "files", filepath.FromSlash(f.Name)))
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

// opened is an archive to read.
type opened struct {
	path     string
	manifest Manifest
	in       *os.File
	z        *zstd.Decoder
	t        *tar.Reader
}

// OpenFile opens the archive at path, whose seal must be whole. It can be read once.
func OpenFile(path string) (Source, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(in)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s is no backup: %w", path, err), in.Close())
	}
	a := &opened{path: path, in: in, z: z, t: tar.NewReader(z)}
	if err := a.begin(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *opened) begin() error {
	head, err := a.t.Next()
	if err != nil || head.Name != manifestName {
		return fmt.Errorf("%s is no backup: it does not begin with a manifest", a.path)
	}
	if err := json.NewDecoder(a.t).Decode(&a.manifest); err != nil {
		return fmt.Errorf("%s: the manifest is damaged: %w", a.path, err)
	}
	if err := a.manifest.readable(a.path); err != nil {
		return err
	}
	if a.manifest.Format > 1 {
		if err := unbroken(a.path); err != nil {
			return fmt.Errorf("%s is damaged: %w", a.path, err)
		}
	}
	return nil
}

func (a *opened) Manifest() Manifest { return a.manifest }

func (a *opened) Close() error { a.z.Close(); return a.in.Close() }

// Each reads the files in their order: damaged, missing and unexpected ones are refused.
func (a *opened) Each(ctx context.Context, take func(File, io.Reader) error) error {
	missing := each.By(a.manifest.Files, func(f File) string { return f.Name })
	for {
		head, err := a.t.Next()
		if err == io.EOF {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("%s is damaged: %w", a.path, err)
		}
		f, ok := missing[head.Name]
		if !ok {
			return fmt.Errorf("%s is damaged: %s is not in its manifest", a.path, head.Name)
		}
		delete(missing, head.Name)
		if err := take(f, a.t); err != nil {
			return a.blamed(err)
		}
	}
	for name := range missing {
		return fmt.Errorf("%s is damaged: %s is missing", a.path, name)
	}
	return nil
}

// blamed says of what became of a file whether the archive is to blame, or where its files were to go.
func (a *opened) blamed(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Op != "read" {
		return fmt.Errorf("%s cannot be unpacked: %w", a.path, err)
	}
	return fmt.Errorf("%s is damaged: %w", a.path, err)
}
