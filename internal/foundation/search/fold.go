package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings text to the letters that are compared: small, without marks (å = a, é = e), special letters written out
// (æ = ae, ß = ss), so that a keyboard without them finds the same.
func fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		r = unicode.ToLower(r)
		if plain := spelled(r); plain != "" {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spelled is how a letter that does not decompose is written in plain letters.
func spelled(r rune) string {
	switch r {
	case 'ø':
		return "o"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ß':
		return "ss"
	case 'ł':
		return "l"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	case 'ı':
		return "i"
	}
	return ""
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
