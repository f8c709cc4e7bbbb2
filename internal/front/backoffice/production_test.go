package backoffice_test

import (
	"strings"
	"testing"
	"time"

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
		if b.find(func(n *html.Node) bool { return attr(n, "name") == "lines[3].itemNumber" }) != nil {
			t.Error("a refusal adds blank rows")
		}
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
		b.submit(at+"/complete", "quantity", "1", "lines[0].itemNumber", "A-100", "lines[0].quantity", "2")
		b.see("What is done is in stock.", "Completed")
		b.get("/work-orders?q=kit")
		b.see(strings.TrimPrefix(at, "/work-orders/"))
		b.get("/trace?item=KIT&serial=1")
		b.see("Made of", "Went into")

		err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
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
		b.get("/planning/A-100/SHOP")
		b.see("A-100, SHOP", "Stock by day", "Below safety stock", "Proposed", "Make drafts")
		b.get("/planning/A-100/MAIN")
		b.see("Components", "What comes and goes")
		b.get("/new/drafts?chosen=" + strings.NewReplacer("|", "%7C", " ", "+").Replace(key))
		b.submit("/new/drafts", "proposals", key)
		b.see("Drafts made: purchase orders 0, transfers 1, work orders 0.", "Transfer ", "Draft", "Hammer")
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

// A purchaser sees why something is proposed: the stock by day, without and with it, as wide as the window.
func TestTheOutlookIsDrawn(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	for days, quantity := range map[int]string{3: "2", 12: "4", 25: "7"} {
		b.get("/new/orders?customer=C-1")
		b.submit("/new/orders", "customerNumber", "C-1", "lines[1].itemNumber", "A-100", "lines[1].quantity", quantity,
			"requestedDeliveryDate", time.Now().AddDate(0, 0, days).Format(time.DateOnly))
		b.see("is placed.")
	}
	b.get("/items/A-100/replenishment/MAIN")
	b.submit("/items/A-100/replenishment/MAIN", "lotSizing", "FixedReorderQuantity", "reorderQuantity", "6", "minQuantity",
		"5", "leadTimeDays", "10")
	w := o.shown()
	w.do("sign in", w.to("/sign-in"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("nav"))
	w.do("the outlook", w.to("/planning/A-100/MAIN"), said("svg.chart"))
	if told := w.ask(`document.querySelector("svg.chart").getAttribute("aria-label")`); !strings.Contains(told,
		"Without the proposals: lowest −3 on ") || !strings.Contains(told, "With the proposals: lowest ") {
		t.Errorf("to those who do not see it the chart tells %q", told)
	}
	w.looksAt("outlook")
}

// Serial numbers are typed with whatever stands between them, and each refusal stands at the field that it is about,
// the pieces' own and the components'.
func TestPiecesAreNamed(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		for _, n := range []string{"KIT", "LAMP"} {
			b.get("/new/items")
			b.submit("/new/items", "itemNumber", n, "name", "A "+n, "baseUnitCode", "PCS", "taxCode", "STD",
				"trackingType", "Serial")
		}
		for _, n := range []string{"L1", "L2"} {
			b.get("/new/adjustments")
			b.submit("/new/adjustments", "itemNumber", "LAMP", "warehouseCode", "MAIN", "locationCode", "A-01", "quantity",
				"1", "serialNumber", n)
			b.see("The stock is adjusted.")
		}
		b.get("/new/boms")
		b.submit("/new/boms", "itemNumber", "KIT", "lines[0].itemNumber", "LAMP", "lines[0].quantity", "1",
			"lines[1].itemNumber", "A-100", "lines[1].quantity", "2")
		b.see("A KIT", "A LAMP", "Hammer", "2 PCS")
		b.get("/boms")
		if got := b.column("Name"); len(got) != 1 || got[0] != "A KIT" {
			t.Errorf("the bill of materials is of %q", got)
		}
		b.get("/new/work-orders?item=KIT")
		b.submit("/new/work-orders", "quantity", "3")
		at := b.at
		b.submit(at + "/plan")
		b.get(at + "/complete")
		b.submit(at+"/complete", "quantity", "2")
		b.see("item KIT is tracked by serial number: name it")
		if field := b.find(func(n *html.Node) bool { return attr(n, "name") == "serialNumbers" }); attr(field,
			"aria-invalid") != "true" {
			t.Error("the field of the pieces' serial numbers is not marked")
		}
		b.submit(at+"/complete", "quantity", "2", "serialNumbers", "K1, K2", "lines[0].quantity", "2",
			"lines[0].serialNumbers", "L1;L2")
		b.see("What is done is in stock.", "Cost of one")
		b.get(at + "/finish")
		b.submit(at + "/finish")
		b.see("The work order is finished.")
		if got := b.column("Missing"); len(got) != 2 || got[0] != "" {
			t.Errorf("of what is finished %q are missing", got)
		}
		b.get("/trace?item=KIT&serial=K1")
		b.see("LAMP")
	})
}
