package app

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/rest"
)

// told is a server whose log is read, with everything that lets somebody in, and what became of the requests it was
// sent.
type told struct {
	*testing.T
	handler http.Handler
	kontor  *App
	log     *dbtest.Log
	company string
	secrets map[string]string // that are real, by what they are
	sent    int
	answers map[int]int // by the hundreds of their status
}

// mark is in every secret that is made up.
const mark = "qzsecret"

// secret is another one each time.
func (s *told) secret() string { s.sent++; return fmt.Sprintf("%s%d", mark, s.sent) }

func tell(t *testing.T, engine string) *told {
	s := &told{T: t, log: &dbtest.Log{}, secrets: map[string]string{}, answers: map[int]int{}}
	place := datadir.Dir{Data: t.TempDir()}
	if engine == "postgres" {
		place.DatabaseURL = dbtest.DatabaseURL(t)
	}
	all := &slog.HandlerOptions{Level: slog.LevelDebug}
	log := slog.New(slog.NewMultiHandler(slog.NewTextHandler(s.log, all), slog.NewJSONHandler(s.log, all)))
	var err error
	if s.kontor, err = OpenServing(t.Context(), place, Serving{PublicURL: "https://kontor.example.com",
		KeepBytes: 1 << 20}, log); err != nil {
		t.Fatal(err)
	}
	company, err := s.kontor.CreateCompany(t.Context(), acme())
	if err != nil {
		t.Fatal(err)
	}
	srv, err := Listen(s.kontor, Serving{Listen: "127.0.0.1:0", AccessLog: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.main.Close() })
	s.handler, s.company = srv.handler(), company.ID
	s.secrets["password"] = "correct horse " + mark
	hash, err := s.kontor.Hasher.Hash(t.Context(), s.secrets["password"])
	if err != nil {
		t.Fatal(err)
	}
	err = s.kontor.Control(t.Context(), func(tx *db.Tx) (err error) {
		if _, s.secrets["API key"], err = identity.CreateKey(tx, company,
			identity.NewKey{Name: "k", Scopes: []string{"*"}}, Scopes()); err != nil {
			return err
		}
		if _, s.secrets["store key"], err = identity.CreateStoreKey(tx, company, "web", "server"); err != nil {
			return err
		}
		_, err = identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna", PasswordHash: hash,
			CompanyID: company.ID, Role: identity.Admin})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var session struct{ SessionToken string }
	if err := json.Unmarshal(s.send("GET", "/ecom/session", "", s.store()).Body.Bytes(), &session); err != nil {
		t.Fatal(err)
	}
	s.secrets["session token"] = session.SessionToken
	in := s.form("/sign-in", url.Values{"email": {"anna@example.com"}, "password": {s.secrets["password"]}}, nil)
	for _, c := range in.Result().Cookies() {
		s.secrets["cookie "+c.Name] = c.Value
	}
	for what, secret := range s.secrets {
		if len(secret) < 20 {
			t.Errorf("there is no %s to look for: %q", what, secret)
		}
	}
	return s
}

// store are the headers of the merchant's server.
func (s *told) store() map[string]string {
	return map[string]string{"X-Tenant-Id": s.company, "X-Channel": "WEB", "X-Store-Key": s.secrets["store key"],
		"X-Visitor-IP": "192.0.2.1"}
}

func (s *told) send(method, path, body string, headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.Context(), method, path, strings.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	for name, value := range s.secrets {
		if cookie, ok := strings.CutPrefix(name, "cookie "); ok && headers["Cookie"] == "" {
			r.AddCookie(&http.Cookie{Name: cookie, Value: value})
		}
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	s.answers[w.Code/100]++
	return w
}

func (s *told) form(path string, values url.Values, headers map[string]string) *httptest.ResponseRecorder {
	all := map[string]string{"Content-Type": "application/x-www-form-urlencoded",
		"Origin": "https://kontor.example.com", "Sec-Fetch-Site": "same-origin"}
	for name, value := range headers {
		all[name] = value
	}
	return s.send("POST", "https://kontor.example.com"+path, values.Encode(), all)
}

var (
	parameters = regexp.MustCompile(`\{[^}]*\}`)
	textValue  = regexp.MustCompile(`: "[^"]*"`)
	secretly   = regexp.MustCompile(`(?i)"(\w*password|\w*token|\w*secret|code|returnCode|key)": "[^"]*"`)
)

// at is a path with a secret for each parameter, and in its query.
func (s *told) at(path string) string {
	path = parameters.ReplaceAllStringFunc(path, func(string) string { return s.secret() })
	q := url.Values{}
	for _, name := range []string{"code", "key", "token", "access_token", "api_key", "q", "search", "state",
		"client_secret", "path", "domain", "number"} {
		q.Set(name, s.secret())
	}
	return path + "?" + q.Encode()
}

// operations sends every operation of an API secrets in its path, query, headers and body, from nobody and from
// somebody who may.
func (s *told) operations(surface rest.Surface, may map[string]string) {
	for _, g := range surface.Groups {
		for _, o := range g.Ops {
			for _, body := range []string{textValue.ReplaceAllStringFunc(o.Traits.Example,
				func(string) string { return `: "` + s.secret() + `"` }),
				secretly.ReplaceAllStringFunc(o.Traits.Example,
					func(m string) string { return m[:strings.Index(m, ":")] + `: "` + s.secret() + `"` })} {
				h := map[string]string{"Content-Type": "application/json", "Idempotency-Key": fmt.Sprint("k", s.sent)}
				if o.Kind == rest.KindPatch {
					h["Content-Type"] = "application/merge-patch+json"
				}
				for name, value := range may {
					h[name] = value
				}
				s.send(o.Method, s.at(surface.Prefix+o.Path), body, h)
				s.send(o.Method, surface.Prefix+parameters.ReplaceAllStringFunc(o.Path,
					func(string) string { return s.secret() }), body, h)
				for _, name := range []string{"X-Api-Key", "X-Store-Key", "Authorization", "Cookie", "X-Channel",
					"X-Tenant-Id", "If-Match"} {
					h[name] = s.secret()
				}
				h["Authorization"] = "Bearer " + h["Authorization"]
				s.send(o.Method, s.at(surface.Prefix+o.Path), body, h)
			}
		}
	}
}

// everything sends secrets wherever any can be sent.
func (s *told) everything(office []string) {
	s.operations(Preview(nil), map[string]string{"X-Api-Key": s.secrets["API key"]})
	shop := s.store()
	shop["Authorization"] = "Bearer " + s.secrets["session token"]
	s.operations(Commerce(nil), shop)
	fields := func() url.Values {
		v := url.Values{}
		for _, name := range []string{"email", "password", "code", "newPassword", "currentPassword", "token", "secret",
			"name", "client_id", "client_secret", "refresh_token", "code_verifier", "redirect_uri", "state", "request",
			"number", "value"} {
			v.Set(name, s.secret())
		}
		v.Set("grant_type", "authorization_code")
		return v
	}
	for _, pattern := range append(office, "GET /oauth/authorize", "POST /oauth/authorize", "POST /oauth/token",
		"POST /oauth/register", "POST /oauth/revoke", "GET /oauth/{x}",
		"GET /.well-known/oauth-authorization-server/{x}", "GET /media/{x}", "GET /problems/{x}", "GET /docs/{x}",
		"GET /{unknown}", "GET /preview/{unknown}", "GET /ecom/{unknown}", "GET /invitaton/{mistyped}",
		"GET /assets/{x}", "BREW /preview/{x}") {
		method, path, _ := strings.Cut(pattern, " ")
		for _, cookie := range []string{"", s.secret()} {
			h := map[string]string{"Accept": "text/html", "Cookie": cookie}
			if method == http.MethodPost {
				s.form(s.at(path), fields(), h)
			} else {
				s.send(method, "https://kontor.example.com"+s.at(path), "", h)
			}
		}
	}
	s.form("/sign-in", url.Values{"email": {"anna@example.com"}, "password": {s.secrets["password"]}}, nil)
	s.form("/sign-in", url.Values{"email": {s.secret()}, "password": {s.secret()}}, nil)
}

// Whatever secret is sent, wherever it is sent: the log has none of it, in neither format, whether the request
// succeeds, is refused, or fails on our side.
func TestSecretsNeverStandInTheLog(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := tell(t, engine)
			site, err := s.kontor.office()
			if err != nil {
				t.Fatal(err)
			}
			office := site.Patterns()
			s.everything(office)
			if s.answers[2] < 50 || s.answers[4] < 500 {
				t.Errorf("too little succeeds or is refused: %v", s.answers)
			}
			s.kontor.store.Close() // for good: the house itself cannot be closed any more
			failed := s.answers[5]
			s.everything(office)
			if s.answers[5] < failed+100 {
				t.Errorf("too little fails on our side: %v", s.answers)
			}
			found := 0
			for line := range strings.Lines(s.log.String()) {
				leaks := strings.Contains(strings.ToLower(line), mark)
				for _, secret := range s.secrets {
					leaks = leaks || strings.Contains(line, secret)
				}
				if leaks && found < 20 {
					found++
					t.Errorf("the log says %.600s", line)
				}
			}
			t.Logf("%d secrets were sent, %v answered by hundreds, %d lines of log, %d pages of the office", s.sent,
				s.answers, strings.Count(s.log.String(), "\n"), len(office))
		})
	}
}

// Whatever answers, the log names the request as the answer does.
func TestEveryAnswerIsNamedInTheLog(t *testing.T) {
	s := tell(t, "sqlite")
	for _, path := range []string{"/media/none/none.png", "/problems/none", "/docs", "/sign-in", "/preview/items"} {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		id := w.Header().Get("X-Request-Id")
		if id == "" || !strings.Contains(s.log.String(), "requestId="+id) {
			t.Errorf("%s: %d %q", path, w.Code, id)
		}
		if w.Header().Get("Content-Type") == "application/problem+json" && !strings.Contains(w.Body.String(), id) {
			t.Errorf("%s tells of another request than %s: %s", path, id, w.Body)
		}
	}
}
