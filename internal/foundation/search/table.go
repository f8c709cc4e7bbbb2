package search

import (
	"bytes"
	"sort"
)

// table is a sorted list of texts in one piece of memory. The place of a text is its ordinal.
type table struct{ lists }

func tableOf(sorted []string) table {
	size := 0
	for _, s := range sorted {
		size += len(s)
	}
	t := table{lists{make([]uint32, 0, len(sorted)+1), make([]byte, 0, size)}}
	for _, s := range sorted {
		t.add(s)
	}
	return t.closed()
}

func (t *table) add(s string) {
	t.begin()
	t.bytes = append(t.bytes, s...)
}

// bring is add for bytes.
func (t *table) bring(b []byte) {
	t.begin()
	t.bytes = append(t.bytes, b...)
}

// closed is the table after the last add.
func (t table) closed() table {
	t.begin()
	return t
}

func (t table) len() int { return max(len(t.offsets)-1, 0) }

func (t table) text(i uint32) string { return string(t.at(i)) }

// seek is the ordinal of the first text that is not before s.
func (t table) seek(s string) uint32 { return t.seekFrom(0, s) }

func (t table) seekFrom(from uint32, s string) uint32 {
	return from + uint32(sort.Search(t.len()-int(from), func(i int) bool { return string(t.at(from+uint32(i))) >= s }))
}

func (t table) find(s string) (uint32, bool) {
	i := t.seek(s)
	return i, int(i) < t.len() && string(t.at(i)) == s
}

// under is the range of ordinals whose texts begin with a prefix.
func (t table) under(prefix string) (from, to uint32) {
	from = t.seek(prefix)
	n := sort.Search(t.len()-int(from),
		func(i int) bool { return !bytes.HasPrefix(t.at(from+uint32(i)), []byte(prefix)) })
	return from, from + uint32(n)
}

// texts is a list of texts, not sorted, that hands them out without copying.
type texts struct {
	offsets []uint32 // one more than there are texts
	joined  string
}

// unsorted is the texts of a closed table.
func (t table) unsorted() texts { return texts{t.offsets, string(t.bytes)} }

func (t texts) len() int { return max(len(t.offsets)-1, 0) }

func (t texts) text(i uint32) string { return t.joined[t.offsets[i]:t.offsets[i+1]] }

// endings are ordinals of a table, sorted by their texts read backwards.
type endings []uint32

// under is the ordinals of the texts that end with a suffix.
func (e endings) under(t table, suffix string) []uint32 {
	from := sort.Search(len(e), func(i int) bool { return compareBackwards(t.at(e[i]), suffix) >= 0 })
	n := sort.Search(len(e)-from, func(i int) bool { return !bytes.HasSuffix(t.at(e[from+i]), []byte(suffix)) })
	return e[from : from+n]
}

// compareBackwards compares two texts from their ends.
func compareBackwards[A, B ~string | ~[]byte](a A, b B) int {
	for i := 1; ; i++ {
		switch {
		case i > len(a) && i > len(b):
			return 0
		case i > len(a):
			return -1
		case i > len(b):
			return 1
		case a[len(a)-i] != b[len(b)-i]:
			return int(a[len(a)-i]) - int(b[len(b)-i])
		}
	}
}
