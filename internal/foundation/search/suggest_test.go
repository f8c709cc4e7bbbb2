package search

import (
	"strings"
	"testing"
)

// suggestionsText is suggestions as products; facet: label=count ...; phrases.
func suggestionsText(s Suggestions) string {
	return ids(s.Products) + "; " + facetsText(Result{Facets: s.Facets}) + " " + strings.Join(s.Phrases, ", ")
}

func TestSuggest(t *testing.T) {
	shop := func(id, name, brand, category string) Document {
		d := product(id, name)
		d.Texts = append(d.Texts, Passage{Brand, brand}, Passage{Text, "a thing that lasts"})
		d.Terms = []Term{{"brand", strings.ToLower(brand), brand}, {"category", strings.ToLower(category), category}}
		return d
	}
	x := indexOf("en", shop("1", "Desk lamp", "Lampert", "Lamps"), shop("2", "Floor lamp", "Glow", "Lamps"),
		shop("3", "Lamb wool", "Glow", "Wool and lambs"), shop("4", "Lamp shade", "Glow", "Lamp shades"),
		shop("5", "Table", "Oaken", "Tables"))
	x.SetPhrases([]Phrase{{"lamp shade", 3}, {"lamp", 9}, {"desk lamp", 5}, {"table", 99}, {"Lámp oil", 1}})
	all := Typing{Products: 3, Facets: []string{"category", "brand"}, Values: 2, Phrases: 3}
	for text, want := range map[string]string{
		"lam":       "1 2 3; category: Lamps=2 Lamp shades=1; brand: Lampert=1; lamp, desk lamp, lamp shade",
		"LAMP":      "1 2 4; category: Lamps=2 Lamp shades=1; brand: Lampert=1; desk lamp, lamp shade, Lámp oil",
		"lamp sh":   "4; category: Lamp shades=1; lamp shade",
		"glow":      "2 3 4; brand: Glow=3; ",
		"las":       "1 2 3;  ", // nothing is called so, but texts say it
		"lampw":     "1 2 4; category: Lamps=2 Lamp shades=1; brand: Lampert=1; desk lamp, lamp shade, Lámp oil",
		"":          ";  ",
		" - ":       ";  ",
		"nosuchone": ";  ",
	} {
		typing := all
		typing.Text = text
		if got := suggestionsText(x.Suggest(typing)); got != want {
			t.Errorf("%q suggests %q\n   wanted %q", text, got, want)
		}
	}
	if got := x.Suggest(Typing{Text: "lamp", Products: 9,
		Filters: []Filter{{Facet: "brand", Values: []string{"glow"}}}}); ids(got.Products) != "2 4" || len(got.Facets)+
		len(got.Phrases) > 0 {
		t.Errorf("only products of a brand were asked for: %+v", got)
	}
	x.Delete([]string{"1", "2"}, 2)
	if got := suggestionsText(x.Suggest(Typing{Text: "lamp", Products: 9, Facets: []string{"category", "brand"},
		Values: 9})); got != "4; category: Lamp shades=1; " {
		t.Errorf("without the deleted: %q", got)
	}
}
