package invoicing_test

import (
	"strings"
	"testing"

	"kontor/internal/business/invoicing"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Rows that were written past the room are named: also where head and lines agree with each other, and the tax is not
// that of its base.
func TestVerifyFindsWhatNoInvoiceHas(t *testing.T) {
	for rows, want := range map[string]string{
		"invoice_line set tax = tax + 20000":         "it comes to",
		"invoice_line set tax_percent = 12000000":    "it comes to",
		"invoice_line set discount_amount = 1000000": "is stored as",
		"invoice_line set total = total + 10000":     "is stored as",
		"invoice_line set line = line + 1":           "line 1 has the number 2",
		"invoice set vat = vat + 10000":              "totalVat is stored as",
		"invoice set paid = 10000":                   "paidAmount is stored as",
		"sales_order set invoices = ''":              "it names 0 invoices, lines of it are on 1",
	} {
		dbtest.Each(t, func(t *testing.T, s *db.Store) {
			open(t, s)
			order := test.Order(t, s, "STD", test.Line("A", "3"))
			test.Ship(t, s, order.Number)
			i, err := bill(s, order.Number)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := book(s, i.Number); err != nil {
				t.Fatal(err)
			}
			sound(t, s)
			dbtest.Corrupt(t, s, "update "+rows+" where company = :company")
			var said []string
			dbtest.Read(t, s, func(tx *db.Tx) error {
				return invoicing.Verify(tx, func(what string) { said = append(said, what) })
			})
			if !strings.Contains(strings.Join(said, "\n"), want) {
				t.Errorf("%s: verify says %q, which does not name %q", rows, said, want)
			}
		})
	}
}
