package backoffice_test

import (
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
)

// A transfer goes its way in the browser, on both engines: written, released, shipped in part, received in part, the
// rest written off.
func TestATransferGoesItsWay(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "SHOP", Name: "Shop", IsActive: true,
				CountryCode: "SE"}); err != nil {
				return err
			}
			return reference.SaveLocations(tx, reference.Location{Warehouse: "SHOP", Code: "S-1", Name: "S-1",
				IsPickable: true, IsActive: true})
		})
		if err != nil {
			t.Fatal(err)
		}
		b.get("/new/transfers")
		b.submit("/new/transfers", "fromWarehouseCode", "MAIN", "toWarehouseCode", "MAIN", "lines[1].itemNumber",
			"A-100", "lines[1].quantity", "4")
		b.see("the goods are in MAIN already: name another warehouse")
		b.submit("/new/transfers", "fromWarehouseCode", "MAIN", "toWarehouseCode", "MAIN", "lines[1].itemNumber",
			"A-100", "lines[1].quantity", "a few", "lines[2].itemNumber", "A-101", "lines[2].quantity", "1")
		b.see("is no number", "the goods are in MAIN already", "there is no item A-101") // everything at once
		b.submit("/new/transfers", "fromWarehouseCode", "MAIN", "toWarehouseCode", "SHOP", "lines[1].itemNumber",
			"A-100", "lines[1].quantity", "4", "lines[2].itemNumber", "", "lines[2].quantity", "")
		b.see("is saved as a draft.", "Hammer", "Draft")
		at := b.at
		b.get(at + "/edit")
		b.submit(at+"/edit", "lines[0].quantity", "5", "notes", "With the van")
		b.see("Saved.", "With the van")
		b.submit(at + "/release")
		b.see("The goods are reserved.", "Released")
		b.get(at + "/ship")
		b.submit(at+"/ship", "lines[0].quantity", "4")
		b.see("The goods are in transit.", "What left", "A-01")
		b.get(at + "/receive")
		b.submit(at+"/receive", "lines[0].quantity", "3", "lines[0].locationCode", "S-1")
		b.see("is booked.", "S-1", strings.TrimPrefix(at, "/transfers/"))
		b.get(at)
		b.see("Partially received", "Goods receipts")
		b.get(at + "/write-off")
		b.submit(at+"/write-off", "reason", "Fell off the van")
		b.see("What was missing is written off.", "Received", "Fell off the van")
		b.get("/transfers?search=shop")
		b.see(strings.TrimPrefix(at, "/transfers/"))
	})
}
