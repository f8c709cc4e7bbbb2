package purchasing

import (
	"fmt"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// VerifyOrders recomputes totals, counts and statuses of purchase orders from their lines, what lines say was received
// from the receipts, and what stock expects from both. It reports every difference in a sentence and changes nothing.
func VerifyOrders(tx *db.Tx, report func(string)) error {
	expected, err := stock.AllExpected(tx, stock.RefPurchaseOrder)
	if err != nil {
		return err
	}
	if err := purchaseOrders.Every(tx, func(o *Order) { o.verify(expected, report) }); err != nil {
		return err
	}
	for at := range expected {
		report(fmt.Sprintf("purchase order %s: stock expects goods of this line, which is not there", at))
	}
	return verifyReceived(tx, report)
}

func (o *Order) verify(expected map[string]stock.Expectation, report func(string)) {
	is := purchaseOrders.Copy(o)
	is.derive()
	if is.Status != o.Status || is.Total != o.Total || is.LineCount != o.LineCount {
		report(fmt.Sprintf("purchase order %s: stored as %s, %s of %d lines; its lines say %s, %s of %d", o.Number,
			o.Status, o.Total, o.LineCount, is.Status, is.Total, is.LineCount))
	}
	for k := range o.Lines {
		if l := &o.Lines[k]; l.LineTotal != is.Lines[k].LineTotal {
			report(fmt.Sprintf("purchase order %s, line %d: %s at %s is stored as %s", o.Number, l.Number, l.Quantity,
				l.UnitPrice, l.LineTotal))
		}
	}
	for _, e := range o.expectations(o) {
		at := stock.ExpectedAt(o.Number, e.Line)
		if has := expected[at]; !has.Meets(e) {
			report(fmt.Sprintf(
				"purchase order %s, line %d: %s are outstanding for %s in %s, stock expects %s for %s in %s",
				o.Number, e.Line, e.Quantity, e.Due, e.Warehouse, has.Quantity, has.Due, has.Warehouse))
		}
		delete(expected, at)
	}
}

// verifyReceived holds what lines say was received against the receipts that stand.
func verifyReceived(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- purchasing.verifyReceived
		select o.number, l.line, l.received, coalesce(x.quantity, 0)
		from purchase_order_line l join purchase_order o on o.company = l.company and o.id = l.order_id
			left join (select n.source_key, n.source_line, sum(n.quantity) as quantity
				from goods_receipt_line n join goods_receipt r on r.company = n.company and r.id = n.receipt_id
				where n.company = :company and n.purchase_order <> '' and r.status = 'Completed'
				group by n.source_key, n.source_line) x on x.source_key = o.number_key and x.source_line = l.line
		where l.company = :company and l.received <> coalesce(x.quantity, 0) order by o.number_key, l.line`, nil,
		"purchase order %s, line %d: %s are stored as received, the receipts say %s",
		new(string), new(int), new(dec.Dec), new(dec.Dec))
}
