package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/dec"
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

// facetsText is the facets of an answer: name: label=count label=count; with * at what is chosen, [min-max]=count of
// amounts.
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

// of is a document with one text in a field.
func of(id string, field Field, text string) Document {
	return Document{ID: id, Texts: []Passage{{field, text}}}
}

// with is a document with a facet's value.
func (d Document) with(facet, value string) Document {
	d.Terms = append(d.Terms[:len(d.Terms):len(d.Terms)], Term{facet, value, "The " + value})
	return d
}

func (d Document) priced(price int64) Document {
	d.Amounts = append(d.Amounts[:len(d.Amounts):len(d.Amounts)], Amount{"price", dec.Int(price)})
	return d
}

type expectation struct{ text, want string }

func check(t *testing.T, x *Index, all []expectation) {
	t.Helper()
	for _, c := range all {
		if got := find(x, c.text); got != c.want {
			t.Errorf("%q found %q, wanted %q", c.text, got, c.want)
		}
	}
}

func TestFieldsWeighFromNamesToTexts(t *testing.T) {
	x := indexOf("en", of("6text", Text, "falcon"), of("5attribute", Attribute, "falcon"),
		of("4category", Category, "falcon"), of("3brand", Brand, "falcon"), of("2number", Number, "falcon"),
		of("1name", Name, "falcon"))
	check(t, x, []expectation{{"falcon", "1name 2number 3brand 4category 5attribute 6text"}})
}

func TestExactStandsBeforeBeginningsAndThoseBeforeErrors(t *testing.T) {
	x := indexOf("en", product("begins", "falconry"), product("exact", "falcon"), product("form", "falcons"))
	check(t, x, []expectation{{"falcon", "exact form begins"}})
	// A mistyped word is looked for only where nothing has it as it was typed.
	x = indexOf("en", product("exact", "lamp"), product("other", "lump"))
	check(t, x, []expectation{{"lamp ", "exact"}, {"limp ", "exact other"}})
}

func TestTypingErrors(t *testing.T) {
	x := indexOf("en", product("k", "keyboard"), product("l", "lamp"), product("c", "cup"), product("n", "DSC-W120"))
	check(t, x, []expectation{
		{"lmap ", "l"}, {"lam ", "l"}, {"laamp ", "l"}, {"lxxp ", ""}, // one from four letters
		{"keybord ", "k"}, {"keybaord ", "k"}, {"kybord ", ""}, // kybord has six letters: one error
		{"keyxoaxd ", "k"}, {"kxyxoaxd ", ""}, // two from eight
		{"cap ", ""},  // none in three
		{"w121 ", ""}, // and none in codes
	})
	r := x.Search(Request{Text: "big keybord "})
	if r.Corrected != "big keyboard " {
		t.Errorf("corrected to %q", r.Corrected)
	}
	if r = x.Search(Request{Text: "keyboards"}); r.Corrected != "" {
		t.Errorf("what is right is corrected to %q", r.Corrected)
	}
}

// A mistyped word that happens to be made of two words is none of theirs where no product has both.
func TestATypingErrorIsNoCompound(t *testing.T) {
	for _, language := range []string{"en", "sv"} {
		x := indexOf(language, product("l", "headlamp"), product("h", "head torch"), of("n", Number, "LMP-101"))
		check(t, x, []expectation{{"headlmp ", "l"}})
	}
}

func TestStockAndPopularityBreakTies(t *testing.T) {
	a, b, c, d := product("a", "lamp"), product("b", "lamp"), product("c", "lamp"),
		product("d", "lamp lamp shade green")
	b.InStock, b.Popularity, c.InStock, c.Popularity, d.InStock, d.Popularity = true, 1, true, 9, true, 99
	x := indexOf("en", a, b, c, d)
	check(t, x, []expectation{{"lamp", "c b a d"}, {"", "d c b a"}})
	if got := ids(x.Search(Request{Text: "lamp", InStock: true, Limit: 9}).Hits); got != "c b d" {
		t.Errorf("in stock: %q", got)
	}
}

func TestSynonyms(t *testing.T) {
	x := indexOf("en", product("m", "mobile phone"), product("c", "cellphone"), product("s", "sofa"),
		product("h", "couch"), product("n", "notebook"), product("l", "laptop"))
	x.SetSynonyms([]Synonym{{Words: []string{"mobile phone", "cellphone"}},
		{Words: []string{"couch"}, Means: []string{"sofa"}}, {Words: []string{"laptop", "notebook"}}})
	check(t, x, []expectation{
		// two-way, of several words, in all forms
		{"cellphone ", "c m"}, {"mobile phone ", "m c"}, {"cellphones ", "c m"},
		{"couch ", "h s"}, {"sofa ", "s"}, // one-way
		{"laptop ", "l n"},
	})
	if r := x.Search(Request{Text: "couch "}); fmt.Sprint(r.Synonyms) != "[couch]" {
		t.Errorf("applied %q", r.Synonyms)
	}
	if r := x.Search(Request{Text: "sofa "}); len(r.Synonyms) != 0 {
		t.Errorf("applied %q", r.Synonyms)
	}
	x.SetSynonyms(nil)
	check(t, x, []expectation{{"couch ", "h"}})
}

func TestLanguages(t *testing.T) {
	for language, c := range map[string]struct{ name, stop, form, bare string }{
		"sv": {"Lampor i mässing", "och", "lampa", "massing"},
		"nb": {"Lamper i messing", "og", "lampe", "messing"},
		"da": {"Lamper af træ", "og", "lampe", "trae"},
		"fi": {"Pöydät puusta", "ja", "pöytää", "poydat"},
		"de": {"Stühle aus Holz", "und", "stuhle", "stuhle"},
		"en": {"Wooden chairs", "the", "chair", "wooden"},
	} {
		x := indexOf(language, product("a", c.name), product("b", "zzz"))
		if language != "fi" { // the Finnish stemmer keeps apart what changes its consonants
			check(t, x, []expectation{{c.form + " ", "a"}})
		}
		check(t, x, []expectation{{c.bare + " ", "a"}, {c.stop + " " + c.bare, "a"}, {strings.ToUpper(c.name), "a"}})
	}
	x := indexOf("fi", product("a", "lamppu"))
	check(t, x, []expectation{{"lamppua ", "a"}, {"lamppuja ", "a"}})
	x = indexOf("sv", product("slang", "Trädgårdsslang"), product("garden", "Slang för trädgård"))
	check(t, x, []expectation{{"slang ", "garden slang"}, {"trädgårdsslang", "slang garden"}})
}

func TestWordsSideBySideComeFirst(t *testing.T) {
	x := indexOf("en", product("apart", "red cover with a lamp"), product("together", "a cover with red lamp"))
	check(t, x, []expectation{{"red lamp", "together apart"}, {`"red lamp"`, "together"},
		{`lamp -glass`, "apart together"}, {"lamp -a ", ""}, {"cover -lamp", ""}})
}

func TestNumbersAreFoundHoweverTheyAreWritten(t *testing.T) {
	camera := product("camera", "Camera")
	camera.Texts = append(camera.Texts, Passage{Number, "DSC-W120/B"}, Passage{Number, "7350012345678"},
		Passage{Number, "AB 12-34.5"})
	other := product("other", "Case for cameras")
	other.Texts = append(other.Texts, Passage{Number, "XSC-9"}, Passage{Number, "4006381333931"})
	x := indexOf("en", camera, other)
	for _, text := range []string{"DSC-W120/B", "dscw120b", "dsc w120 b", "DSC W120B", "dsc-w120", "dscw1",
		"7350012345678", "73500123", "735-0012345678", "7350012 345678", "ab12345", "AB12-345", "ab 12-34"} {
		if got := find(x, text); !strings.HasPrefix(got, "camera") {
			t.Errorf("%q found %q", text, got)
		}
	}
	check(t, x, []expectation{{"4006381333931", "other"}, {"7350012345679", ""}})
}

// What is typed may be a number as a whole: it stands before products that have its parts here and there, whatever the
// language makes of the parts.
func TestAWholeNumberStandsBeforeItsParts(t *testing.T) {
	numbered := func(id, name, number string) Document {
		return Document{ID: id, Texts: []Passage{{Name, name}, {Number, number}}}
	}
	for _, language := range []string{"en", "sv", "fi"} {
		x := indexOf(language, numbered("exact", "Hammer 450 g", "A-1"),
			numbered("parts", "Red paint 1 litre", "A/10 B"), numbered("begins", "Spade", "A-12"),
			numbered("one", "Shirt", "P-1"), numbered("dotted", "Rake", "77-13"),
			numbered("long", "Hoe", "12-34-56-78-90"))
		for _, text := range []string{"A-1", "a1", "a 1", "A.1", `"A-1"`, "a-1 "} {
			if got := find(x, text); got != "exact" && !strings.HasPrefix(got, "exact ") {
				t.Errorf("%s: %q found %q", language, text, got)
			}
		}
		if got := find(x, "A-1"); !strings.Contains(got, "begins") {
			t.Errorf("%s: A-1 found %q, and not A-12", language, got)
		}
		check(t, x, []expectation{{`"A-1"`, "exact"}, {"77.13", "dotted"}, {"1234567890", "long"},
			{"12 34 56 78 90", "long"}, {"12-34-56-78", "long"}})
	}
}

func TestFacetsLeaveOutTheirOwnChoice(t *testing.T) {
	x := indexOf("en", product("a", "lamp").with("color", "red").with("size", "s").priced(10),
		product("b", "lamp").with("color", "blue").with("size", "s").priced(20), product("c", "lamp").
			with("color", "blue").with("size", "l").priced(30), product("d", "cup").
			with("color", "green").with("size", "l").priced(40))
	x.Delete([]string{"d"}, 2)
	from, to := dec.Int(15), dec.Int(25)
	for _, c := range []struct {
		filters      []Filter
		hits, facets string
	}{
		{nil, "a b c", "color: The blue=2 The red=1; size: The s=2 The l=1; price: [10-30]=3;"},
		{[]Filter{{Facet: "color", Values: []string{"red"}}}, "a",
			"color: The blue=2 The red=1*; size: The s=1; price: [10-10]=1;"},
		{[]Filter{{Facet: "color", Values: []string{"red", "blue"}}, {Facet: "size", Values: []string{"l"}}}, "c",
			"color: The blue=1* The red=0*; size: The s=2 The l=1*; price: [30-30]=1;"},
		{[]Filter{{Facet: "price", From: &from, To: &to}}, "b", "color: The blue=1; size: The s=1; price: [10-30]=3;"},
		// no document has it any more
		{[]Filter{{Facet: "color", Values: []string{"green"}}}, "", "color: The blue=2 The red=1;"},
		{[]Filter{{Facet: "color", Values: []string{"red", "blue"}}, {Facet: "color", Values: []string{"red"}}}, "a",
			"color: The blue=2* The red=1*; size: The s=1; price: [10-10]=1;"},
	} {
		for _, text := range []string{"", "lamp"} {
			r := x.Search(Request{Text: text, Filters: c.filters, Facets: []string{"color", "size", "price"}, Limit: 9})
			if ids(r.Hits) != c.hits || facetsText(r) != c.facets {
				t.Errorf("%q with %v: %q, %s\nwanted %q, %s", text, c.filters, ids(r.Hits), facetsText(r), c.hits,
					c.facets)
			}
		}
	}
}

// A document may have many numbers of a facet: it is within a range where one of them is, and neither a range nor a
// value that is chosen narrows the range of all.
func TestWordsThatAreNumbers(t *testing.T) {
	x := indexOf("en", product("light", "lamp").with("weight", "-1"), product("heavy", "lamp").with("weight", "9"),
		product("both", "lamp").with("weight", "2.5").with("weight", "10"), product("none", "lamp"))
	from, to := dec.Int(2), dec.Int(9)
	for hits, f := range map[string]Filter{"heavy": {Values: []string{"9"}}, "both heavy": {From: &from, To: &to},
		"light": {To: &from}, "": {From: &to, To: &from}} {
		f.Facet = "weight"
		r := x.Search(Request{Filters: []Filter{f}, Facets: []string{"weight"}, Numbers: []string{"weight"}, Limit: 9})
		if ids(r.Hits) != hits || facetsText(r) != "weight: [-1-10]=4;" {
			t.Errorf("%+v found %q, %s", f, ids(r.Hits), facetsText(r))
		}
	}
}

func TestALabelChangesWithItsDocuments(t *testing.T) {
	x := New("", "en")
	named := func(id, label string) Document {
		d := product(id, "lamp")
		d.Terms = []Term{{"color", "1", label}}
		return d
	}
	for _, id := range []string{"a", "b", "c"} {
		x.Upsert([]Document{named(id, "Old")}, 0)
	}
	for _, id := range []string{"a", "b", "c"} {
		x.Upsert([]Document{named(id, "New")}, 0)
	}
	x.Compact()
	if got := facetsText(x.Search(Request{Facets: []string{"color"}})); got != "color: New=3;" {
		t.Error(got)
	}
}

func TestSorting(t *testing.T) {
	named := func(id, name string, price int64) Document {
		d := product(id, name).priced(price)
		d.Keys = []Key{{"name", name}}
		return d
	}
	x := indexOf("sv", named("1", "Östersund 10", 30), named("2", "Ast", 20), named("3", "Östersund 9", 10),
		named("4", "ångest", 20), product("5", "none"))
	own := func(_, id string, own dec.Dec, has bool) (dec.Dec, bool) {
		if id == "1" {
			return dec.Int(1), true // this customer's own price
		}
		return own, has
	}
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Sort: []Order{{Key: "name"}}}, "2 4 3 1 5"}, // as Swedish does: å before ö behind z, 9 before 10
		{Request{Sort: []Order{{Key: "name", Descending: true}}}, "1 3 4 2 5"},
		{Request{Sort: []Order{{Key: "price"}}}, "3 2 4 1 5"},
		{Request{Sort: []Order{{Key: "price"}, {Key: "name", Descending: true}}}, "3 4 2 1 5"},
		{Request{Sort: []Order{{Key: "price"}}, Amount: own}, "1 3 2 4 5"},
	} {
		all := c.r
		all.Limit = 9
		if got := ids(x.Search(all).Hits); got != c.want {
			t.Errorf("%v: %q, wanted %q", c.r.Sort, got, c.want)
		}
		for i, id := range strings.Fields(c.want) { // and page by page
			all.Offset, all.Limit = i, 1
			if got := ids(x.Search(all).Hits); got != id {
				t.Errorf("%v: %q at %d, wanted %q", c.r.Sort, got, i, id)
			}
		}
	}
	to := dec.Int(5)
	r := x.Search(Request{Filters: []Filter{{Facet: "price", To: &to}}, Facets: []string{"price"}, Amount: own,
		Limit: 9})
	if ids(r.Hits) != "1" || facetsText(r) != "price: [1-20]=4;" {
		t.Errorf("with the customer's own price %q, %s", ids(r.Hits), facetsText(r))
	}
}

func TestDocumentsOpenAndClose(t *testing.T) {
	a, b := product("a", "lamp").with("color", "red"), product("b", "lamp").with("color", "blue")
	a.Opens, a.Closes = 10, 20
	x := indexOf("en", a, b)
	for at, want := range map[int64]string{0: "a b", 9: "b", 10: "a b", 19: "a b", 20: "b"} {
		for _, text := range []string{"", "lamp"} {
			if got := ids(x.Search(Request{Text: text, At: at, Limit: 9}).Hits); got != want {
				t.Errorf("at %d %q finds %q, wanted %q", at, text, got, want)
			}
		}
		labels := 0
		for _, f := range x.Suggest(Typing{Text: "the", At: at, Facets: []string{"color"}, Values: 9}).Facets {
			labels += len(f.Values)
		}
		if labels != len(strings.Fields(want)) {
			t.Errorf("at %d %d colors are proposed", at, labels)
		}
	}
}

func TestHighlights(t *testing.T) {
	x := indexOf("en", product("a", "Red lamps of glass"), product("b", "DSC-W120 keyboard"))
	x.SetSynonyms([]Synonym{{Words: []string{"crimson"}, Means: []string{"red"}}})
	for _, c := range []struct{ query, text, want string }{
		{"lamp", "Red lamps of glass", "Red [lamps] of glass"},
		{"red la", "Red lamps of glass", "[Red] [lamps] of glass"},
		{"crimson ", "Red lamps", "[Red] lamps"},
		{"keybord ", "DSC-W120 keyboard", "DSC-W120 [keyboard]"},
		{"dscw120", "DSC-W120 keyboard", "[DSC-W120] keyboard"},
		{"cup", "Red lamps", "Red lamps"},
	} {
		got, at := "", 0
		for _, s := range x.Search(Request{Text: c.query}).Marker.Mark(c.text) {
			got += c.text[at:s.Start] + "[" + c.text[s.Start:s.End] + "]"
			at = s.End
		}
		if got += c.text[at:]; got != c.want {
			t.Errorf("%q in %q: %q, wanted %q", c.query, c.text, got, c.want)
		}
	}
}

// Of a query's unknown words six are looked for by what resembles them, the one being typed among them; the others are
// left as they are.
func TestAtMostSixWordsAreGuessed(t *testing.T) {
	words := []string{"hammer", "sander", "grinder", "chisel", "spanner", "ladder", "bucket", "shovel", "wrench"}
	var docs []Document
	for _, w := range words {
		docs = append(docs, product(w, w))
	}
	x := indexOf("en", docs...)
	mistyped := func(n int) string {
		var out []string
		for _, w := range words[:n] {
			out = append(out, w[:2]+"q"+w[3:])
		}
		return strings.Join(out, " ")
	}
	for n, want := range map[int]int{1: 1, 6: 6, 9: 6} {
		for _, end := range []string{"", " "} {
			r := x.Search(Request{Text: mistyped(n) + end, Limit: 20})
			if r.Total != want {
				t.Errorf("%d mistyped words, ending %q: %d of them found, want %d", n, end, r.Total, want)
			}
		}
	}
	// Words that are right do not count.
	r := x.Search(Request{Text: strings.Join(words[:6], " ") + " " + mistyped(9)[len(mistyped(6))+1:] + " ", Limit: 20})
	if r.Total != 9 {
		t.Errorf("six right words and three mistyped ones find %d", r.Total)
	}
	if r := x.Search(Request{Text: "haqmer", Exact: true}); r.Total != 0 {
		t.Errorf("an exact search finds %d", r.Total)
	}
}

// A search gives up at its deadline, and a text's words are counted as they are searched for.
func TestASearchGivesUp(t *testing.T) {
	x := indexOf("en", product("a", "lamp"))
	if r := x.Search(Request{Text: "lamp", Deadline: time.Now().Add(-time.Second), Limit: 1}); !r.Late ||
		len(r.Hits) > 0 {
		t.Errorf("past its deadline a search found %+v", r)
	}
	if s := x.Suggest(Typing{Text: "lam", Products: 1, Deadline: time.Now().Add(-time.Second)}); !s.Late ||
		len(s.Products) > 0 {
		t.Errorf("past its deadline a proposal is %+v", s)
	}
	if r := x.Search(Request{Text: "lamp", Deadline: time.Now().Add(time.Hour), Limit: 1}); r.Late || len(r.Hits) != 1 {
		t.Errorf("within its time a search found %+v", r)
	}
	for text, want := range map[string]int{"": 0, "lamp": 1, "the lamp -red \"on a table\"": 6, "a-1": 2,
		strings.Repeat("lamp ", 40): 40} {
		if n := x.Words(text); n != want {
			t.Errorf("%q has %d words, want %d", text, n, want)
		}
	}
}

// A word is found however it is bent: at the end of a compound, and where it was mistyped. What is written without the
// letters of a language is read with them.
func TestWordsAreFoundHoweverTheyAreBent(t *testing.T) {
	for code, c := range map[string]struct {
		names []string
		found map[string][]string
	}{
		"sv": {[]string{"Vinterjacka", "Regnjackor", "Glödlampa", "Hårfön"}, map[string][]string{
			"jackor": {"Vinterjacka", "Regnjackor"}, "jackorna": {"Vinterjacka", "Regnjackor"},
			"lampor": {"Glödlampa"}, "haarfoen": {"Hårfön"}}},
		"de": {[]string{"Winterjacke", "Regenjacken", "Buch", "Bücherregal", "Kaffeetassen"}, map[string][]string{
			"jacken": {"Winterjacke", "Regenjacken"}, "jacke": {"Winterjacke", "Regenjacken"},
			"buecher": {"Buch", "Bücherregal"}, "tasse": {"Kaffeetassen"}}},
		"en": {[]string{"Water bottle", "Thermos", "Made of bottles"}, map[string][]string{
			"botles": {"Water bottle", "Made of bottles"}}},
	} {
		var docs []Document
		for _, n := range c.names {
			docs = append(docs, product(n, n))
		}
		x := indexOf(code, docs...)
		for q, want := range c.found {
			r := x.Search(Request{Text: q, Limit: 9})
			var got []string
			for _, h := range r.Hits {
				got = append(got, h.ID)
				if len(r.Marker.Mark(h.ID)) == 0 {
					t.Errorf("%s: nothing of %s is marked for %q", code, h.ID, q)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q finds %v, not %v", code, q, got, want)
			}
		}
	}
}
