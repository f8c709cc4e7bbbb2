package sales_test

import (
	"strings"
	"testing"

	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Rows that were written past the rooms are named, and one whose product no number holds keeps nobody from seeing the
// others.
func TestVerifyFindsWhatNoOrderHas(t *testing.T) {
	for rows, want := range map[string]string{
		"sales_order_line set quantity = -quantity":          "must be above 0",
		"sales_order_line set unit_price = -1000000":         "none is below 0",
		"sales_order_line set line_total = line_total - 1":   "derived are",
		"sales_order_line set tax_amount = -1":               "none is below 0",
		"sales_order_line set discount_percent = 101000000":  "neither is above 100",
		"sales_order set total_amount = -47760000":           "neither is below 0",
		"sales_order_line set quantity = 922337203685000000": "more than a number holds",
	} {
		dbtest.Each(t, func(t *testing.T, s *db.Store) {
			shop(t, s)
			place(t, s, order(line("A", "4"), line("FREIGHT", "1")))
			sound(t, s)
			dbtest.Corrupt(t, s, "update "+rows+" where company = :company")
			var said []string
			dbtest.Read(t, s, func(tx *db.Tx) error {
				return sales.Verify(tx, func(what string) { said = append(said, what) })
			})
			if !strings.Contains(strings.Join(said, "\n"), want) {
				t.Errorf("%s: verify says %q, which does not name %q", rows, said, want)
			}
		})
	}
}
