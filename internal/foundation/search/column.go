package search

import "math/bits"

// column is a number for some of the documents. It takes room for those alone, and any is found in a step.
type column[T any] struct {
	has    set
	ranks  []uint32 // of a word of has: how many values go before its own
	values []T      // in the order of the documents
}

// ranked is the column once has is complete; ranks is room for as many numbers as has has words.
func (c column[T]) ranked(ranks []uint32) column[T] {
	n := uint32(0)
	for i, w := range c.has {
		ranks[i] = n
		n += uint32(bits.OnesCount64(w))
	}
	c.ranks = ranks
	return c
}

// at is the number of a document, and whether it has one.
func (c *column[T]) at(doc uint32) (value T, has bool) {
	i := doc / 64
	if i >= uint32(len(c.has)) {
		return value, false
	}
	w, bit := c.has[i], uint64(1)<<(doc%64)
	if w&bit == 0 {
		return value, false
	}
	return c.values[c.ranks[i]+uint32(bits.OnesCount64(w&(bit-1)))], true
}

// set is a set of documents.
type set []uint64

func setOf(n uint32) set { return make(set, wordsFor(n)) }

// wordsFor is how many words a set of so many documents takes.
func wordsFor(n uint32) uint32 { return (n + 63) / 64 }

func (s set) has(i uint32) bool { return s != nil && s[i/64]&(1<<(i%64)) != 0 }

func (s set) add(i uint32) { s[i/64] |= 1 << (i % 64) }

func (s set) remove(i uint32) { s[i/64] &^= 1 << (i % 64) }

// fill adds the first n.
func (s set) fill(n uint32) {
	for i := range n / 64 {
		s[i] = ^uint64(0)
	}
	if n%64 != 0 {
		s[n/64] |= 1<<(n%64) - 1
	}
}

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

func (s set) isEmpty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// each calls for every document of the set, in order.
func (s set) each(call func(doc uint32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			call(uint32(i*64 + bits.TrailingZeros64(w)))
		}
	}
}
