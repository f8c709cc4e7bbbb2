package search

import (
	"cmp"
	"slices"

	"kontor/internal/dec"
)

// Search answers a request from the documents of this moment.
func (x *Index) Search(r Request) Result {
	return x.now.Load().search(x.lang, x.lexis.Load(), r, false)
}

func (s *snapshot) search(lang *language, lexis *lexicon, r Request, isTyping bool) Result {
	sc := scratches.Get().(*scratch)
	defer scratches.Put(sc)
	e := s.expand(lang.parse(r.Text), lang, lexis, isTyping)
	q := searching{Request: r, snapshot: s, scratch: sc, expansion: e}
	var all []found
	if len(e.concepts) > 0 {
		all = e.findAll(s, sc)
	} else if r.Text == "" || len(e.without) > 0 {
		all = q.everything()
	}
	all = q.visible(all)
	all = q.filter(all)
	return Result{Hits: q.hits(all), Total: len(all), Facets: q.facets(), Corrected: e.correction(), Synonyms: e.synonyms,
		Marker: markerOf(lang, e)}
}

// searching is one search under way.
type searching struct {
	Request
	*snapshot
	*scratch
	*expansion
	choices []choice
	counts  []int   // of the values in the book
	ranges  []*span // of the facets that are amounts
}

// everything is all living documents.
func (q *searching) everything() []found {
	out := q.all[:0]
	for i := range q.views {
		v := &q.views[i]
		for d := range v.size() {
			if !v.dead.has(d) {
				out = append(out, found{view: int32(i), doc: d, cover: 1})
			}
		}
	}
	q.all = out
	return out
}

// visible leaves the documents that are open at the moment, in stock if they must be, without excluded words, with the
// phrases, and with enough of the words.
func (q *searching) visible(all []found) []found {
	banned := q.banned()
	isBounded := q.At != 0 && slices.ContainsFunc(q.views, func(v view) bool { return v.opens != nil })
	if q.InStock || banned != nil || isBounded {
		all = slices.DeleteFunc(all, func(f found) bool {
			v := &q.views[f.view]
			return q.InStock && v.inStock[f.doc] == 0 || banned != nil && banned[f.view].has(f.doc) || !v.isOpen(f.doc, q.At)
		})
	}
	if len(q.phrases) > 0 {
		all = q.withPhrases(all)
	}
	if len(q.concepts) < 2 {
		return all
	}
	best := float32(0)
	for _, f := range all {
		best = max(best, f.cover)
	}
	return slices.DeleteFunc(all, func(f found) bool { return f.cover < best*enough })
}

// banned is the documents that hold an excluded word, by view; nil when no word is excluded.
func (q *searching) banned() []set {
	if len(q.without) == 0 {
		return nil
	}
	out := make([]set, len(q.views))
	for i := range q.views {
		v := &q.views[i]
		out[i] = setOf(v.size())
		for _, t := range q.without {
			w := wantedOf(t)
			w.also = nil
			w.resolve(v.segment, func(word uint32, _ float32) bool {
				v.eachPosting(word, func(doc uint32, _ byte) { out[i].add(doc) })
				return true
			})
		}
	}
	return out
}

// hits puts the page that was asked for in order.
func (q *searching) hits(all []found) []Hit {
	from := min(max(q.Offset, 0), len(all))
	to := min(from+max(q.Limit, 0), len(all))
	if from == to {
		return nil
	}
	var page []found
	if len(q.Sort) > 0 {
		page = q.sorted(all, to)
	} else {
		page = q.ranked(all, to)
	}
	hits := make([]Hit, 0, to-from)
	for _, f := range page[from:to] {
		hits = append(hits, Hit{q.id(f), float64(f.score)})
	}
	return hits
}

func (q *searching) id(f found) string { return q.views[f.view].ids.text(f.doc) }

// tie orders documents between which nothing else decides: what is in stock, what is popular, then by id.
func (q *searching) tie(a, b found) int {
	va, vb := &q.views[a.view], &q.views[b.view]
	if c := cmp.Compare(vb.inStock[b.doc], va.inStock[a.doc]); c != 0 {
		return c
	}
	if c := cmp.Compare(vb.popularity[b.doc], va.popularity[a.doc]); c != 0 {
		return c
	}
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(va.ids.text(a.doc), vb.ids.text(b.doc))
}

// sortKey is what a document sorts by under one order.
type sortKey struct {
	has    bool
	amount dec.Dec
	text   []byte
}

// sortColumn is where the documents of a view have what they sort by.
type sortColumn struct {
	texts  *table
	amount uint32
}

// columns are where an order's keys are, by view.
func (q *searching) columns(o Order) []sortColumn {
	out := make([]sortColumn, len(q.views))
	for i := range q.views {
		v := &q.views[i]
		if n, ok := v.keyNames.find(o.Key); ok {
			out[i].texts = &v.keys[n]
		}
		out[i].amount = v.amountPlace(o.Key)
	}
	return out
}

func (q *searching) sortKey(f found, o Order, columns []sortColumn) (k sortKey) {
	c := columns[f.view]
	if c.texts != nil {
		if k.text = c.texts.at(f.doc); len(k.text) > 0 {
			k.has = true
			return k
		}
	}
	k.amount, k.has = q.amountAt(int(f.view), f.doc, o.Key, c.amount)
	return k
}

func (a sortKey) compare(b sortKey, descending bool) int {
	if a.has != b.has {
		if a.has {
			return -1
		}
		return 1
	}
	c := cmp.Or(cmp.Compare(string(a.text), string(b.text)), cmp.Compare(a.amount, b.amount))
	if descending {
		return -c
	}
	return c
}

// amountPlace is the place of an amount's name; gone where no document has it.
func (g *segment) amountPlace(name string) uint32 {
	if n, ok := g.amountNames.find(name); ok {
		return n
	}
	return gone
}

// amountAt is an amount of a document as the request sees it; place is that of the name.
func (q *searching) amountAt(view int, doc uint32, name string, place uint32) (dec.Dec, bool) {
	v := &q.views[view]
	own, has := int64(0), false
	if place != gone {
		own, has = v.amount(doc, place)
	}
	if q.Amount != nil {
		return q.Amount(name, v.ids.text(doc), dec.Dec(own), has)
	}
	return dec.Dec(own), has
}

type keyed struct {
	found
	sortKey
}

// sorted is the first documents by the request's sort keys, then by tie.
func (q *searching) sorted(all []found, most int) []found {
	columns := make([][]sortColumn, len(q.Sort))
	for i, o := range q.Sort {
		columns[i] = q.columns(o)
	}
	compare := func(a, b keyed) int {
		c := a.compare(b.sortKey, q.Sort[0].Descending)
		for i, o := range q.Sort[1:] {
			if c != 0 {
				return c
			}
			c = q.sortKey(a.found, o, columns[i+1]).compare(q.sortKey(b.found, o, columns[i+1]), o.Descending)
		}
		if c != 0 {
			return c
		}
		return q.tie(a.found, b.found)
	}
	list := make([]keyed, 0, min(most, len(all)))
	for i, f := range all {
		k := keyed{f, q.sortKey(f, q.Sort[0], columns[0])}
		if len(list) < most {
			if list = append(list, k); len(list) == most && i < len(all)-1 {
				heap(list, compare)
			}
		} else if compare(k, list[0]) < 0 {
			list[0] = k
			sink(list, 0, compare)
		}
	}
	slices.SortFunc(list, compare)
	page := make([]found, len(list))
	for i, k := range list {
		page[i] = k.found
	}
	return page
}

// first is the n least of a list, in order. The list is used up.
func first[T any](list []T, n int, compare func(a, b T) int) []T {
	if n >= len(list) {
		slices.SortFunc(list, compare)
		return list
	}
	least := list[:n]
	heap(least, compare)
	for _, t := range list[n:] {
		if n > 0 && compare(t, least[0]) < 0 {
			least[0] = t
			sink(least, 0, compare)
		}
	}
	slices.SortFunc(least, compare)
	return least
}

// heap puts the greatest on top.
func heap[T any](list []T, compare func(a, b T) int) {
	for i := len(list)/2 - 1; i >= 0; i-- {
		sink(list, i, compare)
	}
}

func sink[T any](heap []T, i int, compare func(a, b T) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && compare(heap[child+1], heap[child]) > 0 {
			child++
		}
		if compare(heap[child], heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
