package sales

import (
	"cmp"

	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
)

// Unbilled is what may still be invoiced of an order, with tax: now or once it is delivered. Used by checkout, for what
// of a payment must wait.
func (o *Order) Unbilled() (sum dec.Dec) {
	for i := range o.Lines {
		l := &o.Lines[i]
		net, vat := l.Bill(max(0, o.due(l).Sub(l.Invoiced)), o.Digits)
		sum = sum.Add(net).Add(vat)
	}
	return sum
}

// cost is what an order comes to with tax, invoiced or not.
func (o *Order) cost() (sum dec.Dec) {
	for i := range o.Lines {
		l := &o.Lines[i]
		sum = sum.Add(l.withTax(Part(l.Cost(o.Digits), o.due(l), l.Quantity, o.Digits), o.Digits))
	}
	return sum
}

// derive writes everything that follows from the lines and the status: what services count as delivered,
// amounts, planned dates, the head's statuses and sums, and whether the order is closed. It is called
// after every change, and nobody else writes these. touch learns of lines before their quantities change.
func derive(o *Order, touch func(*Line)) {
	deliverServices(o, touch)
	o.LineCount, o.TotalAmount, o.TotalVAT = len(o.Lines), 0, 0
	for i := range o.Lines {
		l := &o.Lines[i]
		l.BaseQuantity = l.Base(l.Quantity)
		l.discount(o.Digits)
		l.LineTotal, l.TaxAmount = tax.Line(l.Cost(o.Digits), l.TaxPercent, o.Digits, l.IsPriceIncludingTax)
		l.PlannedDeliveryDate = planned(o, l)
		o.TotalAmount = o.TotalAmount.Add(l.LineTotal)
		o.TotalVAT = o.TotalVAT.Add(l.TaxAmount)
	}
	o.Delivery, o.DeliveredPercent = delivery(o)
	o.Invoicing = invoicing(o)
	o.PlannedDeliveryDate = plannedHead(o)
	deriveOrder(o)
}

// deliverServices counts what does not travel as delivered once the first goods are, or at release where there are no
// goods. Until then only what was invoiced or came back all the same is.
func deliverServices(o *Order, touch func(*Line)) {
	goods, delivered := false, false
	for i := range o.Lines {
		if l := &o.Lines[i]; l.Ships() {
			goods = true
			delivered = delivered || l.Delivered > 0
		}
	}
	if o.Status == Closed && !goods {
		return
	}
	due := delivered || o.Status == Released && !goods
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.Ships() {
			continue
		}
		is := max(l.Invoiced, l.Returned)
		if due {
			is = l.Quantity
		}
		if is != l.Delivered {
			touch(l)
			l.Delivered = is
		}
	}
}

// wanted is the day a line is asked for: its own, else the head's, else the day of the order. Back-orders are covered
// in this order.
func wanted(o *Order, l *Line) day.Date {
	return cmp.Or(l.RequestedDeliveryDate, o.RequestedDeliveryDate, o.OrderDate)
}

// planned is the day a line is promised for: the day it is wanted, once all of it is reserved or delivered; none
// before, and none in an estimate.
func planned(o *Order, l *Line) day.Date {
	if o.Status == "" || o.Status == Cancelled || l.Missing() > 0 {
		return ""
	}
	return wanted(o, l)
}

// plannedHead is the last of the lines' days, none while one of them has none.
func plannedHead(o *Order) (last day.Date) {
	for i := range o.Lines {
		d := o.Lines[i].PlannedDeliveryDate
		if d == "" {
			return ""
		}
		last = max(last, d)
	}
	return last
}

// delivery is the head's delivery status and its percentage, delivered of ordered quantities. It is rounded down to
// hundredths, so that 100 means all.
func delivery(o *Order) (DeliveryStatus, dec.Dec) {
	full, none := true, true
	var ordered, delivered dec.Dec
	for i := range o.Lines {
		l := &o.Lines[i]
		full = full && l.Delivered >= l.Quantity
		none = none && l.Delivered == 0
		ordered, delivered = ordered.Add(l.Quantity), delivered.Add(min(l.Delivered, l.Quantity))
	}
	switch {
	case none:
		return NotDelivered, 0
	case full:
		return FullyDelivered, hundred
	}
	return PartiallyDelivered, min(delivered.MulDiv(hundred, ordered).Cut(2), hundred-dec.One/100)
}

// invoicing is the head's invoiced status. What came back unbilled needs no invoice.
func invoicing(o *Order) InvoicedStatus {
	full, none := true, true
	for i := range o.Lines {
		l := &o.Lines[i]
		full = full && l.Invoiced.Add(l.ReturnedUnbilled) >= l.Quantity
		none = none && l.Invoiced == 0
	}
	switch {
	case full && len(o.Lines) > 0:
		return FullyInvoiced
	case none:
		return NotInvoiced
	}
	return PartiallyInvoiced
}

// deriveOrder closes a released order once everything is delivered and invoiced, and opens it again when goods come
// back from a failed delivery or an invoice is taken back. An order closed by hand stays closed.
func deriveOrder(o *Order) {
	complete := o.Delivery == FullyDelivered && o.Invoicing == FullyInvoiced
	switch {
	case o.Status == Released && complete:
		o.Status = Closed
	case o.Status == Closed && !o.GivenUp && !complete:
		o.Status = Released
	}
}
