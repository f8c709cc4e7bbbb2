package search

import (
	"cmp"
	"slices"

	"kontor/internal/dec"
)

// Search answers a request from the documents of this moment.
func (x *Index) Search(r Request) Result {
	s := x.now.Load()
	sc := scratches.Get().(*scratch)
	defer scratches.Put(sc)
	q := searching{Request: r, snapshot: s, scratch: sc}
	e := s.expand(x.lang.parse(r.Text), x.lang, x.lexis.Load())
	q.expansion = e
	q.choose()
	var all []found
	if len(e.concepts) > 0 {
		all = e.findAll(s, sc)
	} else if r.Text == "" || len(e.without) > 0 {
		all = q.everything()
	}
	all = q.visible(all)
	all = q.filter(all)
	return Result{Hits: q.hits(all), Total: len(all), Facets: q.facets(), Corrected: e.correction(), Synonyms: e.synonyms,
		Marker: x.marker(e)}
}

// searching is one search under way.
type searching struct {
	Request
	*snapshot
	*scratch
	*expansion
	choices []choice
	counts  []int            // of the values in the book
	ranges  map[string]*span // of the facets that are amounts
}

// everything is all living documents, or those of the narrowest choice.
func (q *searching) everything() (out []found) {
	for i := range q.views {
		v := &q.views[i]
		if least := q.narrowest(v); least != nil {
			for _, b := range least {
				for it := v.bitmaps[b].Iterator(); it.HasNext(); {
					if d := it.Next(); !v.dead.has(d) {
						out = append(out, found{view: int32(i), doc: d, cover: 1})
					}
				}
			}
			continue
		}
		for d := range v.size() {
			if !v.dead.has(d) {
				out = append(out, found{view: int32(i), doc: d, cover: 1})
			}
		}
	}
	return out
}

// visible leaves the documents that are open at the moment, in stock if they must be, without excluded words, with the
// phrases, and with enough of the words.
func (q *searching) visible(all []found) []found {
	banned := q.banned()
	all = slices.DeleteFunc(all, func(f found) bool {
		v := &q.views[f.view]
		switch {
		case q.InStock && v.inStock[f.doc] == 0, banned != nil && banned[f.view].has(f.doc):
			return true
		case v.opens == nil || q.At == 0:
			return false
		}
		return v.opens[f.doc] > q.At || v.closes[f.doc] != 0 && v.closes[f.doc] <= q.At
	})
	if len(q.phrases) > 0 {
		all = q.withPhrases(all)
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
	return cmp.Compare(string(va.ids.at(a.doc)), string(vb.ids.at(b.doc)))
}

// sortKey is what a document sorts by under one order.
type sortKey struct {
	has    bool
	amount dec.Dec
	text   []byte
}

func (q *searching) sortKey(f found, name string) (k sortKey) {
	v := &q.views[f.view]
	if n, ok := v.keyNames.find(name); ok {
		k.text = v.keys[n].at(f.doc)
		if len(k.text) > 0 {
			k.has = true
			return k
		}
	}
	k.amount, k.has = q.amountOf(f, name)
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

// amountOf is an amount of a document, as the request sees it.
func (q *searching) amountOf(f found, name string) (dec.Dec, bool) {
	v := &q.views[f.view]
	own, has := int64(0), false
	if n, ok := v.amountNames.find(name); ok {
		own, has = v.amount(f.doc, n)
	}
	if q.Amount != nil {
		return q.Amount(name, q.id(f), dec.Dec(own), has)
	}
	return dec.Dec(own), has
}

type keyed struct {
	found
	sortKey
}

// sorted is the first documents by the request's sort keys, then by tie.
func (q *searching) sorted(all []found, most int) []found {
	compare := func(a, b keyed) int {
		c := a.compare(b.sortKey, q.Sort[0].Descending)
		for _, o := range q.Sort[1:] {
			if c != 0 {
				break
			}
			c = q.sortKey(a.found, o.Key).compare(q.sortKey(b.found, o.Key), o.Descending)
		}
		if c == 0 {
			c = q.tie(a.found, b.found)
		}
		return c
	}
	list := make([]keyed, len(all))
	for i, f := range all {
		list[i] = keyed{f, q.sortKey(f, q.Sort[0].Key)}
	}
	list = first(list, most, compare)
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
	heap := list[:n] // the greatest on top
	for i := n/2 - 1; i >= 0; i-- {
		sink(heap, i, compare)
	}
	for _, t := range list[n:] {
		if n > 0 && compare(t, heap[0]) < 0 {
			heap[0] = t
			sink(heap, 0, compare)
		}
	}
	slices.SortFunc(heap, compare)
	return heap
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
