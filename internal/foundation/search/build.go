package search

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/text/collate"
	xlanguage "golang.org/x/text/language"
)

// The weight of a word by its field, and how a field's length counts: pivot is the length at which a word has its plain
// weight, slope how much a longer field takes away. They do not depend on the other documents, so a document weighs the
// same in every segment.
type fieldWeight struct{ weight, pivot, slope float32 }

var fieldWeights = [fields]fieldWeight{
	Name:      {6, 9, 0.5},
	Number:    {5, 1, 0},
	Brand:     {3, 1, 0},
	Category:  {2, 1, 0},
	Attribute: {1.2, 12, 0.3},
	Text:      {0.8, 60, 0.4},
}

// saturation is the weight at which a word has half of its greatest effect.
const saturation = 2.5

// longestText is how many words of a passage are read.
const longestText = 2000

// impact is what a word's weight in a document comes to, from 1 to 255.
func impact(weight float32) byte { return byte(max(1, min(255, 255*weight/(saturation+weight)+0.5))) }

// builder makes a segment of documents.
type builder struct {
	lang     *language
	analyser *analyser
	words    map[string]uint32 // to a temporary number
	texts    []string          // by temporary number
	postings [][]posting
	stems    map[string]map[uint32]struct{}
	bodies   lists32 // temporary numbers, as bodies
	docs     []*Document

	tokens  []token
	weights map[uint32]float32 // of the words of the document at hand
	counts  map[uint32]float32 // of the words of the field at hand
	touched []uint32
}

type posting struct {
	doc    uint32
	impact byte
}

// build makes a segment. Documents have different ids.
func build(lang *language, docs []*Document) *segment {
	b := &builder{lang: lang, analyser: lang.analyser(), words: map[string]uint32{},
		stems: map[string]map[uint32]struct{}{}, docs: docs, weights: map[uint32]float32{},
		counts: map[uint32]float32{}}
	for i, d := range docs {
		b.read(uint32(i), d)
	}
	b.bodies.begin()
	g := &segment{}
	b.writeWords(g)
	b.writeDocuments(g)
	b.writeTerms(g)
	b.writeAmounts(g)
	b.writeKeys(g)
	if err := g.load(); err != nil {
		panic(err) // the bitmaps were written a moment ago
	}
	return g
}

// read takes up the words of a document.
func (b *builder) read(doc uint32, d *Document) {
	b.bodies.begin()
	clear(b.weights)
	b.touched = b.touched[:0]
	for f := range Field(fields) {
		clear(b.counts)
		length := 0
		for _, p := range d.Texts {
			if p.Field == f {
				length += b.passage(p)
			}
		}
		w := fieldWeights[f]
		share := w.weight / (1 - w.slope + w.slope*float32(length)/w.pivot)
		for word, n := range b.counts {
			if _, known := b.weights[word]; !known {
				b.touched = append(b.touched, word)
			}
			b.weights[word] += share * n
		}
	}
	for _, word := range b.touched {
		b.postings[word] = append(b.postings[word], posting{doc, impact(b.weights[word])})
	}
}

// passage takes up the words of a passage and tells how many places it has.
func (b *builder) passage(p Passage) int {
	b.tokens = b.analyser.tokens(b.tokens[:0], p.Text)
	if len(b.tokens) > longestText {
		b.tokens = b.tokens[:longestText]
	}
	b.bodies.cells = append(b.bodies.cells, uint32(p.Field)<<2|bodyField)
	whole, isKnown := "", true
	if p.Field == Number {
		whole = compact(p.Text)
		isKnown = whole == ""
	}
	for _, t := range b.tokens {
		b.word(t.text, bodyWord)
		b.group(t)
		for _, s := range t.also {
			b.word(s, bodyAlso)
		}
		for _, j := range t.joined {
			b.word(j.text, bodyAlso)
			isKnown = isKnown || j.text == whole
		}
		isKnown = isKnown || t.text == whole
	}
	if !isKnown && len(whole) <= longestWord {
		b.word(whole, bodyAlso)
	}
	return len(b.tokens)
}

func (b *builder) word(s string, what uint32) {
	n, ok := b.words[s]
	if !ok {
		n = uint32(len(b.texts))
		s = strings.Clone(s)
		b.words[s] = n
		b.texts = append(b.texts, s)
		b.postings = append(b.postings, nil)
	}
	b.counts[n]++
	b.bodies.cells = append(b.bodies.cells, n<<2|what)
}

// group puts a token's word into the group of its stem.
func (b *builder) group(t token) {
	for _, stem := range []string{t.stem, t.bare} {
		if stem == "" {
			continue
		}
		g := b.stems[stem]
		if g == nil {
			g = map[uint32]struct{}{}
			b.stems[stem] = g
		}
		g[b.words[t.text]] = struct{}{}
	}
}

// writeWords numbers the words in their order and writes what is known of them.
func (b *builder) writeWords(g *segment) {
	order := make([]uint32, len(b.texts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(b.texts[x], b.texts[y]) })
	final := make([]uint32, len(order))
	for i, old := range order {
		final[old] = uint32(i)
		g.words.add(b.texts[old])
		g.postings.begin()
		last := uint32(0)
		for _, p := range b.postings[old] {
			g.postings.put(p.doc - last)
			g.postings.bytes = append(g.postings.bytes, p.impact)
			last = p.doc
		}
	}
	g.postings.begin()
	g.words = g.words.closed()
	b.writeStems(g, final)
	g.readBackwards(b.lang)
	for i := range b.docs {
		g.bodies.begin()
		for _, cell := range b.bodies.at(uint32(i)) {
			if cell&3 != bodyField {
				cell = final[cell>>2]<<2 | cell&3
			}
			g.bodies.put(cell)
		}
	}
	g.bodies.begin()
}

// readBackwards knows words and stems by their endings, where words are written together.
func (g *segment) readBackwards(lang *language) {
	if lang.compounds {
		g.endings, g.closings = endingsOf(g.words), endingsOf(g.stems)
	}
}

func endingsOf(words table) endings {
	e := make(endings, words.len())
	for i := range e {
		e[i] = uint32(i)
	}
	slices.SortFunc(e, func(x, y uint32) int { return compareBackwards(words.at(x), words.at(y)) })
	return e
}

func (b *builder) writeStems(g *segment, final []uint32) {
	stems := slices.Sorted(maps.Keys(b.stems))
	g.stems = tableOf(stems)
	var members []uint32
	for _, s := range stems {
		members = members[:0]
		for w := range b.stems[s] {
			members = append(members, final[w])
		}
		slices.Sort(members)
		g.stemmed.putRising(members)
	}
	g.stemmed.begin()
}

func (b *builder) writeDocuments(g *segment) {
	n := len(b.docs)
	var ids table
	g.popularity, g.inStock = make([]uint32, n), make([]byte, n)
	for i, d := range b.docs {
		ids.add(d.ID)
		g.popularity[i] = d.Popularity
		if d.InStock {
			g.inStock[i] = 1
		}
		if (d.Opens != 0 || d.Closes != 0) && g.opens == nil {
			g.opens, g.closes = make([]int64, n), make([]int64, n)
		}
		if g.opens != nil {
			g.opens[i], g.closes[i] = d.Opens, d.Closes
		}
	}
	g.ids = ids.closed().unsorted()
}

func (t Term) key() string { return t.Facet + "\x00" + t.Value }

func (b *builder) writeTerms(g *segment) {
	labels := map[string]string{}
	for _, d := range b.docs {
		for _, t := range d.Terms {
			labels[t.key()] = t.Label
		}
	}
	keys := slices.Sorted(maps.Keys(labels))
	places := make(map[string]uint32, len(keys))
	for i, k := range keys {
		places[k] = uint32(i)
		g.labels.add(labels[k])
	}
	g.labels = g.labels.closed()
	g.values = tableOf(keys)
	members := bitmaps(len(keys))
	var row []uint32
	for i, d := range b.docs {
		row = row[:0]
		for _, t := range d.Terms {
			row = append(row, places[t.key()])
		}
		slices.Sort(row)
		row = slices.Compact(row)
		g.rows.putRising(row)
		for _, v := range row {
			members[v].Add(uint32(i))
		}
	}
	g.rows.begin()
	g.pack(members)
}

// bitmaps are so many empty ones.
func bitmaps(n int) []*roaring.Bitmap {
	out := make([]*roaring.Bitmap, n)
	for i := range out {
		out[i] = roaring.New()
	}
	return out
}

// pack keeps bitmaps as bytes.
func (g *segment) pack(members []*roaring.Bitmap) {
	g.members = make([][]byte, len(members))
	for i, m := range members {
		m.RunOptimize()
		bytes, err := m.ToBytes()
		if err != nil {
			panic(err) // a bitmap is written to memory
		}
		g.members[i] = bytes
	}
}

func (b *builder) writeAmounts(g *segment) {
	var names []string
	for _, d := range b.docs {
		for _, a := range d.Amounts {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	slices.Sort(names)
	g.amountNames = tableOf(names)
	g.amounts = make([]column[int64], len(names))
	for i := range g.amounts {
		g.amounts[i].has = setOf(uint32(len(b.docs)))
	}
	for d, doc := range b.docs {
		for _, a := range doc.Amounts {
			i, _ := slices.BinarySearch(names, a.Name)
			if c := &g.amounts[i]; !c.has.has(uint32(d)) {
				c.has.add(uint32(d))
				c.values = append(c.values, int64(a.Value))
			}
		}
	}
}

// longestKey is how many bytes of a sort key are kept, about two a letter: texts that differ later sort as equals.
const longestKey = 96

// writeKeys keeps sort keys in the form in which the language compares them as bytes. The first byte is 1, none is
// empty.
func (b *builder) writeKeys(g *segment) {
	texts := map[string][]string{}
	for i, d := range b.docs {
		for _, k := range d.Keys {
			if texts[k.Name] == nil {
				texts[k.Name] = make([]string, len(b.docs))
			}
			texts[k.Name][i] = k.Text
		}
	}
	names := slices.Sorted(maps.Keys(texts))
	g.keyNames = tableOf(names)
	tag, _ := xlanguage.Parse(cmp.Or(b.lang.code, "und"))
	order := collate.New(tag, collate.Numeric, collate.IgnoreCase)
	buffer := collate.Buffer{}
	for _, n := range names {
		var t table
		for _, s := range texts[n] {
			if s == "" {
				t.add("")
				continue
			}
			buffer.Reset()
			key := order.KeyFromString(&buffer, s)
			t.add("\x01" + string(key[:min(len(key), longestKey)]))
		}
		g.keys = append(g.keys, t.closed())
	}
}
