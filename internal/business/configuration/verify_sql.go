package configuration

import (
	"fmt"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

const verifiedColumns = "number, quantity, price_impact, impacts, order_number"

var verifiedRow = db.Map[Configuration](verifiedColumns)

// Verify recomputes what the choices of each configuration add to its price, where that does not depend on the price of
// the day, and holds ordered ones against the lines of their orders. It reports every difference in a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	digits := book.Digits(book.Base().Code)
	lines, err := orderedLines(tx)
	if err != nil {
		return err
	}
	return tx.Each(`-- configuration.Verify
		select `+verifiedColumns+` from configuration where company = :company order by number_key`, nil,
		func(r db.Row) error {
			var c Configuration
			if err := verifiedRow.Scan(r, &c); err != nil {
				return err
			}
			// What has no price is kept without what its choices would add to one.
			if is, known := c.fixedImpact(digits); known && is != c.PriceImpact && c.PriceImpact != 0 {
				report(fmt.Sprintf("configuration %s: its choices add %s, stored is %s", c.Number, is, c.PriceImpact))
			}
			if n := lines[[2]string{c.OrderNumber, c.Number}]; c.OrderNumber != "" && n != 1 {
				report(fmt.Sprintf("configuration %s: it was ordered with order %s, which has %d lines of it", c.Number,
					c.OrderNumber, n))
			}
			return nil
		})
}

// orderedLines counts the lines of each order, but for those that were cancelled, that are of a configuration: by the
// numbers of both.
func orderedLines(tx *db.Tx) (map[[2]string]int, error) {
	lines := map[[2]string]int{}
	return lines, tx.Each(`-- configuration.orderedLines whole
		select o.number, l.configuration from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.configuration <> '' and o.status <> 'Cancelled'`, nil, func(r db.Row) error {
		var at [2]string
		err := r.Scan(&at[0], &at[1])
		lines[at]++
		return err
	})
}

// fixedImpact is what the choices add to the whole quantity, where none of them adds a part of the price.
func (c *Configuration) fixedImpact(digits int) (sum dec.Dec, known bool) {
	for _, m := range c.Impacts {
		if m.Percent != 0 {
			return 0, false
		}
		sum = sum.Add(m.Amount)
	}
	return sum.MulRound(c.Quantity, digits), true
}
