package quoting

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Verify recomputes what each line and each quote comes to, and holds quotes that became orders against these. It
// reports every difference in a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	if err := quotes.Every(tx, func(q *Quote) { q.verify(report) }); err != nil {
		return err
	}
	return verifyOrders(tx, report)
}

func (q *Quote) verify(report func(string)) {
	is := quotes.Copy(q)
	is.derive()
	for i := range q.Lines {
		if was, now := &q.Lines[i], &is.Lines[i]; *was != *now {
			report(fmt.Sprintf("quote %s, line %d: stored with total %s and tax %s, derived are %s and %s",
				q.Number, was.Number, was.LineTotal, was.TaxAmount, now.LineTotal, now.TaxAmount))
		}
	}
	if is.TotalAmount != q.TotalAmount || is.TotalVAT != q.TotalVAT {
		report(fmt.Sprintf("quote %s: totals are stored as %s and %s, its lines say %s and %s", q.Number,
			q.TotalAmount, q.TotalVAT, is.TotalAmount, is.TotalVAT))
	}
}

// verifyOrders finds quotes whose order is not there, or is another's too.
func verifyOrders(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- quoting.verifyOrders
		select q.number, q.order_number, count(o.id) from quote q
			left join sales_order o on o.company = q.company and o.number_key = q.order_key and o.customer_id = q.customer_id
		where q.company = :company and q.order_key <> '' group by q.number, q.order_number, q.order_key
		having count(o.id) <> 1 or (select count(*) from quote x where x.company = :company and x.order_key = q.order_key) <> 1`,
		nil,
		"quote %s: it has become order %s, of which its customer has %d, or another quote has become it too",
		new(string), new(string), new(int))
}
