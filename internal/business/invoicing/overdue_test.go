package invoicing_test

import (
	"slices"
	"testing"

	"kontor/internal/business/invoicing"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

// What is overdue is listed, the longest first, counted among what is due, and says so of itself, all three alike.
func TestOverdue(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		// made is an invoice from some days ago, to be paid within thirty.
		made := func(daysAgo int) string {
			t.Helper()
			o := test.Order(t, s, "STD", test.Line("A", "1"))
			test.Ship(t, s, o.Number)
			i, err := run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
				return invoicing.FromOrders(tx, []string{o.Number}, tx.Today().AddDays(-daysAgo))
			})
			if err != nil {
				t.Fatal(err)
			}
			return i.Number
		}
		late, never, later, soon, paid := made(40), made(70), made(50), made(30), made(60)
		for _, number := range []string{late, later, soon, paid} {
			if _, err := book(s, number); err != nil {
				t.Fatal(err)
			}
		}
		settle := func(number string) {
			t.Helper()
			i := find(t, s, number)
			if _, err := pay(s, number, i.Balance().String()); err != nil {
				t.Fatal(err)
			}
		}
		check := func(want ...string) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				found, err := invoicing.List(tx, invoicing.Filter{DueBefore: tx.Today()},
					record.Page{Number: 1, Size: 50})
				if err != nil {
					return err
				}
				var got []string
				for _, i := range found.Items {
					got = append(got, i.Number)
				}
				if !slices.Equal(got, want) || found.Total != len(want) {
					t.Errorf("overdue are %v of %d, want %v", got, found.Total, want)
				}
				due, err := invoicing.Due(tx, tx.Today())
				if err != nil {
					return err
				}
				if len(due) != 1 || due[0].Overdue != len(want) {
					t.Errorf("the figures are %+v, want %d overdue", due, len(want))
				}
				for _, number := range []string{late, never, later, soon, paid} {
					i, err := invoicing.Find(tx, number)
					if err != nil {
						return err
					}
					if i.Overdue(tx.Today()) != slices.Contains(want, number) {
						t.Errorf("invoice %s, due on %s, says of itself that it is overdue: %t", number, i.DueDate,
							i.Overdue(tx.Today()))
					}
				}
				return nil
			})
		}
		settle(paid)
		check(later, late)
		if _, err := pay(s, later, "1"); err != nil { // a part is not enough
			t.Fatal(err)
		}
		check(later, late)
		settle(later)
		check(late)
	})
}
