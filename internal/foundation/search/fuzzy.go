package search

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/vellum/levenshtein"
)

// automata build the automaton of a word that accepts what is one or two typing errors from it; swapped neighbours are
// one.
var automata = sync.OnceValue(func() [3]*levenshtein.LevenshteinAutomatonBuilder {
	var all [3]*levenshtein.LevenshteinAutomatonBuilder
	for errors := 1; errors < len(all); errors++ {
		b, err := levenshtein.NewLevenshteinAutomatonBuilder(uint8(errors), true)
		if err != nil {
			panic(err) // both sizes are known to fit
		}
		all[errors] = b
	}
	return all
})

// errorsAllowed is how many typing errors a word may have: one from 4 letters, two from 8. Codes have none: another
// digit is another product.
func errorsAllowed(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case isCode(word) || n < 4 || n > 32:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// guess is a word of the index that a mistyped word may stand for.
type guess struct {
	text   string
	errors int
	docs   int
}

// mostGuesses is how many words a mistyped word may stand for.
const mostGuesses = 12

// guessing bounds how many look for guesses at once: the automaton of a long word takes some 7 MB while it is built,
// and building is work of the processor alone.
var guessing = make(chan struct{}, runtime.GOMAXPROCS(0))

// guesses are the words nearest to a mistyped one: those with one error, or else those with two. The first letter is
// seldom wrong, and frequent words are more often meant. With open, words that begin with what was mistyped count too.
func (s *snapshot) guesses(word string, open bool) []guess {
	if errorsAllowed(word) == 0 {
		return nil
	}
	guessing <- struct{}{}
	defer func() { <-guessing }()
	for errors := 1; errors <= errorsAllowed(word); errors++ {
		dfa, err := automata()[errors].BuildDfa(word, uint8(errors))
		if err != nil {
			return nil // a word too long for an automaton
		}
		found := map[string]int{}
		for _, v := range s.views {
			v.walk(dfa, open, func(w uint32) {
				if n := v.living(w); n > 0 {
					found[v.words.text(w)] += n
				}
			})
		}
		if len(found) == 0 {
			continue
		}
		out := make([]guess, 0, len(found))
		for text, docs := range found {
			out = append(out, guess{text, errors, docs})
		}
		slices.SortFunc(out, func(a, b guess) int {
			return cmp.Or(cmp.Compare(sameStart(b.text, word), sameStart(a.text, word)), cmp.Compare(b.docs, a.docs),
				cmp.Compare(a.text, b.text))
		})
		return out[:min(len(out), mostGuesses)]
	}
	return nil
}

func sameStart(a, b string) int {
	if a[0] == b[0] {
		return 1
	}
	return 0
}

// living is how many living documents have a word.
func (v *view) living(word uint32) (n int) {
	v.eachPosting(word, func(doc uint32, _ byte) {
		if !v.dead.has(doc) {
			n++
		}
	})
	return n
}

// walk calls for every word that the automaton accepts. It goes through the sorted words and, where no word that begins
// as this one can be accepted, leaps over all that begin so. With open a word is accepted once a beginning of it is.
func (g *segment) walk(dfa *levenshtein.DFA, open bool, call func(word uint32)) {
	states := []int{dfa.Start()} // after each byte of the word before
	var before []byte
	for w := uint32(0); int(w) < g.words.len(); {
		text := g.words.at(w)
		same := 0
		for same < len(text) && same < len(before) && same < len(states)-1 && text[same] == before[same] {
			same++
		}
		states = states[:same+1]
		accepted, dead := false, -1
		for i := same; i < len(text); i++ {
			next := dfa.Accept(states[i], text[i])
			if !dfa.CanMatch(next) {
				dead = i
				break
			}
			states = append(states, next)
		}
		if open {
			accepted = slices.ContainsFunc(states, dfa.IsMatch)
		} else if dead < 0 {
			accepted = dfa.IsMatch(states[len(text)])
		}
		if accepted && !isCode(string(text)) {
			call(w)
		}
		before = text
		if dead < 0 || accepted {
			w++
			continue
		}
		w = g.leap(w, text[:dead+1])
	}
}

// leap is the first word after w that does not begin with a prefix of w.
func (g *segment) leap(w uint32, prefix []byte) uint32 {
	last := len(prefix) - 1
	if prefix[last] == 0xff {
		return w + 1
	}
	next := append(slices.Clone(prefix[:last]), prefix[last]+1)
	return g.words.seekFrom(w+1, string(next))
}
