package app_test

import (
	"bytes"
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// isStillSo looks at the record that a change was just answered with: whatever was worked out ahead, kept or computed
// in the change, the next look says the same.
func (s *scene) isStillSo(ts *testscript.TestScript, method, address string, headers []string) {
	isLook := method == http.MethodGet || method == http.MethodHead
	repeats := func(h string) bool { return strings.HasPrefix(h, "Idempotency-Key: ") }
	if isLook || s.last.status >= 300 || slices.ContainsFunc(headers, repeats) {
		return // a repetition is answered with what was so then
	}
	read := s.readOf(method, address)
	if read == "" || strings.HasPrefix(read, "/ecom/checkout/sessions/") { // a payment goes on by itself
		return
	}
	next, err := s.settled(http.MethodGet, read, "", headers...)
	ts.Check(err)
	if next.status != http.StatusOK {
		return // who changes may not be one who reads, a renamed record is elsewhere, what was emptied is gone
	}
	tag, told := next.header.Get("ETag"), s.last.header.Get("ETag")
	if !bytes.Equal(next.raw, s.last.raw) || told != "" && tag != told {
		ts.Fatalf("%s %s answers\n%s\nand the next look at it\n%s (%s)", method, address, s.last, next, tag)
	}
}

// readOf is where the record is read that a change was answered with; "" where nothing shows it as the change does.
func (s *scene) readOf(method, address string) string {
	kind := s.kindOf(method, address, s.last.status)
	if kind == "" {
		return ""
	}
	for at := cmp.Or(s.last.header.Get("Location"), address); strings.Count(at, "/") > 1; at = path.Dir(at) {
		if s.kindOf(http.MethodGet, at, http.StatusOK) == kind {
			return at
		}
	}
	return ""
}

// kindOf names the type that an operation answers with, as its description says.
func (s *scene) kindOf(method, address string, status int) string {
	r, err := http.NewRequest(method, s.url+address, nil)
	if err != nil {
		return ""
	}
	for prefix, doc := range s.docs {
		if strings.HasPrefix(r.URL.Path, prefix) {
			return doc.Answers(r, status)
		}
	}
	return ""
}
