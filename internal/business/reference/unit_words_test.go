package reference

import "testing"

// Every unit that has a word has one in each language that papers and mails speak.
func TestUnitsHaveWords(t *testing.T) {
	for code, words := range unitWords {
		for _, lang := range []string{"en", "sv", "nb", "da", "fi", "de"} {
			if words[lang] == "" {
				t.Errorf("%s has no word in %s", code, lang)
			}
		}
	}
}
