package checkout

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/dec"
	"kontor/internal/sales"
)

// An order line costs to the last minor digit what the cart said, whatever codes took off.
func TestReducedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "digits")
		quantity := dec.Dec(rapid.Int64Range(1, 5_000).Draw(t, "quantity")) * dec.One
		if rapid.Bool().Draw(t, "broken") {
			quantity = quantity / 100
		}
		price := dec.Dec(rapid.Int64Range(1, 100_000_000).Draw(t, "price")) * (dec.One / 1000)
		percent := dec.Dec(rapid.SampledFrom([]int64{0, 5, 10, 33}).Draw(t, "percent")) * dec.One
		gross := sales.Amount(quantity, price, percent, digits)
		amount := dec.Dec(rapid.Int64Range(0, int64(gross)).Draw(t, "amount")).Round(digits)
		p, d, err := reduced(quantity, price, percent, amount, digits)
		if err != nil {
			t.Fatal(err)
		}
		if is := sales.Amount(quantity, p, d, digits); is != amount {
			t.Fatalf("%s at %s less %s %% is %s, not %s", quantity, p, d, is, amount)
		}
		// A millionth of a percent of what is less than this is less than a minor unit: the price need not move.
		fine := map[int]dec.Dec{0: 1_000_000, 2: 1_000_000, 3: 100_000}[digits] * dec.One
		if amount.Mul(dec.Int(1000)) > gross && gross < fine && p != price {
			t.Fatalf("the price %s became %s", price, p)
		}
	})
}
