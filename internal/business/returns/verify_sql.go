package returns

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Verify recomputes totals from lines, and what order lines say was returned from the returns, and reports every
// difference.
func Verify(tx *db.Tx, report func(string)) error {
	return record.Verify(tx, report, verifyReturned, verifyLines, verifyTotals)
}

func verifyReturned(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- returns.Verify
		select o.number, l.line, l.returned, l.delivered, coalesce(x.quantity, 0)
		from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
			left join (select r.order_id, n.order_line, sum(n.quantity) as quantity
				from sales_return_line n join sales_return r on r.company = n.company and r.id = n.return_id
				where n.company = :company and r.status in (:received)
				group by r.order_id, n.order_line) x on x.order_id = l.order_id and x.order_line = l.line
		where l.company = :company and l.returned <> coalesce(x.quantity, 0)
		order by o.number_key, l.line`,
		db.Args{"received": []string{string(Received), string(CreditNoted), string(Closed)}},
		"order %s, line %d: %s of %s are stored as returned, the returns say %s",
		new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}

// verifyLines recomputes what each line costs: quantity times price, rounded, less its discount.
func verifyLines(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- returns.verifyLines
		select `+lineColumns+`, r.number, r.digits
		from sales_return_line join (select company, id, number, number_key, digits from sales_return) r
			on r.company = sales_return_line.company and r.id = sales_return_line.return_id
		where sales_return_line.company = :company order by r.number_key, line`, nil, func(row db.Row) error {
		var (
			number string
			digits int
			l      Line
		)
		if err := row.Scan(append(lineRow.Of(&l), &number, &digits)...); err != nil {
			return err
		}
		is := l.LineTotal
		if l.IsPriceIncludingTax {
			is = is.Add(l.TaxAmount)
		}
		if is != l.cost(digits) {
			report(fmt.Sprintf("return %s, line %d: %s at %s less %s is stored as %s", number, l.Number, l.Quantity,
				l.UnitPrice, l.DiscountAmount, is))
		}
		return nil
	})
}

func verifyTotals(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- returns.verifyTotals
		select r.number, r.total, r.vat, coalesce(x.total, 0), coalesce(x.vat, 0)
		from sales_return r left join (select return_id, sum(total) as total, sum(vat) as vat from sales_return_line
			where company = :company group by return_id) x on x.return_id = r.id
		where r.company = :company and (r.total <> coalesce(x.total, 0) or r.vat <> coalesce(x.vat, 0)) order by r.number_key`,
		nil,
		"return %s: totals are stored as %s and %s, its lines say %s and %s",
		new(string), new(dec.Dec), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}
