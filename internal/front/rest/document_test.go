package rest

import (
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest/resttest"
)

// A document is sent as it is, under its name, tagged by its bytes; it is described as a file, and refused as
// everything else is.
func TestDocument(t *testing.T) {
	errNone := fault.New(fault.NotFound, "Thing.NotFound")
	body := "%PDF-1.7 one"
	s := serve(t, func(s *Surface) {
		op := Print("printThing", "/things/{number}/paper", "The thing on paper.", "application/pdf",
			func(_ *db.Tx, in struct {
				Number string `path:"number"`
			}) (Document, error) {
				if in.Number == "none" {
					return Document{}, errNone.Because("there is no such thing")
				}
				return Document{Name: "Größe " + in.Number + ".pdf", Body: []byte(body)}, nil
			}).Raises(errNone)
		s.Groups = []Group{{Tag: "Things", Scope: "things", Doc: "Things.", Ops: []Op{op}}}
	})
	doc, err := resttest.Parse(s.do("GET /preview/swagger.json").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s.Handler = doc.Watch(t, s.Handler)
	w := s.ok(s.do("GET /preview/things/1/paper"), 200)
	tag := w.Header().Get("ETag")
	if w.Body.String() != body || w.Header().Get("Content-Type") != "application/pdf" ||
		w.Header().Get("Content-Length") != "12" || !strings.HasPrefix(tag, `W/"`) {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	if got := w.Header().Get("Content-Disposition"); got != "inline; filename*=utf-8''Gr%C3%B6%C3%9Fe%201.pdf" {
		t.Errorf("it is to be saved as %s", got)
	}
	if w := s.ok(s.do("GET /preview/things/1/paper", "If-None-Match: "+tag), 304); w.Body.Len() > 0 {
		t.Errorf("304 %s", w.Body)
	}
	s.ok(s.do("HEAD /preview/things/1/paper"), 200)
	if body = "%PDF-1.7 two"; s.ok(s.do("GET /preview/things/1/paper", "If-None-Match: "+tag), 200).Header().
		Get("ETag") == tag {
		t.Error("another document under the same tag")
	}
	s.refused(s.do("GET /preview/things/none/paper"), 404, "Thing.NotFound")

	for _, op := range []Op{
		Get("one", "/one", "One.", func(*db.Tx, struct{}) (Document, error) { return Document{}, nil }),
		Print("two", "/two", "Two.", "application/pdf", func(*db.Tx, struct{}) (Document, error) {
			return Document{},
				nil
		}).Cached(),
	} {
		if _, err := OpenAPI(Surface{Prefix: "/preview",
			Groups: []Group{{Tag: "Things", Scope: "things", Doc: "Things.", Ops: []Op{op}}}}); err == nil {
			t.Errorf("%s was taken", op.ID)
		}
	}
}

// Who names no media type takes any, with the header or without it.
func TestPreferredMedia(t *testing.T) {
	offered := []string{"application/pdf", "application/xml"}
	for accept, want := range map[string]string{
		"": "application/pdf", " , ": "application/pdf", "*/*": "application/pdf", "image/png": "",
		"application/pdf;q=0.1, application/xml": "application/xml",
		"application/*, application/pdf;q=0":     "application/xml",
	} {
		if got := preferred([]string{accept}, offered); got != want {
			t.Errorf("%q prefers %q, want %q", accept, got, want)
		}
	}
	if got := preferred(nil, offered); got != offered[0] {
		t.Errorf("no header prefers %q", got)
	}
}
