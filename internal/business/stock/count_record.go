package stock

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Counted is how much lies of a row, named by its line or by item and place.
type Counted struct {
	Named         bool // by its line
	Line          int
	Item          string
	Location      string
	Batch, Serial string
	NewBatch      bool     // the books need not know the batch: it is registered when its goods are booked
	Quantity      *dec.Dec // nil takes back what was recorded
}

// RecordCount notes what was counted, and what the books say at this moment. A row that the count does not have is
// added to it.
// Refusals: InventoryCount.NotFound, InventoryCount.InvalidStatus, InventoryCount.AlreadyOpen (409), and every fault of
// the rows at once: InventoryCountLine.NotFound, Item.NotFound, WarehouseLocation.NotFound, Batch.NotFound,
// Inventory.ItemNotStocked, .BatchRequired, .SerialRequired, .SerialQuantity, .NotTracked, .InvalidQuantity,
// Quantity.TooManyDecimals.
func RecordCount(tx *db.Tx, countNumber string, rows []Counted) (Count, error) {
	c, before, err := beginCount(tx, countNumber, "record")
	if err != nil {
		return c, err
	}
	if len(rows) == 0 {
		return c, fault.ErrInvalid.At("lines", "name at least one row, and how much lies there")
	}
	before.Lines = slices.Clone(c.Lines)
	touched, err := c.find(tx, rows)
	if err != nil {
		return c, err
	}
	onHand, err := c.onHand(tx, touched)
	if err != nil {
		return c, err
	}
	detail := map[string][2]any{}
	var changed, added []CountLine
	for i, l := range touched {
		var old CountLine
		if !l.isNew {
			old = before.Lines[l.Number-1]
		}
		if !l.record(&old, rows[i].Quantity, onHand[c.place(l)], tx.Now) && !l.isNew {
			continue
		}
		detail[fmt.Sprintf("lines[%d].countedQuantity", l.Number)] = [2]any{old.Counted, l.Counted}
		if l.isNew {
			added = append(added, *l)
		} else {
			changed = append(changed, *l)
		}
	}
	if len(detail) == 0 {
		return c, tx.Match(c.ID, c.ETag())
	}
	return c, c.keep(tx, changed, added, detail)
}

// keep writes lines that were recorded, and reports them.
func (c *Count) keep(tx *db.Tx, changed, added []CountLine, detail map[string][2]any) error {
	if err := refuseOpen(tx, c, added); err != nil {
		return err
	}
	if err := updateCountLines(tx, c, changed); err != nil {
		return err
	}
	if err := insertCountLines(tx, c, added); err != nil {
		return err
	}
	c.LineCount, c.Recorded = len(c.Lines), 0
	for i := range c.Lines {
		if c.Lines[i].Counted != nil {
			c.Recorded++
		}
	}
	if err := counts.Update(tx, c); err != nil {
		return err
	}
	return Counts.Touched(tx, &c.Root, c.Number, "record", detail)
}

// record notes a quantity on the line, and answers whether that changed it.
func (l *CountLine) record(old *CountLine, quantity *dec.Dec, onHand dec.Dec, now db.Time) bool {
	l.Counted, l.Expected, l.RecordedAt = quantity, onHand, now
	if quantity == nil {
		l.RecordedAt = 0
	}
	same := (old.Counted == nil) == (quantity == nil) && (quantity == nil || *old.Counted == *quantity)
	return !same || old.Expected != l.Expected
}

// find answers the line of each row, which it adds to the count where there is none, or everything that is wrong with
// the rows.
func (c *Count) find(tx *db.Tx, rows []Counted) ([]*CountLine, error) {
	var wrong fault.List
	named, items, err := c.name(tx, &wrong, rows)
	if err != nil {
		return nil, err
	}
	at := make(map[place]int, len(c.Lines))
	for i := range c.Lines {
		at[c.place(&c.Lines[i])] = i
	}
	indexes, taken := make([]int, len(rows)), map[int]bool{}
	for i, r := range rows {
		n := named[i]
		if n == nil { // what is wrong was said
			continue
		}
		k, known := at[c.place(n)]
		if !known {
			k = len(c.Lines)
			n.Number, n.isNew = k+1, true
			c.Lines, at[c.place(n)] = append(c.Lines, *n), k
		}
		if indexes[i] = k; taken[k] {
			wrong.Add(fault.ErrInvalid, indexed("lines", i),
				"line %d is recorded twice: add up what lies there and say it once", k+1)
		}
		taken[k] = true
		if err := r.check(&wrong, indexed("lines", i), &c.Lines[k], items[n.ItemID]); err != nil {
			return nil, err
		}
	}
	wrong.If(len(c.Lines) > maxCountLines, fault.ErrInvalid, "lines",
		"one count has at most %d rows: begin another for the rest", maxCountLines)
	lines := make([]*CountLine, len(rows))
	for i, k := range indexes {
		if len(c.Lines) > 0 {
			lines[i] = &c.Lines[k]
		}
	}
	return lines, wrong.Err()
}

// check holds what was counted against the way its item is counted.
func (r Counted) check(wrong *fault.List, path string, l *CountLine, item *catalog.Item) error {
	if r.Quantity == nil || item == nil {
		return nil
	}
	wrong.If(*r.Quantity < 0, ErrQuantity, path+".countedQuantity",
		"item %s: what lies there is zero or more, not %s", l.Item, *r.Quantity)
	wrong.If(l.Serial != "" && *r.Quantity != 0 && *r.Quantity != dec.One, ErrSerialQuantity, path+".countedQuantity",
		"serial number %s is one piece: it is here, 1, or it is not, 0", l.Serial)
	err := catalog.CheckQuantity(item, *r.Quantity)
	if f := fault.As(err); f != nil && len(f.Fields) > 0 {
		for _, field := range f.Fields {
			wrong.Note(fault.Code{Kind: f.Kind, Name: field.Code}, path+".countedQuantity", field.Said())
		}
		return nil
	}
	return err
}

// name says which stock row each row means; nil where that is wrong. It answers the rows' items by id.
func (c *Count) name(tx *db.Tx, wrong *fault.List, rows []Counted) ([]*CountLine, map[string]*catalog.Item, error) {
	var numbers []string
	for _, r := range rows {
		switch {
		case !r.Named:
			numbers = append(numbers, r.Item)
		case r.Line > 0 && r.Line <= len(c.Lines):
			numbers = append(numbers, c.Lines[r.Line-1].Item)
		}
	}
	items := map[string]*catalog.Item{}
	byNumber := map[string]*catalog.Item{}
	for part := range slices.Chunk(numbers, chunk) {
		found, err := catalog.FindMany(tx, part)
		if err != nil {
			return nil, nil, err
		}
		for key, item := range found {
			items[item.ID], byNumber[key] = &item, &item
		}
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, nil, err
	}
	named := make([]*CountLine, len(rows))
	var moves []Move
	var of []int
	for i, r := range rows {
		if r.Named {
			named[i] = c.byNumber(wrong, indexed("lines", i), r)
			continue
		}
		if l := c.byPlace(wrong, indexed("lines", i), r, book, byNumber[record.Fold(r.Item)]); l != nil {
			named[i] = l
			moves, of = append(moves, Move{ItemID: l.ItemID, Item: l.Item, Batch: l.Batch}), append(of, i)
		}
	}
	return named, items, c.nameBatches(tx, wrong, rows, named, moves, of)
}

// nameBatches spells the batches of rows as they were spelled first. One that the books do not know must be said to be
// new, once: a batch that was mistyped would be goods of its own.
func (c *Count) nameBatches(tx *db.Tx, wrong *fault.List, rows []Counted, named []*CountLine, moves []Move,
	of []int) error {
	if !slices.ContainsFunc(moves, func(m Move) bool { return m.Batch != "" }) {
		return nil
	}
	known, err := findBatches(tx, moves)
	if err != nil {
		return err
	}
	for i := range c.Lines { // those that were found by this count
		l := &c.Lines[i]
		if key := (batchKey{l.ItemID, l.batch}); l.batch != "" && known[key].Number == "" {
			known[key] = Batch{Number: l.Batch}
		}
	}
	for k, i := range of {
		if moves[k].Batch == "" {
			continue
		}
		key := batchKey{moves[k].ItemID, record.Fold(moves[k].Batch)}
		if rows[i].NewBatch && known[key].Number == "" {
			known[key] = Batch{Number: moves[k].Batch}
		}
		b, ok := known[key]
		if !ok {
			wrong.Add(ErrBatchNotFound, indexed("lines", i)+".batchNumber",
				"item %s has no batch %s: look at how it is written, or say that it is new", moves[k].Item,
				moves[k].Batch)
			named[i] = nil
			continue
		}
		named[i].Batch = b.Number
	}
	return nil
}

// byNumber is the line that a row names; where it names item or location as well, they must be the line's.
func (c *Count) byNumber(wrong *fault.List, path string, r Counted) *CountLine {
	if r.Line < 1 || r.Line > len(c.Lines) {
		wrong.Add(ErrCountLineNotFound, path+".lineNumber", "count %s has no line %d", c.Number, r.Line)
		return nil
	}
	l := c.Lines[r.Line-1]
	for _, other := range []struct{ field, said, is string }{{"itemNumber", r.Item, l.Item},
		{"locationCode", r.Location, l.Location}, {"batchNumber", r.Batch, l.Batch},
		{"serialNumber", r.Serial, l.Serial}} {
		if other.said != "" && record.Fold(other.said) != record.Fold(other.is) {
			wrong.Add(fault.ErrInvalid, path+"."+other.field,
				"line %d is of %s, not of %s: leave lineNumber out to record another row", r.Line,
				cmp.Or(other.is, "none"), other.said)
			return nil
		}
	}
	return &l
}

// byPlace is the row that an item and a place mean.
func (c *Count) byPlace(wrong *fault.List, path string, r Counted, book *reference.Book,
	item *catalog.Item) *CountLine {
	at := wrong.Count()
	for _, part := range []struct{ field, said string }{{"itemNumber", r.Item}, {"locationCode", r.Location}} {
		if part.said == "" {
			wrong.Add(fault.ErrInvalid, path+"."+part.field,
				"name the line by lineNumber, or by itemNumber and locationCode")
			return nil
		}
	}
	if item == nil {
		wrong.Add(catalog.ErrNotFound, path+".itemNumber", "there is no item %s", r.Item)
		return nil
	}
	if !item.InStock() {
		wrong.Add(ErrNotStocked, path+".itemNumber", "item %s is of type %s and is not kept in stock", item.Number,
			item.Type)
		return nil
	}
	place, ok := book.Location(c.Warehouse, r.Location)
	wrong.If(!ok, ErrLocation, path+".locationCode", "warehouse %s has no location %q", c.Warehouse, r.Location)
	checkTracking(wrong, path+".", Move{Item: item.Number, Tracking: item.Tracking, Batch: r.Batch, Serial: r.Serial,
		Quantity: dec.One})
	if wrong.Count() > at {
		return nil
	}
	return &CountLine{ItemID: item.ID, Item: item.Number, ItemName: item.Name, Location: place.Code, Batch: r.Batch,
		Serial: c.spell(item.ID, r.Serial), batch: record.Fold(r.Batch), serial: record.Fold(r.Serial)}
}

// spell is a serial number as the count has it at another place.
func (c *Count) spell(itemID, serial string) string {
	key := record.Fold(serial)
	for i := range c.Lines {
		if l := &c.Lines[i]; key != "" && l.serial == key && l.ItemID == itemID {
			return l.Serial
		}
	}
	return serial
}

// onHand is what the books say lies at the places of lines, at this moment.
func (c *Count) onHand(tx *db.Tx, lines []*CountLine) (map[place]dec.Dec, error) {
	moves := make([]Move, len(lines))
	for i, l := range lines {
		moves[i] = Move{ItemID: l.ItemID, Warehouse: c.Warehouse, Batch: l.Batch, Serial: l.Serial}
	}
	p := &posting{balances: map[place]*balance{}, spelling: map[string]string{c.Warehouse: c.Warehouse}}
	if err := p.loadBalances(tx, moves); err != nil {
		return nil, err
	}
	out := make(map[place]dec.Dec, len(lines))
	for at, b := range p.balances {
		out[at] = b.quantity
	}
	return out, nil
}

func indexed(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
