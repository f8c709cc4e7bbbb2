package paper

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/dec"
)

// priced is what a line costs, as its document keeps it.
type priced struct {
	quantity, unitPrice, percent dec.Dec
	off                          dec.Dec // in the terms of the price
	net, tax, taxPercent         dec.Dec
	withTax                      bool // the price has its tax in it
	digits                       int
}

// WithoutTax is a price without the tax that is in it, to four decimals: of most it has as many.
func WithoutTax(price, taxPercent dec.Dec) dec.Dec {
	return price.MulDivRound(100*dec.One, (100 * dec.One).Add(taxPercent), 4)
}

// price is the price of a line and what goes off it, both without tax, so that they lead to the total beside them: the
// percentage where that says it all, else the amount.
//
// Directive 2006/112/EC, article 226 (8): "the unit price exclusive of VAT and any discounts or rebates if they are not
// included in the unit price".
func (p *sheet) price(l priced) string {
	price, off, cost := l.unitPrice, l.off, l.net
	if l.withTax {
		price = WithoutTax(price, l.taxPercent)
		off, cost = sales.Amount(l.quantity, price, 0, l.digits).Sub(l.net), l.net.Add(l.tax)
	}
	said := p.number(price, l.digits)
	switch {
	case l.percent != 0 && l.percent.Decimals() <= 2 &&
		(l.off == 0 || sales.Amount(l.quantity, l.unitPrice, l.percent, l.digits) == cost):
		return said + " −" + p.percent(l.percent)
	case l.off == 0 || off == 0:
		return said
	case off > 0:
		return said + " −" + p.number(off, l.digits)
	}
	return said + " +" + p.number(off.Neg(), l.digits) // rounding left so much more for a part
}
