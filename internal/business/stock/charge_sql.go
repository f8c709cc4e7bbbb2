package stock

import (
	"fmt"

	"kontor/internal/engine/costing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const (
	chargeColumns = "charge, kind, basis, amount, reference, booked_at, reversed_at, reason"
	shareColumns  = "item_id, item, amount, quantity, on_hand, in_stock, returned, left_over, entry_id, counter_id"
)

var (
	chargeRow = db.Map[Charge](chargeColumns)
	shareRow  = db.Map[ChargeShare](shareColumns)
)

func insertCharge(tx *db.Tx, r *GoodsReceipt, c *Charge) error {
	err := tx.Insert("goods_receipt_charge", chargeColumns+", receipt_id", 1, func(int) []any {
		return append(chargeRow.Of(c), r.ID)
	})
	if err != nil {
		return err
	}
	return tx.Insert("goods_receipt_share", shareColumns+", receipt_id, charge", len(c.Shares), func(i int) []any {
		return append(shareRow.Of(&c.Shares[i]), r.ID, c.Number)
	})
}

// updateCharge writes what a reversal changed.
func updateCharge(tx *db.Tx, r *GoodsReceipt, c *Charge) error {
	_, err := tx.Exec(`-- stock.updateCharge
		update goods_receipt_charge set reversed_at = :at, reason = :reason
		where company = :company and receipt_id = :id and charge = :charge`,
		db.Args{"id": r.ID, "charge": c.Number, "at": c.ReversedAt, "reason": c.Reason})
	if err != nil {
		return err
	}
	_, err = tx.Update("goods_receipt_share", "receipt_id, charge, item_id, returned, left_over, counter_id", 3,
		len(c.Shares), func(i int) []any {
			s := &c.Shares[i]
			return []any{r.ID, c.Number, s.ItemID, s.Returned, s.LeftOver, s.CounterID}
		})
	return err
}

// readCharges reads what the delivery of a receipt cost on its way.
func readCharges(tx *db.Tx, r *GoodsReceipt) (err error) {
	r.Charges, err = db.Rows(tx, `-- stock.readCharges
		select `+chargeColumns+` from goods_receipt_charge
		where company = :company and receipt_id = :id order by charge`, db.Args{"id": r.ID}, chargeRow.Scan)
	if err != nil || len(r.Charges) == 0 {
		return err
	}
	return tx.Each(`-- stock.readCharges shares
		select `+shareColumns+`, charge
		from goods_receipt_share where company = :company and receipt_id = :id order by charge, item_id`,
		db.Args{"id": r.ID}, func(row db.Row) error {
			var s ChargeShare
			var charge int
			err := row.Scan(append(shareRow.Of(&s), &charge)...)
			r.Charges[charge-1].Shares = append(r.Charges[charge-1].Shares, s)
			return err
		})
}

// verifyCharges recomputes what charges made of the value of stock from the ledger before them, and holds the parts of
// each against its amount, and against what its receipt brought in.
func verifyCharges(tx *db.Tx, report func(string)) error {
	err := tx.Each(`-- stock.verifyCharges
		select r.number, s.charge, s.item, s.amount, s.quantity, s.on_hand, s.in_stock, s.returned, s.left_over,
			c.reversed_at, e.average_after, b.average_after, x.average_after, y.average_after,
			(select coalesce(sum(l.quantity), 0) from goods_receipt_line l where l.company = s.company
				and l.receipt_id = s.receipt_id and l.item_id = s.item_id),
			(select coalesce(sum(h.quantity), 0) from stock_entry h where h.company = s.company and h.item_id = s.item_id
				and h.warehouse = r.warehouse and h.seq < e.seq and h.target_location = ''),
			(select coalesce(sum(h.quantity), 0) from stock_entry h where h.company = s.company and h.item_id = s.item_id
				and h.warehouse = r.warehouse and h.seq < x.seq and h.target_location = '')
		from goods_receipt_share s join goods_receipt r on r.company = s.company and r.id = s.receipt_id
			join goods_receipt_charge c on c.company = s.company and c.receipt_id = s.receipt_id and c.charge = s.charge
			left join stock_entry e on e.company = s.company and e.id = s.entry_id and e.kind = 'Revaluation'
			left join stock_entry b on b.company = e.company and b.item_id = e.item_id and b.warehouse = e.warehouse
				and b.seq = e.seq - 1
			left join stock_entry x on x.company = s.company and x.id = s.counter_id and x.kind = 'Revaluation'
			left join stock_entry y on y.company = x.company and y.item_id = x.item_id and y.warehouse = x.warehouse
				and y.seq = x.seq - 1
		where s.company = :company order by r.number_key, s.charge, s.item_id`, nil, func(row db.Row) error {
		var a chargeAudit
		if err := a.scan(row); err != nil {
			return err
		}
		a.compare(report)
		return nil
	})
	if err != nil {
		return err
	}
	return record.Report(tx, report, `-- stock.verifyCharges sums
		select r.number, c.charge, c.amount, coalesce(sum(s.amount), 0)
		from goods_receipt_charge c join goods_receipt r on r.company = c.company and r.id = c.receipt_id
			left join goods_receipt_share s on s.company = c.company and s.receipt_id = c.receipt_id and s.charge = c.charge
		where c.company = :company group by r.number, c.charge, c.amount having coalesce(sum(s.amount), 0) <> c.amount`, nil,
		"receipt %s, charge %d: of %s, %s are spread", new(string), new(int), new(dec.Dec), new(dec.Dec))
}

// chargeAudit is a share of a charge, with what the ledger says of it.
type chargeAudit struct {
	number          string
	charge          int
	s               ChargeShare
	reversed        db.Time
	after, before   *dec.Dec // average costs around the entry,
	undone, present *dec.Dec // and around its counter-entry
	came            dec.Dec
	onHand, left    dec.Dec
}

func (a *chargeAudit) scan(row db.Row) error {
	return row.Scan(&a.number, &a.charge, &a.s.Item, &a.s.Amount, &a.s.Quantity, &a.s.OnHand, &a.s.InStock,
		&a.s.Returned, &a.s.LeftOver, &a.reversed, &a.after, &a.before, &a.undone, &a.present, &a.came, &a.onHand,
		&a.left)
}

func (a *chargeAudit) compare(report func(string)) {
	of := fmt.Sprintf("receipt %s, charge %d, item %s: ", a.number, a.charge, a.s.Item)
	if a.came != a.s.Quantity {
		report(of + fmt.Sprintf("spread over %s, the receipt brought in %s", a.s.Quantity, a.came))
	}
	each, inStock := costing.Landed(a.s.Amount, a.s.Quantity, a.s.OnHand)
	if inStock != a.s.InStock || (each > 0) != (a.after != nil) {
		report(of + fmt.Sprintf("%s of %s are stored as in stock, of %s on hand it should be %s", a.s.InStock, a.s.Amount, a.s.OnHand,
			inStock))
	}
	if a.after != nil && (a.onHand != a.s.OnHand || a.before == nil || a.before.Add(each) != *a.after) {
		report(of + fmt.Sprintf("%s on hand, %s more for each: the ledger says %s on hand, "+
			"and an average cost of %s afterwards", a.s.OnHand,
			each, a.onHand, *a.after))
	}
	if a.undone == nil {
		if a.s.Returned != 0 {
			report(of + fmt.Sprintf("%s were taken back, the ledger says nothing of it", a.s.Returned))
		}
		return
	}
	each, returned := costing.Unlanded(a.s.InStock, a.s.OnHand, a.s.LeftOver, *a.present)
	if a.reversed == 0 || a.left != a.s.LeftOver || returned != a.s.Returned || a.present.Sub(each) != *a.undone {
		report(of + fmt.Sprintf("%s of %s on hand are stored as taken back, the ledger says %s of %s", a.s.Returned, a.s.LeftOver, returned,
			a.left))
	}
}
