package backoffice_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// office is a served house with one company.
type office struct {
	t       *testing.T
	kontor  *app.App
	server  *httptest.Server
	company identity.Company
}

const password = "a long enough password"

// opened is an office on an engine.
func opened(t *testing.T, engine string) *office { return openedWith(t, engine, app.Serving{}) }

// openedWith is an office that is served in a certain way, at an address that it knows.
func openedWith(t *testing.T, engine string, s app.Serving) *office {
	t.Helper()
	o := served(t, engine, s)
	o.company = o.newCompany("acme", "Acme AB")
	return o
}

// served is an office without a company.
func served(t *testing.T, engine string, s app.Serving) *office {
	t.Helper()
	o := &office{t: t}
	o.server = httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { o.kontor.ServeHTTP(w, r) }))
	s.PublicURL = "http://" + o.server.Listener.Addr().String()
	o.kontor = apptest.Open(t, apptest.Place(t, engine), s)
	o.server.Start()
	t.Cleanup(o.server.Close)
	return o
}

func (o *office) newCompany(code, name string) identity.Company {
	o.t.Helper()
	c, err := o.kontor.CreateCompany(o.t.Context(), identity.Company{Code: code, Name: name, Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err != nil {
		o.t.Fatal(err)
	}
	return c
}

// user is somebody with a role in a company.
func (o *office) user(email string, role identity.Role, c identity.Company) {
	o.t.Helper()
	hash, err := o.kontor.Hasher.Hash(o.t.Context(), password)
	if err != nil {
		o.t.Fatal(err)
	}
	err = o.kontor.Control(o.t.Context(), func(tx *db.Tx) error {
		_, err := identity.CreateUser(tx, identity.NewUser{Email: email, Name: strings.Split(email, "@")[0],
			PasswordHash: hash, CompanyID: c.ID, Role: role})
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// browser is somebody's, with its cookies; it follows redirects, and shows one page at a time.
type browser struct {
	t        *testing.T
	base     string
	client   *http.Client
	language string

	status int
	at     string // path and query of the page
	header http.Header
	text   string
	doc    *html.Node
}

func (o *office) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		o.t.Fatal(err)
	}
	return &browser{t: o.t, base: o.server.URL, client: &http.Client{Jar: jar}, language: "en"}
}

// signedIn is the browser of a new user with a role.
func (o *office) signedIn(email string, role identity.Role) *browser {
	o.t.Helper()
	o.user(email, role, o.company)
	b := o.browser()
	b.signIn(email)
	return b
}

func (b *browser) signIn(email string) {
	b.t.Helper()
	b.get("/sign-in")
	b.submit("/sign-in", "email", email, "password", password)
	if b.at != "/" {
		b.t.Fatalf("not signed in: %d %s\n%s", b.status, b.at, b.words())
	}
}

func (b *browser) do(r *http.Request, headers ...string) {
	b.t.Helper()
	r.Header.Set("Accept-Language", b.language)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.status, b.header, b.text, b.at = resp.StatusCode, resp.Header, string(body), resp.Request.URL.RequestURI()
	if b.doc, err = html.Parse(strings.NewReader(b.text)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) get(path string, headers ...string) {
	b.t.Helper()
	r, err := http.NewRequest("GET", b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(r, headers...)
}

func (b *browser) post(path string, values url.Values, headers ...string) {
	b.t.Helper()
	r, err := http.NewRequest("POST", b.base+path, strings.NewReader(values.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	b.do(r, headers...)
}

// send fills in the form that posts to a path and sends it with a file.
func (b *browser) send(action, field, name string, content []byte, pairs ...string) {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for key, values := range b.filled(action, pairs...) {
		for _, v := range values {
			if key != field {
				form.WriteField(key, v)
			}
		}
	}
	part, err := form.CreateFormFile(field, name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err := errors.Join(err, form.Close()); err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequest("POST", b.base+attr(b.form(action), "action"), &body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	b.do(r)
}

// submit fills in the form that posts to a path and sends it.
func (b *browser) submit(action string, pairs ...string) {
	b.t.Helper()
	values := b.filled(action, pairs...)
	b.post(attr(b.form(action), "action"), values)
}

// form is the form that posts to a path, whatever its address asks besides.
func (b *browser) form(action string) *html.Node {
	b.t.Helper()
	form := b.find(func(n *html.Node) bool {
		to, _, _ := strings.Cut(attr(n, "action"), "?")
		return n.Data == "form" && attr(n, "method") == "post" && to == action
	})
	if form == nil {
		b.t.Fatalf("no form posts to %s at %s (%d):\n%s", action, b.at, b.status, b.words())
	}
	return form
}

// filled are the values of a form as the page shows it, with others in some fields.
func (b *browser) filled(action string, pairs ...string) url.Values {
	b.t.Helper()
	values := filledIn(b.form(action))
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

// filledIn are the values of a form as a browser would send them.
func filledIn(form *html.Node) url.Values {
	values := url.Values{}
	walk(form, func(n *html.Node) {
		name := attr(n, "name")
		if name == "" || has(n, "disabled") {
			return
		}
		switch kind := attr(n, "type"); {
		case n.Data == "input" && (kind == "checkbox" || kind == "radio"):
			if has(n, "checked") {
				value := attr(n, "value")
				if value == "" {
					value = "on"
				}
				values.Add(name, value)
			}
		case n.Data == "input":
			values.Add(name, attr(n, "value"))
		case n.Data == "textarea":
			values.Add(name, inner(n))
		case n.Data == "select":
			walk(n, func(o *html.Node) {
				if o.Data == "option" && has(o, "selected") {
					values.Set(name, attr(o, "value"))
				}
			})
		}
	})
	return values
}

func (b *browser) find(is func(*html.Node) bool) (found *html.Node) {
	walk(b.doc, func(n *html.Node) {
		if found == nil && n.Type == html.ElementNode && is(n) {
			found = n
		}
	})
	return found
}

func walk(n *html.Node, fn func(*html.Node)) {
	fn(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, fn)
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func inner(n *html.Node) string {
	var b strings.Builder
	walk(n, func(c *html.Node) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	})
	return b.String()
}

// words is the text of the page's main part.
func (b *browser) words() string {
	main := b.find(func(n *html.Node) bool { return n.Data == "main" })
	if main == nil {
		return b.text
	}
	return strings.Join(strings.Fields(inner(main)), " ")
}

// see fails unless the page shows each of these.
func (b *browser) see(texts ...string) {
	b.t.Helper()
	words := b.words()
	for _, text := range texts {
		if !strings.Contains(words, text) {
			b.t.Errorf("%s (%d) does not show %q:\n%s", b.at, b.status, text, words)
		}
	}
}

// miss fails if the page shows any of these.
func (b *browser) miss(texts ...string) {
	b.t.Helper()
	words := b.words()
	for _, text := range texts {
		if strings.Contains(words, text) {
			b.t.Errorf("%s shows %q:\n%s", b.at, text, words)
		}
	}
}

// value is what stands in a field.
func (b *browser) value(name string) string {
	b.t.Helper()
	n := b.find(func(n *html.Node) bool { return attr(n, "name") == name && n.Data != "meta" })
	switch {
	case n == nil:
		b.t.Fatalf("%s has no field %s", b.at, name)
	case n.Data == "textarea":
		return inner(n)
	}
	return attr(n, "value")
}

// on runs a story on both engines.
func on(t *testing.T, story func(t *testing.T, o *office)) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { story(t, opened(t, engine)) })
	}
}

// join gives somebody who is known a role in another company.
func (o *office) join(email string, role identity.Role, c identity.Company) error {
	return o.kontor.Control(o.t.Context(), func(tx *db.Tx) error {
		_, err := identity.CreateUser(tx, identity.NewUser{Email: email, CompanyID: c.ID, Role: role})
		return err
	})
}

// byName finds a field.
func byName(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, "name") == name }
}

// ends is where a path leads.
func (b *browser) ends(path string) string {
	b.t.Helper()
	b.get(path)
	return b.at
}

// byClass finds what is drawn in a certain way.
func byClass(class string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attr(n, "class")), class) }
}
