package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// assetPath is where style, script and icon are served, under names that change with their content.
const assetPath = "/assets/"

// asset is a file that pages need.
type asset struct {
	name, media string
	body        []byte
}

func readAssets() (map[string]asset, error) {
	media := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
	out := map[string]asset{}
	err := fs.WalkDir(assetFiles, "assets", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := assetFiles.ReadFile(p)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		base, ext := strings.TrimPrefix(p, "assets/"), path.Ext(p)
		a := asset{strings.TrimSuffix(base, ext) + "-" + hex.EncodeToString(sum[:6]) + ext, media[ext], b}
		out[base], out[a.name] = a, a
		return nil
	})
	return out, err
}

func (s *Site) assetHref(name string) string { return assetPath + s.assets[name].name }

// icon is a drawing in the text's colour.
func (s *Site) icon(name string) template.HTML {
	return template.HTML(s.assets["icons/"+name+".svg"].body)
}

func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := s.assets[name]
	if !ok || a.name != name {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.media)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}
