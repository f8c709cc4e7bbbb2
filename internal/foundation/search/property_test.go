package search

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

// The words are few and alike, so that forms, beginnings, errors and compounds meet.
func drawText(t *rapid.T, label string, most int) string {
	vocabulary := []string{"lampa", "lampor", "lampskärm", "skärm", "skarm", "bord", "bordslampa", "bordet", "12", "v",
		"12v", "dsc-w120", "dscw120", "dsc", "w120", "20x30", "20", "x", "30", "och", "lamp", "lump", "kamera", "kamra",
		"kameror", "röd", "rod"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, most).Draw(t, label), " ")
}

func drawDocument(t *rapid.T) Document {
	d := Document{ID: rapid.StringMatching(`[a-h]`).Draw(t, "id"), InStock: rapid.Bool().Draw(t, "stock"),
		Popularity: rapid.Uint32Range(0, 3).Draw(t, "popularity")}
	for f := range Field(fields) {
		if text := drawText(t, "text", 4); text != "" {
			d.Texts = append(d.Texts, Passage{f, text})
		}
	}
	for _, facet := range []string{"color", "size"} {
		for _, v := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2).Draw(t, facet) {
			d.Terms = append(d.Terms, Term{facet, v, "label " + v})
		}
	}
	if rapid.Bool().Draw(t, "priced") {
		d.Amounts = []Amount{{"price", dec.Int(rapid.Int64Range(0, 9).Draw(t, "price"))}}
		d.Keys = []Key{{"name", drawText(t, "key", 1)}}
	}
	return d
}

func drawRequest(t *rapid.T) Request {
	r := Request{Text: drawText(t, "query", 3), Facets: []string{"size", "color", "price"}, Limit: rapid.IntRange(1, 9).
		Draw(t, "limit"), Offset: rapid.IntRange(0, 3).Draw(t, "offset"), InStock: rapid.Bool().Draw(t, "inStock")}
	if rapid.Bool().Draw(t, "phrase") {
		r.Text += ` "` + drawText(t, "phrase", 2) + `"`
	}
	if rapid.Bool().Draw(t, "filtered") {
		r.Filters = append(r.Filters, Filter{Facet: "color",
			Values: []string{rapid.SampledFrom([]string{"a", "b", "z"}).Draw(t, "value")}})
	}
	if rapid.Bool().Draw(t, "ranged") {
		from := dec.Int(rapid.Int64Range(0, 9).Draw(t, "from"))
		r.Filters = append(r.Filters, Filter{Facet: "price", From: &from})
	}
	r.Sort = rapid.SampledFrom([][]Order{nil, {{"price", false}}, {{"name", true}, {"price", true}}}).Draw(t, "sort")
	return r
}

// However an index came to its documents - in what order, over how many merges and restarts - it answers like one that
// was made of them a moment ago.
func TestAnIndexAnswersLikeAFreshOne(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		x := New(dir, "sv")
		docs := map[string]Document{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 15).Draw(t, "step") {
			case 0:
				x.Compact()
			case 1:
				if err := x.Close(); err != nil {
					t.Fatal(err)
				}
				var err error
				if x, err = Open(dir, "sv"); err != nil {
					t.Fatal(err)
				}
			case 2, 3:
				id := rapid.StringMatching(`[a-h]`).Draw(t, "id")
				x.Delete([]string{id}, 0)
				delete(docs, id)
			default:
				d := drawDocument(t)
				x.Upsert([]Document{d}, 0)
				docs[d.ID] = d
			}
		}
		fresh := New("", "sv")
		fresh.Upsert(slices.Collect(maps.Values(docs)), 0)
		for range 5 {
			r := drawRequest(t)
			got, want := x.Search(r), fresh.Search(r)
			got.Marker, want.Marker = Marker{}, Marker{}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v\nanswers %+v\n  fresh %+v", r, got, want)
			}
			naive(t, docs, Request{Filters: r.Filters, Facets: r.Facets, InStock: r.InStock}, x)
		}
		word := drawText(t, "suggest", 1)
		got, want := x.Suggest(Typing{Text: word, Facets: []string{"color"}, Values: 9, Products: 3}),
			fresh.Suggest(Typing{Text: word, Facets: []string{"color"}, Values: 9, Products: 3})
		got.Marker, want.Marker = Marker{}, Marker{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q suggests %+v\n  fresh %+v", word, got, want)
		}
	})
}

// naive checks the count and the facets of a request without text by looking at every document.
func naive(t *rapid.T, docs map[string]Document, r Request, x *Index) {
	passes := func(d Document, but string) bool {
		for _, f := range r.Filters {
			switch {
			case f.Facet == but:
			case len(f.Values) > 0:
				if !slices.ContainsFunc(d.Terms,
					func(t Term) bool { return t.Facet == f.Facet && slices.Contains(f.Values, t.Value) }) {
					return false
				}
			default:
				if !slices.ContainsFunc(d.Amounts,
					func(a Amount) bool { return a.Name == f.Facet && a.Value >= *f.From }) {
					return false
				}
			}
		}
		return d.InStock || !r.InStock
	}
	total, counts := 0, map[string]int{}
	for _, d := range docs {
		if passes(d, "") {
			total++
		}
		seen := map[string]bool{}
		for _, term := range d.Terms {
			if key := term.Facet + "=" + term.Value; passes(d, term.Facet) && !seen[key] {
				counts[key]++
				seen[key] = true
			}
		}
	}
	got, counted := x.Search(r), map[string]int{}
	for _, f := range got.Facets {
		for _, v := range f.Values {
			if v.Count > 0 {
				counted[f.Name+"="+v.Value] = v.Count
			}
		}
	}
	if got.Total != total || fmt.Sprint(counted) != fmt.Sprint(counts) {
		t.Fatalf("%+v finds %d with %v, but there are %d with %v", r, got.Total, counted, total, counts)
	}
}

// The automaton's walk over the sorted words finds exactly the words that are so near.
func TestGuessesAreTheNearestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[abå]{4,9}`), 1, 40, rapid.ID).Draw(t, "words")
		x := New("", "xx")
		for i, w := range words {
			x.Upsert([]Document{product(fmt.Sprint(i), w)}, 0)
		}
		word := rapid.StringMatching(`[ab]{4,9}`).Draw(t, "word")
		least := errorsAllowed(word) + 1
		want := map[string]bool{}
		for _, w := range words {
			w = fold(w)
			switch n := max(1, distance(w, word)); {
			case n < least:
				least, want = n, map[string]bool{w: true}
			case n == least:
				want[w] = true
			}
		}
		if least > errorsAllowed(word) {
			want = nil
		}
		for _, g := range x.now.Load().guesses(word, false) {
			if !want[g.text] {
				t.Fatalf("%q is guessed for %q", g.text, word)
			}
			delete(want, g.text)
		}
		if len(want) > 0 && len(words) <= mostGuesses {
			t.Fatalf("%v are not guessed for %q of %q", want, word, words)
		}
	})
}

// distance is the number of typing errors between two words; swapped neighbours are one.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + rows[i-1][j-1]
			}
			rows[i][j] = min(rows[i][j], rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "lamp", `"red lamp" -green`, `46" tv "`, "-", `"-"`, "DSC-W120/B 12 v 20 x 30 cm",
		"a\xffb", "mobile phone", "keybord", `"" ""`, "×x×", "7,5", "-a", "\u0300", "\u0300a"} {
		f.Add(s)
	}
	x := indexOf("sv", product("a", "mobile phone 12 v red"), product("b", "Sony DSC-W120/B keyboard 20x30"),
		product("c", "trädgårdsslang"))
	x.SetSynonyms([]Synonym{{Words: []string{"mobile phone", "cellphone"}}})
	f.Fuzz(func(t *testing.T, text string) {
		q := x.lang.parse(text)
		if len(q.apart) != len(q.concepts) || len(q.concepts) > mostConcepts {
			t.Fatalf("%d concepts, %d marks", len(q.concepts), len(q.apart))
		}
		end := 0
		for _, c := range q.concepts {
			if c.start < end || c.end <= c.start || c.end > len(text) || c.text == "" {
				t.Fatalf("%q: concept %+v after %d", text, c, end)
			}
			end = c.end
		}
		r := x.Search(Request{Text: text, Limit: 5})
		if len(r.Hits) != r.Total {
			t.Fatalf("%d hits of %d", len(r.Hits), r.Total)
		}
		end = 0
		for _, s := range r.Marker.Mark(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q is marked at %v", text, s)
			}
			end = s.End
		}
		// What is a document's name is found by it, unless it means something to the query's grammar.
		if len(q.without) > 0 || len(q.phrases) > 0 || len(text) > longestQuery || len(q.concepts) == 0 ||
			len(q.concepts) == mostConcepts {
			return
		}
		own := indexOf("sv", product("own", text))
		if own.Search(Request{Text: text}).Total != 1 {
			t.Fatalf("%q does not find itself", text)
		}
	})
}
