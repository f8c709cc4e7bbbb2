package backoffice_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

// sectionForms are the addresses of the forms of the sections that a page's record shows.
func sectionForms(b *browser) (all []string) {
	walk(b.doc, func(n *html.Node) {
		if href := attr(n, "href"); strings.Contains(href, "/sections/") && !strings.HasSuffix(href, "/new") {
			all = append(all, href)
		}
	})
	return all
}

// Two people have the same section open: who comes second is told who changed what and when, finds what he typed,
// takes what he wants of the other's and saves over the rest; and where the section is gone, he still has his text.
func TestTwoEditorsOfOneSection(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna, bo := o.signedIn("anna@acme.test", identity.Admin), o.signedIn("bo@acme.test", identity.Admin)
		store(anna)
		anna.get("/pages/WEB/-/sections/new/Newsletter")
		anna.submit("/pages/WEB/-/sections/new/Newsletter")
		anna.get("/pages/WEB/-/sections/new/Text")
		anna.submit("/pages/WEB/-/sections/new/Text", "title", "Hello", "lead", "Short", "htmlContent", "<p>One</p>")
		forms := sectionForms(anna)
		if len(forms) != 2 {
			t.Fatalf("the page has the sections %v", forms)
		}
		form := forms[1]
		anna.get(form)
		bo.get(form)
		anna.submit(form, "title", "Hello from Anna", "lead", "Anna's", "eyebrow", "New")
		anna.see("Saved.")
		bo.submit(form, "title", "Hello from Bo", "lead", "Bo's", "subtitle", "Also new")
		bo.see("anna changed this while you were writing", "Hello from Anna", "you: Hello from Bo", "you: Bo's",
			"Take theirs", "Save over theirs", "See it as it is now", ": anna, ")
		if bo.status != http.StatusConflict || bo.value("title") != "Hello from Bo" || bo.value("eyebrow") != "New" ||
			bo.value("subtitle") != "Also new" {
			t.Errorf("%d: %q, %q, %q", bo.status, bo.value("title"), bo.value("eyebrow"), bo.value("subtitle"))
		}
		bo.submit(form, "_theirs", "title")
		bo.see("Saved.")
		anna.get(form)
		for name, want := range map[string]string{"title": "Hello from Anna", "lead": "Bo's", "eyebrow": "New",
			"subtitle": "Also new"} {
			if got := anna.value(name); got != want {
				t.Errorf("%s is %q, not %q", name, got, want)
			}
		}
		bo.get(form)
		anna.get("/pages/WEB/-")
		anna.submit(form + "/delete")
		bo.submit(form, "title", "Written for nothing")
		bo.see("This was deleted while you were writing", "Written for nothing", ": anna, ")
		if bo.status != http.StatusConflict {
			t.Errorf("a section that is gone answers %d", bo.status)
		}
	})
}

// Of many who save the same at the same moment one is first; the others are told, and nothing is overwritten.
func TestManySaveAtOnce(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		b.get("/pages/WEB/-/sections/new/Text")
		b.submit("/pages/WEB/-/sections/new/Text", "title", "Hello")
		form := sectionForms(b)[0]
		b.get(form)
		var crowd sync.WaitGroup
		answers := make([]int, 6)
		for i := range answers {
			values := b.filled(form, "title", "Hello "+string(rune('a'+i)))
			again := &browser{t: t, base: b.base, client: &http.Client{Jar: b.client.Jar,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
				language: "en"}
			crowd.Go(func() { again.post(form, values); answers[i] = again.status })
		}
		crowd.Wait()
		saved := 0
		for _, status := range answers {
			if status == http.StatusSeeOther {
				saved++
			} else if status != http.StatusConflict {
				t.Errorf("who came later is answered %d", status)
			}
		}
		if saved != 1 {
			t.Errorf("%d of %v were saved over the same", saved, answers)
		}
	})
}

// The lines of a quote are replaced whole, so who opened them before they changed is told.
func TestTwoEditorsOfAQuotesLines(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna, bo := o.signedIn("anna@acme.test", identity.Admin), o.signedIn("bo@acme.test", identity.Admin)
		goods(anna)
		anna.get("/new/quotes")
		anna.submit("/new/quotes", "customerNumber", "C-1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "1")
		form := strings.TrimSuffix(anna.at, "/") + "/lines"
		anna.get(form)
		bo.get(form)
		anna.submit(form, "lines[0].quantity", "5")
		anna.see("Saved.")
		bo.submit(form, "lines[0].quantity", "7")
		bo.see("anna changed this while you were writing", "you: 7", "Save over theirs")
		bo.submit(form)
		bo.see("Saved.")
	})
}

// Two real browsers on one page.
func TestTwoBrowsersOnOnePage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	o.signedIn("bo@acme.test", identity.Admin)
	b.get("/pages/WEB/-/sections/new/Hero")
	b.submit("/pages/WEB/-/sections/new/Hero", "title", "Welcome")
	form := sectionForms(b)[0]
	anna, bo := o.shown(), o.shown()
	anna.do("sign in", anna.to(form), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("#f-title"))
	bo.do("sign in", bo.to(form), typed("email", "bo@acme.test"), typed("password", password+"\r"), said("#f-title"))
	anna.do("anna saves", typed("title", "All "), click(".form button.primary"), said(".flash"))
	bo.do("bo saves", typed("title", "Both "), typed("lead", "And a lead"), click(".form button.primary"),
		said(".problem .changes"))
	bo.see("anna changed this while you were writing", "All Welcome", "you: Both Welcome", "Save over theirs")
	if got := bo.ask("document.querySelector('#f-title').value + '|' + document.querySelector('#f-lead').value"); got !=
		"Both Welcome|And a lead" {
		t.Errorf("the form has %q", got)
	}
	bo.looksAt("content-conflict")
	bo.do("his own", click(".form button.primary"), said(".flash"))
	anna.do("what stands now", anna.to(form), said("#f-title"))
	if got := anna.ask("document.querySelector('#f-title').value"); got != "Both Welcome" {
		t.Errorf("after both the title is %q", got)
	}
	bo.do("again", bo.to(form), said("#f-title"))
	anna.do("again", typed("title", "!"), click(".form button.primary"), said(".flash"))
	bo.do("again", typed("title", "?"), click(".form button.primary"), said(".theirs input"))
	bo.do("theirs", click(".theirs input"), click(".form button.primary"), said(".flash"),
		chromedp.WaitNotPresent(chromedp.CSS(".problem")))
	bo.do("what stands now", bo.to(form), said("#f-title"))
	if got := bo.ask("document.querySelector('#f-title').value"); got != "!Both Welcome" {
		t.Errorf("theirs taken, the title is %q", got)
	}
}
