package backoffice_test

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

// A record's history is read page by page, from its end to its beginning, and nothing of it is shown twice.
func TestAHistoryIsReadPageByPage(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/customers")
		b.submit("/new/customers", "customerNumber", "C-OLD", "name", "Name 0")
		for i := range 40 {
			b.get("/customers/C-OLD/edit")
			b.submit("/customers/C-OLD/edit", "name", "Name "+strconv.Itoa(i+1))
		}
		b.get("/customers/C-OLD")
		b.see("Name 40", "Name 11", "Older entries")
		b.miss("Newest entries")
		older := b.find(func(n *html.Node) bool { return n.Data == "a" && inner(n) == "Older entries" })
		address, _, _ := strings.Cut(attr(older, "href"), "#")
		b.get(address)
		b.see("Name 10", "Name 1", "Created", "Newest entries")
		b.miss("Older entries", "Name 12")
		for _, wrong := range []string{"x", "-1", "99999999999999999999"} {
			b.get("/customers/C-OLD?before=" + wrong)
			b.see("Name 39", "Older entries")
		}
	})
}
