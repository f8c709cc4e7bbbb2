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

	"kontor/internal/front/gz"
)

//go:embed assets
var assetFiles embed.FS

// assetPath is where style, script and icon are served, under names that change with their content.
const assetPath = "/assets/"

// asset is a file that pages need.
type asset struct {
	name  string
	body  []byte
	still *gz.Still
}

func readAssets() (map[string]asset, error) {
	media := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".svg": "image/svg+xml"}
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
		a := asset{strings.TrimSuffix(base, ext) + "-" + hex.EncodeToString(sum[:6]) + ext, b,
			gz.NewStill(media[ext], gz.Lasting, b)}
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
	a.still.ServeHTTP(w, r)
}
