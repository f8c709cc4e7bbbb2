package search

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/dec"
)

const defaultFacetValues = 100

// choice is the filters of one facet; several count as one that all must hold.
type choice struct {
	facet   string
	filters []Filter
	// of each view: the values chosen by the filters that have values, and the range of the facet's values
	values   [][][]uint32
	from, to []uint32
}

// choose prepares the filters: one choice for each facet. Beyond 64 facets the choices of the rest count as one.
func (q *searching) choose() {
	for _, f := range q.Filters {
		i := slices.IndexFunc(q.choices, func(c choice) bool { return c.facet == f.Facet })
		if i < 0 {
			i = len(q.choices)
			q.choices = append(q.choices, choice{facet: f.Facet})
		}
		q.choices[i].filters = append(q.choices[i].filters, f)
	}
	for i := range q.choices {
		c := &q.choices[i]
		for j := range q.views {
			v := &q.views[j]
			from, to := v.valuesOf(c.facet)
			c.from, c.to = append(c.from, from), append(c.to, to)
			var chosen [][]uint32
			for _, f := range c.filters {
				chosen = append(chosen, v.chosen(f))
			}
			c.values = append(c.values, chosen)
		}
	}
}

// chosen is the places of a filter's values in a segment.
func (g *segment) chosen(f Filter) []uint32 {
	out := []uint32{}
	for _, value := range f.Values {
		if n, ok := g.values.find(f.Facet + "\x00" + value); ok {
			out = append(out, n)
		}
	}
	return out
}

// narrowest is the chosen values with the fewest documents in a view, when only one value is chosen; nil when no choice
// may be applied first. With facets to count, documents that fail one choice are needed for the counts of that facet.
func (q *searching) narrowest(v *view) []uint32 {
	if len(q.choices) != 1 || len(q.choices[0].filters) != 1 || slices.Contains(q.Facets, q.choices[0].facet) {
		return nil
	}
	f := q.choices[0].filters[0]
	if len(f.Values) != 1 {
		return nil
	}
	return v.chosen(f)
}

// holds reports whether a document passes a choice.
func (q *searching) holds(c *choice, f found) bool {
	row := q.views[f.view].rows.at(f.doc)
	for i, filter := range c.filters {
		if len(filter.Values) > 0 {
			if !slices.ContainsFunc(c.values[f.view][i], func(v uint32) bool { return slices.Contains(row, v) }) {
				return false
			}
			continue
		}
		if filter.From == nil && filter.To == nil {
			continue
		}
		amount, has := q.amountOf(f, c.facet)
		if !has || filter.From != nil && amount < *filter.From || filter.To != nil && amount > *filter.To {
			return false
		}
	}
	return true
}

// filter leaves the documents that pass every choice, and counts facets on the way: a document that fails one choice
// alone counts for that facet.
func (q *searching) filter(all []found) []found {
	q.begin()
	n := 0
	for _, f := range all {
		failed, fails := 0, 0
		for i := range q.choices {
			if !q.holds(&q.choices[i], f) {
				failed = i
				if fails++; fails > 1 {
					break
				}
			}
		}
		switch {
		case fails == 0:
			q.count(f)
			all[n] = f
			n++
		case fails == 1:
			q.countOnly(&q.choices[failed], f)
		}
	}
	return all[:n]
}

// span is what is known of an amount's facet.
type span struct {
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

// begin makes room for the counts of the facets that were asked for.
func (q *searching) begin() {
	for _, name := range q.Facets {
		if q.book.facet(name) != nil {
			if q.counts == nil {
				q.counts = make([]int, len(q.book.keys))
			}
			continue
		}
		if q.ranges == nil {
			q.ranges = map[string]*span{}
		}
		q.ranges[name] = &span{}
	}
}

func (q *searching) count(f found) {
	if q.counts != nil {
		v := &q.views[f.view]
		for _, value := range v.rows.at(f.doc) {
			q.counts[v.numbers[value]]++
		}
	}
	for name, s := range q.ranges {
		if amount, has := q.amountOf(f, name); has {
			s.add(amount)
		}
	}
}

// countOnly counts a document for one facet.
func (q *searching) countOnly(c *choice, f found) {
	if s := q.ranges[c.facet]; s != nil {
		if amount, has := q.amountOf(f, c.facet); has {
			s.add(amount)
		}
		return
	}
	if q.counts == nil {
		return
	}
	v := &q.views[f.view]
	for _, value := range v.rows.at(f.doc) {
		if c.from[f.view] <= value && value < c.to[f.view] {
			q.counts[v.numbers[value]]++
		}
	}
}

// facets is the answer to the facets that were asked for. Those without any value are left out.
func (q *searching) facets() (out []Facet) {
	for _, name := range q.Facets {
		if s := q.ranges[name]; s != nil {
			if s.count > 0 {
				out = append(out, Facet{Name: name, Min: s.min, Max: s.max, Count: s.count})
			}
			continue
		}
		if values := q.facetValues(name); len(values) > 0 {
			out = append(out, Facet{Name: name, Values: values, Count: len(values)})
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
		if q.counts[n] > 0 || selected {
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
