package assortment

import (
	"slices"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Sort is an order of products.
type Sort string

// The orders. Relevance without words is what is featured first, then what sells.
const (
	ByRelevance Sort = "relevance"
	ByFeatured  Sort = "featured"
	ByName      Sort = "name"
	ByPrice     Sort = "price"
	ByPriceDown Sort = "-price"
	ByNewest    Sort = "newest"
	ByRating    Sort = "rating"
)

// Values are the orders.
func (Sort) Values() []Sort {
	return []Sort{ByRelevance, ByFeatured, ByName, ByPrice, ByPriceDown, ByNewest, ByRating}
}

// Wish is what somebody looks for.
type Wish struct {
	Text          string
	Category      string   // slug or code, with its subtree
	Brand         string   // slugs or codes, separated by commas: any of them
	Choices       []Choice // all must hold
	PriceFrom     *dec.Dec // as the viewer sees prices
	PriceTo       *dec.Dec
	InStock       bool
	Sort          Sort // "" = relevance
	Offset, Limit int
	WantsFacets   bool
}

// Choice is a choice of an attribute: one of some values, or of a range written 10..20, where either end may be left
// out.
type Choice struct {
	Attribute string
	Values    []string // what stands between commas; a value that holds commas itself is several of them
}

// isRange reports whether a value that nothing has is a range.
func isRange(value string) bool { return strings.Contains(value, "..") }

// values are the values chosen: as many pieces as make a value that is known, else one each. No more of them are put
// together than such a value may be long, so that many choices cost no more than as many.
func (c Choice) values(known func(value string) bool) (out []string) {
	for i := 0; i < len(c.Values); {
		n := 1
		for long := len(c.Values[i]); i+n < len(c.Values); n++ {
			if long += 1 + len(c.Values[i+n]); long > longestValue {
				break
			}
		}
		for ; n > 1 && !known(strings.TrimSpace(strings.Join(c.Values[i:i+n], ","))); n-- {
		}
		if v := strings.TrimSpace(strings.Join(c.Values[i:i+n], ",")); v != "" {
			out = append(out, v)
		}
		i += n
	}
	return out
}

// Found is what a wish leads to.
type Found struct {
	IDs       []string // of the products wanted
	Total     int
	Facets    []Facet
	Corrected string   // the words with their typing errors mended; "" where there was nothing to mend
	Synonyms  []string // words for which synonyms were looked for as well
	Marker    search.Marker
}

// Shown is how many products there are, now that these of IDs are known to exist: what was taken out of the store since
// the index looked is not counted.
func (f Found) Shown(cards []Card) int { return f.Total - (len(f.IDs) - len(cards)) }

// Facet is what the found products have in common under one name: values to choose, or a range.
type Facet struct {
	Code, Name string
	IsRange    bool
	Values     []search.FacetValue
	Min, Max   dec.Dec
}

// FacetPrice is the code of the facet of prices.
const FacetPrice = "price"

// Browse finds products on the store index. A category or brand that is not there leads to nothing. Without an edition
// a plain list is read from the books (see plain). Refusals: Catalog.UnknownFilter for a choice that cannot be
// understood; Server.Unavailable for what takes an index while there is none, or takes too long; Request.Invalid at q
// for too many words.
func Browse(tx *db.Tx, e Edition, v Viewer, w Wish) (Found, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return Found{}, err
	}
	attributes, err := attributesOn(tx, k)
	if err != nil {
		return Found{}, err
	}
	known := func(string, string) bool { return false }
	if e.edition != nil {
		known = e.index(v.Language).HasTerm
	}
	r, possible, err := w.request(tx, v, k, attributes, known)
	if err != nil || !possible {
		return Found{IDs: []string{}}, err
	}
	if e.edition == nil {
		return plain(tx, e, v, k, w, r)
	}
	if w.priced() {
		t, err := e.tariffOf(tx, v)
		if err != nil {
			return Found{}, err
		}
		if t != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			r.Amount, r.Amounts = t.amount, []string{facetNet, facetGross}
		}
	}
	deps := k.below(tx, w)
	if r.Amount != nil && !k.on {
		result, err := e.search(v.Language, r)
		return found(result, attributes, v), err
	}
	result, err := e.recalled(tx, v, r)
	if err != nil {
		return Found{}, err
	}
	tx.AnswerDependsOn(deps.Within(0, db.Time(result.Until)))
	return found(result, attributes, v), nil
}

// recalled is a search, or what it found a moment ago where that rests on the documents alone: with prices of viewers,
// the answer that is made of it is kept as long.
func (e *edition) recalled(tx *db.Tx, v Viewer, r search.Request) (search.Result, error) {
	if r.Amount != nil {
		return e.search(v.Language, r)
	}
	name := "found " + record.Fold(v.Channel.Code) + "\x00" + v.Language + r.Key()
	at := e.revision.Load()
	if k, _, ok := db.CacheGet[*result](tx, name); ok && k.revision == at {
		return k.Result, nil
	}
	found, err := e.search(v.Language, r)
	if err != nil {
		return found, err
	}
	last := resultsLast
	if found.Until != 0 {
		last = min(last, db.Time(found.Until)-tx.Now)
	}
	tx.CachePutFor(time.Duration(last)*time.Microsecond, name, resultWeight+hitWeight*len(found.Hits),
		&result{at, found})
	return found, nil
}

// plain lists products of a category and a brand from the books, as they are featured, then by number: what can be had
// without an index. What takes one is refused.
func plain(tx *db.Tx, e Edition, v Viewer, k keeper, w Wish, r search.Request) (Found, error) {
	if w.Text != "" || len(w.Choices) > 0 || w.priced() || w.InStock ||
		!slices.Contains([]Sort{"", ByRelevance, ByFeatured}, w.Sort) {
		return Found{}, e.Missing()
	}
	among := map[string][]string{}
	for _, f := range r.Filters {
		if among[f.Facet] = f.Values; f.Facet != facetCategory {
			continue
		}
		below, err := catalog.CategorySubtree(tx, f.Values[0])
		if err != nil {
			return Found{}, err
		}
		among[facetCategory] = below
	}
	tx.AnswerDependsOn(k.deps.Within(0, tx.Now+answersLast))
	return readPlain(tx, v.Channel, among[facetCategory], among[facetBrand], w.Offset, w.Limit)
}

// priced reports whether prices count.
func (w Wish) priced() bool {
	return w.WantsFacets || w.PriceFrom != nil || w.PriceTo != nil || w.Sort == ByPrice || w.Sort == ByPriceDown
}

// request is the wish as the index understands it; possible is false where nothing can fulfil it. known tells which
// values there are of a facet.
func (w Wish) request(tx *db.Tx, v Viewer, k keeper, attributes []attribute, known func(facet, value string) bool) (
	r search.Request, possible bool, err error) {
	r = search.Request{Text: w.Text, InStock: w.InStock, Offset: w.Offset, Limit: w.Limit, At: int64(tx.Now),
		Sort: w.order(v)}
	if w.Category != "" {
		t, err := treeOf(tx, k)
		if err != nil {
			return r, false, err
		}
		n := t.bySlug[strings.ToLower(strings.TrimSpace(w.Category))]
		if n == nil {
			n = t.byCode[record.Fold(w.Category)]
		}
		if n == nil {
			return r, false, nil
		}
		r.Filters = append(r.Filters, search.Filter{Facet: facetCategory, Values: []string{n.Code}})
	}
	if w.Brand != "" {
		all, err := brandsOf(tx, k)
		if err != nil {
			return r, false, err
		}
		var codes []string
		for one := range strings.SplitSeq(w.Brand, ",") {
			one = record.Fold(strings.TrimSpace(one))
			for _, b := range all {
				if b.Slug == one || record.Fold(b.Code) == one {
					codes = append(codes, b.Code)
				}
			}
		}
		if len(codes) == 0 {
			return r, false, nil
		}
		r.Filters = append(r.Filters, search.Filter{Facet: facetBrand, Values: codes})
	}
	if w.PriceFrom != nil || w.PriceTo != nil {
		r.Filters = append(r.Filters, search.Filter{Facet: priceFacet(v), From: w.PriceFrom, To: w.PriceTo})
	}
	chosen, possible, err := choices(w.Choices, attributes, known)
	r.Filters = append(r.Filters, chosen...)
	if w.WantsFacets {
		r.Facets = []string{facetCategory, facetBrand, priceFacet(v), facetRating}
		for _, a := range attributes {
			r.Facets = append(r.Facets, a.facet())
			if a.isNumber() {
				r.Numbers = append(r.Numbers, a.facet())
			}
		}
	}
	return r, possible, err
}

// choices are the filters of choices among attributes: any of an attribute's values, in however many choices, and
// each range beside them. known tells which values there are: one may be written as a range is.
func choices(all []Choice, attributes []attribute, known func(facet, value string) bool) (out []search.Filter,
	possible bool, err error) {
	var wrong fault.List
	possible = true
	for _, c := range all {
		i := slices.IndexFunc(attributes,
			func(a attribute) bool { return record.Fold(a.code) == record.Fold(c.Attribute) })
		if i < 0 {
			possible = false // of an attribute that nothing has
			continue
		}
		f := c.filter(attributes[i], known, &wrong)
		among := slices.IndexFunc(out, func(o search.Filter) bool { return o.Facet == f.Facet && o.Values != nil })
		if f.Values != nil && among >= 0 {
			out[among].Values = append(out[among].Values, f.Values...)
			continue
		}
		out = append(out, f)
	}
	return out, possible, wrong.Err()
}

// filter is a choice of an attribute as the index understands it: of values, or a range.
func (c Choice) filter(a attribute, known func(facet, value string) bool, wrong *fault.List) search.Filter {
	f := search.Filter{Facet: a.facet()}
	isKnown := func(value string) bool { return known(f.Facet, a.written(value)) }
	values := c.values(isKnown)
	if slices.ContainsFunc(values, func(v string) bool { return isRange(v) && !isKnown(v) }) {
		text := strings.Join(c.Values, ",")
		from, to, _ := strings.Cut(text, "..")
		f.From, f.To = bound(from), bound(to)
		wrong.If(!a.isNumber() || f.From == nil && from != "" || f.To == nil && to != "", ErrUnknownFilter,
			"f."+c.Attribute,
			"%q is no range of numbers: write it 10..20, 10.. or ..20, for an attribute that is a number", text)
		return f
	}
	if !a.isNumber() {
		f.Values = each.Of(values, a.written)
		return f
	}
	for _, v := range c.values(func(string) bool { return false }) {
		n := bound(v)
		if n == nil {
			wrong.Add(ErrUnknownFilter, "f."+c.Attribute, "%q is no number, which %s is", v, a.name)
			continue
		}
		f.Values = append(f.Values, n.String())
	}
	return f
}

func bound(text string) *dec.Dec {
	d, err := dec.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	return &d
}

// order is the wish's order; what is left equal goes by name, and then by number.
func (w Wish) order(v Viewer) []search.Order {
	by := func(first ...search.Order) []search.Order {
		return append(first, search.Order{Key: keyName}, search.Order{Key: keyNumber})
	}
	switch w.Sort {
	case ByName:
		return by()
	case ByPrice:
		return by(search.Order{Key: priceFacet(v)})
	case ByPriceDown:
		return by(search.Order{Key: priceFacet(v), Descending: true})
	case ByNewest:
		return by(search.Order{Key: keyNewest, Descending: true})
	case ByRating:
		return by(search.Order{Key: facetRating, Descending: true})
	}
	if w.Sort == ByFeatured || w.Text == "" {
		return by(search.Order{Key: keyFeatured, Descending: true}, search.Order{Key: keyOrder})
	}
	return nil
}

// found shows a result of the index.
func found(r search.Result, attributes []attribute, v Viewer) Found {
	f := Found{IDs: r.IDs(), Total: r.Total, Corrected: r.Corrected, Synonyms: r.Synonyms,
		Marker: r.Marker}
	for _, one := range r.Facets {
		shown := Facet{Code: one.Name, IsRange: one.IsRange(), Values: one.Values, Min: one.Min, Max: one.Max}
		switch {
		case one.Name == priceFacet(v):
			shown.Code = FacetPrice
		default:
			i := slices.IndexFunc(attributes, func(a attribute) bool { return a.facet() == one.Name })
			if i >= 0 {
				shown.Code, shown.Name = attributes[i].code, attributes[i].name
			}
		}
		f.Facets = append(f.Facets, shown)
	}
	return f
}

// attribute is an attribute that products can be chosen by.
type attribute struct {
	code, name string
	kind       catalog.DataType
}

// facet is where the index has its values.
func (a attribute) facet() string {
	if a.isNumber() {
		return ofNumber + a.code
	}
	return ofAttribute + a.code
}

func (a attribute) isNumber() bool {
	return a.kind == catalog.WholeNumber || a.kind == catalog.DecimalNumber
}

// written is a value as items have it, however its letters were typed where they do not count.
func (a attribute) written(value string) string {
	switch a.kind {
	case catalog.Boolean:
		return strings.ToLower(value)
	case catalog.Color:
		return strings.ToUpper(value)
	}
	return value
}

func attributesOn(tx *db.Tx, k keeper) ([]attribute, error) {
	k.name = ""
	return recalled(tx, k, "attributes", readAttributes)
}

// Hop is where the store leads somebody who searches for these words; "" where it shows what it finds.
func (v Viewer) Hop(text string) string {
	for _, h := range v.Channel.Store.Redirects {
		if record.Fold(strings.TrimSpace(h.Query)) == record.Fold(strings.TrimSpace(text)) {
			return h.To
		}
	}
	return ""
}

// result is what a search found in the documents of a revision.
type result struct {
	revision uint64
	search.Result
}

// How long results are kept at most, and what they weigh, in bytes, about.
const (
	// answersLast is for what is answered without a look at whether the store index is fresh, or rests on more than its
	// documents.
	answersLast = db.Time(time.Second / time.Microsecond)
	// resultsLast is for what rests on the store index's documents alone.
	resultsLast = db.Time(10 * time.Second / time.Microsecond)

	resultWeight, hitWeight = 500, 80
)
