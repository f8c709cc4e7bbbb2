package returns_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault/faulttest"
)

// Of what came back only that is credited which was not given back by hand; where all of it was, the return is closed.
// What is billable again is no gift: it is invoiced first.
func TestWhatWasCreditedByHandIsNotCreditedAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "WEB", test.Line("A", "5"))
		test.Ship(t, s, o.Number)
		i := test.Find(t, s, o.Number).InvoiceNumbers[0]
		byHand := func(quantity string, book bool) {
			t.Helper()
			dbtest.Write(t, s, func(tx *db.Tx) error {
				n, err := invoicing.Credit(tx, i, []invoicing.CreditLine{{Line: 1, Quantity: q(quantity)}})
				if err == nil && book {
					_, err = invoicing.Book(tx, n.Number)
				}
				return err
			})
		}
		comeBack := func(quantity string) returns.Return {
			t.Helper()
			r, err := register(s, o.Number, line(1, quantity))
			faulttest.None(t, err)
			r, err = receive(s, r.Number)
			faulttest.None(t, err)
			return r
		}
		credit := func(r returns.Return) (returns.Return, error) {
			return run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Credit(tx, r.Number) })
		}
		byHand("2", true)
		first, second := comeBack("4"), comeBack("1")
		first, err := credit(first)
		if err != nil || first.Status != returns.CreditNoted {
			t.Fatalf("%s: %v", first.Status, err)
		}
		notes := test.Find(t, s, o.Number).InvoiceNumbers
		dbtest.Write(t, s, func(tx *db.Tx) error {
			n, err := invoicing.Book(tx, notes[len(notes)-1])
			if n.Lines[0].Quantity != q("3") {
				t.Errorf("%s are credited of 3 that were left", n.Lines[0].Quantity)
			}
			return err
		})
		if second, err = credit(second); err != nil || second.Status != returns.Closed {
			t.Errorf("%s, though all was given back: %v", second.Status, err)
		}
		sound(t, s)
		o = test.Order(t, s, "WEB", test.Line("A", "2"))
		test.Ship(t, s, o.Number)
		i = test.Find(t, s, o.Number).InvoiceNumbers[0]
		third := comeBack("2")
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := invoicing.Credit(tx, i, nil); return err })
		_, err = credit(third)
		faulttest.Refused(t, err, invoicing.ErrNotCreditable, "")
		sound(t, s)
	})
}
