package assortment

import (
	"html"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// The names under which the index knows what products have in common. Those of attributes begin with a prefix; a number
// is kept as a value to choose and as an amount to bound.
const (
	facetCategory = "category"
	facetBrand    = "brand"
	facetNet      = "net"   // price without tax
	facetGross    = "gross" // price with tax
	facetRating   = "rating"
	keyName       = "name"
	keyNewest     = "newest"
	keyNumber     = "number"
	keyFeatured   = "featured"
	keyOrder      = "order"
	ofAttribute   = "a:"
	ofNumber      = "n:"
)

// generation of what documents hold. An index of another one is built anew.
const generation = 4

// source is what the documents of some articles are made of, read at once.
type source struct {
	articles   []*Article
	under      map[string]bool       // folded numbers of parents that are visible
	variants   map[string][]*Article // by the parent's folded number
	values     map[string][]property // by item id
	prices     map[string]Price      // each article's and variant's own, by item id
	free       map[string]dec.Dec
	ratings    map[string]Rating
	tree       *tree
	popularity map[string]uint32
}

// property is a value that an item has of an attribute.
type property struct {
	code, name, unit string
	kind             catalog.DataType
	value            string
}

// gatherSource reads what documents of articles are made of: a constant number of statements.
func gatherSource(tx *db.Tx, c channel.Channel, articles []*Article, popularity map[string]uint32) (*source, error) {
	s := &source{articles: articles, popularity: popularity}
	v := Viewer{Channel: c}.guest(tx)
	id := func(a *Article) string { return a.Item.ID }
	parents := each.Given(articles, func(a *Article) string { return a.Item.VariantOf })
	var err error
	if s.under, err = among(tx, c, record.FoldAll(parents)); err != nil {
		return nil, err
	}
	numbers := each.Of(articles, func(a *Article) string { return a.Item.Number })
	if s.variants, err = standingVariants(tx, c, numbers); err != nil {
		return nil, err
	}
	all := slices.Clone(articles)
	for _, of := range s.variants {
		all = append(all, of...)
	}
	stocked := each.Of(each.Where(all, func(a *Article) bool { return a.Item.InStock() }), id)
	prices, err := ownPrices(tx, v, each.Of(all, func(a *Article) Ask { return Ask{Article: a, Quantity: dec.One} }))
	if err != nil {
		return nil, err
	}
	s.prices = each.By(prices, func(p Price) string { return p.ItemID })
	if s.free, err = freeOf(tx, c, stocked); err != nil {
		return nil, err
	}
	if s.ratings, err = ratingsOf(tx, each.Of(articles, id)); err != nil {
		return nil, err
	}
	if s.values, err = propertiesOf(tx, each.Of(all, id)); err != nil {
		return nil, err
	}
	s.tree, err = readTree(tx)
	return s, err
}

// documents are those of the articles that lists show: no variant that stands under its parent.
func (s *source) documents(c channel.Channel) []search.Document {
	listed := each.Where(s.articles, func(a *Article) bool {
		return a.Item.VariantOf == "" || !s.under[record.Fold(a.Item.VariantOf)]
	})
	return each.Of(listed, func(a *Article) search.Document { return s.document(c, a) })
}

func (s *source) document(c channel.Channel, a *Article) search.Document {
	variants := s.variants[record.Fold(a.Item.Number)]
	d := search.Document{ID: a.Item.ID, Opens: int64(a.Opens), Closes: int64(a.Closes),
		Popularity: s.popularity[a.Item.ID], Keys: []search.Key{{Name: keyName, Text: a.Name},
			{Name: keyNumber, Text: a.Item.Number}}}
	d.Texts = append(d.Texts, search.Passage{Field: search.Name, Text: a.Name})
	if a.Item.Name != a.Name {
		d.Texts = append(d.Texts, search.Passage{Field: search.Attribute, Text: a.Item.Name})
	}
	for _, one := range append([]*Article{a}, variants...) {
		d.Texts = append(d.Texts, numbersOf(one.Item)...)
		d.Popularity = max(d.Popularity, s.popularity[one.Item.ID])
	}
	for _, text := range []string{a.ShortDescription, PlainText(a.Description), a.MetaDescription} {
		if text != "" {
			d.Texts = append(d.Texts, search.Passage{Field: search.Text, Text: text})
		}
	}
	if a.BrandName != "" {
		d.Texts = append(d.Texts, search.Passage{Field: search.Brand, Text: a.BrandName})
		d.Terms = append(d.Terms, search.Term{Facet: facetBrand, Value: a.Item.BrandCode, Label: a.BrandName})
	}
	for _, n := range s.tree.way(a.Item.CategoryCode) {
		d.Texts = append(d.Texts, search.Passage{Field: search.Category, Text: n.Name})
		d.Terms = append(d.Terms, search.Term{Facet: facetCategory, Value: n.Code, Label: n.Name})
	}
	s.properties(&d, a, variants)
	// To the second: rows of one request have a moment each on one engine, and one for all on the other.
	published := dec.Int(int64(a.PublishedAt) / 1_000_000)
	d.Amounts = append(d.Amounts, search.Amount{Name: keyNewest, Value: published},
		search.Amount{Name: keyOrder, Value: dec.Int(int64(a.SortOrder))})
	if a.IsFeatured {
		d.Amounts = append(d.Amounts, search.Amount{Name: keyFeatured, Value: dec.One})
	}
	s.price(&d, a, variants)
	if r := s.ratings[a.Item.ID]; r.Average != nil {
		d.Amounts = append(d.Amounts, search.Amount{Name: facetRating, Value: *r.Average})
	}
	d.InStock = stockOf(c, a, a.parts, s.free).Available()
	return d
}

// price adds the least that one of the article's variants costs, with and without tax that may be another one; else
// what it costs itself.
func (s *source) price(d *search.Document, a *Article, variants []*Article) {
	net := func(p Price) *dec.Dec { return p.UnitPrice }
	gross := func(p Price) *dec.Dec { return p.UnitPriceIncludingTax }
	prices := each.Of(variants, func(one *Article) Price { return s.prices[one.Item.ID] })
	if cheapest(prices, net) == nil {
		prices = []Price{s.prices[a.Item.ID]}
	}
	if p := cheapest(prices, net); p != nil {
		d.Amounts = append(d.Amounts, search.Amount{Name: facetNet, Value: *p.UnitPrice},
			search.Amount{Name: facetGross, Value: *cheapest(prices, gross).UnitPriceIncludingTax})
	}
}

// numbersOf are the numbers an item is called by. A customer's own are not in the index: others must not find them.
func numbersOf(i catalog.Item) (out []search.Passage) {
	add := func(n string) {
		if n != "" {
			out = append(out, search.Passage{Field: search.Number, Text: n})
		}
	}
	add(i.Number)
	add(i.GTIN)
	add(i.ManufacturerNumber)
	for _, u := range i.Units {
		add(u.GTIN)
	}
	for _, r := range i.CrossReferences {
		if r.Type != catalog.CustomerReference {
			add(r.Value)
		}
	}
	return out
}

// longestValue is how long a text may be that products can be chosen by.
const longestValue = 100

// properties adds what the article and its variants have of attributes, and what the variants differ in.
func (s *source) properties(d *search.Document, a *Article, variants []*Article) {
	to := described{d, map[search.Term]bool{}, make(map[search.Passage]bool, len(d.Texts))}
	for _, p := range d.Texts {
		to.said[p] = true
	}
	for _, p := range s.values[a.Item.ID] {
		p.into(to)
	}
	for _, one := range variants {
		for _, p := range s.values[one.Item.ID] {
			p.into(to)
		}
		for _, o := range one.Item.VariantOptions {
			to.text(o.Value)
		}
	}
}

// described is a document that is told of properties, each once: many variants have the same.
type described struct {
	*search.Document
	chosen map[search.Term]bool
	said   map[search.Passage]bool
}

func (d described) term(t search.Term) {
	if key := (search.Term{Facet: t.Facet, Value: t.Value}); !d.chosen[key] {
		d.chosen[key] = true
		d.Terms = append(d.Terms, t)
	}
}

func (d described) text(text string) {
	if p := (search.Passage{Field: search.Attribute, Text: text}); !d.said[p] {
		d.said[p] = true
		d.Texts = append(d.Texts, p)
	}
}

// into adds a property to a document.
func (p property) into(d described) {
	label := strings.TrimSpace(p.value + " " + p.unit)
	switch p.kind {
	case catalog.WholeNumber, catalog.DecimalNumber:
		n, err := dec.Parse(p.value)
		if err != nil {
			return
		}
		d.term(search.Term{Facet: ofNumber + p.code, Value: n.String(), Label: label})
	case catalog.Text, catalog.Color:
		if len(p.value) <= longestValue {
			d.term(search.Term{Facet: ofAttribute + p.code, Value: p.value, Label: label})
		}
	case catalog.Boolean:
		d.term(search.Term{Facet: ofAttribute + p.code, Value: p.value, Label: p.value})
		if label = p.name; p.value != "true" {
			return
		}
	case catalog.HTML:
		label = PlainText(p.value)
	default:
		return
	}
	d.text(label)
}

// tag is a tag of HTML that parts what stands on its sides; span, or a comment, is one that does not.
var (
	tag  = lazy.Regexp(`<[^>]*>`)
	span = lazy.Regexp(`(?is)<!--.*?-->|</?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|` +
		`wbr)(?:\s[^>]*)?/?>`)
)

// PlainText is HTML without its tags, as it reads on a page.
func PlainText(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	text = tag().ReplaceAllString(span().ReplaceAllString(text, ""), " ")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}
