package assortment

import (
	"maps"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Numbered is a product found by somebody's number for it.
type Numbered struct {
	Number string // as it was asked for, or as it is kept
	Type   NumberType
	Card   *Card // nil where the store has nothing by that number
}

// NumberType says whose a number is.
type NumberType string

// The types of numbers: the item's own, and those of cross references.
const (
	ItemNumber         NumberType = "ItemNumber"
	GTIN                          = NumberType(catalog.GtinReference)
	ManufacturerNumber            = NumberType(catalog.ManufacturerReference)
	CompetitorNumber              = NumberType(catalog.CompetitorReference)
	CustomerNumber                = NumberType(catalog.CustomerReference)
)

// Values are the types, in the order in which they are looked at.
func (NumberType) Values() []NumberType {
	return []NumberType{ItemNumber, GTIN, ManufacturerNumber, CompetitorNumber, CustomerNumber}
}

// called is an article with a number that somebody has for it.
type called struct {
	*Article
	kind  NumberType
	value string
}

// plainNumber is the form in which numbers are compared: folded, without separators.
func plainNumber(number string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./_", r) {
			return -1
		}
		return r
	}, record.Fold(number))
}

// namesOf are the numbers of an article. A customer's own are shown to that customer alone.
func namesOf(a *Article, customer string) (out []called) {
	add := func(kind NumberType, value string) {
		same := func(c called) bool { return c.kind == kind && c.value == value }
		if value != "" && !slices.ContainsFunc(out, same) {
			out = append(out, called{a, kind, value})
		}
	}
	add(ItemNumber, a.Item.Number)
	add(GTIN, a.Item.GTIN)
	for _, u := range a.Item.Units {
		add(GTIN, u.GTIN)
	}
	add(ManufacturerNumber, a.Item.ManufacturerNumber)
	for _, r := range a.Item.CrossReferences {
		if r.Type != catalog.CustomerReference || customer != "" && record.Fold(r.CustomerNumber) == customer {
			add(NumberType(r.Type), r.Value)
		}
	}
	return out
}

// likely is how many documents that hold a number somehow are looked at more closely.
const likely = 50

// named are the articles with a number, whoever's it is. The index finds those that may have it, the books decide.
// Refusal: Server.Unavailable without an edition.
func named(tx *db.Tx, e Edition, v Viewer, numbers []string) (map[string][]called, error) {
	if err := e.Missing(); err != nil {
		return nil, err
	}
	var ids []string
	hits := map[string][]string{}
	x, deadline := e.index(v.Language), time.Now().Add(searchLimit)
	for _, n := range numbers {
		r := x.Search(search.Request{Text: `"` + strings.ReplaceAll(n, `"`, " ") + `"`, Limit: likely,
			At: int64(tx.Now), Exact: true, Deadline: deadline})
		if r.Late {
			return nil, tooLate()
		}
		for _, h := range r.Hits {
			hits[n] = append(hits[n], h.ID)
			ids = append(ids, h.ID)
		}
	}
	slices.Sort(ids)
	found, err := byID(tx, v.Channel, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	variants, err := variantsOf(tx, v.Channel, slices.Collect(maps.Values(found))...)
	if err != nil {
		return nil, err
	}
	var own []*Article
	customer := ""
	if v.Customer != nil {
		customer = record.Fold(v.Customer.Number)
		if own, err = ofCustomer(tx, v.Channel, v.Customer.Number); err != nil {
			return nil, err
		}
	}
	names := map[string]map[string][]called{} // of a product and its variants, by the plain form
	for id, a := range found {
		names[id] = namesAmong(append([]*Article{a}, variants[id]...), customer)
	}
	theirs := namesAmong(own, customer)
	out := map[string][]called{}
	for _, n := range numbers {
		plain, met := plainNumber(n), map[string]bool{}
		look := func(all []called) {
			some := slices.DeleteFunc(slices.Clone(all), func(c called) bool { return met[c.Item.ID] })
			for _, c := range some {
				met[c.Item.ID] = true
			}
			out[n] = append(out[n], some...)
		}
		for _, id := range hits[n] {
			look(names[id][plain])
		}
		look(theirs[plain])
	}
	return out, nil
}

// namesAmong are the numbers of articles by their plain form: many are looked for among as many.
func namesAmong(articles []*Article, customer string) map[string][]called {
	out := map[string][]called{}
	for _, a := range articles {
		for _, c := range namesOf(a, customer) {
			plain := plainNumber(c.value)
			out[plain] = append(out[plain], c)
		}
	}
	return out
}

// Lookup finds products by item number or GTIN, for an order that is written down in numbers: an answer for each
// number, in the order asked. index is asked for where item numbers do not suffice.
func Lookup(tx *db.Tx, edition func() (Edition, error), v Viewer, numbers []string) ([]Numbered, error) {
	out := make([]Numbered, len(numbers))
	found, err := FindNumbers(tx, v, numbers)
	if err != nil {
		return nil, err
	}
	rest := each.Where(numbers, func(n string) bool { return found[record.Fold(n)] == nil })
	coded := map[string][]called{}
	if len(rest) > 0 {
		e, err := edition()
		if err != nil {
			return nil, err
		}
		if coded, err = named(tx, e, v, rest); err != nil {
			return nil, err
		}
	}
	at, ids := make([]string, len(numbers)), make([]string, 0, len(numbers))
	for i, n := range numbers {
		out[i].Number = n
		if a, ok := found[record.Fold(n)]; ok {
			at[i], out[i].Type = a.Item.ID, ItemNumber
		} else if j := slices.IndexFunc(coded[n], func(c called) bool {
			return c.kind == ItemNumber || c.kind == GTIN
		}); j >= 0 {
			at[i], out[i].Type = coded[n][j].Item.ID, coded[n][j].kind
		} else {
			continue
		}
		ids = append(ids, at[i])
	}
	cards, err := cardsByID(tx, v, ids)
	for i := range out {
		if c, ok := cards[at[i]]; ok {
			out[i].Card = &c
		}
	}
	return out, err
}

// cardsByID are the cards of items, each once.
func cardsByID(tx *db.Tx, v Viewer, ids []string) (map[string]Card, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	cards, err := Cards(tx, v, slices.Compact(ids))
	return each.By(cards, func(c Card) string { return c.Item.ID }), err
}

// Referenced reads a page of the products that somebody calls by a number: a competitor, a manufacturer, the maker of a
// GTIN or, once signed in, the customer himself; and how many there are.
func Referenced(tx *db.Tx, e Edition, v Viewer, number string, p record.Page) (record.Found[Numbered], error) {
	var found record.Found[Numbered]
	by, err := named(tx, e, v, []string{number})
	if err != nil {
		return found, err
	}
	refs := by[number]
	found.Total = len(refs)
	some := window(refs, p)
	ids := each.Of(some, func(r called) string { return r.Item.ID })
	cards, err := cardsByID(tx, v, ids)
	for _, r := range some {
		if c, ok := cards[r.Item.ID]; ok {
			found.Items = append(found.Items, Numbered{Number: r.value, Type: r.kind, Card: &c})
		}
	}
	return found, err
}
