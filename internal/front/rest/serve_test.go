package rest

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Lists of a customer's own documents, which may be many, know up to when they are complete, though visitors are not
// told: so their totals and the places of their pages can be remembered.
func TestACustomersListsAreComplete(t *testing.T) {
	at := map[string]db.Time{}
	list := func(name string) func(*db.Tx, struct{ Paging }) (Paged[thing], error) {
		return func(_ *db.Tx, in struct{ Paging }) (Paged[thing], error) {
			at[name] = in.Record().Horizon
			return Paged[thing]{}, nil
		}
	}
	s := serve(t, func(s *Surface) {
		s.NoDeltas = "a storefront reads what it shows"
		s.Groups = []Group{{Tag: "Own", Scope: ScopeCustomer, Doc: "Own.", Ops: []Op{
			List("listOwn", "/own", "Own things.", list("own"))}},
			{Tag: "Things", Scope: ScopeSession, Doc: "Things.", Ops: []Op{
				List("listThings", "/things", "Things.", list("all"))}}}
	})
	dbtest.Corrupt(t, s.store, `insert into change (company, stamp, id, resource, business_key, kind)
		values (:company, 5, 'x', 'things', 'X', 'changed')`)
	for _, path := range []string{"/preview/own", "/preview/things"} {
		if w := s.ok(s.do("GET "+path, "X-Api-Key: customer session"), 200); w.Header().Get("Sync-Watermark") != "" {
			t.Errorf("%s tells visitors a watermark", path)
		}
	}
	if at["own"] < 5 || at["all"] != 0 {
		t.Errorf("complete up to %v", at)
	}
}

func TestListCarriesTheConventions(t *testing.T) {
	s := serve(t, nil)
	w := s.ok(s.do("GET /preview/things?page=2&pageSize=500&search=x&colour=rED"), 200)
	want := `"totalCount":120,"page":2,"pageSize":200,"totalPages":1,"hasPreviousPage":true,"hasNextPage":false}`
	if !strings.HasSuffix(w.Body.String(), want) {
		t.Errorf("envelope: %s", w.Body)
	}
	if !strings.Contains(w.Body.String(), `"price":"12.5"`) || !strings.Contains(w.Body.String(), `"total":"12.50"`) ||
		!strings.Contains(w.Body.String(), `"tags":[]`) ||
		!strings.Contains(w.Body.String(), `"/preview/things/A%2F1"`) {
		t.Errorf("row: %s", w.Body)
	}
	if w.Header().Get("Sync-Watermark") == "" {
		t.Error("no Sync-Watermark")
	}
	// What is too far for a number of ours is past the end like any other page, and too many rows like any other.
	w = s.ok(s.do("GET /preview/things?page=99999999999999999999&pageSize=9223372036854775807"), 200)
	if !strings.Contains(w.Body.String(), `"pageSize":200,"totalPages":1,"hasPreviousPage":true,"hasNextPage":false}`) {
		t.Errorf("a page beyond all numbers: %s", w.Body)
	}
	s.refused(s.do("GET /preview/things?page=99999999999999999999x"), 400, "Request.Invalid")
	s.refused(s.do("GET /preview/things?page=-99999999999999999999"), 400, "Request.Invalid")
}

func TestQueryIsCheckedAsAWhole(t *testing.T) {
	s := serve(t, nil)
	p := s.refused(
		s.do(
			"GET /preview/things?page=0&pageSize=x&colour=Blue&isActive=yes&minPrice=1e3&on=2026-02-30&modifiedSince=now&numbers=1,2,3&serach=a"),
		400, "Request.Invalid")
	var fields []string
	for _, e := range p.Errors {
		fields = append(fields, e.Path+" "+e.Code)
	}
	want := []string{"page Request.Invalid", "pageSize Request.Invalid", "colour Query.UnknownValue",
		"isActive Request.Invalid", "minPrice Request.Invalid", "on Request.Invalid", "modifiedSince Request.Invalid",
		"numbers Request.Invalid", "serach Query.UnknownParameter"}
	if !slices.Equal(fields, want) || !slices.Contains(p.AcceptedFields, "search") {
		t.Errorf("got %q, accepted %q", fields, p.AcceptedFields)
	}
	s.refused(s.do("GET /preview/things?colour=Blue"), 400, "Query.UnknownValue")
	s.refused(s.do("GET /preview/things?x=1"), 400, "Query.UnknownParameter")
	s.refused(s.do("GET /preview/things?page=1&page=2"), 400, "Request.Invalid")
	s.refused(s.do("GET /preview/things?search=%zz"), 400, "Request.Invalid")
	s.refused(s.do("GET /preview/things/A?x=1"), 400, "Query.UnknownParameter")
	// its plus sign is not percent-encoded
	s.ok(s.do("GET /preview/things?modifiedSince=2026-01-01T00:00:00+02:00"), 200)
	s.ok(
		s.do("GET /preview/things?attribute=a:1&attribute=b:2&modifiedSince=2026-01-01T00:00:00%2B02:00&page=99999999"),
		200)
}

func TestKeysMayHoldAnything(t *testing.T) {
	s := serve(t, nil)
	for path, number := range map[string]string{"A%2F1": "A/1", "a%20b": "a b", "%2E%2E": "..", "batch": "batch",
		"%C3%A5": "å", "100%25": "100%"} {
		w := s.ok(s.do("GET /preview/things/"+path), 200)
		if !strings.Contains(w.Body.String(), `"name":"Thing `+number+`"`) {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if w := s.do("GET /preview/pieces/01A20243-56FA-7214-BFB2-0D13A64472A3"); !strings.Contains(w.Body.String(),
		"Thing 01a20243-56fa-7214-bfb2-0d13a64472a3") {
		t.Errorf("an id in capitals: %s", w.Body)
	}
	for _, path := range []string{"/preview/things/", "/preview/things//flag", "/preview/none", "/preview",
		"/preview/things/%00", "/preview/things/%ff", "/preview/things/a%0Ab"} {
		s.refused(s.do("GET "+path), 404, "Route.NotFound")
	}
	w := s.do("DELETE /preview/things")
	if s.refused(w, 405, "Route.MethodNotAllowed"); w.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow: %q", w.Header().Get("Allow"))
	}
}

func TestValidators(t *testing.T) {
	s := serve(t, nil)
	tag := s.ok(s.do("GET /preview/things/A"), 200).Header().Get("ETag")
	if tag != `W/"id-0"` {
		t.Fatalf("ETag %q", tag)
	}
	for _, match := range []string{tag, `"id-0"`, `"x", ` + tag, "*"} {
		if w := s.ok(s.do("GET /preview/things/A", "If-None-Match: "+match), 304); w.Body.Len() > 0 {
			t.Errorf("a 304 has no body: %s", w.Body)
		}
	}
	for _, match := range []string{`W/"id-1"`, `id-0`, `"`, `W/`, ``} {
		s.ok(s.do("GET /preview/things/A", "If-None-Match: "+match), 200)
	}
	s.refused(s.do("DELETE /preview/things/A", `If-Match: W/"other-1"`), 412, "Precondition.Failed")
	if w := s.ok(s.do("HEAD /preview/things/A"), 200); w.Header().Get("ETag") != tag {
		t.Error("HEAD answers as GET does")
	}
}

func TestOrderOfChecks(t *testing.T) {
	s := serve(t, func(s *Surface) { s.Limit = Limit{Rate: 0.001, Burst: 1} })
	w := s.do("POST /preview/things", "X-Api-Key: none", "{")
	if s.refused(w, 401, "Auth.MissingCredential"); w.Header().Get("WWW-Authenticate") == "" {
		t.Error("a 401 carries WWW-Authenticate")
	}
	p := s.refused(s.do("POST /preview/things", "X-Api-Key: things:read", "{"), 403, "Scope.Missing")
	if p.RequiredScope != "things:write" || !slices.Equal(p.GrantedScopes, []string{"things:read"}) {
		t.Errorf("%+v", p)
	}
	s.refused(s.do("POST /preview/things", "X-Api-Key: *", "{"), 400, "Request.Invalid")
	w = s.do("POST /preview/things", "X-Api-Key: *", "{")
	p = s.refused(w, 429, "RateLimit.Exceeded")
	if p.RetryAfterSeconds != 1000 || w.Header().Get("Retry-After") != "1000" ||
		w.Header().Get("RateLimit-Policy") != `"default";q=1;w=1000` ||
		w.Header().Get("RateLimit") != `"default";r=0;t=1000` {
		t.Errorf("%+v %v", p, w.Header())
	}
	s.refused(s.do("POST /preview/things", "X-Api-Key: preview:write", `{"nmae":1}`), 400, "Idempotency.KeyRequired")
}

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		scopes, scope string
		want          bool
	}{
		{"*", "things:write", true}, {"things:read", "things:read", true}, {"things:write", "things:read", false},
		{"preview:read", "things:read", true}, {"preview:read", "things:write", false},
		{"preview:write", "things:read", true}, {"", "things:read", false},
	} {
		if got := granted(Caller{Scopes: strings.Fields(c.scopes)}, c.scope, "preview"); got != c.want {
			t.Errorf("%q reaches %s: %v", c.scopes, c.scope, got)
		}
	}
	if !granted(Caller{Unlimited: true}, "things:write", "preview") {
		t.Error("a key from before scopes reaches everything")
	}
}

func TestIdempotency(t *testing.T) {
	s := serve(t, nil)
	s.refused(s.do("POST /preview/things", `{"name":"x"}`), 400, "Idempotency.KeyRequired")
	s.ok(s.do("POST /preview/things", "Idempotency-Key: k", `{"name":"x","count":1.0,"number":"A/1"}`), 400)
	first := s.ok(s.do("POST /preview/things", "Idempotency-Key: k", `{"name":"x","number":"A/1"}`), 201)
	if first.Header().Get("Location") != "/preview/things/A%2F1" || first.Header().Get("ETag") == "" {
		t.Errorf("%v", first.Header())
	}
	again := s.ok(s.do("POST /preview/things", `Idempotency-Key: "k"`, `{ "number":"A/1", "name":"x" }`), 201)
	if again.Header().Get("Idempotent-Replayed") != "true" || again.Body.String() != first.Body.String() ||
		again.Header().Get("Location") != first.Header().Get("Location") ||
		again.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%v %s", again.Header(), again.Body)
	}
	if s.made.Load() != 2 { // once it was only tried
		t.Errorf("made %d times", s.made.Load())
	}
	s.refused(s.do("POST /preview/things", "Idempotency-Key: k", `{"name":"y"}`), 409, "Idempotency.KeyReused")
	s.refused(s.do("POST /preview/things", "Idempotency-Key: k", `{"nmae":"y"}`), 409, "Idempotency.KeyReused")
	s.ok(s.do("POST /preview/things", "Idempotency-Key: k", "X-Api-Key: things:write", `{"name":"y"}`), 201)
	s.ok(s.do("POST /preview/things/A/approve"), 200)
	s.refused(s.do("POST /preview/things/A/approve", `{"name":"m"}`), 400, "Idempotency.KeyRequired")
	s.refused(s.do("POST /preview/things", "Idempotency-Key: a b", `{"name":"y"}`), 400, "Request.Invalid")
	s.ok(s.do("POST /preview/things/A%2F1/approve", "Idempotency-Key: p"), 200)
	if w := s.ok(s.do("POST /preview/things/%41%2f1/approve", "Idempotency-Key: p"), 200); w.Header().
		Get("Idempotent-Replayed") != "true" {
		t.Error("another spelling of the address is another request")
	}
}

func TestTheSameKeyAtOnceIsOneEffect(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(s *Surface) { s.Store = dbtest.Store(t, engine) })
			var wait sync.WaitGroup
			answers := make([]*httptest.ResponseRecorder, 20)
			for i := range answers {
				wait.Go(
					func() {
						answers[i] = s.do("POST /preview/things", "Idempotency-Key: k", `{"name":"x","number":"1"}`)
					})
			}
			wait.Wait()
			replayed := 0
			for _, w := range answers {
				if s.ok(w, 201); w.Header().Get("Idempotent-Replayed") == "true" {
					replayed++
				}
			}
			if made := s.made.Load(); made != 1 || replayed != len(answers)-1 {
				t.Errorf("made %d times, replayed %d times", made, replayed)
			}
		})
	}
}

func TestFailuresOfOursSayNothing(t *testing.T) {
	s := serve(t, nil)
	w := s.do("GET /preview/boom", "X-Request-Id: abc-1")
	p := s.refused(w, 500, "Server.Error")
	if strings.Contains(w.Body.String(), "secret") || p.Instance != "abc-1" {
		t.Errorf("%s", w.Body)
	}
	if got := s.do("GET /preview/none", "X-Request-Id: a b").Header().Get("X-Request-Id"); len(got) != 36 {
		t.Errorf("an unfit request id is replaced: %q", got)
	}
}

func TestKeptBytesChangeNothing(t *testing.T) {
	s := serve(t, func(s *Surface) { s.Caches = true })
	commits := 0
	commit := func(key string) {
		t.Helper()
		s.version.Add(1)
		commits++
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			if key != "" {
				tx.Touch("things", key)
			}
			return tx.Insert("search_count", "channel_key, day, text, searches", 1,
				func(int) []any { return []any{"web", "2026-01-02", fmt.Sprint(commits), 1} })
		})
	}
	tagOf := func(address string) string { return s.ok(s.do("GET "+address), 200).Header().Get("ETag") }
	for _, address := range []string{"/preview/things?search=a", "/preview/things/A%2F1"} {
		tagOf(address) // shows what it is made of
		first, before := s.ok(s.do("GET "+address), 200), s.lists.Load()
		second := s.ok(s.do("GET "+address), 200)
		if s.lists.Load() != before || first.Body.String() != second.Body.String() ||
			first.Header().Get("ETag") != second.Header().Get("ETag") ||
			first.Header().Get("Sync-Watermark") != second.Header().Get("Sync-Watermark") {
			t.Errorf("%s: %v %v", address, first.Header(), second.Header())
		}
		commit("a/1")
		if third := s.ok(s.do("GET "+address), 200); s.lists.Load() == before && first.Header().
			Get("ETag") == third.Header().Get("ETag") {
			t.Errorf("%s: the commit did not drop what was kept", address)
		}
	}
	one := "/preview/things/A%2F1"
	kept := tagOf(one)
	if commit("b"); tagOf(one) != kept {
		t.Error("a change of another record dropped what was kept of this one")
	}
	if commit(""); tagOf(one) == kept {
		t.Error("a change that named no record did not drop what was kept")
	}
	s.ok(s.do("GET "+one, "If-None-Match: "+tagOf(one)), 304)
	s.refused(s.do("GET /preview/things/A%2F1", "X-Api-Key: other:read"), 403, "Scope.Missing")
}

func TestUpload(t *testing.T) {
	s := serve(t, nil)
	send := func(name, part string, size int) *httptest.ResponseRecorder {
		var b strings.Builder
		m := multipart.NewWriter(&b)
		f, _ := m.CreateFormFile(part, name)
		f.Write(make([]byte, size))
		m.Close()
		r := httptest.NewRequest("POST", "/preview/things/A/files?title=x", strings.NewReader(b.String()))
		r.Header.Set("Content-Type", m.FormDataContentType())
		r.Header.Set("X-Api-Key", "*")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	if w := s.ok(send("a.png", "file", 0), 201); w.Header().Get("Location") != "/preview/things/a.png:" {
		t.Errorf("%v", w.Header())
	}
	s.refused(send("a.png", "fiel", 1), 400, "Request.UnknownField")
	s.refused(send("a.png", "file", maxFile+1), 413, "Request.TooLarge")
	s.refused(send("a.png", "file", maxUpload+1), 413, "Request.TooLarge")
	s.refused(s.do("POST /preview/things/A/files", "{}"), 415, "Request.UnsupportedMediaType")
}

// A note is JSON, or a form of JSON and a file.
func TestBodyWithFile(t *testing.T) {
	s := serve(t, nil)
	const media = "Content-Type: multipart/form-data; boundary=b"
	part := func(head, body string) string {
		return "--b\r\nContent-Disposition: form-data; name=" + head + "\r\n\r\n" + body + "\r\n"
	}
	text, file := part(`"json"`, `{"text": "T"}`), part(`"file"; filename="f"`, "DATA")
	send := func(body, key string) *httptest.ResponseRecorder {
		return s.do("POST /preview/notes", "[what stands before the first part is nothing]\r\n"+body, media,
			"Idempotency-Key: "+key)
	}
	for body, want := range map[string]string{text + file: "T:fDATA", file + text: "T:fDATA", text: "T:"} {
		if w := s.ok(send(body+"--b--\r\n", fmt.Sprintf("%d-%x", len(body), body[38:44])), 201); w.Header().Get("Location") != "/preview/things/"+want {
			t.Errorf("%q: %v", body, w.Header())
		}
	}
	plain := s.do("POST /preview/notes", `{"text": "T"}`, "Idempotency-Key: plain")
	if s.ok(plain, 201).Header().Get("Location") != "/preview/things/T:" {
		t.Errorf("%v", plain.Header())
	}
	s.ok(send(text+file+"--b--\r\n", "once"), 201)
	s.refused(send(text+strings.Replace(file, "DATA", "ELSE", 1)+"--b--\r\n", "once"), 409, "Idempotency.KeyReused")
	s.refused(send(text+strings.Replace(file, `"f"`, `"g"`, 1)+"--b--\r\n", "once"), 409, "Idempotency.KeyReused")
	spaced := part(`"json"`, `{ "text":"T" }`) // written otherwise, it is the same request
	if w := s.ok(send(spaced+file+"--b--\r\n", "once"), 201); w.Header().Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v", w.Header())
	}
	s.refused(send(file+"--b--\r\n", "1"), 400, "Request.Invalid")
	s.refused(send(text+text+"--b--\r\n", "2"), 400, "Request.Invalid")
	s.refused(send(part(`"json"`, `{"text": 1}`)+"--b--\r\n", "3"), 400, "Request.Invalid")
	s.refused(send(part(`"json"`, `{`)+"--b--\r\n", "4"), 400, "Request.Invalid")
	s.refused(send(text+part(`"x"`, "")+"--b--\r\n", "5"), 400, "Request.UnknownField")
	s.refused(send(text, "6"), 400, "Request.Invalid")
	long := part(`"json"`, `{"text": "`+strings.Repeat("x", 4<<20)+`"}`)
	s.refused(send(long+"--b--\r\n", "7"), 413, ErrTooLarge.Name)
}

// Who goes away is no failure of ours in log and figures; and what broke off is said to whoever still listens.
func TestACallerWhoGoesAwayIsNoFailure(t *testing.T) {
	var asking context.Context
	var leave context.CancelFunc
	s := serve(t, func(s *Surface) {
		s.Groups = []Group{{Tag: "Left", Scope: "things", Doc: "Things.", Ops: []Op{
			Get("leave", "/left", "Is left.", func(*db.Tx, struct{}) (thing, error) {
				leave()
				return thing{}, context.Canceled
			}),
			Create("leaveAmid", "/left", "Is left amid its body.", func(*db.Tx, struct{ Body thingBody }) (thing, error) {
				return thing{}, nil
			}).Example(`{"name": "x"}`)}}}
		s.Admit = func(*db.Tx, string) error { return asking.Err() } // as PostgreSQL says at its first statement
	})
	send := func(method string, body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "/preview/left", body)
		r.Header = http.Header{"X-Api-Key": {"*"}, "Content-Type": {"application/json"}, "Idempotency-Key": {"k"}}
		asking, leave = context.WithCancel(r.Context())
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r.WithContext(asking))
		return w
	}
	if w := s.ok(send("GET", nil), 499); w.Body.Len() > 0 {
		t.Errorf("nobody is told %s", w.Body)
	}
	brokenOff := readerFunc(func([]byte) (int, error) { leave(); return 0, io.ErrUnexpectedEOF })
	s.refused(send("POST", brokenOff), 400, "Request.Invalid")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestStreamAndStatuses(t *testing.T) {
	s := serve(t, nil)
	if w := s.ok(s.do("GET /preview/changes"), 200); !strings.Contains(w.Body.String(), "streamed") {
		t.Errorf("%s", w.Body)
	}
	if w := s.ok(s.do("PUT /preview/things/A/flag"), 204); w.Body.Len() > 0 || w.Header().Get("Content-Type") != "" {
		t.Errorf("%v", w.Header())
	}
	p := s.refused(s.do("GET /preview/things/gone"), 404, "Thing.NotFound")
	if p.Type != "/problems/thing-not-found" {
		t.Errorf("%+v", p)
	}
	pages := Problems(Surface{Prefix: "/preview", Groups: s.groups()})
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, httptest.NewRequest("GET", p.Type, nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "GET /preview/things/{number}") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// What is sent as it comes is smaller for who takes that, and not whole where it fails; what fails before is a problem.
func TestAStreamIsMadeSmaller(t *testing.T) {
	row, short := strings.Repeat("hammer,100.00\n", 20), errors.New("the end is missing")
	type limits struct {
		Most int `query:"most"`
	}
	print := func(_ context.Context, st *Streaming, in limits) (NoContent, error) {
		return NoContent{}, st.Send("text/csv", func(w io.Writer) error {
			for n := range 100 {
				if n == in.Most {
					return short
				}
				if _, err := io.WriteString(w, row); err != nil {
					return err
				}
			}
			return nil
		})
	}
	s := serve(t, func(s *Surface) {
		s.Groups[0].Ops = append(s.Groups[0].Ops, Stream("print", "/print", "Prints.", print))
	})
	const path, takes = "GET /preview/print?most=", "Accept-Encoding: gzip"
	w := s.ok(s.do(path+"100"), 200)
	if w.Body.String() != strings.Repeat(row, 100) || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d bytes, %v", w.Body.Len(), w.Header())
	}
	w = s.ok(s.do(path+"100", takes), 200)
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(z); err != nil || string(all) != strings.Repeat(row, 100) ||
		w.Header().Get("Content-Type") != "text/csv" {
		t.Errorf("%d bytes, %v, %v", len(all), err, w.Header())
	}
	if w := s.do(path+"0", takes); w.Code != 500 || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestProblemNames(t *testing.T) {
	for code, want := range map[string]string{"Item.NotFound": "item-not-found", "Item.BadGTIN": "item-bad-gtin",
		"A.XMLFile": "a-xml-file", "PriceListLine.QuantityRange.Invalid": "price-list-line-quantity-range-invalid"} {
		if got := kebab(code); got != want {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
	}
}

func TestDeclarationsAreChecked(t *testing.T) {
	type bad struct {
		Amount float64 `query:"amount"`
	}
	op := Get("x", "/x/{id}", "X.", func(*db.Tx, bad) (thing, error) { return thing{}, nil })
	_, err := Mount(Surface{Prefix: "/preview", Groups: []Group{{Tag: "X", Scope: "x", Ops: []Op{op}}}, Store: nil})
	if err == nil || !strings.Contains(err.Error(), "float") || !strings.Contains(err.Error(), `path:"id"`) {
		t.Errorf("%v", err)
	}
	one := Get("y", "/y/{number}/{other}", "Y.", func(*db.Tx, struct {
		Number string `path:"number"`
		Other  string `path:"other"`
	}) (thing, error) {
		return thing{}, nil
	}).CachedOne(things)
	if _, err = Mount(Surface{Prefix: "/preview",
		Groups: []Group{{Tag: "Y", Scope: "y", Ops: []Op{one}}}}); err == nil ||
		!strings.Contains(err.Error(), "KeptOne") {
		t.Errorf("%v", err)
	}
}
