package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	gojson "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The descriptions of the APIs show an answer of the stories for every operation and status. With -examples the stories
// that are told (on SQLite, so that one answer is chosen) write theirs to this file; those of the others stay.
var writeExamples = flag.Bool("examples", false, "write the answers of the stories to "+examplesFile)

const examplesFile = "examples.json"

// examples are the answers of stories by operation and status, of each the one that shows most.
type examples struct {
	mu   sync.Mutex
	best map[string]map[string]example
}

type example struct {
	body  jsontext.Value
	shown int
	story string
}

var told = examples{best: map[string]map[string]example{}}

// most is how long an example may be: who reads one wants to see it whole.
const most = 6000

func (e *examples) note(story, method, path string, a answer) {
	if !*writeExamples || !strings.Contains(story, "/sqlite/") || a.body == nil {
		return
	}
	id, status := operationOf(method, path), strconv.Itoa(a.status)
	body, err := gojson.Marshal(shortened(a.body), gojson.Deterministic(true))
	// what a hostile story says is no example
	if id == "" || err != nil || len(body) > most || bytes.Contains(body, []byte("<script")) {
		return
	}
	x := example{settled(body), shown(a.body), story}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.best[id] == nil {
		e.best[id] = map[string]example{}
	}
	was, ok := e.best[id][status]
	if !ok || x.shown > was.shown || x.shown == was.shown && (x.story < was.story || x.story == was.story &&
		bytes.Compare(x.body, was.body) < 0) {
		e.best[id][status] = x
	}
}

// shortened is an answer with two elements of each list.
func shortened(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, one := range v[:min(2, len(v))] {
			out = append(out, shortened(one))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, one := range v {
			out[name] = shortened(one)
		}
		return out
	case json.Number:
		return jsontext.Value(v)
	}
	return v
}

// shown is how many values an answer shows; a list counts with its first two.
func shown(v any) (n int) {
	switch v := v.(type) {
	case nil:
		return 0
	case []any:
		for _, one := range v[:min(2, len(v))] {
			n += shown(one)
		}
		return n
	case map[string]any:
		for _, one := range v {
			n += shown(one)
		}
		return n
	}
	return 1
}

var (
	anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// volatile are the values that are others each time a story is told.
	volatile = []struct {
		found *regexp.Regexp
		then  string
	}{
		{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z`), "2026-01-15T09:30:00.000000Z"},
		{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}([^0-9T-])`), "2026-01-15$1"},
		{regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`), "https://kontor.example.com"},
		{regexp.MustCompile(`("(?:sessionToken|clientKey)":)"[^"]+"`),
			`$1"kx2Q9vJ4mB7tLw8eR1yZ3nC6dF0gHsPa5uTiOqXbVjE"`},
		{regexp.MustCompile(`("nextCursor":)"[^"]+"`), `$1"AZu5c2UAAAAAAAAB"`},
		{regexp.MustCompile(`("redirectUrl":"[^"?]+)\?[^"]+"`), `$1"`},
		{regexp.MustCompile(`key-[0-9]+`), "key-1"},
	}
)

// settled is an answer as it would be each time.
func settled(body []byte) []byte {
	ids := map[string]string{}
	body = anyUUID.ReplaceAllFunc(body, func(id []byte) []byte {
		if ids[string(id)] == "" {
			n := strconv.Itoa(len(ids) + 1)
			ids[string(id)] = "019bc0de-0000-7000-8000-" + strings.Repeat("0", 12-len(n)) + n
		}
		return []byte(ids[string(id)])
	})
	for _, v := range volatile {
		body = v.found.ReplaceAll(body, []byte(v.then))
	}
	return body
}

// write puts the answers into the file, beside those of stories that were not told.
func (e *examples) write(t *testing.T) {
	if !*writeExamples {
		return
	}
	all := map[string]map[string]jsontext.Value{}
	text, err := os.ReadFile(examplesFile)
	if err == nil {
		err = gojson.Unmarshal(text, &all)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for id, answers := range e.best {
		if all[id] == nil {
			all[id] = map[string]jsontext.Value{}
		}
		for status, x := range answers {
			var was any
			if kept := all[id][status]; kept == nil || gojson.Unmarshal(kept, &was) != nil || x.shown >= shown(was) {
				all[id][status] = x.body
			}
		}
	}
	if text, err = gojson.Marshal(all, gojson.Deterministic(true), jsontext.WithIndent(" ")); err == nil {
		err = os.WriteFile(examplesFile, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
