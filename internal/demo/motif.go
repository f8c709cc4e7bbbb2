package demo

import (
	_ "embed"
	"strings"
)

// The shop's pictures are drawn here: a motif for each line of products, in the colours of the model. {c} is the main
// colour, {d} a darker and {l} a lighter one, {a} the accent.

// motif is the drawing of a product line on a sheet of 800 by 800.
func motif(code string) string {
	for _, m := range strings.Split(strings.TrimSpace(motifs), "\n\n") {
		if name, drawing, _ := strings.Cut(m, "\n"); strings.TrimSpace(name) == code {
			return drawing
		}
	}
	return motif("GFT")
}

//go:embed motifs.txt
var motifs string
