package gz

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Still is an answer that is the same for everybody until the program is another: a style sheet, the description of an
// API.
type Still struct {
	// Media is its type, Cache how it may be kept.
	Media, Cache string
	Body         []byte

	kept Kept
	tag  string
}

// Lasting is the word to caches for an address that names its content.
const Lasting = "public, max-age=31536000, immutable"

// Asked is the word to caches for an address whose content may be another tomorrow: kept by anybody, and asked about
// each time.
const Asked = "public, no-cache"

// NewStill is an answer with its validator, which is weak because it is one for both forms.
func NewStill(media, cache string, body []byte) *Still {
	sum := sha256.Sum256(body)
	return &Still{Media: media, Cache: cache, Body: body, tag: `W/"` + hex.EncodeToString(sum[:12]) + `"`}
}

// Later makes a handler when it is first asked for: one that costs something and is seldom wanted.
func Later(make func() http.Handler) http.Handler {
	made := sync.OnceValue(make)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

// ServeHTTP answers with it, or that the caller has it.
func (s *Still) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", s.Cache)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Etag", s.tag)
	h.Set("X-Content-Type-Options", "nosniff")
	if held := strings.Join(r.Header.Values("If-None-Match"), ","); strings.Contains(held,
		strings.TrimPrefix(s.tag, "W/")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := s.Body
	if Worth(s.Media, len(body)) && Taken(r.Header.Values("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = s.kept.Of(body)
	}
	h.Set("Content-Type", s.Media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // who went away is told nothing
	}
}
