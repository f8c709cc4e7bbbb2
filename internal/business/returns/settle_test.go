package returns_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
)

// credit makes the credit notes of a return, as the house does.
func credit(tx *db.Tx, e returns.Crediting) error {
	var lines []invoicing.ReturnedLine
	for _, l := range e.Return.Lines {
		lines = append(lines, invoicing.ReturnedLine{OrderLine: l.OrderLine, Quantity: l.ToCredit})
	}
	open, err := invoicing.CreditReturn(tx, e.Return.Number, e.Return.OrderNumber, lines)
	if err != nil {
		return err
	}
	*e.Open = open
	given, err := invoicing.GivenBack(tx, e.Return.Number)
	for line, g := range given {
		e.Return.Settle(line, g.Quantity, g.Net, g.Tax)
	}
	return err
}

// A part may cost more than it would by itself, where the parts before it cost less: the invoice of three at 0.0034 is
// 0.01, which the second return of it has to give back.
func TestTheLastPartCostsWhatIsLeft(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		price := q("0.0034")
		o := test.Order(t, s, "WEB", sales.NewLine{Item: "A", Quantity: q("3"), UnitPrice: &price})
		test.Ship(t, s, o.Number)
		var total dec.Dec
		for range 3 {
			total = total.Add(credited(t, s, o.Number, line(1, "1")).TotalAmount)
		}
		if total != q("0.01") {
			t.Errorf("the returns come to %s, the invoice to 0.01", total)
		}
		sound(t, s)
	})
}

// credited is a return that came back, was credited, and comes to what its credit note does.
func credited(t *testing.T, s *db.Store, order string, lines ...returns.NewLine) returns.Return {
	t.Helper()
	r, err := register(s, order, lines...)
	faulttest.None(t, err)
	_, err = receive(s, r.Number)
	faulttest.None(t, err)
	r, err = run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Credit(tx, r.Number) })
	faulttest.None(t, err)
	numbers := test.Find(t, s, order).InvoiceNumbers
	dbtest.Write(t, s, func(tx *db.Tx) error {
		n, err := invoicing.Book(tx, numbers[len(numbers)-1])
		if n.TotalAmount != r.TotalAmount || n.TotalVAT != r.TotalVAT {
			t.Errorf("a return of %s and %s tax is credited with %s and %s", r.TotalAmount, r.TotalVAT,
				n.TotalAmount, n.TotalVAT)
		}
		return err
	})
	return r
}

// Once it is credited a return comes to what its credit note gives back, and all returns of a line to what was
// invoiced: six pieces at 0.13 bear 0.20 of tax, and each by itself 0.03.
func TestAReturnComesToItsCreditNote(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		price := q("0.13")
		o := test.Order(t, s, "WEB", sales.NewLine{Item: "A", Quantity: q("6"), UnitPrice: &price})
		test.Ship(t, s, o.Number)
		var vat dec.Dec
		for range 3 {
			// Two conditions share a line of the order, and what it comes to.
			r := credited(t, s, o.Number, line(1, "1"),
				returns.NewLine{OrderLine: 1, Quantity: q("1"), Condition: "Worn"})
			vat = vat.Add(r.TotalVAT)
		}
		if vat != q("0.2") {
			t.Errorf("the returns come to %s of tax, the invoice to 0.20", vat)
		}
		sound(t, s)
	})
}
