package gz

import (
	"bytes"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"
)

func opened(t interface{ Fatal(...any) }, b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhoTakesGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "gzip, deflate, br": true, "br": false, "GZIP;q=0.5": true, "gzip;q=0": false,
		"gzip; q=0.000, *": false, "*": true, "*;q=0": false, "identity": false, "deflate, *;q=0.1": true,
		"gzip;q=x": false, "x-gzip": true, "gzipped": false,
	} {
		if got := Taken([]string{header}); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if !Taken([]string{"br", "gzip"}) || Taken(nil) {
		t.Error("several lines of the header are one list, and none asks for nothing")
	}
}

func TestOnlyWhatGetsSmaller(t *testing.T) {
	for media, want := range map[string]bool{"application/json": true, "text/html; charset=utf-8": true,
		"image/svg+xml": true, "image/png": false, "application/pdf": false, "text/event-stream": false,
		"font/woff2": false} {
		if Worth(media, least) != want || Worth(media, least-1) {
			t.Errorf("%s", media)
		}
	}
}

func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "before")
		body := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body"),
			rapid.IntRange(1, 100).Draw(t, "times"))
		out := Append(bytes.Clone(before), body)
		if !bytes.HasPrefix(out, before) || !bytes.Equal(opened(t, out[len(before):]), body) {
			t.Fatal("another body came out")
		}
	})
}

func TestAStillAnswer(t *testing.T) {
	text := strings.Repeat("{} ", 1000)
	s := NewStill("application/json", Asked, []byte(text))
	ask := func(method string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "/", nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Header().Get("Cache-Control") != Asked || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%v", w.Header())
		}
		return w
	}
	plain, small := ask("GET"), ask("GET", "Accept-Encoding", "gzip")
	if plain.Body.String() != text || plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("%v", plain.Header())
	}
	if small.Header().Get("Content-Encoding") != "gzip" || string(opened(t, small.Body.Bytes())) != text ||
		small.Body.Len() >= len(text)/4 {
		t.Errorf("%d bytes, %v", small.Body.Len(), small.Header())
	}
	tag := plain.Header().Get("Etag")
	if tag == "" || tag != small.Header().Get("Etag") {
		t.Errorf("tags %q and %q", tag, small.Header().Get("Etag"))
	}
	if w := ask("GET", "If-None-Match", tag, "Accept-Encoding", "gzip"); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask("HEAD"); w.Body.Len() > 0 || w.Header().Get("Content-Length") != "3000" {
		t.Errorf("HEAD: %v", w.Header())
	}
}
