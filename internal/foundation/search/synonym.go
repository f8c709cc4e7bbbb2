package search

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/foundation/each"
)

// Synonym says that words stand for each other: a search for one of Words finds the others too. With Means, a search
// for one of Words finds what Means say, and not the other way round. Each may be several words long.
type Synonym struct{ Words, Means []string }

// Phrase is a text that others searched for; Weight is how often.
type Phrase struct {
	Text   string
	Weight int
}

// lexicon is what the index was told about words. It is replaced as a whole.
type lexicon struct {
	synonyms map[string][]synonym // by the key of the first word
	phrases  []phrase
}

type synonym struct {
	text string   // as it was given
	keys []string // of its words
	to   [][]token
}

type phrase struct{ text, spoken string }

// SetSynonyms replaces the synonyms.
func (x *Index) SetSynonyms(list []Synonym) {
	synonyms := map[string][]synonym{}
	a := x.lang.analyser()
	read := func(text string) []token { return a.tokens(nil, cut(text, longestQuery)) }
	add := func(from string, to []string) {
		words := read(from)
		if len(words) == 0 {
			return
		}
		s := synonym{text: from, keys: keysOf(words)}
		for _, t := range to {
			if other := read(t); len(other) > 0 && !slices.Equal(keysOf(other), s.keys) {
				s.to = append(s.to, other)
			}
		}
		if len(s.to) > 0 {
			synonyms[s.keys[0]] = append(synonyms[s.keys[0]], s)
		}
	}
	for _, s := range list {
		to := s.Means
		if len(to) == 0 {
			to = s.Words
		}
		for _, w := range s.Words {
			add(w, to)
		}
	}
	x.tell(func(l *lexicon) { l.synonyms = synonyms })
}

// mostPhrases is how many searches are remembered for suggestions.
const mostPhrases = 20_000

// SetPhrases replaces the searches that Suggest proposes.
func (x *Index) SetPhrases(list []Phrase) {
	list = slices.Clone(list)
	slices.SortStableFunc(list,
		func(a, b Phrase) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Text, b.Text)) })
	list = list[:min(len(list), mostPhrases)]
	phrases := each.Of(list, func(p Phrase) phrase { return phrase{p.Text, spoken(wordsOf(fold(p.Text)))} })
	x.tell(func(l *lexicon) { l.phrases = phrases })
}

// tell replaces the lexicon by a changed copy.
func (x *Index) tell(change func(*lexicon)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := *x.lexis.Load()
	change(&l)
	x.lexis.Store(&l)
}

// key is what words are compared by in synonyms: the stem, so that a plural has the synonyms of its singular.
func (t token) key() string {
	return cmp.Or(t.stem, t.text)
}

func keysOf(tokens []token) []string {
	return each.Of(tokens, token.key)
}

// synonymsAt are the synonyms that the concepts from i on have.
func (l *lexicon) synonymsAt(q query, i int) (out []synonym) {
	for _, s := range l.synonyms[q.concepts[i].key()] {
		n := len(s.keys)
		if i+n <= len(q.concepts) && slices.Equal(keysOf(q.concepts[i:i+n]), s.keys) &&
			!slices.Contains(q.apart[i+1:i+n], true) {
			out = append(out, s)
		}
	}
	return out
}
