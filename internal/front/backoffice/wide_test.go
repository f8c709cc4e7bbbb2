package backoffice_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/identity"
)

// A name may be one long word: it breaks, and no page becomes wider than a telephone by it.
func TestALongWordWidensNoPage(t *testing.T) {
	o := opened(t, "sqlite")
	w, b := o.shown(), o.signedIn("anna@acme.test", identity.Admin)
	word := strings.Repeat("Verlängerungskabel", 10)
	for path, fields := range map[string][]string{
		"/new/customers":  {"customerNumber", "C-1", "name", word, "city", word},
		"/new/suppliers":  {"supplierNumber", "S-1", "name", word},
		"/new/categories": {"code", "LONG", "name", word},
		"/new/brands":     {"code", "LONG", "name", word},
	} {
		b.get(path)
		b.submit(path, fields...)
	}
	b.get("/new/items")
	b.submit("/new/items", "itemNumber", "A-1", "name", word, "categoryCode", "LONG", "brandCode", "LONG")
	w.do("sign in", w.to("/orders"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("#q"))
	w.do("a telephone", chromedp.EmulateViewport(390, 800))
	for _, path := range []string{"/customers", "/customers/C-1", "/customers/C-1/edit", "/suppliers", "/suppliers/S-1",
		"/suppliers/S-1/edit", "/categories", "/categories/LONG", "/categories/LONG/edit", "/brands", "/brands/LONG",
		"/items", "/items/A-1", "/items/A-1/edit", "/items?category=LONG&brand=LONG", "/customers?q=" + word,
		"/new/discount-codes"} {
		w.do(path, w.to(path), said("main"))
		if got := w.ask("String(document.documentElement.scrollWidth)"); got != "390" {
			t.Errorf("%s is %s wide", path, got)
		}
	}
}

// Who leaves a form that they have begun to fill in is asked first, unless they say that they give it up.
func TestAHalfFilledFormIsNotLeftUnasked(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	o.signedIn("anna@acme.test", identity.Admin)
	w.do("sign in", w.to("/orders"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("#q"))
	asks := func() string {
		return w.ask(`(() => { const e = new Event("beforeunload", {cancelable: true}); dispatchEvent(e); ` +
			`return String(e.defaultPrevented) })()`)
	}
	w.do("a form", w.to("/new/customers"), said("#f-name"))
	if got := asks(); got != "false" {
		t.Error("who has typed nothing is asked")
	}
	w.do("a name", typed("name", "Nordic Tools"))
	if got := asks(); got != "true" {
		t.Error("who has typed something is not asked")
	}
	w.do("giving it up", click("a[data-gives-up]"), said("#q"))
	w.do("the form again", w.to("/new/customers"), said("#f-name"), typed("name", "Nordic Tools\r"), said(".history"))
}

// Paper has no buttons.
func TestPaperHasNoButtons(t *testing.T) {
	o := opened(t, "sqlite")
	w, b := o.shown(), o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	number := order(b)
	b.get("/orders/" + number + "/lines/new")
	b.submit("/orders/"+number+"/lines/new", "itemNumber", "A-100", "quantity", "1")
	w.do("sign in", w.to("/orders/"+number), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said(".history"))
	const shown = `String([...document.querySelectorAll("main button")].filter(e => e.offsetParent).length)`
	if got := w.ask(shown); got == "0" {
		t.Error("the order has no buttons")
	}
	w.ask(`(() => { // what holds on paper holds here as well
		const paper = new CSSStyleSheet();
		paper.replaceSync([...document.styleSheets].flatMap((s) => [...s.cssRules]).filter((r) =>
			r.media?.mediaText === "print").flatMap((r) => [...r.cssRules]).map((r) => r.cssText).join(" "));
		document.adoptedStyleSheets = [paper];
		return "";
	})()`)
	if got := w.ask(shown); got != "0" {
		t.Errorf("%s buttons are printed", got)
	}
}
