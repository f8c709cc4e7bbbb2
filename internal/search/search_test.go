package search

import (
	"fmt"
	"strings"
)

// product is a document with a name.
func product(id, name string) Document {
	return Document{ID: id, Texts: []Passage{{Name, name}}}
}

func indexOf(language string, docs ...Document) *Index {
	x := New("", language)
	x.Upsert(docs, 1)
	return x
}

func ids(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return strings.Join(out, " ")
}

// find is the ids that a text finds, the best first.
func find(x *Index, text string) string { return ids(x.Search(Request{Text: text, Limit: 100}).Hits) }

// facetsText is the facets of an answer: name: label=count label=count; with * at what is chosen, [min-max]=count of amounts.
func facetsText(r Result) string {
	var b strings.Builder
	for _, f := range r.Facets {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(f.Name + ":")
		for _, v := range f.Values {
			fmt.Fprintf(&b, " %s=%d", v.Label, v.Count)
			if v.Selected {
				b.WriteByte('*')
			}
		}
		if f.IsRange() {
			fmt.Fprintf(&b, " [%s-%s]=%d", f.Min, f.Max, f.Count)
		}
		b.WriteByte(';')
	}
	return b.String()
}
