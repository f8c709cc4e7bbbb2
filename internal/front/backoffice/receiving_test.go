package backoffice_test

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// toReceive is an order of hammers that is on its way; a box of them holds twelve.
func toReceive(o *office) {
	o.t.Helper()
	err := o.kontor.InCompany(o.t.Context(), o.company.ID, func(tx *db.Tx) error {
		if err := reference.SaveUnits(tx, reference.Unit{Code: "BOX", Name: "Box", IsActive: true}); err != nil {
			return err
		}
		if _, err := catalog.Change(tx, "A-100", func(i *catalog.Item) error {
			i.GTIN, i.Units = "4006381333931", []catalog.Unit{{Code: "BOX", Factor: dec.Int(12), GTIN: "9780201379624"}}
			return nil
		}); err != nil {
			return err
		}
		if _, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Toolmaker",
			IsActive: true}); err != nil {
			return err
		}
		if _, err := purchasing.CreateOrder(tx, purchasing.NewOrder{Number: "P-1",
			OrderHead: purchasing.OrderHead{SupplierNumber: "S-1", WarehouseCode: "MAIN"},
			Lines: []purchasing.NewLine{
				{Item: "A-100", Quantity: dec.Int(20), UnitPrice: new(dec.Int(4))}}}); err != nil {
			return err
		}
		_, err := purchasing.SendOrder(tx, "P-1")
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// Goods are received by scanning: each scan counts up its row, a box by what it holds, what is not on the order is
// refused, nothing is booked before the button, and what was typed stays.
func TestGoodsAreReceivedByScanning(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		toReceive(o)
		b.get("/purchase-orders/P-1/confirm")
		if b.find(func(n *html.Node) bool { return attr(n, "value") == "lines" }) != nil {
			t.Error("lines may be added to what is confirmed")
		}
		b.submit("/purchase-orders/P-1/confirm", "lines[0].unitPrice", "4.5")
		b.see("The confirmation is recorded.", "4.50")
		const at = "/purchase-orders/P-1/receive"
		b.get(at)
		if b.find(func(n *html.Node) bool { return attr(n, "name") == "lines[0].batchNumber" }) != nil {
			t.Error("the batch is asked of goods that have none")
		}
		b.submit(at, "_scan", "4006381333931", "lines[0].locationCode", "A-01")
		b.see("A-100: 1 counted.")
		b.submit(at, "_scan", "9780201379624")
		b.see("A-100: 13 counted.")
		b.submit(at, "_scan", "a-100")
		if got := b.value("lines[0].quantity"); got != "14" {
			t.Errorf("%q are counted, want 14", got)
		}
		b.submit(at, "_scan", "9780201379617")
		b.see("there is no item")
		if got := b.value("lines[0].quantity"); got != "14" {
			t.Errorf("after a scan that was refused %q are counted, want 14", got)
		}
		b.submit(at)
		b.see("is booked.", "A-01")
		b.get("/purchase-orders/P-1")
		b.see("Partially received", "14 PCS")
	})
}

// What came in batches says on its receipt until when it keeps, and who sends it on is offered the batches that lie
// there, what expires first before the rest.
func TestBatchesAreOfferedWhereGoodsLeave(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		o.write(func(tx *db.Tx) error {
			_, err := catalog.Create(tx, catalog.Item{Number: "GLUE", Name: "Glue", BaseUnit: "PCS", TaxCode: "STD",
				Type: catalog.Stock, Replenishment: catalog.Purchase, Tracking: catalog.Batch, IsActive: true})
			if err != nil {
				return err
			}
			return reference.SaveWarehouses(tx, reference.Warehouse{Code: "SHOP", Name: "Shop", IsActive: true})
		})
		toReceive(o)
		for _, batch := range [][2]string{{"LATE", "2031-05-01"}, {"SOON", "2030-05-01"}} {
			b.get("/new/purchase-orders")
			b.submit("/new/purchase-orders", "supplierNumber", "S-1", "warehouseCode", "MAIN", "lines[0].itemNumber",
				"GLUE", "lines[0].quantity", "7", "lines[0].unitPrice", "2")
			at := b.at
			b.get(at + "/send")
			b.submit(at + "/send")
			b.get(at + "/receive")
			b.submit(at+"/receive", "lines[0].quantity", "7", "lines[0].locationCode", "A-01",
				"lines[0].batchNumber", batch[0], "lines[0].expiryDate", batch[1])
			b.see("is booked.", "7 PCS", "1 May 203")
		}
		b.get("/new/transfers")
		b.submit("/new/transfers", "fromWarehouseCode", "MAIN", "toWarehouseCode", "SHOP", "lines[0].itemNumber",
			"GLUE", "lines[0].quantity", "3")
		at := b.at
		b.submit(at + "/release")
		b.get(at + "/ship")
		offered := attr(b.find(byName("lines[0].batchNumber")), "data-lookup")
		if got := b.finds(offered, ""); !slices.Equal(got, []string{"SOON", "LATE"}) {
			t.Errorf("%s offers %q", offered, got)
		}
		if got := b.finds(offered, "la"); !slices.Equal(got, []string{"LATE"}) {
			t.Errorf("%s finds %q for what was typed", offered, got)
		}
	})
}

// A scanner ends each code with Enter, wherever it is typed into: it counts, and books nothing.
func TestABrowserCountsWhatIsScanned(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	goods(o.signedIn("anna@acme.test", identity.Admin))
	toReceive(o)
	counted := func(n string) chromedp.Action[chromedp.Void] {
		return said("[name='lines[0].quantity'][value='" + n + "']")
	}
	w.do("sign in", w.to("/purchase-orders/P-1/receive"), typed("email", "anna@acme.test"),
		typed("password", password+"\r"), said("#f-_scan"))
	w.do("a box", chromedp.KeyEvent("9780201379624\r"), counted("12"))
	w.see("A-100: 12 counted.")
	w.do("a piece", chromedp.KeyEvent("A-100\r"), counted("13"))
	w.do("Enter in another field", typed("lines_0__quantity", "4\r"), counted("413"))
	w.see("Each scan counts one up")
	if got := w.ask("String(document.getElementsByName('lines[1].quantity').length)"); got != "0" {
		t.Error("a scan adds a row")
	}
}

// A document of as many lines as it may have is read out of its form, which has several fields for each.
func TestTheLongestOrderIsReceived(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		lines := make([]purchasing.NewLine, purchasing.MaxLines)
		for i := range lines {
			lines[i] = purchasing.NewLine{Item: "A-100", Quantity: dec.Int(1), UnitPrice: new(dec.Int(4))}
		}
		if err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			if _, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Toolmaker",
				IsActive: true}); err != nil {
				return err
			}
			if _, err := purchasing.CreateOrder(tx, purchasing.NewOrder{Number: "P-1",
				OrderHead: purchasing.OrderHead{SupplierNumber: "S-1", WarehouseCode: "MAIN"}, Lines: lines}); err != nil {
				return err
			}
			_, err := purchasing.SendOrder(tx, "P-1")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		const at = "/purchase-orders/P-1/receive"
		b.get(at)
		b.submit(at, "lines[4999].quantity", "1", "lines[4999].locationCode", "A-01")
		b.see("is booked.")
	})
}
