package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/front/rest"
	"kontor/internal/front/rest/resttest"
)

// client is another system: it knows the address, a key and the OpenAPI document, which it holds every answer against.
type client struct {
	testing.TB
	url, key string
	docs     map[string]*resttest.Document // by the API's prefix
	http     *http.Client
	seen     *coverage // may be nil
}

// answer is what the server said.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   any // the decoded JSON, numbers as json.Number; nil without a body
}

// code is the problem's code, "" where the answer is no problem.
func (a answer) code() string {
	if a.status < 400 {
		return ""
	}
	return strings.Join(a.at("code"), " ")
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.raw) }

// documents are the descriptions of the APIs by their prefixes.
var documents = sync.OnceValues(func() (map[string]*resttest.Document, error) {
	all := map[string]*resttest.Document{}
	for _, name := range []string{"preview", "ecom"} {
		text, err := app.Describe(name, "3.1")
		if err != nil {
			return nil, err
		}
		if all["/"+name+"/"], err = resttest.Parse(text); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// surfaces are the APIs as they are described.
func surfaces() []rest.Surface { return []rest.Surface{app.Preview(nil), app.Commerce(nil)} }

func newClient(t testing.TB, url, key string) *client {
	t.Helper()
	docs, err := documents()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{TB: t, url: url, key: key, docs: docs,
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	t.Cleanup(c.http.CloseIdleConnections)
	return c
}

// keys makes Idempotency-Keys that no two requests share.
var keys atomic.Int64

func newKey() string { return "key-" + strconv.FormatInt(keys.Add(1), 10) }

// try sends a request; what it cannot send, and an answer that was cut off, is an error. A POST gets an Idempotency-Key
// of its own unless the headers ("Name: value", without a value: none) say otherwise.
func (c *client) try(method, path, body string, headers ...string) (answer, error) {
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	h := map[string]string{"X-Api-Key": c.key}
	if method == http.MethodPost {
		h["Idempotency-Key"] = newKey()
	}
	if body != "" {
		h["Content-Type"] = "application/json"
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		h[http.CanonicalHeaderKey(name)] = strings.TrimSpace(value)
	}
	for name, value := range h {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	if a.raw, err = io.ReadAll(resp.Body); err != nil {
		return answer{}, err
	}
	if err := c.check(req, &a); err != nil {
		return a, errNotPromised{fmt.Errorf("%s %s answered %s, which the OpenAPI document does not promise: %w",
			method, path, a, err)}
	}
	c.seen.note(method, req.URL.EscapedPath(), a)
	told.note(c.Name(), method, req.URL.EscapedPath(), a)
	return a, nil
}

// errNotPromised is an answer against the description: a fault that no test expects.
type errNotPromised struct{ error }

func (c *client) check(req *http.Request, a *answer) error {
	for prefix, doc := range c.docs {
		if strings.HasPrefix(req.URL.Path, prefix) {
			if err := doc.Check(req, a.status, a.header, a.raw); err != nil {
				return err
			}
		}
	}
	if len(a.raw) == 0 || !strings.Contains(a.header.Get("Content-Type"), "json") {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(a.raw))
	d.UseNumber()
	return d.Decode(&a.body)
}

// send is try where nothing may go wrong on the way.
func (c *client) send(method, path, body string, headers ...string) answer {
	c.Helper()
	a, err := c.try(method, path, body, headers...)
	if err != nil {
		c.Fatal(err)
	}
	return a
}

// lags reports whether an answer says that an index had not followed when it was made: on a busy machine that may be so
// for a moment.
func (a answer) lags() bool {
	seconds := a.header.Get("Kontor-Index-Lag")
	return seconds != "" && seconds != "0"
}

// settled is try, again while what is read lags.
func (c *client) settled(method, path, body string, headers ...string) (a answer, err error) {
	for tries := 0; tries == 0 || method == http.MethodGet && a.lags() && tries < 100; tries++ {
		time.Sleep(time.Duration(min(tries, 1)) * 50 * time.Millisecond)
		if a, err = c.try(method, path, body, headers...); err != nil {
			return a, err
		}
	}
	return a, nil
}

// must is send where the status has to be this one.
func (c *client) must(status int, method, path, body string, headers ...string) answer {
	c.Helper()
	a := c.send(method, path, body, headers...)
	if a.status != status {
		c.Fatalf("%s %s %s: want %d, got %s", method, path, body, status, a)
	}
	return a
}

// all reads every page of a list and answers its items.
func (c *client) all(path string) (items []any) {
	c.Helper()
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	for page := 1; ; page++ {
		a := c.must(http.StatusOK, http.MethodGet, fmt.Sprintf("%s%spageSize=200&page=%d", path, sep, page), "")
		list, _ := dig(a.body, "items").([]any)
		items = append(items, list...)
		if dig(a.body, "hasNextPage") != true {
			return items
		}
	}
}

func dig(v any, name string) any {
	m, _ := v.(map[string]any)
	return m[name]
}

// at is what the answer holds at a path such as lines[0].quantity, as text: one text for each value found. [*] stands
// for every element, [-1] for the last, [name=value] for those whose field has the value.
func (a answer) at(path string) []string {
	found := []any{a.body}
	for _, step := range steps.FindAllString(path, -1) {
		var next []any
		for _, v := range found {
			next = append(next, walk(v, step)...)
		}
		found = next
	}
	var texts []string
	for _, v := range found {
		texts = append(texts, textOf(v)...)
	}
	return texts
}

var steps = regexp.MustCompile(`\[[^\]]*\]|[^.\[\]]+`)

func walk(v any, step string) []any {
	inside, isIndex := strings.CutPrefix(step, "[")
	if !isIndex {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		if field, ok := m[step]; ok {
			return []any{field}
		}
		return nil
	}
	list, _ := v.([]any)
	inside = strings.TrimSuffix(inside, "]")
	if inside == "*" {
		return list
	}
	if n, err := strconv.Atoi(inside); err == nil {
		if n < 0 {
			n += len(list)
		}
		if n < 0 || n >= len(list) {
			return nil
		}
		return list[n : n+1]
	}
	name, want, _ := strings.Cut(inside, "=")
	return slices.DeleteFunc(slices.Clone(list),
		func(e any) bool { return strings.Join(textOf(dig(e, name)), " ") != want })
}

// textOf is a value as a person would write it down; a list is all its values.
func textOf(v any) []string {
	switch v := v.(type) {
	case nil:
		return []string{"null"}
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, textOf(e)...)
		}
		return all
	case map[string]any:
		b, _ := json.Marshal(v)
		return []string{string(b)}
	}
	return []string{fmt.Sprint(v)}
}

// one is the only value at a path.
func (c *client) one(a answer, path string) string {
	c.Helper()
	found := a.at(path)
	if len(found) != 1 {
		c.Fatalf("%s is %q in %s", path, found, a)
	}
	return found[0]
}

// coverage is which operations answered well, and which refusals were seen.
type coverage struct {
	mu    sync.Mutex
	ok    map[string]bool // operationId
	codes map[string]bool
	// beyond are the numbers that were tried beyond their bounds.
	beyond tried
}

func newCoverage() *coverage {
	return &coverage{ok: map[string]bool{}, codes: map[string]bool{}, beyond: tried{seen: map[string]bool{}}}
}

func (c *coverage) note(method, path string, a answer) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.status < 300 {
		c.ok[operationOf(method, path)] = true
	}
	for _, at := range []string{"code", "errors[*].code", "results[*].error.code"} {
		for _, code := range a.at(at) {
			c.codes[code] = true
		}
	}
}

// missing are the operations that never answered well and the codes of theirs that nobody was refused with.
func (c *coverage) missing() (operations, codes []string) {
	declared := map[string]bool{}
	for _, s := range surfaces() {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				if name := s.NameOf(o); !c.ok[name] {
					operations = append(operations, name)
				}
				for _, code := range o.Codes {
					if !c.codes[code.Name] {
						declared[code.Name] = true
					}
				}
			}
		}
	}
	return operations, slices.Sorted(maps.Keys(declared))
}

// operationOf is the name (rest.Surface.NameOf) of the operation that answers a request: of several whose path fits,
// the one with most fixed segments.
func operationOf(method, path string) (id string) {
	have := strings.Split(path, "/")
	best := -1
	for _, s := range surfaces() {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				want := strings.Split(s.Prefix+o.Path, "/")
				if o.Method != method || len(want) != len(have) {
					continue
				}
				if fixed := fixedSegments(want, have); fixed > best {
					best, id = fixed, s.NameOf(o)
				}
			}
		}
	}
	return id
}

// fixedSegments is how many segments of a path are an operation's own words; negative where it does not fit.
func fixedSegments(want, have []string) (fixed int) {
	for i, s := range want {
		switch {
		case s == have[i]:
			fixed++
		case !strings.HasPrefix(s, "{"):
			return -1
		}
	}
	return fixed
}

// patiently repeats a request while the server cannot be reached or says 503, as a well-made client does, and answers
// the first other answer. It gives up after a generous time, so that a server that does not come back fails the test.
func (c *client) patiently(method, path, body string, headers ...string) answer {
	c.Helper()
	for start := time.Now(); ; {
		a, err := c.try(method, path, body, headers...)
		var wrong errNotPromised
		switch {
		case errors.As(err, &wrong):
			c.Fatal(err)
		case err == nil && a.status != http.StatusServiceUnavailable:
			return a
		case time.Since(start) > time.Minute:
			c.Fatalf("%s %s: still no answer after a minute: %v %s", method, path, err, a)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
