package promotion

import "kontor/internal/foundation/dec"

const hundred = 100 * dec.One

// Good is a line as discounts see it. Amount is what it costs before them, a whole number of minor units; a discount is
// taken off in the same terms, with tax or without.
type Good struct {
	Item     string // number, folded
	Category string // code, folded
	Brand    string // code, folded
	Amount   dec.Dec
}

// Grant is a discount code as far as it decides what is taken off.
type Grant struct {
	Percent dec.Dec // of each line, 0 to 100
	Amount  dec.Dec // once, spread over the lines
	Covers  func(Good) bool
}

// Reduce says what grants take off each line, and how much of it each grant: percentages first, then amounts, each of
// what those before it have left, in the order given. The parts of the lines and those of the grants add up to the same
// sum, and no line is reduced below zero. digits are those of the currency.
//
// Used by carts, and so by the orders that are made of them.
func Reduce(goods []Good, grants []Grant, digits int) (byLine, byGrant []dec.Dec) {
	byLine, byGrant = make([]dec.Dec, len(goods)), make([]dec.Dec, len(grants))
	take := func(grant, line int, off dec.Dec) {
		byLine[line] = byLine[line].Add(off)
		byGrant[grant] = byGrant[grant].Add(off)
	}
	for g, grant := range grants {
		if grant.Percent <= 0 {
			continue
		}
		for l, good := range goods {
			if left := good.Amount.Sub(byLine[l]); left > 0 && grant.Covers(good) {
				take(g, l, min(left, dec.Product(digits, left, grant.Percent, dec.One, hundred)))
			}
		}
	}
	for g, grant := range grants {
		if grant.Amount <= 0 {
			continue
		}
		left := make([]dec.Dec, len(goods))
		for l, good := range goods {
			if grant.Covers(good) {
				left[l] = max(0, good.Amount.Sub(byLine[l]))
			}
		}
		for l, off := range spread(grant.Amount, left, digits) {
			if off > 0 {
				take(g, l, off)
			}
		}
	}
	return byLine, byGrant
}

// spread divides an amount among lines in proportion to what they cost, in whole minor units. It divides no more than
// they cost.
func spread(amount dec.Dec, costs []dec.Dec, digits int) []dec.Dec {
	total, _ := dec.Sum(costs...).Units(digits)
	units, _ := amount.Units(digits)
	return dec.Spread(dec.OfUnits(max(0, min(units, total)), digits), digits, costs)
}
