package sales

import (
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/dec"
)

const hundred = 100 * dec.One

// Amount is quantity times unit price less a discount in percent, rounded once, half away from zero, to the currency's
// minor digits.
// Used for lines of orders and carts, and by invoicing and returns for parts of them.
func Amount(quantity, unitPrice, discountPercent dec.Dec, digits int) dec.Dec {
	return dec.Product(digits, quantity, unitPrice, hundred.Sub(discountPercent), hundred)
}

// Part is what a part of a line costs: its share of what the rest of the line costs, by quantity, rounded once, half
// away from zero, to the currency's minor digits. quantity is that of the part, of that of the rest, the part included.
// The part that is all of the rest costs all of it, so that the parts of a line add up to the line, whatever their
// order and whatever was taken back between them; none costs less than nothing. Used for invoices of a part of an
// order, credit notes of a part of an invoice, and returns.
func Part(rest, quantity, of dec.Dec, digits int) dec.Dec {
	rest = max(0, rest)
	if quantity >= of {
		return rest
	}
	return min(rest, dec.Product(digits, rest, quantity, dec.One, of))
}

// Discounted is what a part of a discounted line costs: its Part, and never more than without the discount, as it would
// where the quantity at the price is no whole number of minor units and next to nothing is taken off.
func Discounted(rest, quantity, of, unitPrice dec.Dec, digits int) dec.Dec {
	return min(Part(rest, quantity, of, digits), Amount(quantity, unitPrice, 0, digits))
}

// gross is what a quantity of the line costs without the discount.
func (l *Line) gross(quantity dec.Dec, digits int) dec.Dec {
	return Amount(quantity, l.UnitPrice, 0, digits)
}

// Cost is what the line costs less its discount, in the terms of its price: with tax where that has it.
func (l *Line) Cost(digits int) dec.Dec { return l.gross(l.Quantity, digits).Sub(l.DiscountAmount) }

// Next is what the next part of the line costs that is invoiced, in the terms of its price. Of a line without a
// discount that is what the parts come to with it and came to before, and not more than the part by itself: so they add
// up to the line, or to a little less, and what was paid for the line pays for them.
func (l *Line) Next(quantity dec.Dec, digits int) dec.Dec {
	own := l.gross(quantity, digits)
	if quantity <= 0 {
		return own
	}
	if l.DiscountAmount == 0 {
		return max(0, min(own, l.gross(l.Invoiced.Add(quantity), digits).Sub(l.InvoicedAmount)))
	}
	return Discounted(l.Cost(digits).Sub(l.InvoicedAmount), quantity, l.Quantity.Sub(l.Invoiced), l.UnitPrice, digits)
}

// Bill is Next without tax, and its tax: the tax of all that is invoiced with it less that of what was before, so that
// the tax of the parts adds up to that of the line.
func (l *Line) Bill(quantity dec.Dec, digits int) (net, vat dec.Dec) {
	split := func(amount dec.Dec) (net, vat dec.Dec) {
		return tax.Line(amount, l.TaxPercent, digits, l.IsPriceIncludingTax)
	}
	net, vat = split(l.InvoicedAmount.Add(l.Next(quantity, digits)))
	netBefore, vatBefore := split(l.InvoicedAmount)
	return net.Sub(netBefore), vat.Sub(vatBefore)
}

// withTax is what an amount in the terms of the line's price comes to with tax.
func (l *Line) withTax(amount dec.Dec, digits int) dec.Dec {
	net, vat := tax.Line(amount, l.TaxPercent, digits, l.IsPriceIncludingTax)
	return net.Add(vat)
}

// discount derives what is taken off the line: of an agreed percentage the amount, of an agreed amount the percentage,
// as near as six decimals come to it. Nothing costs less than nothing.
func (l *Line) discount(digits int) {
	gross := l.gross(l.Quantity, digits)
	if !l.KeepsDiscount {
		l.DiscountAmount = gross.Sub(Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, digits))
		return
	}
	l.DiscountAmount = min(l.DiscountAmount, gross)
	l.DiscountPercent = 0
	if gross > 0 {
		l.DiscountPercent = min(hundred, l.DiscountAmount.MulDiv(hundred, gross))
	}
}

// requantify gives a line whose quantity was changed its discount. An agreed amount is shared: what was invoiced has
// its own already, the rest bears its part. It does not grow with the quantity: it was agreed for the goods there were.
func (l *Line) requantify(was *Line, digits int) {
	if !l.KeepsDiscount || l.Quantity >= was.Quantity || l.UnitPrice != was.UnitPrice {
		return
	}
	rest := Part(was.Cost(digits).Sub(was.InvoicedAmount), l.Quantity.Sub(l.Invoiced), was.Quantity.Sub(was.Invoiced),
		digits)
	l.DiscountAmount = max(0, l.gross(l.Quantity, digits).Sub(was.InvoicedAmount).Sub(rest))
}
