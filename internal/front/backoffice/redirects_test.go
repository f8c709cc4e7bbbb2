package backoffice_test

import (
	"net/http"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// An address of a store leads to another: made, found, changed, counted and deleted in the office.
func TestRedirectsOfAStore(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		b.get("/new/redirects?store=WEB")
		b.submit("/new/redirects", "fromPath", "/Old-Chairs/", "toPath", "new chairs")
		b.see("must be a path that begins with one /")
		b.submit("/new/redirects", "toPath", "/chairs", "forNow", "on")
		b.see("The redirect is made.", "/old-chairs", "/chairs", "For now (302)", "Web shop")
		at := b.at
		b.get("/new/redirects?store=WEB")
		b.submit("/new/redirects", "fromPath", "/older", "toPath", "/old-chairs")
		b.see("is itself redirected to /chairs: lead there at once")
		b.submit("/new/redirects", "fromPath", "/old-chairs", "toPath", "/tables")
		b.see("redirects /old-chairs already")

		b.get(at + "/edit")
		b.submit(at+"/edit", "toPath", "/all-chairs", "forNow", "")
		b.see("Saved.", "/all-chairs", "For good (301)")
		var hits channel.Hits
		o.write(func(tx *db.Tx) error {
			r, err := channel.RedirectAt(tx, "WEB", "/old-chairs")
			for range 37 {
				hits.Count(o.company.ID, r.ID, tx.Now)
			}
			return err
		})
		err := hits.Write(o.company.ID, func(fn func(tx *db.Tx) error) error { o.write(fn); return nil })
		if err != nil {
			t.Fatal(err)
		}
		b.get("/redirects?store=WEB&q=all-chairs")
		b.see("/old-chairs", "37", "1–1 of 1")
		b.get("/redirects?store=WEB&q=tables")
		b.miss("/old-chairs")
		b.get("/stores/WEB")
		b.find(func(n *html.Node) bool { return attr(n, "href") == "/redirects?store=WEB" })
		b.get("/activity")
		b.find(func(n *html.Node) bool { return attr(n, "href") == at })

		reader := o.signedIn("rita@acme.test", identity.Viewer)
		reader.get("/redirects")
		reader.see("/old-chairs")
		reader.get(at + "/edit")
		if reader.status != http.StatusForbidden {
			t.Errorf("who only reads changes redirects: %d", reader.status)
		}
		b.get(at + "/delete")
		b.submit(at + "/delete")
		b.see("The redirect is deleted.")
		b.miss("/old-chairs")
	})
}

// The same pages in a real browser.
func TestRedirectsInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	store(o.signedIn("anna@acme.test", identity.Admin))
	w.do("sign in", w.to("/sign-in"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("nav"))
	w.do("a new redirect", w.to("/new/redirects"), said("#f-fromPath"))
	if got := w.ask("document.activeElement.id"); got != "f-channelCode" {
		t.Errorf("who makes something new begins at %q", got)
	}
	w.do("its addresses", typed("fromPath", "/spring-2024"), typed("toPath", "/categories/chairs"))
	w.looksAt("redirect-form")
	w.do("its page", click(".form button.primary"), said(".history"))
	w.looksAt("redirect")
	w.do("the list", w.to("/redirects"), said(`main a[href^="/redirects/"]`))
	w.looksAt("redirect-list")
}
