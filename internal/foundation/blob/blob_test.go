package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"kontor/internal/foundation/blob"
)

// each runs fn on every kind of store.
func each(t *testing.T, fn func(t *testing.T, s blob.Store)) {
	t.Run("folder", func(t *testing.T) { fn(t, open(t, "", filepath.Join(t.TempDir(), "a", "media"))) })
	t.Run("file", func(t *testing.T) { fn(t, open(t, "file://"+t.TempDir(), "")) })
	t.Run("bucket", func(t *testing.T) { fn(t, open(t, bucket(t, "files"), "")) })
	t.Run("prefix", func(t *testing.T) { fn(t, open(t, bucket(t, "files/a/b"), "")) })
}

func open(t *testing.T, address, folder string) blob.Store {
	t.Helper()
	s, err := blob.Open(address, folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bucket is the address of a bucket that ends with the test.
func bucket(t *testing.T, place string) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(srv.Close)
	return "s3://id:secret@" + place + "?region=eu-north-1&endpoint=" + srv.URL
}

func put(t *testing.T, s blob.Store, key, text string) {
	t.Helper()
	if err := s.Put(context.Background(), key, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func keys(t *testing.T, s blob.Store, prefix string) (out []string) {
	t.Helper()
	err := s.Each(context.Background(), prefix, func(i blob.Info) error {
		out = append(out, fmt.Sprint(i.Key, " ", i.Size))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func TestWhatIsPutCanBeRead(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		ctx := context.Background()
		put(t, s, "acme/ab/abc.png", "picture")
		put(t, s, "acme/ab/abc.png", "picture")
		f, err := s.Open(ctx, "acme/ab/abc.png")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.Size != 7 || time.Since(f.Written) > time.Minute {
			t.Errorf("info %+v", f.Info)
		}
		if _, err := f.Seek(3, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(f); err != nil || string(rest) != "ture" {
			t.Errorf("from the third byte: %q %v", rest, err)
		}
		if i, err := s.Stat(ctx, "acme/ab/abc.png"); err != nil || i.Size != 7 || i.Key != "acme/ab/abc.png" {
			t.Errorf("stat: %+v %v", i, err)
		}
		for _, key := range []string{"acme/ab/none", "acme", "acme/ab", "none"} {
			if _, err := s.Open(ctx, key); !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("open %s: %v", key, err)
			}
			if _, err := s.Stat(ctx, key); !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("stat %s: %v", key, err)
			}
		}
		for range 2 {
			if err := s.Delete(ctx, "acme/ab/abc.png"); err != nil {
				t.Error(err)
			}
		}
		if got := keys(t, s, ""); len(got) != 0 {
			t.Errorf("left: %v", got)
		}
	})
}

func TestFilesAreListedCopiedAndCleared(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		ctx := context.Background()
		for _, key := range []string{"one/a", "one/b/c", "oneself/d", "two/e"} {
			put(t, s, key, key)
		}
		if got := fmt.Sprint(keys(t, s, "one/")); got != "[one/a 5 one/b/c 7]" {
			t.Errorf("listed %s", got)
		}
		to := blob.Folder(filepath.Join(t.TempDir(), "copy"))
		if err := blob.Copy(ctx, s, "one/", to, "three/"); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(keys(t, to, "")); got != "[three/a 5 three/b/c 7]" {
			t.Errorf("copied %s", got)
		}
		if err := blob.Clear(ctx, s, "one/"); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(keys(t, s, "")); got != "[oneself/d 9 two/e 5]" {
			t.Errorf("left %s", got)
		}
		if got := keys(t, s, "none/"); got != nil {
			t.Errorf("of an empty prefix: %v", got)
		}
		wrong := errors.New("wrong")
		if err := s.Each(ctx, "", func(blob.Info) error { return wrong }); !errors.Is(err, wrong) {
			t.Errorf("a walk that is stopped: %v", err)
		}
	})
}

func TestKeysLeadNowhereElse(t *testing.T) {
	each(t, func(t *testing.T, s blob.Store) {
		ctx := context.Background()
		for _, key := range []string{"", "/", "/a", "a/", "../a", "a/../../b", "a//b", ".", "a/./b", `a\b`, "C:a",
			".hidden", "a/.writing-1"} {
			if err := s.Put(ctx, key, []byte("x")); err == nil {
				t.Errorf("put %q went through", key)
			}
			if _, err := s.Open(ctx, key); err == nil {
				t.Errorf("open %q went through", key)
			}
			if _, err := s.Stat(ctx, key); err == nil {
				t.Errorf("stat %q went through", key)
			}
			if err := s.Delete(ctx, key); err == nil {
				t.Errorf("delete %q went through", key)
			}
		}
	})
}

// A file is whole or not there, and what a crash left is neither listed nor kept for ever.
func TestHalfAFileIsNone(t *testing.T) {
	dir := t.TempDir()
	s := blob.Folder(dir)
	put(t, s, "a/file", "whole")
	old, fresh := filepath.Join(dir, "a", ".writing-1"), filepath.Join(dir, "a", ".writing-2")
	for _, name := range []string{old, fresh} {
		if err := os.WriteFile(name, []byte("ha"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(keys(t, s, "")); got != "[a/file 5]" {
		t.Errorf("listed %s", got)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an old rest is left: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("what is being written is gone: %v", err)
	}
	// A file cut short, by a disk that lost it, is written again.
	if err := os.WriteFile(filepath.Join(dir, "a", "file"), []byte("who"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a/file", "whole")
	if data, err := blob.ReadAll(context.Background(), s, "a/file"); err != nil || !bytes.Equal(data, []byte("whole")) {
		t.Errorf("mended: %q %v", data, err)
	}
}

func TestWritingAgainMakesAFileYoung(t *testing.T) {
	dir := t.TempDir()
	s := blob.Folder(dir)
	put(t, s, "a", "x")
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "a"), long, long); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "x")
	if i, err := s.Stat(context.Background(), "a"); err != nil || time.Since(i.Written) > time.Hour {
		t.Errorf("%+v %v", i, err)
	}
}

func TestAddresses(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL", "")
	for _, bad := range []string{"ftp://x", "s3://", "s3:///x", "file://host/x", "file:x", "bucket", "s3://b/../x",
		"s3://b?reggion=x",
		"s3://b?endpoint=host", "s3://b?endpoint=https://host/path", "s3://id:geheim@b/%zz", "s3://id:geheim@b?x=y"} {
		if _, err := blob.Open(bad, ""); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for _, good := range []string{"", "s3://bucket", "s3://bucket/a/b/",
		"s3://id:secret@bucket?endpoint=http://127.0.0.1:9000", "file:///x"} {
		if _, err := blob.Open(good, "x"); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// Credentials and endpoint come from the usual variables where the address does not hold them.
func TestBucketOfTheEnvironment(t *testing.T) {
	address := bucket(t, "files")
	_, endpoint, _ := strings.Cut(address, "endpoint=")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "eu-north-1")
	t.Setenv("AWS_ENDPOINT_URL", endpoint)
	s := open(t, "s3://files/x", "")
	put(t, s, "a", "text")
	if got := fmt.Sprint(keys(t, open(t, address, ""), "")); got != "[x/a 4]" {
		t.Errorf("the bucket holds %s", got)
	}
	if err := open(t, strings.Replace(address, "files", "none", 1), "").Put(context.Background(), "a",
		[]byte("x")); err == nil {
		t.Error("a file went into a bucket that is not there")
	}
}
