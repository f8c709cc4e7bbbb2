package app_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/db"
)

// Twenty receipts of three pieces of one line of forty: thirteen are booked, seven
// would exceed what is outstanding. Beside them as many orders are placed and released, and one receipt is reversed by
// five at once.
func TestReceiptsBesideOrders(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.item("A-2")
		s.customer("C-1")
		err := s.house.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
			_, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Supplier",
				IsActive: true})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.must(201, "POST", "/preview/purchase-orders", `{"orderNumber": "P-1", "supplierNumber": "S-1", "lines": [
			{"itemNumber": "A-1", "quantity": 40, "unitPrice": 3}, {"itemNumber": "A-2", "quantity": 100, "unitPrice": 7}]}`)
		s.must(200, "POST", "/preview/purchase-orders/P-1/send", "")
		mixed := s.answersOf(60, func(i int) (answer, error) {
			switch i % 3 {
			case 0:
				return s.try("POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 3, "unitCost": "`+
					fmt.Sprint(i)+`.5"}`)
			case 1:
				return s.try("POST", "/preview/purchase-orders/P-1/lines/2/receive", `{"quantity": 5}`)
			}
			a, err := s.try("POST", "/preview/orders", fmt.Sprintf(`{"orderNumber": "O-%d", "customerNumber": "C-1", "lines": [
				{"itemNumber": "A-2", "quantity": 4}, {"itemNumber": "A-1", "quantity": 2}]}`, i))
			if err != nil || a.status != 201 {
				return a, err
			}
			return s.try("POST", fmt.Sprintf("/preview/orders/O-%d/release", i), "")
		})
		if got := outcomes(mixed); got != "20x200 33x201 7x409 PurchaseOrderLine.QuantityExceedsOutstanding" {
			t.Fatalf("together: %s", got)
		}
		p := s.must(200, "GET", "/preview/purchase-orders/P-1", "")
		if got := fmt.Sprint(p.at("lines[*].receivedQuantity")); got != "[39 100]" {
			t.Errorf("received: %s", got)
		}
		for _, item := range []string{"A-1", "A-2"} {
			a := s.must(200, "GET", "/preview/items/"+item+"/availability", "")
			if got, want := fmt.Sprint(a.at("totalAllocatedQuantity"), a.at("totalQuantityOnHand")),
				map[string]string{"A-1": "[39] [39]", "A-2": "[80] [100]"}[item]; got != want {
				t.Errorf("%s: %s, want %s", item, got, want)
			}
		}
		last := s.one(s.must(200, "GET", "/preview/receipts?pageSize=1", ""), "items[0].receiptNumber")
		done := make([]error, 5)
		together(len(done), len(done), func(i int) {
			done[i] = s.house.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
				_, err := purchasing.ReverseReceipt(tx, last, "keyed wrongly")
				return err
			})
		})
		reversed := 0
		for _, err := range done {
			if err == nil {
				reversed++
			}
		}
		if reversed != 1 {
			t.Errorf("reversed %d times: %v", reversed, done)
		}
	})
}
