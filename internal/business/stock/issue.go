package stock

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// Issue takes goods out at average cost and lowers the allocation by what each move says. A move
// without a location is taken from the pickable locations in the order of their codes, then from other
// ones that are not held, and may become several entries. Used by handing over a shipment. Refusals:
// Inventory.InsufficientStock (409) naming every shortage; Inventory.BatchRequired and
// Inventory.SerialRequired for tracked items. Goods that leave at once are issued Unclaimed instead of being reserved
// first.
func Issue(tx *db.Tx, moves []Move) ([]Entry, error) { return takeOut(tx, Issued, moves) }

// Scrap takes goods out because they are worthless: what comes back broken, what is found spoilt.
// Refusals: those of Issue.
func Scrap(tx *db.Tx, moves []Move) ([]Entry, error) { return takeOut(tx, Scrapped, moves) }

// WriteOff takes goods out that are not where the books say they are. Used by the import of stock. Refusals: those of
// Issue.
func WriteOff(tx *db.Tx, moves []Move) ([]Entry, error) { return takeOut(tx, Adjusted, moves) }

// Lies refuses what Issue would refuse of moves, and moves nothing: who names pieces long before they leave learns at
// once that they do not lie there.
func Lies(tx *db.Tx, moves []Move) error {
	if err := checkMoves(moves); err != nil || len(moves) == 0 {
		return err
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return err
	}
	var short shortages
	for i := range moves {
		p.take(Issued, &moves[i], i, &short)
	}
	if short.empty() {
		return nil
	}
	return short.err()
}

func takeOut(tx *db.Tx, kind Kind, moves []Move) ([]Entry, error) {
	if err := checkMoves(moves); err != nil || len(moves) == 0 {
		return nil, err
	}
	if kind == Adjusted {
		if err := expectGone(tx, moves); err != nil {
			return nil, err
		}
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(moves, func(m Move) bool { return m.Unclaimed }) {
		if err := p.loadHeld(tx, (*level).promises); err != nil {
			return nil, err
		}
	}
	var short shortages
	for i := range moves {
		m := &moves[i]
		if !p.take(kind, m, i, &short) || m.Allocated == 0 {
			continue
		}
		if err := p.release(Key{m.ItemID, p.warehouse(m.Warehouse)}, m.Allocated); err != nil {
			return nil, fmt.Errorf("issue item %s: %w", m.Item, err)
		}
	}
	if !short.empty() {
		return nil, short.err()
	}
	if err := p.write(tx); err != nil || kind != Adjusted {
		return p.entries, err
	}
	return p.entries, p.announce(tx, moves)
}

// expectGone is expect for goods that are taken out of locations.
func expectGone(tx *db.Tx, moves []Move) error {
	gone, places := slices.Clone(moves), make([]string, len(moves))
	for i := range gone {
		gone[i].Quantity, places[i] = gone[i].Quantity.Neg(), gone[i].Location
	}
	return expectAt(tx, gone, places...)
}

// take empties balances until the move is served, or notes the shortage and answers false.
func (p *posting) take(kind Kind, m *Move, index int, short *shortages) bool {
	k := Key{m.ItemID, p.warehouse(m.Warehouse)}
	if l := p.levels[k]; m.Unclaimed && l.Available().Sub(l.held) < m.Quantity {
		short.add(shortage{item: m.Item, field: m.Field, where: inWarehouse(k.Warehouse), wanted: m.Quantity,
			there: max(0, l.Available().Sub(l.held)), state: "available"})
		return false
	}
	from := p.candidates(k, m)
	var there dec.Dec
	for _, b := range from {
		there = there.Add(b.quantity)
	}
	if there < m.Quantity {
		short.add(shortage{item: m.Item, field: m.Field, where: p.whereOf(k, m), wanted: m.Quantity, there: there,
			state: "on hand", remedy: p.elsewhere(k, m)})
		return false
	}
	left := m.Quantity
	for _, b := range from {
		if n := min(left, b.quantity); n > 0 {
			p.enter(kind, m, index, b, n.Neg(), nil)
			left = left.Sub(n)
		}
		if left == 0 {
			break
		}
	}
	return true
}

// candidates are the balances a move may be taken from, in order.
func (p *posting) candidates(k Key, m *Move) []*balance {
	if m.Location != "" {
		l, _ := p.book.Location(k.Warehouse, m.Location)
		if b := p.balances[placeOf(k, l.Code, m.Batch, m.Serial)]; b != nil {
			return []*balance{b}
		}
		return nil
	}
	want := placeOf(k, "", m.Batch, m.Serial)
	return each.Where(p.takeableAt(k), func(b *balance) bool {
		return b.Batch == want.Batch && b.Serial == want.Serial
	})
}

// whereOf says in a message where a move was looked for.
func (p *posting) whereOf(k Key, m *Move) fault.Said {
	where := inWarehouse(k.Warehouse)
	if m.Location != "" {
		where = fault.Say("location %s of %s", m.Location, where)
	}
	if m.Batch != "" {
		where = fault.Say("%s, batch %s", where, m.Batch)
	}
	if m.Serial != "" {
		where = fault.Say("%s, serial number %s", where, m.Serial)
	}
	return where
}

func inWarehouse(code string) fault.Said { return fault.Say("warehouse %s", code) }

// elsewhere tells of goods that exist but were not looked at: held ones, or those of another location.
func (p *posting) elsewhere(k Key, m *Move) fault.Said {
	want := placeOf(k, "", m.Batch, m.Serial)
	var held dec.Dec
	location := ""
	for _, b := range p.balances {
		if b.Key != k || b.Batch != want.Batch || b.Serial != want.Serial || b.quantity <= 0 ||
			p.rank(k.Warehouse, b.Location) >= 0 {
			continue
		}
		held = held.Add(b.quantity)
		if location == "" || b.Location < location {
			location = b.Location
		}
	}
	if held == 0 || m.Location != "" {
		return fault.Said{}
	}
	return fault.Say("%s more are held, in %s for example: relocate them first", held, location)
}

// checkMoves holds moves against the rules that need nothing but themselves.
func checkMoves(moves []Move) error {
	var wrong fault.List
	for i, m := range moves {
		field := fmt.Sprintf("lines[%d]", i)
		wrong.If(m.Quantity <= 0, ErrQuantity, field+".quantity", "item %s: a quantity above zero is needed, not %s",
			m.Item, m.Quantity)
		wrong.If(m.UnitCost != nil && *m.UnitCost < 0, ErrCost, field+".unitCost",
			"item %s: a cost is never negative", m.Item)
		limit.Quantity.Check(&wrong, field+".quantity", m.Quantity)
		if m.UnitCost != nil {
			limit.Price.Check(&wrong, field+".unitCost", *m.UnitCost)
			limit.Amount.Of(&wrong, field+".unitCost", func() dec.Dec { return m.Quantity.Mul(*m.UnitCost) })
		}
		checkTracking(&wrong, field+".", m)
	}
	return wrong.Err()
}

// checkTracking holds a movement against the way its item is told apart.
func checkTracking(wrong *fault.List, prefix string, m Move) {
	CheckTracking(wrong, prefix+"batchNumber", prefix+"serialNumber", m)
	wrong.If(m.Tracking.Serials() && m.Serial != "" && m.Quantity.Abs() != dec.One, ErrSerialQuantity,
		prefix+"quantity", "a serial number is one piece: use 1 or -1, one movement for each number")
}

// CheckTracking holds what a movement names against the way its item is told apart, for those who ask for it in fields
// of their own.
func CheckTracking(wrong *fault.List, batchField, serialField string, m Move) {
	switch {
	case m.Tracking.Batches() && m.Batch == "":
		wrong.Add(ErrBatchRequired, batchField, "item %s is tracked by batch: name the batch", m.Item)
	case !m.Tracking.Batches() && m.Batch != "":
		wrong.Add(ErrNotTracked, batchField, "item %s is not tracked by batch: leave the batch out", m.Item)
	}
	switch {
	case m.Tracking.Serials() && m.Serial == "":
		wrong.Add(ErrSerialRequired, serialField, "item %s is tracked by serial number: name it", m.Item)
	case !m.Tracking.Serials() && m.Serial != "":
		wrong.Add(ErrNotTracked, serialField, "item %s is not tracked by serial number: leave it out", m.Item)
	}
}

func moveKeys(moves []Move) []Key {
	return each.Of(moves, func(m Move) Key { return Key{m.ItemID, m.Warehouse} })
}

// Dispatch takes goods out towards another warehouse, at average cost, as Transfer entries. Refusals: those of Issue.
// What they were is the caller's to keep until TakeIn puts them in there.
func Dispatch(tx *db.Tx, moves []Move) ([]Entry, error) { return takeOut(tx, Transferred, moves) }

// Lose writes off goods that were dispatched and never arrived: they come back in the books, at the cost of the moves,
// and go out as Adjustment entries. Nobody can be promised them in between. Refusals: those of Receive.
func Lose(tx *db.Tx, moves []Move) error {
	for i := range moves {
		moves[i].Unpromised = true
	}
	if _, err := Receive(tx, Transferred, moves); err != nil {
		return err
	}
	_, err := WriteOff(tx, moves)
	return err
}
