package exchange

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// importRef marks the ledger entries of imported stock.
const importRef = "Import"

// goods books stock: a row says what lies at a place, and the difference to what lies there is booked. A row without a
// location says what lies in the whole warehouse. Goods that come in at a cost are a receipt, others an adjustment.
type goods struct {
	plain
	warehouse string              // of rows that name none
	placed    map[string]goodsRow // goods of a warehouse -> the first row about them
	unused    int                 // costs that did not count, since no goods came in
	noted     map[int]bool        // rows counted in unused
}

type goodsRow struct {
	line     int
	location bool
}

func (b *goods) prepare(tx *db.Tx, _ *sheet) error {
	book, err := reference.Of(tx)
	if err == nil {
		b.warehouse = book.Defaults().Warehouse
	}
	return err
}

// warehouseOf is the warehouse a row is about.
func (b *goods) warehouseOf(r *row) string {
	return cmp.Or(r.get("warehouseCode"), b.warehouse)
}

// wholeKey is the key of the goods in a whole warehouse.
func (b *goods) wholeKey(r *row) string {
	parts := []string{r.get("itemNumber"), b.warehouseOf(r), r.get("batchNumber"), r.get("serialNumber")}
	return record.Fold(strings.Join(parts, "\x00"))
}

func (b *goods) key(r *row) string {
	return b.wholeKey(r) + "\x00" + record.Fold(r.get("locationCode"))
}

// admit refuses rows of which one speaks of a location and another of the whole warehouse.
func (b *goods) admit(r *row) error {
	key, at := b.wholeKey(r), goodsRow{r.line, r.get("locationCode") != ""}
	first, ok := b.placed[key]
	if !ok {
		b.placed[key] = at
		return nil
	}
	if first.location != at.location {
		return fault.ErrInvalid.At("locationCode",
			"row %d is about the same goods and %s: name a location in all rows about them, or in none", first.line,
			map[bool]string{true: "names a location",
				false: "names none, so it speaks of the whole warehouse"}[first.location])
	}
	return nil
}

func (b *goods) warnings() []fault.Said {
	if b.unused == 0 {
		return nil
	}
	return []fault.Said{fault.Say(
		"unitCost of %d rows was not used: it counts for goods that come in, and theirs were there already", b.unused)}
}

// lot is what a row says.
type lot struct {
	*row
	move  stock.Move // Quantity is what shall lie there
	added dec.Dec    // what is to be booked, signed
}

func (b *goods) book(tx *db.Tx, rows []*row) error {
	lots, err := b.lotsOf(tx, rows)
	if err != nil || len(lots) == 0 {
		return err
	}
	ids := each.Of(lots, func(l *lot) string { return l.move.ItemID })
	levels, err := lockLevels(tx, ids)
	if err != nil {
		return err
	}
	there, err := balancesOf(tx, ids)
	if err != nil {
		return err
	}
	var valued, found, lost []*lot
	for _, l := range lots {
		had := there[placeOf(l.move)]
		l.added = l.move.Quantity.Sub(had)
		switch {
		case l.added == 0:
			l.became(unchanged)
			if c := l.move.UnitCost; c != nil &&
				*c != levels[stock.Key{ItemID: l.move.ItemID, Warehouse: l.move.Warehouse}] && !b.noted[l.line] {
				b.noted[l.line] = true
				b.unused++
			}
			continue
		case l.added < 0:
			lost = append(lost, l)
		case l.move.UnitCost != nil:
			valued = append(valued, l)
		default:
			found = append(found, l)
		}
		l.turned(nil, had == 0, true)
	}
	return bookMoves(tx, lost, found, valued)
}

// bookMoves books the differences: goods leave first, so that a piece may be found where it was not looked for.
func bookMoves(tx *db.Tx, lost, found, valued []*lot) error {
	var changes []record.Change
	for _, step := range []struct {
		lots []*lot
		book func(*db.Tx, []stock.Move) ([]stock.Entry, error)
	}{
		{lost, stock.WriteOff},
		{found, func(tx *db.Tx, m []stock.Move) ([]stock.Entry, error) { return stock.Receive(tx, stock.Adjusted, m) }},
		{valued, func(tx *db.Tx, m []stock.Move) ([]stock.Entry, error) { return stock.Receive(tx, stock.Receipt, m) }},
	} {
		moves := make([]stock.Move, len(step.lots))
		for n, l := range step.lots {
			moves[n] = l.move
			moves[n].Quantity = l.added.Abs()
			if l.added < 0 {
				moves[n].UnitCost = nil
			}
		}
		entries, err := step.book(tx, moves)
		if err != nil {
			return err
		}
		for n := range entries {
			e := &entries[n]
			changes = append(changes, record.Change{Root: &e.Root, Key: e.ID, Action: "created", After: *e})
		}
	}
	return stock.Transactions.ReportMany(tx, changes)
}

// lotsOf reads the rows, and refuses those that name what is not there.
func (b *goods) lotsOf(tx *db.Tx, rows []*row) ([]*lot, error) {
	numbers := each.Of(rows, func(r *row) string { return r.get("itemNumber") })
	items, err := catalog.FindMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	var lots []*lot
	for _, r := range rows {
		l := &lot{row: r}
		l.move.Warehouse = b.warehouseOf(r)
		if err := l.read(items, book); err != nil {
			r.refuse(err)
			continue
		}
		lots = append(lots, l)
	}
	return lots, nil
}

func (l *lot) read(items map[string]catalog.Item, book *reference.Book) error {
	c := l.cells()
	m := &l.move
	m.RefType, m.Batch, m.Serial, m.Notes = importRef, l.get("batchNumber"), l.get("serialNumber"), l.get("notes")
	c.number("quantity", &m.Quantity)
	c.optional("unitCost", &m.UnitCost)
	c.date("expiryDate", &m.Expiry)
	if item, ok := items[record.Fold(l.get("itemNumber"))]; !ok {
		c.wrong.Add(catalog.ErrNotFound, "itemNumber", "there is no item %s", l.get("itemNumber"))
	} else {
		m.ItemID, m.Item, m.Tracking = item.ID, item.Number, item.Tracking
		c.wrong.If(!item.InStock(), stock.ErrNotStocked, "itemNumber", "item %s is of type %s and is not kept in stock",
			item.Number, item.Type)
		if err := c.wrong.AddError(catalog.CheckQuantity(&item, m.Quantity)); err != nil {
			return err
		}
	}
	l.readPlace(c, book)
	if m.Quantity < 0 {
		c.wrong.Add(stock.ErrQuantity, "quantity", "%s is below zero: say what lies there, 0 for nothing", m.Quantity)
	}
	c.wrong.If(m.UnitCost != nil && *m.UnitCost < 0, stock.ErrCost, "unitCost", "a cost is never negative")
	c.wrong.If(m.Serial != "" && m.Quantity != 0 && m.Quantity != dec.One, stock.ErrSerialQuantity, "quantity",
		"a serial number is one piece: use 1, or 0 where it is gone")
	return c.wrong.Err()
}

func (l *lot) readPlace(c *cells, book *reference.Book) {
	w, ok := book.Warehouse(l.move.Warehouse)
	if !ok {
		c.wrong.Add(reference.ErrWarehouseNotFound, "warehouseCode",
			"there is no warehouse %s: GET /preview/reference/warehouses lists them", l.move.Warehouse)
		return
	}
	l.move.Warehouse = w.Code
	code := l.get("locationCode")
	if code == "" {
		return
	}
	place, ok := book.Location(w.Code, code)
	if !ok {
		c.wrong.Add(stock.ErrLocation, "locationCode",
			"warehouse %s has no location %s: GET /preview/reference/warehouses/%s/locations lists them", w.Code, code,
			w.Code)
		return
	}
	l.move.Location = place.Code
}

// place is where goods lie; location "" is the whole warehouse. Batch and serial are folded.
type place struct{ item, warehouse, location, batch, serial string }

func placeOf(m stock.Move) place {
	return place{m.ItemID, m.Warehouse, m.Location, record.Fold(m.Batch), record.Fold(m.Serial)}
}

// exportStock writes what lies at every place, with the average cost of the warehouse.
func exportStock(tx *db.Tx, p *printer) error {
	return eachOf(tx, bigPage, stock.ListRows, func(r stock.Row) error {
		return p.row(r.Item, r.Warehouse, r.Location, r.Batch, r.Serial, string(r.Expiry), r.OnHand.String(),
			r.Average.String(), "")
	})
}
