package shop_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// guest is a visitor without JavaScript.
type guest struct {
	t      *testing.T
	client *http.Client
	shop   string
	at     string
	text   string
	status int
}

func (g *guest) answer(r *http.Response, err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	g.status, g.at, g.text = r.StatusCode, r.Request.URL.RequestURI(), string(b)
}

func (g *guest) get(path string) { g.t.Helper(); g.answer(g.client.Get(g.shop + path)) }

func (g *guest) post(path string, pairs ...string) {
	g.t.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	g.answer(g.client.PostForm(g.shop+path, values))
}

// postFile sends a form that brings a file.
func (g *guest) postFile(path, name, content string, pairs ...string) {
	g.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i+1 < len(pairs); i += 2 {
		_ = form.WriteField(pairs[i], pairs[i+1])
	}
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		g.t.Fatal(err)
	}
	g.answer(g.client.Post(g.shop+path, form.FormDataContentType(), &b))
}

func (g *guest) see(texts ...string) {
	g.t.Helper()
	for _, text := range texts {
		if !strings.Contains(g.text, text) {
			g.t.Errorf("%s (%d) does not show %q:\n%s", g.at, g.status, text, g.text)
		}
	}
}

// hidden is the value of a hidden field.
func (g *guest) hidden(name string) string {
	g.t.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(g.text)
	if m == nil {
		g.t.Fatalf("%s has no field %s", g.at, name)
	}
	return m[1]
}

// Whatever is asked for or typed, the shop answers in its own words, in the visitor's language, and keeps what was
// typed.
func TestWhatGoesWrongIsSaidPlainly(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	s := opened(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{t: t, client: &http.Client{Jar: jar}, shop: s.shop}
	for path, want := range map[string]int{"/categories/tents?page=abc": 200,
		"/categories/tents?page=0&sort=foo&priceFrom=1.2.3": 200, "/categories/tents?f.colour=%00": 200,
		"/search?q=%00tent": 200, "/categories/%00": 404, "/products/%ff": 404, "/static/": 404,
		"/checkout/orders/1": 404, "/account/returns/x/slip": 200} {
		if g.get(path); g.status != want {
			t.Errorf("%s answers %d", path, g.status)
		}
	}
	for _, path := range []string{"/newsletter", "/account/tickets/new"} { // who is not signed in brings no file
		file := strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n" +
			strings.Repeat("x", 8<<20))
		r := httptest.NewRequest(http.MethodPost, path, file)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		s.front.ServeHTTP(httptest.NewRecorder(), r)
		if read := 8<<20 - file.Len(); read > 256<<10 {
			t.Errorf("%s reads %d bytes of a stranger", path, read)
		}
	}
	for path, to := range map[string]string{"/checkout/place": "/cart", "/cart/items": "/cart",
		"/sign-in/send": "/sign-in", "/categories/tents?page=40": "/categories/tents?page=1"} {
		if g.get(path); g.at != to {
			t.Errorf("%s leads to %s", path, g.at)
		}
	}
	g.post("/preferences", "language", "nb")
	g.get("/sign-in")
	g.see("<title>Logg inn")
	g.post("/sign-in", "email", "kari@fjellsport.example", "password", "wrong")
	g.see("E-postadressen eller passordet er feil.")
	g.get("/products/storm-shell-jacket?Colour=Blue&Size=M")
	item := g.hidden("item")
	g.post("/cart/items", "item", item, "slug", g.hidden("slug"), "quantity", "1.5")
	g.see("Det selges bare i hele antall.", `value="1.5"`, `aria-current="true">Blå`)
	if g.hidden("item") != item {
		t.Error("the refusal forgot the chosen variant")
	}
	g.post("/cart/items", "item", item, "quantity", "2")
	line := regexp.MustCompile(`/cart/items/[^"]+`).FindString(g.text)
	g.post(line, "quantity", "")
	g.see("Skriv et tall over 0, for eksempel 2.")
	g.get("/cart")
	g.see(`value="2"`)
	g.post("/cart/codes", "code", "NOSUCH")
	g.see("Koden finnes ikke. Se etter hvordan den skrives.")
	g.post("/checkout/address", "email", "ola@mail.example", "firstName", "Ola", "billing.countryCode", "NO")
	g.see("Fyll ut dette feltet.", `value="ola@mail.example"`)
	g.post("/checkout/place")
	g.see("Godta salgsvilkårene, takk.")
}
