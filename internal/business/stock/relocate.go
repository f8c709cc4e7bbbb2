package stock

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Relocation moves goods between two locations of a warehouse.
type Relocation struct {
	Warehouse string
	Item      string // number
	From, To  string // locations
	Quantity  dec.Dec
	Batch     string
	Serial    string
	Notes     string
}

// Relocate books one Transfer entry; on hand and average cost stay. What leaves a held location
// covers back-orders. Refusals are those of Adjust, and Inventory.SameLocation.
func Relocate(tx *db.Tx, r Relocation) (Entry, error) {
	m := Move{Warehouse: r.Warehouse, Location: r.From, Item: r.Item, Batch: r.Batch, Serial: r.Serial,
		Quantity: r.Quantity, Notes: r.Notes, Field: "quantity"}
	to, err := checkRelocation(tx, &m, r.To)
	if err != nil {
		return Entry{}, err
	}
	moves := []Move{m}
	if err := expectAt(tx, moves, to); err != nil {
		return Entry{}, err
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return Entry{}, err
	}
	key := Key{m.ItemID, m.Warehouse}
	source := p.at(placeOf(key, m.Location, m.Batch, m.Serial), m.Batch, m.Serial)
	if err := p.enough(m, source, m.Quantity); err != nil {
		return Entry{}, err
	}
	p.shift(m, source, p.at(placeOf(key, to, m.Batch, m.Serial), source.batch, source.serial))
	return p.byHand(tx)
}

// shift carries goods from one place of a level to another.
func (p *posting) shift(m Move, from, to *balance) {
	from.quantity, from.dirty = from.quantity.Sub(m.Quantity), true
	to.quantity, to.dirty = to.quantity.Add(m.Quantity), true
	e := p.append(Transferred, &m, 0, from, m.Quantity, p.levels[from.Key].Average)
	e.TargetLocation = to.Location
}

// checkRelocation holds a relocation against every rule that needs no lock, and answers the code of
// the location it goes to.
func checkRelocation(tx *db.Tx, m *Move, to string) (string, error) {
	var wrong fault.List
	wrong.If(m.Quantity <= 0, ErrQuantity, "quantity", "a relocation moves a quantity above zero")
	if err := checkItem(tx, &wrong, m); err != nil {
		return "", err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return "", err
	}
	m.Location = checkPlace(&wrong, book, &m.Warehouse, "fromLocationCode", m.Location, false)
	if _, ok := book.Warehouse(m.Warehouse); ok {
		to = checkPlace(&wrong, book, &m.Warehouse, "toLocationCode", to, true)
	}
	wrong.If(m.Location == to, ErrSameLocation, "toLocationCode",
		"the goods lie in %s already: name another location", to)
	return to, wrong.Err()
}
