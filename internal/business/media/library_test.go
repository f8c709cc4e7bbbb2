package media_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/fault"
)

// picture is a PNG of one colour.
func picture(t testing.TB, w, h int, c color.Color) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		p.Set(i%w, i/w, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func take(t *testing.T, l *media.Library, company, name string, data []byte) media.File {
	t.Helper()
	f, err := l.Take(context.Background(), company, name, data, true)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// stored are the keys in a store.
func stored(t *testing.T, s blob.Store) (keys []string) {
	t.Helper()
	if err := s.Each(context.Background(), "", func(i blob.Info) error {
		keys = append(keys, i.Key)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}

func TestLibraryKeepsByContent(t *testing.T) {
	store := blob.Folder(t.TempDir())
	l := media.NewLibrary(store, "https://erp.example.com/", 1<<26)
	data := picture(t, 3, 2, color.White)
	one, two := take(t, l, "acme", `C:\pictures\Größe 1.PNG`, data), take(t, l, "acme", "b.txt", data)
	if one.FileName != "Größe 1.PNG" || one.ContentType != "image/png" || one.Width != 3 || one.Height != 2 ||
		one.FileSize != len(data) {
		t.Errorf("%+v", one)
	}
	if one.Hash != two.Hash || len(stored(t, store)) != 1 {
		t.Errorf("the same bytes lie twice: %v", stored(t, store))
	}
	if turned := take(t, l, "acme", "a\u202egnp.exe\u2066.png", data); turned.FileName != "agnp.exe.png" {
		t.Errorf("a name that turns is kept as %q", turned.FileName)
	}
	url := l.URL("acme", one)
	if url != "https://erp.example.com/media/acme/"+one.Hash+".png" {
		t.Errorf("%s", url)
	}
	company, hash, ok := media.Named(strings.TrimPrefix(url, "https://erp.example.com"))
	if !ok || company != "acme" || hash != one.Hash {
		t.Errorf("%s %s %v", company, hash, ok)
	}
	for _, path := range []string{"/media/", "/media/acme", "/media/acme/x.png", "/media//" + one.Hash,
		"/media/acme/../" + one.Hash, "/other/acme/" + one.Hash, "/media/acme/" + strings.ToUpper(one.Hash[:8]) +
			one.Hash[8:]} {
		if _, _, ok := media.Named(path); ok {
			t.Errorf("%s names a file", path)
		}
	}
	for _, name := range []string{"", " ", "/", `x\`, "..", strings.Repeat("x", 201), "a\x00b", "\xff", "\u202e"} {
		if _, err := l.Take(context.Background(), "acme", name, data, false); !fault.Is(err, fault.ErrInvalid) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	if _, err := media.NewLibrary(broken{store}, "", 1<<26).Take(context.Background(), "acme", "a", data,
		false); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("a store that does not answer: %v", err)
	}
}

// broken is a store that takes nothing, and counts who asks.
type broken struct{ blob.Store }

func (broken) Put(context.Context, string, []byte) error { return errors.New("no room") }

// counting counts what is written.
type counting struct {
	blob.Store
	mu   sync.Mutex
	puts map[string]int
}

func (c *counting) Put(ctx context.Context, key string, data []byte) error {
	c.mu.Lock()
	c.puts[key]++
	c.mu.Unlock()
	return c.Store.Put(ctx, key, data)
}

func TestSmallerPicturesAreMadeOnce(t *testing.T) {
	store := &counting{Store: blob.Folder(t.TempDir()), puts: map[string]int{}}
	l := media.NewLibrary(store, "", 1<<26)
	ctx := context.Background()
	large := take(t, l, "acme", "a.png", picture(t, 700, 350, color.White))
	small := take(t, l, "acme", "b.png", picture(t, 300, 10, color.White))
	drawing := take(t, l, "acme", "c.svg", []byte(`<svg width="2000" height="1000"/>`))
	document := take(t, l, "acme", "d.pdf", []byte("%PDF-1.4"))
	var work sync.WaitGroup
	for range 8 {
		for _, f := range []media.File{large, small, drawing, document} {
			work.Go(func() {
				got, err := l.Open(ctx, "acme", f, 320)
				if err != nil {
					t.Error(err)
					return
				}
				defer got.Close()
				data, err := io.ReadAll(got)
				want := f.ContentType
				if f == large {
					want = "image/jpeg"
				}
				if err != nil || got.ContentType != want || int64(len(data)) != got.Size || got.Size == 0 {
					t.Errorf("%s: %s, %d of %d bytes, %v", f.FileName, got.ContentType, len(data), got.Size, err)
				}
				if (got.Tag == f.Hash) != (f != large) {
					t.Errorf("%s has the tag %s", f.FileName, got.Tag)
				}
			})
		}
	}
	work.Wait()
	if len(store.puts) != 4+3 { // as 160, 320 and 640
		t.Errorf("written: %v", store.puts)
	}
	for key, n := range store.puts {
		if n != 1 {
			t.Errorf("%s was written %d times", key, n)
		}
	}
}

// A picture whose head can be read and whose pixels cannot is shown as it is, and tried once.
func TestPicturesThatCannotBeDecoded(t *testing.T) {
	store := &counting{Store: blob.Folder(t.TempDir()), puts: map[string]int{}}
	l := media.NewLibrary(store, "", 1<<26)
	data := picture(t, 700, 350, color.Black)
	f, err := l.TakeMailed(context.Background(), "acme", "a.png", data[:len(data)/2])
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		got, err := l.Open(context.Background(), "acme", f, 160)
		if err != nil {
			t.Fatal(err)
		}
		got.Close()
		if got.ContentType != "image/png" || got.Tag != f.Hash {
			t.Errorf("%s %s", got.ContentType, got.Tag)
		}
	}
	if len(store.puts) != 1+3 {
		t.Errorf("written: %v", store.puts)
	}
	if err := store.Delete(context.Background(), stored(t, store)[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(context.Background(), "acme", f, 0); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("a lost file: %v", err)
	}
}

func TestSweepTakesWhatNothingUsesForADay(t *testing.T) {
	dir := t.TempDir()
	store := blob.Folder(dir)
	l := media.NewLibrary(store, "", 1<<26)
	ctx := context.Background()
	var files []media.File
	for i, c := range []color.Color{color.White, color.Black, color.NRGBA{R: 9, A: 255}} {
		files = append(files, take(t, l, "acme", fmt.Sprint(i), picture(t, 200, 2, c)))
		small, err := l.Open(ctx, "acme", files[i], 160)
		if err != nil {
			t.Fatal(err)
		}
		small.Close()
	}
	other := take(t, l, "other", "x", picture(t, 200, 2, color.White))
	long := time.Now().Add(-25 * time.Hour)
	for _, key := range stored(t, store) {
		if !strings.Contains(key, files[2].Hash) {
			if err := os.Chtimes(filepath.Join(dir, key), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	again := false
	err := l.Sweep(ctx, "acme", func() (map[string]bool, error) {
		if !again { // somebody uploads the same bytes while the sweep thinks
			again = true
			take(t, l, "acme", "again", picture(t, 200, 2, color.White))
		}
		return map[string]bool{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Join(stored(t, store), " ")
	if strings.Count(left, files[0].Hash) != 2 || strings.Contains(left, files[1].Hash) ||
		strings.Count(left, files[2].Hash) != 2 || !strings.Contains(left, "other/"+other.Hash[:2]) {
		t.Errorf("left: %s", left)
	}
	if err := os.Chtimes(filepath.Join(dir, "acme", files[0].Hash[:2], files[0].Hash+".png"), long, long); err != nil {
		t.Fatal(err)
	}
	if err := l.Sweep(ctx, "acme", func() (map[string]bool, error) {
		return map[string]bool{files[0].Hash: true}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if left := strings.Join(stored(t, store), " "); !strings.Contains(left, "acme/"+files[0].Hash[:2]) {
		t.Errorf("what is used was swept: %s", left)
	}
	held := map[string]string{}
	if err := l.Each(ctx, "acme", func(key, hash string) error { held[hash] = key; return nil }); err != nil ||
		held[files[0].Hash] == "" || held[files[1].Hash] != "" {
		t.Errorf("%v, %v", held, err)
	}
	read := func(hash string) error {
		return l.Copied(ctx, held[files[0].Hash], hash, func(r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
	}
	if err := read(files[0].Hash); err != nil {
		t.Error(err)
	}
	if err := read(files[1].Hash); !errors.Is(err, media.ErrDamaged) {
		t.Errorf("bytes of another name: %v", err)
	}
	if err := l.Copy(ctx, "acme", "clone"); err != nil {
		t.Fatal(err)
	}
	if err := l.Drop(ctx, "acme"); err != nil {
		t.Fatal(err)
	}
	if left := strings.Join(stored(t, store), " "); strings.Contains(left, "acme/") ||
		strings.Count(left, "clone/") != 2 || !strings.Contains(left, "other/") {
		t.Errorf("left: %s", left)
	}
}
