package app_test

import (
	"fmt"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
)

// An item or a customer is deleted, or the way an item is tracked is changed, while somebody names it for the first
// time: one of the two is refused, so no document, no stock and no ticket names what is gone, and no goods lie there
// without their serial numbers.
func TestWhatIsNamedIsNotDeleted(t *testing.T) {
	const order = `{"customerNumber": %q, "lines": [{"itemNumber": %q, "quantity": 1}]}`
	const adjust = `{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": %[2]q, "quantity": 2}`
	tracked := [3]string{"PATCH", "/preview/items/%[2]s", `{"trackingType": "Serial"}`}
	item := [3]string{"DELETE", "/preview/items/%[2]s", ""}
	const work = 1 // in the order of the races: its item is a service, which has no stock
	customer := [3]string{"DELETE", "/preview/customers/%[1]s", ""}
	eachShop(t, func(s *shop) {
		err := s.kontor.InCompany(t.Context(), s.company.ID,
			func(tx *db.Tx) error { return office["warehouse"](tx, []string{"SHOP", "S-1"}) })
		if err != nil {
			t.Fatal(err)
		}
		s.must(201, "POST", "/preview/suppliers", `{"supplierNumber": "S-1", "name": "S"}`)
		for n, race := range []struct{ away, named [3]string }{
			{item, [3]string{"POST", "/preview/orders", order}},
			work: {item, [3]string{"POST", "/preview/orders", order}},
			{item, [3]string{"POST", "/preview/quotes", order}},
			{item, [3]string{"POST", "/preview/inventory/adjustments", adjust}},
			{item, [3]string{"POST", "/preview/purchase-orders",
				`{"supplierNumber": "S-1", "lines": [{"itemNumber": %[2]q, "quantity": 1, "unitPrice": 1}]}`}},
			{item, [3]string{"POST", "/preview/transfers", `{"fromWarehouseCode": "MAIN", "toWarehouseCode": "SHOP",
				"lines": [{"itemNumber": %[2]q, "quantity": 1}]}`}},
			{tracked, [3]string{"POST", "/preview/inventory/adjustments", adjust}},
			{customer, [3]string{"POST", "/preview/orders", order}},
			{customer, [3]string{"POST", "/preview/tickets", `{"customerNumber": %[1]q, "subject": "Hello"}`}},
			{customer, [3]string{"POST", "/preview/quotes", order}},
		} {
			for round := range 12 {
				c, i := fmt.Sprintf("C-%d-%d", n, round), fmt.Sprintf("I-%d-%d", n, round)
				s.customer(c)
				s.item(i)
				if n == work {
					s.must(200, "PATCH", "/preview/items/"+i, `{"type": "Service"}`)
				}
				both := s.answersOf(2, func(k int) (answer, error) {
					r := [][3]string{race.away, race.named}[k]
					said := func(text string) string {
						if !strings.Contains(text, "%") {
							return text
						}
						return strings.Split(fmt.Sprintf(text, c, i), "%!(EXTRA")[0]
					}
					return s.try(r[0], said(r[1]), said(r[2]))
				})
				if (both[0].status < 300) == (both[1].status < 300) {
					t.Errorf("%s %s and %s %s: %s", race.away[0], race.away[1], race.named[0], race.named[1],
						outcomes(both))
				}
			}
		}
	})
}

// A customer is deleted while he buys in the store for the first time: he has his order, or he is gone, and what he
// orders afterwards is a guest's.
func TestWhoBuysIsNotDeleted(t *testing.T) {
	const rounds = 24
	name := func(round int) string { return fmt.Sprint("ida-", round) }
	hash, err := identity.NewHasher().Hash(t.Context(), rightPassword)
	if err != nil {
		t.Fatal(err)
	}
	customers := func(tx *db.Tx) error {
		for round := range rounds {
			c, err := party.Create(tx, party.Customer{Number: name(round), Name: "Ida", IsActive: true})
			if err == nil {
				_, err = party.CreateContact(tx, c.Number, party.Contact{Name: "Ida", Email: name(round) + "@example.com",
					HasPortalAccess: true, IsActive: true, PasswordHash: hash})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	eachMarket(t, customers, func(m *market) {
		m.sells("A-1", "100.00", rounds)
		for round := range rounds {
			b, err := m.shops(name(round), "", "PREPAYMENT", "A-1")
			if err == nil {
				_, err = b.does(200, "POST", "/ecom/auth/login",
					fmt.Sprintf(`{"email": "%s@example.com", "password": %q}`, b.name, rightPassword))
			}
			if err != nil {
				m.Fatal(err)
			}
			var both [2]answer
			m.all(2, func(k int) (err error) {
				if k == 0 {
					both[k], err = b.places()
				} else {
					both[k], err = m.at(round).try("DELETE", "/preview/customers/"+b.name, "")
				}
				return err
			})
			if both[0].status < 300 {
				c := m.at(round)
				o := c.must(200, "GET", "/preview/orders/"+c.one(both[0], "orderNumber"), "")
				c.must(200, "GET", "/preview/customers/"+c.one(o, "customerNumber"), "")
			} else if both[1].status >= 300 {
				m.Errorf("round %d: %s", round, outcomes(both[:]))
			}
		}
	})
}
