package search

import (
	"iter"
	"slices"

	"kontor/internal/foundation/each"
)

// source is a segment with its dead, as a merge reads it.
type source struct {
	*segment
	dead set
	docs []uint32 // the new number of a document; gone for the dead
}

const gone = ^uint32(0)

// living are the documents that live, each with its new number.
func (s source) living() iter.Seq2[uint32, uint32] {
	return func(yield func(doc, now uint32) bool) {
		for doc, now := range s.docs {
			if now != gone && !yield(uint32(doc), now) {
				return
			}
		}
	}
}

// merge makes one segment of several, the oldest first, without their dead.
func merge(lang *language, parts []view) (*segment, []source) {
	sources := make([]source, len(parts))
	next := uint32(0)
	for i, p := range parts {
		s := source{p.segment, p.dead, make([]uint32, p.size())}
		for d := range s.docs {
			if s.docs[d] = gone; !s.dead.has(uint32(d)) {
				s.docs[d] = next
				next++
			}
		}
		sources[i] = s
	}
	g := &segment{}
	words := mergePostings(g, sources)
	mergeStems(g, sources, words)
	g.readBackwards(lang)
	mergeBodies(g, sources, words)
	mergeDocuments(g, sources)
	mergeTerms(g, sources)
	mergeAmounts(g, sources)
	mergeKeys(g, sources)
	if err := g.load(); err != nil {
		panic(err) // the bitmaps were written a moment ago
	}
	return g, sources
}

// union walks sorted tables side by side and calls once for every text, with its ordinal in each table or gone.
func union(tables []table, call func(text []byte, ordinals []uint32)) {
	at, ordinals := make([]uint32, len(tables)), make([]uint32, len(tables))
	for {
		var least []byte
		for i, t := range tables {
			if int(at[i]) < t.len() && (least == nil || string(t.at(at[i])) < string(least)) {
				least = t.at(at[i])
			}
		}
		if least == nil {
			return
		}
		for i, t := range tables {
			ordinals[i] = gone
			if int(at[i]) < t.len() && string(t.at(at[i])) == string(least) {
				ordinals[i] = at[i]
				at[i]++
			}
		}
		call(least, ordinals)
	}
}

func tablesOf(sources []source, of func(*segment) table) []table {
	return each.Of(sources, func(s source) table { return of(s.segment) })
}

// renumbering is, for each source, the new ordinals of a table; gone for what is left out.
func renumbering(tables []table) [][]uint32 {
	return each.Of(tables, func(t table) []uint32 { return slices.Repeat([]uint32{gone}, t.len()) })
}

// room is how much of something the sources have together: what a merge of them needs at most.
func room(sources []source, of func(*segment) int) (n int) {
	for _, s := range sources {
		n += of(s.segment)
	}
	return n
}

// listsFor are empty, with room for so much: nothing is copied while they grow.
func listsFor(sources []source, of func(*segment) lists) lists {
	return lists{make([]uint32, 0, room(sources, func(g *segment) int { return len(of(g).offsets) })),
		make([]byte, 0, room(sources, func(g *segment) int { return len(of(g).bytes) }))}
}

// mergePostings writes the words that living documents have, and tells their new ordinals.
func mergePostings(g *segment, sources []source) [][]uint32 {
	tables := tablesOf(sources, func(g *segment) table { return g.words })
	words := renumbering(tables)
	g.words.lists = listsFor(sources, func(g *segment) lists { return g.words.lists })
	g.postings = listsFor(sources, func(g *segment) lists { return g.postings })
	n := uint32(0)
	union(tables, func(text []byte, ordinals []uint32) {
		last, start := uint32(0), len(g.postings.bytes)
		for i, s := range sources {
			if ordinals[i] == gone {
				continue
			}
			s.eachPosting(ordinals[i], func(doc uint32, impact byte) {
				if doc = s.docs[doc]; doc == gone {
					return
				}
				if len(g.postings.bytes) == start {
					g.postings.begin()
				}
				g.postings.put(doc - last)
				g.postings.bytes = append(g.postings.bytes, impact)
				last = doc
			})
		}
		if len(g.postings.bytes) == start {
			return
		}
		g.words.bring(text)
		for i, o := range ordinals {
			if o != gone {
				words[i][o] = n
			}
		}
		n++
	})
	g.postings.begin()
	g.words = g.words.closed()
	return words
}

func mergeStems(g *segment, sources []source, words [][]uint32) {
	var members, old []uint32
	union(tablesOf(sources, func(g *segment) table { return g.stems }), func(text []byte, ordinals []uint32) {
		members = members[:0]
		for i, s := range sources {
			if ordinals[i] == gone {
				continue
			}
			old = s.wordsOf(old[:0], string(text))
			for _, w := range old {
				if w = words[i][w]; w != gone {
					members = append(members, w)
				}
			}
		}
		if len(members) == 0 {
			return
		}
		slices.Sort(members)
		g.stems.add(string(text))
		g.stemmed.putRising(slices.Compact(members))
	})
	g.stemmed.begin()
	g.stems = g.stems.closed()
}

func mergeBodies(g *segment, sources []source, words [][]uint32) {
	g.bodies = listsFor(sources, func(g *segment) lists { return g.bodies })
	for i, s := range sources {
		for d := range s.living() {
			g.bodies.begin()
			var n uint32
			for b := s.bodies.at(d); len(b) > 0; {
				n, b = take(b)
				if n&3 != bodyField {
					n = words[i][n>>2]<<2 | n&3
				}
				g.bodies.put(n)
			}
		}
	}
	g.bodies.begin()
}

func mergeDocuments(g *segment, sources []source) {
	var ids table
	bounded := slices.ContainsFunc(sources, func(s source) bool { return s.opens != nil })
	for _, s := range sources {
		for d := range s.living() {
			ids.add(s.ids.text(d))
			g.popularity = append(g.popularity, s.popularity[d])
			g.inStock = append(g.inStock, s.inStock[d])
			if !bounded {
				continue
			}
			opens, closes := int64(0), int64(0)
			if s.opens != nil {
				opens, closes = s.opens[d], s.closes[d]
			}
			g.opens, g.closes = append(g.opens, opens), append(g.closes, closes)
		}
	}
	g.ids = ids.closed().unsorted()
}

func mergeTerms(g *segment, sources []source) {
	used := each.Of(sources, func(s source) set { return s.valuesBut(s.dead) })
	tables := tablesOf(sources, func(g *segment) table { return g.values })
	values := renumbering(tables)
	n := uint32(0)
	union(tables, func(text []byte, ordinals []uint32) {
		label, isUsed := "", false
		for i, o := range ordinals {
			if o != gone && used[i].has(o) {
				values[i][o] = n
				label, isUsed = sources[i].labels.text(o), true // of the newest
			}
		}
		if isUsed {
			g.values.add(string(text))
			g.labels.add(label)
			n++
		}
	})
	g.values, g.labels = g.values.closed(), g.labels.closed()
	members := bitmaps(int(n))
	g.rows = listsFor(sources, func(g *segment) lists { return g.rows })
	var row []uint32
	for i, s := range sources {
		for d, now := range s.living() {
			row = row[:0]
			s.eachValue(d, func(value uint32) {
				row = append(row, values[i][value])
				members[values[i][value]].Add(now)
			})
			g.rows.putRising(row)
		}
	}
	g.rows.begin()
	g.pack(members)
}

func mergeAmounts(g *segment, sources []source) {
	union(tablesOf(sources, func(g *segment) table { return g.amountNames }), func(text []byte, ordinals []uint32) {
		n := 0
		for i, o := range ordinals {
			if o != gone {
				n += len(sources[i].amounts[o].values)
			}
		}
		c := column[int64]{has: setOf(g.size()), values: make([]int64, 0, n)}
		for i, o := range ordinals {
			if o == gone {
				continue
			}
			from := &sources[i].amounts[o]
			from.has.each(func(doc uint32) {
				if now := sources[i].docs[doc]; now != gone {
					value, _ := from.at(doc)
					c.has.add(now)
					c.values = append(c.values, value)
				}
			})
		}
		if len(c.values) > 0 {
			g.amountNames.add(string(text))
			g.amounts = append(g.amounts, c)
		}
	})
	g.amountNames = g.amountNames.closed()
}

func mergeKeys(g *segment, sources []source) {
	union(tablesOf(sources, func(g *segment) table { return g.keyNames }), func(text []byte, ordinals []uint32) {
		g.keyNames.add(string(text))
		t := mergedKeys(sources, ordinals)
		for i, s := range sources {
			for d := range s.living() {
				if ordinals[i] == gone {
					t.add("")
				} else {
					t.bring(s.keys[ordinals[i]].at(d))
				}
			}
		}
		g.keys = append(g.keys, t.closed())
	})
	g.keyNames = g.keyNames.closed()
}

// mergedKeys is an empty table with room for the keys of one name.
func mergedKeys(sources []source, ordinals []uint32) table {
	docs, bytes := 0, 0
	for i, s := range sources {
		docs += len(s.docs)
		if ordinals[i] != gone {
			bytes += len(s.keys[ordinals[i]].bytes)
		}
	}
	return table{lists{make([]uint32, 0, docs+1), make([]byte, 0, bytes)}}
}
