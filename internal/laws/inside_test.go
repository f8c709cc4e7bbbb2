package laws

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/business/party"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// inside is what every text begins with that is for the company's own people.
const inside = "INSIDE-"

// colleague is a contact of the customer who has everything in the world.
func (w *world) colleague() (owner party.Customer, c party.Contact) {
	w.Helper()
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) (err error) {
		if owner, err = party.Find(tx, w.names["customerNumber"]); err != nil {
			return err
		}
		c, err = party.CreateContact(tx, owner.Number, party.Contact{Name: "Colleague", Email: "colleague@example.com",
			Role: string(storefront.Admin), IsActive: true, HasPortalAccess: true})
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return owner, c
}

// No answer of a store tells what is for the company's own people: internal notes of orders, returns and tickets, and
// the key that lets mails into a ticket, as whoever is signed in asks every operation for records of their own.
func TestNoAnswerOfAStoreTellsWhatIsInside(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		ids := w.ids()
		w.must("PATCH", w.path("/preview/orders/{orderNumber}"), `{"internalNotes": "`+inside+`order"}`)
		w.must("PATCH", w.path("/preview/returns/{returnNumber}"), `{"internalNotes": "`+inside+`return"}`)
		w.must("POST", w.path("/preview/tickets/{ticketNumber}/messages"), `{"body": "`+inside+
			`note", "isInternal": true, "authorName": "`+inside+`name"}`)
		w.must("POST", w.path("/preview/tickets/{ticketNumber}/route"), `{"queueCode": "RETURNS", "note": "`+inside+
			`route"}`)
		var key string
		if err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) error {
			t, err := support.Find(tx, w.names["ticketNumber"])
			key = t.ReplyKey
			return err
		}); err != nil || len(key) != 16 {
			w.Fatalf("the ticket's reply key is %q: %v", key, err)
		}
		w.watchShop()
		owner, c := w.colleague()
		signed := w.visitor(w.first.ID, "WEB", &c, owner)
		answered := 0
		look := func(o served, path string) {
			a := w.send("", o.Method, path, o.body(), append(o.headers(w), signed...)...)
			if strings.Contains(a.Body.String(), inside) || strings.Contains(a.Body.String(), key) {
				w.Errorf("%s tells what is inside: %s", o.ID, a.Body)
			}
			if a.Code < 300 && strings.Contains(o.Path, "/portal/") {
				answered++
			}
		}
		for _, writes := range []bool{false, true} { // what ends something comes last
			eachShopOperation(func(o served) {
				if o.Writes() != writes || scopeOf(o.group, o.Op) != rest.ScopeCustomer {
					return
				}
				path := "/ecom" + o.Path
				for part, id := range ids {
					if strings.HasPrefix(o.Path, "/portal/"+part+"/") {
						path = "/ecom" + fill(o.Path, func(string) string { return id })
					}
				}
				look(o, path)
			})
		}
		if answered < 15 {
			w.Errorf("only %d operations of the portal answered: the law no longer looks where they are", answered)
		}
	})
}

// internalName is the name of a field that no store may have.
var internalName = regexp.MustCompile(`(?i)internal|replykey|secret|passwordhash|averagecost|unitcost|margin`)

// The document of the commerce API has no field that is for the company's own people.
func TestNoFieldOfAStoreIsInternal(t *testing.T) {
	text, err := app.Describe("ecom", "3.1")
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	seen := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if fields, ok := v["properties"].(map[string]any); ok {
				for name := range fields {
					seen++
					if internalName.MatchString(name) && name != "clientSecret" {
						t.Errorf("the commerce API has a field %s", name)
					}
				}
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(doc)
	if seen < 300 {
		t.Errorf("only %d fields were found", seen)
	}
}
