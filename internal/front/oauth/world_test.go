package oauth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
)

// world is an installation with two companies and Anna, who is an administrator of the first and looks at the second.
type world struct {
	testing.TB
	url         string // where it is reached; its base address
	kontor      *app.App
	entrance    *identity.Entrance
	acme, other identity.Company
	anna        identity.User
}

const password = "correct horse battery"

// eachWorld runs a test on each engine.
func eachWorld(t *testing.T, fn func(w *world)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, place datadir.Dir) { fn(newWorldAt(t, place)) })
}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	return newWorldAt(t, apptest.Place(t, engine))
}

func newWorldAt(t *testing.T, place datadir.Dir) *world {
	t.Helper()
	w := &world{TB: t}
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.kontor.ServeHTTP(rw, r) }))
	w.url = "http://" + server.Listener.Addr().String()
	w.kontor = apptest.Open(t, place, app.Serving{PublicURL: w.url + "/", KeepBytes: 1 << 20})
	server.Start()
	t.Cleanup(server.Close)
	w.acme, w.other = w.company("acme"), w.company("other")
	hash, err := w.kontor.Hasher.Hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	w.control(func(tx *db.Tx) (err error) {
		w.anna, err = identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna",
			PasswordHash: hash, CompanyID: w.acme.ID, Role: identity.Admin})
		if err == nil {
			_, err = identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", CompanyID: w.other.ID,
				Role: identity.Viewer})
		}
		return err
	})
	guard := throttle.New(w.kontor.Store().Control, w.kontor.Store().Now)
	w.entrance = identity.NewEntrance(w.kontor.Store().Control, guard, w.kontor.Hasher, nil)
	return w
}

func (w *world) company(code string) identity.Company {
	w.Helper()
	c, err := w.kontor.CreateCompany(w.Context(), identity.Company{Code: code, Name: strings.ToUpper(code),
		Country: "SE", Currency: "SEK", Environment: identity.Test})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

func (w *world) control(fn func(tx *db.Tx) error) {
	w.Helper()
	if err := w.kontor.Control(w.Context(), fn); err != nil {
		w.Fatal(err)
	}
}

// browser is a person's, signed in.
type browser struct {
	*world
	http *http.Client
	// refuse makes the person say no; quiet, that the program may only read.
	refuse, quiet bool
	company       string // id; "" = the one offered
	token         string
}

func (w *world) browser() *browser {
	w.Helper()
	a, err := w.entrance.SignIn(w.Context(), identity.Attempt{Address: "192.0.2.1"}, "anna@example.com", password)
	if err != nil {
		w.Fatal(err)
	}
	return &browser{world: w, token: a.Token,
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}}
}

// page is what a browser is shown.
type page struct {
	status int
	header http.Header
	body   string
}

// to is where the browser is sent, "" nowhere.
func (p page) to() string { return p.header.Get("Location") }

// answer are the parameters of the redirect.
func (p page) answer() url.Values {
	u, err := url.Parse(p.to())
	if err != nil {
		return nil
	}
	return u.Query()
}

func (b *browser) send(req *http.Request) page {
	b.Helper()
	if b.token != "" {
		req.AddCookie(&http.Cookie{Name: identity.SessionCookie(false), Value: b.token})
	}
	resp, err := b.http.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	return page{resp.StatusCode, resp.Header, string(body)}
}

func (b *browser) get(target string) page {
	b.Helper()
	return b.send(b.request(http.MethodGet, target, nil))
}

func (b *browser) post(target string, form url.Values, headers ...string) page {
	b.Helper()
	req := b.request(http.MethodPost, target, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	return b.send(req)
}

func (w *world) request(method, target string, body io.Reader) *http.Request {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, target, body)
	if err != nil {
		w.Fatal(err)
	}
	return req
}

var (
	inputs = regexp.MustCompile(`<input[^>]*>`)
	name   = regexp.MustCompile(`\bname="?([^"\s>]*)`)
	value  = regexp.MustCompile(`\bvalue="([^"]*)"`)
)

// form is the consent as it stands on the page.
func (b *browser) form(p page) url.Values {
	b.Helper()
	form := url.Values{}
	for _, in := range inputs.FindAllString(p.body, -1) {
		n, v := name.FindStringSubmatch(in), value.FindStringSubmatch(in)
		if strings.Contains(in, "hidden") && n != nil && v != nil {
			form.Set(html.UnescapeString(n[1]), html.UnescapeString(v[1]))
		}
	}
	if form.Get("ticket") == "" {
		b.Fatalf("no consent was asked for: %d %s %s", p.status, p.to(), p.body)
	}
	form.Set("company", b.acme.ID)
	if b.company != "" {
		form.Set("company", b.company)
	}
	form.Set("decision", "allow")
	if b.refuse {
		form.Set("decision", "deny")
	}
	if !b.quiet {
		form.Set("act", "on")
	}
	return form
}

// consent goes through the authorization as a person does, and answers where the browser is sent in the end.
func (b *browser) consent(target string) page {
	b.Helper()
	return b.post(b.url+"/oauth/authorize", b.form(b.get(target)))
}

// program is another system's client, made by hand.
type program struct {
	*world
	id, redirect, verifier string
}

// register makes a program with these addresses; the first is the one it uses.
func (w *world) register(redirects ...string) *program {
	w.Helper()
	body, err := json.Marshal(map[string]any{"client_name": "Robot", "redirect_uris": redirects})
	if err != nil {
		w.Fatal(err)
	}
	status, answer := w.json(http.MethodPost, "/oauth/register", "application/json", string(body))
	if status != http.StatusCreated {
		w.Fatalf("register: %d %v", status, answer)
	}
	return &program{world: w, id: answer["client_id"].(string), redirect: redirects[0],
		verifier: strings.Repeat("v", 43)}
}

// json sends a request to an endpoint for programs.
func (w *world) json(method, path, media, body string, headers ...string) (int, map[string]any) {
	w.Helper()
	req := w.request(method, w.url+path, strings.NewReader(body))
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.Fatal(err)
	}
	// Some libraries read every answer as JSON, whether it says anything or not.
	if media := resp.Header.Get("Content-Type"); strings.HasPrefix(path, "/oauth/") && media != "application/json" {
		w.Errorf("%s: the answer %q is of the type %q", path, b, media)
	}
	if err := json.Unmarshal(b, &out); err != nil {
		w.Fatalf("%s: %v: %s", path, err, b)
	}
	if challenge := resp.Header.Get("WWW-Authenticate"); challenge != "" {
		out["WWW-Authenticate"] = challenge
	}
	return resp.StatusCode, out
}

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorization is the address that the program sends a person to; changes are "name=value", or "name=" to leave one
// out.
func (p *program) authorization(changes ...string) string {
	q := url.Values{"response_type": {"code"}, "client_id": {p.id}, "redirect_uri": {p.redirect}, "state": {"s t&a"},
		"scope": {"preview:read preview:write"}, "code_challenge": {challengeOf(p.verifier)},
		"code_challenge_method": {"S256"}, "resource": {p.url + "/preview"}}
	change(q, changes)
	return p.url + "/oauth/authorize?" + q.Encode()
}

func change(q url.Values, changes []string) {
	for _, c := range changes {
		name, value, _ := strings.Cut(c, "=")
		if value == "" {
			q.Del(name)
		} else {
			q.Set(name, value)
		}
	}
}

// code lets a person approve, and answers the code.
func (p *program) code(b *browser, changes ...string) string {
	p.Helper()
	code := b.consent(p.authorization(changes...)).answer().Get("code")
	if code == "" {
		p.Fatal("no code was given")
	}
	return code
}

// ask calls the token endpoint.
func (p *program) ask(form url.Values, changes ...string) (int, map[string]any) {
	p.Helper()
	form.Set("client_id", p.id)
	change(form, changes)
	return p.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", form.Encode())
}

func (p *program) exchange(code string, changes ...string) (int, map[string]any) {
	p.Helper()
	return p.ask(url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {p.redirect},
		"code_verifier": {p.verifier}, "resource": {p.url + "/preview"}}, changes...)
}

func (p *program) refresh(token string, changes ...string) (int, map[string]any) {
	p.Helper()
	return p.ask(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}, changes...)
}

// connect goes all the way and answers the tokens.
func (p *program) connect(b *browser, changes ...string) (access, refresh string) {
	p.Helper()
	status, answer := p.exchange(p.code(b, changes...))
	if status != http.StatusOK {
		p.Fatalf("exchange: %d %v", status, answer)
	}
	return answer["access_token"].(string), answer["refresh_token"].(string)
}

// call is a request to the integration API.
func (w *world) call(token, method, path, body string) (int, map[string]any) {
	w.Helper()
	headers := []string{"Authorization: Bearer " + token}
	if method == http.MethodPost {
		headers = append(headers, "Idempotency-Key: "+token[len(token)-8:]+path)
	}
	media := ""
	if body != "" {
		media = "application/json"
	}
	return w.json(method, path, media, body, headers...)
}

// works fails the test unless the token lets its program read.
func (w *world) works(token string, want bool, when string) {
	w.Helper()
	status, answer := w.call(token, http.MethodGet, "/preview/items", "")
	if (status == http.StatusOK) != want {
		w.Errorf("%s: %d %v", when, status, answer)
	}
	if !want && status != http.StatusUnauthorized {
		w.Errorf("%s: want 401, got %d %v", when, status, answer)
	}
}
