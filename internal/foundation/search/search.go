// Package search finds products by words. An Index answers in memory, keeps itself in a folder, and knows no business:
// it is fed Documents and answers with their ids.
//
// How it is put together, from the ground up:
//
//	token.go    text -> tokens: folded words, stems, codes with and without separators, quantities (12 v = 12v)
//	column.go   sets of documents, and numbers for some of them
//	segment.go  an immutable set of documents; build.go makes one, merge.go makes one of several, file.go keeps it
//	index.go    the segments of the moment as one snapshot that readers load and writers replace
//	query.go    what was typed -> concepts; expand.go a concept -> the words of the index that stand for it
//	match.go    which documents hold which concepts; rank.go in which order; facet.go what else they have in common
package search

import (
	"encoding/json"
	"time"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Field is a part of a document's text. A word weighs what its field weighs.
type Field uint8

// The fields from the heaviest to the lightest.
const (
	Name Field = iota
	Number
	Brand
	Category
	Attribute
	Text
	fields = iota
)

// Document is what the index knows of a product, in the language of the index.
type Document struct {
	ID    string
	Texts []Passage
	// Terms are the values of facets that are words; a category stands here with all that contain it.
	Terms []Term
	// Amounts are the values of facets that are ranges, and of sort keys that are numbers.
	Amounts []Amount
	// Keys are sort keys that are words; they sort as the language does.
	Keys       []Key
	Popularity uint32
	InStock    bool
	// Opens and Closes bound the moments at which the document is found; 0 = no bound. Any unit, the same as
	// Request.At.
	Opens, Closes int64
}

// Passage is text of a field. A Number is found whole and by its beginning, with or without its separators.
type Passage struct {
	Field Field
	Text  string
}

// Term is one value of a facet.
type Term struct{ Facet, Value, Label string }

// Amount is a number under a name.
type Amount struct {
	Name  string
	Value dec.Dec
}

// Key is a text to sort by under a name.
type Key struct{ Name, Text string }

// Request is a search. Without Text it is every document that the filters let through.
type Request struct {
	// Text is what was typed: words, "a phrase" that must stand so, -word that must not occur.
	Text    string
	Filters []Filter
	// InStock leaves out what is not in stock.
	InStock bool
	// Facets are the facets to count, in the order of the answer. Numbers are those of words that are numbers, of which
	// a document may have many, and which are answered as a range.
	Facets, Numbers []string
	// FacetValues is how many values of a facet are answered at most; 0 = 100. Chosen values are always answered.
	FacetValues int
	// Sort is by relevance when empty.
	Sort          []Order
	Offset, Limit int
	// At is the moment of the search, for documents that open and close; 0 = regardless.
	At int64
	// Amount, when given, has the last word on an amount of a document: the price that this customer pays.
	Amount func(name, id string, own dec.Dec, has bool) (dec.Dec, bool) `json:"-"`
	// Amounts are the names that Amount is asked about; nil = all.
	Amounts []string
	// Exact leaves out what only serves for a word: typing errors, beginnings, endings and parts.
	Exact bool
	// Deadline is when the search gives up: see Result.Late. The zero time is never.
	Deadline time.Time
}

// Key tells requests apart: two with the same find the same in the same documents, but for what opens and closes
// between them, and for what Amount says.
func (r Request) Key() string {
	r.At, r.Deadline = 0, time.Time{}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers always have a form
	}
	return string(text)
}

// Filter is a choice in one facet: any of Values, or an amount, or a word that is a number, from From to To (each may
// be nil).
type Filter struct {
	Facet    string
	Values   []string
	From, To *dec.Dec
}

func (f Filter) holds(amount dec.Dec) bool {
	return (f.From == nil || amount >= *f.From) && (f.To == nil || amount <= *f.To)
}

// Order is one key to sort by: the name of a Key, or else of an Amount. Documents without it come last.
type Order struct {
	Key        string
	Descending bool
}

// Result is what a search found.
type Result struct {
	Hits  []Hit
	Total int
	// Facets have the counts of all that was found. A choice in a facet does not narrow the facet's own counts.
	Facets []Facet
	// Corrected is the text with its typing errors mended, "" when there was nothing to mend.
	Corrected string
	// Synonyms are the words of the query that synonyms were used for.
	Synonyms []string
	Marker   Marker
	// Until is the moment from which on the answer may be another because a document opens or closes; 0 = none does.
	Until int64
	// Late says that the search gave up at its deadline: nothing else of the result counts.
	Late bool
}

// IDs are those of the documents found, in their order.
func (r Result) IDs() []string { return each.Of(r.Hits, func(h Hit) string { return h.ID }) }

// Hit is one document found.
type Hit struct {
	ID    string
	Score float64
}

// Facet is what the found documents have in common under one name.
type Facet struct {
	Name   string
	Values []FacetValue // of Terms, the most frequent first
	// Min and Max are the bounds of Amounts; Count is how many documents have one.
	Min, Max dec.Dec
	Count    int
}

// IsRange reports whether the facet is of amounts.
func (f Facet) IsRange() bool { return len(f.Values) == 0 && f.Count > 0 }

// FacetValue is one value with the number of documents that have it.
type FacetValue struct {
	Value, Label string
	Count        int
	Selected     bool
}
