package exchange

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// openingLeft is what opening stock booked for a scope is still waiting for its orders: booked, less what orders of the
// scope have taken (their lines are in base units, as stock is). It is above zero only after a run that was broken off.
func openingLeft(tx *db.Tx, scope string, itemIDs []string) (map[stock.Key]dec.Dec, error) {
	left := map[stock.Key]dec.Dec{}
	add := func(r db.Row) error {
		var at stock.Key
		var quantity, factor dec.Dec
		err := r.Scan(&at.ItemID, &at.Warehouse, &quantity, &factor) // in millionths, as they are stored
		left[at] = left[at].Add(quantity.Mul(factor))
		return err
	}
	err := tx.Each(`-- exchange.openingLeft booked
		select item_id, warehouse, sum(quantity), 1000000 from stock_entry
		where company = :company and item_id in (:items) and ref_type = :kind and ref_id = :scope
		group by item_id, warehouse`,
		db.Args{"items": itemIDs, "kind": openingRef, "scope": scope}, add)
	if err != nil {
		return nil, err
	}
	if len(left) == 0 {
		return left, nil
	}
	return left, tx.Each(`-- exchange.openingLeft taken
		select l.item_id, l.warehouse, -sum(l.quantity), l.factor from sales_order_line l
		join sales_order o on o.company = l.company and o.id = l.order_id
		join sales_order_external x on x.company = o.company and x.order_id = o.id
		where l.company = :company and l.item_id in (:items) and x.scope_key = :scope
		group by l.item_id, l.warehouse, l.factor`,
		db.Args{"items": itemIDs, "scope": record.Fold(scope)}, add)
}
