package search

import (
	"encoding/binary"
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// segment is an immutable set of documents, numbered from 0, in forms that a search reads without unpacking.
type segment struct {
	words    table
	postings lists   // of a word: its documents, each as distance and impact
	endings  endings // words by their endings; of languages with compounds
	stems    table
	stemmed  lists // of a stem: the distances of its words
	bodies   lists // of a document: its words in order, see body

	ids        texts // in the order of the documents
	popularity []uint32
	inStock    []byte
	opens      []int64 // none when no document opens or closes
	closes     []int64

	values  table // facet \x00 value
	labels  table // of values
	rows    lists32
	members [][]byte // of a value: its documents as a bitmap
	bitmaps []*roaring.Bitmap

	amountNames table
	amountRows  lists32 // of a document: places of names
	amounts     []int64 // beside the cells of amountRows
	keyNames    table
	keys        []table // of a name: one text for each document, ready to compare
}

// size is how many documents the segment has, the dead with them.
func (g *segment) size() uint32 { return uint32(g.ids.len()) }

// lists are lists of bytes in one piece of memory.
type lists struct {
	offsets []uint32
	bytes   []byte
}

func (l lists) at(i uint32) []byte { return l.bytes[l.offsets[i]:l.offsets[i+1]] }

// begin notes that the next list starts here; called once more at the end.
func (l *lists) begin() { l.offsets = append(l.offsets, uint32(len(l.bytes))) }

func (l *lists) put(n uint32) { l.bytes = binary.AppendUvarint(l.bytes, uint64(n)) }

// lists32 are lists of numbers in one piece of memory.
type lists32 struct{ offsets, cells []uint32 }

func (l lists32) at(i uint32) []uint32 { return l.cells[l.offsets[i]:l.offsets[i+1]] }

func (l lists32) span(i uint32) (from, to uint32) { return l.offsets[i], l.offsets[i+1] }

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
	i, ok := g.stems.find(stem)
	if !ok {
		return out
	}
	word, step := uint32(0), uint32(0)
	for b := g.stemmed.at(i); len(b) > 0; {
		step, b = take(b)
		word += step
		out = append(out, word)
	}
	return out
}

// A body is the words of a document as they stand: numbers of a word times four plus what it is.
const (
	bodyWord  = iota // the word of the next place
	bodyAlso         // another word of the same place
	bodyField        // not a word: what follows belongs to this field, at a place of its own
)

// passageGap is how far passages are apart, so that no word is near one of another.
const passageGap = 16

// eachWord calls for every word of a document with its field and place. Places grow; passages do not touch.
func (g *segment) eachWord(doc uint32, call func(field Field, place, word uint32)) {
	var n, place uint32
	var field Field
	for b := g.bodies.at(doc); len(b) > 0; {
		n, b = take(b)
		switch n & 3 {
		case bodyField:
			field = Field(n >> 2)
			place += passageGap
			continue
		case bodyWord:
			place++
		}
		call(field, place, n>>2)
	}
}

// valuesOf is the range of a facet's values.
func (g *segment) valuesOf(facet string) (from, to uint32) { return g.values.under(facet + "\x00") }

// amount is a document's amount under the place of a name.
func (g *segment) amount(doc, name uint32) (int64, bool) {
	from, to := g.amountRows.span(doc)
	for i := from; i < to; i++ {
		if g.amountRows.cells[i] == name {
			return g.amounts[i], true
		}
	}
	return 0, false
}

// load makes the bitmaps of the facet values readable. They share the memory of members.
func (g *segment) load() error {
	g.bitmaps = make([]*roaring.Bitmap, len(g.members))
	for i, b := range g.members {
		g.bitmaps[i] = roaring.New()
		if _, err := g.bitmaps[i].FromBuffer(b); err != nil {
			return err
		}
	}
	return nil
}

// set is a set of documents.
type set []uint64

func setOf(n uint32) set { return make(set, (n+63)/64) }

func (s set) has(i uint32) bool { return s != nil && s[i/64]&(1<<(i%64)) != 0 }

func (s set) add(i uint32) { s[i/64] |= 1 << (i % 64) }

func (s set) join(other set) {
	for i, w := range other {
		s[i] |= w
	}
}

func (s set) meet(other set) {
	for i, w := range other {
		s[i] &= w
	}
}

func (s set) leave(other set) {
	for i, w := range other {
		s[i] &^= w
	}
}

func (s set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// others is the rest of n documents.
func (s set) others(n uint32) set {
	out := make(set, len(s))
	for i, w := range s {
		out[i] = ^w
	}
	if n%64 != 0 {
		out[len(out)-1] &= 1<<(n%64) - 1
	}
	return out
}

func (s set) each(call func(doc uint32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			call(uint32(i*64 + bits.TrailingZeros64(w)))
		}
	}
}
