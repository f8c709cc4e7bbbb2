package backoffice_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/page"
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

// A country is what somebody calls it: its name as well as its two letters. What is no country is refused at its field,
// and not cut down to another one (the first letters of Sverige are El Salvador).
func TestACountryIsTypedByItsName(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		for n, typed := range []string{"SE", "se", "Sweden", " sverige ", "Estonia"} {
			number := "C-" + strconv.Itoa(n)
			b.get("/new/customers")
			b.submit("/new/customers", "customerNumber", number, "name", "Acme", "countryCode", typed)
			b.get("/customers/" + number + "/edit")
			want := "SE"
			if typed == "Estonia" {
				want = "EE"
			}
			field := b.find(func(n *html.Node) bool { return attr(n, "name") == "countryCode" })
			if got := attr(field, "value"); got != want {
				t.Errorf("%q is kept as %q", typed, got)
			}
		}
		b.get("/new/customers")
		b.submit("/new/customers", "customerNumber", "C-X", "name", "Acme", "countryCode", "Norrland")
		field := b.find(func(n *html.Node) bool { return attr(n, "name") == "countryCode" })
		if attr(field, "value") != "Norrland" || attr(field, "aria-invalid") != "true" {
			t.Errorf("what is no country: %q, %q", attr(field, "value"), attr(field, "aria-invalid"))
		}
	})
}

// Whatever a history may say of a field is there in Swedish: of the fields of records, and of what else the sample
// company's history names.
func TestAHistoryIsSaidInSwedish(t *testing.T) {
	o := sample(t, "sqlite")
	words, err := texts.Read(os.DirFS("."), "words")
	if err != nil {
		t.Fatal(err)
	}
	said := map[[2]string]bool{} // resource and field
	for resource, field := range record.Fields() {
		said[[2]string{resource, page.Words(field)}] = true
	}
	if len(said) < 500 {
		t.Errorf("records have %d fields", len(said))
	}
	recorded := len(said)
	err = o.kontor.InCompany(t.Context(), o.company.Code, func(tx *db.Tx) error {
		for p := (record.Page{Number: 1, Size: 1000}); ; p.Number++ {
			found, err := record.Activities(tx, record.ActivityFilter{}, p)
			if err != nil || len(found.Items) == 0 {
				return err
			}
			for _, e := range found.Items {
				for name := range e.Changes {
					for part := range strings.SplitSeq(name, ".") {
						part, _, _ = strings.Cut(part, "[")
						said[[2]string{e.Resource, page.Words(part)}] = true
					}
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for of := range said {
		if words["sv"][of[1]] == "" && words["sv"][of[0]+" "+of[1]] == "" {
			t.Errorf("no Swedish for %q, of %s", of[1], of[0])
		}
	}
	if len(said) == recorded {
		t.Error("the sample company's history names no field but those of records")
	}
}
