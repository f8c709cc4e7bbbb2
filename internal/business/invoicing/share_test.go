package invoicing_test

import (
	"errors"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
)

// Of an invoice for two orders each pays for itself: what one has paid is taken off its own share, and what was paid of
// another invoice is not.
func TestOrdersThatAreBilledTogetherPayForThemselves(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		shipped := func(quantity string) sales.Order {
			o := test.Order(t, s, "STD", test.Line("A", quantity))
			test.Ship(t, s, o.Number)
			return o
		}
		billed := func(orders ...string) invoicing.Invoice {
			i, err := bill(s, orders...)
			if err == nil {
				i, err = book(s, i.Number)
			}
			if err != nil {
				t.Fatal(err)
			}
			return i
		}
		one, two, alone := shipped("1"), shipped("3"), shipped("1")
		both, other := billed(one.Number, two.Number), billed(alone.Number)
		pays := func(i invoicing.Invoice, o sales.Order, amount dec.Dec) {
			_, err := run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
				return invoicing.Pay(tx, i.Number, invoicing.Payment{Amount: amount, OrderID: o.ID})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		owes := func(i invoicing.Invoice, o sales.Order, want dec.Dec) {
			t.Helper()
			i = find(t, s, i.Number)
			dbtest.Read(t, s, func(tx *db.Tx) error {
				got, err := invoicing.BalanceOf(tx, &i, o.ID)
				if err == nil && got != want {
					t.Errorf("of %s order %s is to pay %s, want %s", i.Number, o.Number, got, want)
				}
				return err
			})
		}
		owes(both, one, q("15.63"))
		owes(both, two, q("46.88"))
		owes(other, alone, q("15.63"))
		pays(other, alone, q("15"))
		owes(other, alone, q("0.63"))
		pays(both, two, q("40"))
		owes(both, two, q("6.88"))
		owes(both, one, q("15.63"))
		pays(both, one, q("15.63"))
		owes(both, one, 0)
		owes(both, two, q("6.88"))
	})
}

// A credit note by hand takes back what was booked, and no more of it than is left.
func TestAFreeCreditNoteTakesBackWhatWasBooked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "3"), test.Line("FREIGHT", "1"))
		test.Ship(t, s, o.Number)
		i, err := bill(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		credits := func(number string, lines ...invoicing.FreeLine) (invoicing.Invoice, error) {
			for n := range lines {
				l := &lines[n]
				l.Description, l.UnitPrice, l.TaxCode, l.CreditsInvoice = "Back", dec.One, "STD", number
			}
			return run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
				c, err := party.Find(tx, "C1")
				if err != nil {
					return invoicing.Invoice{}, err
				}
				return creditFree(tx, invoicing.Free{Customer: c, CurrencyCode: "SEK", InvoiceDate: "2026-02-01", Lines: lines})
			})
		}
		one := invoicing.FreeLine{CreditsLine: 1, Quantity: dec.One}
		_, err = credits(i.Number, one)
		faulttest.Refused(t, err, invoicing.ErrLineNotFound, "lines[0].creditsLine") // it is a draft
		if _, err = book(s, i.Number); err != nil {
			t.Fatal(err)
		}
		_, err = credits(i.Number, one, invoicing.FreeLine{CreditsLine: 9, Quantity: dec.One})
		faulttest.Refused(t, err, invoicing.ErrLineNotFound, "lines[1].creditsLine")
		_, err = credits("INV-0", one)
		faulttest.Refused(t, err, invoicing.ErrLineNotFound, "lines[0].creditsLine")
		_, err = credits(i.Number, one, invoicing.FreeLine{CreditsLine: 1, Quantity: q("2.5")})
		faulttest.Refused(t, err, invoicing.ErrExceedsInvoiced, "lines[1].quantity")
		n, err := credits(i.Number, one, invoicing.FreeLine{CreditsLine: 1, Quantity: q("2")})
		if err != nil || n.CreditsInvoiceNumber != i.Number || len(n.Lines) != 2 {
			t.Errorf("%+v: %v", n, err)
		}
		_, err = credit(s, i.Number, invoicing.CreditLine{Line: 2, Quantity: 0})
		faulttest.Refused(t, err, invoicing.ErrInvalid, "lines[0].quantity")
		sound(t, s)
	})
}

// What a credit note settled nobody has paid: it is not taken back, neither of the invoice nor of the note.
func TestOnlyWhatWasPaidIsTakenBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "3"))
		test.Ship(t, s, o.Number)
		i, e1 := bill(s, o.Number)
		_, e2 := book(s, i.Number)
		n, e3 := credit(s, i.Number)
		_, e4 := book(s, n.Number)
		pay := func(number, amount string) error {
			_, err := run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
				return invoicing.Pay(tx, number, invoicing.Payment{Amount: q(amount), Surplus: true})
			})
			return err
		}
		for _, number := range []string{i.Number, n.Number} {
			faulttest.Refused(t, pay(number, "-1"), invoicing.ErrInvalid, "amount")
		}
		e5 := pay(i.Number, "10")
		faulttest.Refused(t, pay(i.Number, "-10.01"), invoicing.ErrInvalid, "amount")
		if err := errors.Join(e1, e2, e3, e4, e5, pay(i.Number, "-10")); err != nil {
			t.Fatal(err)
		}
		if i = find(t, s, i.Number); i.Balance() != 0 {
			t.Errorf("%s are open", i.Balance())
		}
		sound(t, s)
	})
}
