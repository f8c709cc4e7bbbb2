package app_test

import (
	"encoding/json"
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
)

// Every bound of a number stands in its room. Before a story writes, each number of its body is tried beyond the bound
// that its field is tagged with, on a server that does not look at the tags: whoever the operation is for has to refuse
// it too, since the office's forms and the imports reach the same rooms without a tag.

const (
	beyondHeader = "X-Beyond"
	// unheard is a field that no operation has: what carries it is refused, with everything else that is wrong.
	unheard = "unheard-of"
)

// boundedByTag is how a tag's bound says that it was passed.
var boundedByTag = regexp.MustCompile("must not be negative|must be (at least|greater than|at most) ")

// beyondBounds are the numbers tried in every field.
var beyondBounds = []string{"-1", "0", "999999"}

// onlyByTag are the bounded fields that their room may write beyond the bound, and why.
var onlyByTag = map[string]string{
	"preview/putItemConfiguration features[].maxLength 0": "0 is the room's word for the usual bound, null the API's",
}

// tried are the fields that a story has tried; each is tried once.
type tried struct {
	mu   sync.Mutex
	seen map[string]bool
	past int // that a tag refused, and which the room was asked about
	// mails are the fields of mail addresses among them.
	mails atomic.Int32
}

func (t *tried) passed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.past++
}

func (t *tried) first(what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.seen[what]
	t.seen[what] = true
	return !was
}

// beyond tries the numbers of a body that is about to be written.
func (s *scene) beyond(method, path, body string, headers []string) {
	var value map[string]any
	if method == http.MethodGet || json.Unmarshal([]byte(body), &value) != nil ||
		slices.ContainsFunc(headers, func(h string) bool { return strings.HasPrefix(h, "Idempotency-Key: ") }) {
		return
	}
	operation := operationOf(method, path)
	if ignoresUnknown(operation) {
		return // nothing that is sent to it is certain to be refused
	}
	for _, value := range rowByRow(path, value) {
		s.beyondIn(operation, method, path, value, headers)
		s.mailless(operation, method, path, value, headers)
	}
}

// mailless tries a text that is no mail address in each field that is called one. Who only looks for an address refuses
// it too.
func (s *scene) mailless(operation, method, path string, value map[string]any, headers []string) {
	isMail := func(name string, v any) bool {
		_, isText := v.(string)
		return isText && strings.HasSuffix(strings.ToLower(name), "email")
	}
	eachMember(value, "", isMail, func(at string, set func(any)) {
		field := operation + " " + anyIndex.ReplaceAllString(at, "[]")
		if !s.seen.beyond.first(field) {
			return
		}
		set("no address")
		status, text := s.raw(method, path, value, headers)
		if status < 400 && !isRefusedRow.MatchString(text) || status >= 500 {
			s.Errorf("%s: the room takes a text that is no mail address: %d %s", field, status, text)
		}
		s.seen.beyond.mails.Add(1)
	})
}

// rowByRow is a body; of a batch, whose rows are taken one by one, a body for each row.
func rowByRow(path string, value map[string]any) (all []map[string]any) {
	if !strings.HasSuffix(path, "/batch") {
		return []map[string]any{value}
	}
	for name, rows := range value {
		rows, _ := rows.([]any)
		for _, row := range rows {
			one := maps.Clone(value)
			one[name] = []any{row}
			all = append(all, one)
		}
	}
	return all
}

func (s *scene) beyondIn(operation, method, path string, value map[string]any, headers []string) {
	eachMember(value, "", isNumber, func(at string, set func(any)) {
		for _, number := range beyondBounds {
			field := operation + " " + anyIndex.ReplaceAllString(at, "[]")
			if onlyByTag[field+" "+number] != "" || !s.seen.beyond.first(field+" "+number) {
				continue
			}
			set(number)
			if whole, err := strconv.Atoi(number); err == nil && !s.isBounded(method, path, value, headers, at) {
				set(whole) // where a number is no decimal
			}
			if !s.isBounded(method, path, value, headers, at) {
				continue
			}
			s.seen.beyond.passed()
			status, text := s.unbounded(method, path, value, headers)
			if status < 400 && !isRefusedRow.MatchString(text) || status >= 500 {
				s.Errorf("%s: the room takes %s: %d %s", field, number, status, text)
			}
		}
	})
}

func ignoresUnknown(operation string) bool {
	for _, s := range surfaces() {
		for _, g := range s.Groups {
			for _, o := range g.Ops {
				if s.NameOf(o) == operation {
					return o.Traits.IgnoresUnknown
				}
			}
		}
	}
	return true
}

var (
	anyIndex     = regexp.MustCompile(`\[\d+\]`)
	isRefusedRow = regexp.MustCompile(`"error": ?\{`)
)

// isBounded reports whether a tag refuses the number at a path of the body. Nothing is written to find out.
func (s *scene) isBounded(method, path string, value map[string]any, headers []string, at string) bool {
	value = maps.Clone(value)
	value[unheard] = 1
	a, text := s.raw(method, path, value, headers)
	if a < 400 {
		return false
	}
	var said struct {
		Errors []struct{ Field, Message string }
	}
	if json.Unmarshal([]byte(text), &said) != nil {
		return false
	}
	for _, e := range said.Errors {
		if e.Field == at && boundedByTag.MatchString(e.Message) {
			return true
		}
	}
	return false
}

func (s *scene) unbounded(method, path string, value map[string]any, headers []string) (status int, text string) {
	return s.raw(method, path, value, append(slices.Clone(headers), beyondHeader+": 1"))
}

// raw sends a body beside the story: its answer is neither an example nor counted.
func (s *scene) raw(method, path string, value map[string]any, headers []string) (status int, text string) {
	body, err := json.Marshal(value)
	if err != nil {
		s.Fatal(err)
	}
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(string(body)))
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("X-Api-Key", s.key)
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPost {
		req.Header.Set("Idempotency-Key", newKey())
	}
	for _, line := range headers {
		name, of, _ := strings.Cut(line, ":")
		req.Header.Set(name, strings.TrimSpace(of))
	}
	resp, err := s.http.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	answered, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return resp.StatusCode, string(answered)
}

// eachMember calls fn with each member of a JSON value that is meant, and puts back what stood there.
func eachMember(v any, at string, isMeant func(name string, v any) bool, fn func(at string, set func(any))) {
	visit := func(name string, member any, at string, set func(any)) {
		if isMeant(name, member) {
			fn(at, set)
			set(member)
			return
		}
		eachMember(member, at, isMeant, fn)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(name, v[name], strings.TrimPrefix(at+"."+name, "."), func(to any) { v[name] = to })
		}
	case []any:
		for i := range v {
			visit("", v[i], fmt.Sprintf("%s[%d]", at, i), func(to any) { v[i] = to })
		}
	}
}

func isNumber(_ string, v any) bool {
	switch v := v.(type) {
	case float64:
		return true
	case string: // as decimals are written
		_, err := strconv.ParseFloat(v, 64)
		return err == nil
	}
	return false
}
