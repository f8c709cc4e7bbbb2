package app

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"log/slog"
	"mime/multipart"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// gallery is a house with a company and a key to its API.
type gallery struct {
	*testing.T
	*App
	company identity.Company
	key     string
}

func newGallery(t *testing.T, place datadir.Dir) *gallery {
	t.Helper()
	h, err := OpenServing(t.Context(), place, Serving{PublicURL: "https://erp.example.com", KeepBytes: 1 << 20},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close(context.Background()) })
	return &gallery{T: t, App: h}
}

func (g *gallery) enter() {
	g.Helper()
	var err error
	if g.company, err = g.CreateCompany(g.Context(), acme()); err != nil {
		g.Fatal(err)
	}
	err = g.Control(g.Context(), func(tx *db.Tx) (err error) {
		_, g.key, err = identity.CreateKey(tx, g.company, identity.NewKey{Name: "k", Scopes: []string{"*"}}, Scopes())
		return err
	})
	if err != nil {
		g.Fatal(err)
	}
}

func (g *gallery) ask(method, address string, headers ...string) *httptest.ResponseRecorder {
	g.Helper()
	r := httptest.NewRequestWithContext(g.Context(), method, strings.TrimPrefix(address, "https://erp.example.com"),
		nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

// hang uploads a file to the item P and answers where it can be seen, and its id.
func (g *gallery) hang(name string, data []byte) (url, id string) {
	g.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part, err := m.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(data)
	}
	if err != nil || m.Close() != nil {
		g.Fatal(err)
	}
	r := httptest.NewRequestWithContext(g.Context(), "POST", "/preview/items/P/assets", &b)
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("X-Api-Key", g.key)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	var a struct{ AssetID, URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 201 {
		g.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	return a.URL, a.AssetID
}

func (g *gallery) makeItem() {
	g.Helper()
	r := httptest.NewRequestWithContext(g.Context(), "POST", "/preview/items",
		strings.NewReader(`{"itemNumber": "P", "name": "Picture", "taxCode": "STD"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "item")
	r.Header.Set("X-Api-Key", g.key)
	w := httptest.NewRecorder()
	if g.ServeHTTP(w, r); w.Code != 201 {
		g.Fatalf("%d %s", w.Code, w.Body)
	}
}

// see is the status with which an address answers.
func (g *gallery) see(url string) int { g.Helper(); return g.ask("GET", url).Code }

func white(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// eachPlace runs fn on each engine and each kind of store.
func eachPlace(t *testing.T, fn func(t *testing.T, place datadir.Dir)) {
	t.Run("sqlite", func(t *testing.T) { fn(t, datadir.Dir{Data: t.TempDir()}) })
	t.Run("postgres", func(t *testing.T) {
		fn(t, datadir.Dir{Data: t.TempDir(), DatabaseURL: dbtest.DatabaseURL(t), MediaURL: bucketOf(t)})
	})
}

// bucketOf is the address of a bucket that ends with the test.
func bucketOf(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(srv.Close)
	return "s3://id:secret@files/kontor?region=eu-north-1&endpoint=" + srv.URL
}

func TestFilesAreShownToAnybody(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		g := newGallery(t, place)
		g.enter()
		g.makeItem()
		data := white(t, 400, 200)
		url, id := g.hang("a.png", data)
		w := g.ask("GET", url)
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), data) {
			t.Fatalf("%d, %d bytes of %d", w.Code, w.Body.Len(), len(data))
		}
		for name, want := range map[string]string{"Content-Type": "image/png",
			"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": shownTo, "Content-Disposition": "",
			"Cross-Origin-Resource-Policy": "cross-origin"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if again := g.ask("GET", url, "If-None-Match: "+w.Header().Get("Etag")); again.Code != 304 ||
			again.Body.Len() > 0 || again.Header().Get("Etag") != w.Header().Get("Etag") {
			t.Errorf("asked again: %d %v", again.Code, again.Header())
		}
		if part := g.ask("GET", url, "Range: bytes=2-5"); part.Code != 206 ||
			!bytes.Equal(part.Body.Bytes(), data[2:6]) {
			t.Errorf("a part: %d %q", part.Code, part.Body)
		}
		if head := g.ask("HEAD", url); head.Code != 200 || head.Body.Len() > 0 {
			t.Errorf("HEAD: %d", head.Code)
		}
		small := g.ask("GET", url+"?w=160")
		if p, err := png.Decode(small.Body); small.Code != 200 || err != nil || p.Bounds().Dx() != 160 ||
			small.Header().Get("Etag") == w.Header().Get("Etag") {
			t.Errorf("smaller: %d %v %v", small.Code, err, small.Header())
		}
		if other := g.ask("GET", url+"?w=161"); other.Code != 400 || !strings.Contains(other.Body.String(),
			"160 320 640 1280") {
			t.Errorf("another width: %d %s", other.Code, other.Body)
		}
		if other := g.ask("POST", url); other.Code != 405 || other.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("another method: %d %v", other.Code, other.Header())
		}
		for _, none := range []string{"/media/", "/media/acme/x.png", strings.Replace(url, g.company.ID, "acme", 1),
			strings.Replace(url, g.company.ID, dbtest.Other, 1), strings.Replace(url, "/media/", "/media/../media/",
				1)} {
			if w := g.ask("GET", none); w.Code != 404 || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d", none, w.Code)
			}
		}
		document, _ := g.hang("Größe.pdf", []byte("%PDF-1.7"))
		if w := g.ask("GET", document); w.Code != 200 ||
			w.Header().Get("Content-Disposition") != "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.pdf" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		if w := g.ask("DELETE", "/preview/items/P/assets/"+id, "X-Api-Key: "+g.key); w.Code != 204 ||
			g.see(url) != 404 || g.see(document) != 200 {
			t.Errorf("deleted: %d, and then %d %d", w.Code, g.see(url), g.see(document))
		}
		if err := g.Sweep(t.Context(), g.company); err != nil {
			t.Error(err)
		}
		if g.see(document) != 200 {
			t.Error("the sweep took what is used")
		}
	})
}

// Files go where their company goes: into a backup and out of it, into a clone, and away.
func TestFilesFollowTheirCompany(t *testing.T) {
	ctx := t.Context()
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		g := newGallery(t, place)
		g.enter()
		g.makeItem()
		url, _ := g.hang("a.png", white(t, 4, 2))
		archived := filepath.Join(t.TempDir(), "backup.tar.zst")
		if _, err := g.Backup(ctx, BackupOf{}, archived); err != nil {
			t.Fatal(err)
		}
		clone, err := g.CloneCompany(ctx, g.company, "clone", "Clone")
		if err != nil {
			t.Fatal(err)
		}
		copied := strings.Replace(url, g.company.ID, clone.ID, 1)
		if g.see(copied) != 200 {
			t.Errorf("the clone shows %d", g.see(copied))
		}
		if err := g.DeleteCompany(ctx, g.company); err != nil {
			t.Fatal(err)
		}
		if g.see(url) != 404 || g.see(copied) != 200 {
			t.Errorf("deleted %d, its clone %d", g.see(url), g.see(copied))
		}
		if _, err := g.Restore(ctx, archived, "acme", false, true); err != nil {
			t.Fatal(err)
		}
		if g.see(url) != 200 || g.see(copied) != 200 {
			t.Errorf("restored %d, the clone %d", g.see(url), g.see(copied))
		}
		// Into an installation that keeps its files elsewhere.
		for _, other := range []datadir.Dir{{Data: t.TempDir()}, {Data: t.TempDir(), MediaURL: bucketOf(t)}} {
			o := newGallery(t, other)
			if _, err := o.Restore(ctx, archived, "", false, true); err != nil {
				t.Fatal(err)
			}
			if o.see(url) != 200 {
				t.Errorf("another installation (files in %q) shows %d", other.MediaURL, o.see(url))
			}
			if err := o.DeleteCompany(ctx, g.company); err != nil {
				t.Fatal(err)
			}
			left := 0
			store, err := blob.Open(other.MediaURL, filepath.Join(other.Data, datadir.Media))
			if err == nil {
				err = store.Each(ctx, "", func(blob.Info) error { left++; return nil })
			}
			if err != nil || left > 0 {
				t.Errorf("%d files are left of a deleted company: %v", left, err)
			}
		}
	})
}

// Two nodes that keep files in folders of their own cannot show each other's: the refusal says what helps, and no cache
// keeps it.
func TestAFileOfAnotherNode(t *testing.T) {
	url := dbtest.DatabaseURL(t)
	key := filepath.Join(t.TempDir(), "key")
	one := newGallery(t, datadir.Dir{Data: t.TempDir(), DatabaseURL: url, SecretKeyFile: key})
	one.enter()
	one.makeItem()
	picture, _ := one.hang("a.pdf", []byte("%PDF-1.7"))
	other := newGallery(t, datadir.Dir{Data: t.TempDir(), DatabaseURL: url, SecretKeyFile: key})
	other.nodes.Store(2)
	w := other.ask("GET", picture)
	if w.Code != 503 || !strings.Contains(w.Body.String(), "--media-url") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the other node: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if one.see(picture) != 200 {
		t.Errorf("the node it came in at: %d", one.see(picture))
	}
}

func TestMediaAddressThatCannotBe(t *testing.T) {
	_, err := Open(t.Context(), datadir.Dir{Data: t.TempDir(), MediaURL: "ftp://x"}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "--media-url") {
		t.Errorf("%v", err)
	}
}
