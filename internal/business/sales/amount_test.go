package sales

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

// The parts of a line add up to the line, in whatever order they are taken and taken back; none is below nothing.
func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "digits")
		cost := dec.Dec(rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "cost")).Round(digits)
		left, quantity := cost, dec.Dec(rapid.Int64Range(1, 5_000_000_000).Draw(t, "quantity"))
		type part struct{ quantity, cost dec.Dec }
		var parts []part
		for steps := 0; quantity > 0; steps++ {
			if len(parts) > 0 && steps < 20 && rapid.IntRange(0, 3).Draw(t, "back") == 0 { // an invoice is cancelled
				k := rapid.IntRange(0, len(parts)-1).Draw(t, "which")
				left, quantity = left.Add(parts[k].cost), quantity.Add(parts[k].quantity)
				parts = append(parts[:k], parts[k+1:]...)
				continue
			}
			q := dec.Dec(rapid.Int64Range(1, int64(quantity)).Draw(t, "part"))
			if steps >= 20 {
				q = quantity
			}
			p := Part(left, q, quantity, digits)
			if p < 0 || p > left || p != p.Round(digits) {
				t.Fatalf("%s of %s for %s cost %s", q, quantity, left, p)
			}
			parts, left, quantity = append(parts, part{q, p}), left.Sub(p), quantity.Sub(q)
		}
		var sum dec.Dec
		for _, p := range parts {
			sum = sum.Add(p.cost)
		}
		if sum != cost {
			t.Fatalf("the parts come to %s, the line to %s", sum, cost)
		}
	})
}

// A line that an amount is taken off costs its price less that amount to the minor unit; what is invoiced of it in
// parts, some of it called off in between, adds up to it, and no part bears less than no discount. Where quantity times
// price is no whole number of minor units, a part is never dearer than without the discount, and what is free stays
// free.
func TestAnAgreedDiscountKeepsItsAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.SampledFrom([]int{0, 2}).Draw(t, "digits")
		whole := rapid.Bool().Draw(t, "whole")
		l := Line{Number: 1, Quantity: dec.Int(rapid.Int64Range(1, 500).Draw(t, "quantity")), Factor: dec.One,
			KeepsDiscount: true, UnitPrice: dec.Dec(rapid.Int64Range(0, 500_000_000).Draw(t, "price")),
			TaxPercent: dec.Int(rapid.SampledFrom([]int64{0, 7, 25}).Draw(t, "tax")), IsPriceIncludingTax: rapid.Bool().
					Draw(t, "inclusive")}
		if whole {
			l.UnitPrice = l.UnitPrice.Round(digits)
		}
		gross := l.gross(l.Quantity, digits)
		l.DiscountAmount = dec.Dec(rapid.Int64Range(0, int64(gross)).Draw(t, "discount")).Round(digits)
		l.DiscountAmount = min(l.DiscountAmount, gross)
		o := Order{Digits: digits, Status: Released, Lines: []Line{l}}
		derive(&o, untouched)
		is := &o.Lines[0]
		cost := gross.Sub(l.DiscountAmount)
		if is.DiscountAmount != l.DiscountAmount || is.Cost(digits) != cost || l.IsPriceIncludingTax &&
			is.LineTotal.Add(is.TaxAmount) != cost || !l.IsPriceIncludingTax && is.LineTotal != cost {
			t.Fatalf("derived %+v", *is)
		}
		if is.DiscountPercent < 0 || is.DiscountPercent > hundred {
			t.Fatalf("%s %%", is.DiscountPercent)
		}
		var asked []Delta
		for is.Invoiced < is.Quantity {
			if len(asked) > 0 && len(asked) < 10 && rapid.IntRange(0, 4).Draw(t, "call off") == 0 {
				k := rapid.IntRange(0, len(asked)-1).Draw(t, "which")
				is.Invoiced, is.InvoicedAmount = is.Invoiced.Sub(asked[k].Invoiced),
					is.InvoicedAmount.Sub(asked[k].InvoicedAmount)
				asked = append(asked[:k], asked[k+1:]...)
			}
			q := dec.Int(rapid.Int64Range(1, int64(is.Quantity.Sub(is.Invoiced)/dec.One)).Draw(t, "part"))
			a := is.Next(q, digits)
			if off := is.gross(q, digits).Sub(a); a < 0 || off < 0 || cost == 0 && is.DiscountAmount > 0 && a != 0 {
				t.Fatalf("%s of %+v cost %s", q, *is, a)
			}
			asked = append(asked, Delta{Invoiced: q, InvoicedAmount: a})
			is.Invoiced, is.InvoicedAmount = is.Invoiced.Add(q), is.InvoicedAmount.Add(a)
		}
		if whole && is.InvoicedAmount != cost || is.DiscountAmount > 0 && is.InvoicedAmount > cost {
			t.Fatalf("the parts come to %s, the line to %s", is.InvoicedAmount, cost)
		}
	})
}

// Who lowers the quantity of a discounted line takes its part of the discount away; what is invoiced has had its own.
func TestALowerQuantityBearsItsPart(t *testing.T) {
	was := Line{Number: 1, Quantity: dec.Int(3), UnitPrice: dec.Int(10), DiscountAmount: dec.Int(10),
		KeepsDiscount: true}
	for _, c := range []struct{ quantity, invoiced, invoicedAmount, discount, rest string }{
		{"2", "0", "0", "6.67", "13.33"}, {"1", "0", "0", "3.33", "6.67"}, {"4", "0", "0", "10", "30"},
		{"2", "1", "6.67", "6.66", "6.67"},
	} {
		before := was
		before.Invoiced, before.InvoicedAmount = dec.Must(c.invoiced), dec.Must(c.invoicedAmount)
		l := before
		l.Quantity = dec.Must(c.quantity)
		l.requantify(&before, 2)
		if l.DiscountAmount != dec.Must(c.discount) || l.Next(l.Quantity.Sub(l.Invoiced), 2) != dec.Must(c.rest) {
			t.Errorf("%+v: %s off, the rest costs %s", c, l.DiscountAmount, l.Next(l.Quantity.Sub(l.Invoiced), 2))
		}
	}
}
