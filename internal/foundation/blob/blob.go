// Package blob keeps files: bytes under a key, written whole and never changed afterwards. The keys are made from the
// content, so that writing the same bytes again is harmless, a file may be kept for ever by whoever fetched it, and one
// that nobody refers to any more is only wasted room until a sweep takes it.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"
)

// ErrNotFound is answered for a key under which nothing lies.
var ErrNotFound = errors.New("blob: nothing lies under this key")

// Store is a place for files. Keys are relative slash-separated paths (see Valid).
type Store interface {
	// Put writes data under key, whole or not at all; when it returns nil the file outlives a crash. What lies there
	// already counts as written just now, so that a sweep that goes by age lets it be.
	Put(ctx context.Context, key string, data []byte) error
	// Open reads the file under key; ErrNotFound. The caller closes it.
	Open(ctx context.Context, key string) (*File, error)
	// Stat tells of the file under key without reading it; ErrNotFound.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes the file under key; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// Each calls fn for every file whose key begins with prefix, which is "" or ends with a slash.
	Each(ctx context.Context, prefix string, fn func(Info) error) error
}

// Info tells of a file without its bytes.
type Info struct {
	Key     string
	Size    int64
	Written time.Time
}

// File is an open file.
type File struct {
	io.ReadSeekCloser
	Info
}

// Valid reports whether key can be one: a relative path of plain segments, so that no key leads out of its folder.
func Valid(key string) bool {
	return key != "" && key == path.Clean(key) && !strings.HasPrefix(key, "/") &&
		!strings.ContainsAny(key, "\\:\x00") && !strings.Contains("/"+key, "/.")
}

func errKey(key string) error { return fmt.Errorf("blob: %q is no key", key) }

// Open opens the store at an address: "" is the folder, file:///a/path another one, s3://bucket/prefix a bucket of
// Amazon S3 or of what speaks its protocol. Nothing is asked of a bucket yet.
func Open(address, folder string) (Store, error) {
	if address == "" {
		return Folder(folder), nil
	}
	u, err := url.Parse(address)
	if err != nil {
		// it may hold a secret
		return nil, errors.New("blob: the address cannot be read: write s3://bucket/prefix or file:///path")
	}
	switch {
	case u.Scheme == "file" && u.Host == "" && strings.HasPrefix(u.Path, "/"):
		return Folder(u.Path), nil
	case u.Scheme == "s3":
		return openBucket(u, patience)
	}
	return nil, fmt.Errorf("blob: %s is no address of files: write s3://bucket/prefix or file:///path", u.Redacted())
}

// ReadAll is the file under key.
func ReadAll(ctx context.Context, s Store, key string) ([]byte, error) {
	f, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Copy copies every file whose key begins with prefix to the same key of another store, or to one that begins with
// another prefix. Both end with a slash.
func Copy(ctx context.Context, from Store, prefix string, to Store, as string) error {
	return from.Each(ctx, prefix, func(i Info) error {
		data, err := ReadAll(ctx, from, i.Key)
		if errors.Is(err, ErrNotFound) {
			return nil // deleted while we copy
		}
		if err != nil {
			return err
		}
		return to.Put(ctx, as+strings.TrimPrefix(i.Key, prefix), data)
	})
}

// Clear deletes every file whose key begins with prefix.
func Clear(ctx context.Context, s Store, prefix string) error {
	return s.Each(ctx, prefix, func(i Info) error { return s.Delete(ctx, i.Key) })
}
