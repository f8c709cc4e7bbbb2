package backoffice_test

import (
	"slices"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Each sees first what waits for him: a purchaser what is to be sent and what is late, a picker what is to be picked
// and what comes today; and each figure leads to the list of what it counts.
func TestEachSeesWhatWaitsForHim(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		goods(o.signedIn("anna@acme.test", identity.Admin))
		err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			if _, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Toolmaker",
				IsActive: true}); err != nil {
				return err
			}
			for n, due := range []int{-3, 0, 0, 5} {
				made, err := purchasing.CreateOrder(tx, purchasing.NewOrder{
					OrderHead: purchasing.OrderHead{SupplierNumber: "S-1", WarehouseCode: "MAIN",
						OrderDate: tx.Today().AddDays(-9), ExpectedDate: tx.Today().AddDays(due)},
					Lines: []purchasing.NewLine{{Item: "A-100", Quantity: dec.One, UnitPrice: new(dec.Int(4))}}})
				if err == nil && n != 3 {
					_, err = purchasing.SendOrder(tx, made.Number)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b := o.signedIn("bo@acme.test", identity.Purchasing)
		b.get("/")
		b.see("PurchasingPurchase orders to send1Not confirmed yet3Late goods1Invoices to approve0", "Goods to come today2")
		b.get("/purchase-orders?due=late")
		if got := len(b.column("Number")); got != 1 {
			t.Errorf("%d orders are late, want 1", got)
		}
		b.get("/purchase-orders?due=today")
		if got := len(b.column("Number")); got != 2 {
			t.Errorf("%d orders are due today, want 2", got)
		}
		b = o.signedIn("carl@acme.test", identity.Warehouse)
		b.get("/")
		b.see("WarehouseShipments to pick0", "Transfers to ship0", "Counts under way0")
	})
}

// However much was ordered, and however much of it is missing, the pages that add it up are there and say that it is
// more.
func TestFiguresEndWhereSumsWouldNot(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		much := sales.NewLine{Description: "Everything", Quantity: dec.One, UnitPrice: new(dec.Int(7_900_000_000))}
		many := sales.NewLine{Item: "A-100", Quantity: dec.Int(100_000_000), UnitPrice: new(dec.Dec(10_000))}
		err := o.kontor.InCompany(t.Context(), o.company.ID, func(tx *db.Tx) error {
			var all []sales.Placing
			for range 13 {
				all = append(all, sales.Placing{CustomerNumber: "C-1", Lines: slices.Repeat([]sales.NewLine{much}, 10)},
					sales.Placing{CustomerNumber: "C-1", Lines: slices.Repeat([]sales.NewLine{many}, 800)})
			}
			orders, err := sales.PlaceMany(tx, all, stock.AsMuchAsThereIs)
			for i, o := range orders {
				if i%2 == 1 { // nothing of it is there
					continue
				}
				if err == nil {
					_, err = sales.Release(tx, o.Number)
				}
				if err == nil {
					_, err = invoicing.FromOrders(tx, []string{o.Number}, tx.Today(), invoicing.BookedAtOnce())
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b.get("/")
		b.see("To be paidover 999,999,999,999 SEK", "10,400over 999,999,999,999")
		b.get("/customers/C-1")
		b.see("over 999,999,999,999")
		b.get("/planning/A-100/MAIN")
		b.see("Quantity too large", "below −999,999,999,999")
		b.follow([]string{"/", "/customers/C-1", "/items/A-100", "/planning"}, func(string) {})
	})
}
