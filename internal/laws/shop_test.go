package laws

import (
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
	"kontor/internal/front/rest/resttest"
)

// eachShopOperation goes through the operations of the commerce API.
func eachShopOperation(fn func(o served)) {
	for _, g := range app.Commerce(nil).Groups {
		for _, o := range g.Ops {
			fn(served{g, o})
		}
	}
}

// shopPath is the path of an operation to a record that nobody has.
func shopPath(o rest.Op) string {
	return "/ecom" + fill(o.Path, func(string) string { return "00000000-0000-7000-8000-00000000dead" })
}

// visitor opens a session in a company's store, signed in as a contact where there is one.
func (w *world) visitor(company, channel string, c *party.Contact, customer party.Customer) []string {
	w.Helper()
	headers := []string{"X-Tenant-Id: " + company, "X-Channel: " + channel}
	a := w.send("", "GET", "/ecom/session", "", headers...)
	token := a.text("sessionToken")
	if a.Code != 200 || token == "" {
		w.Fatalf("no session: %d %s", a.Code, a.Body)
	}
	headers = append(headers, "Authorization: Bearer "+token)
	if c == nil {
		return headers
	}
	err := w.open.InCompany(w.Context(), company, func(tx *db.Tx) error {
		tx.Party = storefront.Holder(storefront.Guest{Channel: channel}, token)
		if err := storefront.Admit(tx, rest.ScopeSession); err != nil {
			return err
		}
		return storefront.SignIn(tx, storefront.Customer{ID: customer.ID, Number: customer.Number},
			storefront.Contact{ID: c.ID, Name: c.Name, Email: c.Email, Role: storefront.RoleOf(c.Role)})
	})
	if err != nil {
		w.Fatal(err)
	}
	return headers
}

// person makes a customer with somebody who may do everything for it.
func (w *world) person(number string) (customer party.Customer, c party.Contact) {
	w.Helper()
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) (err error) {
		if customer, err = party.Create(tx, party.Customer{Number: number, Name: number, IsActive: true,
			CountryCode: "SE"}); err != nil {
			return err
		}
		c, err = party.CreateContact(tx, number, party.Contact{Name: number, Email: strings.ToLower(number) +
			"@example.com", Role: string(storefront.Admin), IsActive: true, HasPortalAccess: true})
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return customer, c
}

// ids are the ids of the first company's records by the part of the portal that shows them; all are one customer's.
func (w *world) ids() map[string]string {
	w.Helper()
	ids := map[string]string{"contacts": w.names["contactId"], "addresses": w.names["addressId"]}
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) error {
		o, err := sales.Find(tx, w.names["orderNumber"])
		if err != nil {
			return err
		}
		i, err := invoicing.Find(tx, w.names["invoiceNumber"])
		if err != nil {
			return err
		}
		s, err := shipping.Find(tx, w.names["shipmentNumber"])
		if err != nil {
			return err
		}
		r, err := returns.Find(tx, w.names["returnNumber"])
		if err != nil {
			return err
		}
		t, err := support.Find(tx, w.names["ticketNumber"])
		if err != nil {
			return err
		}
		q, err := quoting.Find(tx, w.names["quoteNumber"])
		if err != nil {
			return err
		}
		for part, id := range map[string]string{"orders": o.ID, "order-approvals": o.ID, "invoices": i.ID,
			"shipments": s.ID, "returns": r.ID, "tickets": t.ID, "quotes": q.ID} {
			ids[part] = id
		}
		return portal.HoldForApproval(tx,
			&storefront.Visit{Contact: storefront.Contact{ID: w.names["contactId"], Name: "Anna"}}, &o)
	})
	if err != nil {
		w.Fatal(err)
	}
	return ids
}

// watchShop holds the answers of the commerce API against its own document from now on.
func (w *world) watchShop() {
	w.Helper()
	text, err := app.Describe("ecom", "3.1")
	if err != nil {
		w.Fatal(err)
	}
	doc, err := resttest.Parse(text)
	if err != nil {
		w.Fatal(err)
	}
	w.kontor = doc.Watch(w.T, w.open)
}

// Nobody gets anywhere in a store without a session of that store, nor in the portal without a sign-in.
func TestEveryShopOperationNeedsItsSession(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.watchShop()
		other, err := w.open.Company(w.Context(), "other")
		if err != nil {
			w.Fatal(err)
		}
		guest := w.visitor(w.first.ID, "WEB", nil, party.Customer{})
		theirs := w.visitor(other.ID, "WEB", nil, party.Customer{})
		stolen := append([]string{guest[0], guest[1]}, theirs[2])
		eachShopOperation(func(o served) {
			if o.Traits.Open {
				return
			}
			// what some require; others ignore it
			path := shopPath(o.Op) + "?path=/x&number=x&q=x&itemIds=00000000-0000-7000-8000-00000000dead"
			a := w.send("", o.Method, path, o.body(), append(o.headers(w), guest[:2]...)...)
			if w.expect("without a session", o, a, 401, "Auth.MissingCredential") && a.Header().
				Get("WWW-Authenticate") == "" {
				w.Errorf("%s: a 401 without WWW-Authenticate", o.ID)
			}
			w.expect("without a company", o,
				w.send("", o.Method, path, o.body(), append(o.headers(w), theirs[1], theirs[2])...), 401,
				"Auth.MissingCredential")
			w.expect("with another company's session", o,
				w.send("", o.Method, path, o.body(), append(o.headers(w), stolen...)...), 401, "Auth.InvalidCredential")
			if scopeOf(o.group, o.Op) == rest.ScopeCustomer {
				w.expect("without a sign-in", o,
					w.send("", o.Method, path, o.body(), append(o.headers(w), guest...)...), 401,
					"Auth.InvalidCredential")
			}
		})
	})
}

// A record of another customer is answered as one that never was, by every operation of the portal that names one.
func TestRecordsOfAnotherCustomerDoNotExist(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		first := w.ids()
		w.watchShop()
		customer, c := w.person("STRANGER")
		signed := w.visitor(w.first.ID, "WEB", &c, customer)
		asked := 0
		eachShopOperation(func(o served) {
			if scopeOf(o.group, o.Op) != rest.ScopeCustomer || !parameter.MatchString(o.Path) ||
				strings.Contains(o.Path, "favourites") {
				return
			}
			own := ""
			for part, id := range first {
				if strings.HasPrefix(o.Path, "/portal/"+part+"/") {
					own = "/ecom" + fill(o.Path, func(string) string { return id })
				}
			}
			if own == "" {
				w.Errorf("%s names a record of a kind that this law does not know: %s", o.ID, o.Path)
				return
			}
			asked++
			never := w.send("", o.Method, shopPath(o.Op), o.body(), append(o.headers(w), signed...)...)
			if !w.expect("of a record that never was", o, never, 404, "") {
				return
			}
			foreign := w.send("", o.Method, own, o.body(), append(o.headers(w), signed...)...)
			if w.expect("of another customer's record", o, foreign, 404, never.code()) &&
				foreign.text("title") != never.text("title") {
				w.Errorf("%s tells another customer's record from none: %s %s", o.ID, never.Body, foreign.Body)
			}
		})
		if asked < 10 {
			w.Errorf("only %d operations were asked: the law no longer looks where they are", asked)
		}
	})
}
