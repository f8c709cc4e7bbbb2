package payable

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// verifyBilled holds what lines of receipts say was billed against the invoices that stand.
func verifyBilled(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- payable.verifyBilled
		select r.number, x.source_line, x.unit_cost, sum(x.billed), sum(x.asked)
		from (select l.receipt_id, l.source_line, l.unit_cost, l.billed, 0 as asked from goods_receipt_line l
				where l.company = :company and l.billed <> 0
			union all
			select n.receipt_id, n.order_line, n.unit_cost, 0, n.quantity
				from supplier_invoice_line n join supplier_invoice v on v.company = n.company and v.id = n.invoice_id
				where n.company = :company and n.kind = 'Goods' and v.status not in ('Rejected', 'Cancelled')) x
			join goods_receipt r on r.company = :company and r.id = x.receipt_id
		group by r.number, x.source_line, x.unit_cost having sum(x.billed) <> sum(x.asked) order by 1, 2`, nil,
		"receipt %s, line %d of its order at %s: %s are stored as billed, the invoices say %s",
		new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}

// verifyBooked holds what differences made of the value of stock against the ledger, and costs against the charges
// that they became.
func verifyBooked(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- payable.verifyBooked
		select v.number, l.line, l.on_hand, l.in_stock, l.left_over, l.returned, l.base_amount, l.charge, e.average_after, b.average_after,
			x.average_after, y.average_after, coalesce(c.amount, 0)
		from supplier_invoice_line l join supplier_invoice v on v.company = l.company and v.id = l.invoice_id
			left join goods_receipt_charge c on c.company = l.company and c.receipt_id = l.receipt_id and c.charge = l.charge
			left join stock_entry e on e.company = l.company and e.id = l.entry_id and e.kind = 'Revaluation'
			left join stock_entry b on b.company = e.company and b.item_id = e.item_id and b.warehouse = e.warehouse
				and b.seq = e.seq - 1
			left join stock_entry x on x.company = l.company and x.id = l.counter_id and x.kind = 'Revaluation'
			left join stock_entry y on y.company = x.company and y.item_id = x.item_id and y.warehouse = x.warehouse
				and y.seq = x.seq - 1
		where l.company = :company and (l.in_stock <> 0 or l.charge <> 0) order by v.number_key, l.line`, nil,
		func(r db.Row) error {
			var (
				number                         string
				l                              Line
				after, before, undone, present *dec.Dec
				charged                        dec.Dec
			)
			if err := r.Scan(&number, &l.Number, &l.OnHand, &l.InStock, &l.LeftOver, &l.Returned, &l.BaseAmount,
				&l.Charge, &after, &before, &undone, &present, &charged); err != nil {
				return err
			}
			at := fmt.Sprintf("supplier invoice %s, line %d: ", number, l.Number)
			if l.Charge != 0 && charged != l.BaseAmount {
				report(at + fmt.Sprintf("%s became a charge of %s", l.BaseAmount, charged))
			}
			if l.InStock != 0 && (after == nil || before == nil ||
				after.Sub(*before).Mul(l.OnHand) != l.InStock) {
				report(at + fmt.Sprintf("%s are stored as in stock of %s on hand, the ledger says otherwise", l.InStock, l.OnHand))
			}
			if l.Returned != 0 && (undone == nil || present == nil ||
				present.Sub(*undone).Mul(l.LeftOver) != l.Returned) {
				report(at + fmt.Sprintf("%s are stored as taken back of %s on hand, the ledger says otherwise", l.Returned, l.LeftOver))
			}
			return nil
		})
}
