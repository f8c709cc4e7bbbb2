package production

import (
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// bookedOf gathers what the completions, the moves and the ledger say of orders, by id.
func bookedOf(tx *db.Tx, orders []Order) (map[string]*booked, error) {
	all, byNumber := map[string]*booked{}, map[string]*booked{}
	var ids, numbers []string
	for i := range orders {
		b := &booked{issued: map[int]dec.Dec{}, issuedCost: map[int]dec.Dec{}, entries: map[string]dec.Dec{}}
		all[orders[i].ID], byNumber[orders[i].Number] = b, b
		ids, numbers = append(ids, orders[i].ID), append(numbers, orders[i].Number)
	}
	err := tx.Each(`-- production.bookedOf completions
		select work_order_id, quantity, scrapped, cost from work_order_completion where company = :company and work_order_id in (:ids)`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var id string
			var quantity, scrapped, cost dec.Dec
			if err := r.Scan(&id, &quantity, &scrapped, &cost); err != nil {
				return err
			}
			b := all[id]
			b.produced, b.scrapped, b.cost = b.produced.Add(quantity), b.scrapped.Add(scrapped), b.cost.Add(cost)
			return nil
		})
	if err != nil {
		return nil, err
	}
	err = tx.Each(`-- production.bookedOf moves
		select work_order_id, line, quantity, unit_cost from work_order_move where company = :company and work_order_id in (:ids)`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var id string
			var line int
			var quantity, cost dec.Dec
			if err := r.Scan(&id, &line, &quantity, &cost); err != nil {
				return err
			}
			b := all[id]
			b.issued[line], b.issuedCost[line] = b.issued[line].Add(quantity),
				b.issuedCost[line].Add(quantity.Mul(cost))
			return nil
		})
	if err != nil {
		return nil, err
	}
	return all, db.Each3(tx, `-- production.bookedOf entries
		select ref_id, item_id, quantity from stock_entry where company = :company and ref_type = :type and ref_id in (:numbers)`,
		db.Args{"type": refType, "numbers": numbers}, func(number, item string, quantity dec.Dec) error {
			b := byNumber[number]
			b.entries[item] = b.entries[item].Add(quantity)
			return nil
		})
}

// TellReserved adds what work orders have reserved. Subscribed to sales.ReservedWanted.
func TellReserved(tx *db.Tx, e sales.ReservedWanted) error {
	return tx.Each(`-- production.TellReserved whole
		select l.item_id, w.warehouse, l.reserved from work_order_line l join work_order w on w.company = l.company
		and w.id = l.work_order_id
		where l.company = :company and l.reserved <> 0`, nil, func(r db.Row) error {
		var k stock.Key
		var q dec.Dec
		err := r.Scan(&k.ItemID, &k.Warehouse, &q)
		e.Reserved[k] = e.Reserved[k].Add(q)
		return err
	})
}
