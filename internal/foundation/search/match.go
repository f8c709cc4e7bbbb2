package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// While a search runs, the documents of all views are numbered through: a view's begin at its base. What is found is a
// set of these numbers.

// scratch is the memory of one search, kept for the next.
type scratch struct {
	quality []float32 // of a document for the concept at hand; zeros between the concepts
	touched set       // the documents with a quality
	noted   []noted   // for the concept at hand
	words   pile[uint64]
	ranks   pile[uint32]
	values  pile[float32]
	covers  []float32
	masks   []uint32 // of words, for rank
	masked  []uint32
	tally   pile[int32]
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// pile is memory of which pieces are taken; all are given back at once.
type pile[T any] struct {
	memory []T
	used   int
}

// take is so many zeros.
func (p *pile[T]) take(n int) []T {
	if p.used+n > len(p.memory) {
		p.memory, p.used = make([]T, max(n, 2*len(p.memory))), 0 // the pieces before keep the old memory
	}
	out := p.memory[p.used : p.used+n : p.used+n]
	p.used += n
	clear(out)
	return out
}

// begin makes the memory ready for a search through so many documents.
func (sc *scratch) begin(span uint32) {
	sc.words.used, sc.ranks.used, sc.values.used, sc.tally.used = 0, 0, 0, 0
	if len(sc.quality) < int(span) {
		sc.quality, sc.touched = make([]float32, span), setOf(span)
	}
}

func (sc *scratch) set(n uint32) set { return sc.words.take(int(wordsFor(n))) }

func (sc *scratch) copyOf(s set) set {
	out := sc.words.take(len(s))
	copy(out, s)
	return out
}

// enough is how much of what the best document holds of a query others must hold to be found with it. A document that
// lacks one of two equal words is left out where another has both; one that lacks a frequent word of many is not.
const enough = 0.55

// findAll finds the living documents that hold any concept. Documents of the whole index decide how rare a concept is.
func (q *searching) findAll() set {
	e, all := q.expansion, q.set(q.span)
	several := q.manyWords()
	e.weights = make([]float32, len(e.concepts))
	q.held = make([]column[float32], len(e.concepts))
	for c := range e.concepts {
		if q.isLate() {
			return q.set(q.span)
		}
		direct := q.hold(c, several)
		q.held[c] = q.collect()
		all.join(q.held[c].has)
		direct = cmp.Or(direct, len(q.held[c].values))
		e.weights[c] = rarity(direct, q.alive)
	}
	return all
}

// rarity is the weight of a concept that so many of all documents hold (the inverse document frequency of BM25).
func rarity(docs, all int) float32 {
	return float32(math.Log(1 + (float64(all-docs)+0.5)/(float64(docs)+0.5)))
}

// hold notes how well documents hold a concept, and tells how many hold a direct form of it.
func (q *searching) hold(concept int, several []column[float32]) (direct int) {
	q.noted = q.noted[:0]
	for _, isDirect := range []bool{true, false} {
		for i, f := range q.forms {
			switch {
			case f.direct != isDirect || concept < f.from || concept >= f.to:
			case len(f.words) == 1:
				q.holdWord(f.words[0], f.quality)
			default:
				q.holdAll(several[i])
			}
		}
		if isDirect {
			direct = q.touched.len()
		}
	}
	return direct
}

// noted is a word of a view whose documents were noted, with how good it is at least.
type noted struct {
	view    int
	word    uint32
	quality float32
}

// mostNoted bounds how many words are compared with: the first are the best, those that others come back to.
const mostNoted = 16

// isNoted reports whether a word has been noted as good already. A word serves in several ways: as it is, as one of its
// own forms, as what begins with itself. If all its documents are going to be noted, it will be noted from now on.
func (sc *scratch) isNoted(w noted, all bool) bool {
	for _, h := range sc.noted {
		if h.word == w.word && h.view == w.view && h.quality >= w.quality {
			return true
		}
	}
	if all && len(sc.noted) < mostNoted {
		sc.noted = append(sc.noted, w)
	}
	return false
}

// holdWord notes all living documents that have a word, with how well, if it is their best so far. It is where a search
// spends its time.
func (q *searching) holdWord(w wanted, quality float32) {
	for i := range q.views {
		v := &q.views[i]
		qualities, touched := q.quality[v.base:][:v.size()], v.of(q.touched)
		w.resolve(v.segment, func(word uint32, good float32) bool {
			good *= quality / 255
			if q.isNoted(noted{i, word, good}, w.least == 0) {
				return true
			}
			doc, list := uint32(0), v.postings.at(word)
			for len(list) > 1 {
				step := uint32(list[0])
				if step < 0x80 {
					list = list[1:]
				} else {
					step, list = take(list)
				}
				impact := list[0]
				list = list[1:]
				if doc += step; impact < w.least || v.dead != nil && v.dead.has(doc) {
					continue
				}
				touched[doc/64] |= 1 << (doc % 64)
				if value := good * float32(impact); qualities[doc] < value {
					qualities[doc] = value
				}
			}
			return true
		})
	}
}

// holdAll is holdWord for documents that are known already.
func (q *searching) holdAll(c column[float32]) {
	k := 0
	c.has.each(func(doc uint32) {
		q.quality[doc] = max(q.quality[doc], c.values[k])
		k++
	})
	q.touched.join(c.has)
}

// collect takes down what is noted, and forgets it.
func (q *searching) collect() column[float32] {
	has := q.copyOf(q.touched[:wordsFor(q.span)])
	c := column[float32]{has: has, values: q.values.take(has.len())}
	k := 0
	for i, w := range has {
		for ; w != 0; w &= w - 1 {
			quality := &q.quality[i*64+bits.TrailingZeros64(w)]
			c.values[k], *quality = *quality, 0
			k++
		}
	}
	clear(q.touched)
	return c.ranked(q.ranks.take(len(has)))
}

// manyWords finds, for each form with several words, the documents that hold all of them. The weakest word counts.
func (q *searching) manyWords() []column[float32] {
	out := make([]column[float32], len(q.forms))
	for i, f := range q.forms {
		if len(f.words) < 2 {
			continue
		}
		words := make([]column[float32], len(f.words))
		var all column[float32]
		for j, w := range f.words {
			q.noted = q.noted[:0]
			q.holdWord(w, f.quality)
			if words[j] = q.collect(); j == 0 {
				all.has = q.copyOf(words[j].has)
			}
			all.has.meet(words[j].has)
		}
		all.has.each(func(doc uint32) {
			least := float32(math.MaxFloat32)
			for j := range words {
				if value, ok := words[j].at(doc); ok {
					least = min(least, value)
				}
			}
			all.values = append(all.values, least)
		})
		out[i] = all
	}
	return out
}

// score is how well a document holds the query.
func (q *searching) score(doc uint32) float32 { return q.scoreIn(int(doc/64), 1<<(doc%64)) }

// scoreIn is the score of a document that is one bit of a word of a set.
func (q *searching) scoreIn(word int, bit uint64) (score float32) {
	for c := range q.held {
		if h := &q.held[c]; h.has[word]&bit != 0 {
			score += q.weights[c] * h.values[int(h.ranks[word])+bits.OnesCount64(h.has[word]&(bit-1))]
		}
	}
	return score
}

// Of a query of so many concepts at least the best others are let in too, behind them, where fewer documents than these
// hold enough:
// who types a listing of another shop knows words that this one does not use, and one document that has a rare word of
// them would hide all others.
const (
	wordy    = 3
	fewFound = 10
)

// withEnough leaves the documents that hold enough of the query, and the best others where those are few.
func (q *searching) withEnough(docs set) set {
	n := len(q.held)
	if n < 2 {
		return docs
	}
	if n < wordy {
		return q.holdingEnough(docs)
	}
	others := q.copyOf(docs)
	out := q.holdingEnough(docs)
	missing := fewFound - out.len()
	if missing <= 0 || q.isNumber() {
		return out
	}
	others.leave(out)
	best := leading[found]{most: missing, compare: func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), q.tie(a, b))
	}}
	others.each(func(doc uint32) { best.offer(found{doc, q.score(doc)}) })
	q.besides = q.set(q.span)
	for _, f := range best.list {
		q.besides.add(f.doc)
		out.add(f.doc)
	}
	return out
}

// isNumber reports whether the query as a whole is a number that the index has.
func (e *expansion) isNumber() bool {
	return e.whole != "" && slices.ContainsFunc(e.forms, func(f form) bool {
		return len(f.words) == 1 && f.words[0].text == e.whole && f.from == 0 && f.to == len(e.concepts)
	})
}

// holdingEnough leaves the documents that hold enough of the query, by the weight of the concepts.
func (q *searching) holdingEnough(docs set) set {
	n := len(q.held)
	if n > fewConcepts {
		return q.withEnoughOfMany(docs)
	}
	subsets := make([]subset, 0, 1<<n)
	for members := 1; members < 1<<n; members++ {
		subsets = append(subsets, subset{members, q.cover(func(c int) bool { return members>>c&1 != 0 })})
	}
	slices.SortFunc(subsets, func(a, b subset) int {
		return cmp.Or(cmp.Compare(b.cover, a.cover), cmp.Compare(bits.OnesCount(uint(b.members)),
			bits.OnesCount(uint(a.members))))
	})
	out, best := q.set(q.span), float32(0)
	for _, s := range subsets {
		if s.cover < best*enough {
			break
		}
		some := q.holding(s.members, docs)
		if best == 0 && some.isEmpty() {
			continue
		}
		best = max(best, s.cover)
		out.join(some)
	}
	return out
}

// fewConcepts are those whose subsets are soon gone through.
const fewConcepts = 4

// subset is some of the concepts, as bits, and what they are worth together.
type subset struct {
	members int
	cover   float32
}

// holding is the documents that hold all the members of a subset.
func (q *searching) holding(members int, docs set) set {
	out := q.copyOf(docs)
	for c := range q.held {
		if members>>c&1 != 0 {
			out.meet(q.held[c].has)
		}
	}
	return out
}

// cover is the share of the query that concepts are, by their weight.
func (q *searching) cover(has func(c int) bool) float32 {
	cover, total := float32(0), float32(0)
	for c, w := range q.weights {
		if total += w; has(c) {
			cover += w
		}
	}
	return cover / total
}

// withEnoughOfMany is holdingEnough by looking at one document after the other.
func (q *searching) withEnoughOfMany(docs set) set {
	q.covers = q.covers[:0]
	best := float32(0)
	docs.each(func(doc uint32) {
		cover := q.cover(func(c int) bool { return q.held[c].has.has(doc) })
		best = max(best, cover)
		q.covers = append(q.covers, cover)
	})
	k := 0
	docs.each(func(doc uint32) {
		if q.covers[k] < best*enough {
			docs.remove(doc)
		}
		k++
	})
	return docs
}
