package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// scene is a picture of a page: mountains, and a thing of the shop in front of them.
type scene struct {
	name, alt string
	sky, glow string // from above to the horizon
	ridges    []string
	sun       string
	code      string // of the motif in front
	things    paint
	seed      uint64
}

func sceneList() []scene {
	dusk, fog, snow := []string{"#3c6f67", "#1f4a43", "#12302c"}, []string{"#7fa3a8", "#4e7a80", "#2c5157"},
		[]string{"#dfe8ec", "#bccbd3", "#8fa5b1"}
	p := paints()
	return []scene{
		{"camp", "A tent below the mountains at dusk", "#12302c", "#c98a5a", dusk, "#ffe4bd", "TNT", p[0], 4},
		{"ridge", "A ridge in the morning", "#5b8fa3", "#f3dcc0", fog, "#fff4d8", "PLS", p[1], 11},
		{"fjord", "A beach below steep mountains", "#2d6ca8", "#cfe3ee", fog, "#fff7df", "DRY", p[3], 23},
		{"winter", "White hills in March", "#8fb4cc", "#f5f1ea", snow, "#fffdf2", "SNW", p[4], 31},
		{"forest", "Spruces at dusk", "#1f3a3a", "#d9976a", []string{"#44685a", "#2b4a3f", "#183029"}, "#ffd9a8", "TPK",
			p[2], 43},
		{"summit", "Rock and sky", "#33658a", "#e7d8c4", []string{"#8a8378", "#655f57", "#403c37"}, "#fff3da", "ROP",
			p[5], 59},
		{"lavvo", "A lavvo below the northern lights", "#0c1f2e", "#2f6f6a", []string{"#27484e", "#18333a", "#0f2329"},
			"#d9f7e4", "LVO", p[0], 67},
		{"workshop", "Things that wait to be mended", "#f0e6d4", "#e6d3b4", []string{"#d2b98f", "#b8976a", "#8a6a45"},
			"#fff8ea", "BTS", p[3], 71},
	}
}

// paint draws the scene, 1280 by 720.
func (s scene) paint() []byte {
	r := rand.New(rand.NewPCG(s.seed, 20))
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="%s"/>`+
			`<stop offset="1" stop-color="%s"/></linearGradient></defs><rect width="1280" height="720" fill="url(#s)"/><circle cx="%d" cy="150" r="54" fill="%s"/>`,
		s.sky, s.glow, between(r, 180, 420), s.sun)
	for n, colour := range s.ridges {
		base, height := 420+90*n, 250-80*n
		fmt.Fprintf(&b, `<path d="M0 720V%d`, base)
		for x := 0; x < 1280; x += 160 {
			fmt.Fprintf(&b, `L%d %dL%d %d`, x+between(r, 40, 100), base-between(r, height/3, height), x+160,
				base-between(r, 0, height/4))
		}
		fmt.Fprintf(&b, `V720z" fill="%s"/>`, colour)
	}
	drawing := strings.NewReplacer("{c}", s.things.main, "{d}", s.things.dark, "{l}", s.things.light, "{a}",
		s.things.accent).Replace(motif(s.code))
	fmt.Fprintf(&b,
		`<ellipse cx="980" cy="668" rx="150" ry="14" fill="#000" opacity=".25"/><g transform="translate(780 360) scale(.5)">%s</g></svg>`,
		drawing)
	return []byte(b.String())
}
