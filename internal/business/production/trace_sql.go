package production

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// neighbours are the pieces that one was made of, or went into: of the same part of a work order, or where the
// component was issued ahead, of any part of it.
func neighbours(tx *db.Tx, of Traced, down bool) (list []Traced, err error) {
	from, to := "m.line = 0", "n.line > 0"
	if !down {
		from, to = "m.line > 0", "n.line = 0"
	}
	return db.Rows(tx, `-- production.neighbours
		select n.item_id, n.item, n.batch, n.serial, sum(n.quantity), w.number
		from work_order_move m join work_order w on w.company = m.company and w.id = m.work_order_id
			join work_order_move n on n.company = m.company and n.work_order_id = m.work_order_id
				and (n.completion = m.completion or n.completion = 0 or m.completion = 0)
		where m.company = :company and m.item_id = :item and (:batch = '' or m.batch_key = :batch) and (:serial = ''
		or m.serial_key = :serial)
			and `+from+` and `+to+`
		group by n.item_id, n.item, n.batch, n.serial, w.number having sum(n.quantity) > 0 order by w.number, n.item,
		n.batch, n.serial limit :limit`,
		db.Args{"item": of.ItemID, "batch": record.Fold(of.Batch), "serial": record.Fold(of.Serial),
			"limit": mostTraced + 1}, func(r db.Row, t *Traced) error {
			return r.Scan(&t.ItemID, &t.Item, &t.Batch, &t.Serial, &t.Quantity, &t.Order)
		})
}

// entriesOf are the movements of a piece in the ledger.
func entriesOf(tx *db.Tx, of Traced) (list []stock.Entry, err error) {
	return db.Rows(tx, `-- production.entriesOf
		select kind, at, warehouse, location, quantity, batch, serial, unit_cost, ref_type, ref_id from stock_entry
		where company = :company and item_id = :item and (:batch = '' or fold(batch) = :batch) and (:serial = '' or fold(serial) = :serial)
		order by at, seq limit :limit`,
		db.Args{"item": of.ItemID, "batch": record.Fold(of.Batch), "serial": record.Fold(of.Serial),
			"limit": mostEntries}, func(r db.Row, e *stock.Entry) error {
			return r.Scan(&e.Kind, &e.At, &e.Warehouse, &e.Location, &e.Quantity, &e.Batch, &e.Serial, &e.UnitCost,
				&e.RefType, &e.RefID)
		})
}

// receiptsOf tells tracked pieces the goods receipts that they came in with.
func receiptsOf(tx *db.Tx, pieces []Traced) error {
	var items, batches, serials []string
	for _, p := range pieces {
		if p.Batch != "" || p.Serial != "" {
			items, batches, serials = append(items, p.ItemID), append(batches, record.Fold(p.Batch)), append(serials,
				record.Fold(p.Serial))
		}
	}
	if len(items) == 0 {
		return nil
	}
	return tx.Each(`-- production.receiptsOf
		select distinct e.item_id, e.batch, e.serial, r.number, r.received_at
		from stock_entry e
			join goods_receipt_line l on l.company = e.company and l.source_key = fold(e.ref_id) and l.entry_id = e.id
			join goods_receipt r on r.company = l.company and r.id = l.receipt_id
		where e.company = :company and e.item_id in (:items) and fold(e.batch) in (:batches) and fold(e.serial) in (:serials)
			and l.counter_id = ''
		order by r.received_at, r.number limit :limit`,
		db.Args{"items": items, "batches": batches, "serials": serials, "limit": mostTraced}, func(r db.Row) error {
			var of Traced
			var number string
			var at db.Time
			err := r.Scan(&of.ItemID, &of.Batch, &of.Serial, &number, &at)
			for i := range pieces {
				p := &pieces[i]
				if p.key() == of.key() {
					p.Receipts = append(p.Receipts, number)
				}
			}
			return err
		})
}
