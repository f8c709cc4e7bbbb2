package shop_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/demo"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/front/looktest"
	"kontor/internal/front/shop"
)

const password = "a long enough password"

func TestMain(m *testing.M) { looktest.Main(m) }

// street is a served house with the sample company in it, and its shop next door.
type street struct {
	t     *testing.T
	house *app.App
	api   string
	shop  string
	key   string // for the integration API
	front http.Handler
}

func opened(t *testing.T) *street {
	t.Helper()
	ctx := t.Context()
	server := httptest.NewUnstartedServer(nil)
	s := &street{t: t, api: "http://" + server.Listener.Addr().String()}
	h, err := app.OpenServing(ctx, datadir.Dir{Data: t.TempDir()}, app.Serving{Listen: server.Listener.Addr().String(),
		PublicURL: s.api}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s.house = h
	t.Cleanup(func() { h.Close(context.Background()) })
	server.Config.Handler = h
	server.Start()
	t.Cleanup(server.Close)
	now := time.Now()
	c, err := h.CreateFilled(ctx, demo.Company(), func(c identity.Company) error {
		if err := demo.Fill(ctx, h.Store(), c.ID, now, func(string) {}); err != nil {
			return err
		}
		return demo.Furnish(ctx, h.Store(), h.Files(), c.ID, now, func(string) {})
	})
	if err != nil {
		t.Fatal(err)
	}
	hash, err := h.Hasher.Hash(ctx, password)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.InCompany(ctx, c.Code, func(tx *db.Tx) error { return demo.LetIn(tx, hash) }); err != nil {
		t.Fatal(err)
	}
	err = h.Control(ctx, func(tx *db.Tx) (err error) {
		_, s.key, err = identity.CreateKey(tx, c, identity.NewKey{Name: "test", Scopes: []string{identity.Everything}},
			app.Scopes())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	front, err := shop.New(shop.Options{API: s.api, Domain: "shop.nordlys.test",
		Key: []byte(strings.Repeat("k", shop.KeySize)), Demo: true,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	s.front = front.Handler()
	door := httptest.NewServer(s.front)
	t.Cleanup(door.Close)
	s.shop = door.URL
	return s
}

// erp asks the integration API.
func (s *street) erp(method, path, body string, out any) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.api+"/preview"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", s.key)
	r.Header.Set("Idempotency-Key", rand.Text())
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, b, err)
	}
	if out != nil {
		if err := json.Unmarshal(b, out); err != nil {
			s.t.Fatal(err)
		}
	}
}

// css is a selector.
func css(text string) chromedp.CSS { return chromedp.CSS(text) }

// window is a browser on the shop.
type window struct {
	t   *testing.T
	ctx context.Context
}

// looking opens a browser at an address; a test is skipped where there is none. The first use starts it, and it lives
// as long as the context of that call.
func (s *street) looking(at string) *window {
	s.t.Helper()
	return &window{s.t, looktest.Window(s.t, s.shop+at)}
}

// do takes steps, of which each must be done within a minute.
func (w *window) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	within, enough := context.WithTimeout(w.ctx, time.Minute)
	defer enough()
	if err := looktest.Do(within, steps...); err != nil {
		at,
			_ := chromedp.Run(w.ctx,
			chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 1500)"))
		w.t.Fatalf("%s: %v\n%s", what, err, at)
	}
}

// text is what stands in the first element of a selector.
func (w *window) text(selector string) string {
	w.t.Helper()
	got, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.querySelector('"+selector+"').innerText"))
	if err != nil {
		w.t.Fatalf("%s: %v", selector, err)
	}
	return got
}

// A customer signs in, searches with a typing error, buys by card, and later finds the parcel's number in the account.
// All of it goes by keyboard: it must work so, and a click would miss where the page is still moving.
func TestFromSearchToParcel(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	s := opened(t)
	w := s.looking("/sign-in?back=/")
	do, text := w.do, w.text
	do("a wrong password", chromedp.SendKeys(css("#email"), demo.Shopper),
		chromedp.SendKeys(css("#password"), "not this one\r"), chromedp.WaitVisible(css("[role=alert]")))
	do("the right one", chromedp.SendKeys(css("#password"), password+"\r"), chromedp.WaitVisible(css(".picture-hero")))
	do("a search with a typing error", chromedp.SendKeys(css("[name=q]"), "tenr"),
		chromedp.WaitVisible(css(".proposals a")), chromedp.SendKeys(css("[name=q]"), "\r"),
		chromedp.WaitVisible(css(".browse .card")))
	if got := text("main"); !strings.Contains(got, "Fjell tent") {
		t.Errorf("the search found %s", got)
	}
	do("a product", chromedp.Navigate(s.shop+"/products/fjell-tent-3"), chromedp.SendKeys(css(".add button"), "\r"),
		chromedp.WaitVisible(css(".lines")))
	do("a variant by its links", chromedp.Navigate(s.shop+"/products/storm-shell-jacket"),
		chromedp.SendKeys(chromedp.Search("//a[text()='Blue']"), "\r"),
		chromedp.WaitVisible(css("[aria-current=true]")),
		chromedp.SendKeys(chromedp.Search("//a[text()='M']"), "\r"), chromedp.WaitVisible(css(".add button")),
		chromedp.SendKeys(css(".add button"), "\r"), chromedp.WaitVisible(css(".line:nth-child(2)")))
	do("a wrong code", chromedp.SendKeys(css(".codes summary"), "\r"),
		chromedp.SendKeys(css("[name=code]"), "NOSUCH\r"), chromedp.WaitVisible(css("#code-wrong")))
	do("a discount code", chromedp.SetValue(css(".codes [name=code]"), demo.DiscountCode),
		chromedp.SendKeys(css(".codes button"), "\r"), chromedp.WaitVisible(css(".code .link")))
	do("the checkout", chromedp.SendKeys(css(".summary a.button"), "\r"), chromedp.WaitVisible(css("#delivery .pick")))
	do("the delivery", chromedp.SendKeys(css("#delivery input[value=PARCEL]"), " "),
		chromedp.WaitVisible(css("#delivery.done")))
	do("the payment", chromedp.SendKeys(css("#payment input[value=TEST]"), " "),
		chromedp.WaitVisible(css("#payment.done")))
	do("the terms", chromedp.SendKeys(css("#review [name=terms]"), " "),
		chromedp.WaitVisible(css("#review [name=terms]:checked")))
	do("the order", chromedp.SendKeys(css("#review button"), "\r"), chromedp.WaitVisible(css("select[name=card]")))
	do("the provider's page", chromedp.SendKeys(css("form button"), "\r"), chromedp.WaitVisible(css("#order-number")))
	number := text("#order-number")
	var order struct {
		Status    string `json:"status"`
		CustomerN string `json:"customerNumber"`
		Lines     []struct {
			LineNumber int    `json:"lineNumber"`
			ItemNumber string `json:"itemNumber"`
			Quantity   string `json:"quantity"`
		} `json:"lines"`
	}
	s.erp("GET", "/orders/"+number, "", &order)
	if order.Status != "Released" || order.CustomerN != "10001" || len(order.Lines) < 2 {
		t.Fatalf("the order in the ERP: %+v", order)
	}
	tracking := s.ship(number)
	do("the account", chromedp.Navigate(s.shop+"/account/orders"),
		chromedp.SendKeys(chromedp.Search("//a[text()='"+number+"']"), "\r"), chromedp.WaitVisible(css(".track")))
	if got := text("main"); !strings.Contains(got, tracking) {
		t.Errorf("the order in the account does not show %s: %s", tracking, got)
	}
}

// Who types another quantity and goes on at once buys that many: the link does not overtake what was typed. What is
// refused is shown instead of where the link leads.
func TestAQuantityIsTakenBeforeTheCheckout(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	s := opened(t)
	w := s.looking("/products/fjell-tent-3")
	w.do("the cart", chromedp.SendKeys(css(".add button"), "\r"), chromedp.WaitVisible(css(".lines")))
	w.do("a quantity, and the checkout at once", chromedp.SendKeys(css(".line [name=quantity]"), "3"),

		chromedp.Click(css(".summary a.button")), chromedp.WaitVisible(css("#address")))
	if got := w.text("aside"); !strings.Contains(got, "31 pieces") {
		t.Errorf("the checkout has forgotten what was typed: %s", got)
	}
	w.do("a quantity that is none", chromedp.Navigate(s.shop+"/cart"),
		chromedp.SendKeys(css(".line [name=quantity]"), "x"), chromedp.Click(css(".summary a.button")),
		chromedp.WaitVisible(css(".line [aria-invalid]")))
}

// What there is none of is not put into a cart that nobody could order: who wants it is told when it is back.
func TestWhatIsSoldOutIsNotPutInTheCart(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	s := opened(t)
	s.erp("POST", "/items", `{"itemNumber": "GONE-1", "name": "Old lamp", "baseUnitCode": "PCS", "salesPrice": "99"}`, nil)
	s.erp("PUT", "/item-channels/GONE-1/WEB", `{"isPublished": true, "slug": "old-lamp"}`, nil)
	w := s.looking("/products/old-lamp")
	if got := w.text("main"); !strings.Contains(got, "Out of stock") || strings.Contains(got, "Add to cart") {
		t.Errorf("what is sold out is offered: %s", got)
	}
	w.do("an address", chromedp.SendKeys(css("#back-email"), "eva@example.com\r"),
		chromedp.WaitVisible(css("[role=status]")))
	if got := w.text("body"); !strings.Contains(got, "We write to you once it is in stock again.") {
		t.Errorf("who wants to be told is not answered: %s", got)
	}
}

// What is said after a form is in sight, wherever on the page the visitor is led back to.
func TestThanksForAReviewAreInSight(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	w := opened(t).looking("/products/vott-mittens")
	w.do("a review", chromedp.Click(css("#reviews summary")), chromedp.SendKeys(css("[name=rating]"), "4"),
		chromedp.SendKeys(css("[name=body]"), "Warm"), chromedp.SendKeys(css("[name=authorName]"), "Eva\r"),
		chromedp.WaitVisible(css("[role=status]")))
	seen, err := chromedp.Run(w.ctx, chromedp.Evaluate[[]float64](`(async () => {
		for (let was = 0; scrollY === 0 || scrollY !== was; was = scrollY) await new Promise(done => setTimeout(done, 300))
		const at = document.querySelector('[role=status]').getBoundingClientRect()
		return [at.top, innerHeight - at.bottom]
	})()`, chromedp.EvalAwaitPromise))
	if err != nil || seen[0] < 0 || seen[1] < 0 {
		t.Errorf("above it and below it: %v %v", seen, err)
	}
}

// With scripts a choice is answered at once, and the assistant's answer appears as it comes.
func TestChoosingAndAskingWithScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company and drives a browser")
	}
	s := opened(t)
	w := s.looking("/products/lavvo-made-to-order/configure")
	w.do("a choice that breaks a rule", chromedp.SendKeys(css("#o-cloth-nylon"), " "),
		// the answer has taken the place of what was asked: it says itself what is chosen
		chromedp.WaitVisible(css("#o-cloth-nylon[checked]")), chromedp.SendKeys(css("#o-stove-true"), " "),
		chromedp.WaitVisible(css(".summary .wrong")))
	if got := w.text("#configurator"); !strings.Contains(got, "A stove burns holes into nylon") {
		t.Errorf("what breaks is not said: %s", got)
	}
	w.do("the cloth that is left", chromedp.SendKeys(css("#o-cloth-canvas"), " "),
		chromedp.WaitVisible(css(".summary button")))
	if got := w.text(".summary"); !strings.Contains(got, "Heavy canvas") || !strings.Contains(got, "15 %") {
		t.Errorf("the price is not explained: %s", got)
	}
	w.do("the cart", chromedp.SendKeys(css(".summary button"), "\r"), chromedp.WaitVisible(css(".line")))
	if got := w.text(".line"); !strings.Contains(got, "Cloth: Heavy canvas") ||
		!strings.Contains(got, "Wood stove with pipe: Yes") {
		t.Errorf("the cart does not say what was chosen: %s", got)
	}
	w.do("a question", chromedp.Navigate(s.shop+"/assistant"),
		chromedp.SendKeys(css("#message"), "How do I waterproof a tent?\r"),
		chromedp.WaitVisible(css(".said .helpful")))
	w.do("another", chromedp.SendKeys(css("#message"), "Where can I see my invoice?\r"),
		chromedp.WaitVisible(css(".talk > :nth-child(4) .helpful")))
	if got := w.text(".talk"); !strings.Contains(got, "silicone") ||
		!strings.Contains(got, "How do I waterproof a tent?") {
		t.Errorf("the conversation: %s", got)
	}
}

// ship sends an order, and answers the number that the carrier gave.
func (s *street) ship(order string) string {
	s.t.Helper()
	var shipment struct {
		Number string `json:"shipmentNumber"`
	}
	s.erp("POST", "/shipments", `{"orderNumbers": ["`+order+`"]}`, &shipment)
	at := "/shipments/" + shipment.Number
	s.erp("POST", at+"/pick", "", nil)
	s.erp("POST", at+"/book", `{"trackingNumber": "NL4711"}`, nil)
	s.erp("POST", at+"/hand-over", "", nil)
	return "NL4711"
}
