package replenishment

import (
	"maps"

	"kontor/internal/business/production"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// gather reads everything a run for items is made of, in a constant number of statements; nil are all items.
func gather(tx *db.Tx, scope []string) (*gathered, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	g := &gathered{
		today:  tx.Today(),
		book:   book,
		scope:  scope,
		parts:  map[string][]production.BOMLine{},
		at:     map[stock.Key]int{},
		onHand: map[stock.Key]dec.Dec{},
		moves:  map[stock.Key][]planning.Movement{},
	}
	// On PostgreSQL whoever writes reads what is committed, statement by statement. So what is to come is read before
	// what is there, and what is to go after it, drafts of both farthest from it: what comes in or goes out meanwhile
	// is missed as a need at most, which the next run finds, and never ordered though it came.
	for _, read := range []func(*db.Tx) error{g.readItems, g.readRows, g.readParts, g.readSuppliers,
		g.readDraftArrivals, g.readDrafts, g.readExpected, g.readOutputs, g.readStock, g.readSales, g.readComponents,
		g.readTransfers, g.readDraftDepartures} {
		if err := read(tx); err != nil {
			return nil, err
		}
	}
	g.link()
	return g, nil
}

// only narrows a statement to the items of a run that is not for all.
func (g *gathered) only(column string) string {
	if g.scope == nil {
		return ""
	}
	return " and " + column + " in (:items)"
}

// args are the arguments of a statement that only may have narrowed.
func (g *gathered) args(more ...any) db.Args {
	all := db.Args{}
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1]
	}
	if g.scope != nil {
		all["items"] = g.scope
	}
	return all
}

// mostNarrowed is how many items a run is narrowed to at most; one for more reads all.
const mostNarrowed = 2_000

// scopeOf are the items of these numbers and all that are made of them, through all levels: what others ask of an item
// is asked by these alone. The scope is nil, which is all items, where they are too many.
func scopeOf(tx *db.Tx, numbers []string) (wanted map[string]bool, scope []string, err error) {
	met := map[string]bool{}
	add := func(r db.Row) error {
		var id string
		err := r.Scan(&id)
		if !met[id] {
			met[id] = true
			scope = append(scope, id)
		}
		return err
	}
	if err := tx.Each(`-- replenishment.scopeOf
		select id from item where company = :company and number_key in (:keys)`,
		db.Args{"keys": record.FoldAll(numbers)}, add); err != nil {
		return nil, nil, err
	}
	wanted = maps.Clone(met)
	for done := 0; done < len(scope) && len(scope) <= mostNarrowed; {
		parts := scope[done:]
		done = len(scope)
		if err := madeOf(tx, parts, add); err != nil {
			return nil, nil, err
		}
	}
	if len(scope) > mostNarrowed {
		scope = nil
	}
	return wanted, scope, nil
}

// madeOf reads the ids of the items that are made of these, on any day.
func madeOf(tx *db.Tx, parts []string, add func(db.Row) error) error {
	return tx.Each(`-- replenishment.madeOf
		select b.item_id from bom_line l join bom b on b.company = l.company and b.id = l.bom_id
		where l.company = :company and l.item_id in (:parts)`, db.Args{"parts": parts}, add)
}

func (g *gathered) readItems(tx *db.Tx) (err error) {
	g.items, err = db.ByKey(tx, `-- replenishment.readItems whole
		select id, number, name, replenishment, decimal_places from item where company = :company and is_active = 1
		and type = 'Stock'`+g.only("id"), g.args(), func(r db.Row, id *string, i *item) error {
		return r.Scan(id, &i.number, &i.name, &i.replenishment, &i.decimals)
	})
	return err
}

func (g *gathered) readRows(tx *db.Tx) (err error) {
	g.rows, err = db.ByKey(tx, `-- replenishment.readRows whole
		select item_id, warehouse, is_active, replenishment, supply_policy, lot_sizing, min_quantity, max_quantity, reorder_quantity,
			safety_stock, calculated_safety_stock, lead_time_days, transfer_days, transfer_from, importance, service_level
		from item_warehouse where company = :company`+g.only("item_id"), g.args(),
		func(r db.Row, k *stock.Key, w *row) error {
			return r.Scan(&k.ItemID, &k.Warehouse, &w.isActive, &w.replenishment, &w.policy, &w.lot, &w.min, &w.max,
				&w.reorder, &w.safety, &w.computed, &w.lead, &w.transferLead, &w.from, &w.importance, &w.level)
		})
	return err
}

// movements adds what a statement finds to what moves: item, warehouse, when and how much. on is the day of when.
func movements[T any](tx *db.Tx, g *gathered, query string, on func(T) day.Date, cause planning.Cause) error {
	return tx.Each(query, g.args(), func(r db.Row) error {
		var k stock.Key
		var when T
		var q dec.Dec
		if err := r.Scan(&k.ItemID, &k.Warehouse, &when, &q); err != nil {
			return err
		}
		g.move(k, on(when), q, cause)
		return nil
	})
}

// readStock reads what lies where it may be promised: what is held covers nothing before it is relocated.
func (g *gathered) readStock(tx *db.Tx) error {
	return tx.Each(`-- replenishment.readStock whole
		select item_id, warehouse, location, quantity from stock_balance where company = :company
		and quantity > 0`+g.only("item_id"), g.args(), func(r db.Row) error {
		var k stock.Key
		var location string
		var q dec.Dec
		if err := r.Scan(&k.ItemID, &k.Warehouse, &location, &q); err != nil {
			return err
		}
		if l, ok := g.book.Location(k.Warehouse, location); ok && l.IsActive && !l.IsQuarantine && !l.IsReturns {
			g.onHand[k] = g.onHand[k].Add(q)
		}
		return nil
	})
}

// readSales reads what open sales orders still have to deliver, reserved or not, on the day it is wanted. What is made
// for a line by its own work order counts once it is reserved for it.
func (g *gathered) readSales(tx *db.Tx) error {
	return tx.Each(`-- replenishment.readSales whole
		select l.item_id, l.warehouse, l.wanted_on,
			case when l.configuration = '' then l.quantity - l.delivered else l.allocated end, l.factor
		from sales_order o join sales_order_line l on l.company = o.company and l.order_id = o.id
		where o.company = :company and o.status in ('Placed', 'Released') and l.item_id <> ''
		and l.delivered < l.quantity`+g.only("l.item_id"), g.args(), func(r db.Row) error {
		var k stock.Key
		var on day.Date
		var quantity, factor dec.Dec
		if err := r.Scan(&k.ItemID, &k.Warehouse, &on, &quantity, &factor); err != nil {
			return err
		}
		g.move(k, on, quantity.Mul(factor).Neg(), planning.ForSales)
		return nil
	})
}

// readOutputs reads what open work orders, drafts included, will still put in for whoever wants it.
func (g *gathered) readOutputs(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readOutputs whole
		select item_id, warehouse, planned_to_at, planned - produced - scrapped from work_order
		where company = :company and item_id <> '' and configuration = '' and status in ('Draft', 'Planned', 'Waiting', 'Active', 'Paused')
		and planned > produced + scrapped`+g.only("item_id"), g.dayOf(tx), planning.FromWork)
}

// readExpected reads what documents of others, such as purchase orders, say is to come; of what nobody has said when,
// it is counted as if it came today: it is not ordered twice.
func (g *gathered) readExpected(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readExpected whole
		select item_id, warehouse, due_date, quantity from stock_expected where company = :company
		and quantity > 0`+g.only("item_id"), sameDay, planning.FromSuppliers)
}

// readTransfers reads what released transfers will still take out: today, since it is reserved. What they bring is
// expected.
func (g *gathered) readTransfers(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readTransfers whole
		select l.item_id, t.from_warehouse, '', -l.allocated from transfer t join transfer_line l on l.company = t.company
		and l.transfer_id = t.id
		where t.company = :company and t.status = 'Released' and l.allocated > 0`+g.only("l.item_id"), sameDay,
		planning.ByTransfers)
}

// readDraftArrivals and readDraftDepartures read what transfers that are not released yet will move: whoever drafted
// them means to. The goods may leave any day.
func (g *gathered) readDraftArrivals(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readDraftArrivals whole
		select l.item_id, t.to_warehouse, t.requested_date, l.quantity
		from transfer t join transfer_line l on l.company = t.company and l.transfer_id = t.id
		where t.company = :company and t.status = 'Draft'`+g.only("l.item_id"), sameDay, planning.ByTransfers)
}

func (g *gathered) readDraftDepartures(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readDraftDepartures whole
		select l.item_id, t.from_warehouse, '', -l.quantity
		from transfer t join transfer_line l on l.company = t.company and l.transfer_id = t.id
		where t.company = :company and t.status = 'Draft'`+g.only("l.item_id"), sameDay, planning.ByTransfers)
}

// readDrafts reads what stands on purchase orders that are not sent yet: whoever drafted it means to order it.
func (g *gathered) readDrafts(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readDrafts whole
		select l.item_id, o.warehouse, case when l.expected_date <> '' then l.expected_date else o.expected_date end, l.quantity
		from purchase_order o join purchase_order_line l on l.company = o.company and l.order_id = o.id
		where o.company = :company and o.status = 'Draft' and l.is_goods = 1`+g.only("l.item_id"), sameDay,
		planning.FromDrafts)
}

// eachIssue reads what has gone out since a moment.
func eachIssue(tx *db.Tx, since db.Time, take func(k stock.Key, at db.Time, q dec.Dec)) error {
	return tx.Each(`-- replenishment.eachIssue
		select item_id, warehouse, at, quantity from stock_entry where company = :company and at >= :since and kind = 'Issue'`,
		db.Args{"since": since}, func(r db.Row) error {
			var k stock.Key
			var at db.Time
			var q dec.Dec
			err := r.Scan(&k.ItemID, &k.Warehouse, &at, &q)
			take(k, at, q)
			return err
		})
}

// readComponents reads what open work orders, drafts included, will still take out.
func (g *gathered) readComponents(tx *db.Tx) error {
	return movements(tx, g, `-- replenishment.readComponents whole
		select l.item_id, w.warehouse, w.planned_from_at, l.issued - l.required
		from work_order w join work_order_line l on l.company = w.company and l.work_order_id = w.id
		where w.company = :company and w.status in ('Draft', 'Planned', 'Waiting', 'Active', 'Paused')
		and l.is_stocked = 1 and l.required > l.issued`+g.only("l.item_id"), g.dayOf(tx), planning.ForWork)
}

// dayOf makes the company's day of a moment; none is today.
func (g *gathered) dayOf(tx *db.Tx) func(at db.Time) day.Date {
	return func(at db.Time) day.Date {
		if at == 0 || tx.Info.Zone == nil {
			return g.today
		}
		return day.Of(at.Time(), tx.Info.Zone)
	}
}

func sameDay(d day.Date) day.Date { return d }

func (g *gathered) readParts(tx *db.Tx) (err error) {
	g.parts, err = db.Grouped(tx, `-- replenishment.readParts whole
		select b.item_id, l.item_id, l.quantity, l.scrap_percent from bom b join bom_line l on l.company = b.company and l.bom_id = b.id
		where b.company = :company and l.valid_from <= :today and (l.valid_to = '' or l.valid_to >= :today)`+g.only("b.item_id"),
		g.args("today", g.today), func(r db.Row, id *string, l *production.BOMLine) error {
			return r.Scan(id, &l.ItemID, &l.Quantity, &l.ScrapPercent)
		})
	return err
}

// readSuppliers reads how each item is ordered from its primary supplier.
func (g *gathered) readSuppliers(tx *db.Tx) (err error) {
	g.supplier, err = db.ByKey(tx, `-- replenishment.readSuppliers whole
		select i.id, i.supplier_number, s.min_order_quantity, s.order_multiple, s.lead_time_days
		from item i left join supplier p on p.company = i.company and p.number_key = fold(i.supplier_number)
			left join supplier_item s on s.company = i.company and s.supplier_id = p.id and s.item_id = i.id
		where i.company = :company and i.supplier_number <> ''`+g.only("i.id"), g.args(),
		func(r db.Row, id *string, s **planning.Supplier) error {
			*s = &planning.Supplier{}
			return r.Scan(id, &(*s).Number, &(*s).MinOrder, &(*s).Multiple, &(*s).Lead)
		})
	return err
}
