package paper

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// lacking stands in the place of a character that the fonts cannot draw: a reader sees that something is missing.
const lacking = '□'

// letterforms is the regular font, asked what it can draw; the bold one draws the same.
var letterforms = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })

func isDrawn(r rune) bool {
	font, err := letterforms()
	if err != nil {
		return false
	}
	glyph, err := font.GlyphIndex(nil, r)
	return err == nil && glyph != 0
}

// drawable is text in characters that the fonts have: Latin, Greek and Cyrillic as they are, letters with rarer accents
// without them, and anything else as a box. Left alone it would be drawn as nothing.
func drawable(text string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case r < unicode.MaxASCII || isDrawn(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Pd, r):
			b.WriteByte('-')
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf): // shown by nothing of its own
		default:
			b.WriteString(plainer(r))
		}
	}
	return b.String()
}

// plainer is what a character is made of, as far as the fonts have it.
func plainer(r rune) string {
	var b strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		if isDrawn(part) && !unicode.Is(unicode.Mn, part) {
			b.WriteRune(part)
		}
	}
	if b.Len() == 0 {
		return string(lacking)
	}
	return b.String()
}
