package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// silent is a store that must not be asked.
type silent struct {
	*testing.T
	asked int
}

func (s *silent) control(context.Context, db.Request, bool, func(*db.Tx) error) error {
	s.asked++
	return errors.New("asked")
}

func (s *silent) Read(context.Context, db.Request, func(*db.Tx) error) error {
	s.asked++
	return errors.New("asked")
}

func (s *silent) Write(context.Context, db.Request, func(*db.Tx) error) error {
	s.asked++
	return errors.New("asked")
}

func (s *silent) Versions() *db.Versions       { return nil }
func (s *silent) Abreast(context.Context) bool { s.asked++; return false }
func (s *silent) Own(string, db.Tables)        {}

func (s *silent) CacheGet(string, string) (any, bool)                { return nil, false }
func (s *silent) CachePut(string, string, db.Dependencies, int, any) {}

func (s *silent) Now() db.Time { return 1 }

func (s *silent) OneWriter() bool { return true }

func (s *silent) Doubted() bool { return false }
func (s *silent) Doubt(string)  {}

func (s *silent) Watch(string) *db.Watch {
	s.asked++
	return nil
}

func (s *silent) Catch(context.Context, string) db.Caught {
	s.asked++
	return db.Caught{}
}

// Whoever is not known is counted before he costs anything: over his bucket every operation of the commerce API answers
// 429 before any statement runs, whatever he says of himself.
func TestStrangersAreCountedFirst(t *testing.T) {
	h, err := OpenServing(t.Context(), datadir.Dir{Data: t.TempDir()}, Serving{CommerceRate: .001},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	store := h.store
	t.Cleanup(func() { h.store = store; h.Close(context.Background()) })
	wellFormed := ""
	if err := h.Control(t.Context(), func(tx *db.Tx) error {
		c, err := identity.Register(tx, identity.Company{Code: "acme", Name: "Acme", Country: "SE", Currency: "SEK",
			Environment: identity.Test})
		if err == nil {
			_, wellFormed, err = identity.CreateStoreKey(tx, c, "web", "taken back")
		}
		return errors.Join(err, errors.New("taken back"))
	}); wellFormed == "" {
		t.Fatal(err)
	}
	s := &silent{T: t}
	h.gate, h.companies = identity.NewGate(s.control, h.store.Now), identity.NewKnownCompanies(s.control)
	surface := Commerce(h)
	surface.Store, h.store = s, nil
	served, err := rest.Mount(surface)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"peer:", "callback:"} {
		if err := h.countStranger(what, "2001:db8::1"); err != nil {
			t.Fatalf("the first request is refused: %v", err)
		}
	}
	for _, g := range Commerce(nil).Groups {
		for _, o := range g.Ops {
			for n, said := range []http.Header{
				{},
				{"X-Tenant-Id": {"00000000-0000-7000-8000-00000000dead"}, "X-Channel": {"WEB"}},
				{"X-Tenant-Id": {"00000000-0000-7000-8000-00000000dead"}, "X-Channel": {"WEB"},
					"Authorization": {"Bearer nonsense"}, "X-Visitor-Ip": {"192.0.2.7"}},
				{"X-Store-Key": {"svc_test_st_nonsense"}, "X-Visitor-Ip": {"192.0.2.8"}},
				{"X-Store-Key": {wellFormed}, "X-Visitor-Ip": {"192.0.2.9"}},
				{"X-Forwarded-For": {"192.0.2.10"}, "Forwarded": {"for=192.0.2.10"}, "X-Real-Ip": {"192.0.2.10"}},
			} {
				path := "/ecom" + strings.NewReplacer("{", "", "}", "").Replace(o.Path)
				r := httptest.NewRequestWithContext(t.Context(), o.Method, path, strings.NewReader("{}"))
				r.Header, r.RemoteAddr = said, "[2001:db8::2]:4711" // another address of the same subscriber
				w := httptest.NewRecorder()
				served.ServeHTTP(w, r)
				if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || s.asked > 0 {
					t.Errorf("%s as stranger %d: %d %s, and the data was asked %d times", o.ID, n, w.Code, w.Body,
						s.asked)
				}
				s.asked = 0
			}
		}
	}
}
