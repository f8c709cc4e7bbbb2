package stock

import (
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Expectation is what a document still expects of one of its lines: what a supplier is to deliver, what is in transit,
// what is being made.
type Expectation struct {
	RefType   string // the kind of document, as the ledger names it
	RefID     string // its number
	Line      int    `db:"ref_line"`
	ItemID    string
	Item      string   // number
	Warehouse string   // code
	Due       day.Date `db:"due_date"` // "" = nobody has said when
	Quantity  dec.Dec  // base units; 0 = nothing any more
}

// Expect says what one document expects now, for each of its lines that may have changed. It is the one place where
// availability, storefronts and planning learn what is to come. Levels are locked, so documents that wait for goods are
// locked before (Arriving), and it is called after Receive where goods come in.
func Expect(tx *db.Tx, refType, refID string, rows []Expectation) error {
	present, err := expectedOf(tx, refType, refID)
	if err != nil {
		return err
	}
	var changed []Expectation
	var keys []Key
	for _, e := range rows {
		e.RefType, e.RefID = refType, refID
		was := present[e.Line]
		if e == was || e.Quantity == 0 && was.Quantity == 0 {
			continue
		}
		if changed = append(changed, e); e.Quantity > 0 {
			keys = append(keys, Key{e.ItemID, e.Warehouse})
		}
		if was.Quantity > 0 {
			keys = append(keys, Key{was.ItemID, was.Warehouse})
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return tell(tx, refType, refID, keys, changed)
}

// tell writes what is expected of levels.
func tell(tx *db.Tx, refType, refID string, keys []Key, rows []Expectation) error {
	p, err := open(tx, keys)
	if err != nil {
		return err
	}
	for _, l := range p.levels {
		l.dirty = true // whoever keeps a copy learns of it
	}
	if err := writeExpected(tx, refType, refID, rows); err != nil {
		return err
	}
	return p.writeLevels(tx)
}

// ExpectNew is Expect for many documents of a kind of which nothing was expected before; each row names its document.
func ExpectNew(tx *db.Tx, refType string, rows []Expectation) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(e Expectation) bool { return e.Quantity == 0 })
	if len(rows) == 0 {
		return nil
	}
	keys := make([]Key, len(rows))
	for i := range rows {
		rows[i].RefType = refType
		keys[i] = Key{rows[i].ItemID, rows[i].Warehouse}
	}
	return tell(tx, refType, "", keys, rows)
}

// ToCome adds up what is expected of an item in a warehouse, and the first day that was said.
type ToCome struct {
	Quantity dec.Dec
	First    day.Date // not before today; "" = nobody has said when, or the day has passed
}

// Expected is what is to come of items, by item and warehouse.
func Expected(tx *db.Tx, itemIDs []string) (map[Key]ToCome, error) {
	rows, err := Expectations(tx, itemIDs)
	if err != nil {
		return nil, err
	}
	out := map[Key]ToCome{}
	for _, e := range rows {
		k := Key{e.ItemID, e.Warehouse}
		c := out[k]
		c.Quantity = c.Quantity.Add(e.Quantity)
		if e.Due >= tx.Today() && (c.First == "" || e.Due < c.First) {
			c.First = e.Due
		}
		out[k] = c
	}
	return out, nil
}

// FirstExpected is the first day on which items are expected in some of the warehouses, by item id.
func FirstExpected(tx *db.Tx, itemIDs, warehouses []string) (map[string]day.Date, error) {
	found, err := Expected(tx, itemIDs)
	first := map[string]day.Date{}
	for k, c := range found {
		if on := first[k.ItemID]; c.First != "" && slices.Contains(warehouses, k.Warehouse) &&
			(on == "" || c.First < on) {
			first[k.ItemID] = c.First
		}
	}
	return first, err
}
