package assortment

import (
	"strings"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Suggestions are what somebody may mean who is still typing.
type Suggestions struct {
	Products   []Card
	Categories []Crumb
	Brands     []Crumb
	Queries    []string
	Marker     search.Marker
}

// Suggest proposes up to most of each kind for what is typed so far. Refusals: Server.Unavailable without an
// edition, or where it takes too long; Request.Invalid at q for too many words.
func Suggest(tx *db.Tx, e Edition, v Viewer, text string, most int) (Suggestions, error) {
	out := Suggestions{Categories: []Crumb{}, Brands: []Crumb{}, Queries: []string{}}
	if err := e.Missing(); err != nil {
		return out, err
	}
	k, err := keeperOf(tx, v)
	if err != nil {
		return out, err
	}
	x := e.index(v.Language)
	if err := fits(x, text); err != nil {
		return out, err
	}
	deps := k.below(tx, Wish{})
	r := x.Suggest(search.Typing{Text: text, At: int64(tx.Now), Products: most,
		Facets: []string{facetCategory, facetBrand}, Values: most, Phrases: most, Deadline: time.Now().
			Add(searchLimit)})
	if r.Late {
		return out, tooLate()
	}
	tx.AnswerDependsOn(deps.Within(0, db.Time(r.Until)))
	ids := each.Of(r.Products, func(h search.Hit) string { return h.ID })
	if out.Products, err = Cards(tx, v, ids); err != nil {
		return out, err
	}
	t, err := treeOf(tx, k)
	if err != nil {
		return out, err
	}
	brands, err := brandsOf(tx, k)
	if err != nil {
		return out, err
	}
	for _, f := range r.Facets {
		for _, value := range f.Values {
			if f.Name == facetCategory {
				if n := t.byCode[record.Fold(value.Value)]; n != nil {
					out.Categories = append(out.Categories, Crumb{n.Code, n.Name, n.Slug})
				}
				continue
			}
			for _, b := range brands {
				if b.Code == value.Value {
					out.Brands = append(out.Brands, Crumb{b.Code, b.Name, b.Slug})
				}
			}
		}
	}
	out.Queries, out.Marker = append(out.Queries, r.Phrases...), r.Marker
	return out, nil
}

// Highlight is a text, safe as HTML, with what was searched for between <mark> and </mark>.
func Highlight(m search.Marker, text string) (marked string, some bool) {
	var b strings.Builder
	at := 0
	for _, span := range m.Mark(text) {
		b.WriteString(escaped.Replace(text[at:span.Start]))
		b.WriteString("<mark>")
		b.WriteString(escaped.Replace(text[span.Start:span.End]))
		b.WriteString("</mark>")
		at, some = span.End, true
	}
	b.WriteString(escaped.Replace(text[at:]))
	return b.String(), some
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
