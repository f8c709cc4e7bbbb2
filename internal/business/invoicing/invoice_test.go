package invoicing

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

func TestPaymentStatus(t *testing.T) {
	for _, c := range []struct {
		amount, paid, reduction string
		want                    PaymentStatus
	}{
		{"100", "0", "0", Unpaid}, {"100", "0.01", "0", PartiallyPaid}, {"100", "100", "0", Paid},
		{"100", "120", "0", Paid}, {"0", "0", "0", Paid}, {"100", "0", "30", Unpaid},
		{"100", "69.99", "30", PartiallyPaid}, {"100", "70", "30", AwaitingTaxReduction}, {"100", "100", "30", Paid},
	} {
		if got := paymentStatus(dec.Must(c.amount), dec.Must(c.paid), dec.Must(c.reduction)); got != c.want {
			t.Errorf("%s of %s, %s reduction: %s, want %s", c.paid, c.amount, c.reduction, got, c.want)
		}
	}
}

// However a line is credited in parts, the parts add up to it, in net and in tax.
func TestCreditedPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string, most int64) dec.Dec { return dec.Dec(rapid.Int64Range(1, most).Draw(t, name)) }
		i := Invoice{Number: "I", Digits: rapid.IntRange(0, 3).Draw(t, "digits"),
			Lines: []Line{{Number: 1, Quantity: amount("quantity", 50*int64(dec.One)),
				UnitPrice: amount("price", 1_000*int64(dec.One)), TaxPercent: dec.Int(25),
				IsPriceIncludingTax: rapid.Bool().Draw(t, "gross")}}}
		l := &i.Lines[0]
		l.price(i.Digits)
		n := i.note("2026-01-01")
		for l.left() > 0 {
			n.take(&i, l, dec.Dec(rapid.Int64Range(1, int64(l.left())).Draw(t, "part")), false)
			if len(n.Lines) > 5 {
				n.take(&i, l, l.left(), false)
			}
		}
		n.derive()
		if n.TotalAmount != l.LineTotal || n.TotalVAT != l.TaxAmount || l.CreditedTotal != l.LineTotal ||
			l.Credited != l.Quantity {
			t.Fatalf("credited %s + %s of %s + %s", n.TotalAmount, n.TotalVAT, l.LineTotal, l.TaxAmount)
		}
	})
}
