package search

import (
	"math"
	"sync"
)

// scratch is the memory of one search, kept for the next.
type scratch struct {
	quality []float32 // of a document for the concept at hand
	touched []uint32
	score   []float32
	cover   []float32
	many    [][]match // of forms with several words, by form
	all     []found   // what was found; used up by filters and orders
	matches []match   // of concepts
	masks   []uint32  // of words, for rank
	masked  []uint32
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// match is a document with how well it holds something.
type match struct {
	doc   uint32
	value float32
}

// found is a document that holds enough of what was asked.
type found struct {
	view  int32
	doc   uint32
	score float32
	cover float32 // the share of the query that it holds, by the weight of the concepts
}

// sized is a slice of at least n zeros; the caller leaves zeros behind.
func sized[T any](s []T, n uint32) []T {
	if uint32(len(s)) < n {
		return make([]T, n)
	}
	return s
}

// enough is how much of what the best document holds of a query others must hold to be found with it. A document that
// lacks one of two equal words is left out where another has both; one that lacks a frequent word of many is not.
const enough = 0.6

// findAll finds the documents that hold the query. Documents of the whole index decide how rare a concept is.
func (e *expansion) findAll(s *snapshot, sc *scratch) []found {
	n := len(e.concepts)
	matches := make([][][]match, len(s.views)) // by view and concept
	sc.matches = sc.matches[:0]
	direct, any := make([]int, n), make([]int, n)
	for i := range s.views {
		v := &s.views[i]
		e.manyWords(v, sc)
		matches[i] = make([][]match, n)
		for c := range n {
			var of int
			matches[i][c], of = e.matchesOf(v, sc, c)
			direct[c] += of
			any[c] += len(matches[i][c])
		}
	}
	weights := make([]float32, n)
	for c := range n {
		docs := direct[c]
		if docs == 0 {
			docs = any[c]
		}
		weights[c] = rarity(docs, s.alive)
	}
	e.weights = weights
	sc.all = sc.all[:0]
	for i := range s.views {
		sc.gather(int32(i), matches[i], weights, s.views[i].size())
	}
	return sc.all
}

// rarity is the weight of a concept that so many of all documents hold (the inverse document frequency of BM25).
func rarity(docs, all int) float32 {
	return float32(math.Log(1 + (float64(all-docs)+0.5)/(float64(docs)+0.5)))
}

// matchesOf is the documents of a view that hold a concept, and how many hold a direct form of it.
func (e *expansion) matchesOf(v *view, sc *scratch, concept int) ([]match, int) {
	sc.quality = sized(sc.quality, v.size())
	sc.touched = sc.touched[:0]
	direct := 0
	for _, isDirect := range []bool{true, false} {
		for i, f := range e.forms {
			if f.direct != isDirect || concept < f.from || concept >= f.to {
				continue
			}
			if len(f.words) > 1 {
				for _, m := range sc.many[i] {
					sc.hold(m.doc, m.value)
				}
				continue
			}
			sc.holdWord(v, f.words[0], f.quality)
		}
		if isDirect {
			direct = len(sc.touched)
		}
	}
	from := len(sc.matches)
	for _, d := range sc.touched {
		sc.matches = append(sc.matches, match{d, sc.quality[d]})
		sc.quality[d] = 0
	}
	return sc.matches[from:len(sc.matches):len(sc.matches)], direct
}

// hold notes how well a document holds the concept at hand, if it is the best so far.
func (sc *scratch) hold(doc uint32, value float32) {
	switch was := sc.quality[doc]; {
	case was == 0:
		sc.touched = append(sc.touched, doc)
		sc.quality[doc] = value
	case was < value:
		sc.quality[doc] = value
	}
}

// holdWord is hold for all living documents that have a word. It is where a search spends its time.
func (sc *scratch) holdWord(v *view, w wanted, quality float32) {
	w.resolve(v.segment, func(word uint32, good float32) bool {
		good *= quality / 255
		doc, step := uint32(0), uint32(0)
		qualities, touched := sc.quality, sc.touched
		for b := v.postings.at(word); len(b) > 0; b = b[1:] {
			if b[0] < 0x80 {
				step, b = uint32(b[0]), b[1:]
			} else {
				step, b = take(b)
			}
			if doc += step; b[0] < w.least || v.dead.has(doc) {
				continue
			}
			value, q := good*float32(b[0]), &qualities[doc]
			if *q == 0 {
				touched = append(touched, doc)
			}
			if *q < value {
				*q = value
			}
		}
		sc.touched = touched
		return true
	})
}

// manyWords finds the documents that hold all words of the forms with several. The weakest word counts.
func (e *expansion) manyWords(v *view, sc *scratch) {
	sc.many = make([][]match, len(e.forms))
	sc.quality = sized(sc.quality, v.size())
	for i, f := range e.forms {
		if len(f.words) < 2 {
			continue
		}
		var all map[uint32]float32
		for _, w := range f.words {
			sc.touched = sc.touched[:0]
			sc.holdWord(v, w, f.quality)
			with := make(map[uint32]float32, len(sc.touched))
			for _, d := range sc.touched {
				if was, ok := all[d]; ok || all == nil {
					with[d] = sc.quality[d]
					if ok {
						with[d] = min(was, with[d])
					}
				}
				sc.quality[d] = 0
			}
			all = with
		}
		for d, value := range all {
			sc.many[i] = append(sc.many[i], match{d, value})
		}
	}
}

// gather adds up what the documents of a view hold of the concepts.
func (sc *scratch) gather(view int32, concepts [][]match, weights []float32, size uint32) {
	if len(concepts) == 1 {
		for _, m := range concepts[0] {
			sc.all = append(sc.all, found{view, m.doc, weights[0] * m.value, 1})
		}
		return
	}
	sc.score, sc.cover = sized(sc.score, size), sized(sc.cover, size)
	sc.touched = sc.touched[:0]
	total := float32(0)
	for c, list := range concepts {
		total += weights[c]
		for _, m := range list {
			if sc.cover[m.doc] == 0 {
				sc.touched = append(sc.touched, m.doc)
			}
			sc.score[m.doc] += weights[c] * m.value
			sc.cover[m.doc] += weights[c]
		}
	}
	for _, d := range sc.touched {
		sc.all = append(sc.all, found{view, d, sc.score[d], sc.cover[d] / total})
		sc.score[d], sc.cover[d] = 0, 0
	}
}
