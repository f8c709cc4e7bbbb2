package stock

import (
	"cmp"
	"maps"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Levels reads the levels of items without locking them.
func Levels(tx *db.Tx, itemIDs []string) (map[Key]Level, error) {
	levels := make(map[Key]Level, len(itemIDs))
	return levels, eachOf(tx, itemIDs, `-- stock.Levels
		select item_id, warehouse, on_hand, allocated, average_cost from stock_level
		where company = :company and item_id in (:items)`, db.Args{}, func(r db.Row) error {
		var k Key
		var l Level
		err := r.Scan(&k.ItemID, &k.Warehouse, &l.OnHand, &l.Allocated, &l.Average)
		levels[k] = l
		return err
	})
}

// Promisable is what could be promised of items, without locking anything: what is available and not held. Levels of
// which nothing could are left out.
func Promisable(tx *db.Tx, itemIDs []string) (map[Key]dec.Dec, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	free := make(map[Key]dec.Dec, len(itemIDs))
	err = eachOf(tx, itemIDs, `-- stock.Promisable
		select l.item_id, l.warehouse, max(l.on_hand - l.allocated), b.location, cast(sum(b.quantity) as bigint)
		from stock_level l join stock_balance b on b.company = l.company and b.item_id = l.item_id
			and b.warehouse = l.warehouse and b.quantity > 0
		where l.company = :company and l.item_id in (:items) and l.on_hand > l.allocated
		group by l.item_id, l.warehouse, b.location`, db.Args{}, func(r db.Row) error {
		var k Key
		var location string
		var available, lies dec.Dec
		err := r.Scan(&k.ItemID, &k.Warehouse, &available, &location, &lies)
		if _, known := free[k]; !known {
			free[k] = available
		}
		if isHeld(book, k.Warehouse, location) {
			free[k] = free[k].Sub(lies)
		}
		return err
	})
	maps.DeleteFunc(free, func(_ Key, is dec.Dec) bool { return is <= 0 })
	return free, err
}

// GoneOut is what was sold or used of items since a moment, by item and warehouse.
func GoneOut(tx *db.Tx, itemIDs []string, since db.Time) (map[Key]dec.Dec, error) {
	gone := map[Key]dec.Dec{}
	return gone, eachOf(tx, itemIDs, `-- stock.GoneOut
		select item_id, warehouse, sum(quantity) from stock_entry
		where company = :company and item_id in (:items) and kind = 'Issue' and at >= :since
		group by item_id, warehouse`, db.Args{"since": since}, func(r db.Row) error {
		var k Key
		var q dec.Dec
		err := r.Scan(&k.ItemID, &k.Warehouse, &q)
		gone[k] = q.Neg()
		return err
	})
}

// newestLevel is when stock, the items it is of or how they are replenished last changed.
var newestLevel = "-- stock.newestLevel\nselect max(at) from (" + db.Heads(
	"select changed_at as at from stock_level where company = :company order by changed_at desc",
	"select stamp from change where company = :company and resource = 'items' order by stamp desc",
	"select stamp from change where company = :company and resource = 'item-warehouses' order by stamp desc") +
	") as newest"

// listItems reads a page of items of which something has moved in one of the warehouses.
func listItems(tx *db.Tx, numbers, warehouses []string, p record.Page) (record.Found[Availability], error) {
	q := record.Query{
		Name:   "stock.ListAvailability",
		Select: "i.id, i.number, i.tracking, i.replenishment",
		From:   "item i",
		Key:    []string{"i.number_key"},
		Newest: newestLevel,
	}
	if p.Since > 0 {
		changed := "l.changed_at >= :since and l.warehouse in (:warehouses) and l.seq > 0"
		args := db.Args{"since": p.Since, "warehouses": warehouses}
		if p.Horizon > 0 {
			changed += " and l.changed_at <= :horizon"
			args["horizon"] = p.Horizon
		}
		walked := q
		q.Walked = &walked // many items have changed; few are begun with at their levels
		walked.Where("exists (select 1 from stock_level l where l.company = i.company and l.item_id = i.id and "+
			changed+")", args)
		q.Where("i.id in (select l.item_id from stock_level l where l.company = :company and "+changed+")", args)
	} else {
		q.Where(`exists (select 1 from stock_level l where l.company = i.company and l.item_id = i.id
			and l.warehouse in (:warehouses) and l.seq > 0)`, db.Args{"warehouses": warehouses})
	}
	if len(numbers) > 0 {
		q.Where("i.number_key in (:numbers)", db.Args{"numbers": record.FoldAll(numbers)})
		q.Walked = nil // they are few
	}
	return record.ListOf(tx, q, p, func(r db.Row, a *Availability) error {
		return r.Scan(&a.ItemID, &a.Item, &a.Tracking, &a.Replenishment)
	})
}

// fillHoldings reads what the warehouses have of items.
func fillHoldings(tx *db.Tx, items []Availability, warehouses []string) error {
	at := make(map[string]*Availability, len(items))
	ids := make([]string, len(items))
	for i := range items {
		at[items[i].ItemID], ids[i] = &items[i], items[i].ItemID
	}
	return tx.Each(`-- stock.fillHoldings
		select l.item_id, l.warehouse, l.on_hand, l.allocated, l.average_cost, coalesce(w.replenishment, '')
		from stock_level l left join item_warehouse w on w.company = l.company and w.item_id = l.item_id
			and w.warehouse = l.warehouse
		where l.company = :company and l.item_id in (:items) and l.warehouse in (:warehouses) and l.seq > 0
		order by l.item_id, l.warehouse`, db.Args{"items": ids, "warehouses": warehouses}, func(r db.Row) error {
		var id string
		var own catalog.Replenishment
		var h Holding
		err := r.Scan(&id, &h.Warehouse, &h.OnHand, &h.Allocated, &h.Average, &own)
		a := at[id]
		h.Replenishment = cmp.Or(own, a.Replenishment)
		a.Holdings = append(a.Holdings, h)
		return err
	})
}

func listRows(tx *db.Tx, book *reference.Book, f RowFilter, p record.Page) (record.Found[Row], error) {
	ofLevel := func(column string) string {
		return "(select l." + column + ` from stock_level l where l.company = b.company and l.item_id = b.item_id
			and l.warehouse = b.warehouse)`
	}
	q := record.Query{
		Name: "stock.ListRows",
		Select: `b.item_id, b.warehouse, b.item, b.location, b.batch, b.serial, b.batch_key, b.serial_key, b.quantity, b.created_at,
			` + ofLevel("allocated") + ", " + ofLevel("average_cost") + ", " + ofLevel("changed_at") + `,
			coalesce((select t.expiry_date from stock_batch t where t.company = b.company and t.item_id = b.item_id
			and t.number_key = b.batch_key and b.batch_key <> ''), '')`,
		From:   "stock_balance b",
		Key:    []string{"b.item_key", "b.warehouse", "b.location", "b.batch_key", "b.serial_key"},
		Newest: newestLevel,
		Sorts: map[string][]string{
			"item": {"b.item_key", "b.warehouse", "b.location", "b.batch_key", "b.serial_key"},
		},
	}
	if p.Since > 0 {
		// SQLite keeps to the order of a cross join: few rows are found by the levels that changed, many are walked. A
		// row changes with its level, whose cost and allocation it shows; an empty one when it was emptied.
		q.From = "stock_level l cross join stock_balance b"
		q.Where("l.company = b.company and l.item_id = b.item_id and l.warehouse = b.warehouse", nil)
		q.Where("l.changed_at >= :since and (b.quantity > 0 or b.changed_at >= :since)", db.Args{"since": p.Since})
		q.Given("l.changed_at <= :horizon", p.Horizon)
	} else {
		q.Where("+b.quantity > 0", nil) // the sign keeps the list in its own order: what lies somewhere has another
	}
	q.Given("b.item_key = :item", record.Fold(f.Item))
	if f.Warehouse != "" {
		// Behind coalesce no index is used for it: of a warehouse there are as many rows as there are items.
		q.Where("coalesce(b.warehouse, '') = :warehouse", db.Args{"warehouse": codeOf(book, f.Warehouse)})
	}
	if f.Location != "" {
		// Found by both, as their index begins with the warehouse.
		places, codes := spelled(book, f.Location)
		q.Where("b.location in (:locations) and b.warehouse in (:places)", db.Args{"locations": codes, "places": places})
	}
	q.Given("b.batch_key = :batch and b.batch_key <> ''", record.Fold(f.Batch))
	q.Given("b.serial_key = :serial and b.serial_key <> ''", record.Fold(f.Serial))
	if p.Since > 0 && f == (RowFilter{}) {
		walked := q
		walked.From, q.Walked = "stock_balance b cross join stock_level l", &walked
	}
	return record.ListOf(tx, q, p, func(r db.Row, w *Row) error {
		return r.Scan(&w.ItemID, &w.Warehouse, &w.Item, &w.Location, &w.Batch, &w.Serial, &w.batch, &w.serial,
			&w.OnHand, &w.CreatedAt, &w.levelsAllocated, &w.Average, &w.ChangedAt, &w.Expiry)
	})
}

// codeOf is a warehouse's code as the book spells it.
func codeOf(book *reference.Book, warehouse string) string {
	if w, ok := book.Warehouse(warehouse); ok {
		return w.Code
	}
	return warehouse
}

// loadAll reads all balances of levels, without any lock: for showing, never for moving.
func (p *posting) loadAll(tx *db.Tx, keys []Key) error {
	items, warehouses := split(keys)
	return tx.Each(`-- stock.loadAll
		select item_id, warehouse, location, batch_key, serial_key, quantity from stock_balance
		where company = :company and item_id in (:items) and warehouse in (:warehouses) and quantity > 0`,
		db.Args{"items": items, "warehouses": warehouses}, func(r db.Row) error {
			var b balance
			err := r.Scan(&b.ItemID, &b.Warehouse, &b.Location, &b.Batch, &b.Serial, &b.quantity)
			p.balances[b.place] = &b
			return err
		})
}

// ListEntries reads a page of the ledger, newest first.
func ListEntries(tx *db.Tx, f EntryFilter, p record.Page) (record.Found[Entry], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return record.Found[Entry]{}, err
	}
	q := record.Query{
		Name:   "stock.ListEntries",
		Select: entryColumns,
		From:   "stock_entry e",
		Key:    []string{"e.at desc", "e.id desc"},
		Stamp:  "e.changed_at",
		Newest: "-- stock.newestEntry\nselect changed_at from stock_entry where company = :company " +
			"order by changed_at desc limit 1",
		Sorts: map[string][]string{"when": {"e.at", "e.id"}},
	}
	q.Given("e.item_id = (select i.id from item i where i.company = :company and i.number_key = :item)", record.Fold(f.Item))
	if f.Warehouse != "" {
		q.Where("e.warehouse = :warehouse", db.Args{"warehouse": codeOf(book, f.Warehouse)})
	}
	if f.Location != "" {
		_, codes := spelled(book, f.Location)
		q.Where("(e.location in (:locations) or e.target_location in (:locations))",
			db.Args{"locations": codes})
	}
	q.Given("e.kind = :kind", f.Kind)
	q.Given("fold(e.ref_type) = :refType", record.Fold(f.RefType))
	if f.RefID != "" {
		written, err := documentsAsWritten(tx, f.RefID)
		if err != nil {
			return record.Found[Entry]{}, err
		}
		q.Where("e.ref_id in (:documents)", db.Args{"documents": written})
	}
	from, before := f.moments(tx)
	q.Given("e.at >= :from", from)
	q.Given("e.at < :before", before)
	return record.ListOf(tx, q, p, entryRow.Scan)
}

// documentsAsWritten are the ways in which the ledger writes a document's number, and the given one: what a program of
// before has entered, while nodes were upgraded, is found as it is written alone.
func documentsAsWritten(tx *db.Tx, number string) ([]string, error) {
	written, err := db.Column[string](tx, `-- stock.documentsAsWritten
		select distinct ref_id from stock_entry where company = :company and ref_key = :key`,
		db.Args{"key": record.Fold(number)})
	return append(written, number), err
}

// FindEntry reads one entry of the ledger. Refusal: InventoryTransaction.NotFound.
func FindEntry(tx *db.Tx, id string) (e Entry, err error) {
	found, err := tx.One(`-- stock.FindEntry
		select `+entryColumns+` from stock_entry where company = :company and id = :id`, db.Args{"id": id}, entryRow.Of(&e)...)
	return e, ErrNotFound.When(!found, err, "there is no inventory transaction %s", id)
}

// hasStock reads, under lock, what there is of an item: pieces, and entries ever made.
func hasStock(tx *db.Tx, itemID string) (onHand, allocated dec.Dec, moved bool, err error) {
	err = tx.Each(`-- stock.hasStock
		select on_hand, allocated, seq from stock_level where company = :company and item_id = :item order by warehouse for update`,
		db.Args{"item": itemID}, func(r db.Row) error {
			var l Level
			var seq int64
			err := r.Scan(&l.OnHand, &l.Allocated, &seq)
			onHand, allocated, moved = onHand.Add(l.OnHand), allocated.Add(l.Allocated), moved || seq > 0
			return err
		})
	return onHand, allocated, moved, err
}

// finerThan is a quantity of an item that lies in one place, or is promised of one warehouse, and does not come to
// whole steps; 0 where there is none.
func finerThan(tx *db.Tx, itemID string, step dec.Dec) (dec.Dec, error) {
	return db.Value[dec.Dec](tx, `-- stock.finerThan
		select quantity from stock_balance where company = :company and item_id = :item and quantity % :step <> 0
		union all select allocated from stock_level where company = :company and item_id = :item and allocated % :step <> 0
		order by quantity limit 1`, db.Args{"item": itemID, "step": step})
}

// forget drops the empty levels of an item that never moved.
func forget(tx *db.Tx, itemID string) error {
	return tx.Run(`-- stock.forget
		delete from stock_level where company = :company and item_id = :item and seq = 0`, db.Args{"item": itemID})
}

// Tail tells other processes of stock that has moved or was reserved.
func Tail() db.Source {
	return db.Source{Query: `select changed_at as stamp, '' as resource, item as key, '' as kind from stock_level
		where company = :company and changed_at > :from order by changed_at`,
		Refs: func(_, item, _ string) []db.Ref {
			key := record.Fold(item)
			return []db.Ref{{Resource: Resource, Key: key}, {Resource: StatusResource, Key: key}}
		}}
}

// Moved is when stock of the company moved or was reserved last, up to a moment; 0 = never.
func Moved(tx *db.Tx, until db.Time) (db.Time, error) {
	return db.Value[db.Time](tx, `-- stock.Moved
		select changed_at from stock_level where company = :company and changed_at <= :until
		order by changed_at desc limit 1`,
		db.Args{"until": int64(until)})
}
