package exchange

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// lockLevels locks the levels of items, in the order in which everybody does, and answers their average costs.
func lockLevels(tx *db.Tx, itemIDs []string) (map[stock.Key]dec.Dec, error) {
	return db.ByKey(tx, `-- exchange.lockLevels
		select item_id, warehouse, average_cost from stock_level where company = :company and item_id in (:items)
		order by item_id, warehouse for update`, db.Args{"items": itemIDs}, func(r db.Row, k *stock.Key, cost *dec.Dec) error {
		return r.Scan(&k.ItemID, &k.Warehouse, cost)
	})
}

// balancesOf is what lies of items at every place, and in every whole warehouse.
func balancesOf(tx *db.Tx, itemIDs []string) (map[place]dec.Dec, error) {
	balances := map[place]dec.Dec{}
	return balances, tx.Each(`-- exchange.balancesOf
		select item_id, warehouse, location, batch_key, serial_key, quantity from stock_balance
		where company = :company and item_id in (:items) and quantity > 0`, db.Args{"items": itemIDs},
		func(r db.Row) error {
			var at place
			var quantity dec.Dec
			err := r.Scan(&at.item, &at.warehouse, &at.location, &at.batch, &at.serial, &quantity)
			balances[at] = quantity
			at.location = ""
			balances[at] = balances[at].Add(quantity)
			return err
		})
}
