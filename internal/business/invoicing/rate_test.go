package invoicing_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// rate is what a euro is worth; none where it is nothing.
func rate(kronor string) (r dec.Rate) {
	if r.Amount = q(kronor); r.Amount > 0 {
		r.Units = dec.One
	}
	return r
}

// quote says what a euro is worth from a day on.
func quote(t *testing.T, s *db.Store, on day.Date, kronor string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		return reference.SaveRates(tx, "EUR", reference.RatePoint{Date: on, Rate: rate(kronor)})
	})
}

// What a currency was worth is kept with what was booked: neither a corrected quotation nor the day of the credit note
// changes it.
func TestABookedInvoiceKeepsItsRate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveCurrencies(tx, reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2,
				IsActive: true})
		})
		quote(t, s, "2020-01-01", "11")
		price := q("10")
		line := test.Line("A", "2")
		line.UnitPrice = &price
		o := test.Place(t, s, sales.Placing{CustomerNumber: "C1", CurrencyCode: "EUR",
			Head: sales.Head{OrderTypeCode: "STD"}, Lines: []sales.NewLine{line}})
		test.Ship(t, s, o.Number)
		i, err := bill(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		keeps := func(number, kronor string) {
			t.Helper()
			if i := find(t, s, number); i.Rate() != rate(kronor) {
				t.Errorf("invoice %s keeps %v, want %s", number, i.Rate(), kronor)
			}
		}
		keeps(i.Number, "0")
		book(s, i.Number)
		keeps(i.Number, "11")
		quote(t, s, "2020-01-01", "12")
		keeps(i.Number, "11")

		part, err := credit(s, i.Number, invoicing.CreditLine{Line: 1, Quantity: q("1")})
		if err != nil {
			t.Fatal(err)
		}
		book(s, part.Number)
		keeps(part.Number, "11")
		for credits, kronor := range map[string]string{i.Number: "11", "": "12"} {
			free := back(t, s, "EUR", credits, invoicing.BookedAtOnce())
			keeps(free.Number, kronor)
		}
	})
}
