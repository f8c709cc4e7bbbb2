package search

// Stemmer finds the words of texts as the index compares them in a language: folded, each by its stem. It serves one
// goroutine.
type Stemmer struct{ a *analyser }

// NewStemmer is one for a language of IETF, such as "sv-SE".
func NewStemmer(language string) Stemmer { return Stemmer{languageOf(language).analyser()} }

// Stems are the words of a text, in their order.
func (s Stemmer) Stems(text string) []string {
	var out []string
	for _, t := range s.a.tokens(nil, text) {
		if t.stem != "" {
			out = append(out, t.stem)
		} else {
			out = append(out, t.text)
		}
	}
	return out
}
