package shop_test

import (
	"encoding/csv"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor/internal/front/shop"
)

// measured is how the assistant does with a question.
type measured struct {
	question string
	wanted   []string // paths that answer it; none where nothing does
	found    []string // paths of the first three sources and of the first three products
	isKnown  bool
	first    time.Duration // until its first word
}

func (m *measured) isFound() bool {
	return slices.ContainsFunc(m.wanted, func(path string) bool {
		return slices.ContainsFunc(m.found, func(other string) bool {
			return other == path || strings.HasPrefix(path, "/products/") && strings.HasPrefix(other, path)
		})
	})
}

// questions are those of testdata/questions.tsv; how they were made is said beside it.
func questions(t *testing.T) (all []measured) {
	t.Helper()
	f, err := os.Open("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		all = append(all, measured{question: row[0], wanted: strings.Fields(row[1])})
	}
	return all
}

// The passage that answers a question is found among the first three for at least 85 of 100 questions, and at least 90
// of 100 that nothing answers are refused. A session may ask twenty, so each begins with a fresh one.
func TestTheAssistantAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	s := opened(t)
	all := questions(t)
	answerable, found, unanswerable, refused := 0, 0, 0, 0
	for i := range all {
		m := &all[i]
		s.measure(m)
		switch {
		case len(m.wanted) > 0:
			if answerable++; m.isFound() && m.isKnown {
				found++
			} else {
				t.Logf("not found: %s: %v", m.question, m.found)
			}
		default:
			if unanswerable++; !m.isKnown {
				refused++
			} else {
				t.Logf("answered: %s: %v", m.question, m.found)
			}
		}
	}
	t.Logf("found in the first three: %d of %d; refused: %d of %d", found, answerable, refused, unanswerable)
	if answerable != 60 || found*100 < answerable*85 {
		t.Errorf("found in the first three: %d of %d", found, answerable)
	}
	if unanswerable != 20 || refused*100 < unanswerable*90 {
		t.Errorf("refused: %d of %d", refused, unanswerable)
	}
	slices.SortFunc(all, func(a, b measured) int { return int(a.first - b.first) })
	t.Logf("the first word came after %v in the middle, after %v at the latest", all[len(all)/2].first,
		all[len(all)-1].first)
}

// measure asks one question in a session of its own.
func (s *street) measure(m *measured) {
	s.t.Helper()
	c := shop.Client{API: s.api, HTTP: http.DefaultClient}
	var at struct {
		TenantID    string `json:"tenantId"`
		ChannelCode string `json:"channelCode"`
	}
	var session shop.Session
	ctx := s.t.Context()
	err := c.Get(ctx, "/session/resolve", map[string][]string{"domain": {"shop.nordlys.test"}}, &at)
	if c.Tenant, c.Channel = at.TenantID, at.ChannelCode; err == nil {
		err = c.Get(ctx, "/session", nil, &session)
	}
	c.Token = session.SessionToken
	if err != nil {
		s.t.Fatal(err)
	}
	began := time.Now()
	answer, err := c.Open(ctx, http.MethodPost, "/assistant/messages", map[string]string{"message": m.question})
	if err != nil {
		s.t.Fatalf("%s: %v", m.question, err)
	}
	defer answer.Body.Close()
	m.first = time.Since(began)
	var a shop.Answered
	if err := a.Read(answer.Body, nil); err != nil {
		s.t.Fatalf("%s: %v", m.question, err)
	}
	m.isKnown = a.IsKnown
	for _, one := range a.Sources[:min(3, len(a.Sources))] {
		m.found = append(m.found, one.Path)
	}
	for _, one := range a.Products[:min(3, len(a.Products))] {
		m.found = append(m.found, "/products/"+one.Slug)
	}
}
