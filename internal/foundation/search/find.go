package search

import (
	"bytes"
	"cmp"
	"slices"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Search answers a request from the documents of this moment.
func (x *Index) Search(r Request) Result {
	return x.now.Load().search(x.lang, x.lexis.Load(), r, way{isExact: r.Exact, deadline: r.Deadline})
}

func (s *snapshot) search(lang *language, lexis *lexicon, r Request, w way) Result {
	sc := scratches.Get().(*scratch)
	defer scratches.Put(sc)
	sc.begin(s.span)
	e := s.expand(lang.parse(r.Text), lang, lexis, w)
	q := searching{Request: r, way: w, snapshot: s, scratch: sc, expansion: e}
	docs := sc.set(s.span)
	if len(e.concepts) > 0 {
		docs = q.findAll()
	} else if r.Text == "" || len(e.without) > 0 {
		docs = q.everything()
	}
	docs = q.filter(q.withEnough(q.visible(docs)))
	if q.isLate() {
		return Result{Late: true}
	}
	return Result{Hits: q.hits(docs), Total: docs.len(), Facets: q.facets(), Corrected: e.correction(),
		Synonyms: e.synonyms, Marker: markerOf(lang, e), Until: s.until(r.At)}
}

// until is the next moment at which a document opens or closes; 0 = none does, or moments do not count.
func (s *snapshot) until(at int64) (next int64) {
	for i := range s.views {
		moments := s.views[i].moments
		n, _ := slices.BinarySearch(moments, at+1)
		if at != 0 && n < len(moments) && (next == 0 || moments[n] < next) {
			next = moments[n]
		}
	}
	return next
}

// searching is one search under way.
type searching struct {
	Request
	way
	*snapshot
	*scratch
	*expansion
	besides set               // documents that hold less than enough; nil where none was let in
	held    []column[float32] // how well documents hold the concepts
	choices []choice
	counts  []int   // of the values in the book
	ranges  []*span // of the facets that are amounts
}

// found is a document on its way into the answer.
type found struct {
	doc   uint32
	score float32
}

// everything is all living documents.
func (q *searching) everything() set {
	all := q.set(q.span)
	for i := range q.views {
		v := &q.views[i]
		v.of(all).fill(v.size())
		v.of(all).leave(v.dead)
	}
	return all
}

// visible leaves the documents that are open at the moment, in stock if they must be, without excluded words and with
// the phrases.
func (q *searching) visible(docs set) set {
	for i := range q.views {
		v := &q.views[i]
		part := v.of(docs)
		if q.InStock {
			part.meet(v.stocked)
		}
		q.leaveBanned(v, part)
		if q.At == 0 || v.opens == nil {
			continue
		}
		part.each(func(doc uint32) {
			if !v.isOpen(doc, q.At) {
				part.remove(doc)
			}
		})
	}
	if len(q.phrases) > 0 {
		return q.withPhrases(docs)
	}
	return docs
}

// leaveBanned takes out the documents of a view that hold an excluded word.
func (q *searching) leaveBanned(v *view, docs set) {
	for _, t := range q.without {
		w := wantedOf(t)
		w.also = nil
		v.eachDoc(w, docs.remove)
	}
}

// hits puts the page that was asked for in order.
func (q *searching) hits(docs set) []Hit {
	total := docs.len()
	from := min(max(q.Offset, 0), total)
	to := from + min(max(q.Limit, 0), total-from)
	if from == to {
		return nil
	}
	var page []found
	if len(q.Sort) > 0 {
		page = q.sorted(docs, to)
	} else {
		page = q.tiered(docs, to)
	}
	hits := make([]Hit, 0, to-from)
	for _, f := range page[from:to] {
		hits = append(hits, Hit{q.id(f.doc), float64(f.score)})
	}
	return hits
}

// tiered is the first documents by relevance, those that hold enough before the others.
func (q *searching) tiered(docs set, most int) []found {
	if q.besides == nil {
		return q.ranked(docs, most)
	}
	behind := q.copyOf(docs)
	behind.meet(q.besides)
	before := q.copyOf(docs)
	before.leave(behind)
	return append(q.ranked(before, most), q.ranked(behind, most)...)
}

// viewOf is the view that a document is in.
func (s *snapshot) viewOf(doc uint32) int {
	i := len(s.views) - 1
	for s.views[i].base > doc {
		i--
	}
	return i
}

// place is where a document is: its view, and its number there.
func (s *snapshot) place(doc uint32) (*view, uint32) {
	v := &s.views[s.viewOf(doc)]
	return v, doc - v.base
}

func (s *snapshot) id(doc uint32) string {
	v, d := s.place(doc)
	return v.ids.text(d)
}

// tie orders documents between which nothing else decides: what is in stock, what is popular, then by id.
func (q *searching) tie(a, b found) int {
	if len(q.views) == 1 && a.score == b.score {
		return int(q.views[0].ranks[a.doc]) - int(q.views[0].ranks[b.doc])
	}
	va, da := q.place(a.doc)
	vb, db := q.place(b.doc)
	if c := cmp.Compare(vb.inStock[db], va.inStock[da]); c != 0 {
		return c
	}
	if c := cmp.Compare(vb.popularity[db], va.popularity[da]); c != 0 {
		return c
	}
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(va.ids.text(da), vb.ids.text(db))
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
	amount column[int64]
}

// columns are where an order's keys are, by view.
func (q *searching) columns(o Order) []sortColumn {
	out := make([]sortColumn, len(q.views))
	for i := range q.views {
		v := &q.views[i]
		if n, ok := v.keyNames.find(o.Key); ok {
			out[i].texts = &v.keys[n]
		}
		out[i].amount, _ = v.amountsOf(o.Key)
	}
	return out
}

func (q *searching) sortKey(v *view, doc uint32, o Order, c *sortColumn) (k sortKey) {
	if c.texts != nil {
		if k.text = c.texts.at(doc); len(k.text) > 0 {
			k.has = true
			return k
		}
	}
	k.amount, k.has = q.amountAt(v, doc, o.Key, &c.amount)
	return k
}

func (a sortKey) compare(b sortKey, descending bool) int {
	if a.has != b.has {
		if a.has {
			return -1
		}
		return 1
	}
	c := cmp.Or(bytes.Compare(a.text, b.text), cmp.Compare(a.amount, b.amount))
	if descending {
		return -c
	}
	return c
}

// asks reports whether the request has the last word on an amount.
func (q *searching) asks(name string) bool {
	return q.Amount != nil && (q.Amounts == nil || slices.Contains(q.Amounts, name))
}

// amountAt is an amount of a document as the request sees it.
func (q *searching) amountAt(v *view, doc uint32, name string, amounts *column[int64]) (dec.Dec, bool) {
	own, has := amounts.at(doc)
	if q.asks(name) {
		return q.Amount(name, v.ids.text(doc), dec.Dec(own), has)
	}
	return dec.Dec(own), has
}

// leading keeps the first of those that it is offered.
type leading[T any] struct {
	list    []T
	most    int
	compare func(a, b T) int
}

func (l *leading[T]) isFull() bool { return len(l.list) >= l.most }

func (l *leading[T]) offer(t T) {
	switch {
	case !l.isFull():
		if l.list = append(l.list, t); l.isFull() {
			heap(l.list, l.compare)
		}
	case l.most > 0 && l.compare(t, l.list[0]) < 0:
		l.list[0] = t
		sink(l.list, 0, l.compare)
	}
}

func (l *leading[T]) sorted() []T {
	slices.SortFunc(l.list, l.compare)
	return l.list
}

// first is the n least of a list, in order. The list is used up.
func first[T any](list []T, n int, compare func(a, b T) int) []T {
	l := leading[T]{list: list[:0], most: n, compare: compare}
	for _, t := range list {
		l.offer(t)
	}
	return l.sorted()
}

type keyed struct {
	found
	sortKey
}

// sorted is the first documents by the request's sort keys, then by tie.
func (q *searching) sorted(docs set, most int) []found {
	columns := each.Of(q.Sort, q.columns)
	key := func(doc uint32, i int) sortKey {
		n := q.viewOf(doc)
		return q.sortKey(&q.views[n], doc-q.views[n].base, q.Sort[i], &columns[i][n])
	}
	l := leading[keyed]{most: most, compare: func(a, b keyed) int {
		c := a.compare(b.sortKey, q.Sort[0].Descending)
		for i := 1; c == 0 && i < len(q.Sort); i++ {
			c = key(a.doc, i).compare(key(b.doc, i), q.Sort[i].Descending)
		}
		if c != 0 {
			return c
		}
		return q.tie(a.found, b.found)
	}}
	docs.each(func(doc uint32) { l.offer(keyed{found{doc, q.score(doc)}, key(doc, 0)}) })
	page := make([]found, len(l.list))
	for i, k := range l.sorted() {
		page[i] = k.found
	}
	return page
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
