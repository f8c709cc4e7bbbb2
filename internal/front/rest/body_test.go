package rest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// TestBodies is one line for each rule of a body: what is sent, and the field and code that are refused.
func TestBodies(t *testing.T) {
	s := serve(t, nil)
	for i, c := range []struct{ body, wrong string }{
		{`{"name":" x ","price":"12.50","tags":["a"],"from":"2026-02-28","at":"2026-01-31T10:00:00"}`, ``},
		{`{"name":"x","price":999999999999.999999,"parts":[{"code":"a","quantity":0.5}]}`, ``},
		{`{"name":"x","price":null,"note":"","from":"","at":" ","colour":"","maker":null}`, ``},
		{`{"name":"x","note":"a\r\nb\tc"}`, ``},
		{`{}`, `name Request.Invalid`},
		{`{"name":null}`, `name Request.Invalid`},
		{`{"name":"  "}`, `name Request.Invalid`},
		{`{"name":7}`, `name Request.Invalid`},
		{`{"name":"x","price":"1,5"}`, `price Request.Invalid`},
		{`{"name":"x","price":1e3}`, `price Request.Invalid`},
		{`{"name":"x","price":"+1"}`, `price Request.Invalid`},
		{`{"name":"x","price":1234567890123}`, `price Request.Invalid`},
		{`{"name":"x","price":0.1234567}`, `price Request.Invalid`},
		{`{"name":"x","price":-1}`, `price Request.Invalid`},
		{`{"name":"x","price":true}`, `price Request.Invalid`},
		{`{"name":"x","count":1.5}`, `count Request.Invalid`},
		{`{"name":"x","count":"1"}`, `count Request.Invalid`},
		{`{"name":"x","count":100}`, `count Request.Invalid`},
		{`{"name":"x","count":null}`, `count Request.Invalid`},
		{`{"name":"x","active":"true"}`, `active Request.Invalid`},
		{`{"name":"x","colour":"red"}`, `colour Request.Invalid`},
		{`{"name":"x","from":"2026-02-29"}`, `from Request.Invalid`},
		{`{"name":"x","at":"yesterday"}`, `at Request.Invalid`},
		{`{"name":"x","note":"a\u0000b"}`, `note Request.Invalid`},
		{`{"name":"x","note":"a\rb"}`, `note Request.Invalid`},
		{`{"name":"x\ny","number":"a\nb"}`, `number Request.Invalid`},
		{`{"name":"x","number":"a\tb","parts":[{"code":"a\nb","quantity":1}]}`,
			`number Request.Invalid; parts[0].code Request.Invalid`},
		{`{"name":"` + strings.Repeat("é", 200) + `"}`, ``},
		{`{"name":"` + strings.Repeat("é", 201) + `"}`, `name Request.Invalid`},
		{`{"name":"x","tags":["a","toolong"]}`, `tags[1] Request.Invalid`},
		{`{"name":"x","tags":["a",null]}`, `tags[1] Request.Invalid`},
		{`{"name":"x","tags":null}`, `tags Request.Invalid`},
		{`{"name":"x","tags":"a"}`, `tags Request.Invalid`},
		{`{"name":"x","maker":{}}`, `maker.name Request.Invalid`},
		{`{"name":"x","maker":[]}`, `maker Request.Invalid`},
		{`{"name":"x","maker":{"name":"m","x":1}}`, `maker.x Request.UnknownField`},
		{`{"name":"x","parts":[{"code":"a","quantity":0}]}`, `parts[0].quantity Request.Invalid`},
		{`{"name":"x","parts":[{"code":"a"},{"quantity":"x","z":1}]}`,
			`parts[0].quantity Request.Invalid; parts[1].quantity Request.Invalid; parts[1].z Request.UnknownField; parts[1].code Request.Invalid`},
		{
			`{"name":"x","parts":[{"code":"a","quantity":1},{"code":"a","quantity":1},{"code":"a","quantity":1},{"code":"a","quantity":1}]}`,
			`parts Request.Invalid`},
		{`{"nmae":"x"}`, `nmae Request.UnknownField; name Request.Invalid`},
		{`{"Name":"x"}`, `Name Request.UnknownField; name Request.Invalid`},
	} {
		w := s.do("POST /preview/things", fmt.Sprintf("Idempotency-Key: b%d", i), c.body)
		if c.wrong == "" {
			s.ok(w, 201)
			continue
		}
		code := c.wrong[strings.IndexByte(c.wrong, ' ')+1:]
		code, _, _ = strings.Cut(code, ";")
		var got []string
		for _, e := range s.refused(w, 400, code).Errors {
			got = append(got, e.Path+" "+e.Code)
		}
		if strings.Join(got, "; ") != c.wrong {
			t.Errorf("%s\n got %s\nwant %s", c.body, strings.Join(got, "; "), c.wrong)
		}
	}
}

// An id may be sent in capitals, wherever it stands; what is no id is refused.
func TestIDs(t *testing.T) {
	const id = "0196a3ee-7c3f-7b51-9d2c-1f4e8a6b0c11"
	type body struct {
		ID    string  `json:"id" req:"true" format:"uuid"`
		Other Text    `json:"other" format:"uuid"`
		Third *string `json:"third" format:"uuid"`
	}
	s := shapeOf(t, reflect.TypeFor[body]())
	for _, c := range []struct{ body, wrong string }{
		{`{"id": "` + strings.ToUpper(id) + `", "other": "` + strings.ToUpper(id) + `", "third": "` + strings.ToUpper(id) +
			`"}`, ""},
		{`{"id": "` + id + `", "other": "", "third": null}`, ""},
		{`{"id": "x", "other": "{` + id + `}", "third": "` + strings.ReplaceAll(id, "-", "") + `"}`, "id other third"},
	} {
		var got body
		var faults fault.List
		_, err := (&decoder{}).decode([]byte(c.body), s, reflect.ValueOf(&got).Elem(), false, false, &faults)
		var wrong []string
		for _, f := range faults.Fields() {
			wrong = append(wrong, f.Path)
		}
		if err != nil || strings.Join(wrong, " ") != c.wrong {
			t.Errorf("%s: %v %v", c.body, err, faults.Fields())
		}
		if c.wrong == "" && (got.ID != id || got.Other != "" && got.Other != id || got.Third != nil && *got.Third != id) {
			t.Errorf("%s was read as %+v", c.body, got)
		}
	}
}

// A code is one line, also where it may be null, and in a list.
func TestCodesAreOneLine(t *testing.T) {
	type body struct {
		Code  *Text    `json:"code"`
		Other *string  `json:"other"`
		Codes []string `json:"codes"`
		Note  *Text    `json:"note" text:"note"`
	}
	s := shapeOf(t, reflect.TypeFor[body]())
	var faults fault.List
	_, err := (&decoder{}).decode([]byte(`{"code": "a\nb", "other": "a\tb", "codes": ["a", "a\nb"], "note": "a\nb"}`), s,
		reflect.New(s.typ).Elem(), false, false, &faults)
	var wrong []string
	for _, f := range faults.Fields() {
		wrong = append(wrong, f.Path)
	}
	if err != nil || strings.Join(wrong, " ") != "code other codes[1]" {
		t.Errorf("%v %v", err, faults.Fields())
	}
}

// What is wrong in a map is told in the order of its names, however often it is sent.
func TestWhatIsWrongInAMap(t *testing.T) {
	type body struct {
		Values map[string]string `json:"values" max:"3"`
	}
	s := shapeOf(t, reflect.TypeFor[body]())
	for range 5 {
		var faults fault.List
		_, err := (&decoder{}).decode([]byte(`{"values": {"d": "long", "b": "long", "e": "long", "a": "long", "c": "ok"}}`),
			s, reflect.New(s.typ).Elem(), false, false, &faults)
		var wrong []string
		for _, f := range faults.Fields() {
			wrong = append(wrong, f.Path)
		}
		if err != nil || strings.Join(wrong, " ") != "values.a values.b values.d values.e" {
			t.Fatalf("%v %v", err, faults.Fields())
		}
	}
}

func TestWhatIsNoJSONObject(t *testing.T) {
	s := serve(t, nil)
	deep := func(n int) string { return `{"name":"x","z":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for body, says := range map[string]string{
		``: "missing", `{`: "ends too early", `[]`: "JSON object", `"a"`: "JSON object", `{"name":"x"} {}`: "follows",
		`{"name":"x","name":"y"}`: "duplicate",
		"{\"name\":\"\xff\"}":     "UTF-8", `{'name':1}`: "not JSON", deep(40): "deeper than 32",
		deep(100_000): "deeper than 32", `null`: "JSON object",
	} {
		if p := s.refused(s.do("POST /preview/things", "Idempotency-Key: k", body), 400,
			"Request.Invalid"); !strings.Contains(p.Detail, says) {
			t.Errorf("%.40q: %s", body, p.Detail)
		}
	}
	s.refused(s.do("POST /preview/things", "Idempotency-Key: k", `{"name":"`+strings.Repeat("x", maxBody)+`"}`), 413,
		"Request.TooLarge")
	s.refused(s.do("POST /preview/things", "Idempotency-Key: k", deep(5)), 400, "Request.UnknownField")
}

func TestMergePatch(t *testing.T) {
	s := serve(t, nil)
	for _, c := range []struct{ body, want string }{
		{`{}`, `"name":"old","note":"note"`},
		{`{"note":null}`, `"name":"old","note":null`},
		{`{"note":""}`, `"name":"old","note":null`},
		{`{"name":"new"}`, `"name":"new","note":"note"`},
		{`{"maker":{"city":"X"}}`, `"maker":{"name":"M","city":"X"}`},
		{`{"maker":{"city":null}}`, `"maker":{"name":"M","city":null}`},
		{`{"maker":null}`, `"maker":null`},
		{`{"tags":["b","c"]}`, `"tags":["b","c"]`},
		{`{"tags":[]}`, `"tags":[]`},
	} {
		if w := s.ok(s.do("PATCH /preview/things/A", c.body), 200); !strings.Contains(w.Body.String(), c.want) ||
			w.Header().Get("ETag") == "" {
			t.Errorf("%s: %s", c.body, w.Body)
		}
	}
	for body, wrong := range map[string]string{
		`{"number":"B"}`: "number Request.UnknownField", `{"name":null}`: "name Request.Invalid",
		`{"name":""}`:             "name Request.Invalid",
		`{"maker":{"name":null}}`: "maker.name Request.Invalid", `{"count":100}`: "count Request.Invalid",
		`{"tags":null}`:            "tags Request.Invalid",
		`{"parts":[{"code":"a"}]}`: "parts[0].quantity Request.Invalid",
	} {
		code := wrong[strings.IndexByte(wrong, ' ')+1:]
		p := s.refused(s.do("PATCH /preview/things/A", body), 400, code)
		if got := p.Errors[0].Path + " " + p.Errors[0].Code; got != wrong || len(p.Errors) != 1 {
			t.Errorf("%s: %+v", body, p.Errors)
		}
		if code == "Request.UnknownField" && strings.Join(p.AcceptedFields,
			",") != "name,note,price,count,colour,active,from,at,maker,parts,tags" {
			t.Errorf("accepted %q", p.AcceptedFields)
		}
	}
	s.refused(s.do("PATCH /preview/things/A", `[]`), 400, "Request.Invalid")
	s.refused(s.do("PATCH /preview/things/A"), 400, "Request.Invalid")
	s.ok(s.do("PATCH /preview/things/A", `{}`, "Content-Type: application/merge-patch+json"), 200)
	s.refused(s.do("PATCH /preview/things/A", `{}`, "Content-Type: text/plain"), 415, "Request.UnsupportedMediaType")
	s.refused(s.do("POST /preview/things", "Idempotency-Key: k", `{}`, "Content-Type: application/merge-patch+json"),
		415, "Request.UnsupportedMediaType")
	s.refused(s.do("PATCH /preview/things/A", `{"z":1}`), 400, "Request.UnknownField")
}

func TestAPatchDoesNotReachWhatItWasMadeFrom(t *testing.T) {
	old := maker{Name: "M", City: "C"}
	present := thingBody{Name: "x", Maker: &old}
	s, err := newShaper().of(reflect.TypeFor[thingBody]())
	if err != nil {
		t.Fatal(err)
	}
	m := Merge[thingBody]{patch{raw: []byte(`{"maker":{"name":"N"}}`), present: map[string]bool{"maker": true},
		shape: s, codec: &decoder{}}}
	if err := m.Onto(&present); err != nil || present.Maker.Name != "N" || present.Maker.City != "C" ||
		old.Name != "M" || !m.Has("maker") || m.Has("name") {
		t.Errorf("%v %+v %+v", err, present.Maker, old)
	}
}

// rowPatch is an entry of a list of merge patches.
type rowPatch struct {
	Code  string   `json:"code" req:"true" key:"true"`
	Note  Text     `json:"note"`
	Price *dec.Dec `json:"price" min:"0"`
	Count int      `json:"count" max:"10"`
}

// An entry of a list of merge patches names what it is for, is wrong by itself, and is laid over what is there.
func TestListsOfMergePatches(t *testing.T) {
	type body struct {
		Rows []Merge[rowPatch] `json:"rows" req:"true" minItems:"1" maxItems:"3"`
	}
	m := newShaper()
	s, err := m.of(reflect.TypeFor[body]())
	if err != nil {
		t.Fatal(err)
	}
	bind := func(text string) (b body, wrong []string) {
		var faults fault.List
		if _, err := (&decoder{}).decode([]byte(text), s, reflect.ValueOf(&b).Elem(), false, false,
			&faults); err != nil {
			return b, []string{err.Error()}
		}
		for _, f := range faults.Fields() {
			wrong = append(wrong, f.Path+" "+f.Code)
		}
		return b, wrong
	}
	for text, want := range map[string]string{
		`{"rows":[{"note":"x"}]}`:                             "rows[0].code Request.Invalid",
		`{"rows":[{"code":null}]}`:                            "rows[0].code Request.Invalid",
		`{"rows":[{"code":"a"},{"code":"b","price":"-1"}]}`:   "rows[1].price Request.Invalid",
		`{"rows":[{"code":"a","count":null}]}`:                "rows[0].count Request.Invalid",
		`{"rows":[{"code":"a","nope":1},{"code":"b","x":2}]}`: "rows[0].nope Request.UnknownField; rows[1].x Request.UnknownField",
		`{"rows":["a"]}`:                                      "rows[0] Request.Invalid",
		`{"rows":[]}`:                                         "rows Request.Invalid",
		`{"rows":[{"code":"a","code":"b"}]}`:                  "jsontext",
		`{"rows":[{"code":"a","x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}]}`: "deeper",
	} {
		if _, wrong := bind(text); !strings.Contains(strings.Join(wrong, "; "), want) {
			t.Errorf("%s: %q, want %q", text, wrong, want)
		}
	}
	b, wrong := bind(`{"rows":[{"code":"a","note":null,"count":3},{"code":"b","price":"2.5"}]}`)
	if wrong != nil || len(b.Rows) != 2 {
		t.Fatal(wrong, b)
	}
	price := dec.Must("1")
	row := rowPatch{Code: "A", Note: "kept", Price: &price, Count: 1}
	if err := b.Rows[0].Onto(&row); err != nil || row.Note != "" || row.Count != 3 || row.Price.String() != "1" ||
		!b.Rows[0].Has("note") || b.Rows[0].Has("price") {
		t.Errorf("%+v, %v", row, err)
	}
	row = rowPatch{Code: "B", Note: "kept", Count: 4}
	if err := b.Rows[1].Onto(&row); err != nil || row.Note != "kept" || row.Count != 4 || row.Price.String() != "2.5" {
		t.Errorf("%+v, %v", row, err)
	}
}
