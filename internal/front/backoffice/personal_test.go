package backoffice_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/business/quoting"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Who asks for what is kept of them gets one file of it, of a customer and of a contact.
func TestPersonalDataIsOneFile(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		b.get("/new/customers")
		b.submit("/new/customers", "customerNumber", "C-9", "name", "Eva Ek", "invoiceEmail", "eva@ek.test", "notes",
			"Likes saws.")
		b.get("/customers/C-9/contacts/new")
		b.submit("/customers/C-9/contacts/new", "name", "Bo Ek", "email", "bo@ek.test")
		b.get("/new/tickets?customer=C-9")
		b.submit("/new/tickets", "subject", "Where is it?", "description", "It should be here.")

		b.get("/customers/C-9")
		link := func(n *html.Node) bool { return n.Data == "a" && strings.HasSuffix(attr(n, "href"), "/personal-data") }
		data := func(address string) (out map[string]any) {
			t.Helper()
			b.get(address)
			if got := b.header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; filename=c") {
				t.Errorf("the file is %q", got)
			}
			if err := json.Unmarshal([]byte(b.text), &out); err != nil {
				t.Fatalf("%s: %v", b.text, err)
			}
			return out
		}
		address := attr(b.find(func(n *html.Node) bool { return link(n) && strings.Contains(attr(n, "href"), "/contact/") }),
			"href")
		customer := data("/customers/C-9/personal-data")
		if head, _ := customer["customer"].(map[string]any); head["name"] != "Eva Ek" || head["notes"] != "Likes saws." {
			t.Errorf("the customer is %v", head)
		}
		for name, n := range map[string]int{"contacts": 1, "orders": 0, "tickets": 1, "notIncluded": 0} {
			if list, ok := customer[name].([]any); !ok || len(list) != n {
				t.Errorf("%s are %v", name, customer[name])
			}
		}
		contact, _ := data(address)["contact"].(map[string]any)
		if _, shown := contact["passwordHash"]; contact["email"] != "bo@ek.test" || shown {
			t.Errorf("the contact is %v", contact)
		}
	})
}

// The file of somebody who has bought for years is sent while it is read, some documents at a time: each is in it once
// and whole.
func TestPersonalDataOfManyYearsIsWhole(t *testing.T) {
	const years = 45
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		if err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			orders := make([]sales.Placing, years)
			for i := range orders {
				orders[i] = sales.Placing{CustomerNumber: "C-1", Lines: []sales.NewLine{
					{Item: "A-100", Quantity: dec.Int(1)}, {Item: "A-100", Quantity: dec.Int(int64(i + 1))}}}
			}
			if _, err := sales.PlaceMany(tx, orders, stock.AsMuchAsThereIs); err != nil {
				return err
			}
			for range years {
				_, err := quoting.Create(tx, quoting.New{Head: quoting.Head{CustomerNumber: "C-1"},
					Lines: []quoting.NewLine{{Item: "A-100", Quantity: dec.Int(7)}}})
				if err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		b.get("/customers/C-1/personal-data")
		var file struct{ Orders, Quotes []map[string]any }
		if err := json.Unmarshal([]byte(b.text), &file); err != nil {
			t.Fatal(err)
		}
		isWhole(t, file.Orders, years, 2)
		isWhole(t, file.Quotes, years, 1)
	})
}

// isWhole holds that there are so many documents, each another one and with so many lines.
func isWhole(t *testing.T, documents []map[string]any, n, lines int) {
	t.Helper()
	met := map[any]bool{}
	for _, d := range documents {
		met[d["number"]] = true
		if has, _ := d["lines"].([]any); len(has) != lines {
			t.Errorf("%v has %d lines", d, len(has))
		}
	}
	if len(met) != n || len(documents) != n {
		t.Errorf("%d documents, %d different", len(documents), len(met))
	}
}

// Who has chosen a language reads it on the pages that stand by themselves, too.
func TestTheChosenLanguageIsThatOfEveryPage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/account/password")
	b.see("Change the password")
	b.get("/account/profile")
	b.submit("/account/profile", "language", "sv")
	b.get("/account/password")
	b.see("Byt lösenord")
	b.miss("Change the password", "Svenska")
	b.submit("/account/password", "old", "not it at all", "password", "short")
	b.see("Byt lösenord")
}
