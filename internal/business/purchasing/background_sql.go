package purchasing

import "kontor/internal/foundation/db"

// lastBought is how each item was ordered the last time, by item id; drafts and what was cancelled say nothing.
func lastBought(tx *db.Tx, itemIDs []string) (map[string]*Bought, error) {
	return db.ByKey(tx, `-- purchasing.lastBought
		select l.item_id, o.order_date, o.supplier_name, l.unit_price, o.currency
		from purchase_order_line l join purchase_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id in (:items) and o.status not in ('Draft', 'Cancelled')
		order by o.order_date, l.order_id, l.line`, db.Args{"items": itemIDs},
		func(r db.Row, id *string, b **Bought) error {
			*b = &Bought{}
			return r.Scan(id, &(*b).On, &(*b).Supplier, &(*b).Price, &(*b).Currency)
		})
}
