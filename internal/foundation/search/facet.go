package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"kontor/internal/foundation/dec"
)

const defaultFacetValues = 100

// choice is the filters of one facet; several count as one that all must hold.
type choice struct {
	facet   string
	filters []Filter
	fails   set // the documents that fail this choice and no other
}

// choose prepares the filters: one choice for each facet, those of words first, because they are the cheaper ones.
func (q *searching) choose() {
	for _, f := range q.Filters {
		if len(f.Values) == 0 && f.From == nil && f.To == nil {
			continue
		}
		i := slices.IndexFunc(q.choices, func(c choice) bool { return c.facet == f.Facet })
		if i < 0 {
			i = len(q.choices)
			q.choices = append(q.choices, choice{facet: f.Facet})
		}
		q.choices[i].filters = append(q.choices[i].filters, f)
	}
	slices.SortStableFunc(q.choices, func(a, b choice) int { return cmp.Compare(a.ranges(), b.ranges()) })
}

// ranges is how many of the filters are of amounts.
func (c choice) ranges() (n int) {
	for _, f := range c.filters {
		if len(f.Values) == 0 {
			n++
		}
	}
	return n
}

// passing is the documents that pass every choice. For each choice those are kept that fail it alone: they count for
// its facet.
func (q *searching) passing(docs set) set {
	pass := docs
	for i := range q.choices {
		c := &q.choices[i]
		holding := q.copyOf(pass) // at first those that fail one choice at most
		for j := range i {
			holding.join(q.choices[j].fails)
		}
		for _, f := range c.filters {
			for n := range q.views {
				v := &q.views[n]
				part := v.of(holding)
				if from, to := v.valuesOf(f.Facet); len(f.Values) > 0 || from < to {
					part.meet(q.having(v, f))
				} else {
					q.keepWithin(v, f, part)
				}
			}
		}
		for j := range i {
			q.choices[j].fails.meet(holding)
		}
		c.fails = q.copyOf(pass)
		c.fails.leave(holding)
		pass = q.copyOf(pass)
		pass.meet(holding)
	}
	return pass
}

// having is the documents of a view that have one of a filter's values, or one that its range holds.
func (q *searching) having(v *view, f Filter) set {
	out := q.set(v.size())
	var chosen []*roaring.Bitmap
	for _, value := range f.Values {
		if n, ok := v.values.find(f.Facet + "\x00" + value); ok {
			chosen = append(chosen, v.bitmaps[n])
		}
	}
	if from, to := v.valuesOf(f.Facet); len(f.Values) == 0 {
		for n := from; n < to; n++ {
			if number, is := numberOf(v.values.text(n)); is && f.holds(number) {
				chosen = append(chosen, v.bitmaps[n])
			}
		}
	}
	switch len(chosen) {
	case 0:
	case 1:
		chosen[0].WriteDenseTo(out)
	default:
		roaring.FastOr(chosen...).WriteDenseTo(out)
	}
	return out
}

// HasTerm reports whether a document has a value of a facet.
func (x *Index) HasTerm(facet, value string) bool {
	return x.now.Load().countOf(facet+"\x00"+value, 0, 1) > 0
}

// keepWithin leaves the documents whose amount lies in a filter's range.
func (q *searching) keepWithin(v *view, f Filter, docs set) {
	amounts, _ := v.amountsOf(f.Facet)
	docs.each(func(doc uint32) {
		amount, has := q.amountAt(v, doc, f.Facet, &amounts)
		if !has || !f.holds(amount) {
			docs.remove(doc)
		}
	})
}

// filter leaves the documents that pass every choice, and counts facets.
func (q *searching) filter(docs set) set {
	q.choose()
	q.begin()
	docs = q.passing(docs)
	for i := range q.views {
		v := &q.views[i]
		if q.counts != nil {
			q.countValues(v, v.of(docs), 0, uint32(v.values.len()))
		}
		for _, s := range q.ranges {
			q.measure(s, v, v.of(docs))
		}
		for _, c := range q.choices {
			if s := q.rangeOf(c.facet); s != nil {
				q.measure(s, v, v.of(c.fails))
			}
			if from, to := v.valuesOf(c.facet); q.counts != nil && from < to {
				q.countValues(v, v.of(c.fails), from, to)
			}
		}
	}
	return docs
}

// countValues adds to the counts of a range of a view's values how many of the documents have them. Of many documents
// the others are counted, and taken from what is known of all.
func (q *searching) countValues(v *view, docs set, from, to uint32) {
	counts, sign, flip := q.tally.take(int(to-from)), int32(1), uint64(0)
	if docs.len()*2 > int(v.size()) {
		for i := range counts {
			counts[i] = int32(v.bitmaps[from+uint32(i)].GetCardinality())
		}
		sign, flip = -1, ^uint64(0)
	}
	for i, w := range docs {
		w ^= flip
		if rest := v.size() - uint32(i)*64; rest < 64 {
			w &= 1<<rest - 1
		}
		for ; w != 0; w &= w - 1 {
			doc := uint32(i*64 + bits.TrailingZeros64(w))
			if v.narrow.offsets == nil {
				v.eachValue(doc, func(value uint32) {
					if value >= from && value < to {
						counts[value-from] += sign
					}
				})
				continue
			}
			for _, value := range v.narrow.cells[v.narrow.offsets[doc]:v.narrow.offsets[doc+1]] {
				if at := uint32(value) - from; at < uint32(len(counts)) { // those before from are large now
					counts[at] += sign
				}
			}
		}
	}
	for i, n := range counts {
		q.counts[v.numbers[from+uint32(i)]] += int(n)
	}
}

// span is what is known of an amount's facet.
type span struct {
	facet    string
	min, max dec.Dec
	count    int
}

func (s *span) add(amount dec.Dec, docs int) {
	if s.count == 0 || amount < s.min {
		s.min = amount
	}
	if s.count == 0 || amount > s.max {
		s.max = amount
	}
	s.count += docs
}

// begin makes room for the counts of the facets that were asked for. A facet that no document has as words or as an
// amount may still be an amount that the request alone knows.
func (q *searching) begin() {
	for _, name := range q.Facets {
		hasWords, hasAmounts := q.book.facet(name) != nil, false
		if hasWords && q.counts == nil {
			q.counts = make([]int, len(q.book.keys))
		}
		for i := range q.views {
			_, has := q.views[i].amountNames.find(name)
			hasAmounts = hasAmounts || has
		}
		if hasAmounts || !hasWords {
			q.ranges = append(q.ranges, &span{facet: name})
		}
	}
}

// rangeOf is what is known of an amount's facet; nil when it was not asked for or is of words.
func (q *searching) rangeOf(facet string) *span {
	for _, s := range q.ranges {
		if s.facet == facet {
			return s
		}
	}
	return nil
}

// measure adds the amounts of a view's documents.
func (q *searching) measure(s *span, v *view, docs set) {
	amounts, ascending := v.amountsOf(s.facet)
	if q.asks(s.facet) {
		docs.each(func(doc uint32) {
			if amount, has := q.amountAt(v, doc, s.facet, &amounts); has {
				s.add(amount, 1)
			}
		})
		return
	}
	n := 0
	for i, has := range amounts.has {
		n += bits.OnesCount64(docs[i] & has)
	}
	if n == 0 {
		return
	}
	// The least is soon met from one end, the greatest from the other, unless the documents are few or all in the
	// middle.
	least, greatest := 0, len(ascending)-1
	for least < min(n, len(ascending)) && !docs.has(ascending[least]) {
		least++
	}
	for greatest >= max(len(ascending)-n, 0) && !docs.has(ascending[greatest]) {
		greatest--
	}
	if least < min(n, len(ascending)) && greatest >= max(len(ascending)-n, 0) {
		first, _ := amounts.at(ascending[least])
		last, _ := amounts.at(ascending[greatest])
		s.add(dec.Dec(first), n)
		s.add(dec.Dec(last), 0)
		return
	}
	for i, has := range amounts.has {
		for w := docs[i] & has; w != 0; w &= w - 1 {
			before := bits.OnesCount64(has & (w&-w - 1))
			s.add(dec.Dec(amounts.values[int(amounts.ranks[i])+before]), 1)
		}
	}
}

// numbers are the least and the greatest of a facet's words, which are numbers.
func (q *searching) numbers(name string) *span {
	s := &span{facet: name}
	for _, n := range q.book.facet(name) {
		if number, is := numberOf(q.book.keys[n]); is && q.counts[n] > 0 {
			s.add(number, q.counts[n])
		}
	}
	return s
}

// numberOf is the number that a value is, given with the facet that it is of.
func numberOf(key string) (dec.Dec, bool) {
	_, value, _ := strings.Cut(key, "\x00")
	number, err := dec.Parse(value)
	return number, err == nil
}

// facets is the answer to the facets that were asked for. Those without any value are left out.
func (q *searching) facets() (out []Facet) {
	for _, name := range q.Facets {
		s := q.rangeOf(name)
		if slices.Contains(q.Numbers, name) {
			s = q.numbers(name)
		} else if values := q.facetValues(name); len(values) > 0 {
			out = append(out, Facet{Name: name, Values: values, Count: len(values)})
			continue
		}
		if s != nil && s.count > 0 {
			out = append(out, Facet{Name: name, Min: s.min, Max: s.max, Count: s.count})
		}
	}
	return out
}

func (q *searching) facetValues(name string) []FacetValue {
	var chosen []string
	for _, f := range q.Filters {
		if f.Facet == name {
			chosen = append(chosen, f.Values...)
		}
	}
	var values []FacetValue
	for _, n := range q.book.facet(name) {
		_, value, _ := strings.Cut(q.book.keys[n], "\x00")
		selected := slices.Contains(chosen, value)
		if q.counts[n] > 0 || selected && q.countOf(q.book.keys[n], 0, 1) > 0 {
			values = append(values, FacetValue{value, q.book.labels[n], q.counts[n], selected})
		}
	}
	most := cmp.Or(q.FacetValues, defaultFacetValues)
	compare := func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label),
			strings.Compare(a.Value, b.Value))
	}
	if len(values) <= most {
		slices.SortFunc(values, compare)
		return values
	}
	slices.SortFunc(values, compare)
	kept := values[:most]
	for _, v := range values[most:] {
		if v.Selected {
			kept = append(kept, v)
		}
	}
	return kept
}
