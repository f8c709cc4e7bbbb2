package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"

	"kontor/internal/foundation/lazy"
	"kontor/internal/front/gz"
)

// inlineScript finds the scripts that stand in the page itself.
var inlineScript = lazy.Regexp(`(?s)<script(?:\s+type="[^"]*")?>(.*?)</script>`)

// Docs is the reference page of an API below path (for example /docs/), reading its description from
// document. Its assets are in the binary; the page may load nothing from elsewhere and run no script but
// its own, each named by its hash.
func Docs(title, document, path string) http.Handler {
	page := v5emb.NewWithConfig(swgui.Config{SettingsUI: map[string]string{
		"deepLinking": "true", "docExpansion": `"none"`, "tryItOutEnabled": "true"}})(title, document, path)
	drawn := &drawing{header: http.Header{}}
	page.ServeHTTP(drawn, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
	scripts := []string{"'self'"}
	for _, m := range inlineScript().FindAllStringSubmatch(drawn.String(), -1) {
		sum := sha256.Sum256([]byte(m[1]))
		scripts = append(scripts, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	policy := "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'unsafe-inline'; script-src " +
		strings.Join(scripts, " ") + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", gz.Asked)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		page.ServeHTTP(w, r)
	})
}

// drawing is a page drawn once, to learn its scripts.
type drawing struct {
	bytes.Buffer
	header http.Header
}

func (d *drawing) Header() http.Header { return d.header }
func (d *drawing) WriteHeader(int)     {}
