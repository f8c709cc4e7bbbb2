// Package resttest holds every answer of a test against the OpenAPI document: what an operation answers is
// what its entry promises, in status, headers and body.
package resttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Reporter is told what does not hold; a *testing.T is one.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// Document is a parsed OpenAPI document.
type Document struct {
	paths    map[string]any
	raw      any
	compiler *jsonschema.Compiler

	mu      sync.Mutex // the compiler is not safe for use by several goroutines
	schemas map[string]*jsonschema.Schema
}

// Parse reads an OpenAPI 3.1 document.
func Parse(text []byte) (*Document, error) {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	paths, ok := dig(raw, "paths").(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the document has no paths")
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	return &Document{paths: paths, raw: raw, compiler: c, schemas: map[string]*jsonschema.Schema{}},
		c.AddResource("openapi.json", raw)
}

// Watch is h with every answer held against the document.
func (d *Document) Watch(t Reporter, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Helper()
		kept := httptest.NewRecorder()
		h.ServeHTTP(kept, r)
		if err := d.Check(r, kept.Code, kept.Header(), kept.Body.Bytes()); err != nil {
			t.Errorf("%s %s answered %d, which the OpenAPI document does not promise: %v\n%s", r.Method, r.URL,
				kept.Code, err, kept.Body)
		}
		for name, values := range kept.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(kept.Code)
		w.Write(kept.Body.Bytes())
	})
}

// Answers names the type of the JSON that a request is answered with; "" where none has a name.
func (d *Document) Answers(r *http.Request, status int) string {
	_, operation := d.operation(r)
	name, _ := dig(operation, "responses", strconv.Itoa(status), "content", "application/json", "schema", "$ref").(string)
	return name
}

// Check holds one answer against the document. Paths and methods it does not know are answered by 404
// and 405, and by nothing else.
func (d *Document) Check(r *http.Request, status int, h http.Header, body []byte) error {
	if err := kept(r, status, h); err != nil {
		return err
	}
	path, operation := d.operation(r)
	if operation == nil {
		if status == http.StatusNotFound || status == http.StatusMethodNotAllowed ||
			strings.HasSuffix(r.URL.Path, ".json") {
			return nil
		}
		return fmt.Errorf("it has no such operation")
	}
	method, code := methodOf(r), strconv.Itoa(status)
	answer := dig(operation, "responses", code)
	if answer == nil {
		return fmt.Errorf("it has no response %s", code)
	}
	at := []string{"paths", path, method, "responses", code}
	if target, ok := dig(answer, "$ref").(string); ok {
		at = strings.Split(strings.TrimPrefix(target, "#/"), "/")
		answer = dig(d.raw, at...)
	}
	headers, _ := dig(answer, "headers").(map[string]any)
	if _, secret := headers["Cache-Control"]; secret != (h.Get("Cache-Control") == "no-store") && status < 400 {
		return fmt.Errorf("Cache-Control is %q, which is not what it promises", h.Get("Cache-Control"))
	}
	if err := described(headers, h); err != nil {
		return err
	}
	if err := d.promised(operation, answer, status, body); err != nil {
		return err
	}
	content, _ := dig(answer, "content").(map[string]any)
	if len(content) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("it promises no body")
		}
		return nil
	}
	if r.Method == http.MethodHead {
		return nil
	}
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";") // a charset is no other type
	if content[media] == nil {
		return fmt.Errorf("it promises no %q", media)
	}
	if !strings.HasSuffix(media, "json") {
		if len(body) == 0 {
			return fmt.Errorf("it promises a file")
		}
		return nil
	}
	if err := d.named(status, body); err != nil {
		return err
	}
	return d.validate(append(at, "content", media, "schema"), body)
}

// plain are the headers that any answer may have: how it travels, how far the caller's allowance goes.
var plain = []string{"Allow", "Cache-Control", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Ratelimit",
	"Ratelimit-Policy", "Vary", "X-Accel-Buffering", "X-Content-Type-Options", "X-Request-Id"}

// described holds the headers of an answer against those that the document promises.
func described(promised map[string]any, got http.Header) error {
	known := slices.Clone(plain)
	for name, header := range promised {
		if required, _ := dig(header, "required").(bool); required && got.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
		known = append(known, http.CanonicalHeaderKey(name))
	}
	for name := range got {
		if !slices.Contains(known, name) {
			return fmt.Errorf("it promises no header %s", name)
		}
	}
	return nil
}

// named reports whether the document names every member of a refusal: what it does not name, no client generated from
// it can read.
func (d *Document) named(status int, body []byte) error {
	var members map[string]any
	if status < 400 || json.Unmarshal(body, &members) != nil {
		return nil
	}
	for name := range members {
		if dig(d.raw, "components", "schemas", "Problem", "properties", name) == nil {
			return fmt.Errorf("its Problem names no member %s", name)
		}
	}
	return nil
}

// promised holds the codes of a refusal against those that the operation's entry names: under the status or, where it
// is a field of the request or a row of a batch that is wrong, under any.
func (d *Document) promised(operation, answer any, status int, body []byte) error {
	var problem struct {
		Code    string
		Errors  []struct{ Code string }
		Results []struct{ Error struct{ Code string } }
	}
	if len(body) == 0 || json.Unmarshal(body, &problem) != nil {
		return nil // without a body, or no problem: the schema says so
	}
	named := d.codes(answer)
	if status <= http.StatusBadRequest {
		responses, _ := dig(operation, "responses").(map[string]any)
		for _, r := range responses {
			named = append(named, d.codes(r)...)
		}
	}
	var codes []string
	if status >= 400 {
		codes = append(codes, problem.Code)
	}
	for _, e := range problem.Errors {
		codes = append(codes, e.Code)
	}
	for _, r := range problem.Results {
		codes = append(codes, r.Error.Code)
	}
	for _, c := range codes {
		if c != "" && !slices.Contains(named, c) {
			return fmt.Errorf("its response %d names no %s", status, c)
		}
	}
	return nil
}

// codeName is how a refusal is called, wherever it stands in a text.
var codeName = regexp.MustCompile(`[A-Z]\w*(\.[A-Z]\w*)+`)

// codes are those that a response names: a client reads them in its description.
func (d *Document) codes(response any) []string {
	if target, ok := dig(response, "$ref").(string); ok {
		response = dig(d.raw, strings.Split(strings.TrimPrefix(target, "#/"), "/")...)
	}
	doc, _ := dig(response, "description").(string)
	return codeName.FindAllString(doc, -1)
}

func (d *Document) validate(at []string, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	schema, err := d.schema(at)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (d *Document) schema(at []string) (*jsonschema.Schema, error) {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D")
	pointer := ""
	for _, s := range at {
		pointer += "/" + escape.Replace(s)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile("openapi.json#" + pointer)
	if err == nil {
		d.schemas[pointer] = s
	}
	return s, err
}

// operation finds the entry of a request: of several paths that fit, the one with most fixed segments
// that knows the method.
func (d *Document) operation(r *http.Request) (string, any) {
	best, bestFixed := "", -1
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for path, item := range d.paths {
		if dig(item, methodOf(r)) == nil {
			continue
		}
		if fixed, ok := fits(strings.Split(path, "/"), segments); ok && fixed > bestFixed {
			best, bestFixed = path, fixed
		}
	}
	return best, dig(d.paths[best], methodOf(r))
}

func fits(path, segments []string) (fixed int, ok bool) {
	if len(path) != len(segments) {
		return 0, false
	}
	for i, p := range path {
		switch {
		case p == segments[i]:
			fixed++
		case !strings.HasPrefix(p, "{") || segments[i] == "":
			return 0, false
		}
	}
	return fixed, true
}

func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return "get"
	}
	return strings.ToLower(r.Method)
}

// dig walks into a parsed document; nil where there is nothing.
func dig(v any, names ...string) any {
	for _, n := range names {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[n]
	}
	return v
}
