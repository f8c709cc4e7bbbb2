package app_test

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"kontor/internal/app/apptest"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What is edited can be searched for: within a second where it was edited, within two elsewhere. The bound here is
// wider, since a machine that runs tests is busy; what was measured is in the log.
func TestEditsCanBeSearchedFor(t *testing.T) {
	eachMarket(t, nothing, func(m *market) {
		m.sells("A-1", "100.00", 10)
		v, err := m.shops("seeker", "", "", "A-1")
		if err != nil {
			m.Fatal(err)
		}
		head := []string{"X-Api-Key:", "X-Tenant-Id: " + m.tenant, "X-Channel: WEB", "Authorization: Bearer " + v.token}
		find := func(node int, word string) string {
			a := m.at(node).patiently("GET", "/ecom/catalog/search?q="+url.QueryEscape(word), "", head...)
			if a.status != 200 {
				m.Fatalf("searching: %s", a)
			}
			return fmt.Sprint(a.at("items[*].itemNumber"))
		}
		for node := range m.nodes { // the shelves are open
			find(node, "thing")
		}
		for round, word := range []string{"gyroscope", "marmalade", "telescope", "harmonica", "umbrella"} {
			at := round % len(m.nodes)
			m.at(at).must(200, "PATCH", "/preview/items/A-1", fmt.Sprintf(`{"name": "Golden %s"}`, word))
			start := time.Now()
			for i := range m.nodes {
				node := (at + i) % len(m.nodes)
				for find(node, word) != "[A-1]" {
					if time.Since(start) > 10*time.Second {
						m.Fatalf("node %d does not find %q after 10 s, which was edited at node %d", node, word, at)
					}
					time.Sleep(5 * time.Millisecond)
				}
				m.Logf("edited at node %d, found at node %d after %s", at, node,
					time.Since(start).Round(time.Millisecond))
			}
		}
	})
}

// What is changed at one node is shown by the other with the next request: prices and stock, and what the visitor
// chose. All of it is looked at often enough to be remembered.
func TestEveryNodeShowsWhatIsSo(t *testing.T) {
	showsQuantities := func(tx *db.Tx) error {
		_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
			c.Store.StockDisplay = channel.ShowQuantity
			return nil
		})
		return err
	}
	eachMarket(t, showsQuantities, func(m *market) {
		m.sells("A-1", "100.00", 10)
		v, err := m.shops("looker", "", "", "A-1")
		if err != nil {
			m.Fatal(err)
		}
		head := []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + m.tenant, "X-Channel: WEB",
			"Authorization: Bearer " + v.token}
		shown := func(after string, wants ...string) {
			for node := range m.nodes {
				for range 2 { // read, then remembered
					a := m.at(node).must(200, "GET", "/ecom/catalog/products/a-1", "", head...)
					got := fmt.Sprint(a.at("price.unitPrice"), a.at("price.isPriceIncludingTax"),
						a.at("stock.quantity"))
					if got != fmt.Sprint([]string{wants[0]}, []string{wants[1]}, []string{wants[2]}) {
						m.Fatalf("after %s, node %d shows %s, not %v", after, node, got, wants)
					}
				}
				a := m.at(node).must(200, "GET", "/ecom/cart", "", head...)
				if got := fmt.Sprint(a.at("lines[0].unitPrice")); got != fmt.Sprint([]string{wants[0]}) {
					m.Fatalf("after %s, node %d has the cart at %s, not %s", after, node, got, wants[0])
				}
			}
		}
		for round := range size(24) {
			price, stock, inclusive := fmt.Sprintf("%d.00", 101+round), strconv.Itoa(11+round),
				strconv.FormatBool(round%2 == 0)
			at := m.at(round % len(m.nodes))
			at.must(200, "PATCH", "/preview/items/A-1", fmt.Sprintf(`{"salesPrice": %q}`, price))
			at.must(201, "POST", "/preview/inventory/adjustments",
				`{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": "A-1", "quantity": 1}`)
			at.must(200, "PATCH", "/ecom/session", `{"isPriceIncludingTax": `+inclusive+`}`, head...)
			shown("round "+strconv.Itoa(round), price, inclusive, stock)
		}
	})
}

// A session that is ended at one node is over at the other at once.
func TestLoggedOutEverywhere(t *testing.T) {
	eachMarket(t, nothing, func(m *market) {
		m.sells("A-1", "100.00", 10)
		head := []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + m.tenant, "X-Channel: WEB"}
		for round := range 4 {
			v, err := m.shops(fmt.Sprint("guest-", round), "", "", "A-1")
			if err != nil {
				m.Fatal(err)
			}
			mine := append(head, "Authorization: Bearer "+v.token)
			for node := range m.nodes {
				m.at(node).must(200, "GET", "/ecom/cart", "", mine...)
			}
			m.at(round).must(204, "POST", "/ecom/auth/logout", "", mine...)
			for node := range m.nodes {
				a := m.at(round+1+node).must(401, "GET", "/ecom/cart", "", mine...)
				if a.code() != "Auth.ExpiredCredential" {
					m.Errorf("after leaving: %s", a)
				}
			}
		}
	})
}

// A token opens one store of one company, for as long as it lives.
func TestATokenOfSomethingElse(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, apptest.Place(t, engine))
			other, err := s.kontor.CreateCompany(s.Context(), otherCompany())
			if err != nil {
				t.Fatal(err)
			}
			err = s.kontor.InCompany(s.Context(), "acme",
				func(tx *db.Tx) error { return office["channel"](tx, []string{"SHOP2", "WebShop", "MAIN"}) })
			if err != nil {
				t.Fatal(err)
			}
			head := func(tenant, channel, token string) []string {
				h := []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + tenant, "X-Channel: " + channel}
				if token != "" {
					h = append(h, "Authorization: Bearer "+token)
				}
				return h
			}
			opened := func(tenant, channel string) string {
				return s.one(s.must(200, "GET", "/ecom/session", "", head(tenant, channel, "")...), "sessionToken")
			}
			mine, late, gone := opened(s.company.ID, "WEB"), opened(s.company.ID, "WEB"), opened(s.company.ID, "WEB")
			ahead := opened(s.company.ID, "WEB") // by a clock that was, and is put back
			theirs, second := opened(other.ID, "WEB"), opened(s.company.ID, "SHOP2")
			for _, token := range []string{late, gone, ahead} { // what keeps nothing has nothing to end
				s.must(200, "PATCH", "/ecom/session", `{"isPriceIncludingTax": true}`,
					head(s.company.ID, "WEB", token)...)
			}
			s.must(204, "POST", "/ecom/auth/logout", "", head(s.company.ID, "WEB", gone)...)
			err = s.kontor.InCompany(s.Context(), "acme", func(tx *db.Tx) error {
				for token, ends := range map[string]db.Time{late: tx.Now - 1,
					ahead: tx.Now + 3*db.Time(storefront.Lifetime.Microseconds())} {
					n, err := tx.Exec(`-- app_test.expire
						update session set expires_at = :ends where company = :company and token_hash = :token`,
						db.Args{"ends": ends, "token": storefront.Hash(token)})
					tx.Invalidate(storefront.Sessions.Name, storefront.Hash(token))
					if err != nil || n != 1 {
						return fmt.Errorf("%d sessions were there to expire (%w)", n, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			wrong := map[string]struct{ tenant, channel, token, code string }{
				"another company's":  {s.company.ID, "WEB", theirs, "Auth.InvalidCredential"},
				"at another company": {other.ID, "WEB", mine, "Auth.InvalidCredential"},
				"another store's":    {s.company.ID, "WEB", second, "Auth.InvalidCredential"},
				"at another store":   {s.company.ID, "SHOP2", mine, "Auth.InvalidCredential"},
				"expired":            {s.company.ID, "WEB", late, "Auth.ExpiredCredential"},
				"of a clock ahead":   {s.company.ID, "WEB", ahead, "Auth.ExpiredCredential"},
				"logged out":         {s.company.ID, "WEB", gone, "Auth.ExpiredCredential"},
				"of nobody":          {s.company.ID, "WEB", "nonsense", "Auth.InvalidCredential"},
			}
			for name, c := range wrong {
				for _, ask := range [][3]string{{"GET", "/ecom/session"}, {"GET", "/ecom/cart"},
					{"GET", "/ecom/catalog/products"}, {"DELETE", "/ecom/cart"},
					{"POST", "/ecom/checkout/place", `{"termsAccepted": true}`}} {
					a := s.must(401, ask[0], ask[1], ask[2], head(c.tenant, c.channel, c.token)...)
					if a.code() != c.code || a.header.Get("WWW-Authenticate") == "" {
						t.Errorf("%s, %s %s: %v %s", name, ask[0], ask[1], a.header, a)
					}
				}
			}
			s.must(200, "GET", "/ecom/cart", "", head(s.company.ID, "WEB", mine)...)
			for _, c := range wrong { // to leave is never refused
				s.must(204, "POST", "/ecom/auth/logout", "", head(c.tenant, c.channel, c.token)...)
			}
			s.must(200, "GET", "/ecom/cart", "", head(other.ID, "WEB", theirs)...)
		})
	}
}

func otherCompany() identity.Company {
	return identity.Company{Code: "other", Name: "Other", Country: "NO", Currency: "NOK", Environment: identity.Test}
}
