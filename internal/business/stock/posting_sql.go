package stock

import (
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// chunk is how many items or moves one statement asks for: both engines' limit of bound values is far.
const chunk = 2_000

// eachOf is tx.Each of a list, :items, of which a statement asks for a part at a time.
func eachOf(tx *db.Tx, items []string, query string, args db.Args, scan func(db.Row) error) error {
	for part := range slices.Chunk(items, chunk) {
		args["items"] = part
		if err := tx.Each(query, args, scan); err != nil {
			return err
		}
	}
	return nil
}

// open locks the levels of keys, creating those that do not exist yet, so that even an item that was
// never in stock has a row on which two orders and a receipt meet.
func open(tx *db.Tx, keys []Key) (*posting, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	p := &posting{book: book, now: tx.Now, levels: make(map[Key]*level, len(keys)), balances: map[place]*balance{},
		spelling: map[string]string{}}
	keys = slices.Clone(keys)
	for i := range keys {
		keys[i].Warehouse = p.warehouse(keys[i].Warehouse)
	}
	keys = sorted(keys)
	if err := p.lock(tx, keys); err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return p.levels[k] != nil })
	if len(missing) > 0 {
		if err := create(tx, missing); err != nil {
			return nil, err
		}
		if err := p.lock(tx, missing); err != nil {
			return nil, err
		}
	}
	p.stamp = tx.Stamp()
	for _, l := range p.levels {
		p.stamp = max(p.stamp, l.changed+1)
	}
	return p, nil
}

// openFor is open for moves, with the balances of the places that they touch.
func openFor(tx *db.Tx, moves []Move) (*posting, error) {
	p, err := open(tx, moveKeys(moves))
	if err != nil {
		return nil, err
	}
	if err := p.sameItems(tx, moves); err != nil {
		return nil, err
	}
	return p, p.loadBalances(tx, moves)
}

// sameItems refuses moves of an item whose tracking was changed since the caller read it. That is fixed while there is
// stock, so it is asked before the first goods come into a warehouse.
func (p *posting) sameItems(tx *db.Tx, moves []Move) error {
	first := map[string]Move{}
	for _, m := range moves {
		l := p.levels[Key{m.ItemID, p.warehouse(m.Warehouse)}]
		if l != nil && l.seq == 0 && m.Tracking != "" {
			first[m.ItemID] = m
		}
	}
	if len(first) == 0 || tx.Alone() {
		return nil
	}
	found, err := shareItems(tx, slices.Sorted(maps.Keys(first)))
	if err != nil {
		return err
	}
	for id, m := range first {
		if found[id].tracking != m.Tracking {
			return fault.ErrUnavailable.Because(
				"another request changed item %s at this very moment; nothing was changed, send the same request again",
				m.Item).After(1)
		}
	}
	return nil
}

// shared is what is asked of an item that goods are to come in of.
type shared struct {
	number   string
	tracking catalog.TrackingType
}

// shareItems reads items by their ids. They are neither deleted nor changed before the commit. They are locked in the
// order of their ids, as by everybody, and sorted after they were looked up: by the index alone, which has that order,
// PostgreSQL goes through all items and holds each against the list.
func shareItems(tx *db.Tx, ids []string) (map[string]shared, error) {
	all := make(map[string]shared, len(ids))
	return all, eachOf(tx, ids, `-- stock.shareItems
		select id, number, tracking from item where company = :company and id in (:items) order by id || '' for share`,
		db.Args{}, func(r db.Row) error {
			var id string
			var i shared
			err := r.Scan(&id, &i.number, &i.tracking)
			all[id] = i
			return err
		})
}

// lock reads the levels for update in the order of item and warehouse.
func (p *posting) lock(tx *db.Tx, keys []Key) error {
	items, warehouses := split(keys)
	return eachOf(tx, items, `-- stock.lock
		select item_id, warehouse, item, on_hand, allocated, average_cost, seq, changed_at from stock_level
		where company = :company and item_id in (:items) and warehouse in (:warehouses)
		order by item_id, warehouse for update`, db.Args{"warehouses": warehouses}, func(r db.Row) error {
		var l level
		err := r.Scan(&l.ItemID, &l.Warehouse, &l.item, &l.OnHand, &l.Allocated, &l.Average, &l.seq, &l.changed)
		l.was = l.Level
		p.levels[l.Key] = &l
		return err
	})
}

// create makes empty levels, of items that are there until the commit. Two that create the same one at once meet here,
// and the second finds it.
func create(tx *db.Tx, keys []Key) error {
	ids, _ := split(keys)
	items, err := shareItems(tx, ids)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if _, there := items[k.ItemID]; !there && tx.Alone() {
			return fmt.Errorf("stock: there is no item with id %q", k.ItemID)
		} else if !there {
			return fault.ErrUnavailable.Because(
				"another request deleted one of these items at this very moment; nothing was changed, send the same request again").
				After(1)
		}
	}
	stamp := tx.Stamp()
	return tx.Upsert("stock_level",
		"item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at, changed_at", len(keys),
		func(i int) []any {
			return []any{keys[i].ItemID, keys[i].Warehouse, items[keys[i].ItemID].number, 0, 0, 0, 0, stamp,
				stamp}
		}, "on conflict (company, item_id, warehouse) do nothing")
}

// split lists the distinct items and warehouses of sorted keys.
func split(keys []Key) (items, warehouses []string) {
	for _, k := range keys {
		if len(items) == 0 || items[len(items)-1] != k.ItemID {
			items = append(items, k.ItemID)
		}
		if !slices.Contains(warehouses, k.Warehouse) {
			warehouses = append(warehouses, k.Warehouse)
		}
	}
	return items, warehouses
}

// loadHeld adds up what lies in held locations, of the levels of which that matters. It is read under the levels'
// locks, without which no balance changes.
func (p *posting) loadHeld(tx *db.Tx, matters func(*level) bool) error {
	keys := slices.DeleteFunc(p.keys(), func(k Key) bool { return p.levels[k].isHeldKnown || !matters(p.levels[k]) })
	items, warehouses := split(keys)
	err := eachOf(tx, items, `-- stock.loadHeld
		select item_id, warehouse, location, cast(sum(quantity) as bigint) from stock_balance
		where company = :company and item_id in (:items) and warehouse in (:warehouses) and quantity > 0
		group by item_id, warehouse, location`, db.Args{"warehouses": warehouses}, func(r db.Row) error {
		var k Key
		var location string
		var quantity dec.Dec
		err := r.Scan(&k.ItemID, &k.Warehouse, &location, &quantity)
		if l := p.levels[k]; l != nil && !l.isHeldKnown && isHeld(p.book, k.Warehouse, location) {
			l.held = l.held.Add(quantity)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		p.levels[k].isHeldKnown = true
	}
	return nil
}

// loadBalances reads the balances that moves may touch: of tracked items only the batches and serial
// numbers they name.
func (p *posting) loadBalances(tx *db.Tx, moves []Move) error {
	for part := range slices.Chunk(moves, chunk) {
		keys := moveKeys(part)
		for i := range keys {
			keys[i].Warehouse = p.warehouse(keys[i].Warehouse)
		}
		items, warehouses := split(sorted(keys))
		batches, serials := make([]string, len(part)), make([]string, len(part))
		for i, m := range part {
			batches[i], serials[i] = m.Batch, m.Serial
		}
		err := tx.Each(`-- stock.loadBalances
			select item_id, warehouse, location, batch_key, serial_key, batch, serial, quantity from stock_balance
			where company = :company and item_id in (:items) and warehouse in (:warehouses)
				and batch_key in (:batches) and serial_key in (:serials) and quantity > 0`,
			db.Args{"items": items, "warehouses": warehouses, "batches": record.FoldAll(batches),
				"serials": record.FoldAll(serials)},
			func(r db.Row) error {
				var b balance
				err := r.Scan(&b.ItemID, &b.Warehouse, &b.Location, &b.Batch, &b.Serial, &b.batch, &b.serial,
					&b.quantity)
				p.balances[b.place] = &b
				return err
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// serialsInStock is where the serial numbers of moves lie now, in any warehouse.
func serialsInStock(tx *db.Tx, moves []Move) (map[serialKey]place, error) {
	found := map[serialKey]place{}
	for part := range slices.Chunk(moves, chunk) {
		var items, serials []string
		for _, m := range part {
			if m.Serial != "" {
				items, serials = append(items, m.ItemID), append(serials, m.Serial)
			}
		}
		if len(serials) == 0 {
			continue
		}
		slices.Sort(items)
		err := tx.Each(`-- stock.serialsInStock
			select item_id, serial_key, warehouse, location, batch_key from stock_balance
			where company = :company and item_id in (:items) and serial_key in (:serials) and quantity > 0`,
			db.Args{"items": slices.Compact(items), "serials": record.FoldAll(serials)}, func(r db.Row) error {
				var at place
				err := r.Scan(&at.ItemID, &at.Serial, &at.Warehouse, &at.Location, &at.Batch)
				found[serialKey{at.ItemID, at.Serial}] = at
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// write stores what the posting changed: levels, balances and entries. Quantity.TooLarge, Amount.TooLarge.
func (p *posting) write(tx *db.Tx) error {
	if err := p.bounded(); err != nil {
		return err
	}
	rows := p.moved()
	err := tx.Upsert("stock_balance",
		"item_id, warehouse, location, batch_key, serial_key, batch, serial, item, item_key, quantity, created_at, changed_at",
		len(rows), func(i int) []any {
			b := rows[i]
			item := p.levels[b.Key].item
			return []any{b.ItemID, b.Warehouse, b.Location, b.Batch, b.Serial, b.batch, b.serial, item,
				record.Fold(item), b.quantity, p.stamp, p.stamp}
		},
		"on conflict (company, item_id, warehouse, location, batch_key, serial_key) do update set quantity = "+
			"excluded.quantity, changed_at = excluded.changed_at")
	if tx.Unique(err) { // two warehouses take in the same piece at the same moment
		return ErrSerialInStock.Because(
			"one of these serial numbers has just come into stock elsewhere: a serial number is in one place at most")
	}
	if err != nil {
		return err
	}
	// After the balances, which say what is held: who was promised goods that are held from now on is told so.
	if err := p.writeLevels(tx); err != nil {
		return err
	}
	return tx.Insert("stock_entry", entryColumns, len(p.entries), func(i int) []any { return entryRow.Of(&p.entries[i]) })
}

// writeLevels stores the levels alone: all that reserving changes.
func (p *posting) writeLevels(tx *db.Tx) error {
	rows := p.dirty()
	var plenty dec.Dec
	if err := tx.Fire(PlentyWanted{&plenty}); err != nil {
		return err
	}
	err := p.loadHeld(tx, func(l *level) bool { return l.dirty && l.least() > plenty })
	if err != nil {
		return err
	}
	held := map[Key]bool{} // of these something came to where it covers no order, or left it
	for _, b := range p.moved() {
		held[b.Key] = held[b.Key] || p.rank(b.Warehouse, b.Location) < 0
	}
	for _, l := range rows {
		key := record.Fold(l.item)
		tx.Touch(Resource, key)
		if held[l.Key] || l.least().Sub(l.held) <= plenty {
			tx.Touch(StatusResource, key)
		}
	}
	return tx.Later(func() error {
		return tx.Upsert("stock_level",
			"item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at, changed_at", len(rows),
			func(i int) []any {
				l := rows[i]
				return []any{l.ItemID, l.Warehouse, l.item, l.OnHand, l.Allocated, l.Average, l.seq, p.stamp, p.stamp}
			}, overwritingLevel)
	})
}

const overwritingLevel = `on conflict (company, item_id, warehouse) do update set on_hand = excluded.on_hand,
	allocated = excluded.allocated, average_cost = excluded.average_cost, seq = excluded.seq,
	changed_at = excluded.changed_at`

const entryColumns = record.RootColumns +
	", kind, at, warehouse, location, target_location, item_id, item, batch, serial, quantity, balance_after, " +
	"unit_cost, average_after, ref_type, ref_id, ref_key, notes, seq"

var entryRow = db.Map[Entry](entryColumns)
