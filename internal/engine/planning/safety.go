package planning

import (
	"math/big"

	"kontor/internal/foundation/dec"
)

// quantile is a point of the standard normal distribution: a share of all, and how many standard deviations above the
// mean it ends.
type quantile struct{ level, z string }

// quantiles are the points that service levels lie between (tables of the inverse of the standard normal distribution).
func quantiles() []quantile {
	return []quantile{{"0.5", "0"}, {"0.55", "0.125661"}, {"0.6", "0.253347"}, {"0.65", "0.38532"}, {"0.7", "0.524401"},
		{"0.75", "0.67449"}, {"0.8", "0.841621"}, {"0.85", "1.036433"}, {"0.875", "1.150349"}, {"0.9", "1.281552"},
		{"0.92", "1.405072"}, {"0.94", "1.554774"}, {"0.95", "1.644854"}, {"0.96", "1.750686"}, {"0.97", "1.880794"},
		{"0.975", "1.959964"}, {"0.98", "2.053749"}, {"0.985", "2.17009"}, {"0.99", "2.326348"}, {"0.9925", "2.432379"},
		{"0.995", "2.575829"}, {"0.9975", "2.807034"}, {"0.999", "3.090232"}, {"0.9995", "3.290527"},
		{"0.9999", "3.719016"}}
}

// zOf is how many standard deviations a service level (0 to 1) takes: none up to a half, between two points of the
// table in proportion.
func zOf(level dec.Dec) dec.Dec {
	all := quantiles()
	if level <= dec.Must(all[0].level) {
		return 0
	}
	for i := 1; i < len(all); i++ {
		to, z := dec.Must(all[i].level), dec.Must(all[i].z)
		if level > to {
			continue
		}
		from, before := dec.Must(all[i-1].level), dec.Must(all[i-1].z)
		return before.Add(z.Sub(before).MulDiv(level.Sub(from), to.Sub(from)))
	}
	return dec.Must(all[len(all)-1].z)
}

// SafetyStock is what keeps the share level of lead times without a shortage: z times the standard deviation of a day's
// demand times the square root of the lead time in days, rounded up to decimals. demand is that of each of the last
// days, those without any included; fewer than two days say nothing, and nil is answered.
func SafetyStock(level dec.Dec, demand []dec.Dec, lead, decimals int) *dec.Dec {
	n := int64(len(demand))
	if n < 2 {
		return nil
	}
	sum, squares := new(big.Int), new(big.Int)
	for _, d := range demand {
		units, _ := d.Units(dec.Scale)
		v := big.NewInt(units)
		sum.Add(sum, v)
		squares.Add(squares, new(big.Int).Mul(v, v))
	}
	// n times the sum of squares less the square of the sum, over n times n less one, is the variance.
	top := new(big.Int).Mul(squares, big.NewInt(n))
	top.Sub(top, sum.Mul(sum, sum))
	z, _ := zOf(level).Units(dec.Scale)
	top.Mul(top, big.NewInt(z)).Mul(top, big.NewInt(z)).Mul(top, big.NewInt(int64(max(lead, 0))))
	one := int64(1_000_000)
	top.Div(top, big.NewInt(n)).Div(top, big.NewInt(n-1)).Div(top, big.NewInt(one)).Div(top, big.NewInt(one))
	root := top.Sqrt(top)
	out := multiple(dec.OfUnits(root.Int64(), dec.Scale), dec.Unit(decimals))
	return &out
}
