package app

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// ask sends a request past the listener.
func ask(h http.Handler, method, path, body string, headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Whatever page or program refuses for the moment, the answer says when to come again: as the refusal knows, else soon.
func TestWhoIsRefusedForNowIsToldWhenToComeAgain(t *testing.T) {
	for _, c := range []struct {
		status      int
		said, wants string
	}{{503, "", "1"}, {429, "", "1"}, {503, "30", "30"}, {200, "", ""}, {500, "", ""}} {
		w := httptest.NewRecorder()
		if c.said != "" {
			w.Header().Set("Retry-After", c.said)
		}
		(&answer{ResponseWriter: w}).WriteHeader(c.status)
		if got := w.Header().Get("Retry-After"); got != c.wants {
			t.Errorf("%d after %q: %q, want %q", c.status, c.said, got, c.wants)
		}
	}
}

// Whoever watches this server finds what happened in /metrics: by surface and operation, what was refused, kept, lent,
// counted; and the names keep to the conventions.
func TestFigures(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			place := datadir.Dir{Data: t.TempDir()}
			if engine == "postgres" {
				place.DatabaseURL = dbtest.DatabaseURL(t)
			}
			h, err := OpenServing(t.Context(), place, Serving{IntegrationRate: 5, CommerceRate: 5, KeepBytes: 1 << 20},
				slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close(context.Background())
			company, err := h.CreateCompany(t.Context(), acme())
			if err != nil {
				t.Fatal(err)
			}
			var key string
			err = h.Control(t.Context(), func(tx *db.Tx) (err error) {
				_, key, err = identity.CreateKey(tx, company, identity.NewKey{Name: "k", Scopes: []string{"*"}},
					Scopes())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			srv, err := Listen(h, Serving{Listen: "127.0.0.1:0"})
			if err != nil {
				t.Fatal(err)
			}
			defer srv.main.Close()
			handler := srv.handler()
			with := map[string]string{"X-Api-Key": key, "Content-Type": "application/json", "Idempotency-Key": "1"}
			if w := ask(handler, "POST", "/preview/customers",
				`{"customerNumber": "C-1", "name": "Anna", "countryCode": "SE"}`, with); w.Code != http.StatusCreated {
				t.Fatal(w.Body)
			}
			for range 3 { // the first shows what the answer is made of, the second is kept
				ask(handler, "GET", "/preview/customers", "", with)
			}
			for range 30 {
				ask(handler, "GET", "/preview/customers/C-1", "", with)
			}
			ask(handler, "GET", "/preview/customers/C-1", "", nil)
			ask(handler, "GET", "/ecom/session", "", nil)
			ask(handler, "GET", "/", "", map[string]string{"Accept": "text/html"})
			ask(handler, "GET", "/.well-known/oauth-authorization-server", "", nil)
			if _, err := h.entrance.SignIn(t.Context(), identity.Attempt{Address: "192.0.2.1"}, "nobody@example.com",
				"wrong"); err == nil {
				t.Fatal("a stranger was let in")
			}
			// Whoever scrapes reads the jobs while the connections are counted, and may count his own; not every time.
			idle := `kontor_database_connections_in_use{use="read"} 0`
			var scraped []byte
			for start := time.Now(); !bytes.Contains(scraped, []byte(idle)) && time.Since(start) < 10*time.Second; {
				scraped = ask(srv.metricsHandler(), "GET", "/metrics", "", nil).Body.Bytes()
			}
			said := string(scraped)
			want := []string{
				`kontor_http_requests_total{method="POST",operation="createCustomer",status="2xx",surface="preview"} 1`,
				`kontor_http_requests_total{method="GET",operation="getCustomer",status="4xx",surface="preview"}`,
				`surface="ecom"`, `surface="office"`, `surface="oauth"`,
				`kontor_http_request_duration_seconds_bucket{operation="getCustomer",surface="preview",le="10"} 31`,
				`kontor_http_rate_limited_total{surface="preview"}`,
				`kontor_http_credentials_refused_total{surface="preview"} 1`,
				`kontor_build_info{commit=`,
				`kontor_database_connections{use="write"}`, idle,
				`kontor_database_connections_waited_for{use="read"} 0`,
				`kontor_records_total{change="created",resource="customers"} 1`,
				`kontor_search_index_lag_seconds 0`, `kontor_office_sign_in_failures_total 1`,
				`kontor_jobs{status="waiting"}`,
			}
			if engine == "sqlite" {
				want = append(want, `kontor_database_wal_bytes `, `kontor_database_open_files 2`,
					`kontor_kept_answers_total{result="hit",surface="preview"}`,
					`kontor_kept_answers_total{result="miss",surface="preview"} 2`)
			}
			for _, series := range want {
				if !strings.Contains(said, series) {
					t.Errorf("missing: %s", series)
				}
			}
			if t.Failed() {
				t.Log(said)
			}
			problems, err := promlint.New(bytes.NewReader(scraped)).Lint()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				t.Errorf("%s: %s", p.Metric, p.Text)
			}
		})
	}
}

// A server that is told to stop says at once that it is not ready, goes on answering for as long as it was given, and
// lets nobody wait for changes that do not come.
func TestLeaving(t *testing.T) {
	h, err := OpenServing(t.Context(), datadir.Dir{Data: t.TempDir()}, Serving{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.Background())
	company, err := h.CreateCompany(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	var key string
	err = h.Control(t.Context(), func(tx *db.Tx) (err error) {
		_, key, err = identity.CreateKey(tx, company, identity.NewKey{Name: "k", Scopes: []string{"*"}}, Scopes())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const delay = 2 * time.Second
	srv, err := Listen(h, Serving{Listen: "127.0.0.1:0", ShutdownDelay: delay})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	get := func(path string) (int, string) {
		r, _ := http.NewRequest("GET", srv.URL()+path, nil)
		r.Header.Set("X-Api-Key", key)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer a.Body.Close()
		body, _ := io.ReadAll(a.Body)
		return a.StatusCode, string(body)
	}
	_, feed := get("/preview/changes?limit=1000")
	after := feed[strings.LastIndex(feed, `"nextCursor":"`)+len(`"nextCursor":"`):]
	after = after[:strings.IndexByte(after, '"')]
	polled := make(chan int, 1)
	go func() {
		status, _ := get("/preview/changes?wait=30&after=" + after)
		polled <- status
	}()
	if status, body := get("/readyz"); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	time.Sleep(100 * time.Millisecond)
	stop()
	start := time.Now()
	for {
		if status, _ := get("/readyz"); status == http.StatusServiceUnavailable {
			break
		}
		if time.Since(start) > delay {
			t.Fatal("still ready")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if status, body := get("/preview/customers"); status != http.StatusOK {
		t.Errorf("not ready, but serving: %d %s", status, body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < delay || took > delay+15*time.Second {
		t.Errorf("stopped after %s", took)
	}
	if status := <-polled; status != http.StatusOK {
		t.Errorf("who waited for changes was answered %d", status)
	}
}
