// Package tax takes the tax of one document line: per line, rounded once, half away from zero, to
// the currency's minor digits, so that document totals are sums of rounded lines.
package tax

import "kontor/internal/foundation/dec"

const hundred = 100 * dec.One

// Line splits the amount of a line (quantity times price less discount, rounded or not) into what is
// shown without tax, and the tax. Where prices are without tax, net is the rounded amount and the
// tax is percent of it. Where prices include tax, the gross amount is rounded and the tax taken out
// of it: net plus tax is then exactly the amount that was shown. Tax is rounded once: to six decimals first
// and to the minor digits after would lift what is a little less than a half.
//
// Used for the lines of orders, quotes, invoices, credit notes, returns and carts.
func Line(amount, percent dec.Dec, digits int, inclusive bool) (net, tax dec.Dec) {
	amount = amount.Round(digits)
	if inclusive {
		tax = amount.MulDivRound(percent, hundred.Add(percent), digits)
		return amount.Sub(tax), tax
	}
	return amount, amount.MulDivRound(percent, hundred, digits)
}

// As is the amount of a line, which has its tax in it or not, as it is with tax or without.
//
// Used where prices of several lists are held against what a store shows: by carts and discounts.
func As(amount, percent dec.Dec, digits int, inclusive, wanted bool) dec.Dec {
	net, tax := Line(amount, percent, digits, inclusive)
	if wanted {
		return net.Add(tax)
	}
	return net
}
