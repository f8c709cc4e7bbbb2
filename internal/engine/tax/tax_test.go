package tax_test

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/engine/tax"
	"kontor/internal/foundation/dec"
)

func TestLine(t *testing.T) {
	cases := []struct {
		amount, percent string
		digits          int
		inclusive       bool
		net, tax        string
	}{
		{"100", "25", 2, false, "100", "25"},
		{"100", "25", 2, true, "80", "20"},
		{"99.99", "25", 2, false, "99.99", "25"},    // 24.9975
		{"0.995", "20", 2, false, "1", "0.2"},       // the amount is rounded before it is taxed
		{"0.02", "25", 2, false, "0.02", "0.01"},    // half a cent goes up
		{"-0.02", "25", 2, false, "-0.02", "-0.01"}, // and away from zero on the other side
		{"1.12", "12", 2, true, "1", "0.12"},
		{"1999", "10", 0, true, "1817", "182"}, // yen have no minor digits; 181.727…
		{"10", "0", 2, true, "10", "0"},
		{"1.234", "15", 3, false, "1.234", "0.185"}, // dinars have three
		// 1.00 * 4.499999 / 100 is 0.04499999: rounding to six decimals on the way would say 0.05.
		{"1", "4.499999", 2, false, "1", "0.04"},
	}
	for _, c := range cases {
		net, vat := tax.Line(dec.Must(c.amount), dec.Must(c.percent), c.digits, c.inclusive)
		if net != dec.Must(c.net) || vat != dec.Must(c.tax) {
			t.Errorf("Line(%s, %s %%, %d digits, inclusive %t) = %s + %s, want %s + %s",
				c.amount, c.percent, c.digits, c.inclusive, net, vat, c.net, c.tax)
		}
	}
}

// What was shown is what is paid, a credit is the mirror of its sale, and an exclusive price taxed
// and then read as an inclusive one gives the net amount back.
func TestLineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := dec.Dec(rapid.Int64Range(0, int64(1_000_000*dec.One)).Draw(t, "amount"))
		percent := dec.Dec(rapid.Int64Range(0, 100).Draw(t, "percent")) * dec.One / 2
		digits := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "digits")

		net, vat := tax.Line(amount, percent, digits, true)
		if net+vat != amount.Round(digits) {
			t.Fatalf("net %s + tax %s is not the gross %s", net, vat, amount.Round(digits))
		}
		if n, v := tax.Line(-amount, percent, digits, true); n != -net || v != -vat {
			t.Fatalf("a credit of %s is %s + %s, its sale %s + %s", amount, n, v, net, vat)
		}
		net, vat = tax.Line(amount, percent, digits, false)
		if n, v := tax.Line(net+vat, percent, digits, true); n != net || v != vat {
			t.Fatalf("%s + %s read back as gross is %s + %s", net, vat, n, v)
		}
	})
}
