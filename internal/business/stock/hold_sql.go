package stock

import (
	"maps"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

func insertHolds(tx *db.Tx, owner string, until db.Time, keys []Key, held map[Key]dec.Dec) error {
	if len(keys) == 0 {
		return nil
	}
	return tx.Insert("stock_hold", "owner, item_id, warehouse, quantity, ends_at", len(keys), func(i int) []any {
		return []any{owner, keys[i].ItemID, keys[i].Warehouse, held[keys[i]], until}
	})
}

// removeHolds deletes an owner's holds, and those on items that have run out.
func removeHolds(tx *db.Tx, owner string, items []string) (freed []Claim, err error) {
	if owner != "" {
		freed, err = takeHolds(tx, `-- stock.removeHolds
		delete from stock_hold where company = :company and owner = :owner returning item_id, warehouse, quantity`,
			db.Args{"owner": owner})
	}
	if err != nil || len(items) == 0 {
		return freed, err
	}
	expired, err := takeHolds(tx, `-- stock.removeHolds expired
		delete from stock_hold where company = :company and item_id in (:items) and ends_at <= :now returning item_id, warehouse, quantity`,
		db.Args{"items": items})
	return append(freed, expired...), err
}

// takeOwn deletes what an owner holds of the items of some levels, and answers until when it was held.
func takeOwn(tx *db.Tx, owner string, of map[Key]dec.Dec) (held []Claim, until db.Time, err error) {
	items, _ := split(sorted(slices.Collect(maps.Keys(of))))
	held, err = db.Rows(tx, `-- stock.takeOwn
		delete from stock_hold where company = :company and owner = :owner and item_id in (:items)
		returning item_id, warehouse, quantity, ends_at`,
		db.Args{"owner": owner, "items": items}, func(r db.Row, c *Claim) error {
			return r.Scan(&c.ItemID, &c.Warehouse, &c.Got, &until)
		})
	return held, until, err
}

func scanHeld(r db.Row, k *Key, q *dec.Dec) error { return r.Scan(&k.ItemID, &k.Warehouse, q) }

// expired is what holds keep that have run out.
func expired(tx *db.Tx) (map[Key]dec.Dec, error) {
	return db.Sums(tx, `-- stock.expired
		select item_id, warehouse, quantity from stock_hold where company = :company and ends_at <= :now`, nil, scanHeld)
}

func removeExpired(tx *db.Tx) ([]Claim, error) {
	return takeHolds(tx, `-- stock.removeExpired
		delete from stock_hold where company = :company and ends_at <= :now returning item_id, warehouse, quantity`,
		nil)
}

func takeHolds(tx *db.Tx, statement string, args db.Args) (freed []Claim, err error) {
	return db.Rows(tx, statement, args, func(r db.Row, c *Claim) error {
		return r.Scan(&c.ItemID, &c.Warehouse, &c.Got)
	})
}

// Held is what is held of each level.
func Held(tx *db.Tx) (map[Key]dec.Dec, error) {
	return db.Sums(tx, `-- stock.Held whole
		select item_id, warehouse, quantity from stock_hold where company = :company`, nil, scanHeld)
}

// HeldBy is what an owner holds.
func HeldBy(tx *db.Tx, owner string) (map[Key]dec.Dec, error) {
	if owner == "" {
		return map[Key]dec.Dec{}, nil
	}
	return db.ByKey(tx, `-- stock.HeldBy
		select item_id, warehouse, quantity from stock_hold where company = :company and owner = :owner`,
		db.Args{"owner": owner}, scanHeld)
}
