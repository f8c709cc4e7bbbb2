package app_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Twenty invoices bill three of forty that came in with one receipt, at another price than ordered: thirteen are
// registered, seven would bill more than came in. Each is approved and cancelled by two at once, beside goods that come
// and go: every one is decided once, and what is left is recomputed.
func TestInvoicesOfOneReceipt(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.customer("C-1")
		in := func(fn func(tx *db.Tx) error) error { return s.kontor.InCompany(t.Context(), s.company.ID, fn) }
		err := in(func(tx *db.Tx) error {
			_, err := purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Supplier", IsActive: true})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.must(201, "POST", "/preview/purchase-orders", `{"orderNumber": "P-1", "supplierNumber": "S-1", "lines": [
			{"itemNumber": "A-1", "quantity": 100, "unitPrice": 3}]}`)
		s.must(200, "POST", "/preview/purchase-orders/P-1/send", "")
		receipt := s.one(s.must(201, "POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 40}`),
			"receiptNumber")
		numbers, done := make([]string, 20), make([]error, 20)
		together(20, 20, func(i int) {
			done[i] = in(func(tx *db.Tx) error {
				v, err := payable.Register(tx, payable.New{SupplierNumber: "S-1", Reference: fmt.Sprint("F-", i),
					Lines: []payable.NewLine{{Receipt: receipt, Line: 1, Quantity: dec.Int(3),
						UnitPrice: dec.Int(4)}},
					Charges: []payable.NewCharge{{Kind: stock.Freight, Receipt: receipt, Amount: dec.One}}})
				numbers[i] = v.Number
				return err
			})
		})
		var stands []string
		for i, err := range done {
			if err == nil {
				stands = append(stands, numbers[i])
			} else if !fault.Is(err, stock.ErrExceedsUnbilled) {
				t.Errorf("invoice %d: %v", i, err)
			}
		}
		if len(stands) != 13 {
			t.Fatalf("%d were registered", len(stands))
		}
		decided := make([]error, 4*len(stands))
		together(len(decided), 20, func(i int) {
			switch n := stands[i/4]; i % 4 {
			case 0, 1:
				decided[i] = in(func(tx *db.Tx) error { _, err := payable.Approve(tx, n, "so be it"); return err })
			case 2:
				_, decided[i] = s.try("POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 2}`)
			default:
				decided[i] = in(func(tx *db.Tx) error { _, err := payable.Reject(tx, n, "no"); return err })
			}
		})
		approved, rejected := 0, 0
		for i, err := range decided {
			switch {
			case err == nil && i%4 < 2:
				approved++
			case err == nil && i%4 == 3:
				rejected++
			case err != nil && !fault.Is(err, payable.ErrInvalidStatus):
				t.Errorf("deciding %d: %v", i, err)
			}
		}
		if approved+rejected != 13 {
			t.Errorf("%d were approved and %d rejected", approved, rejected)
		}
		cancelled := make([]error, len(stands))
		together(len(stands), 13, func(i int) {
			cancelled[i] = in(func(tx *db.Tx) error {
				_, err := payable.Cancel(tx, stands[i], "keyed wrongly")
				return err
			})
		})
		gone := 0
		for _, err := range cancelled {
			if err == nil {
				gone++
			}
		}
		if gone != approved {
			t.Errorf("%d of %d were cancelled: %v", gone, approved, cancelled)
		}
		err = in(func(tx *db.Tx) error {
			open, err := payable.Unbilled(tx, supplierOf(tx, t), receipt, 10)
			if err == nil && (len(open) != 1 || open[0].Quantity != dec.Int(40)) {
				t.Errorf("unbilled is %+v", open)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func supplierOf(tx *db.Tx, t *testing.T) string {
	s, err := purchasing.FindSupplier(tx, "S-1")
	if err != nil {
		t.Error(err)
	}
	return s.ID
}
