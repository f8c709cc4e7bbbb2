package dec_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

// The parts add up to the amount, and none is a whole unit or more away from its exact share.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, dec.Scale).Draw(t, "places")
		amount := dec.OfUnits(rapid.Int64Range(0, 1_000_000).Draw(t, "amount"), places)
		var weights []dec.Dec
		total := new(big.Rat)
		for _, w := range rapid.SliceOfN(rapid.Int64Range(-5, 1<<55), 1, 9).Draw(t, "weights") {
			weights = append(weights, dec.Dec(w))
			total.Add(total, big.NewRat(max(w, 0), 1))
		}
		sum := dec.Dec(0)
		for i, part := range dec.Spread(amount, places, weights) {
			sum = sum.Add(part)
			if total.Sign() == 0 {
				continue
			}
			exact := new(big.Rat).Mul(big.NewRat(int64(amount), 1), big.NewRat(int64(max(weights[i], 0)), 1))
			away := exact.Quo(exact, total).Sub(exact, big.NewRat(int64(part), 1))
			if away.Abs(away).Cmp(big.NewRat(int64(dec.Unit(places)), 1)) >= 0 {
				t.Fatalf("part %d is %s of %s by %v", i, part, amount, weights)
			}
		}
		if want := amount; total.Sign() == 0 && sum != 0 || total.Sign() > 0 && sum != want {
			t.Fatalf("%s were divided as %s", amount, sum)
		}
	})
}
