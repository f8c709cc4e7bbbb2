package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// auditItems is how many levels are recomputed at a time, so that memory stays bounded.
const auditItems = 5_000

// readAudit reads the levels and balances of the next items. The last piece is open at its end: it
// also meets entries and balances of items without any level.
func readAudit(tx *db.Tx, after string) (*audit, error) {
	a := &audit{after: after, chains: map[Key]*chain{},
		sums: map[place]dec.Dec{}}
	found, err := tx.One(`-- stock.Verify step
		select item_id from stock_level where company = :company and item_id > :after order by item_id limit 1 offset :step`,
		db.Args{"after": after, "step": auditItems}, &a.to)
	if err != nil {
		return nil, err
	}
	a.last = !found
	a.levels, err = db.ByKey(tx, `-- stock.Verify levels
		select item_id, warehouse, item, on_hand, allocated, average_cost, seq from stock_level
		where company = :company and item_id > :after and (item_id <= :to or :last = 1)`, a.span(),
		func(r db.Row, k *Key, l *auditLevel) error {
			return r.Scan(&k.ItemID, &k.Warehouse, &l.item, &l.OnHand, &l.Allocated, &l.Average, &l.seq)
		})
	if err != nil {
		return nil, err
	}
	a.balances, err = db.ByKey(tx, `-- stock.Verify balances
		select item_id, warehouse, location, batch_key, serial_key, quantity from stock_balance
		where company = :company and item_id > :after and (item_id <= :to or :last = 1)`, a.span(),
		func(r db.Row, at *place, quantity *dec.Dec) error {
			return r.Scan(&at.ItemID, &at.Warehouse, &at.Location, &at.Batch, &at.Serial, quantity)
		})
	return a, err
}

func (a *audit) span() db.Args { return db.Args{"after": a.after, "to": a.to, "last": a.last} }

// replay lays the span's entries one over another, in the order they were made.
func (a *audit) replay(tx *db.Tx) error {
	return tx.Each(`-- stock.Verify entries
		select `+entryColumns+` from stock_entry
		where company = :company and item_id > :after and (item_id <= :to or :last = 1)
		order by item_id, warehouse, seq`, a.span(), func(r db.Row) error {
		var e Entry
		if err := entryRow.Scan(r, &e); err != nil {
			return err
		}
		a.add(&e)
		return nil
	})
}

// Allocated is what is reserved of each level that has something reserved, for who verifies it.
func Allocated(tx *db.Tx) (map[Key]dec.Dec, error) {
	return db.ByKey(tx, `-- stock.Allocated whole
		select item_id, warehouse, allocated from stock_level where company = :company and allocated <> 0`, nil, scanHeld)
}
