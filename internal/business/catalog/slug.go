package catalog

import (
	"cmp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainLetters are letters that no decomposition leads back to ASCII.
var plainLetters = strings.NewReplacer("ß", "ss", "ẞ", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ",
	"th", "ł", "l", "ħ", "h", "ı", "i", "&", " and ")

// Slug is text as it stands in an address: lower-case ASCII letters and digits, joined by single
// hyphens. It is empty for text without a letter or digit that has an ASCII form.
func Slug(text string) string {
	text = plainLetters.Replace(strings.ToLower(text))
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(text) {
		r = unicode.ToLower(r)
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	return b.String()
}

// ValidSlug reports whether s may stand in an address as it is.
func ValidSlug(s string) bool { return s != "" && s == Slug(s) }

// maxSlug leaves room for a number behind the longest slug.
const maxSlug = 190

// slugOf is the slug of a record without one: made from its name, else from its code, else from its id.
func slugOf(name, code, id string) string {
	s := cmp.Or(Slug(name), Slug(code), id[len(id)-12:])
	return strings.TrimRight(s[:min(len(s), maxSlug)], "-")
}
