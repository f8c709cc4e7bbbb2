package search

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	// reranked is how many of the best documents are read word by word, for what stands side by side.
	reranked = 200
	// besides is what two neighbouring words of the query add when they are neighbours in a document, as a part of the
	// lighter one's weight; near is the same within nearBy places.
	besides = 0.35
	near    = 0.12
	nearBy  = 4
	// onTopic is what a name adds in which all words are of the query, as a part of the query's weight.
	onTopic = 0.15
	// grades is how finely scores differ: within one grade what is in stock and what is popular goes first.
	grades = 100
)

// ranked is the first documents by relevance.
func (q *searching) ranked(all []found, most int) []found {
	list := first(all, max(most, reranked), func(a, b found) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return q.tie(a, b)
	})
	if len(q.concepts) == 0 {
		return list
	}
	q.readWords(list[:min(len(list), reranked)], func(v *view, f *found) { f.score += q.bonus(v, f.doc) })
	best := float32(0)
	for _, f := range list {
		best = max(best, f.score)
	}
	grade := func(f found) int { return int(f.score / best * grades) }
	slices.SortFunc(list, func(a, b found) int {
		if c := cmp.Compare(grade(b), grade(a)); c != 0 {
			return c
		}
		return q.tie(a, b)
	})
	return list
}

// readWords calls for each document while masks tell, for every word of its view, the concepts that the word stands for.
func (q *searching) readWords(list []found, call func(v *view, f *found)) {
	for i := range q.views {
		isMasked := false
		for j := range list {
			if list[j].view != int32(i) {
				continue
			}
			if !isMasked {
				q.mask(&q.views[i])
				isMasked = true
			}
			call(&q.views[i], &list[j])
		}
		for _, w := range q.masked {
			q.masks[w] = 0
		}
		q.masked = q.masked[:0]
	}
}

func (q *searching) mask(v *view) {
	q.masks = sized(q.masks, uint32(v.words.len()))
	for _, f := range q.forms {
		bits := uint32(1)<<f.to - uint32(1)<<f.from // concepts are 32 at most
		for _, w := range f.words {
			w.resolve(v.segment, func(word uint32, _ float32) bool {
				if q.masks[word] == 0 {
					q.masked = append(q.masked, word)
				}
				q.masks[word] |= bits
				return true
			})
		}
	}
}

// bonus is what the order of the words in a document adds to its score: neighbours that are neighbours, and a name
// that is about nothing else.
func (q *searching) bonus(v *view, doc uint32) float32 {
	var places [mostConcepts]int        // of concepts
	var closeness [mostConcepts]float32 // of concepts to the one before
	for i := range places {
		places[i] = -passageGap
	}
	names, hits, last := 0, 0, uint32(0)
	v.eachWord(doc, func(field Field, place, word uint32) {
		mask := q.masks[word]
		if field == Name && place != last {
			names++
		}
		if mask == 0 {
			last = place
			return
		}
		if field == Name {
			hits++
		}
		last = place
		share := fieldWeights[field].weight / fieldWeights[Name].weight
		for m := mask; m != 0; m &= m - 1 {
			c := bits.TrailingZeros32(m)
			places[c] = int(place)
			if c > 0 {
				closeness[c] = max(closeness[c], share*closenessOf(int(place)-places[c-1], mask>>(c-1)&1 == 1))
			}
			if c+1 < len(q.concepts) {
				closeness[c+1] = max(closeness[c+1], share*closenessOf(places[c+1]-int(place), false))
			}
		}
	})
	bonus, total := float32(0), q.weights[0]
	for c := 1; c < len(q.concepts); c++ {
		bonus += closeness[c] * min(q.weights[c-1], q.weights[c])
		total += q.weights[c]
	}
	if names > 0 {
		bonus += onTopic * total * float32(min(hits, names)) / float32(names)
	}
	return bonus
}

// closenessOf is what a word so many places behind the word before it in the query is worth.
func closenessOf(behind int, isOne bool) float32 {
	switch {
	case isOne, behind == 1:
		return besides
	case behind >= -nearBy && behind <= nearBy:
		return near
	}
	return 0
}

// withPhrases leaves the documents in which every phrase stands word for word.
func (q *searching) withPhrases(all []found) (out []found) {
	q.readWords(all, func(v *view, f *found) {
		for _, p := range q.phrases {
			if !q.hasPhrase(v, f.doc, p[0], p[1]) {
				return
			}
		}
		out = append(out, *f)
	})
	return out
}

func (q *searching) hasPhrase(v *view, doc uint32, from, to int) (found bool) {
	var ends [mostConcepts + 1]uint32 // the place after which the phrase stands up to a concept; 0 = nowhere
	v.eachWord(doc, func(_ Field, place, word uint32) {
		mask := q.masks[word]
		if mask == 0 {
			return
		}
		for c := to - 1; c >= from; c-- { // backwards: a word is not its own neighbour
			if mask>>c&1 == 0 {
				continue
			}
			if c == from || ends[c-1] == place-1 {
				ends[c] = place
				found = found || c == to-1
			}
		}
		isOne := uint32(1)<<to - uint32(1)<<from
		found = found || mask&isOne == isOne
	})
	return found
}
