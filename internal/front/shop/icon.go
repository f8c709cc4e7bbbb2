package shop

import (
	_ "embed"
	"html/template"
	"strings"
)

// iconTable are drawings by their names: paths of SVG on a ground of 20 by 20.
//
//go:embed templates/icons.txt
var iconTable string

var icons = func() map[string]template.HTML {
	out := map[string]template.HTML{}
	for line := range strings.Lines(iconTable) {
		name, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		out[name] = template.HTML(`<svg class="icon" viewBox="0 0 20 20" width="28" height="28" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="` + path + `"/></svg>`)
	}
	return out
}()

// icon is the drawing that a card names. A storefront knows icons of its own: of another's there is none.
func icon(name string) template.HTML { return icons[name] }
