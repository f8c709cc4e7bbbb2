package app_test

import (
	"testing"

	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// An invoice in another currency makes dearer what is there still, at its day's rate; the rest is an expense.
// Cancelled, it leaves the value of the stock. Pieces with serial numbers are billed together, whatever their lines.
func TestAnInvoiceInAnotherCurrency(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.must(201, "POST", "/preview/items",
			`{"itemNumber": "S-1", "name": "Drill", "baseUnitCode": "PCS", "trackingType": "Serial"}`)
		in := func(fn func(tx *db.Tx) error) {
			t.Helper()
			if err := s.kontor.InCompany(t.Context(), s.company.ID, fn); err != nil {
				t.Fatal(err)
			}
		}
		in(func(tx *db.Tx) error {
			err := reference.SaveCurrencies(tx, reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2,
				Rate: dec.Rate{Amount: dec.Int(11), Units: dec.One}, IsActive: true})
			if err != nil {
				return err
			}
			_, err = purchasing.CreateSupplier(tx, purchasing.Supplier{Number: "S-1", Name: "Supplier", IsActive: true,
				CurrencyCode: "EUR"})
			return err
		})
		s.must(201, "POST", "/preview/purchase-orders", `{"orderNumber": "P-1", "supplierNumber": "S-1", "lines": [
			{"itemNumber": "A-1", "quantity": 10, "unitPrice": 10}, {"itemNumber": "S-1", "quantity": 3, "unitPrice": 7}]}`)
		s.must(200, "POST", "/preview/purchase-orders/P-1/send", "")
		receipt := s.one(s.must(201, "POST", "/preview/purchase-orders/P-1/lines/1/receive", `{"quantity": 10}`),
			"receiptNumber")
		s.must(201, "POST", "/preview/inventory/adjustments",
			`{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": "A-1", "quantity": -6}`)
		bill := func(tx *db.Tx, reference, receipt, quantity, price string) (payable.Invoice, error) {
			return payable.Register(tx, payable.New{SupplierNumber: "S-1", Reference: reference,
				Lines: []payable.NewLine{{Receipt: receipt, Line: 1, Quantity: dec.Must(quantity),
					UnitPrice: dec.Must(price)}}})
		}
		in(func(tx *db.Tx) error {
			v, err := bill(tx, "F-1", receipt, "10", "12")
			if err != nil {
				return err
			}
			if v, err = payable.Approve(tx, v.Number, "agreed"); err != nil {
				return err
			}
			l := v.Lines[0]
			if l.BaseAmount != dec.Int(1320) || l.InStock != dec.Int(88) || l.Expense(2) != dec.Int(132) {
				t.Errorf("approved: %+v, expense %s", l, l.Expense(2))
			}
			if v, err = payable.Cancel(tx, v.Number, "of another company"); err != nil {
				return err
			}
			if l = v.Lines[0]; l.Returned != dec.Int(88) {
				t.Errorf("cancelled: %+v", l)
			}
			// Cheaper than it came in at: taken off what is there, and put back.
			if v, err = bill(tx, "F-1", receipt, "10", "9"); err != nil {
				return err
			}
			if v, err = payable.Approve(tx, v.Number, "a discount"); err != nil {
				return err
			}
			if l = v.Lines[0]; l.InStock != dec.Int(-44) || l.Expense(2) != dec.Int(-66) {
				t.Errorf("cheaper: %+v, expense %s", l, l.Expense(2))
			}
			_, err = payable.Cancel(tx, v.Number, "not ours")
			return err
		})
		pieces := s.one(s.must(201, "POST", "/preview/purchase-orders/P-1/lines/2/receive",
			`{"quantity": 3, "serialNumbers": ["X1", "X2", "X3"]}`), "receiptNumber")
		in(func(tx *db.Tx) error {
			if v, err := bill(tx, "F-2", pieces, "2", "7"); err != nil || v.Status != payable.Approved {
				t.Errorf("two pieces as ordered: %s, %v", v.Status, err)
			}
			return nil
		})
		err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
			_, err := bill(tx, "F-3", pieces, "2", "7")
			return err
		})
		if !fault.Is(err, stock.ErrExceedsUnbilled) {
			t.Errorf("two more of three: %v", err)
		}
	})
}
