package backoffice_test

import (
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
)

// Who looks at an order that somebody at the customer has to approve sees it before releasing it over their heads.
func TestAnOrderSaysThatItsCustomerHasToApproveIt(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		number := order(b)
		b.miss("Waits for the customer")
		err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			placed, err := sales.Find(tx, number)
			if err != nil {
				return err
			}
			contact, err := party.CreateContact(tx, "C-1", party.Contact{Name: "Ola Ek", Email: "ola@buyer.test"})
			if err != nil {
				return err
			}
			buyer := storefront.Contact{ID: contact.ID, Name: contact.Name}
			return portal.HoldForApproval(tx, &storefront.Visit{Contact: buyer}, &placed)
		})
		if err != nil {
			t.Fatal(err)
		}
		b.get("/orders/" + number)
		b.see("Waits for the customer", "Ola Ek ordered this", "Nobody there may")
		err = o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			_, err := party.CreateContact(tx, "C-1", party.Contact{Name: "Eva Ek", Email: "eva@buyer.test",
				IsActive: true, HasPortalAccess: true, Role: string(storefront.Approver)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b.get("/orders/" + number)
		b.see("Waits for the customer", "Ola Ek ordered this")
		b.miss("Nobody there may")
		b.submit("/orders/" + number + "/release")
		b.miss("Waits for the customer")
	})
}
