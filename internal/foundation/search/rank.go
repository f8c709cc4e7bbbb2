package search

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	// reranked is how many of the best documents are read word by word, for what stands side by side. All others come
	// after them.
	reranked = 100
	// besides is what two neighbouring words of the query add when they are neighbours in a document, as a part of the
	// lighter one's weight; near is the same within nearBy places.
	besides = 0.15
	near    = 0.08
	nearBy  = 4
	// onTopic is what a name adds in which all words are of the query, as a part of the query's weight.
	onTopic = 0.15
	// grades is how finely scores differ: within one grade what is in stock and what is popular goes first.
	grades = 100
)

// ranked is the first documents by relevance.
func (q *searching) ranked(docs set, most int) []found {
	l := leading[found]{most: max(most, reranked), compare: func(a, b found) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return q.tie(a, b)
	}}
	for i, w := range docs {
		for ; w != 0; w &= w - 1 {
			f := found{uint32(i*64 + bits.TrailingZeros64(w)), q.scoreIn(i, w&-w)}
			if !l.isFull() || f.score > l.list[0].score || f.score == l.list[0].score && q.tie(f, l.list[0]) < 0 {
				l.offer(f)
			}
		}
	}
	if len(q.concepts) == 0 {
		return l.sorted()
	}
	head, tail := l.list, []found(nil)
	if len(head) > reranked {
		head, tail = l.sorted()[:reranked], l.list[reranked:]
	} else {
		slices.Reverse(head) // the worst was on top
	}
	q.rerank(head, most)
	best := float32(0)
	for _, f := range head {
		best = max(best, f.score)
	}
	grade := func(f found) int { return int(f.score / best * grades) }
	head = first(head, most, func(a, b found) int {
		if c := cmp.Compare(grade(b), grade(a)); c != 0 {
			return c
		}
		return q.tie(a, b)
	})
	return append(head, tail...)
}

// rerank adds to the scores what the order of words is worth. Documents that cannot come among the first so many even
// with the most that it may be worth are not read.
func (q *searching) rerank(list []found, most int) {
	highest := float32(0)
	for _, f := range list {
		highest = max(highest, f.score)
	}
	highest += q.mostBonus(^uint32(0))
	final := leading[float32]{most: most, compare: func(a, b float32) int { return cmp.Compare(b, a) }}
	q.readWords(list, func(v *view, doc uint32, f *found) {
		// more than a grade behind
		if final.isFull() && final.list[0]-f.score-q.mostBonus(q.pairs(f.doc)) > highest*1.01/grades {
			return
		}
		f.score += q.bonus(v, doc)
		final.offer(f.score)
	})
}

// mostBonus is what the order of words may add at most to the score of a document that holds these pairs.
func (q *searching) mostBonus(pairs uint32) float32 {
	bonus, total := float32(0), q.weights[0]
	for c := 1; c < len(q.concepts); c++ {
		if pairs>>c&1 != 0 {
			bonus += besides * min(q.weights[c-1], q.weights[c])
		}
		total += q.weights[c]
	}
	return bonus + onTopic*total
}

// readWords calls for each document while masks tell, for every word of its view, the concepts that the word stands
// for.
func (q *searching) readWords(list []found, call func(v *view, doc uint32, f *found)) {
	for i := range q.views {
		isMasked := false
		for j := range list {
			v, doc := q.place(list[j].doc)
			if v != &q.views[i] {
				continue
			}
			if !isMasked {
				q.mask(v)
				isMasked = true
			}
			call(v, doc, &list[j])
		}
		for _, w := range q.masked {
			q.masks[w] = 0
		}
		q.masked = q.masked[:0]
	}
}

func (q *searching) mask(v *view) {
	if len(q.masks) < v.words.len() {
		q.masks = make([]uint32, v.words.len())
	}
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
	for i := range q.concepts {
		places[i] = -passageGap
	}
	pairs := q.pairs(v.base + doc)
	names, hits, last := 0, 0, uint32(0)
	share := float32(1)
	for w, at := v.reader(doc), Name; w.next(); last = w.place {
		if w.field != at { // fields come from the heaviest to the lightest
			if at, share = w.field, fieldWeights[w.field].weight/fieldWeights[Name].weight; !mayCloseIn(pairs,
				&closeness, share) {
				break
			}
		}
		mask := q.masks[w.word]
		if w.field == Name && w.place != last {
			names++
		}
		if mask == 0 {
			continue
		}
		if w.field == Name {
			hits++
		}
		for m := mask; m != 0; m &= m - 1 {
			c := bits.TrailingZeros32(m)
			places[c] = int(w.place)
			if pairs>>c&1 != 0 {
				closeness[c] = max(closeness[c], share*closenessOf(int(w.place)-places[c-1], mask>>(c-1)&1 == 1))
			}
			if pairs>>(c+1)&1 != 0 {
				closeness[c+1] = max(closeness[c+1], share*closenessOf(places[c+1]-int(w.place), false))
			}
		}
	}
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

// pairs are the concepts, as bits, that a document holds together with the one before.
func (q *searching) pairs(doc uint32) (pairs uint32) {
	for c := 1; c < len(q.concepts); c++ {
		if q.held[c-1].has.has(doc) && q.held[c].has.has(doc) {
			pairs |= 1 << c
		}
	}
	return pairs
}

// mayCloseIn reports whether any of the pairs may stand closer to each other in a field of such a share than they are
// known to.
func mayCloseIn(pairs uint32, closeness *[mostConcepts]float32, share float32) bool {
	for ; pairs != 0; pairs &= pairs - 1 {
		if closeness[bits.TrailingZeros32(pairs)] < share*besides {
			return true
		}
	}
	return false
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
func (q *searching) withPhrases(docs set) set {
	for _, p := range q.phrases {
		for c := p[0]; c < p[1]; c++ {
			docs.meet(q.held[c].has)
		}
	}
	list := make([]found, 0, docs.len())
	docs.each(func(doc uint32) { list = append(list, found{doc: doc}) })
	q.readWords(list, func(v *view, doc uint32, f *found) {
		for _, p := range q.phrases {
			if !q.hasPhrase(v, doc, p[0], p[1]) {
				docs.remove(f.doc)
				return
			}
		}
	})
	return docs
}

func (q *searching) hasPhrase(v *view, doc uint32, from, to int) (found bool) {
	var ends [mostConcepts + 1]uint32 // the place after which the phrase stands up to a concept; 0 = nowhere
	for w := v.reader(doc); w.next(); {
		mask := q.masks[w.word]
		if mask == 0 {
			continue
		}
		for c := to - 1; c >= from; c-- { // backwards: a word is not its own neighbour
			if mask>>c&1 == 0 {
				continue
			}
			if c == from || ends[c-1] == w.place-1 {
				ends[c] = w.place
				found = found || c == to-1
			}
		}
		isOne := uint32(1)<<to - uint32(1)<<from
		found = found || mask&isOne == isOne
	}
	return found
}
