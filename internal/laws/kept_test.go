package laws

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"kontor/internal/app"
	"kontor/internal/business/party"
	"kontor/internal/front/rest"
)

// That every answer of both APIs says how it may be kept is held by resttest, in every law and every story. What stands
// beside them says so as well.
func TestEveryPageSaysHowItMayBeKept(t *testing.T) {
	eachWorld(t, func(w *world) {
		for _, c := range []struct{ method, path, want string }{
			{"GET", "/", "no-store"}, {"GET", "/sign-in", "no-store"}, {"GET", "/orders", "no-store"},
			{"POST", "/sign-in", "no-store"}, {"GET", "/nothing-here", "no-store"},
			{"GET", "/assets/none.css", "no-store"}, {"GET", "/docs", "no-store"}, {"GET", "/media/none", "no-store"},
			{"GET", "/problems/none", "no-store"}, {"GET", "/docs/", "public, no-cache"},
			{"GET", "/docs/ecom/", "public, no-cache"}, {"GET", "/problems/request-invalid", "public, no-cache"},
			{"GET", "/ecom/llms.txt", "public, no-cache"}, {"GET", "/ecom/swagger.json", "public, no-cache"},
			{"GET", "/preview/swagger.json", "public, no-cache"}, {"POST", "/oauth/token", "no-store"},
			{"GET", "/oauth/token", "no-store"}, {"POST", "/oauth/register", "no-store"},
			{"POST", "/oauth/revoke", "no-store"}, {"GET", "/oauth/authorize", "no-store"},
			{"GET", "/oauth/none", "no-store"}, {"GET", "/.well-known/oauth-authorization-server",
				"public, max-age=300"},
			{"GET", "/.well-known/oauth-protected-resource/preview", "public, max-age=300"},
		} {
			rec := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(w.Context(), c.method, c.path, nil)
			r.Header.Set("Accept", "text/html")
			w.open.ServeHTTP(rec, r)
			if got := rec.Header().Values("Cache-Control"); len(got) != 1 || got[0] != c.want {
				w.Errorf("%s %s answers %d and says %q of keeping it, not %q", c.method, c.path, rec.Code, got, c.want)
			}
			if strings.HasPrefix(c.path, "/oauth/") && rec.Header().Get("Pragma") != "no-cache" {
				w.Errorf("%s %s: no Pragma", c.method, c.path)
			}
			if style := styleSheet.FindString(rec.Body.String()); style != "" && c.path == "/sign-in" {
				sheet := httptest.NewRecorder()
				w.open.ServeHTTP(sheet, httptest.NewRequestWithContext(w.Context(), "GET", style, nil))
				if got := sheet.Header().Get("Cache-Control"); sheet.Code != 200 ||
					got != "public, max-age=31536000, immutable" {
					w.Errorf("%s: %d %q", style, sheet.Code, got)
				}
			}
		}
	})
}

var styleSheet = regexp.MustCompile(`/assets/[a-z0-9-]+\.css`)

// secret is how a field is called whose value lets somebody in.
var secret = regexp.MustCompile(`(?i)token|secret|password|clientkey|apikey|privatekey|credential`)

// An answer with a field of such a name is kept by nobody: the field is tagged secret, or its operation is Secret.
func TestSecretsAreKeptByNobody(t *testing.T) {
	found := 0
	for name := range surfaces() {
		text, err := app.Describe(name, "3.1")
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		eachAnswer(doc, func(id string, answer map[string]any) {
			headers, _ := answer["headers"].(map[string]any)
			for _, field := range fieldsOf(doc, answer["content"], map[string]bool{}) {
				if !secret.MatchString(field) || strings.HasPrefix(field, "has") { // whether there is one, not which
					continue
				}
				if found++; headers["Cache-Control"] == nil {
					t.Errorf("%s answers with %s and may be kept: tag the field secret, or say Secret", id, field)
				}
			}
		})
	}
	if found == 0 {
		t.Error("not one secret was found: the law no longer looks where they are")
	}
}

// eachAnswer goes through the answers of success of a document.
func eachAnswer(doc map[string]any, fn func(id string, answer map[string]any)) {
	for _, item := range doc["paths"].(map[string]any) {
		for _, operation := range item.(map[string]any) {
			o := operation.(map[string]any)
			for status, answer := range o["responses"].(map[string]any) {
				if status[0] == '2' {
					fn(o["operationId"].(string), answer.(map[string]any))
				}
			}
		}
	}
}

// fieldsOf are the names of all fields below a part of a document, references followed.
func fieldsOf(doc map[string]any, part any, seen map[string]bool) (names []string) {
	switch v := part.(type) {
	case []any:
		for _, one := range v {
			names = append(names, fieldsOf(doc, one, seen)...)
		}
	case map[string]any:
		if target, ok := v["$ref"].(string); ok && !seen[target] {
			seen[target] = true
			schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
			return fieldsOf(doc, schemas[strings.TrimPrefix(target, "#/components/schemas/")], seen)
		}
		if fields, ok := v["properties"].(map[string]any); ok {
			for name := range fields {
				names = append(names, name)
			}
		}
		for _, one := range v {
			names = append(names, fieldsOf(doc, one, seen)...)
		}
	}
	return names
}

// What is large goes out smaller to who takes that, under the same tag; what carries a secret does not, since its
// length would tell of it.
func TestLargeAnswersAreMadeSmaller(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		small := 0
		eachOperation(func(o served) {
			if o.Method != "GET" {
				return
			}
			path := o.own(w)
			plain := w.send(full, "GET", path, "")
			for range 2 { // afresh, and from what is kept
				packed := w.ask(path, "Accept-Encoding: gzip", "X-Api-Key: "+w.keys[full])
				if w.alike(o.Op, plain, packed) {
					small++
				}
				tag := packed.Header().Get("Etag")
				if again := w.ask(path, "Accept-Encoding: gzip", "X-Api-Key: "+w.keys[full], "If-None-Match: "+
					tag); o.Kind == rest.KindGet && again.Code != 304 {
					w.Errorf("%s with the tag of its smaller form: %d", o.ID, again.Code)
				}
			}
		})
		if small < 4 {
			w.Errorf("only %d answers were made smaller", small)
		}
		w.watchShop()
		visitor := w.visitor(w.first.ID, "WEB", nil, party.Customer{})
		if a := w.ask("/ecom/session", append(visitor, "Accept-Encoding: gzip")...); a.Header().
			Get("Content-Encoding") != "" || a.Body.Len() < 1024 {
			w.Errorf("a session of %d bytes is %q", a.Body.Len(), a.Header().Get("Content-Encoding"))
		}
	})
}

// ask reads past what watches, which would have to open what is compressed.
func (w *world) ask(path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(w.Context(), "GET", path, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.open.ServeHTTP(rec, r)
	return rec
}

// alike holds the smaller form of an answer against the plain one, and reports whether it is smaller.
func (w *world) alike(o rest.Op, plain answer, packed *httptest.ResponseRecorder) bool {
	w.Helper()
	large := plain.Body.Len() >= 1024 && strings.Contains(plain.Header().Get("Content-Type"), "json")
	if large != (packed.Header().Get("Content-Encoding") == "gzip") {
		w.Errorf("%s of %d bytes: Content-Encoding is %q", o.ID, plain.Body.Len(),
			packed.Header().Get("Content-Encoding"))
		return false
	}
	if !large {
		return false
	}
	z, err := gzip.NewReader(bytes.NewReader(packed.Body.Bytes()))
	if err != nil {
		w.Fatal(err)
	}
	opened, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(opened, plain.Body.Bytes()) && o.ID != "listChanges" ||
		packed.Header().Get("Etag") != plain.Header().Get("Etag") {
		w.Errorf("%s is another when it is smaller (%v, %s and %s):\n%s\n%s", o.ID, err, plain.Header().Get("Etag"),
			packed.Header().Get("Etag"), plain.Body, opened)
	}
	return packed.Body.Len() < len(opened)
}
