package dec

import (
	"cmp"
	"math/big"
	"slices"
)

// DivDown is d / e rounded down, of numbers that are not negative.
func (d Dec) DivDown(e Dec) Dec {
	q := d.Div(e)
	given := new(big.Int).Mul(big.NewInt(int64(q)), big.NewInt(int64(e)))
	if given.Cmp(new(big.Int).Mul(big.NewInt(int64(d)), big.NewInt(int64(One)))) > 0 {
		q--
	}
	return q
}

// Spread divides an amount in proportion to weights, in whole units of the last of its places: first what each is due
// rounded down, then a unit each to those that lost most by that (of equals to the earlier one), so that the parts add
// up to the amount exactly (the method of the largest remainder). A weight of 0 or less gets nothing; where no weight
// is above 0, nobody does. The amount is not negative and has no more places.
func Spread(amount Dec, places int, weights []Dec) []Dec {
	out := make([]Dec, len(weights))
	units, _ := amount.Units(places)
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, big.NewInt(int64(max(w, 0))))
	}
	if units <= 0 || total.Sign() == 0 {
		return out
	}
	type part struct {
		at   int
		due  int64
		lost *big.Int
	}
	var parts []part
	rest := units
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		due, lost := new(big.Int).Mul(big.NewInt(units), big.NewInt(int64(w))), new(big.Int)
		due.QuoRem(due, total, lost)
		rest -= due.Int64()
		parts = append(parts, part{i, due.Int64(), lost})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(b.lost.Cmp(a.lost), cmp.Compare(a.at, b.at)) })
	for n, p := range parts {
		if int64(n) < rest {
			p.due++
		}
		out[p.at] = OfUnits(p.due, places)
	}
	return out
}
