package laws

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/front/rest"
)

// served is one operation with what it takes to ask for it.
type served struct {
	group rest.Group
	rest.Op
}

func (o served) body() string {
	if o.Kind == rest.KindUpload {
		return upload
	}
	if !hasBody(o.Op) {
		return ""
	}
	return o.Traits.Example
}

// headers are those a well-made request of the operation carries.
func (o served) headers(w *world) []string {
	var h []string
	if o.Writes() && o.Traits.Key != rest.KeyIgnored {
		h = append(h, w.newKey())
	}
	return append(h, o.media()...)
}

// media is how the header of a request says what it carries, where that is not plain JSON.
func (o served) media() []string {
	switch o.Kind {
	case rest.KindPatch:
		return []string{"Content-Type: application/merge-patch+json"}
	case rest.KindUpload:
		return []string{uploadType}
	}
	return nil
}

// own is the operation's path to the first company's record; nobodys to one that never was.
func (o served) own(w *world) string {
	return "/preview" + fill(o.Path, func(name string) string {
		if v, ok := w.names[o.group.Tag+"."+name]; ok {
			return v
		}
		return w.names[name]
	})
}

func (o served) nobodys() string {
	return "/preview" + fill(o.Path, func(name string) string {
		switch {
		case strings.HasSuffix(name, "Id"), name == "id":
			return "00000000-0000-7000-8000-00000000dead"
		case name == "lineNumber", name == "packageNumber":
			return "4711"
		case name == "relationType":
			return "Related"
		}
		return "never-was"
	})
}

func eachOperation(fn func(o served)) {
	for _, g := range app.Preview(nil).Groups {
		for _, o := range g.Ops {
			fn(served{g, o})
		}
	}
}

// expect reports an answer that is not as the law has it.
func (w *world) expect(law string, o served, a answer, status int, code string) bool {
	w.Helper()
	if a.Code == status && (code == "" || a.code() == code) {
		return true
	}
	w.Errorf("%s (%s %s) %s: want %d %s, got %d %s", o.ID, o.Method, o.Path, law, status, code, a.Code, a.Body)
	return false
}

// What is refused before anything is looked up, in the order of the checks.
func TestEveryOperationRefusesAlike(t *testing.T) {
	eachWorld(t, func(w *world) {
		eachOperation(func(o served) {
			path := o.nobodys()
			a := w.send("", o.Method, path, o.body(), o.headers(w)...)
			if w.expect("without a key", o, a, 401, "Auth.MissingCredential") && a.Header().
				Get("WWW-Authenticate") == "" {
				w.Errorf("%s: a 401 without WWW-Authenticate", o.ID)
			}
			w.keys["wrong"] = w.keys[full] + "x"
			w.expect("with a wrong key", o, w.send("wrong", o.Method, path, o.body(), o.headers(w)...), 401,
				"Auth.InvalidCredential")
			key := narrow
			if scopeOf(o.group, o.Op) == "brands:read" {
				key = narrower
			}
			a = w.send(key, o.Method, path, o.body(), o.headers(w)...)
			if w.expect("without its scope", o, a, 403, "Scope.Missing") &&
				(a.text("requiredScope") != scopeOf(o.group, o.Op) || a.body["grantedScopes"] == nil) {
				w.Errorf("%s: a 403 that does not say the scopes: %s", o.ID, a.Body)
			}
			a = w.send(full, o.Method, path+"?unheardOf=1", o.body(), o.headers(w)...)
			if w.expect("with an unknown parameter", o, a, 400, "Query.UnknownParameter") &&
				a.body["acceptedFields"] == nil {
				w.Errorf("%s: the accepted parameters are not listed: %s", o.ID, a.Body)
			}
			w.refusesBodies(o)
			a = w.send(full, "TRACE", path, "")
			if w.expect("with another method", o, a, 405, "") && !strings.Contains(a.Header().Get("Allow"), o.Method) {
				w.Errorf("%s: Allow is %q", o.ID, a.Header().Get("Allow"))
			}
		})
	})
}

// refusesBodies holds an operation that takes a body against the rules of bodies.
func (w *world) refusesBodies(o served) {
	w.Helper()
	path := o.nobodys()
	if o.Traits.Key == rest.KeyRequired {
		w.expect("without an Idempotency-Key", o, w.send(full, o.Method, path, o.body()), 400,
			"Idempotency.KeyRequired")
	}
	if o.Kind == rest.KindUpload {
		return
	}
	if o.Status == http.StatusCreated && o.Traits.Key != rest.KeyRequired {
		w.Errorf("%s: answers 201 without wanting an Idempotency-Key", o.ID)
	}
	headers := o.headers(w)
	if !hasBody(o.Op) {
		if o.Method == "POST" && o.Kind != rest.KindStream {
			a := w.send(full, o.Method, path, `{"unheardOf": 1}`, headers...)
			if w.expect("with a field where none is", o, a, 400, "Request.UnknownField") && a.body["acceptedFields"] == nil {
				w.Errorf("%s: a refused field without acceptedFields: %s", o.ID, a.Body)
			}
		}
		return
	}
	w.expect("with a text", o, w.send(full, o.Method, path, o.body(), append(headers, "Content-Type: text/plain")...),
		415, "")
	w.expect("with half a body", o, w.send(full, o.Method, path, `{"a":`, o.headers(w)...), 400, "")
	w.expect("with a name twice", o, w.send(full, o.Method, path, `{"a":1,"a":2}`, o.headers(w)...), 400, "")
	w.expect("with a list", o, w.send(full, o.Method, path, `[]`, o.headers(w)...), 400, "")
	w.expect("with too large a body", o, w.send(full, o.Method, path, `{"a":"`+strings.Repeat("x", 4<<20)+`"}`,
		o.headers(w)...), 413, "")
	if o.Traits.IgnoresUnknown {
		return
	}
	a := w.send(full, o.Method, path, strings.Replace(o.body(), "{", `{"unheardOf": 1, `, 1), o.headers(w)...)
	if w.expect("with an unknown field", o, a, 400, "Request.UnknownField") && (a.body["acceptedFields"] == nil ||
		!strings.Contains(a.Body.String(), "unheardOf")) {
		w.Errorf("%s: the unknown field or the accepted ones are not named: %s", o.ID, a.Body)
	}
}

// A record of another company is answered as one that never was: the same status, the same words.
func TestRecordsOfAnotherCompanyDoNotExist(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		eachOperation(func(o served) {
			if !parameter.MatchString(o.Path) {
				return
			}
			nobodys := w.send(stranger, o.Method, o.nobodys(), o.body(), o.headers(w)...)
			if !w.expect("of a record that never was", o, nobodys, 404, "") {
				return
			}
			foreign := w.send(stranger, o.Method, o.own(w), o.body(), o.headers(w)...)
			if !w.expect("of another company's record", o, foreign, 404, "") {
				return
			}
			if a, b := w.plain(o, nobodys), w.plain(o, foreign); a != b {
				w.Errorf("%s tells another company's record from none:\n%s\n%s", o.ID, a, b)
			}
		})
		var left []string
		eachOperation(func(o served) {
			if o.Kind == rest.KindGet && parameter.MatchString(o.Path) {
				if a := w.send(full, "GET", o.own(w), ""); a.Code != 200 {
					left = append(left, fmt.Sprintf("%s %s: %d %s", o.ID, o.own(w), a.Code, a.Body))
				}
			}
		})
		if len(left) > 0 {
			w.Errorf("records of the first company are gone, or were never made:\n%s", strings.Join(left, "\n"))
		}
	})
}

// plain is a problem without what names its record and its request.
func (w *world) plain(o served, a answer) string {
	text := fmt.Sprint(a.body["status"], a.code(), " ", a.body["detail"], a.body["errors"])
	for _, p := range []string{o.nobodys(), o.own(w)} {
		for part := range strings.SplitSeq(p, "/") {
			if name, err := url.PathUnescape(part); err == nil && !strings.Contains(o.Path, part) {
				text = strings.ReplaceAll(text, name, "?")
			}
		}
	}
	return text
}

// Every record that can be read is tagged: the same tag asks for nothing, HEAD answers as GET does.
func TestEveryRecordIsTagged(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		eachOperation(func(o served) {
			if o.Kind != rest.KindGet {
				return
			}
			path := o.own(w)
			a := w.send(full, "GET", path, "")
			if !w.expect("of its record", o, a, 200, "") {
				return
			}
			tag := a.Header().Get("Etag")
			if !strings.HasPrefix(tag, `W/"`) {
				w.Errorf("%s: the tag %q is not weak", o.ID, tag)
			}
			for _, match := range []string{tag, `"x", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
				if b := w.send(full, "GET", path, "", "If-None-Match: "+match); b.Code != 304 || b.Body.Len() > 0 {
					w.Errorf("%s with If-None-Match %s: %d %s", o.ID, match, b.Code, b.Body)
				}
			}
			if b := w.send(full, "GET", path, "", `If-None-Match: W/"another"`); b.Code != 200 ||
				b.Body.String() != a.Body.String() {
				w.Errorf("%s with another tag: %d", o.ID, b.Code)
			}
			if b := w.send(full, "HEAD", path, ""); b.Code != 200 || b.Header().Get("Etag") != tag {
				w.Errorf("%s by HEAD: %d, tag %s", o.ID, b.Code, b.Header().Get("Etag"))
			}
			if self := selfOf(a); self != "" && self != path {
				w.Errorf("%s calls itself %s, it was read at %s", o.ID, self, path)
			}
		})
	})
}

func selfOf(a answer) string {
	links, _ := a.body["links"].(map[string]any)
	self, _ := links["self"].(string)
	return self
}

// No write goes through under a stale If-Match, and a refused one leaves its record as it was.
func TestStaleWritesAreRefused(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		before := w.changes()
		eachOperation(func(o served) {
			switch o.Kind {
			case rest.KindPatch, rest.KindPut, rest.KindDelete, rest.KindDo:
			default:
				return
			}
			if a := w.send(full, o.Method, o.own(w), o.body(),
				append(o.headers(w), `If-Match: W/"stale-1"`)...); a.Code < 400 || a.Code >= 500 {
				w.Errorf("%s under a stale If-Match: %d %s", o.ID, a.Code, a.Body)
			}
		})
		if n := w.changes(); n != before {
			w.Errorf("refused writes changed %d records", n-before)
		}
	})
}

// If-None-Match: * writes over nothing: a PUT of what is there is refused, and goes through where that was deleted, be
// it a record or a part of one (see db.Tx.Adds).
func TestEveryPutOnlyAddsIfToldTo(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		deletes := map[string]served{}
		eachOperation(func(o served) {
			if o.Kind == rest.KindDelete {
				deletes[o.Path] = o
			}
		})
		added := 0
		eachOperation(func(o served) {
			if o.Kind != rest.KindPut {
				return
			}
			path := o.own(w)
			put := func(headers ...string) answer {
				return w.send(full, "PUT", path, o.body(), append(o.headers(w), headers...)...)
			}
			if put().Code/100 != 2 {
				return // what the example names is not in this world, or its whole does not change any more
			}
			if a := put("If-None-Match: *"); a.Code != 412 {
				w.Errorf("%s of what is there: %d %s", o.ID, a.Code, a.Body)
			}
			gone, can := deletes[o.Path]
			if !can || w.send(full, "DELETE", path, "", gone.headers(w)...).Code/100 != 2 {
				return
			}
			if a := put("If-None-Match: *"); a.Code/100 != 2 {
				w.Errorf("%s of what is not there: %d %s", o.ID, a.Code, a.Body)
			}
			added++
			if a := put("If-None-Match: *"); a.Code != 412 {
				w.Errorf("%s of what was added: %d %s", o.ID, a.Code, a.Body)
			}
		})
		if added < 5 {
			w.Errorf("only %d PUTs were tried with what is not there", added)
		}
	})
}

// A patch answers the whole record, or nothing, under another tag, and the record reads like that from then on.
func TestEveryPatchMakesAnotherRevision(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		patched := 0
		eachOperation(func(o served) {
			path := o.own(w)
			if o.Kind != rest.KindPatch {
				return
			}
			get := w.send(full, "GET", path, "")
			// parts are read with their whole, or in a list
			if get.Code == 404 || get.Code == 405 || get.Header().Get("Etag") == "" {
				return
			}
			patched++
			tag, media := get.Header().Get("Etag"), "Content-Type: application/merge-patch+json"
			w.expect("under a stale If-Match", o, w.send(full, "PATCH", path, o.body(), `If-Match: W/"stale-1"`, media),
				412, "Precondition.Failed")
			a := w.send(full, "PATCH", path, o.body(), "If-Match: "+tag, media)
			if !w.expect("under its present tag", o, a, o.Status, "") {
				return
			}
			again := w.send(full, "GET", path, "")
			if a.Header().Get("Etag") == tag || again.Header().Get("Etag") != a.Header().Get("Etag") ||
				o.Status == 200 && again.Body.String() != a.Body.String() {
				w.Errorf("%s answered %s %s, and the record reads %s %s", o.ID, a.Header().Get("Etag"), a.Body,
					again.Header().Get("Etag"), again.Body)
			}
			if again.body["modifiedDate"] == nil {
				w.Errorf("%s: a changed record has no modifiedDate", o.ID)
			}
		})
		if patched < 5 {
			w.Errorf("only %d records were patched: the law no longer looks where they are", patched)
		}
	})
}

// Every list pages alike, says up to when it is complete, and takes modifiedSince or says why not.
func TestEveryListPages(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		eachOperation(func(o served) {
			if o.Kind != rest.KindList {
				return
			}
			path := o.own(w)
			all := w.send(full, "GET", path+"?pageSize=1000", "")
			if !w.expect("with a large page", o, all, 200, "") {
				return
			}
			if all.text("pageSize") != "200" || all.Header().Get("Sync-Watermark") == "" {
				w.Errorf("%s: page size %s, watermark %q", o.ID, all.text("pageSize"),
					all.Header().Get("Sync-Watermark"))
			}
			for _, field := range []string{"items", "totalCount", "page", "pageSize", "totalPages", "hasPreviousPage",
				"hasNextPage"} {
				if all.body[field] == nil {
					w.Errorf("%s: the envelope has no %s", o.ID, field)
				}
			}
			for _, bad := range []string{"page=0", "page=x", "pageSize=0", "pageSize=1.5"} {
				w.expect("with "+bad, o, w.send(full, "GET", path+"?"+bad, ""), 400, "Request.Invalid")
			}
			past := w.send(full, "GET", path+"?page=900000", "")
			if items, ok := past.body["items"].([]any); past.Code != 200 || !ok || len(items) > 0 {
				w.Errorf("%s past its end: %d %s", o.ID, past.Code, past.Body)
			}
			w.walks(o, path, all)
			w.followsChanges(o, path, all)
		})
	})
}

// walks reads a list page by page: together the pages are the list, each row once.
func (w *world) walks(o served, path string, all answer) {
	w.Helper()
	want, _ := all.body["items"].([]any)
	for i := range want {
		page := w.send(full, "GET", fmt.Sprintf("%s?pageSize=1&page=%d", path, i+1), "")
		items, _ := page.body["items"].([]any)
		if len(items) != 1 || !reflect.DeepEqual(items[0], want[i]) {
			w.Errorf("%s: page %d of one row is %s", o.ID, i+1, page.Body)
			return
		}
	}
}

// followsChanges holds modifiedSince against what the list says of itself.
func (w *world) followsChanges(o served, path string, all answer) {
	w.Helper()
	if o.Traits.NoDelta != "" {
		w.expect("with modifiedSince, which it does not take", o,
			w.send(full, "GET", path+"?modifiedSince=2020-01-01T00:00:00Z", ""), 400, "Query.UnknownParameter")
		return
	}
	for _, since := range []string{"2020-01-01T00:00:00Z", "2020-01-01T00:00:00", "2020-01-01T01:00:00%2B01:00"} {
		if a := w.send(full, "GET", path+"?pageSize=200&modifiedSince="+since, ""); a.Code != 200 ||
			a.text("totalCount") != all.text("totalCount") {
			w.Errorf("%s since %s has %s of %s rows: %d", o.ID, since, a.text("totalCount"), all.text("totalCount"),
				a.Code)
		}
	}
	if a := w.send(full, "GET", path+"?modifiedSince=2999-01-01T00:00:00Z", ""); a.Code != 200 ||
		a.text("totalCount") != "0" {
		w.Errorf("%s since the far future has %s rows: %d", o.ID, a.text("totalCount"), a.Code)
	}
	w.expect("since no instant", o, w.send(full, "GET", path+"?modifiedSince=yesterday", ""), 400, "Request.Invalid")
}

func TestUnknownPathsAndRequestIDs(t *testing.T) {
	eachWorld(t, func(w *world) {
		for _, path := range []string{"/preview/none", "/preview/customers/", "/preview/customers/a/b/c", "/preview"} {
			if a := w.send(full, "GET", path, ""); a.Code != 404 || a.code() != "Route.NotFound" {
				w.Errorf("%s: %d %s", path, a.Code, a.Body)
			}
		}
		a := w.send(full, "GET", "/preview/customers/none", "", "X-Request-Id: my-id")
		if a.Header().Get("X-Request-Id") != "my-id" || a.text("instance") != "my-id" {
			w.Errorf("the request id is lost: %v %s", a.Header(), a.Body)
		}
		if !slices.Equal(a.Header()["Content-Type"], []string{"application/problem+json"}) || a.text("type") == "" ||
			a.text("title") == "" {
			w.Errorf("no problem document: %v %s", a.Header(), a.Body)
		}
	})
}
