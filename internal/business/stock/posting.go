package stock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// posting is a piece of the ledger under lock: the levels concerned, the balances that its moves may
// touch, and the entries made so far. It is worked on in memory, so that the moves of one document
// chain, and written at once.
type posting struct {
	book     *reference.Book
	now      db.Time
	stamp    db.Time // of every row it writes: later than any before it
	levels   map[Key]*level
	balances map[place]*balance
	takeable map[Key][]*balance // balances with stock, in the order goods are taken
	spelling map[string]string  // warehouse as given -> code
	entries  []Entry
}

// level is a locked level with what only the ledger needs to know.
type level struct {
	Key
	Level
	item    string // number
	seq     int64
	changed db.Time
	was     Level   // before this posting
	held    dec.Dec // lies where it covers no order; known after loadHeld only, as isHeldKnown says
	dirty   bool

	isHeldKnown bool
}

// place is the identity of a balance; batch and serial are folded.
type place struct {
	Key
	Location      string
	Batch, Serial string
}

// promises reports whether anything could be promised of what is on hand, unless it is held.
func (l *level) promises() bool { return l.Available() > 0 }

// least is what is available, before the posting or after it, whichever is less.
func (l *level) least() dec.Dec { return min(l.was.Available(), l.Available()) }

// balance is what lies at a place.
type balance struct {
	place
	batch, serial string // as they are written
	quantity      dec.Dec
	dirty         bool
}

func placeOf(k Key, location, batch, serial string) place {
	return place{k, location, record.Fold(batch), record.Fold(serial)}
}

// warehouse is the code as the book spells it. Verbs check their warehouses first; one that no book
// knows keeps its spelling and simply has no stock.
func (p *posting) warehouse(code string) string {
	if w, ok := p.spelling[code]; ok {
		return w
	}
	w := codeOf(p.book, code)
	p.spelling[code] = w
	return w
}

// at is the balance of a place, made empty when nothing ever lay there.
func (p *posting) at(pl place, batch, serial string) *balance {
	b := p.balances[pl]
	if b == nil {
		b = &balance{place: pl, batch: batch, serial: serial}
		p.balances[pl] = b
	}
	return b
}

// enter books one movement of a signed quantity at a place and chains it to those before it. cost is
// that of goods which come in at a cost of their own, or are taken back at it; nil for goods that move at the average.
func (p *posting) enter(kind Kind, m *Move, index int, b *balance, quantity dec.Dec, cost *dec.Dec) *Entry {
	l := p.levels[b.Key]
	unit := l.Average
	if cost != nil {
		unit = *cost
		l.Average = averageAfter(l.OnHand, l.Average, quantity, unit)
	}
	l.OnHand = l.OnHand.Add(quantity)
	b.quantity = b.quantity.Add(quantity)
	b.dirty = true
	if b.quantity < 0 || l.OnHand < 0 {
		// The verbs look before they take: to come here is a fault of ours that must not reach the ledger.
		panic(fmt.Sprintf("stock: %s of item %s at %s/%s would leave %s", quantity, l.item, b.Warehouse, b.Location,
			b.quantity))
	}
	return p.append(kind, m, index, b, quantity, unit)
}

// append writes the entry itself, from the level and the balance as they are now.
func (p *posting) append(kind Kind, m *Move, index int, b *balance, quantity, unit dec.Dec) *Entry {
	l := p.levels[b.Key]
	l.seq++
	l.dirty = true
	p.entries = append(p.entries, Entry{
		Root: record.Root{ID: record.NewID(), Version: 1, CreatedAt: p.stamp, ChangedAt: p.stamp},
		Kind: kind, At: cmp.Or(m.At, p.now), Warehouse: b.Warehouse, Location: b.Location,
		ItemID: b.ItemID, Item: l.item, Batch: b.batch, Serial: b.serial,
		Quantity: quantity, BalanceAfter: b.quantity, UnitCost: &unit, AverageAfter: l.Average,
		RefType: m.RefType, RefID: m.RefID, RefKey: record.Fold(m.RefID), Notes: m.Notes, Seq: l.seq, Move: index,
	})
	return &p.entries[len(p.entries)-1]
}

// bounded refuses a level that has more, or is worth more, than anything that is summed up later has room for. What was
// beyond a bound before may come down.
func (p *posting) bounded() error {
	var wrong fault.List
	last := make(map[Key]int, len(p.entries)) // the move that came last to each level
	for _, e := range p.entries {
		last[Key{e.ItemID, e.Warehouse}] = e.Move
	}
	for _, l := range p.dirty() {
		if l.OnHand <= l.was.OnHand && l.Average <= l.was.Average {
			continue
		}
		field := fmt.Sprintf("lines[%d].quantity", last[l.Key])
		switch {
		case l.OnHand > limit.Stock.Most():
			wrong.Add(limit.ErrQuantity, field,
				"item %s: warehouse %s would have %s of it, and takes no more than %s of one item", l.item,
				l.Warehouse, l.OnHand, limit.Stock.Most())
		case !limit.Total.Holds(func() dec.Dec { return l.OnHand.Mul(l.Average) }):
			wrong.Add(limit.ErrAmount, field,
				"item %s: what lies in warehouse %s, %s at %s each, would be worth more than %s: lower the quantity or the cost",
				l.item, l.Warehouse, l.OnHand, l.Average, limit.Total.Most())
		}
	}
	return wrong.Err()
}

// holds reports whether goods at a location cover no order: nobody picks them before they are relocated.
func holds(l reference.Location) bool { return l.IsQuarantine || l.IsReturns || !l.IsActive }

// isHeld reports whether goods at a location of a warehouse cover no order.
func isHeld(book *reference.Book, warehouse, location string) bool {
	l, ok := book.Location(warehouse, location)
	return !ok || holds(l)
}

// HeldPlaces are the codes of the locations of a warehouse in which goods cover no order.
func HeldPlaces(book *reference.Book, warehouse string) (codes []string) {
	for _, l := range book.Locations(warehouse) {
		if holds(l) {
			codes = append(codes, l.Code)
		}
	}
	return codes
}

// rank is the order in which locations are emptied: pickable ones first, held ones not at all (-1).
func (p *posting) rank(warehouse, location string) int {
	l, ok := p.book.Location(warehouse, location)
	switch {
	case !ok || holds(l):
		return -1
	case l.IsPickable:
		return 0
	}
	return 1
}

// takeableAt lists what may be taken of a level without naming a location: pickable locations in the order
// of their codes, then the other ones that are not held.
func (p *posting) takeableAt(k Key) []*balance {
	if s, ok := p.takeable[k]; ok {
		return s
	}
	if p.takeable == nil { // one pass over the balances serves all levels
		p.takeable = make(map[Key][]*balance, len(p.levels))
		ranks := map[*balance]int{}
		for _, b := range p.balances {
			if ranks[b] = p.rank(b.Warehouse, b.Location); ranks[b] >= 0 && b.quantity > 0 {
				p.takeable[b.Key] = append(p.takeable[b.Key], b)
			}
		}
		for _, s := range p.takeable {
			slices.SortFunc(s, func(x, y *balance) int {
				return cmp.Or(cmp.Compare(ranks[x], ranks[y]), cmp.Compare(x.Location, y.Location),
					cmp.Compare(x.Batch, y.Batch), cmp.Compare(x.Serial, y.Serial))
			})
		}
	}
	return p.takeable[k]
}

// keys are the levels of the posting.
func (p *posting) keys() []Key {
	return sorted(slices.Collect(maps.Keys(p.levels)))
}

// dirty are the levels that changed, in the order of their locks.
func (p *posting) dirty() []*level {
	var out []*level
	for _, k := range p.keys() {
		if l := p.levels[k]; l.dirty {
			out = append(out, l)
		}
	}
	return out
}

// moved are the balances that changed. Emptied ones come first: a serial number leaves its old place
// before it stands at the new one.
func (p *posting) moved() []*balance {
	var out []*balance
	for _, b := range p.balances {
		if b.dirty {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(x, y *balance) int {
		return cmp.Or(cmp.Compare(x.quantity, y.quantity), cmp.Compare(x.ItemID, y.ItemID),
			cmp.Compare(x.Warehouse, y.Warehouse), cmp.Compare(x.Location, y.Location), cmp.Compare(x.Batch, y.Batch),
			cmp.Compare(x.Serial, y.Serial))
	})
	return out
}

// sorted puts keys in the order in which levels are locked, each once.
func sorted(keys []Key) []Key {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Warehouse, b.Warehouse))
	})
	return slices.Compact(keys)
}
