package transfer

import (
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Release reserves the goods at the source, all of them or none. Refusals: Transfer.NotFound, Transfer.InvalidStatus,
// Transfer.NoLines (409) for an empty one, and Inventory.InsufficientStock naming every shortage.
func Release(tx *db.Tx, transferNumber string) (Transfer, error) {
	t, before, err := transfers.Begin(tx, transferNumber, "release")
	if err != nil {
		return t, err
	}
	if len(t.Lines) == 0 {
		return t, ErrNoLines.Because("transfer %s has no lines: add what is to be moved before releasing it", t.Number)
	}
	if err := stock.Lock(tx, t.levels()); err != nil {
		return t, err
	}
	claims := each.Of(t.Lines, func(l Line) stock.Claim {
		return stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: t.From, Wanted: l.Quantity}
	})
	if err := stock.Allocate(tx, claims, stock.AllOrNothing); err != nil {
		return t, err
	}
	for i := range t.Lines {
		t.Lines[i].Allocated = claims[i].Got
	}
	t.ReleasedAt = tx.Now
	if err := save(tx, &t, before, "release"); err != nil {
		return t, err
	}
	return t, t.tell(tx)
}

// Cancel gives a transfer up that was not shipped; what is reserved for it becomes free. Refusals: Transfer.NotFound,
// Transfer.InvalidStatus.
func Cancel(tx *db.Tx, transferNumber string) (Transfer, error) {
	t, before, err := transfers.Begin(tx, transferNumber, "cancel")
	if err != nil {
		return t, err
	}
	return t, t.free(tx, func() error {
		if err := save(tx, &t, before, "cancel"); err != nil {
			return err
		}
		return t.tell(tx)
	})
}

// free gives back all that is reserved and does not leave by then, which takes the goods out of the reservation: who
// waits for the goods gets them. The orders of those who wait are locked before the levels.
func (t *Transfer) free(tx *db.Tx, then func() error) error {
	coming := map[stock.Key]dec.Dec{}
	var claims []stock.Claim
	for i := range t.Lines {
		l := &t.Lines[i]
		if l.Allocated == 0 {
			continue
		}
		k := stock.Key{ItemID: l.ItemID, Warehouse: t.From}
		coming[k] = coming[k].Add(l.Allocated)
		claims = append(claims, stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: t.From, Got: l.Allocated})
		l.Allocated = 0
	}
	if len(claims) == 0 {
		return then()
	}
	if err := tx.Fire(stock.Arriving{Coming: coming}); err != nil {
		return err
	}
	if err := stock.Lock(tx, t.levels()); err != nil {
		return err
	}
	if err := then(); err != nil {
		return err
	}
	if err := stock.Free(tx, claims); err != nil {
		return err
	}
	keys := each.Of(claims,
		func(c stock.Claim) stock.Key { return stock.Key{ItemID: c.ItemID, Warehouse: c.Warehouse} })
	return tx.Fire(stock.Arrived{Keys: keys})
}

// Portion is what leaves or arrives of a line, of one batch and at one place.
type Portion struct {
	Field    string // prefix of the fields in refusals, such as "lines[2]."
	Line     int
	Quantity dec.Dec
	Location string // "" = chosen by the warehouse
	Batch    string
	Serials  []string
}

// Ship takes the goods out of the source's stock, once: what of a line is not named is given up, and may be promised to
// others. Without portions all leaves. Refusals: Transfer.NotFound, Transfer.InvalidStatus, TransferLine.NotFound,
// TransferLine.Invalid, Quantity.TooManyDecimals, TransferLine.QuantityExceedsOutstanding (409),
// WarehouseLocation.NotFound, Inventory.BatchRequired, Inventory.SerialRequired, Inventory.SerialQuantity,
// Inventory.NotTracked, Inventory.InsufficientStock (409).
func Ship(tx *db.Tx, transferNumber string, portions []Portion) (Transfer, error) {
	t, before, err := transfers.Begin(tx, transferNumber, "ship")
	if err != nil {
		return t, err
	}
	if len(portions) == 0 {
		for _, l := range t.Lines {
			portions = append(portions, Portion{Field: fmt.Sprintf("lines[%d].", l.Number-1), Line: l.Number,
				Quantity: l.Quantity})
		}
	}
	book, err := reference.Of(tx)
	if err != nil {
		return t, err
	}
	moves, of, err := t.leaving(tx, book, portions)
	if err != nil {
		return t, err
	}
	for i, l := range of {
		l.Allocated, l.Shipped = l.Allocated.Sub(moves[i].Quantity), l.Shipped.Add(moves[i].Quantity)
	}
	t.ShippedAt, t.ExpectedDate = tx.Now, t.RequestedDate
	if w, ok := book.Warehouse(t.From); ok && (w.TransportDays > 0 || t.RequestedDate == "") {
		t.ExpectedDate = tx.Today().AddDays(w.TransportDays)
	}
	return t, t.free(tx, func() error {
		if err := stock.Lock(tx, t.levels()); err != nil {
			return err
		}
		entries, err := stock.Dispatch(tx, moves)
		if err != nil {
			return err
		}
		parcels := make([]Parcel, len(entries))
		for i, e := range entries {
			parcels[i] = Parcel{Number: i + 1, Line: of[e.Move].Number, Location: e.Location, Batch: e.Batch,
				Serial: e.Serial, Quantity: e.Quantity.Neg(), UnitCost: *e.UnitCost}
		}
		if err := insertParcels(tx, &t, parcels); err != nil {
			return err
		}
		if err := save(tx, &t, before, "ship"); err != nil {
			return err
		}
		return t.tell(tx)
	})
}

// leaving are the movements of what leaves, each with its line.
func (t *Transfer) leaving(tx *db.Tx, book *reference.Book, portions []Portion) (moves []stock.Move, of []*Line,
	err error) {
	items, err := t.itemsOf(tx)
	if err != nil {
		return nil, nil, err
	}
	var wrong fault.List
	sum := map[int]dec.Dec{}
	for _, p := range portions {
		l := t.checked(&wrong, book, t.From, p)
		if l == nil {
			continue
		}
		item := items[l.ItemID]
		p.checkTracking(&wrong, item)
		sum[l.Number] = sum[l.Number].Add(max(0, p.Quantity))
		m := stock.Move{ItemID: l.ItemID, Item: l.Item, Tracking: item.Tracking, Warehouse: t.From,
			Location: p.Location, Batch: p.Batch, RefType: stock.RefTransfer, RefID: t.Number, Notes: t.Notes}
		for _, piece := range split(m, p) {
			moves, of = append(moves, piece), append(of, l)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, nil, err
	}
	for n, q := range sum {
		if l := t.line(n); q > l.Allocated {
			return nil, nil, ErrExceeds.Because("%s is more than the %s of line %d that are to leave", q, l.Allocated,
				n)
		}
	}
	return moves, of, nil
}

// split makes a movement of a portion: one for each serial number, else one.
func split(m stock.Move, p Portion) []stock.Move {
	m.Quantity, m.Allocated = p.Quantity, p.Quantity
	if len(p.Serials) == 0 {
		return []stock.Move{m}
	}
	out := make([]stock.Move, len(p.Serials))
	for i, serial := range p.Serials {
		out[i] = m
		out[i].Serial, out[i].Quantity, out[i].Allocated = serial, dec.One, dec.One
	}
	return out
}

// checked is the line that a portion is of, nil where something is wrong with its line or quantity, which is noted.
func (t *Transfer) checked(wrong *fault.List, book *reference.Book, warehouse string, p Portion) *Line {
	if _, ok := book.Location(warehouse, p.Location); p.Location != "" && !ok {
		wrong.Add(stock.ErrLocation, p.Field+"locationCode", "warehouse %s has no location %s", warehouse, p.Location)
	}
	l := t.line(p.Line)
	if l == nil {
		wrong.Add(ErrLineNotFound, p.Field+"lineNumber", "transfer %s has no line %d", t.Number, p.Line)
		return nil
	}
	l.check(wrong, p.Field, p.Quantity)
	return l
}

// checkTracking notes what is wrong with how the goods that leave are told apart.
func (p *Portion) checkTracking(wrong *fault.List, item catalog.Item) {
	switch {
	case item.Tracking.Batches() && p.Batch == "":
		wrong.Add(stock.ErrBatchRequired, p.Field+"batchNumber",
			"item %s is tracked by batch: name the batch that leaves", item.Number)
	case !item.Tracking.Batches() && p.Batch != "":
		wrong.Add(stock.ErrNotTracked, p.Field+"batchNumber", "item %s is not tracked by batch: leave the batch out",
			item.Number)
	}
	switch {
	case item.Tracking.Serials() && len(p.Serials) == 0:
		wrong.Add(stock.ErrSerialRequired, p.Field+"serialNumbers",
			"item %s is tracked by serial number: name one for each piece that leaves", item.Number)
	case !item.Tracking.Serials() && len(p.Serials) > 0:
		wrong.Add(stock.ErrNotTracked, p.Field+"serialNumbers",
			"item %s is not tracked by serial number: leave them out", item.Number)
	case len(p.Serials) > 0 && p.Quantity != dec.Int(int64(len(p.Serials))):
		wrong.Add(stock.ErrSerialQuantity, p.Field+"quantity",
			"%d serial numbers are named for a quantity of %s: name one for each piece", len(p.Serials), p.Quantity)
	}
}
