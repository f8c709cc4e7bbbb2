package rest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// The tests serve a shelf of things: one operation of each kind, over a real store.

type colour string

func (colour) Values() []colour { return []colour{"Red", "Green"} }

type maker struct {
	Name string `json:"name" text:"name" req:"true"`
	City Text   `json:"city"`
}

type part struct {
	Code     string  `json:"code" req:"true"`
	Quantity dec.Dec `json:"quantity" req:"true" gt:"0"`
}

type thingBody struct {
	Number string   `json:"number" create:"only"`
	Name   string   `json:"name" text:"name" req:"true"`
	Note   Text     `json:"note" text:"note"`
	Price  *dec.Dec `json:"price" min:"0"`
	Count  int      `json:"count" default:"1" max:"99"`
	Colour *colour  `json:"colour"`
	Active bool     `json:"active" default:"true"`
	From   Date     `json:"from"`
	At     Time     `json:"at"`
	Maker  *maker   `json:"maker"`
	Parts  []part   `json:"parts" maxItems:"3"`
	Tags   []string `json:"tags" max:"5"`
}

type thing struct {
	Tag
	Number string    `json:"number"`
	Name   string    `json:"name"`
	Note   Text      `json:"note"`
	Total  dec.Fixed `json:"total"`
	Price  *dec.Dec  `json:"price"`
	Colour *colour   `json:"colour"`
	From   Date      `json:"from"`
	At     Time      `json:"at"`
	Made   db.Time   `json:"made"`
	Maker  *maker    `json:"maker"`
	Tags   []string  `json:"tags"`
	Links  Links     `json:"links"`
}

type thingKey struct {
	Number string `path:"number"`
}

// things lie in a table that the house has anyway.
var things = record.Define("things", "search_count", "Thing")

// look reads the things' table.
func look(tx *db.Tx) error {
	_, err := tx.One("-- rest_test.look\nselect count(*) from search_count where company = :company", nil, new(int))
	return err
}

var errNoThing = fault.New(fault.NotFound, "Thing.NotFound")

// shelf is what the operations of the tests have done.
type thingShop struct {
	made    atomic.Int64
	version atomic.Int64
	lists   atomic.Int64
	store   *db.Store
}

func (s *thingShop) show(number string) thing {
	price := dec.Must("12.5")
	return thing{Tag: Tag{record.Root{ID: "id", Version: s.version.Load()}.ETag()}, Number: number,
		Name: "Thing " + number, Total: dec.Fixed{Value: price, Digits: 2}, Price: &price, Made: 1_700_000_000_000_000,
		Links: Self("/preview/things/", number)}
}

func (s *thingShop) groups() []Group {
	type listIn struct {
		Paging
		Search string   `query:"search"`
		Colour colour   `query:"colour"`
		Active *bool    `query:"isActive"`
		Min    *dec.Dec `query:"minPrice"`
		On     day.Date `query:"on"`
		Attr   []string `query:"attribute"`
		Nums   []string `query:"numbers" split:"comma" maxItems:"2"`
	}
	type createIn struct{ Body thingBody }
	type patchIn struct {
		Number string `path:"number"`
		Body   Merge[thingBody]
	}
	type doIn struct {
		Number string `path:"number"`
		Body   *maker
	}
	type uploadIn struct {
		Number string `path:"number"`
		Title  string `query:"title"`
		File   File   `part:"file"`
	}
	type noteIn struct {
		Body struct {
			Text string `json:"text" req:"true"`
		}
		File File `part:"file"`
	}
	list := func(tx *db.Tx, in listIn) (Paged[thing], error) {
		s.lists.Add(1)
		return PageOf(record.Found[string]{Items: []string{"A/1", "B"}, Total: 120}, in.Paging, s.show), look(tx)
	}
	get := func(tx *db.Tx, in thingKey) (thing, error) {
		if in.Number == "gone" {
			return thing{}, errNoThing.Because("there is no thing %s", in.Number)
		}
		return s.show(in.Number), look(tx)
	}
	create := func(tx *db.Tx, in createIn) (thing, error) {
		s.made.Add(1)
		out := s.show(in.Body.Number)
		out.Maker, out.Tags, out.Colour = in.Body.Maker, in.Body.Tags, in.Body.Colour
		return out, nil
	}
	patch := func(tx *db.Tx, in patchIn) (thing, error) {
		present := thingBody{Number: in.Number, Name: "old", Note: "note", Maker: &maker{Name: "M", City: "C"},
			Tags: []string{"a"}}
		if err := in.Body.Onto(&present); err != nil {
			return thing{}, err
		}
		out := s.show(in.Number)
		out.Name, out.Note, out.Maker, out.Tags = present.Name, present.Note, present.Maker, present.Tags
		return out, nil
	}
	nothing := func(tx *db.Tx, in thingKey) (NoContent, error) { return NoContent{}, nil }
	do := func(tx *db.Tx, in doIn) (thing, error) { s.made.Add(1); return s.show(in.Number), nil }
	piece := func(tx *db.Tx, in struct {
		ID string `path:"id" format:"uuid"`
	}) (thing, error) {
		return s.show(in.ID), nil
	}
	boom := func(tx *db.Tx, in struct{}) (thing, error) { panic("secret of the house") }
	return []Group{{Tag: "Things", Scope: "things", Doc: "Things of the test.", Ops: []Op{
		List("listThings", "/things", "Things by number.", list).Cached(),
		Create("createThing", "/things", "Creates a thing.", create).Example(`{"name":"x"}`),
		Get("getThing", "/things/{number}", "One thing.", get).Raises(errNoThing).CachedOne(things),
		Patch("updateThing", "/things/{number}", "Changes a thing.", patch).Raises(errNoThing),
		Delete("deleteThing", "/things/{number}", "Deletes a thing.", nothing),
		Put("putThing", "/things/{number}/flag", "Flags a thing.", nothing).Extension(),
		Do("approveThing", "/things/{number}/approve", "Approves a thing.", do),
		Batch("batchThings", "/things/batch", "Many things.", create),
		Upload("uploadThing", "/things/{number}/files", "Uploads a file.", func(tx *db.Tx, in uploadIn) (thing, error) {
			return s.show(in.File.Name + ":" + string(in.File.Data)), nil
		}),
		Create("createNote", "/notes", "Takes a note, with a file or without.", func(tx *db.Tx, in noteIn) (thing, error) {
			return s.show(in.Body.Text + ":" + in.File.Name + string(in.File.Data)), nil
		}).Example(`{"text":"x"}`),
		Get("getPiece", "/pieces/{id}", "One piece.", piece),
		Get("boom", "/boom", "Fails.", boom),
		Stream("changes", "/changes", "Waits.", func(ctx context.Context, st *Streaming, in struct{}) (thing, error) {
			return s.show("streamed"), st.Read(func(tx *db.Tx) error { return nil })
		}),
	}}}
}

// served is a mounted surface and what stands on its shelf.
type served struct {
	http.Handler
	*thingShop
	t testing.TB
}

func serve(t testing.TB, change func(*Surface)) served {
	t.Helper()
	sh := &thingShop{store: dbtest.Store(t, "sqlite")}
	s := Surface{Prefix: "/preview", Title: "Test", Varies: []string{"X-Api-Key", "Authorization"}, Groups: sh.groups(),
		Store: sh.store, Log: slog.New(slog.DiscardHandler), Authenticate: func(r *http.Request) (Caller, error) {
			key := r.Header.Get("X-Api-Key")
			if key == "none" {
				return Caller{}, fault.New(fault.Unauthenticated, "Auth.MissingCredential").Because("send X-Api-Key")
			}
			return Caller{Company: dbtest.Company, Credential: "c" + key, Scopes: strings.Fields(key),
				Unlimited: key == ""}, nil
		}}
	if change != nil {
		change(&s)
	}
	h, err := Mount(s)
	if err != nil {
		t.Fatal(err)
	}
	return served{h, sh, t}
}

// do sends a request: "METHOD /path", headers as "Name: value", a body where it begins with {, [ or a quote.
func (s served) do(line string, more ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	method, path, _ := strings.Cut(line, " ")
	body := ""
	header := http.Header{"X-Api-Key": {"*"}}
	for _, m := range more {
		if name, value, ok := strings.Cut(m, ": "); ok && !strings.ContainsAny(name, `{["`) {
			header.Set(name, value)
		} else {
			body = m
			header.Set("Content-Type", "application/json")
		}
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// problem reads a problem document.
type problem struct {
	Status            int
	Code, Detail      string
	Instance, Type    string
	Errors            []fault.Field
	AcceptedFields    []string `json:"acceptedFields"`
	RequiredScope     string   `json:"requiredScope"`
	GrantedScopes     []string `json:"grantedScopes"`
	RetryAfterSeconds int      `json:"retryAfterSeconds"`
}

func (s served) refused(w *httptest.ResponseRecorder, status int, code string) problem {
	s.t.Helper()
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p, json.MatchCaseInsensitiveNames(true)); err != nil {
		s.t.Fatalf("no problem document: %v: %s", err, w.Body)
	}
	if w.Code != status || p.Code != code || p.Status != status {
		s.t.Fatalf("status %d, want %d %s: %s", w.Code, status, code, w.Body)
	}
	if !bytes.HasPrefix([]byte(w.Header().Get("Content-Type")), []byte("application/problem+json")) ||
		p.Instance != w.Header().Get("X-Request-Id") {
		s.t.Fatalf("content type or instance is wrong: %v %s", w.Header(), w.Body)
	}
	return p
}

func (s served) ok(w *httptest.ResponseRecorder, status int) *httptest.ResponseRecorder {
	s.t.Helper()
	if w.Code != status {
		s.t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	return w
}

// What an operation makes of a request of which a part is wrong refuses nothing, and what it panics of is in the log.
func TestAPanicInATrialIsNotLost(t *testing.T) {
	var log bytes.Buffer
	s := serve(t, func(s *Surface) {
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
		s.Groups = []Group{{Tag: "Things", Scope: "things", Doc: "Things.", Ops: []Op{
			Create("createThing", "/things", "Creates a thing.", func(tx *db.Tx, in struct {
				Body struct {
					Name  string `json:"name" req:"true" doc:"Name."`
					Count *int   `json:"count" doc:"Count."`
				} `body:"true"`
			}) (thing, error) {
				return thing{Name: fmt.Sprint(*in.Body.Count)}, nil
			})}}}
	})
	r := httptest.NewRequest("POST", "/preview/things", strings.NewReader(`{"name": 7}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if p := s.refused(w, 400, "Request.Invalid"); len(p.Errors) != 1 || p.Errors[0].Path != "name" {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(log.String(), "nil pointer") || !strings.Contains(log.String(), "createThing") {
		t.Errorf("the panic is lost: %s", &log)
	}
}
