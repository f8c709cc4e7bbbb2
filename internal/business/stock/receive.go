package stock

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Receive takes goods in: kind is Receipt or Return. A move with a cost moves the average of the item
// in the warehouse, one without comes in at the average. A move without a location goes to the first
// active location: for a Receipt a pickable one, for a Return one for returns. An unknown batch is
// registered. Afterwards Arrived is fired for what did not come into a held location, so that
// back-orders are covered. Used by goods receipts, returns and the opening stock. Refusals: Warehouse.NotFound,
// WarehouseLocation.NotFound, Warehouse.NoActiveLocation, Inventory.BatchRequired, Inventory.SerialRequired,
// Inventory.SerialInStock (409).
func Receive(tx *db.Tx, kind Kind, moves []Move) ([]Entry, error) {
	p, into, err := openArrival(tx, kind, moves, true)
	if err != nil || p == nil {
		return nil, err
	}
	for i, m := range moves {
		p.enter(kind, &m, i, into[i], m.Quantity, m.UnitCost)
	}
	if err := p.write(tx); err != nil {
		return nil, err
	}
	return p.entries, p.announce(tx, moves)
}

// openArrival opens the posting of goods that come in, with the balance that each goes into; nil where there are none.
// Where they stay, whoever waits for them is expected first.
func openArrival(tx *db.Tx, kind Kind, moves []Move, stay bool) (p *posting, into []*balance, err error) {
	if err := checkMoves(moves); err != nil || len(moves) == 0 {
		return nil, nil, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, nil, err
	}
	places, err := destinations(book, kind, moves)
	if err != nil {
		return nil, nil, err
	}
	if stay {
		if err := expect(tx, comingTo(book, moves, places)); err != nil {
			return nil, nil, err
		}
	}
	batches, err := ensureBatches(tx, moves)
	if err != nil {
		return nil, nil, err
	}
	if p, err = openFor(tx, moves); err != nil {
		return nil, nil, err
	}
	if err := p.refuseSerialsInStock(tx, moves); err != nil {
		return nil, nil, err
	}
	into = make([]*balance, len(moves))
	for i, m := range moves {
		at := placeOf(Key{m.ItemID, p.warehouse(m.Warehouse)}, places[i], m.Batch, m.Serial)
		into[i] = p.at(at, batches.spell(m.ItemID, m.Batch), m.Serial)
	}
	return p, into, nil
}

// expect fires Arriving for what is coming, if anything is.
func expect(tx *db.Tx, coming map[Key]dec.Dec) error {
	if len(coming) == 0 {
		return nil
	}
	return tx.Fire(Arriving{coming})
}

// comingTo is what moves will add to what can be promised at the places they go to, or take from it: what is written
// off, or moved from where it could be promised to where it cannot.
func comingTo(book *reference.Book, moves []Move, places []string) map[Key]dec.Dec {
	coming := map[Key]dec.Dec{}
	for i, m := range moves {
		to, ok := book.Location(m.Warehouse, places[i])
		if !ok || m.Unpromised {
			continue
		}
		change := m.Quantity
		if holds(to) {
			from, ok := book.Location(m.Warehouse, m.Location)
			if !ok || holds(from) {
				continue
			}
			change = change.Neg()
		}
		w, _ := book.Warehouse(m.Warehouse)
		k := Key{m.ItemID, w.Code}
		coming[k] = coming[k].Add(change)
	}
	return coming
}

// Missing is what levels would promise beyond what they have for it, if this came to them: what is below zero goes.
func Missing(tx *db.Tx, coming map[Key]dec.Dec) (map[Key]dec.Dec, error) {
	var keys []Key
	for k, change := range coming {
		if change < 0 {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	keys = sorted(keys)
	items, _ := split(keys)
	levels, err := Levels(tx, items)
	if err != nil {
		return nil, err
	}
	p := &posting{book: book, levels: map[Key]*level{}}
	for _, k := range keys {
		p.levels[k] = &level{Key: k, Level: levels[k]}
		p.levels[k].OnHand = levels[k].OnHand.Add(coming[k])
	}
	return p.missing(tx, keys)
}

// missing is what some of the levels promise beyond what lies where it covers orders.
func (p *posting) missing(tx *db.Tx, keys []Key) (map[Key]dec.Dec, error) {
	if !slices.ContainsFunc(keys, func(k Key) bool { return p.levels[k].Allocated > 0 }) {
		return nil, nil
	}
	if err := p.loadHeld(tx, func(l *level) bool { return l.Allocated > 0 }); err != nil {
		return nil, err
	}
	missing := map[Key]dec.Dec{}
	for _, k := range keys {
		l := p.levels[k]
		if short := l.held.Sub(l.Available()); short > 0 && l.Allocated > 0 {
			missing[k] = min(short, l.Allocated)
		}
	}
	return missing, nil
}

// Coming is what Receive would announce of moves, for who locks documents of its own besides; nothing where it would
// refuse.
func Coming(tx *db.Tx, kind Kind, moves []Move) (map[Key]dec.Dec, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	if places, err := destinations(book, kind, moves); err == nil {
		return comingTo(book, moves, places), nil
	}
	return nil, nil // Receive says what is wrong
}

// announce tells those who wait for goods which levels can now promise more than before, and those whom goods were
// promised what is not there any more. moves are those the entries came of, if any.
func (p *posting) announce(tx *db.Tx, moves []Move) error {
	var more, less []Key
	for i := range p.entries {
		e := &p.entries[i]
		to := cmp.Or(e.TargetLocation, e.Location)
		switch k := (Key{e.ItemID, e.Warehouse}); {
		case moves != nil && moves[e.Move].Unpromised:
		case e.Quantity > 0 && p.rank(e.Warehouse, to) >= 0:
			more = append(more, k)
		case e.Quantity < 0 || e.TargetLocation != "":
			less = append(less, k)
		}
	}
	if len(more) > 0 {
		if err := tx.Fire(Arrived{sorted(more)}); err != nil {
			return err
		}
	}
	missing, err := p.missing(tx, less)
	if err != nil || len(missing) == 0 {
		return err
	}
	return tx.Fire(Missed{missing})
}

// destinations is the location each move goes to.
func destinations(book *reference.Book, kind Kind, moves []Move) ([]string, error) {
	var wrong fault.List
	places := make([]string, len(moves))
	chosen := map[string]string{} // warehouse -> where goods go that name no location
	for i, m := range moves {
		w, ok := book.Warehouse(m.Warehouse)
		if !ok {
			wrong.Add(reference.ErrWarehouseNotFound, fmt.Sprintf("lines[%d].warehouseCode", i),
				"there is no warehouse %s", m.Warehouse)
			continue
		}
		if m.Location != "" {
			l, ok := book.Location(w.Code, m.Location)
			wrong.If(!ok, ErrLocation, fmt.Sprintf("lines[%d].locationCode", i), "warehouse %s has no location %s",
				w.Code, m.Location)
			places[i] = l.Code
			continue
		}
		if chosen[w.Code] == "" {
			l, err := entrance(book, kind, w.Code)
			if err != nil {
				return nil, err
			}
			chosen[w.Code] = l
		}
		places[i] = chosen[w.Code]
	}
	return places, wrong.Err()
}

// entrance is where goods are put when nobody says where.
func entrance(book *reference.Book, kind Kind, warehouse string) (string, error) {
	best, rank := "", 4
	for _, l := range book.Locations(warehouse) {
		r := 3 // any active location is better than none
		switch {
		case !l.IsActive:
			continue
		case kind == Return && l.IsReturns && !l.IsQuarantine:
			r = 0
		case l.IsPickable && !holds(l):
			r = 1
		case !holds(l):
			r = 2
		}
		if r < rank {
			best, rank = l.Code, r
		}
	}
	if best == "" {
		return "", ErrNoLocation.Because("warehouse %s has no active location to put goods in: create or activate one",
			warehouse)
	}
	return best, nil
}

// refuseSerialsInStock keeps a serial number in one place at most.
func (p *posting) refuseSerialsInStock(tx *db.Tx, moves []Move) error {
	found, err := serialsInStock(tx, moves)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(moves, func(m Move) bool { return m.Serial != "" }) {
		if err := tx.Fire(Appearing{moves}); err != nil {
			return err
		}
	}
	seen := map[serialKey]bool{}
	for _, m := range moves {
		if m.Serial == "" {
			continue
		}
		key := serialKey{m.ItemID, record.Fold(m.Serial)}
		if seen[key] {
			return ErrSerialInStock.Because("serial number %s of item %s is named twice: each piece comes in once",
				m.Serial, m.Item)
		}
		seen[key] = true
		if at, ok := found[key]; ok && !p.emptied(at) {
			return ErrSerialInStock.Because("serial number %s of item %s lies in warehouse %s, location %s, already",
				m.Serial, m.Item, at.Warehouse, at.Location)
		}
	}
	return nil
}

// emptied reports whether this posting takes away what the books have at a place.
func (p *posting) emptied(at place) bool {
	b := p.balances[at]
	return b != nil && b.dirty && b.quantity == 0
}

// serialKey names one piece; the serial is folded.
type serialKey struct{ itemID, serial string }
