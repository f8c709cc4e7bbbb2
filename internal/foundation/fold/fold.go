// Package fold brings texts into the form in which they are compared.
package fold

import (
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folders are case folders; one is not safe for use by several goroutines at once.
var folders = sync.Pool{New: func() any { c := cases.Fold(); return &c }}

// Key is a text case folded, in Unicode normal form C. In SQL it is fold(text), on both engines: lower(text) knows
// ASCII alone.
func Key(s string) string {
	if plain := ascii(s); plain != "" || s == "" {
		return plain
	}
	c := folders.Get().(*cases.Caser)
	defer folders.Put(c)
	return c.String(norm.NFC.String(s))
}

// ascii folds texts of ASCII alone, which nearly all keys are; "" for others.
func ascii(s string) string {
	upper := false
	for i := range len(s) {
		if s[i] >= 0x80 {
			return ""
		}
		upper = upper || s[i] >= 'A' && s[i] <= 'Z'
	}
	if !upper {
		return s
	}
	return strings.ToLower(s)
}
