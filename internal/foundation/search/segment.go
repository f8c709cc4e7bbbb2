package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// segment is an immutable set of documents, numbered from 0, in forms that a search reads without unpacking.
type segment struct {
	words    table
	postings lists   // of a word: its documents, each as distance and impact
	endings  endings // words by their endings; of languages with compounds
	stems    table
	stemmed  lists   // of a stem: the distances of its words
	closings endings // stems by their endings; of languages with compounds
	bodies   lists   // of a document: its words in order, see body

	ids        texts // in the order of the documents
	popularity []uint32
	inStock    []byte
	opens      []int64 // none when no document opens or closes
	closes     []int64

	moments []int64  // at which documents open or close, in order
	stocked set      // inStock as a set
	ranks   []uint32 // of a document: how many go before it when nothing else decides

	values  table    // facet \x00 value
	labels  table    // of values
	rows    lists    // of a document: the distances of its values
	narrow  narrow   // rows unpacked, for counting; none where values are too many
	members [][]byte // of a value: its documents as a bitmap
	bitmaps []*roaring.Bitmap

	amountNames table
	amounts     []column[int64] // of a name
	ascending   [][]uint32      // of a name: the documents by their amounts; none of few
	keyNames    table
	keys        []table // of a name: one text for each document, ready to compare
}

// size is how many documents the segment has, the dead with them.
func (g *segment) size() uint32 { return uint32(g.ids.len()) }

// lists are lists of bytes in one piece of memory.
type lists struct {
	offsets []uint32 // one more than there are lists
	bytes   []byte
}

func (l lists) at(i uint32) []byte { return l.bytes[l.offsets[i]:l.offsets[i+1]] }

// begin notes that the next list starts here; called once more at the end.
func (l *lists) begin() { l.offsets = append(l.offsets, uint32(len(l.bytes))) }

func (l *lists) put(n uint32) { l.bytes = binary.AppendUvarint(l.bytes, uint64(n)) }

// putRising is a list of numbers of which each is kept as its distance from the one before; eachRising reads it.
func (l *lists) putRising(sorted []uint32) {
	l.begin()
	last := uint32(0)
	for _, n := range sorted {
		l.put(n - last)
		last = n
	}
}

func (l *lists) eachRising(i uint32, call func(n uint32)) {
	n, step := uint32(0), uint32(0)
	for b := l.at(i); len(b) > 0; {
		step, b = take(b)
		n += step
		call(n)
	}
}

// lists32 are lists of numbers in one piece of memory.
type lists32 struct{ offsets, cells []uint32 }

func (l lists32) at(i uint32) []uint32 { return l.cells[l.offsets[i]:l.offsets[i+1]] }

func (l *lists32) begin() { l.offsets = append(l.offsets, uint32(len(l.cells))) }

// take reads one number off a list. Lists come from this package or from a file with a right checksum.
func take(b []byte) (uint32, []byte) {
	if b[0] < 0x80 {
		return uint32(b[0]), b[1:]
	}
	n, k := binary.Uvarint(b)
	return uint32(n), b[k:]
}

// eachPosting calls for every document of a word, in order.
func (g *segment) eachPosting(word uint32, call func(doc uint32, impact byte)) {
	doc, step := uint32(0), uint32(0)
	for b := g.postings.at(word); len(b) > 0; {
		step, b = take(b)
		doc += step
		call(doc, b[0])
		b = b[1:]
	}
}

// wordsOf appends the words of a stem.
func (g *segment) wordsOf(out []uint32, stem string) []uint32 {
	if i, ok := g.stems.find(stem); ok {
		g.stemmed.eachRising(i, func(word uint32) { out = append(out, word) })
	}
	return out
}

// eachValue calls for every value of a document, in order.
func (g *segment) eachValue(doc uint32, call func(value uint32)) { g.rows.eachRising(doc, call) }

// narrow are lists of small numbers.
type narrow struct {
	offsets []uint32
	cells   []uint16
}

// unpackRows makes narrow.
func (g *segment) unpackRows() {
	if g.values.len() > 1<<16 {
		return
	}
	g.narrow = narrow{make([]uint32, 0, g.size()+1), make([]uint16, 0, len(g.rows.bytes))}
	for d := range g.size() {
		g.narrow.offsets = append(g.narrow.offsets, uint32(len(g.narrow.cells)))
		g.eachValue(d, func(value uint32) { g.narrow.cells = append(g.narrow.cells, uint16(value)) })
	}
	g.narrow.offsets = append(g.narrow.offsets, uint32(len(g.narrow.cells)))
}

// A body is the words of a document as they stand: numbers of a word times four plus what it is.
const (
	bodyWord  = iota // the word of the next place
	bodyAlso         // another word of the same place
	bodyField        // not a word: what follows belongs to this field, at a place of its own
)

// passageGap is how far passages are apart, so that no word is near one of another.
const passageGap = 16

// reader goes through the words of a document, with their fields and places. Places grow; passages do not touch.
type reader struct {
	rest        []byte
	field       Field
	place, word uint32
}

func (g *segment) reader(doc uint32) reader { return reader{rest: g.bodies.at(doc)} }

// next reads the next word, if there is one.
func (r *reader) next() bool {
	for len(r.rest) > 0 {
		n := uint32(r.rest[0])
		if n < 0x80 {
			r.rest = r.rest[1:]
		} else {
			n, r.rest = take(r.rest)
		}
		r.word = n >> 2
		switch n & 3 {
		case bodyField:
			r.field = Field(n >> 2)
			r.place += passageGap
			continue
		case bodyWord:
			r.place++
		}
		return true
	}
	return false
}

// valuesOf is the range of a facet's values.
func (g *segment) valuesOf(facet string) (from, to uint32) { return g.values.under(facet + "\x00") }

// amountsOf is the amounts under a name, and the documents by them; none where no document has one.
func (g *segment) amountsOf(name string) (amounts column[int64], ascending []uint32) {
	if n, ok := g.amountNames.find(name); ok {
		return g.amounts[n], g.ascending[n]
	}
	return column[int64]{}, nil
}

// load makes what is not kept but follows from the rest. The bitmaps of the facet values share the memory of members.
func (g *segment) load() error {
	if len(g.inStock) != int(g.size()) || len(g.popularity) != len(g.inStock) || len(g.amounts) != g.amountNames.len() {
		return errors.New("the lists do not fit the documents")
	}
	g.stocked = setOf(g.size())
	for d, n := range g.inStock {
		if n != 0 {
			g.stocked.add(uint32(d))
		}
	}
	g.moments = slices.Concat(g.opens, g.closes)
	slices.Sort(g.moments)
	g.moments = slices.Clip(slices.Compact(g.moments))
	g.rankDocuments()
	for i := range g.amounts {
		if len(g.amounts[i].has) != int(wordsFor(g.size())) || g.amounts[i].has.len() != len(g.amounts[i].values) {
			return errors.New("the lists do not fit the documents")
		}
		g.amounts[i] = g.amounts[i].ranked(make([]uint32, len(g.amounts[i].has)))
	}
	g.rankAmounts()
	g.unpackRows()
	g.bitmaps = bitmaps(len(g.members))
	for i, b := range g.members {
		if _, err := g.bitmaps[i].FromBuffer(b); err != nil {
			return err
		}
	}
	return nil
}

// manyAmounts are worth an order.
const manyAmounts = 1_000

// rankAmounts puts the documents in the order of each amount.
func (g *segment) rankAmounts() {
	type pair struct {
		amount int64
		doc    uint32
	}
	g.ascending = make([][]uint32, len(g.amounts))
	for i := range g.amounts {
		c := &g.amounts[i]
		if len(c.values) < manyAmounts {
			continue
		}
		pairs := make([]pair, 0, len(c.values))
		c.has.each(func(doc uint32) { pairs = append(pairs, pair{c.values[len(pairs)], doc}) })
		slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.amount, b.amount) })
		g.ascending[i] = make([]uint32, len(pairs))
		for k, p := range pairs {
			g.ascending[i][k] = p.doc
		}
	}
}

// rankDocuments puts the documents in the order that decides where scores do not: what is in stock, what is popular,
// then by id.
func (g *segment) rankDocuments() {
	order := make([]uint32, g.size())
	for d := range order {
		order[d] = uint32(d)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		switch {
		case g.inStock[a] != g.inStock[b]:
			return cmp.Compare(g.inStock[b], g.inStock[a])
		case g.popularity[a] != g.popularity[b]:
			return cmp.Compare(g.popularity[b], g.popularity[a])
		}
		return strings.Compare(g.ids.text(a), g.ids.text(b))
	})
	g.ranks = make([]uint32, g.size())
	for rank, d := range order {
		g.ranks[d] = uint32(rank)
	}
}
