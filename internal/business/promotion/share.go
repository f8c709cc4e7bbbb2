package promotion

import (
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/dec"
)

const hundred = 100 * dec.One

// Good is a line as discounts see it. Amount is what it costs before them, a whole number of minor units, with tax or
// without as its price is.
type Good struct {
	Item                string // number, folded
	Category            string // code, folded
	Brand               string // code, folded
	Amount              dec.Dec
	TaxPercent          dec.Dec
	IsPriceIncludingTax bool
}

// Grant is a discount code as far as it decides what is taken off.
type Grant struct {
	Percent dec.Dec // of each line, 0 to 100
	Amount  dec.Dec // once, spread over the lines, as the store shows prices
	Covers  func(Good) bool
}

// Terms are how a store shows prices: what a buyer reads of a code is meant so, whatever list a price comes from.
type Terms struct {
	Digits              int // of the currency
	IsPriceIncludingTax bool
}

// shown is an amount of a line as the store shows it.
func (t Terms) shown(g Good, amount dec.Dec) dec.Dec {
	return tax.As(amount, g.TaxPercent, t.Digits, g.IsPriceIncludingTax, t.IsPriceIncludingTax)
}

// own is the amount of a line, as its price is, that the store shows so. Of prices without tax some amounts with tax
// are none: then it is the next to it.
func (t Terms) own(g Good, shown dec.Dec) dec.Dec {
	return tax.As(shown, g.TaxPercent, t.Digits, t.IsPriceIncludingTax, g.IsPriceIncludingTax)
}

// Reduce says what grants take off each line, as its price is, and how much each grant takes off as the store shows
// prices: percentages first, then amounts, each of what those before it have left, in the order given. The parts of the
// lines and those of the grants come to the same, and no line is reduced below zero.
//
// Used by carts, and so by the orders that are made of them.
func Reduce(goods []Good, grants []Grant, t Terms) (byLine, byGrant []dec.Dec) {
	byLine, byGrant = make([]dec.Dec, len(goods)), make([]dec.Dec, len(grants))
	left := func(l int) dec.Dec { return goods[l].Amount.Sub(byLine[l]) }
	leave := func(grant, line int, rest dec.Dec) (granted dec.Dec) {
		granted = t.shown(goods[line], left(line)).Sub(t.shown(goods[line], rest))
		byLine[line] = goods[line].Amount.Sub(rest)
		byGrant[grant] = byGrant[grant].Add(granted)
		return granted
	}
	for g, grant := range grants {
		if grant.Percent <= 0 {
			continue
		}
		for l, good := range goods {
			if costs := left(l); costs > 0 && grant.Covers(good) {
				leave(g, l, costs.Sub(min(costs, dec.Product(t.Digits, costs, grant.Percent, dec.One, hundred))))
			}
		}
	}
	for g, grant := range grants {
		if grant.Amount <= 0 {
			continue
		}
		costs, most := make([]dec.Dec, len(goods)), make([]dec.Dec, len(goods))
		for l, good := range goods {
			if grant.Covers(good) {
				most[l] = max(0, left(l))
				costs[l] = t.shown(good, most[l])
			}
		}
		offs := spread(grant.Amount, costs, t.Digits)
		var due dec.Dec // what a line cannot be reduced by, since its price knows no such amount, the others are
		for range 2 {
			for l, good := range goods {
				if due = due.Add(offs[l]); most[l] > 0 && due != 0 {
					rest := t.own(good, max(0, t.shown(good, left(l)).Sub(due)))
					due = due.Sub(leave(g, l, min(rest, most[l])))
				}
				offs[l] = 0
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
