package backoffice_test

import (
	"regexp"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/front/looktest"
)

// likeness is a path without the numbers and codes of records, whose pages look alike.
var likeness = regexp.MustCompile(`/[^/]*[0-9A-Z][^/]*`)

// Nothing on any page of the office hinders who does not see, has no mouse, or needs contrast.
func TestNothingHinders(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	look := looktest.New(t, w.ctx)
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	number := order(b)
	b.submit("/orders/" + number + "/release")
	b.submit("/orders/" + number + "/ship")
	b.get("/new/imports")
	b.send("/new/imports", "file", "lamps.csv", []byte("Item number,Name\nL-1,Lamp\n,Nameless\n"), "kind", "items")
	b.get("/new/mailings")
	b.submit("/new/mailings", "channel", "WEB", "subject", "Spring is here", "html", "New lamps have come.", "language",
		"en", "pace", "30")
	o.works(t.Context())
	w.do("sign in", w.to("/sign-in"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("nav"))
	met := map[string]bool{}
	todo := []string{"/", "/account", "/account/password", "/account/second-factor", "/roles", "/nowhere"}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		bare, _, _ := strings.Cut(path, "?")
		alike := likeness.ReplaceAllString(bare, "/1")
		if met[alike] {
			continue
		}
		met[alike] = true
		b.get(path)
		if !strings.HasPrefix(b.header.Get("Content-Type"), "text/html") {
			continue
		}
		todo = append(todo, links(b)...)
		w.do(path, w.to(path))
		look.At(path)
	}
	t.Logf("%d pages", len(met))
	if len(met) < 80 {
		t.Errorf("only %d pages were looked at", len(met))
	}
}
