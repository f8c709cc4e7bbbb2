package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"kontor/internal/dec"
)

const defaultFacetValues = 100

// choice is the filters of one facet; several count as one that all must hold.
type choice struct {
	facet   string
	filters []Filter
	fails   []set // by view: the documents that fail this choice and no other
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

// passing is the documents of a set that pass every choice. For each choice those are kept that fail it alone: they count
// for its facet.
func (q *searching) passing(view int, base set) set {
	pass := base
	for i := range q.choices {
		c := &q.choices[i]
		near := slices.Clone(pass) // those that fail one choice at most
		for j := range i {
			near.join(q.choices[j].fails[view])
		}
		holding := q.holding(c, view, near)
		for j := range i {
			q.choices[j].fails[view].meet(holding)
		}
		fails := slices.Clone(pass)
		fails.leave(holding)
		c.fails = append(c.fails, fails)
		pass = slices.Clone(pass)
		pass.meet(holding)
	}
	return pass
}

// holding is the documents that pass a choice; of those that are not candidates nothing is known.
func (q *searching) holding(c *choice, view int, candidates set) set {
	v := &q.views[view]
	for _, f := range c.filters {
		var holds set
		if len(f.Values) > 0 {
			holds = v.having(f)
		} else {
			holds = q.within(view, f, candidates)
		}
		if len(c.filters) == 1 {
			return holds
		}
		holds.meet(candidates)
		candidates = holds
	}
	return candidates
}

// having is the documents of a segment that have one of a filter's values.
func (g *segment) having(f Filter) set {
	out := setOf(g.size())
	var chosen []*roaring.Bitmap
	for _, value := range f.Values {
		if n, ok := g.values.find(f.Facet + "\x00" + value); ok {
			chosen = append(chosen, g.bitmaps[n])
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

// within is the candidates whose amount lies in a filter's range.
func (q *searching) within(view int, f Filter, candidates set) set {
	out := setOf(q.views[view].size())
	name := q.views[view].amountPlace(f.Facet)
	candidates.each(func(doc uint32) {
		amount, has := q.amountAt(view, doc, f.Facet, name)
		if has && (f.From == nil || amount >= *f.From) && (f.To == nil || amount <= *f.To) {
			out.add(doc)
		}
	})
	return out
}

// filter leaves the documents that pass every choice, and counts facets.
func (q *searching) filter(all []found) []found {
	q.choose()
	if len(q.choices) == 0 && len(q.Facets) == 0 {
		return all
	}
	q.begin()
	bases := make([]set, len(q.views))
	for i := range q.views {
		bases[i] = setOf(q.views[i].size())
	}
	for _, f := range all {
		bases[f.view].add(f.doc)
	}
	passes := make([]set, len(q.views))
	for i, base := range bases {
		passes[i] = q.passing(i, base)
		q.count(i, passes[i])
	}
	if len(q.choices) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(f found) bool { return !passes[f.view].has(f.doc) })
}

// count counts the documents of a view that pass, and for the facet of each choice those that fail it alone.
func (q *searching) count(view int, pass set) {
	v := &q.views[view]
	if q.counts != nil {
		q.countValues(v, pass, 0, uint32(v.values.len()))
	}
	for _, s := range q.ranges {
		q.measure(s, view, pass)
	}
	for i := range q.choices {
		c := &q.choices[i]
		if s := q.rangeOf(c.facet); s != nil {
			q.measure(s, view, c.fails[view])
		}
		if from, to := v.valuesOf(c.facet); q.counts != nil && from < to {
			q.countValues(v, c.fails[view], from, to)
		}
	}
}

// countValues adds to the counts of a range of a view's values how many of the documents have them. Of many documents the
// others are counted, and taken from what is known of all.
func (q *searching) countValues(v *view, docs set, from, to uint32) {
	counts, sign := make([]int, to-from), 1
	if docs.len()*2 > int(v.size()) {
		for i := range counts {
			counts[i] = int(v.bitmaps[from+uint32(i)].GetCardinality())
		}
		docs, sign = docs.others(v.size()), -1
	}
	isAll := from == 0 && int(to) == v.values.len()
	docs.each(func(doc uint32) {
		for _, value := range v.rows.at(doc) {
			if isAll || from <= value && value < to {
				counts[value-from] += sign
			}
		}
	})
	for i, n := range counts {
		q.counts[v.numbers[from+uint32(i)]] += n
	}
}

// span is what is known of an amount's facet.
type span struct {
	facet    string
	names    []uint32 // of the amount, by view; gone where no document has it
	min, max dec.Dec
	count    int
}

func (s *span) add(amount dec.Dec) {
	if s.count == 0 || amount < s.min {
		s.min = amount
	}
	if s.count == 0 || amount > s.max {
		s.max = amount
	}
	s.count++
}

// begin makes room for the counts of the facets that were asked for. A facet that no document has as words or as an
// amount may still be an amount that the request alone knows.
func (q *searching) begin() {
	for _, name := range q.Facets {
		hasWords, hasAmounts := q.book.facet(name) != nil, false
		if hasWords && q.counts == nil {
			q.counts = make([]int, len(q.book.keys))
		}
		s := &span{facet: name, names: make([]uint32, len(q.views))}
		for i := range q.views {
			s.names[i] = q.views[i].amountPlace(name)
			hasAmounts = hasAmounts || s.names[i] != gone
		}
		if hasAmounts || !hasWords {
			q.ranges = append(q.ranges, s)
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

func (q *searching) measure(s *span, view int, docs set) {
	if q.Amount == nil && s.names[view] == gone {
		return
	}
	docs.each(func(doc uint32) {
		if amount, has := q.amountAt(view, doc, s.facet, s.names[view]); has {
			s.add(amount)
		}
	})
}

// facets is the answer to the facets that were asked for. Those without any value are left out.
func (q *searching) facets() (out []Facet) {
	for _, name := range q.Facets {
		if values := q.facetValues(name); len(values) > 0 {
			out = append(out, Facet{Name: name, Values: values, Count: len(values)})
		} else if s := q.rangeOf(name); s != nil && s.count > 0 {
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
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label), strings.Compare(a.Value, b.Value))
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
