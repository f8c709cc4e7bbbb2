package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// collected are the spans that a collector was told of, by their names, and everything that it was told.
type collected struct {
	mu    sync.Mutex
	text  strings.Builder
	spans map[string]collectedSpan
}

type collectedSpan struct {
	TraceID      string `json:"traceId"`
	SpanID       string `json:"spanId"`
	ParentSpanID string `json:"parentSpanId"`
	Name         string `json:"name"`
	Start        string `json:"startTimeUnixNano"`
	End          string `json:"endTimeUnixNano"`
}

func (c *collected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	var told struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []collectedSpan `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
	}
	if err != nil || json.Unmarshal(body, &told) != nil || r.URL.Path != "/v1/traces" ||
		r.Header.Get("Authorization") != "Bearer collector" {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	c.text.Write(body)
	for _, r := range told.ResourceSpans { // none where it is asked whether it is there
		for _, s := range r.ScopeSpans[0].Spans {
			c.spans[s.Name] = s
		}
	}
}

// A collector that says nothing holds up no request, and no stop for long.
func TestASilentCollectorHoldsNobodyUp(t *testing.T) {
	silent := make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }))
	defer collector.Close()
	defer close(silent)
	s := newSite(t, "sqlite")
	key := s.makeCompany("acme")
	s.env = append(s.env, "KONTOR_OTLP_ENDPOINT="+collector.URL)
	p := s.serve()
	newClient(t, p.url, key).must(200, "GET", "/preview/items", "")
	began := time.Now()
	if err := p.stop(); err != nil {
		t.Fatal(err, p.log.String())
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it stopped after %s", took)
	}
}

// A collector is told of the operation and of its statements, in the caller's trace, and of nothing that anybody wrote.
func TestTraces(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			c := &collected{spans: map[string]collectedSpan{}}
			collector := httptest.NewServer(c)
			defer collector.Close()
			s := newSite(t, engine)
			key := s.makeCompany("acme")
			s.env = append(s.env, "KONTOR_OTLP_ENDPOINT="+collector.URL,
				"KONTOR_OTLP_HEADER=Authorization=Bearer collector")
			p := s.serve()
			const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
			l := newClient(t, p.url, key)
			l.must(201, "POST", "/preview/items",
				`{"itemNumber": "SECRET-1", "name": "Nobody reads this", "salesPrice": 10}`, "traceparent: 00-"+trace+
					"-00f067aa0ba902b7-01")
			odd, err := http.NewRequest("SECRET-METHOD", p.url+"/preview/items", nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(odd)
			if err != nil || answer.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("a method of no kind: %v, %v", answer, err)
			}
			if err := p.stop(); err != nil {
				t.Fatal(err, p.log.String())
			}
			operation, statement := c.spans["createItem"], c.spans["db.Insert item"]
			if operation.TraceID != trace || operation.ParentSpanID != "00f067aa0ba902b7" ||
				operation.End < operation.Start {
				t.Errorf("the operation is told as %+v", operation)
			}
			if statement.TraceID != trace || statement.ParentSpanID != operation.SpanID {
				names := []string{}
				for name := range c.spans {
					names = append(names, name)
				}
				slices.Sort(names)
				t.Errorf("the statement is told as %+v among %v", statement, names)
			}
			for _, secret := range []string{"SECRET-1", "SECRET-METHOD", "Nobody reads", key} {
				if strings.Contains(c.text.String(), secret) {
					t.Errorf("the collector is told %q", secret)
				}
			}
		})
	}
}
