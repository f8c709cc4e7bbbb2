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
	text, err := app.Describe("preview", "3.1")
	if err != nil {
		t.Fatal(err)
	}
	var d bodies
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
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
