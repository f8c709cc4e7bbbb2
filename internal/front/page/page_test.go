package page

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func spoken(t testing.TB) (en, sv *translator) {
	t.Helper()
	all, err := translators(nil, func(string) int { return 2 })
	if err != nil {
		t.Fatal(err)
	}
	return all["en"], all["sv"]
}

func TestNumbersAreReadAsPeopleTypeThem(t *testing.T) {
	en, sv := spoken(t)
	for _, c := range []struct {
		t          *translator
		text, want string
	}{
		{en, "1234.5", "1234.5"}, {en, "1,234.5", "1234.5"}, {en, "1,234", "1234"}, {en, "0,5", "0.5"},
		{en, "2,5", "2.5"}, {en, "-3", "-3"}, {en, "1,234,567", "1234567"}, {sv, "1 234,50", "1234.5"},
		{sv, "1\u00a0234,5", "1234.5"}, {sv, "1.234,5", "1234.5"}, {sv, "1,234", "1.234"}, {sv, "\u22125", "-5"},
		{sv, "7", "7"},
	} {
		if got, err := c.t.parse(c.text); err != nil || got != dec.Must(c.want) {
			t.Errorf("%s %q is %s, %v; want %s", c.t.lang, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"1,2,3", "1,23,456", "1234,567,890", ",1,000", "1.2.3", "1,2.5,3", "12,34.5", "", "many",
		"1e5", "1.2.3,4,5", "--1"} {
		if d, err := en.parse(text); err == nil {
			t.Errorf("%q is read as %s", text, d)
		}
	}
}

// What a field shows is read as the same number, in every language.
func TestNumbersComeBackAsTheyWent(t *testing.T) {
	en, sv := spoken(t)
	rapid.Check(t, func(t *rapid.T) {
		d := dec.Dec(rapid.Int64Range(-int64(dec.Max), int64(dec.Max)).Draw(t, "d"))
		for _, to := range []*translator{en, sv} {
			if got, err := to.parse(to.typed(d)); to.lang == "sv" && (err != nil || got != d) {
				t.Fatalf("%s: %s is typed %q and read as %s, %v", to.lang, d, to.typed(d), got, err)
			}
			if got, err := to.parse(to.number(d)); to.lang == "sv" && (err != nil || got != d) {
				t.Fatalf("%s: %s is shown %q and read as %s, %v", to.lang, d, to.number(d), got, err)
			}
			if got, err := to.parse(d.String()); err != nil || got != d {
				t.Fatalf("%s: %q is read as %s, %v", to.lang, d.String(), got, err)
			}
		}
	})
}

func TestNobodyIsLedElsewhere(t *testing.T) {
	for _, next := range []string{"https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)",
		"evil", "", "/a\r\nSet-Cookie: x", "/\t/evil.example"} {
		if got := Local(next, "/"); got != "/" {
			t.Errorf("%q leads to %q", next, got)
		}
	}
	if got := Local("/orders?status=Placed", "/"); got != "/orders?status=Placed" {
		t.Error(got)
	}
}

// A page whose address begins with two slashes is none of ours, and nobody is led back to whom it names.
func TestTheWayBackIsWithinTheOffice(t *testing.T) {
	for from, want := range map[string]string{"https://office.example/items?q=a": "/items?q=a",
		"https://office.example//thief.example/items": "/", "https://thief.example/items": "/", "": "/"} {
		r := httptest.NewRequest(http.MethodGet, "https://office.example/orders/none", nil)
		r.Header.Set("Referer", from)
		if got := (&exchange{r: r, site: &Site{Surface: Surface{Home: "/"}}}).back(); got != want {
			t.Errorf("from %q the way back is %q, want %q", from, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for enum, want := range map[string]string{"PartiallyDelivered": "Partially delivered", "vatNumber": "Vat number",
		"hand-over": "Hand over", "GTIN": "GTIN", "B2BPortal": "B2B portal", "orders": "Orders"} {
		if got := Words(enum); got != want {
			t.Errorf("%s is %q, want %q", enum, got, want)
		}
	}
}

func TestBlankRowsAreDropped(t *testing.T) {
	type line struct {
		item     string
		quantity dec.Dec
		unit     string
	}
	en, _ := spoken(t)
	var lines []line
	field := Lines("lines", "Lines", &lines, func(l *line) []Field {
		return []Field{Text("item", "Item", &l.item), Decimal("quantity", "Quantity", &l.quantity),
			Select("unit", "Unit", &l.unit, []Option{{Value: "PCS", Label: "Pieces"}})}
	})
	p := &posted{values: url.Values{"lines[0].unit": {"PCS"}, "lines[1].item": {"A"}, "lines[1].quantity": {"x"},
		"lines[3].item": {"B"}, "lines[3].quantity": {"2"}, "lines[9].item": {" "}}}
	var wrong fault.List
	p.read(en, []Field{field}, "", &wrong)
	if len(lines) != 2 || lines[0].item != "A" || lines[1].item != "B" || lines[1].quantity != dec.Int(2) {
		t.Errorf("%+v", lines)
	}
	if f := wrong.Fields(); len(f) != 1 || f[0].Path != "lines[0].quantity" {
		t.Errorf("%+v", f)
	}
	if p.raw("lines[0].item") != "A" || p.raw("lines[1].item") != "B" || p.sent("lines") != 2 {
		t.Errorf("what is shown again: %v", p.values)
	}
}

func TestPathsMayHoldAnything(t *testing.T) {
	var r router
	for _, path := range []string{"/items", "/items/{number}", "/items/{number}/edit", "/new/items"} {
		if err := r.add(route{method: "GET", path: path}); err != nil {
			t.Fatal(err)
		}
	}
	if r.add(route{method: "GET", path: "/items/{code}"}) == nil {
		t.Error("two pages at one address")
	}
	for _, number := range []string{"A/1", "new", "..", "Å ä", "a?b=c&d", "100%"} {
		req := httptest.NewRequest("GET", Path("items", number, "edit"), nil)
		at, captured := r.at(req.URL.EscapedPath())
		if at == nil {
			t.Errorf("%q is not found", number)
			continue
		}
		if got, ok := at.routes["GET"].capture(captured); !ok || got["number"] != number {
			t.Errorf("%q is captured as %q", number, got["number"])
		}
	}
	if at, _ := r.at("/items/a/b"); at != nil {
		t.Error("a path that is none was found")
	}
}

// A field of one line takes one line, whoever sends the form; what stands there from before may stay.
func TestALineIsOneLine(t *testing.T) {
	en, _ := spoken(t)
	old := "X\n1"
	var code, name, note string
	fields := []Field{Code("code", "Code", &code), Text("name", "Name", &name), Code("old", "Old", &old),
		Prose("note", "Note", &note)}
	p := &posted{values: url.Values{"code": {"A\r\n1"}, "name": {"a\tb"}, "old": {"X\r\n1"}, "note": {"a\r\nb"}}}
	var wrong fault.List
	p.read(en, fields, "", &wrong)
	if got := wrong.Fields(); len(got) != 2 || got[0].Path != "code" || got[1].Path != "name" || note != "a\nb" {
		t.Errorf("%v, note %q", got, note)
	}
}

func FuzzForms(f *testing.F) {
	f.Add("lines[0].item=A&lines[4].item=B&name=x")
	f.Add("lines[999999999].item=A&lines[-1].item=&lines[0]x=1")
	f.Fuzz(func(t *testing.T, body string) {
		values, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		en, _ := spoken(t)
		type line struct{ item string }
		var lines []line
		var name string
		fields := []Field{Text("name", "Name", &name).Required(),
			Lines("lines", "Lines", &lines, func(l *line) []Field { return []Field{Text("item", "Item", &l.item)} })}
		p := &posted{values: values}
		var wrong fault.List
		p.read(en, fields, "", &wrong)
		newSheet(en, p, wrong.Err()).fields(fields, "")
		if len(name) > 0 && len([]rune(name)) > maxName {
			t.Errorf("a name of %d characters", len(name))
		}
	})
}

// A history says what changed in words; a structure that nobody can read in a line has changed, and a long text of a
// person stands as it is.
func TestAHistorySpeaksInWords(t *testing.T) {
	en, sv := spoken(t)
	long := strings.Repeat("word ", 100)
	schema := map[string]any{"features": []any{map[string]any{"code": "WIDTH", "name": long}}}
	for _, c := range []struct {
		t             *translator
		from, to      any
		before, after string
	}{
		{en, "Placed", "Released", "Placed", "Released"}, {en, schema, schema, "", "Changed"},
		{sv, nil, schema, "", "Tillagt"}, {en, schema, nil, "Removed", ""}, {en, "", long, "", long},
		{en, "", `{"rules": "` + long + `"}`, "", "Added"}, {en, "", "{" + long, "", "{" + long},
		{en, map[string]any{"city": "Oslo"}, map[string]any{"city": "Bergen"}, "City Oslo", "City Bergen"},
		{en, "1234.333333", "0.051538", "1,234.333333", "0.051538"}, {sv, "2500", "1722.625", "2\u00a0500", "1\u00a0722,625"},
		{en, nil, map[string]any{"unitPrice": "56.951538"}, "", "Unit price 56.951538"},
		{en, "2026-11-28", "", "28 Nov 2026", ""},
	} {
		if before, after := c.t.change("items", "lines[1].unitCost", [2]any{c.from, c.to}); before != c.before || after != c.after {
			t.Errorf("%v to %v is %q to %q, not %q to %q", c.from, c.to, before, after, c.before, c.after)
		}
	}
}

// A link without a word would be one that nobody sees, and that a keyboard stops at.
func TestWhatSaysNothingLeadsNowhere(t *testing.T) {
	en, _ := spoken(t)
	if c := en.cell(To("", "/items/")); c.Href != "" {
		t.Errorf("nothing leads to %s", c.Href)
	}
	if c := en.cell(To("A-100", "/items/A-100")); c.Href == "" {
		t.Error("an item leads nowhere")
	}
}

// The scale of a chart has round steps, few of them, and none outside.
func TestAScaleIsReadByRoundSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := dec.Dec(rapid.Int64Range(-1_000_000_000_000, 0).Draw(t, "low"))
		high := low.Add(dec.Dec(rapid.Int64Range(1, 2_000_000_000_000).Draw(t, "span")))
		all := scale{low: low, high: high}.ticks()
		if len(all) == 0 || len(all) > 5 {
			t.Fatalf("%s to %s is read by %v", low, high, all)
		}
		for i, at := range all {
			if at < low || at > high {
				t.Fatalf("%s is outside of %s to %s", at, low, high)
			}
			if i > 1 && at.Sub(all[i-1]) != all[1].Sub(all[0]) {
				t.Fatalf("steps differ: %v", all)
			}
		}
	})
	for _, c := range []struct{ high, want string }{{"7", "0 2 4 6"}, {"110", "0 50 100"}, {"0.4", "0 0.1 0.2 0.3 0.4"}} {
		var got []string
		for _, at := range (scale{high: dec.Must(c.high)}).ticks() {
			got = append(got, at.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("up to %s is read by %v, want %s", c.high, got, c.want)
		}
	}
}

func TestAmountsEndWithTheCurrency(t *testing.T) {
	en, _ := spoken(t)
	if got := en.cell(Amount(dec.Must("-608.094666"), "NOK")).Text; got != "\u2212608.09" {
		t.Errorf("an amount reads %q", got)
	}
}
