package rest

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

func shapeOf(t testing.TB, typ reflect.Type) *shape {
	t.Helper()
	s, err := newShaper().of(typ)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FuzzMerge holds any patch against the rules: what is accepted is a JSON object of known fields, an
// accepted patch laid on a valid value gives a valid value or a refusal, and laying it on twice changes nothing more.
func FuzzMerge(f *testing.F) {
	for _, seed := range []string{`{}`, `{"name":"x","maker":{"city":null}}`,
		`{"tags":["a"],"parts":[{"code":"c","quantity":"1.5"}]}`, `{"maker":null,"note":""}`,
		`{"a":1}`, `[`, `{"price":1e3}`, `{"name":"\ud800"}`, `{"at":"2026-01-01T00:00:00.123456+02:00"}`} {
		f.Add([]byte(seed))
	}
	s := shapeOf(f, reflect.TypeFor[thingBody]())
	codec := &decoder{}
	f.Fuzz(func(t *testing.T, body []byte) {
		var faults fault.List
		read, err := codec.decode(body, s, reflect.New(s.typ).Elem(), true, true, &faults)
		if err != nil || !faults.Empty() {
			return
		}
		if !jsontext.Value(body).IsValid() {
			t.Fatalf("%q is no JSON and was accepted", body)
		}
		present := map[string]bool{}
		for _, name := range read.present {
			if present[name] = true; s.byName[name] == nil {
				t.Fatalf("unknown field %q was accepted", name)
			}
		}
		m := Merge[thingBody]{patch{raw: body, present: present, shape: s, codec: codec}}
		value := thingBody{Number: "N", Name: "old", Count: 1, Tags: []string{"a"}}
		if m.Onto(&value) != nil {
			return
		}
		once, _ := json.Marshal(value)
		if err := m.Onto(&value); err != nil {
			t.Fatalf("%q is refused the second time: %v", body, err)
		}
		if twice, _ := json.Marshal(value); string(once) != string(twice) {
			t.Fatalf("%q: %s, then %s", body, once, twice)
		}
		if value.Number != "N" || !m.Has("name") && value.Name != "old" || value.Name == "" {
			t.Fatalf("%q made %+v", body, value)
		}
	})
}

// FuzzQuery holds any query against the rules: it binds or every fault names a place.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"", "page=1&pageSize=300", "page=0", "modifiedSince=2026-01-01",
		"colour=RED&attribute=a:1&attribute=b", "numbers=a,b,c", "%zz=1", "x;y", "search=%00",
		"page=99999999999999999999", "minPrice=-0.000001"} {
		f.Add(seed)
	}
	var list Op
	for _, op := range new(thingShop).groups()[0].Ops {
		if op.Kind == KindList {
			list = op
		}
	}
	p, err := newPlan(newShaper(), Group{Scope: "things"}, &list)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		in := reflect.New(list.In).Elem()
		var faults fault.List
		p.bindQuery(query, in, false, &faults)
		if faults.Empty() {
			page := in.FieldByName("Paging").Interface().(Paging)
			if page.Page < 1 || page.PageSize < 1 || page.PageSize > maxPageSize || page.Page*page.PageSize <= 0 {
				t.Fatalf("%q: page %d of %d", query, page.Page, page.PageSize)
			}
			if c := in.FieldByName("Colour").String(); c != "" && c != "Red" && c != "Green" {
				t.Fatalf("%q: colour %q", query, c)
			}
			return
		}
		for _, e := range faults.Fields() {
			if e.Code == "" || e.Message == "" {
				t.Fatalf("%q: %+v", query, e)
			}
		}
	})
}

// FuzzKey holds the Idempotency-Key header against its grammar: quoted and bare are the same key.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{"k", `"k"`, `"a\"b"`, `a"b`, "", `""`, "é", strings.Repeat("x", 256), `"`, `\`, "a b",
		" k "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := keyOf(http.Header{"Idempotency-Key": {value}})
		if err != nil {
			return
		}
		if key == "" || len(key) > 255 || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Fatalf("%q was accepted as %q", value, key)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, err := keyOf(http.Header{"Idempotency-Key": {quoted}}); err != nil || again != key {
			t.Fatalf("%q is %q, but %q is %q (%v)", value, key, quoted, again, err)
		}
	})
}

// FuzzTime holds timestamps against RFC 3339: what is read is written the same, and reads back.
func FuzzTime(f *testing.F) {
	for _, seed := range []string{"2026-01-31T13:45:00Z", "2026-01-31T13:45:00", "2026-01-31T13:45:00.123456+02:00",
		"2026-02-30T00:00:00Z", "2026-01-31 13:45:00Z", "2026-01-31T24:00:00Z", "2026-01-31T13:45:00,5Z",
		"0001-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "0001-01-01T00:00:00.000001", "2026-01-31T13:45:00.1234567Z", "1970-01-01T00:00:00Z", "2026-01-31",
		"2026-01-31t13:45:00.123456789+0100", "9999-12-31T23:59:59-01:00", "1000-01-01T00:00:00.0000001+0100",
		"1969-12-31T23:59:59.9999999z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := parseTime(text)
		if err != nil || at == 0 {
			return
		}
		again, err := parseTime(at.String())
		if err != nil || again != at {
			t.Fatalf("%q is %s, which reads as %s (%v)", text, at, again, err)
		}
		// By another way: the standard library reads what has a designator and its colon, to the nanosecond.
		if exact, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text)); err == nil &&
			!strings.Contains(text, ",") {
			if late := exact.Sub(at.Time()); late < 0 || late >= time.Microsecond && exact.UTC().Year() < 10_000 {
				t.Fatalf("%q is %s, %s before it", text, at, late)
			}
		}
		s := &shape{wire: wireTime}
		if got := string(s.encodeTime(nil, int64(at))); got != `"`+at.String()+`"` {
			t.Fatalf("%q: %s", text, got)
		}
	})
}

func TestMomentsAndDays(t *testing.T) {
	utc, _ := parseTime("2026-01-31T10:00:00Z")
	for _, text := range []string{"2026-01-31T10:00:00", "2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000000Z",
		"2026-01-31T04:30:00-05:30", "2026-01-31t10:00:00z", "2026-01-31T11:00:00+0100", "2026-01-31T10:00:00.0000009Z",
		"2026-01-31T04:30:00.000000999-0530", "2026-01-31T10:00:00.0000000"} {
		if at, err := parseTime(text); err != nil || at != utc {
			t.Errorf("%s is %s: %v", text, at, err)
		}
	}
	midnight, _ := parseTime("2026-01-31T00:00:00Z")
	if at, err := parseTime("2026-01-31"); err != nil || at != midnight {
		t.Errorf("a date alone is %s: %v", at, err)
	}
	for text, want := range map[string]string{"0001-01-01T00:00:00": "", "0001-01-01T00:00:00Z": "", "0001-01-01": "",
		"0001-01-01T00:00:00+01:00": "", "0001-01-01T00:00:00-01:00": "0001-01-01T01:00:00.000000Z",
		"0001-01-01T00:00:00.0000019Z": "0001-01-01T00:00:00.000001Z",
		"1753-01-01T00:00:00":          "1753-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.9999999": "9999-12-31T23:59:59.999999Z",
		"9999-12-31T23:59:59-01:00": "9999-12-31T23:59:59.999999Z"} {
		if at, err := parseTime(text); err != nil || at.String() != want {
			t.Errorf("%s is %q: %v", text, at, err)
		}
	}
	for _, text := range []string{"", "0000-12-31T23:00:00-02:00", "10000-01-01T00:00:00Z", "2026-01-31T", "2026-01-31Z", "2026-01-31T10:00Z", "2026-01-31T1:00:00Z",
		"2026-01-31T10:00:00.Z", "2026-01-31T10:00:00+01", "2026-01-31T10:00:00+24:00", "2026-01-31 10:00:00",
		"2026-02-29", "2026-13-01T00:00:00Z", "2026-01-31t10:00:00z ",
		"2026-01-31T10:00:00,5Z"} {
		if at, err := parseTime(text); err == nil {
			t.Errorf("%q was read as %s", text, at)
		}
	}
}

// TestEncodingIsWhatTheLibraryWrites keeps our writer honest.
func TestEncodingIsWhatTheLibraryWrites(t *testing.T) {
	red, text := colour("Red"), Text("")
	full := struct {
		thing
		Map   map[string]int `json:"map"`
		Raw   jsontext.Value `json:"raw"`
		Any   any            `json:"any"`
		Inner []maker        `json:"inner"`
		Null  *Text          `json:"null"`
		Moved db.Time        `json:"moved"`
	}{thing: (&thingShop{}).show(`q"\<å` + "\u2028\n"), Map: map[string]int{"b": 1, "a": 2},
		Raw: jsontext.Value(`{"a":[1]}`), Any: []string{"x"}, Inner: []maker{{Name: "a"}, {City: "b"}}, Null: &text,
		Moved: 1_234_567_890_123_456}
	full.Colour, full.At, full.From = &red, Time(1_700_000_000_000_001), "2026-01-01"
	for _, v := range []any{full, thing{Made: 1}, Paged[thing]{}, PageOf(foundThings(), Paging{Page: 1, PageSize: 50},
		new(thingShop).show)} {
		got, err := shapeOf(t, reflect.TypeOf(v)).encode(nil, reflect.ValueOf(v))
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(v, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
