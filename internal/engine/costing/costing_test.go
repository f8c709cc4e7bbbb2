package costing_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/engine/costing"
	"kontor/internal/foundation/dec"
)

func TestAverage(t *testing.T) {
	cases := []struct{ onHand, average, received, cost, want string }{
		{"0", "0", "10", "5", "5"},
		{"10", "5", "10", "7", "6"},
		{"10", "7", "10", "5", "6"},
		{"3", "1", "1", "2", "1.25"},
		{"2", "1", "1", "0", "0.666667"},
		{"1", "1.000001", "1", "1", "1.000001"}, // a half goes away from zero whichever cost is lower
		{"1", "1", "1", "1.000001", "1.000001"},
		{"-4", "9", "10", "5", "5"},  // never from negative stock
		{"10", "5", "0", "99", "5"},  // nothing came in
		{"10", "5", "-3", "99", "5"}, // an issue never moves the average
		// the value of the stock is out of range, its average is not
		{"900000000000", "1000", "90000000000", "1000", "1000"},
	}
	for _, c := range cases {
		got := costing.Average(dec.Must(c.onHand), dec.Must(c.average), dec.Must(c.received), dec.Must(c.cost))
		if got != dec.Must(c.want) {
			t.Errorf("Average(%s at %s, %s at %s) = %s, want %s", c.onHand, c.average, c.received, c.cost, got, c.want)
		}
	}
}

// The average lies between the two costs, and the arriving goods and the goods on hand are worth as
// much together as they were apart (but for the sixth decimal).
func TestAverageKeepsValue(t *testing.T) {
	amount := rapid.Int64Range(1, int64(100_000*dec.One))
	rapid.Check(t, func(t *rapid.T) {
		onHand, average := dec.Dec(amount.Draw(t, "onHand")), dec.Dec(amount.Draw(t, "average"))
		received, cost := dec.Dec(amount.Draw(t, "received")), dec.Dec(amount.Draw(t, "cost"))
		got := costing.Average(onHand, average, received, cost)
		if got < min(average, cost) || got > max(average, cost) {
			t.Fatalf("%s lies outside %s and %s", got, average, cost)
		}
		apart := onHand.Mul(average).Add(received.Mul(cost))
		together := onHand.Add(received).Mul(got)
		if tolerance := onHand.Add(received).Mul(1).Add(2); together.Sub(apart).Abs() > tolerance {
			t.Fatalf("worth %s apart and %s together", apart, together)
		}
		if swapped := costing.Average(received, cost, onHand, average); swapped != got {
			t.Fatalf("%s, but %s with the two lots swapped", got, swapped)
		}
	})
}

func TestWeightedAverage(t *testing.T) {
	hold := func(onHand, average string) costing.Holding {
		return costing.Holding{OnHand: dec.Must(onHand), Average: dec.Must(average)}
	}
	cases := []struct {
		name     string
		holdings []costing.Holding
		want     string
		known    bool
	}{
		{"none", nil, "0", false},
		{"never received", []costing.Holding{hold("0", "0")}, "0", false},
		{"weighted", []costing.Holding{hold("3", "10"), hold("1", "20")}, "12.5", true},
		{"an empty warehouse does not count", []costing.Holding{hold("3", "10"), hold("0", "90")}, "10", true},
		{"sold out", []costing.Holding{hold("0", "10"), hold("0", "20")}, "15", true},
		{"given goods", []costing.Holding{hold("1", "0"), hold("1", "20")}, "10", true},
	}
	for _, c := range cases {
		for range 2 {
			got, known := costing.WeightedAverage(c.holdings)
			if got != dec.Must(c.want) || known != c.known {
				t.Errorf("%s: %s, %t; want %s, %t", c.name, got, known, c.want, c.known)
			}
			slices.Reverse(c.holdings) // the order of warehouses never matters
		}
	}
}
