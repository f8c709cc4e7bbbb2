package transfer

import (
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// booked is what the parcels, the receipts and the ledger say of a transfer.
type booked struct {
	parcels  map[int]Parcel // their sums, by line
	receipts map[int]dec.Dec
	entries  map[entryKey]dec.Dec
}

// entryKey names a sum of the ledger.
type entryKey struct {
	stock.Key
	kind stock.Kind
}

// bookedOf gathers what was booked of transfers, by id.
func bookedOf(tx *db.Tx, list []Transfer) (map[string]*booked, error) {
	all, byNumber := map[string]*booked{}, map[string]*booked{}
	var ids, numbers, keys []string
	for i := range list {
		t := &list[i]
		b := &booked{map[int]Parcel{}, map[int]dec.Dec{}, map[entryKey]dec.Dec{}}
		all[t.ID], byNumber[t.Number], byNumber[record.Fold(t.Number)] = b, b, b
		ids, numbers, keys = append(ids, t.ID), append(numbers, t.Number), append(keys, record.Fold(t.Number))
	}
	err := tx.Each(`-- transfer.bookedOf parcels
		select transfer_id, line, quantity, received, written_off from transfer_parcel where company = :company and transfer_id in (:ids)`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var id string
			var p Parcel
			if err := r.Scan(&id, &p.Line, &p.Quantity, &p.Received, &p.WrittenOff); err != nil {
				return err
			}
			sum := all[id].parcels[p.Line]
			sum.Quantity, sum.Received, sum.WrittenOff = sum.Quantity.Add(p.Quantity), sum.Received.Add(p.Received),
				sum.WrittenOff.Add(p.WrittenOff)
			all[id].parcels[p.Line] = sum
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = db.Each3(tx, `-- transfer.bookedOf receipts
		select l.source_key, l.source_line, l.quantity from goods_receipt_line l
		join goods_receipt r on r.company = l.company and r.id = l.receipt_id
		where l.company = :company and l.transfer_order <> '' and l.source_key in (:keys) and r.status = 'Completed'`,
		db.Args{"keys": keys}, func(key string, line int, q dec.Dec) error {
			byNumber[key].receipts[line] = byNumber[key].receipts[line].Add(q)
			return nil
		})
	if err != nil {
		return nil, err
	}
	return all, tx.Each(`-- transfer.bookedOf entries
		select ref_id, item_id, warehouse, kind, quantity from stock_entry where company = :company
		and ref_type = :type and ref_id in (:numbers)`,
		db.Args{"type": stock.RefTransfer, "numbers": numbers}, func(r db.Row) error {
			var number string
			var k entryKey
			var q dec.Dec
			if err := r.Scan(&number, &k.ItemID, &k.Warehouse, &k.kind, &q); err != nil {
				return err
			}
			byNumber[number].entries[k] = byNumber[number].entries[k].Add(q)
			return nil
		})
}

// TellReserved adds what transfers have reserved at the source. Subscribed to sales.ReservedWanted.
func TellReserved(tx *db.Tx, e sales.ReservedWanted) error {
	return tx.Each(`-- transfer.TellReserved whole
		select l.item_id, t.from_warehouse, l.allocated from transfer t join transfer_line l on l.company = t.company
		and l.transfer_id = t.id
		where t.company = :company and t.status = 'Released' and l.allocated <> 0`, nil, func(r db.Row) error {
		var k stock.Key
		var q dec.Dec
		err := r.Scan(&k.ItemID, &k.Warehouse, &q)
		e.Reserved[k] = e.Reserved[k].Add(q)
		return err
	})
}
