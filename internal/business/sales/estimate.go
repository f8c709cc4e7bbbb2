package sales

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Estimate is the order that a placing would make, with prices and taxes of its day, without placing it: it has no
// status, nothing is stored, numbered or reserved, and it may have no lines. Without a customer it is what somebody
// pays who is none. With mayLack a line whose item has no price is left at 0. Quotes are priced by it. Refusals: those
// of Place about customer, currency and lines.
func Estimate(tx *db.Tx, p Placing, mayLack bool) (*Order, error) {
	d, err := openEntry(tx, []Placing{p}, true)
	if err != nil {
		return nil, err
	}
	d.mayLack = mayLack
	o := &Order{Head: p.Head, ChannelCode: p.ChannelCode, NextLine: 1}
	c, known := d.customers[record.Fold(p.CustomerNumber)]
	switch {
	case p.CustomerNumber == "":
	case !known:
		d.wrong.Add(party.ErrNotFound, "customerNumber", "no customer has the number %q", p.CustomerNumber)
	case !c.IsActive:
		d.wrong.Add(party.ErrInactive, "customerNumber",
			"customer %s is inactive and cannot be placed on new orders; activate it first", c.Number)
	}
	o.CustomerID, o.CustomerNumber, o.CustomerName = c.ID, c.Number, c.Name
	d.terms(o, &c, p.CurrencyCode, "")
	if err := d.address(o, &c, party.Postal{}, "", ""); err != nil {
		return nil, err
	}
	d.wrong.If(len(p.Lines) > maxLines, ErrInvalid, "lines", "an order has 1 to %d lines, not %d", maxLines,
		len(p.Lines))
	if err := d.lines(o, &c, p.Lines, ""); err != nil {
		return nil, err
	}
	if err := d.wrong.Err(); err != nil {
		return nil, err
	}
	derive(o, func(*Line) {})
	return o, nil
}
