package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
)

// oddQueries are given to each parameter of each operation that reads, as they stand in an address.
var oddQueries = []string{"-1", "0", "1", "1.5", "1e9", "0x10", "12345678901234567890123", "999999999999", "abc", "", "%20",
	"%00", "%ff", "%zz", "%27", "%E2%88%9E", "1,2", "true", "TRUE", "null", "0000-00-00", "2024-02-30", "2024-02-29",
	"9999-12-31", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2024-02-29T12:00:00%2B14:00",
	"00000000-0000-7000-8000-000000000000"}

// parameter is what a description says of a parameter of a query.
type parameter struct {
	Name, In string
	Required bool
	Schema   struct {
		Type, Format, Pattern string
		Items                 struct{ Format string }
		Enum                  []string
		Minimum, Maximum      *float64
		MaxLength             *int
	}
}

// good is a value that nobody doubts.
func (p *parameter) good() string {
	switch {
	case p.Schema.Format == "uuid" || p.Schema.Items.Format == "uuid":
		return "00000000-0000-7000-8000-000000000000"
	case len(p.Schema.Enum) > 0:
		return p.Schema.Enum[0]
	}
	return "1"
}

// isClosed reports whether a description says of every value whether it is taken. Texts and decimals have meanings too.
func (p *parameter) isClosed() bool {
	return p.Schema.Type == "integer" || p.Schema.Type == "boolean" || len(p.Schema.Enum) > 0
}

// allows reports whether a description allows a value. Moments may be given as days as well.
func (p *parameter) allows(value string) bool {
	s := &p.Schema
	var err error
	switch {
	case s.Type == "integer":
		n, e := strconv.ParseFloat(value, 64)
		whole := regexp.MustCompile(`^-?\d+$`).MatchString(value)
		return e == nil && whole && (s.Minimum == nil || n >= *s.Minimum) && (s.Maximum == nil || n <= *s.Maximum)
	case s.Type == "boolean":
		return value == "true" || value == "false"
	case s.Format == "decimal":
		_, err = dec.Parse(value)
	case s.Format == "date":
		_, err = day.Parse(value)
	case s.Format == "date-time":
		if _, err = time.Parse(time.RFC3339, value); err != nil {
			_, err = day.Parse(value)
		}
	}
	return err == nil && (len(s.Enum) == 0 || slices.Contains(s.Enum, value)) &&
		(s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(value)) &&
		(s.MaxLength == nil || len([]rune(value)) <= *s.MaxLength)
}

// Whatever stands in the query of an operation that reads is answered: what its description does not allow is refused
// and named, what it allows is not refused for that parameter, and nothing breaks the server.
func TestQueriesAtTheirEdges(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		s := newShop(t, place)
		q := &queries{shop: s, visitor: http.Header{"X-Tenant-Id": {s.company.ID}, "X-Channel": {"WEB"}}}
		a := s.must(200, "GET", "/ecom/session", "", "X-Api-Key:", "X-Tenant-Id: "+s.company.ID, "X-Channel: WEB")
		q.visitor.Set("Authorization", "Bearer "+s.one(a, "sessionToken"))
		for _, name := range []string{"preview", "ecom"} {
			for path, all := range parametersOf(t, name) {
				for _, p := range all {
					q.tryAll(path, p, all)
				}
			}
		}
		if q.tried < 8_000 || q.shut > q.tried/5 {
			t.Errorf("only %d queries were tried, %d of them for people who sign in", q.tried, q.shut)
		}
	})
}

var inBraces = regexp.MustCompile(`\{[^}]*\}`)

// parametersOf are the parameters of queries of what can be read of an API, by path.
func parametersOf(t *testing.T, name string) map[string][]parameter {
	t.Helper()
	text, err := app.Describe(name, "3.1")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	out := map[string][]parameter{}
	for path, operations := range document.Paths {
		var operation struct{ Parameters []parameter }
		if operations["get"] == nil {
			continue
		}
		if err := json.Unmarshal(operations["get"], &operation); err != nil {
			t.Fatal(path, err)
		}
		out[path] = slices.DeleteFunc(operation.Parameters, func(p parameter) bool {
			return p.In != "query" || p.Schema.Type == "object" // which stands for parameters of any name
		})
	}
	return out
}

// queries are what a shop is asked.
type queries struct {
	*shop
	visitor     http.Header
	tried, shut int
}

// tryAll gives each odd value to a parameter, and a good one twice.
func (s *queries) tryAll(path string, p parameter, all []parameter) {
	path = inBraces.ReplaceAllString(path, "1")
	others := ""
	for _, o := range all {
		if o.Required && o.Name != p.Name {
			others += "&" + o.Name + "=" + o.good()
		}
	}
	for _, value := range oddQueries {
		is, err := url.QueryUnescape(value)
		allowed := err == nil && p.allows(is) && !strings.ContainsFunc(is, func(r rune) bool {
			return r == utf8.RuneError || unicode.IsControl(r)
		})
		s.try(path, p, p.Name+"="+value+others, allowed)
	}
	if p.Schema.Type != "array" && p.Schema.Type != "object" {
		s.try(path, p, p.Name+"=1&"+p.Name+"=1"+others, false)
	}
}

func (s *queries) try(path string, p parameter, query string, allowed bool) {
	r, err := http.NewRequestWithContext(s.Context(), "GET", s.url+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	r.URL.RawQuery = query
	if strings.HasPrefix(path, "/ecom/") {
		maps.Copy(r.Header, s.visitor)
	} else {
		r.Header.Set("X-Api-Key", s.key)
	}
	s.tried++
	resp, err := s.http.Do(r)
	if err != nil {
		s.Fatalf("%s?%s: %v", path, query, err)
	}
	defer resp.Body.Close()
	var problem struct {
		Code   string
		Errors []struct{ Field string }
	}
	_ = json.NewDecoder(resp.Body).Decode(&problem)
	isNamed := slices.ContainsFunc(problem.Errors, func(e struct{ Field string }) bool { return e.Field == p.Name })
	what := fmt.Sprintf("%s?%s is answered %d %s", path, query, resp.StatusCode, problem.Code)
	switch {
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		s.shut++
	case resp.StatusCode >= 500, resp.StatusCode == http.StatusTooManyRequests:
		s.Error(what)
	case resp.StatusCode == http.StatusBadRequest && !isNamed:
		s.Errorf("%s without naming %s: %+v", what, p.Name, problem.Errors)
	case !allowed && !isNamed:
		s.Errorf("%s, which the description does not allow", what)
	case allowed && isNamed && p.isClosed():
		s.Errorf("%s, which the description allows", what)
	}
}
