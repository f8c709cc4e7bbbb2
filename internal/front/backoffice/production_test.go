package backoffice_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// A kit is made in the browser, on both engines: its bill of materials, a work order that is planned, issued and
// completed in parts; and what planning proposes to move becomes a draft that it does not propose again.
func TestAWorkOrderGoesItsWay(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/items")
		b.submit("/new/items", "itemNumber", "KIT", "name", "Tool kit", "baseUnitCode", "PCS", "taxCode", "STD")
		b.get("/new/boms")
		b.submit("/new/boms", "itemNumber", "KIT", "lines[1].itemNumber", "KIT", "lines[1].quantity", "1")
		b.see("KIT → KIT")
		b.get("/new/boms")
		b.submit("/new/boms", "itemNumber", "KIT", "lines[1].itemNumber", "A-100", "lines[1].quantity", "2")
		b.see("The bill of materials is saved.", "Through all levels today")
		b.get("/new/work-orders?item=KIT")
		b.submit("/new/work-orders", "quantity", "3")
		b.see("is saved as a draft.", "Hammer", "Draft")
		at := b.at
		b.submit(at + "/plan")
		b.see("The components that are there are reserved.", "Planned")
		b.get(at + "/issue")
		b.submit(at+"/issue", "lines[0].quantity", "2")
		b.see("The components are issued.")
		b.get(at + "/complete")
		b.submit(at+"/complete", "quantity", "1")
		b.see("What is done is in stock.", "Completed")
		b.get("/work-orders?q=kit")
		b.see(strings.TrimPrefix(at, "/work-orders/"))
		b.get("/trace?item=KIT&serial=1")
		b.see("Made of", "Went into")

		err := o.house.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "SHOP", Name: "Shop", IsActive: true,
				CountryCode: "SE"}); err != nil {
				return err
			}
			_, err := stock.ChangeItemWarehouse(tx, "A-100", "SHOP", func(w *stock.ItemWarehouse) error {
				w.IsActive, w.Replenishment, w.TransferFrom = true, "Transfer", "MAIN"
				w.SafetyStock = new(dec.Int(3))
				return nil
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b.get("/planning?warehouse=SHOP")
		b.see("Hammer", "Transfer", "Below safety stock")
		var key string
		for _, v := range b.chosen() {
			key = v
		}
		b.get("/new/drafts?chosen=" + strings.NewReplacer("|", "%7C", " ", "+").Replace(key))
		b.submit("/new/drafts", "proposals", key)
		b.see("0 purchase orders, 1 transfers and 0 work orders are drafted.")
		b.get("/planning?warehouse=SHOP")
		if got := b.column("Item"); len(got) != 0 {
			t.Errorf("what is drafted is proposed again: %q", got)
		}
	})
}

// chosen are the keys of the rows that a list offers to choose.
func (b *browser) chosen() (keys []string) {
	walk(b.doc, func(n *html.Node) {
		if attr(n, "name") == "chosen" {
			keys = append(keys, attr(n, "value"))
		}
	})
	return keys
}
