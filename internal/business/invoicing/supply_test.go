package invoicing_test

import (
	"testing"
	"time"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// part ships so much of an order's first line, handed over at a moment.
func part(t *testing.T, s *db.Store, order, quantity string, at time.Time) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{order}})
		if err != nil {
			return err
		}
		if _, err = shipping.PickGoods(tx, sh.Number,
			[]shipping.Pick{{OrderNumber: order, OrderLine: 1, Quantity: q(quantity)}}); err != nil {
			return err
		}
		_, err = shipping.HandOver(tx, sh.Number, db.TimeOf(at))
		return err
	})
}

func supplied(t *testing.T, s *db.Store, number string, want day.Date) {
	t.Helper()
	if is := find(t, s, number).SuppliedOn; is != want {
		t.Errorf("invoice %s: supplied on %q, want %q", number, is, want)
	}
}

func TestInvoicesKnowWhenTheGoodsLeft(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		// Late in the evening in London is the next day in Stockholm.
		first, second := time.Date(2026, 1, 14, 23, 30, 0, 0, time.UTC), time.Date(2026, 1, 20, 9, 0, 0, 0, time.UTC)
		o := test.Order(t, s, "STD", test.Line("A", "5"), test.Line("FREIGHT", "1"))
		part(t, s, o.Number, "3", first)
		one, err := bill(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		test.Arrive(t, s, "A", "1") // what was picked short is reserved again
		part(t, s, o.Number, "2", second)
		two, err := bill(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		supplied(t, s, one.Number, "2026-01-15")
		supplied(t, s, two.Number, "2026-01-20")

		// One invoice of several orders has the day of the last goods; a credit note that of what it credits.
		a, b := test.Order(t, s, "STD", test.Line("A", "1")), test.Order(t, s, "STD", test.Line("A", "1"))
		part(t, s, a.Number, "1", second)
		part(t, s, b.Number, "1", first)
		both, err := bill(s, b.Number, a.Number)
		if err != nil {
			t.Fatal(err)
		}
		supplied(t, s, both.Number, "2026-01-20")
		book(s, one.Number)
		note, err := credit(s, one.Number)
		if err != nil {
			t.Fatal(err)
		}
		supplied(t, s, note.Number, "2026-01-15")

		// What no shipment took was supplied when it was billed, which is the invoice date.
		service := test.Order(t, s, "AUTO", test.Line("FREIGHT", "2"))
		i := find(t, s, test.Find(t, s, service.Number).InvoiceNumbers[0])
		supplied(t, s, i.Number, i.InvoiceDate)
	})
}

// back makes a free credit note of one in a currency, for the first line of an invoice or for none.
func back(t *testing.T, s *db.Store, currency, credits string, with ...invoicing.Option) invoicing.Invoice {
	t.Helper()
	n, err := run(s, func(tx *db.Tx) (invoicing.Invoice, error) {
		c, err := party.Find(tx, "C1")
		if err != nil {
			return invoicing.Invoice{}, err
		}
		line := invoicing.FreeLine{Description: "Back", Quantity: q("1"), UnitPrice: q("1"), TaxCode: "STD",
			CreditsInvoice: credits}
		if credits != "" {
			line.CreditsLine = 1
		}
		return creditFree(tx, invoicing.Free{Customer: c, CurrencyCode: currency, InvoiceDate: tx.Today(),
			Lines: []invoicing.FreeLine{line}, With: with})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFreeCreditNotesKnowWhatTheyCredit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "1"))
		part(t, s, o.Number, "1", time.Date(2026, 1, 20, 9, 0, 0, 0, time.UTC))
		i, err := bill(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		book(s, i.Number)
		for credits, want := range map[string]day.Date{i.Number: "2026-01-20", "": ""} {
			n := back(t, s, "SEK", credits)
			supplied(t, s, n.Number, want)
		}
	})
}
