package laws

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/front/rest"
)

// What was read may be written back as it was shown: it is accepted, and nothing has changed.
func TestWhatWasReadIsWrittenBack(t *testing.T) {
	d := bodiesOf(t, "preview")
	eachWorld(t, func(w *world) {
		w.story()
		seen := 0
		eachOperation(func(o served) {
			takes := d.takes("/preview"+o.Path, o.Method)
			if o.Kind != rest.KindPatch && o.Kind != rest.KindPut || takes == nil {
				return
			}
			shown := w.send(full, http.MethodGet, o.own(w), "")
			if shown.code() == "Route.NotFound" || shown.Code == http.StatusMethodNotAllowed {
				return // it is read with what holds it
			}
			if shown.Code != http.StatusOK {
				w.Errorf("%s: there is nothing to write back: %d %s", o.ID, shown.Code, shown.Body)
				return
			}
			seen++
			body, _ := json.Marshal(d.within(takes, shown.body))
			before := w.changes()
			a := w.send(full, o.Method, o.own(w), string(body), o.headers(w)...)
			if a.Code == http.StatusConflict && strings.HasSuffix(a.code(), ".InvalidStatus") {
				return
			}
			if a.Code >= 300 {
				w.Errorf("%s refuses what was read: %s\n%d %s", o.ID, body, a.Code, a.Body)
			}
			again := w.send(full, http.MethodGet, o.own(w), "")
			if w.changes() != before || again.Body.String() != shown.Body.String() {
				w.Errorf("%s changes something where it is sent what was read: %s\nwas %s\nis  %s", o.ID, body, shown.Body,
					again.Body)
			}
		})
		if seen < 15 {
			w.Errorf("only %d records were written back: the law no longer looks where they are", seen)
		}
	})
}

// And so may what a visitor read, be it shown by itself, in a list or within a whole.
func TestWhatAVisitorReadIsWrittenBack(t *testing.T) {
	d := bodiesOf(t, "ecom")
	where := map[string][]string{"/portal/profile": {"/portal/profile"}, "/session": {"/session"}, "/cart": {"/cart"},
		"/portal/addresses/{id}": {"/portal/addresses", "items"}, "/portal/contacts/{id}": {"/portal/contacts", "items"},
		"/checkout/contact": {"/checkout/data", "contact"}, "/checkout/addresses": {"/checkout/data", "addresses"},
		"/checkout/delivery": {"/checkout/data", "delivery"}, "/checkout/payment": {"/checkout/data", "payment"}}
	eachWorld(t, func(w *world) {
		integration := w.kontor
		w.watchShop()
		customer, contact := w.person("C-BACK")
		visit := w.visitor(w.first.ID, "WEB", &contact, customer)
		shop := w.kontor
		w.kontor = integration // changes are asked for there
		send := func(method, path, body string) answer {
			w.kontor = shop
			defer func() { w.kontor = integration }()
			return w.send("", method, "/ecom"+path, body, append(visit, "Content-Type: application/json")...)
		}
		if a := send("POST", "/portal/addresses", `{"countryCode": "SE", "city": "Borås"}`); a.Code != 201 {
			w.Fatalf("%d %s", a.Code, a.Body)
		}
		written := 0
		eachShopOperation(func(o served) {
			read := where[o.Path]
			if o.Kind != rest.KindPatch && o.Kind != rest.KindPut || read == nil {
				return
			}
			if !strings.Contains(o.Path, "{") { // there is something to read
				body := strings.Replace(o.Traits.Example, `"languageCode": "en"`, `"languageCode": "sv"`, 1) // as the store speaks
				w.expect("with its example", o, send(o.Method, o.Path, body), 200, "")
			}
			shown := send("GET", read[0], "")
			part, path := any(shown.body), o.Path
			if len(read) > 1 {
				part = shown.body[read[1]]
			}
			if rows, ok := part.([]any); ok && len(rows) > 0 {
				part = rows[0]
				path = strings.Replace(path, "{id}", rows[0].(map[string]any)["id"].(string), 1)
			}
			body, _ := json.Marshal(d.within(d.takes("/ecom"+o.Path, o.Method), part))
			before := w.changes()
			w.expect("with what was read: "+string(body), o, send(o.Method, path, string(body)), 200, "")
			if again := send("GET", read[0], ""); w.changes() != before || again.Body.String() != shown.Body.String() {
				w.Errorf("%s changes something where it is sent what was read: %s\nwas %s\nis  %s", o.ID, body, shown.Body,
					again.Body)
			}
			written++
		})
		if written != len(where) {
			w.Errorf("%d of %d were written back", written, len(where))
		}
	})
}

// bodiesOf are the bodies that an API takes.
func bodiesOf(t *testing.T, api string) (d bodies) {
	t.Helper()
	text, err := app.Describe(api, "3.1")
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// bodies are a description as far as bodies go.
type bodies struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct {
				Schema schema `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type schema struct {
	Ref        string            `json:"$ref"`
	AnyOf      []schema          `json:"anyOf"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
}

// takes is the schema of an operation's body; nil where it takes none.
func (d *bodies) takes(path, method string) *schema {
	media, ok := d.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"]
	if !ok {
		return nil
	}
	return &media.Schema
}

// within is as much of a value as a schema has room for.
func (d *bodies) within(s *schema, value any) any {
	if len(s.AnyOf) > 0 {
		s = &s.AnyOf[0]
	}
	if s.Ref != "" {
		named := d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
		s = &named
	}
	switch v := value.(type) {
	case map[string]any:
		if s.Properties == nil {
			return v
		}
		kept := map[string]any{}
		for name, member := range v {
			if of, ok := s.Properties[name]; ok {
				kept[name] = d.within(&of, member)
			}
		}
		return kept
	case []any:
		if s.Items == nil {
			return v
		}
		kept := make([]any, len(v))
		for i, one := range v {
			kept[i] = d.within(s.Items, one)
		}
		return kept
	}
	return value
}
