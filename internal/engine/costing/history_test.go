package costing_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/engine/costing"
	"kontor/internal/foundation/dec"
)

// exact is a decimal as a fraction, in millionths.
func exact(d dec.Dec) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

// rounded is a fraction of millionths that is not negative as a decimal, a half upwards or downwards.
func rounded(r *big.Rat, halfUp bool) dec.Dec {
	twice := new(big.Int).Lsh(r.Num(), 1)
	if twice.Add(twice, r.Denom()); !halfUp {
		twice.Sub(twice, big.NewInt(1))
	}
	return dec.Dec(twice.Quo(twice, new(big.Int).Lsh(r.Denom(), 1)).Int64())
}

// worth is (a * x + b * y) / (a + b), in fractions; b may be below zero.
func worth(a, x, b, y dec.Dec) *big.Rat {
	sum := new(big.Rat).Mul(exact(a), exact(x))
	sum.Add(sum, new(big.Rat).Mul(exact(b), exact(y)))
	return sum.Quo(sum, new(big.Rat).Add(exact(a), exact(b)))
}

// Through any history of receipts, issues and reversals the average is the contract's fraction, to the last digit.
func TestAverageToTheLastDigit(t *testing.T) {
	quantity, price := rapid.Int64Range(1, int64(1_000_000*dec.One)), rapid.Int64Range(0, int64(100_000*dec.One))
	rapid.Check(t, func(t *rapid.T) {
		var onHand, average dec.Dec
		type lot struct{ quantity, cost dec.Dec }
		var lots []lot
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch q := dec.Dec(quantity.Draw(t, "quantity")); rapid.SampledFrom([]string{"receive", "receive", "issue",
				"reverse"}).Draw(t, "what") {
			case "receive":
				cost := dec.Dec(price.Draw(t, "cost"))
				want := rounded(worth(onHand, average, q, cost), true)
				if average = costing.Average(onHand, average, q, cost); average != want {
					t.Fatalf("%s received at %s: %s, exactly %s", q, cost, average, want)
				}
				onHand, lots = onHand.Add(q), append(lots, lot{q, cost})
			case "issue":
				onHand = onHand.Sub(min(q, onHand))
			case "reverse":
				if len(lots) == 0 || lots[len(lots)-1].quantity > onHand {
					continue
				}
				last := lots[len(lots)-1]
				lots = lots[:len(lots)-1]
				want := average
				if onHand > last.quantity {
					w := worth(onHand, average, last.quantity.Neg(), last.cost)
					if want = 0; w.Sign() > 0 {
						want = rounded(w, last.cost < average)
					}
				}
				if average = costing.Without(onHand, average, last.quantity, last.cost); average != want {
					t.Fatalf("%s taken back at %s: %s, exactly %s", last.quantity, last.cost, average, want)
				}
				onHand = onHand.Sub(last.quantity)
			}
		}
	})
}

func TestWithout(t *testing.T) {
	cases := []struct{ onHand, average, taken, cost, want string }{
		{"20", "6", "10", "7", "5"},      // what came in second goes
		{"20", "6", "10", "5", "7"},      // or what came in first
		{"10", "5", "10", "9", "5"},      // nothing is left: the last cost stays known
		{"15", "505", "10", "1000", "0"}, // goods left at the average that these had raised
		{"15", "5", "0", "9", "5"},
	}
	for _, c := range cases {
		if got := costing.Without(dec.Must(c.onHand), dec.Must(c.average), dec.Must(c.taken),
			dec.Must(c.cost)); got != dec.Must(c.want) {
			t.Errorf("Without(%s at %s, %s at %s) = %s, want %s", c.onHand, c.average, c.taken, c.cost, got, c.want)
		}
	}
}
