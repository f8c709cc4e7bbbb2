package sales

import (
	"maps"
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// anyWaiting reports whether some line waits for one of the items.
func anyWaiting(tx *db.Tx, items []string) (bool, error) {
	var one int
	return tx.One(`-- sales.anyWaiting
		select 1 from sales_order_line where company = :company and item_id in (:items) and waiting > 0 limit 1`,
		db.Args{"items": items}, &one)
}

// lockQueues makes whoever serves those that wait for one of the items wait for whoever does already, until the end of
// the transaction. PostgreSQL alone is asked: elsewhere there is one writer.
func lockQueues(tx *db.Tx, items []string) error {
	return tx.Each(`-- sales.lockQueues
		select pg_advisory_xact_lock(hashtextextended(id, 0))
		from (select id from item where company = :company and id in (:items) order by id) i`, db.Args{"items": items},
		func(db.Row) error { return nil })
}

// lockRoots locks the roots of orders.
func lockRoots(tx *db.Tx, ids []string) error {
	return tx.Each(`-- sales.lockRoots
		select id from sales_order where company = :company and id in (:ids) order by id for update`,
		db.Args{"ids": ids}, func(db.Row) error { return nil })
}

// waitingOrders are the orders that would be served if most of each item were there. The sum of what stands before a
// line counts no line beyond most, so that an absurdly large one cannot overflow it.
func waitingOrders(tx *db.Tx, items []string, most dec.Dec) ([]string, error) {
	return db.Column[string](tx, `-- sales.waitingOrders
		select distinct order_id from (
			select l.order_id, sum(case when l.waiting < :most then l.waiting else :most end) over (
					partition by l.item_id, l.warehouse order by l.wanted_on, o.placed_at, l.order_id, l.line rows unbounded preceding)
				- case when l.waiting < :most then l.waiting else :most end as ahead
			from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
			where l.company = :company and l.item_id in (:items) and l.waiting > 0) queue
		where ahead < :most`,
		db.Args{"items": items, "most": most})
}

// promisedOrders are the orders from which so much that is promised, and on no shipment, would be taken back: those
// that would be served last first. Whose turn it is is decided again by who has locked them. It goes through the open
// orders (cross join says so to SQLite): goods are missed too seldom for an index that every order would pay for.
func promisedOrders(tx *db.Tx, missing map[stock.Key]dec.Dec) ([]string, error) {
	var ids []string
	missing = maps.Clone(missing)
	err := tx.Each(`-- sales.promisedOrders
		select l.order_id, l.item_id, l.warehouse, l.allocated - l.on_shipment, l.factor
		from sales_order o cross join sales_order_line l
		where o.company = :company and o.status in ('Placed', 'Released') and l.company = :company
		and l.order_id = o.id and l.item_id in (:items) and l.allocated > l.on_shipment
		order by l.wanted_on desc, o.placed_at desc, l.order_id desc, l.line desc`,
		db.Args{"items": itemsOf(slices.Collect(maps.Keys(missing)))}, func(r db.Row) error {
			var id string
			var k stock.Key
			var l Line
			err := r.Scan(&id, &k.ItemID, &k.Warehouse, &l.Allocated, &l.Factor)
			if err == nil && missing[k] > 0 {
				missing[k] = missing[k].Sub(l.Base(l.Allocated))
				ids = append(ids, id)
			}
			return err
		})
	return slices.Compact(slices.Sorted(slices.Values(ids))), err
}
