package laws

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"kontor/internal/app"
)

var (
	guideNames = regexp.MustCompile("`([^`\n]+)`")
	guideCall  = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (/\S+)$`)
	guideWord  = regexp.MustCompile(`^([A-Za-z]+(-[A-Z][A-Za-z]+)*|[A-Z]\w+\.[A-Z]\w+)$`)
)

// The guides speak of nothing that there is not: each operation and parameter, each header, field and code that they
// name stands in the document.
func TestTheGuidesAreTrue(t *testing.T) {
	for name := range surfaces() {
		text, err := app.Describe(name, "3.1")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		guide := doc.Info.Description
		found := guideNames.FindAllStringSubmatch(guide, -1)
		if len(found) < 30 {
			t.Errorf("%s: the guide names %d things", name, len(found))
		}
		doc.Info.Description = ""
		rest, err := doc.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			if call := guideCall.FindStringSubmatch(m[1]); call != nil {
				canBeAsked(t, doc, call[1], call[2])
			} else if word := strings.ToLower(m[1]); guideWord.MatchString(m[1]) &&
				!bytes.Contains(bytes.ToLower(rest), []byte(word)) {
				t.Errorf("%s: the guide speaks of %s, which the document does not know", name, m[1])
			}
		}
	}
}

// canBeAsked holds a call of a guide against the document.
func canBeAsked(t *testing.T, doc *openapi3.T, method, address string) {
	t.Helper()
	path, query, _ := strings.Cut(address, "?")
	item := doc.Paths.Value(path)
	if item == nil || item.GetOperation(method) == nil {
		t.Errorf("the guide speaks of %s %s, which there is not", method, path)
		return
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Error(err)
	}
	for parameter := range values {
		if item.GetOperation(method).Parameters.GetByInAndName("query", parameter) == nil {
			t.Errorf("the guide gives %s %s a parameter %q, which it has not", method, path, parameter)
		}
	}
}
