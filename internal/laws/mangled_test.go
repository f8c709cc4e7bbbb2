package laws

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest"
)

// mangled is a request that no operation understands: what is wrong with it, and the status it has to be answered with
// (0: that is the operation's own affair, but no fault of the house).
type mangled struct {
	what, path, body string
	headers          []string
	status           int
}

// spoil is a well-made request of an operation at a path, spoilt in every way that the form of requests has rules for.
func (o served) spoil(w *world, path string) (all []mangled) {
	add := func(status int, what, path, body string, headers ...string) {
		all = append(all, mangled{what, path, body, append(o.headers(w), headers...), status})
	}
	add(0, "an unknown parameter", path+"?unheardOf=1", o.body())
	add(0, "a page and a time that are none", path+"?page=x&modifiedSince=x", o.body())
	add(0, "a parameter that is not encoded", path+"?q=%ff&search=%00&x=%25zz", o.body())
	add(0, "a revision that never was", path, o.body(), `If-Match: W/"never"`)
	for _, key := range []string{"%FF", "%00", "%0A", strings.Repeat("9", 10_000), "..%2F..%2Fetc"} {
		at := o.at(path, func(string) string { return key })
		if at != path {
			add(0, fmt.Sprintf("the key %.20s", key), at, o.body())
		}
	}
	if o.Writes() && o.Traits.Key != rest.KeyIgnored {
		add(http.StatusBadRequest, "a bad Idempotency-Key", path, o.body(), "Idempotency-Key: "+strings.Repeat("x", 300))
	}
	if o.Kind == rest.KindUpload || !hasBody(o.Op) && (o.Method != http.MethodPost || o.Kind == rest.KindStream) {
		return append(all, o.spoilUpload(w, path)...)
	}
	field := http.StatusBadRequest
	if o.Traits.IgnoresUnknown {
		field = 0
	}
	add(field, "an unknown field", path, `{"unheardOf": 1}`)
	add(http.StatusUnsupportedMediaType, "a text", path, `{"a": 1}`, "Content-Type: text/plain")
	add(http.StatusUnsupportedMediaType, "another alphabet", path, `{"a": 1}`,
		"Content-Type: application/json; charset=latin1")
	add(http.StatusUnsupportedMediaType, "a compressed body", path, `{"a": 1}`, "Content-Encoding: gzip")
	add(http.StatusRequestEntityTooLarge, "too large a body", path, `{"a":"`+strings.Repeat("x", 4<<20)+`"}`)
	for what, body := range map[string]string{"half a body": `{"a":`, "a list": `[]`, "a deep body": `{"a":` +
		strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}", "a name twice": `{"a":1,"a":2}`,
		"a text that is none": "{\"a\":\"\xff\"}", "half a letter": `{"a":"\ud800"}`, "no JSON": "\x00"} {
		add(http.StatusBadRequest, what, path, body)
	}
	return all
}

// spoilUpload are the requests of an upload that are none; nothing for an operation that is not one.
func (o served) spoilUpload(w *world, path string) (all []mangled) {
	if o.Kind != rest.KindUpload {
		return nil
	}
	for what, body := range map[string]string{"no part": "--law--\r\n", "half a part": upload[:len(upload)-12],
		"an unknown part": strings.Replace(upload, `"file"`, `"unheardOf"`, 1), "no file": "x",
		"the file twice": strings.Replace(upload, "--law--", upload, 1)} {
		all = append(all, mangled{what, path, body, o.headers(w), http.StatusBadRequest})
	}
	return append(all, mangled{"a text", path, "x", []string{w.newKey(), "Content-Type: text/plain"}, 0},
		mangled{"too large a file", path, strings.Replace(upload, "<svg", strings.Repeat(" ", 11<<20)+"<svg", 1),
			o.headers(w), 0})
}

// at is a path of the operation with its parameters filled in anew.
func (o served) at(path string, value func(name string) string) string {
	prefix, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return "/" + prefix + parameter.ReplaceAllStringFunc(o.Path, func(name string) string {
		return value(strings.Trim(name, "{}"))
	})
}

// Whatever an operation answers to a request that is spoilt stands in its description, status and codes; and it is
// never the house's fault. The description is held against every answer by the world itself.
func TestSpoiltRequestsAreAnsweredAsDescribed(t *testing.T) {
	eachWorld(t, func(w *world) {
		asked := func(o served, m mangled) answer {
			return w.send(full, o.Method, m.path, m.body, m.headers...)
		}
		eachOperation(func(o served) { w.spoilt(o, o.spoil(w, o.nobodys()), asked) })
		w.story()
		eachOperation(func(o served) {
			for _, most := range []string{"999999999999", "999999999", "-1", "0.0000001"} {
				if large := figure.ReplaceAllString(o.body(), "${1}"+most+"$2"); large != o.body() {
					w.spoilt(o, []mangled{{"the figure " + most, o.own(w), large, o.headers(w), 0}}, asked)
				}
			}
		})
		w.watchShop()
		customer, c := w.person("BUYER")
		eachShopOperation(func(o served) {
			signed := w.visitor(w.first.ID, "WEB", &c, customer)
			w.spoilt(o, o.spoil(w, shopPath(o.Op)), func(o served, m mangled) answer {
				a := w.send("", o.Method, m.path, m.body, append(slices.Clone(m.headers), signed...)...)
				if a.Code < 300 {
					signed = w.visitor(w.first.ID, "WEB", &c, customer) // it may have signed out
				}
				return a
			})
		})
	})
}

// figure is a number of an example.
var figure = regexp.MustCompile(`(: "?)\d+(?:\.\d+)?("?[,}\]])`)

func (w *world) spoilt(o served, requests []mangled, send func(served, mangled) answer) {
	w.Helper()
	for _, m := range requests {
		a := send(o, m)
		if m.status > 0 {
			w.expect("with "+m.what, o, a, m.status, "")
		}
		if a.Code >= 500 && a.code() != fault.ErrUnavailable.Name {
			w.Errorf("%s with %s: %d %s", o.ID, m.what, a.Code, a.Body)
		}
	}
}
