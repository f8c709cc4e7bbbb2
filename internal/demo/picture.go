package demo

import (
	_ "embed"
	"fmt"
	"strings"

	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// paint is the set of colours of a picture.
type paint struct{ main, dark, light, accent, ground, floor string }

// paints are those of goods that have no colour of their own: each model has its own.
func paints() []paint {
	return []paint{
		{"#d9772b", "#8f4513", "#f6c38d", "#22564b", "#f2ece0", "#d9cfba"},
		{"#2f6f8f", "#173d52", "#a9d3e4", "#e3a33a", "#e7eff1", "#c5d5da"},
		{"#4b7a3f", "#28471f", "#bcd6a8", "#d96b3a", "#ebf0e4", "#cbd6be"},
		{"#b3412f", "#651f14", "#eeb0a2", "#2c5f6a", "#f4eae6", "#dccac3"},
		{"#4f5d75", "#2b3446", "#b9c4d8", "#e08a3c", "#eaecf0", "#cdd2db"},
		{"#c59a2c", "#77590d", "#f2dc98", "#33658a", "#f4efdf", "#ddd3b4"},
	}
}

// paintOf is the paint of a colour that a customer chooses.
func paintOf(colour string) paint {
	p := map[string]paint{
		"Red":    {main: "#c23b2e", dark: "#7c1d15", light: "#eda49a", accent: "#1f2d2a"},
		"Blue":   {main: "#2d6ca8", dark: "#163f68", light: "#a3c9ea", accent: "#e6a640"},
		"Black":  {main: "#2c3134", dark: "#121517", light: "#767f84", accent: "#d9772b"},
		"Orange": {main: "#dd7a26", dark: "#94480c", light: "#f8c997", accent: "#1f3f3a"},
		"Yellow": {main: "#e3b62f", dark: "#94720b", light: "#f8e7a6", accent: "#2f4f73"},
		"Green":  {main: "#3f7350", dark: "#20432c", light: "#aad0b6", accent: "#e08a3c"},
		"Grey":   {main: "#7d868b", dark: "#495257", light: "#c7cdd0", accent: "#b3412f"},
		"White":  {main: "#e9e6de", dark: "#b3ae9f", light: "#ffffff", accent: "#2d6ca8"},
		"Brown":  {main: "#7a4f2c", dark: "#432913", light: "#c69c76", accent: "#d9a441"},
	}[colour]
	p.ground, p.floor = "#edeae2", "#d4cfc2"
	return p
}

// draw is the picture of a product line in a paint.
func draw(code string, p paint) []byte {
	drawing := strings.NewReplacer("{c}", p.main, "{d}", p.dark, "{l}", p.light, "{a}", p.accent).Replace(motif(code))
	return fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800"><defs><radialGradient id="g" cx=".5" cy=".42" r=".75">`+
			`<stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="%s"/></radialGradient></defs><rect width="800" height="800" fill="url(#g)"/>`+
			`<ellipse cx="400" cy="662" rx="290" ry="40" fill="%s"/>%s</svg>`, p.ground, p.floor, drawing)
}

// sheet is a picture with the items that it shows.
type sheet struct {
	name, alt string
	code      string
	paint     paint
	items     []string
}

// sheets are the pictures of the whole assortment: one of each model, one of each colour of what is sold in colours.
func sheets() []sheet {
	var all []sheet
	for n, l := range wares().Lines {
		for m, model := range l.Models {
			s := sheet{name: fmt.Sprintf("%s-%d", strings.ToLower(l.Code), m+1),
				alt: strings.TrimSpace(model + " " + l.Noun), code: l.Code, paint: paints()[(n+m)%len(paints())]}
			for g, grade := range l.Grades {
				number := fmt.Sprintf("%s-%d%02d", l.Code, m+1, g+1)
				if l.Code == "CRD" { // its grades are colours
					colour := paintOf(strings.ToUpper(grade.Label[:1]) + grade.Label[1:])
					all = append(all, sheet{s.name + "-" + grade.Label, s.alt + ", " + grade.Label, s.code, colour,
						[]string{number}})
					continue
				}
				s.items = append(s.items, number)
			}
			if len(s.items) > 0 {
				all = append(all, s)
			}
		}
	}
	for _, f := range wares().Families {
		for n, colour := range f.Colours {
			s := sheet{name: strings.ToLower(f.Code + "-" + colour), alt: f.Name + ", " + strings.ToLower(colour),
				code: f.Code, paint: paintOf(colour)}
			if n == 0 {
				s.items = append(s.items, f.Code)
			}
			for _, size := range f.Sizes {
				s.items = append(s.items, f.variant(colour, size))
			}
			all = append(all, s)
			if n > 0 { // the product itself shows all its colours, the first one first
				all[len(all)-1].items = append(all[len(all)-1].items, f.Code)
			}
		}
	}
	return all
}

// pictures draws the assortment and hangs it on the items.
func (f *filler) pictures(files *media.Library) {
	all := sheets()
	drawn := make([]media.File, len(all))
	for i, s := range all {
		file := halt.Must(files.Take(f.ctx, f.company, s.name+".svg", draw(s.code, s.paint), false))
		drawn[i] = file
	}
	f.found(func(tx *db.Tx) {
		for i, s := range all {
			for _, number := range s.items {
				halt.Must(media.CreateItemAsset(tx, number, media.ItemAsset{Kind: media.Image, File: drawn[i],
					Title: s.alt, AltText: s.alt, SortOrder: i}))
			}
		}
	})
}

// The shop's pictures are drawn here: a motif for each line of products, in the colours of the model. {c} is the main
// colour, {d} a darker and {l} a lighter one, {a} the accent.

// motif is the drawing of a product line on a sheet of 800 by 800.
func motif(code string) string {
	for m := range strings.SplitSeq(strings.TrimSpace(motifs), "\n\n") {
		if name, drawing, _ := strings.Cut(m, "\n"); strings.TrimSpace(name) == code {
			return drawing
		}
	}
	return motif("GFT")
}

//go:embed motifs.txt
var motifs string
