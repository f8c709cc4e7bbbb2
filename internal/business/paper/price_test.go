package paper

import (
	"strings"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/sales"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/dec"
)

// A line's quantity, price and discount lead to its total, which is without tax: so is the price, also where it was
// agreed with its tax.
func TestPricesLeadToTheirTotals(t *testing.T) {
	for name, c := range map[string]struct {
		quantity, price, percent, off, rate string
		withTax                             bool
		part                                string // what is left of the cost, where parts were rounded
		want                                string
	}{
		"without tax":            {"2", "1234.5", "12.5", "308.62", "25", false, "", "1,234.50 −12.5 % 25 % 2,160.38"},
		"with tax":               {"2", "125", "0", "0", "25", true, "", "100.00 25 % 200.00"},
		"at a rate that repeats": {"1", "100", "0", "0", "12", true, "", "89.2857 12 % 89.29"},
		"with tax, less":         {"2", "125", "10", "25", "25", true, "", "100.00 −10 % 25 % 180.00"},
		"with tax, an amount":    {"2", "125", "20", "50", "25", true, "200", "100.00 −20 % 25 % 160.00"},
		"an amount that no short percentage gives": {"3", "125", "13.333333", "50", "25", true, "325",
			"100.00 −40.00 25 % 260.00"},
		"less than the percentage": {"1", "100", "10", "9.99", "25", false, "90.01", "100.00 −9.99 25 % 90.01"},
		"more for a part":          {"1", "0.05", "0.005", "-0.01", "25", false, "0.06", "0.05 +0.01 25 % 0.06"},
		"fractions of a cent":      {"900", "0.1234", "0", "0", "25", false, "", "0.1234 25 % 111.06"},
	} {
		d := dec.Must
		l := invoicing.Line{Number: 1, Item: "A", Description: "B", Quantity: d(c.quantity), UnitPrice: d(c.price),
			DiscountPercent: d(c.percent), DiscountAmount: d(c.off), TaxPercent: d(c.rate),
			IsPriceIncludingTax: c.withTax}
		cost := sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, 2)
		if c.part != "" {
			cost = d(c.part)
		}
		l.LineTotal, l.TaxAmount = tax.Line(cost, l.TaxPercent, 2, c.withTax)
		i := invoice()
		i.Lines = []invoicing.Line{l}
		f, err := Invoice(sender(), receiver("en"), i)
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(strings.Fields(text(t, f)), " "); !strings.Contains(said, "A B "+c.quantity+" "+c.want) {
			t.Errorf("%s: want %q in\n%s", name, c.want, said)
		}
		if c.part != "" { // a quote has no parts
			continue
		}
		q := quote()
		q.Lines = []quoting.Line{{Number: 1, Item: "A", Description: "B", Quantity: l.Quantity, UnitPrice: l.UnitPrice,
			IsPriceIncludingTax: c.withTax, DiscountPercent: l.DiscountPercent, TaxPercent: l.TaxPercent,
			LineTotal: l.LineTotal, TaxAmount: l.TaxAmount}}
		if f, err = Quote(sender(), receiver("en"), q); err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(strings.Fields(text(t, f)), " "); !strings.Contains(said, "A B "+c.quantity+" "+c.want) {
			t.Errorf("%s, quoted: want %q in\n%s", name, c.want, said)
		}
	}
}
