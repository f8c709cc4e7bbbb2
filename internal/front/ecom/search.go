package ecom

import (
	"cmp"
	_ "embed"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/rest"
)

// Search is the search through a store.
func Search(w Window) rest.Group {
	return rest.Group{Tag: "Search", Scope: rest.ScopeSession,
		Doc: "Search that knows the store's words, mends typing errors and proposes.", Ops: []rest.Op{
			rest.OnServed(rest.Get("searchCatalog", "/catalog/search", "Products by relevance, with facets.",
				indexed(w, w.searchCatalog)).
				Raises(assortment.ErrUnknownFilter).CachedByView().Indexed(),
				func(r SearchResult) string { return r.asked }, w.searched),
			rest.Get("suggestCatalog", "/catalog/suggest", "What somebody may mean who is still typing.",
				indexed(w, w.suggestCatalog)).
				CachedByView().Indexed(), rest.Get("listFilters", "/catalog/filters",
				"The facets of a selection with their counts.", indexed(w, listFilters)).
				Raises(assortment.ErrUnknownFilter).CachedByView().Indexed(),
			rest.List("listPopularSearches", "/catalog/search/popular", "What visitors search for most.",
				w.listPopular).
				Extension(),
		}}
}

// SearchResult is what a search found.
type SearchResult struct {
	rest.Paged[SearchHit]
	Facets          []Facet   `json:"facets"`
	CorrectedQuery  rest.Text `json:"correctedQuery" doc:"The words with their typing errors mended, where they were."`
	SynonymsApplied []string  `json:"synonymsApplied"`
	RedirectTo      rest.Text `json:"redirectTo" doc:"A page that the store shows instead."`

	asked string // what others may be proposed to search for as well, or behind inVain what found nothing; "" = neither
}

// SearchHit is a product with what was found in it.
type SearchHit struct {
	Card
	Highlights Highlights `json:"highlights"`
}

// Highlights are texts, safe as HTML, in which what was found stands between <mark> and </mark>; null where nothing
// does.
type Highlights struct {
	Name             rest.Text `json:"name"`
	BrandName        rest.Text `json:"brandName"`
	ItemNumber       rest.Text `json:"itemNumber"`
	ShortDescription rest.Text `json:"shortDescription"`
}

// Facet is what the products of a selection have in common under one name.
type Facet struct {
	Code   string       `json:"code" doc:"category, brand, price, rating or an attribute's code."`
	Name   string       `json:"name"`
	Type   FacetType    `json:"type"`
	Values []FacetValue `json:"values" doc:"Of Terms."`
	Min    *dec.Fixed   `json:"min" doc:"Of a Range."`
	Max    *dec.Fixed   `json:"max"`
}

// FacetType is how a facet is chosen from.
type FacetType string

// The types of facets.
const (
	Terms FacetType = "Terms"
	Range FacetType = "Range"
)

// Values are the types.
func (FacetType) Values() []FacetType { return []FacetType{Terms, Range} }

// FacetValue is one value with the number of products that have it.
type FacetValue struct {
	Value      string `json:"value"`
	Label      string `json:"label"`
	Count      int    `json:"count"`
	IsSelected bool   `json:"isSelected" of:"Selected"`
}

var facetValues = rest.Shown[[]FacetValue, []search.FacetValue]()

func facetsOf(v assortment.Viewer, all []assortment.Facet) []Facet {
	out, names := make([]Facet, len(all)), facetNames()
	for i, f := range all {
		name := cmp.Or(f.Name, names[names.Language(v.Language)][f.Code])
		out[i] = Facet{Code: f.Code, Name: name, Type: Terms, Values: facetValues(f.Values)}
		if f.IsRange {
			digits := 0
			if f.Code == assortment.FacetPrice {
				digits = reference.MinorDigits(v.Channel.CurrencyCode)
			}
			out[i].Type, out[i].Min, out[i].Max = Range, &dec.Fixed{Value: f.Min, Digits: digits},
				&dec.Fixed{Value: f.Max, Digits: digits}
		}
	}
	return out
}

//go:embed facets.tsv
var facetTable string

// facetNames are what the facets of every store are called, in languages of ours.
var facetNames = texts.Must(facetTable)

type searchIn struct {
	browsing
	Q        string          `query:"q" req:"true" max:"500" doc:"At most 32 words; a phrase in quotation marks must stand so, -word must not occur."`
	Sort     assortment.Sort `query:"sort"`
	Page     int             `query:"page" min:"1" default:"1" doc:"Page, from 1."`
	PageSize int             `query:"pageSize" min:"1" default:"50" doc:"Rows of a page; more than 200 is read as 200."`
}

func (w Window) searchCatalog(tx *db.Tx, v assortment.Viewer, edition assortment.Edition,
	in searchIn) (SearchResult, error) {
	in.PageSize = min(in.PageSize, 200)
	wish := in.wish()
	wish.Text, wish.Sort, wish.Offset, wish.Limit, wish.WantsFacets = in.Q, in.Sort, (in.Page-1)*in.PageSize,
		in.PageSize, true
	found, err := assortment.Browse(tx, edition, v, wish)
	if err != nil {
		return SearchResult{}, err
	}
	cards, err := assortment.Cards(tx, v, found.IDs)
	if err != nil {
		return SearchResult{}, err
	}
	found.Total = found.Shown(cards)
	mark := func(text string) rest.Text { return marked(found.Marker, text) }
	hits := rest.PageOf(record.Found[assortment.Card]{Items: cards, Total: found.Total},
		rest.Paging{Page: in.Page, PageSize: in.PageSize}, func(c assortment.Card) SearchHit {
			return SearchHit{w.cardOf(tx, c), Highlights{mark(c.Name), mark(c.BrandName), mark(c.Item.Number),
				mark(c.ShortDescription)}}
		})
	out := SearchResult{Paged: hits, Facets: facetsOf(v, found.Facets), CorrectedQuery: rest.Text(found.Corrected),
		SynonymsApplied: append([]string{}, found.Synonyms...), RedirectTo: rest.Text(v.Hop(in.Q))}
	switch {
	case in.Page == 1 && found.Total > 0 && found.Corrected == "":
		out.asked = in.Q
	case in.Page == 1 && found.Total == 0 && in.Q != "":
		out.asked = inVain + in.Q
	}
	return out, nil
}

// inVain begins words that found nothing.
const inVain = "\x00"

// searched notes that a visitor searched for something that there is, or counts that there is none.
func (w Window) searched(h rest.Served) {
	if words, missed := strings.CutPrefix(h.About, inVain); missed {
		w.Traffic.Missed(h.Company, visitorOf(h.Visit.(*storefront.Visit), ""), h.At, words)
		return
	}
	if visit := h.Visit.(*storefront.Visit); h.About != "" {
		w.Notes.Searched(h.Company, visit.Channel, visit.Session.ID, h.About)
	}
}

func marked(m search.Marker, text string) rest.Text {
	if html, some := assortment.Highlight(m, text); some {
		return rest.Text(html)
	}
	return ""
}

// Suggestions are proposals for what is typed so far.
type Suggestions struct {
	Products   []SearchHit `json:"products"`
	Categories []Crumb     `json:"categories"`
	Brands     []Crumb     `json:"brands"`
	Queries    []string    `json:"queries" doc:"What others searched for."`
}

type suggestIn struct {
	Q     string `query:"q" req:"true" max:"500" doc:"What is typed so far, at most 32 words."`
	Limit int    `query:"limit" min:"1" max:"20" default:"5" doc:"Proposals of each kind."`
}

func (w Window) suggestCatalog(tx *db.Tx, v assortment.Viewer, edition assortment.Edition,
	in suggestIn) (Suggestions, error) {
	s, err := assortment.Suggest(tx, edition, v, in.Q, in.Limit)
	hits := each.Of(s.Products, func(c assortment.Card) SearchHit {
		return SearchHit{w.cardOf(tx, c), Highlights{Name: marked(s.Marker, c.Name),
			BrandName: marked(s.Marker, c.BrandName), ItemNumber: marked(s.Marker, c.Item.Number)}}
	})
	return Suggestions{hits, crumbsOf(s.Categories), crumbsOf(s.Brands), s.Queries}, err
}

// Filters are the facets of a selection.
type Filters struct {
	TotalCount int     `json:"totalCount" doc:"Products of the selection."`
	Facets     []Facet `json:"facets" doc:"A facet's own choice does not narrow its own counts."`
}

type listFiltersIn struct {
	browsing
	Q string `query:"q" max:"500" doc:"Words to search for, at most 32."`
}

func listFilters(tx *db.Tx, v assortment.Viewer, edition assortment.Edition, in listFiltersIn) (Filters, error) {
	wish := in.wish()
	wish.Text, wish.WantsFacets = in.Q, true
	found, err := assortment.Browse(tx, edition, v, wish)
	return Filters{found.Total, facetsOf(v, found.Facets)}, err
}

// PopularSearch is something that many search for.
type PopularSearch struct {
	Query string `json:"query"`
	Count int    `json:"count" doc:"Visitors of the last 30 days."`
}

func (w Window) listPopular(tx *db.Tx, in pageIn) (rest.Paged[PopularSearch], error) {
	found, err := assortment.Popular(tx, storefront.Of(tx).Viewer(), in.Record())
	return rest.PageOf(found, in.Paging,
		func(p search.Phrase) PopularSearch { return PopularSearch{p.Text, p.Weight} }), err
}
