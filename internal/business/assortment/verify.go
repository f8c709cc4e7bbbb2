package assortment

import (
	"context"
	"fmt"
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/search"
)

// Check holds a store index against the books: which products it leads to, at what price, and whether in stock. It
// brings it up to date first, and reports every difference in a sentence. What is missing or too many shows that a
// change was overlooked.
func Check(ctx context.Context, s *StoreIndex, read Reader, report func(string)) error {
	if err := s.Follow(ctx, read); err != nil {
		return err
	}
	e := s.now.Load()
	s.feed.Lock()
	popularity := e.popularity
	s.feed.Unlock()
	var docs []search.Document
	var at int64
	var c channel.Channel
	for after, more := "", true; more; {
		var part []search.Document
		from := after
		err := read(func(tx *db.Tx) (err error) {
			if c, err = channel.Find(tx, s.code); err != nil {
				return err
			}
			at = int64(tx.Now)
			articles, err := articlesAfter(tx, c, from, atOnce)
			if err != nil || len(articles) == 0 {
				part, more = nil, false
				return err
			}
			source, err := gatherSource(tx, c, articles, popularity)
			if err != nil {
				return err
			}
			part = source.documents(c)
			after, more = lastKey(articles), len(articles) == atOnce
			return nil
		})
		if err != nil {
			return err
		}
		docs = append(docs, part...)
	}
	for language, x := range e.indexes {
		compare(x, docs, at, func(text string, args ...any) {
			report(fmt.Sprintf("search of channel %s in %s: ", c.Code, language) + fmt.Sprintf(text, args...))
		})
	}
	return nil
}

// compare holds an index against documents that were just made.
func compare(x *search.Index, docs []search.Document, at int64, report func(string, ...any)) {
	if x.Len() != len(docs) {
		report("it holds %d products, the books %d: run kontor search rebuild", x.Len(), len(docs))
	}
	prices := map[string]map[string]string{}
	open := 0
	for _, d := range docs {
		if (d.Opens == 0 || d.Opens <= at) && (d.Closes == 0 || d.Closes > at) {
			open++
		}
	}
	all := x.Search(search.Request{At: at, Limit: max(open, x.Len())})
	held := map[string]bool{}
	for _, h := range all.Hits {
		held[h.ID] = true
	}
	stocked := map[string]bool{}
	for _, h := range x.Search(search.Request{At: at, InStock: true, Limit: max(open, x.Len())}).Hits {
		stocked[h.ID] = true
	}
	for _, facet := range []string{facetNet, facetGross} {
		prices[facet] = map[string]string{}
		pricesOf(x, facet, at, prices[facet])
	}
	for _, d := range docs {
		if (d.Opens != 0 && d.Opens > at) || (d.Closes != 0 && d.Closes <= at) {
			continue
		}
		name := d.Keys[0].Text
		if !held[d.ID] {
			report("%q is not in it", name)
			continue
		}
		if stocked[d.ID] != d.InStock {
			report("%q is in stock: %t there, %t in the books", name, stocked[d.ID], d.InStock)
		}
		for facet, by := range prices {
			if want := amountOf(d, facet); by[d.ID] != want {
				report("%q costs %q there, %q in the books", name, by[d.ID], want)
			}
		}
	}
}

// pricesOf reads the amounts of all documents, which the index tells who has the last word on them.
func pricesOf(x *search.Index, facet string, at int64, into map[string]string) {
	x.Search(search.Request{At: at, Facets: []string{facet}, Amount: recorder(facet, into)})
}

func amountOf(d search.Document, facet string) string {
	i := slices.IndexFunc(d.Amounts, func(a search.Amount) bool { return a.Name == facet })
	if i < 0 {
		return ""
	}
	return d.Amounts[i].Value.String()
}

// recorder notes the amounts that a search asks about, and changes none.
func recorder(facet string, into map[string]string) func(name, id string, own dec.Dec, has bool) (dec.Dec, bool) {
	return func(name, id string, own dec.Dec, has bool) (dec.Dec, bool) {
		if has && name == facet {
			into[id] = own.String()
		}
		return own, has
	}
}
