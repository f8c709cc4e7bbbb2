// Package tax takes the tax of one document line: per line, rounded once, half away from zero, to
// the currency's minor digits, so that document totals are sums of rounded lines.
package tax

import "kontor/internal/dec"

const hundred = 100 * dec.One

// Line splits the amount of a line (quantity times price less discount, rounded or not) into what is
// shown without tax, and the tax. Where prices are without tax, net is the rounded amount and the
// tax is percent of it. Where prices include tax, the gross amount is rounded and the tax taken out
// of it: net plus tax is then exactly the amount that was shown.
//
// Used for the lines of orders, quotes, invoices, credit notes, returns and carts.
func Line(amount, percent dec.Dec, digits int, inclusive bool) (net, tax dec.Dec) {
	amount = amount.Round(digits)
	if inclusive {
		tax = share(amount, percent, hundred.Add(percent), digits)
		return amount.Sub(tax), tax
	}
	return amount, share(amount, percent, hundred, digits)
}

// share is amount * part / whole rounded once to digits decimals. amount is a whole number of minor
// units, so the quotient is taken in minor units: rounding it to six decimals first and to the
// minor digits after would round a little less than a half upwards.
func share(amount, part, whole dec.Dec, digits int) dec.Dec {
	unit := dec.One
	for range digits {
		unit /= 10
	}
	return (amount/unit).MulDiv(part, whole) * unit
}
