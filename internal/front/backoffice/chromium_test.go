package backoffice_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/identity"
	"kontor/internal/front/looktest"
)

// window is a real browser's.
type window struct {
	*office
	ctx context.Context
}

func TestMain(m *testing.M) { looktest.Main(m) }

// shown is a browser in which nobody is signed in.
func (o *office) shown() *window {
	o.t.Helper()
	return &window{o, looktest.Window(o.t, o.server.URL+"/sign-in")}
}

func (w *window) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	within, enough := context.WithTimeout(w.ctx, 30*time.Second)
	defer enough()
	if err := looktest.Do(within, steps...); err != nil {
		w.t.Fatalf("%s, at %s: %v\n%s", what, w.ask("location.href"), err, w.ask("document.body.innerText"))
	}
}

// ask is what a script in the page answers.
func (w *window) ask(script string) string {
	w.t.Helper()
	got, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
	return got
}

func (w *window) see(texts ...string) {
	w.t.Helper()
	w.do("a page", said("main")) // there is none yet where one was just left
	got := w.ask("document.querySelector('main').innerText")
	for _, text := range texts {
		if !strings.Contains(got, text) {
			w.t.Errorf("%s does not show %q:\n%s", w.ask("location.href"), text, got)
		}
	}
}

func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(selector))
}

// said waits until the page says that something was done.
func said(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.WaitVisible(chromedp.CSS(selector))
}

func typed(name, text string) chromedp.Action[chromedp.Void] {
	return chromedp.SendKeys(chromedp.CSS("#f-"+name), text)
}

// to goes to a page, as who has told the browser that they leave what they have typed.
func (w *window) to(path string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = chromedp.Evaluate[bool]("typeof unsent !== 'undefined' && (unsent = false)")(ctx, t)
		if err != nil {
			return none, err
		}
		return chromedp.Navigate(w.server.URL+path)(ctx, t)
	}
}

// The main way in a real browser: sign in, find the orders with the keyboard, place one whose form grows a row, release
// it.
func TestTheMainWayInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	goods(o.signedIn("anna@acme.test", identity.Admin))
	w.do("sign in", w.to("/orders"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("#q"))
	w.do("the search by the keyboard", chromedp.KeyEvent("/"))
	if got := w.ask("document.activeElement.id"); got != "q" {
		t.Errorf("the slash leads to %q", got)
	}
	w.do("a new order", click(`a[href="/new/orders"]`), said("[data-more]"), click("[data-more]"),
		typed("customerNumber", "C-1"), typed("lines_3__itemNumber", "A-100"), typed("lines_3__quantity", "2"),
		click(".form button.primary"), said(".history"))
	w.do("its release", click(`form[action$="/release"] button`),
		chromedp.WaitNotPresent(chromedp.CSS(`form[action$="/release"]`)))
	w.see("Released", "2,401.00")
	if got := w.ask("String(document.documentElement.scrollWidth <= innerWidth)"); got != "true" {
		t.Error("the page is wider than the window")
	}
	w.sells(w.makesKey())
	w.letsAProgramIn()
}

// makesKey is a key that the page shows once.
func (w *window) makesKey() string {
	w.t.Helper()
	w.do("a key", w.to("/new/api-keys"), typed("name", "till"), click(`input[name=scopes][value="*"]`),
		click(".form button.primary"), said(".secret"))
	key := w.ask("document.querySelector('.secret').textContent")
	w.do("its page", click(".links a"), said(".sheets"))
	w.see("till", "Active")
	if strings.Contains(w.ask("document.documentElement.outerHTML"), key) {
		w.t.Error("the key is shown again")
	}
	return key
}

// sells brings an order of another system to the customer, and gets a part of the money.
func (w *window) sells(key string) {
	w.t.Helper()
	status, order := w.json("POST", "/preview/orders",
		`{"customerNumber": "C-1", "customerReference": "By the till", "lines": [{"itemNumber": "A-100", "quantity": "3"}]}`,
		"X-Api-Key", key, "Idempotency-Key", "the-first")
	if status != http.StatusCreated {
		w.t.Fatalf("the key places no order: %d %v", status, order)
	}
	number, _ := order["orderNumber"].(string)
	w.do("its release", w.to("/orders/"+number), click(`form[action$="/release"] button`),
		said(`form[action$="/ship"]`))
	w.do("a shipment", click(`form[action$="/ship"] button`), said(`form[action$="/pick"]`))
	w.do("picking", click(`form[action$="/pick"] button`), said(`a[href$="/pack"]`))
	w.do("packing", click(`a[href$="/pack"]`), typed("packages_0__weightKg", "2.5"), click(".form button.primary"),
		said(`a[href$="/hand-over"]`))
	w.do("handing over", click(`a[href$="/hand-over"]`), click(".form button.primary"), said(".flash"))
	w.see("The goods are handed over.", "Picked up")
	w.do("an invoice", w.to("/new/invoices?chosen="+number), click("#f-book"), click(".form button.primary"),
		said(`a[href$="/pay"]`))
	w.see("Booked", "Unpaid", "4,501.88")
	if got := w.ask(
		`fetch(location.pathname + "/pdf").then(async (r) => r.headers.get("content-type") + ((await r.arrayBuffer()).byteLength > 5000 ? "" : ", and next to nothing"))`); got != "application/pdf" {
		w.t.Errorf("the printed invoice is %s", got)
	}
	w.do("a part of the money", click(`a[href$="/pay"]`), chromedp.SetValue(chromedp.CSS("#f-amount"), "1000"),
		click(".form button.primary"), said(".flash"))
	w.see("The payment is registered.", "Partially paid", "3,501.88")
	w.do("a line credited", click(`a[href$="/credit-part"]`), chromedp.SetValue(chromedp.CSS("#f-lines_0__quantity"),
		"1"), click(".form button.primary"), said(".flash"))
	w.see("Credit note", "1,500.63") // 1,200.50 and a quarter of tax
	w.do("who did what", w.to("/activity"), said(".list"))
	w.see("anna", "till", number)
	w.do("what the till did", w.to("/orders/"+number), said(".history"))
	w.see("till", "anna", "Release")
}

// letsAProgramIn goes the way of a person who lets a program act for them, and ends that.
func (w *window) letsAProgramIn() {
	w.t.Helper()
	answers := make(chan url.Values, 1)
	program := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/back": // most go on from there, and not to the same host
			answers <- r.URL.Query()
			http.Redirect(rw, r, strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)+"/thanks",
				http.StatusFound)
		case "/thanks":
			io.WriteString(rw, `<!doctype html><main id="thanks">Thanks</main>`)
		}
	}))
	w.t.Cleanup(program.Close)
	back, resource, verifier := program.URL+"/back", w.server.URL+"/preview", strings.Repeat("v", 43)
	_, client := w.json("POST", "/oauth/register", `{"client_name": "Robot", "redirect_uris": ["`+back+`"]}`)
	id, _ := client["client_id"].(string)
	sum := sha256.Sum256([]byte(verifier))
	asked := url.Values{"response_type": {"code"}, "client_id": {id}, "redirect_uri": {back}, "state": {"s"},
		"scope": {"preview:read preview:write"}, "resource": {resource},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}}
	w.do("signing out", click(".drop:last-child > summary"), click(`form[action="/sign-out"] button`), said("#f-email"))
	w.do("what the program asks", w.to("/oauth/authorize?"+asked.Encode()), typed("email", "anna@acme.test"),
		typed("password", password+"\r"), said("#f-company"))
	w.see("Let a program in?", "Robot", "anna@acme.test", "Acme AB")
	w.do("consent", click("button[value=allow]"), said("#thanks"))
	code := (<-answers).Get("code")
	tokens := func(form url.Values) (access, refresh string) {
		form.Set("client_id", id)
		_, got := w.json("POST", "/oauth/token", form.Encode())
		access, _ = got["access_token"].(string)
		refresh, _ = got["refresh_token"].(string)
		if access == "" || refresh == "" {
			w.t.Fatalf("no tokens: %v", got)
		}
		return access, refresh
	}
	reads := func(access string, want int) {
		w.t.Helper()
		if status, got := w.json("GET", "/preview/orders", "", "Authorization", "Bearer "+access); status != want {
			w.t.Fatalf("%d, want %d: %v", status, want, got)
		}
	}
	access, refresh := tokens(url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {back},
		"code_verifier": {verifier}, "resource": {resource}})
	reads(access, http.StatusOK)
	access, _ = tokens(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	reads(access, http.StatusOK)
	w.do("the end of it", w.to("/connections"), click(`form[action$="/revoke"] button`), said(".flash"))
	w.see("The connection is ended.")
	reads(access, http.StatusUnauthorized)
}

// json calls what programs call.
func (w *window) json(method, path, body string, headers ...string) (status int, out map[string]any) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	return resp.StatusCode, out
}

// A list is sorted by the keyboard: the head of a column is a link, and whoever pressed it stays there.
func TestAListIsSortedByTheKeyboard(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/customers")
	b.submit("/new/customers", "customerNumber", "C-2", "name", "Acme")
	w.do("sign in", w.to("/customers"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("#q"))
	if got := w.ask(
		"document.querySelector('th[aria-sort]').innerText + ' ' + document.querySelector('th[aria-sort]').ariaSort"); got != "Number ascending" {
		t.Errorf("by itself the list is sorted by %q", got)
	}
	first := "document.querySelector('.list tbody tr').innerText"
	w.ask(`document.querySelector("[data-sort=name]").focus(), ""`)
	for _, want := range []struct{ order, name string }{{"ascending", "Acme"}, {"descending", "Nordic Tools AB"}} {
		w.do("the head of the names", chromedp.KeyEvent("\r"), said("th[aria-sort="+want.order+"] [data-sort=name]"))
		if got := w.ask("String(document.activeElement.dataset.sort)"); got != "name" {
			t.Errorf("sorted, the focus is at %q", got)
		}
		if got := w.ask(first); !strings.Contains(got, want.name) {
			t.Errorf("%s, the first is %q", want.order, got)
		}
	}
}

// Who is signed out elsewhere in the middle of a form finds what they had typed once they are in again, and nobody else
// does.
func TestAFormIsKeptWhileOneSignsInAgain(t *testing.T) {
	o := opened(t, "sqlite")
	o.user("ben@acme.test", identity.Admin, o.company)
	w := o.shown()
	goods(o.signedIn("anna@acme.test", identity.Admin))
	signOut := `const form = document.querySelector('form[action="/sign-out"]');
		fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))}).then((r) => String(r.ok))`
	fill := func(email string) {
		w.do("a form", w.to("/new/orders"), typed("email", email), typed("password", password+"\r"),
			said("[data-more]"), chromedp.SendKeys(chromedp.CSS("[data-more]"), "\r"), said("#f-lines_3__quantity"),
			typed("customerNumber", "C-1"), typed("lines_3__quantity", "2"))
		if got := w.ask(signOut); got != "true" {
			t.Fatalf("the sign-out in another window: %s", got)
		}
		w.do("sending it", chromedp.SendKeys(chromedp.CSS(".form button.primary"), "\r"), said("#f-password"))
		w.see("You were signed out before this was sent")
	}
	values := `document.querySelector("#f-customerNumber").value + "|" + (document.querySelector("#f-lines_3__quantity")?.value ?? "")`
	fill("anna@acme.test")
	w.do("signing in again", typed("email", "anna@acme.test"), typed("password", password+"\r"), said("[data-more]"))
	if got := w.ask(values); got != "C-1|2" {
		t.Errorf("the form has %q", got)
	}
	if got := w.ask(signOut); got != "true" {
		t.Fatal(got)
	}
	fill("anna@acme.test")
	w.do("another signs in", typed("email", "ben@acme.test"), typed("password", password+"\r"), said("[data-more]"))
	if got := w.ask(values); got != "|" {
		t.Errorf("another finds %q", got)
	}
}
