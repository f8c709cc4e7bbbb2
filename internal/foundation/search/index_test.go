package search

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestUpsertAndDelete(t *testing.T) {
	x := indexOf("en", product("a", "lamp"), product("b", "red lamp"), product("b", "green lamp"))
	step := func(what, query, want string, count int) {
		t.Helper()
		if got := find(x, query); got != want || x.Len() != count {
			t.Errorf("%s: %q found %q of %d, wanted %q of %d", what, query, got, x.Len(), want, count)
		}
	}
	step("the last of one id counts", "green lamp", "b", 2)
	x.Upsert([]Document{product("a", "cup")}, 2)
	step("a replaced document loses its old words", "lamp ", "b", 2)
	step("and has its new ones", "cup", "a", 2)
	x.Delete([]string{"a", "a", "nobody"}, 3)
	step("a deleted document is gone", "cup", "", 1)
	if x.Cursor() != 3 {
		t.Errorf("the cursor is %d", x.Cursor())
	}
	x.Delete([]string{"b"}, 4)
	step("the last one is gone", "", "", 0)
	x.Upsert([]Document{product("b", "lamp")}, 5)
	step("and comes back", "lamp", "b", 1)
	x.Upsert(nil, 6)
	x.Compact()
	step("nothing changed", "lamp", "b", 1)
}

// keptIndex is a folder with an index of several segments and dead documents.
func keptIndex(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	x := New(dir, "en")
	for i := range 12 {
		d := product(fmt.Sprint(i), fmt.Sprintf("lamp number%d", i))
		d.Terms = []Term{{"color", fmt.Sprint(i % 3), fmt.Sprint("Color ", i%3)}}
		d.Closes = int64(i)
		x.Upsert([]Document{d}, int64(i))
	}
	x.Delete([]string{"3"}, 77)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAnIndexOpensAsItWasKept(t *testing.T) {
	dir := keptIndex(t)
	for round := range 3 {
		x, err := Open(dir, "en")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Search(Request{Text: "lamp", Limit: 20, Facets: []string{"color"}})
		if x.Cursor() != int64(77+round) || r.Total != 11 || x.Len() != 11 ||
			facetsText(r) != "color: Color 1=4 Color 2=4 Color 0=3;" {
			t.Fatalf("round %d: cursor %d, %d found of %d, %s", round, x.Cursor(), r.Total, x.Len(), facetsText(r))
		}
		x.Upsert([]Document{func() Document {
			d := product("0", "lamp")
			d.Terms = []Term{{"color", "0", "Color 0"}}
			return d
		}()}, int64(78+round))
		x.Compact()
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 2 {
			t.Errorf("the folder of a compact index has %v", files)
		}
	}
}

func TestADamagedIndexMustBeRebuilt(t *testing.T) {
	if _, err := Open(t.TempDir(), "en"); !errors.Is(err, ErrRebuild) {
		t.Errorf("an empty folder opens with %v", err)
	}
	dir := keptIndex(t)
	if _, err := Open(dir, "sv"); !errors.Is(err, ErrRebuild) {
		t.Errorf("an index of another language opens with %v", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, bad := range map[string][]byte{"empty": {}, "cut": whole[:len(whole)-1],
			"longer": append(whole[:len(whole):len(whole)], 0), "flipped": flipped(whole, len(whole)/2),
			"other version": flipped(whole, 4), "other mark": flipped(whole, 0),
			"emptied": sealedWith(make([]byte, 40)), "promising": sealedWith(bytes.Repeat([]byte{255}, 8))} {
			if err := os.WriteFile(name, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, "en"); !errors.Is(err, ErrRebuild) {
				t.Errorf("with %s %s opens with %v", f.Name(), what, err)
			}
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if x, err := Open(dir, "en"); err != nil || x.Len() != 11 {
		t.Errorf("the mended index opens with %v", err)
	}
}

// sealedWith is a file with a right checksum.
func sealedWith(body []byte) []byte { return append(header(castagnoli(0, body)), body...) }

func flipped(b []byte, at int) []byte {
	out := append([]byte(nil), b...)
	out[at] ^= 0x40
	return out
}

// Readers see whole snapshots while documents are replaced, merged and kept: of ten that are replaced together there
// are always ten.
func TestReadersAreNotDisturbed(t *testing.T) {
	x := New(t.TempDir(), "en")
	lot := func(version int) (docs []Document) {
		for i := range 10 {
			docs = append(docs, product(fmt.Sprint(i), fmt.Sprintf("lamp version%d", version)))
		}
		return docs
	}
	x.Upsert(lot(0), 0)
	var stop atomic.Bool
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for !stop.Load() {
				if r := x.Search(Request{Text: "lamp", Limit: 3, Facets: []string{"color"}}); r.Total != 10 ||
					len(r.Hits) != 3 {
					t.Errorf("found %d of 10", r.Total)
					return
				}
				x.Suggest(Typing{Text: "la", Products: 2})
			}
		})
	}
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			for i := range 100 {
				x.Upsert(lot(i), int64(i))
				x.Upsert([]Document{product(fmt.Sprint("other", w, i), "cup")}, int64(i))
				x.Delete([]string{fmt.Sprint("other", w, i)}, int64(i))
				if i%40 == 0 {
					x.Compact()
					if err := x.Save(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writers.Wait()
	stop.Store(true)
	readers.Wait()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if n := len(x.now.Load().views); n > 4*fanIn {
		t.Errorf("%d segments are left: merging does not keep up", n)
	}
}

// Words of all lengths, in and beyond the ranges of automata and tables.
func TestOddWords(t *testing.T) {
	long := string(make([]byte, 300))
	for _, name := range []string{"", " ", "\x00", "\xff\xfe", long, "a\u0301\u0301\u0301", "ǅ", "𝟙𝟚", "½ Zoll", "١٢٣",
		"İstanbul", "ﬁne", "漢字かな", "1.2.3.4", "1,2,3", "x", "x x x", "0x0", "5'5\"", "a-b-c-d-e-f", "'''", "-", "é",
		"\u0300", "a \u0300 b", "\ufe70", "12\"\"",
		"9999999999999999999999999999999999999999999999999999999999999999999999999999999"} {
		for _, language := range []string{"sv", "en", "xx"} {
			x := indexOf(language, product("a", name), product("b", "lamp"))
			x.Compact()
			r := x.Search(Request{Text: name, Limit: 5})
			for _, s := range r.Marker.Mark(name) {
				if s.Start < 0 || s.Start >= s.End || s.End > len(name) {
					t.Errorf("%q is marked at %v", name, s)
				}
			}
		}
	}
}

// An index that is made anew in the folder of another names no segment as that one does: whatever a crash leaves, the
// manifest that is there finds its own.
func TestAnIndexMadeAnewLeavesTheOneBefore(t *testing.T) {
	dir := keptIndex(t)
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := New(dir, "en")
	x.Upsert([]Document{product("other", "chair")}, 99)
	if err := x.Save(); err != nil {
		t.Fatal(err)
	}
	for _, f := range before {
		if _, err := os.Stat(filepath.Join(dir, f.Name())); f.Name() != manifestName && err == nil {
			t.Errorf("%s is a segment of both", f.Name())
		}
	}
	again, err := Open(dir, "en")
	if err != nil || again.Len() != 1 || again.Cursor() != 99 {
		t.Errorf("opened: %d documents up to %d: %v", again.Len(), again.Cursor(), err)
	}
}
