package backoffice_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// boughtBefore lets the company buy hammers once, and have ten more on order; one was used.
func boughtBefore(o *office) {
	o.t.Helper()
	err := o.kontor.InCompany(o.t.Context(), o.company.ID, func(tx *db.Tx) error {
		if _, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Toolmaker",
			IsActive: true}); err != nil {
			return err
		}
		if _, err := purchasing.SaveItems(tx, "S-1", []purchasing.Draft{{Item: "A-100",
			Edit: func(i *purchasing.SupplierItem) error {
				i.UnitPrice, i.MinOrderQuantity, i.OrderMultiple = new(dec.Int(5)), new(dec.Int(10)), new(dec.Int(2))
				return nil
			}}}); err != nil {
			return err
		}
		for _, price := range []int64{3, 4} {
			p, err := purchasing.CreateOrder(tx, purchasing.NewOrder{
				OrderHead: purchasing.OrderHead{SupplierNumber: "S-1", WarehouseCode: "MAIN"},
				Lines: []purchasing.NewLine{
					{Item: "A-100", Quantity: dec.Int(5), UnitPrice: new(dec.Int(price))}}})
			if err != nil {
				return err
			}
			if _, err := purchasing.SendOrder(tx, p.Number); err != nil {
				return err
			}
		}
		if _, err := purchasing.CreateOrder(tx, purchasing.NewOrder{Number: "DRAFT",
			OrderHead: purchasing.OrderHead{SupplierNumber: "S-1", WarehouseCode: "MAIN"},
			Lines:     []purchasing.NewLine{{Item: "A-100", Quantity: dec.Int(20)}}}); err != nil {
			return err
		}
		i, err := catalog.Find(tx, "A-100")
		if err != nil {
			return err
		}
		_, err = stock.Issue(tx, []stock.Move{{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN",
			Quantity: dec.One}})
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// What is agreed with a supplier on an item is not lost to somebody who adds the item once more.
func TestAnItemOfASupplierIsAddedOnce(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		boughtBefore(o)
		b.get("/suppliers/S-1/items/new")
		b.submit("/suppliers/S-1/items/new", "itemNumber", "a-100", "supplierItemNumber", "T-1")
		b.see("the supplier has item A-100 already: edit what stands there")
		b.get("/suppliers/S-1/items")
		b.see("5.00")
		b.get("/suppliers/S-1/item/A-100")
		b.submit("/suppliers/S-1/item/A-100", "supplierItemNumber", "T-1")
		b.see("Saved.")
	})
}

// A purchaser sees beside each line what the item cost, what is there, comes and goes: while typing, and on the draft.
func TestWhatStandsBehindALine(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		boughtBefore(o)
		b.get("/beside/purchases?q=a-100&supplierNumber=S-1&warehouseCode=MAIN")
		var said []struct{ Label string }
		if err := json.Unmarshal([]byte(b.text), &said); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range said {
			got = append(got, s.Label)
		}
		all := strings.Join(got, "; ")
		for _, want := range []string{"Hammer; Toolmaker: 5.00 SEK, at least 10, in multiples of 2; Last 4.00 SEK, ",
			"Toolmaker; Main warehouse: ", "9 available, 10 to come, 1 out in 4 weeks"} {
			if !strings.Contains(all, want) {
				t.Errorf("%q does not say %q", all, want)
			}
		}
		b.get("/beside/purchases?q=NOTHING")
		if strings.TrimSpace(b.text) != "[]" {
			t.Errorf("of nothing is said %s", b.text)
		}
		b.get("/beside/purchases?q=A-100&order=DRAFT")
		if !strings.Contains(b.text, "Toolmaker: 5.00 SEK") {
			t.Errorf("the supplier of the order is not asked: %s", b.text)
		}
		b.get("/purchase-orders/DRAFT")
		b.see("Last price", "4.00 SEK", "To come", "Out in 4 weeks")
	})
}

// The same in a real browser: what is said follows the item, and the supplier who is chosen later.
func TestABrowserSaysWhatStandsBehindALine(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	goods(o.signedIn("anna@acme.test", identity.Admin))
	boughtBefore(o)
	said := func(row string) string {
		return `[...document.querySelectorAll("tr")].find((r) => r.querySelector("[name='lines[` + row +
			`].itemNumber']")).querySelector(".beside").innerText`
	}
	w.do("sign in", w.to("/new/purchase-orders"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		chromedp.WaitVisible(chromedp.CSS("#f-supplierNumber")))
	w.do("an item", typed("lines_1__itemNumber", "A-100\t"), chromedp.WaitVisible(chromedp.CSS(".beside span")))
	if got := w.ask(said("1")); !strings.Contains(got, "Last 4.00 SEK") || strings.Contains(got, "at least") {
		t.Errorf("beside the line stands %q", got)
	}
	w.do("its supplier", typed("supplierNumber", "S-1\t"), chromedp.WaitVisible(
		chromedp.CSS(".beside span:nth-child(4)")))
	if got := w.ask(said("1")); !strings.Contains(got, "at least 10") {
		t.Errorf("with a supplier stands %q", got)
	}
	if got := w.ask(said("0")); got != "" {
		t.Errorf("beside an empty line stands %q", got)
	}
	w.do("another row", click("[data-more]"))
	if got := w.ask(said("3")); got != "" {
		t.Errorf("beside a new line stands %q", got)
	}
}
