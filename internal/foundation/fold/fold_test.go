package fold_test

import (
	"testing"

	"kontor/internal/foundation/fold"
)

// Keys are the same however they are written: in capitals or not, with a letter and its accent as one sign or as two.
func TestKeysAreComparedWithoutTheirCase(t *testing.T) {
	for text, want := range map[string]string{"": "", "a-100": "a-100", "A-100": "a-100", "Z": "z", "aZ": "az",
		"@[`{": "@[`{", "\x7f": "\x7f", "\u0080": "\u0080", "ÅÄÖ": "åäö", "A\u030a": "å", "STRASSE": "strasse",
		"straße": "strasse", "Éa": "éa", "AÉ": "aé"} {
		if got := fold.Key(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
