package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

// slow answers a request by looking at every document and every word, without any of the short ways. Only what the
// words of a query are expanded to it takes from the index.
type slow struct {
	*expansion
	r    Request
	docs []*slowDocument
}

type slowDocument struct {
	Document
	v       *view
	doc     uint32
	quality []float32 // for each concept
	direct  []bool
	score   float32
	cover   float32
	besides bool
}

func newSlow(x *Index, docs map[string]Document, r Request) *slow {
	s := x.now.Load()
	q := &slow{expansion: s.expand(x.lang.parse(r.Text), x.lang, x.lexis.Load(), way{}), r: r}
	for i := range s.views {
		v := &s.views[i]
		for doc := range v.size() {
			if !v.dead.has(doc) {
				q.docs = append(q.docs, &slowDocument{Document: docs[v.ids.text(doc)], v: v, doc: doc})
			}
		}
	}
	return q
}

// of is how well a document holds a word.
func (d *slowDocument) of(w wanted, quality float32) (best float32) {
	w.resolve(d.v.segment, func(word uint32, good float32) bool {
		d.v.eachPosting(word, func(doc uint32, impact byte) {
			if doc == d.doc && impact >= w.least {
				good *= quality / 255
				best = max(best, good*float32(impact))
			}
		})
		return true
	})
	return best
}

func (q *slow) weigh() {
	q.weights = make([]float32, len(q.concepts))
	total := float32(0)
	for c := range q.concepts {
		direct, any := 0, 0
		for _, d := range q.docs {
			d.quality, d.direct = append(d.quality, 0), append(d.direct, false)
			for _, f := range q.forms {
				if c < f.from || c >= f.to {
					continue
				}
				least := d.of(f.words[0], f.quality)
				for _, w := range f.words[1:] {
					least = min(least, d.of(w, f.quality))
				}
				d.quality[c] = max(d.quality[c], least)
				d.direct[c] = d.direct[c] || f.direct && least > 0
			}
			if d.direct[c] {
				direct++
			}
			if d.quality[c] > 0 {
				any++
			}
		}
		q.weights[c] = rarity(cmp.Or(direct, any), len(q.docs))
		total += q.weights[c]
	}
	for _, d := range q.docs {
		d.cover = 1
		if len(q.concepts) > 0 {
			d.cover = 0
		}
		for c, w := range q.weights {
			if d.quality[c] > 0 {
				d.score += w * d.quality[c]
				d.cover += w
			}
		}
		if len(q.concepts) > 0 {
			d.cover /= total
		}
	}
}

// keep leaves the documents of which something is true.
func (q *slow) keep(is func(d *slowDocument) bool) {
	q.docs = slices.DeleteFunc(q.docs, func(d *slowDocument) bool { return !is(d) })
}

// keepEnough leaves the documents that hold enough of the query; of many words ten at least, the others behind.
func (q *slow) keepEnough(best float32) {
	all := slices.Clone(q.docs)
	q.keep(func(d *slowDocument) bool { return len(q.concepts) < 2 || d.cover >= best*enough })
	if len(q.concepts) < wordy || q.isNumber() {
		return
	}
	slices.SortFunc(all, func(a, b *slowDocument) int { return cmp.Or(cmp.Compare(b.score, a.score), q.tie(a, b)) })
	for _, d := range all {
		if len(q.docs) < fewFound && !slices.Contains(q.docs, d) {
			d.besides = true
			q.docs = append(q.docs, d)
		}
	}
}

func (q *slow) has(d *slowDocument, f Filter) bool {
	if len(f.Values) > 0 {
		return slices.ContainsFunc(d.Terms,
			func(t Term) bool { return t.Facet == f.Facet && slices.Contains(f.Values, t.Value) })
	}
	a, has := q.amount(d, f.Facet)
	return has && f.holds(a)
}

func (q *slow) amount(d *slowDocument, name string) (dec.Dec, bool) {
	own, has := dec.Dec(0), false
	if i := slices.IndexFunc(d.Amounts, func(a Amount) bool { return a.Name == name }); i >= 0 {
		own, has = d.Amounts[i].Value, true
	}
	if q.r.Amount != nil && (q.r.Amounts == nil || slices.Contains(q.r.Amounts, name)) {
		return q.r.Amount(name, d.ID, own, has)
	}
	return own, has
}

// counted is the facets as text; those of words as their counts, those of amounts as their bounds.
func (q *slow) counted() string {
	var out []string
	for _, name := range q.r.Facets {
		counts, s := map[string]int{}, span{}
		for _, d := range q.docs {
			if slices.ContainsFunc(q.r.Filters, func(f Filter) bool { return f.Facet != name && !q.has(d, f) }) {
				continue
			}
			seen := map[string]bool{}
			for _, t := range d.Terms {
				if t.Facet == name && !seen[t.Value] {
					counts[t.Value]++
					seen[t.Value] = true
				}
			}
			if a, has := q.amount(d, name); has {
				s.add(a, 1)
			}
		}
		switch {
		case len(counts) > 0:
			out = append(out, fmt.Sprint(name, counts))
		case s.count > 0:
			out = append(out, fmt.Sprint(name, s.min, s.max, s.count))
		}
	}
	return strings.Join(out, " ")
}

// tie orders documents between which nothing else decides.
func (q *slow) tie(a, b *slowDocument) int {
	stock := map[bool]int{true: 1}
	return cmp.Or(cmp.Compare(stock[b.InStock], stock[a.InStock]), cmp.Compare(b.Popularity, a.Popularity),
		cmp.Compare(b.score, a.score), strings.Compare(a.ID, b.ID))
}

// order is the documents as they must be answered.
func (q *slow) order() []*slowDocument {
	tie := q.tie
	if len(q.r.Sort) > 0 {
		slices.SortFunc(q.docs, func(a, b *slowDocument) int {
			for _, o := range q.r.Sort {
				x, hasX := q.amount(a, o.Key)
				y, hasY := q.amount(b, o.Key)
				c := cmp.Compare(x, y)
				switch {
				case hasX != hasY && hasX:
					return -1
				case hasX != hasY:
					return 1
				case o.Descending:
					c = -c
				}
				if c != 0 {
					return c
				}
			}
			return tie(a, b)
		})
		return q.docs
	}
	before := slices.DeleteFunc(slices.Clone(q.docs), func(d *slowDocument) bool { return d.besides })
	if behind := slices.DeleteFunc(slices.Clone(q.docs), func(d *slowDocument) bool {
		return !d.besides
	}); len(behind) > 0 {
		first, last := *q, *q
		for _, d := range behind {
			d.besides = false
		}
		first.docs, last.docs = before, behind
		return append(first.order(), last.order()...)
	}
	slices.SortFunc(q.docs, func(a, b *slowDocument) int { return cmp.Or(cmp.Compare(b.score, a.score), tie(a, b)) })
	if len(q.concepts) == 0 || len(q.docs) == 0 {
		return q.docs
	}
	best := float32(0)
	head := q.docs[:min(len(q.docs), reranked)]
	for _, d := range head {
		d.score += q.bonus(d)
		best = max(best, d.score)
	}
	slices.SortFunc(head, func(a, b *slowDocument) int {
		return cmp.Or(cmp.Compare(int(b.score/best*grades), int(a.score/best*grades)), tie(a, b))
	})
	return q.docs
}

// bonus is what the order of the words is worth, by all words of the document.
func (q *slow) bonus(d *slowDocument) float32 {
	masks := map[uint32]uint32{}
	for _, f := range q.forms {
		for _, w := range f.words {
			w.resolve(d.v.segment, func(word uint32, _ float32) bool {
				masks[word] |= uint32(1)<<f.to - uint32(1)<<f.from
				return true
			})
		}
	}
	places, closeness := map[int]int{}, make([]float32, len(q.concepts))
	names, hits, last := 0, 0, uint32(0)
	for w := d.v.reader(d.doc); w.next(); last = w.place {
		if w.field == Name && w.place != last {
			names++
		}
		if w.field == Name && masks[w.word] != 0 {
			hits++
		}
		share := fieldWeights[w.field].weight / fieldWeights[Name].weight
		for c := range q.concepts {
			if masks[w.word]>>c&1 == 0 {
				continue
			}
			places[c] = int(w.place)
			if at, ok := places[c-1]; ok && d.quality[c-1] > 0 && d.quality[c] > 0 {
				closeness[c] = max(closeness[c], share*closenessOf(int(w.place)-at, masks[w.word]>>(c-1)&1 == 1))
			}
			if at, ok := places[c+1]; ok && d.quality[c] > 0 && d.quality[c+1] > 0 {
				closeness[c+1] = max(closeness[c+1], share*closenessOf(at-int(w.place), false))
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

// answer is the total, the facets, and the page as text.
func (q *slow) answer() string {
	q.weigh()
	q.keep(func(d *slowDocument) bool {
		isOpen := q.r.At == 0 || d.Opens <= q.r.At && (d.Closes == 0 || q.r.At < d.Closes)
		isBanned := slices.ContainsFunc(q.without, func(t token) bool {
			w := wantedOf(t)
			w.also = nil
			return d.of(w, 1) > 0
		})
		return isOpen && !isBanned && d.cover > 0 && (d.InStock || !q.r.InStock)
	})
	best := float32(0)
	for _, d := range q.docs {
		best = max(best, d.cover)
	}
	q.keepEnough(best)
	facets := q.counted()
	q.keep(func(d *slowDocument) bool {
		return !slices.ContainsFunc(q.r.Filters, func(f Filter) bool { return !q.has(d, f) })
	})
	total := len(q.docs)
	var page []Hit
	for _, d := range q.order()[min(q.r.Offset, total):min(q.r.Offset+q.r.Limit, total)] {
		page = append(page, Hit{ID: d.ID})
	}
	return fmt.Sprintln(total, facets, ids(page))
}

// answerOf is a result in the same form.
func answerOf(r Result) string {
	var facets []string
	for _, f := range r.Facets {
		counts := map[string]int{}
		for _, v := range f.Values {
			if v.Count > 0 {
				counts[v.Value] = v.Count
			}
		}
		switch {
		case f.IsRange():
			facets = append(facets, fmt.Sprint(f.Name, f.Min, f.Max, f.Count))
		case len(counts) > 0:
			facets = append(facets, fmt.Sprint(f.Name, counts))
		}
	}
	return fmt.Sprintln(r.Total, strings.Join(facets, " "), ids(r.Hits))
}

// crowdOf draws so many documents, more than the ordinary properties can draw one by one.
func crowdOf(random *rand.Rand, n int) map[string]Document {
	words := strings.Fields(
		"lampa lampor lampskärm skärm bord bordslampa bordet röd grön stor liten kamera kameror 12v dsc-w120")
	text := func(most int) string {
		out := make([]string, random.IntN(most+1))
		for i := range out {
			out[i] = words[min(random.IntN(len(words)), random.IntN(len(words)))]
		}
		return strings.Join(out, " ")
	}
	docs := map[string]Document{}
	for i := range n {
		d := Document{ID: fmt.Sprintf("%03d", random.IntN(n)), InStock: random.IntN(3) > 0,
			Popularity: random.Uint32N(3)}
		d.Texts = []Passage{{Name, text(4)}, {Brand, text(1)}, {Attribute, text(3)}, {Text, text(12)}}
		for _, facet := range []string{"color", "size", "color"} {
			if random.IntN(3) > 0 {
				d.Terms = append(d.Terms, Term{facet, fmt.Sprint(random.IntN(4)), facet})
			}
		}
		if random.IntN(4) > 0 {
			d.Amounts = []Amount{{"price", dec.Int(random.Int64N(50))}, {"order", dec.Int(int64(i % 7))}}
		}
		if random.IntN(9) == 0 {
			d.Opens, d.Closes = random.Int64N(10), random.Int64N(20)
		}
		docs[d.ID] = d
	}
	return docs
}

// What a search finds by its short ways is what looking at every document finds.
func TestSearchAnswersLikeLookingAtEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		x, docs := New("", "sv"), map[string]Document{}
		for range 1 + random.IntN(3) { // the later ones bury some of those before
			for id, d := range crowdOf(random, 1+random.IntN(280)) {
				docs[id] = d
				x.Upsert([]Document{d}, 0)
			}
			if random.IntN(2) == 0 {
				x.Compact()
			}
		}
		x.merges.Wait()
		queries := []string{"", "lampa", "lampa bord", "röd lampa bord", "bordslampa grön stor liten kamera ",
			"lampa -bord", "lanpa", "dsc w120 lampa", "skä", "röd kamera 12v dscw120 bordet"}
		for range 4 {
			r := Request{Text: queries[random.IntN(len(queries))], Facets: []string{"color", "price", "size", "order"},
				Limit: 1 + random.IntN(30), Offset: random.IntN(2) * random.IntN(250), InStock: random.IntN(3) == 0,
				At: int64(random.IntN(2) * random.IntN(20))}
			if random.IntN(3) == 0 {
				r.Filters = append(r.Filters, Filter{Facet: "color",
					Values: []string{"1", "9", "2"}[:1+random.IntN(3)]})
			}
			if random.IntN(3) == 0 {
				from, to := dec.Int(random.Int64N(50)), dec.Int(random.Int64N(60))
				r.Filters = append(r.Filters, Filter{Facet: "price", From: &from, To: &to})
			}
			if random.IntN(3) == 0 {
				r.Sort = []Order{{"price", random.IntN(2) == 0}, {"order", false}}
			}
			if random.IntN(4) == 0 {
				r.Amounts = []string{"price"}
				r.Amount = func(_, id string, own dec.Dec, has bool) (dec.Dec, bool) {
					return own + dec.Int(int64(id[2]-'0')), has || id[2] == '3'
				}
			}
			if got, want := answerOf(x.Search(r)), newSlow(x, docs, r).answer(); got != want {
				t.Fatalf("%+v\nanswers %s\nand must %s", r, got, want)
			}
		}
	})
}
