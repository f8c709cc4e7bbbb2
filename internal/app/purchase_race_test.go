package app_test

import (
	"fmt"
	"strconv"
	"testing"

	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Twenty receipts of three pieces of one line of forty: thirteen are booked, seven
// would exceed what is outstanding. Beside them as many orders are placed and released, and one receipt is reversed by
// five at once.
func TestReceiptsBesideOrders(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.item("A-2")
		s.customer("C-1")
		err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
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
		last := s.one(mixed[1], "receiptNumber") // of A-2, of which some are promised to nobody
		done := make([]error, 5)
		together(len(done), len(done), func(i int) {
			done[i] = s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
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

// Receipts are reversed while orders want their goods: a piece is promised or taken back, never both.
func TestReversalsBesideOrders(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.customer("C-1")
		err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
			_, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Supplier",
				IsActive: true})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.must(201, "POST", "/preview/purchase-orders", `{"orderNumber": "P-1", "supplierNumber": "S-1", "lines": [
			{"itemNumber": "A-1", "quantity": 100, "unitPrice": 3}]}`)
		s.must(200, "POST", "/preview/purchase-orders/P-1/send", "")
		var receipts []string
		for range 10 {
			r := s.must(201, "POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 4}`)
			receipts = append(receipts, s.one(r, "receiptNumber"))
		}
		reversed := make([]error, len(receipts))
		together(30, 30, func(i int) {
			if i%3 == 0 {
				reversed[i/3] = s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
					_, err := purchasing.ReverseReceipt(tx, receipts[i/3], "keyed wrongly")
					return err
				})
				return
			}
			a, err := s.try("POST", "/preview/orders", fmt.Sprintf(
				`{"orderNumber": "O-%d", "customerNumber": "C-1", "lines": [{"itemNumber": "A-1", "quantity": 2}]}`, i))
			if err == nil && a.status == 201 {
				_, err = s.try("POST", fmt.Sprintf("/preview/orders/O-%d/release", i), "")
			}
			if err != nil || a.status != 201 {
				t.Errorf("order %d: %d %v", i, a.status, err)
			}
		})
		back := 0
		for i, err := range reversed {
			if err == nil {
				back++
			} else if !fault.Is(err, stock.ErrGoodsGone) {
				t.Errorf("receipt %s: %v", receipts[i], err)
			}
		}
		a := s.must(200, "GET", "/preview/items/A-1/availability", "")
		onHand, promised := s.one(a, "totalQuantityOnHand"), s.one(a, "totalAllocatedQuantity")
		there, err1 := strconv.Atoi(onHand)
		taken, err2 := strconv.Atoi(promised)
		if there != 40-4*back || taken > there || err1 != nil || err2 != nil {
			t.Errorf("%d of 10 were reversed, %s are on hand, %s promised", back, onHand, promised)
		}
	})
}
