package stock

import (
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// CountScan is one scan of a count: goods that lie at a place, by what their label says.
type CountScan struct {
	Code          string // number or GTIN of the item, or GTIN of one of its units
	Location      string
	Batch, Serial string
	NewBatch      bool    // as Counted.NewBatch
	Quantity      dec.Dec // of what was scanned: pieces, or units of the scanned GTIN; 0 = one
	Anew          bool    // it is all that lies there, instead of coming on top of what was counted
}

// Scanned is what a scan led to.
type Scanned struct {
	Count Count
	Line  CountLine
	// HaveMoved says that goods came or went at the place between this scan and the one before: what was counted and
	// what the books say are then not of one moment.
	HaveMoved bool
}

// ScanCount adds a scan to what was counted of its row, or records it as all that lies there. Refusals: Item.NotFound
// and those of RecordCount, at the fields code, locationCode, batchNumber, serialNumber and quantity.
func ScanCount(tx *db.Tx, countNumber string, s CountScan) (Scanned, error) {
	item, each, err := catalog.Scanned(tx, s.Code)
	if err != nil {
		return Scanned{}, atCode(err)
	}
	c, err := lockCount(tx, countNumber)
	if err != nil {
		return Scanned{}, err
	}
	quantity := s.Quantity
	if quantity == 0 && !s.Anew {
		quantity = dec.One
	}
	quantity = quantity.Mul(each)
	row := Counted{Item: item.Number, Location: s.Location, Batch: s.Batch, Serial: s.Serial,
		NewBatch: s.NewBatch, Quantity: &quantity}
	before := c.lineOf(item.ID, row)
	// a piece that is scanned twice is one piece
	if before != nil && before.Counted != nil && !s.Anew && before.Serial == "" {
		quantity = before.Counted.Add(quantity)
	}
	out := Scanned{}
	if out.Count, err = RecordCount(tx, countNumber, []Counted{row}); err != nil {
		return out, scanFields(err)
	}
	out.Line = *out.Count.lineOf(item.ID, row)
	out.HaveMoved = before != nil && before.Counted != nil && !s.Anew && before.Expected != out.Line.Expected
	return out, nil
}

// lineOf is the line of an item and place, nil where the count has none.
func (c *Count) lineOf(itemID string, r Counted) *CountLine {
	location, batch, serial := record.Fold(r.Location), record.Fold(r.Batch), record.Fold(r.Serial)
	for i := range c.Lines {
		if l := &c.Lines[i]; l.ItemID == itemID && record.Fold(l.Location) == location && l.batch == batch &&
			l.serial == serial {
			found := *l
			return &found
		}
	}
	return nil
}

func atCode(err error) error {
	if fault.Is(err, catalog.ErrNotFound) {
		f := *fault.As(err)
		f.Fields = []fault.Field{f.Field("code")}
		return &f
	}
	return err
}

// scanFields names the fields of a row as those of a scan.
func scanFields(err error) error {
	f := *fault.As(err)
	if f.Kind == fault.Internal || len(f.Fields) == 0 {
		return err
	}
	named := map[string]string{"lines[0].itemNumber": "code", "lines[0].countedQuantity": "quantity",
		"lines[0].locationCode": "locationCode", "lines[0].batchNumber": "batchNumber",
		"lines[0].serialNumber": "serialNumber"}
	fields := make([]fault.Field, len(f.Fields))
	for i, x := range f.Fields {
		if fields[i] = x; named[x.Path] != "" {
			fields[i].Path = named[x.Path]
		}
	}
	f.Fields = fields
	return &f
}

// CountValue is what posting a count books: its differing lines, with what they are worth.
type CountValue struct {
	Lines      []Differing
	More, Less dec.Dec // base currency: what was found, and what is missing
	Unknown    int     // lines without a cost
}

// Differing is a line that was counted other than the books say.
type Differing struct {
	CountLine
	UnitCost *dec.Dec // nil where the warehouse has never had a cost
	Value    dec.Dec  // base currency, with the sign of the difference
}

// Differences are what a count found, with its value: at the cost that it was booked at, or at the average cost of this
// moment.
func (c *Count) Differences(tx *db.Tx) (v CountValue, err error) {
	var ids []string
	for i := range c.Lines {
		if c.Lines[i].Difference() != 0 {
			ids = append(ids, c.Lines[i].ItemID)
		}
	}
	levels := map[Key]Level{}
	if c.Status == CountOpen && len(ids) > 0 {
		for part := range slices.Chunk(ids, chunk) {
			found, err := Levels(tx, part)
			if err != nil {
				return v, err
			}
			maps.Copy(levels, found)
		}
	}
	for i := range c.Lines {
		l := c.Lines[i]
		if l.Difference() == 0 {
			continue
		}
		d := Differing{CountLine: l, UnitCost: l.Cost}
		if at, known := levels[Key{l.ItemID, c.Warehouse}]; known {
			d.UnitCost = &at.Average
		}
		worth := func() dec.Dec { return d.UnitCost.Mul(l.Difference()) }
		if d.UnitCost == nil || !limit.Total.Holds(worth) {
			v.Unknown++
		} else {
			d.Value = worth()
		}
		v.More, v.Less = v.More.Add(max(d.Value, 0)), v.Less.Add(max(d.Value.Neg(), 0))
		v.Lines = append(v.Lines, d)
	}
	return v, nil
}
