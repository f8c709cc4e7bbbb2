package transfer

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Delivery is what arrived at once.
type Delivery struct {
	At       db.Time // 0 = now
	Notes    string
	Portions []Portion // none = all that is in transit
}

// Receive puts goods that arrived into the destination's stock, at the cost they left with: a receipt, its Transfer
// entries in the ledger, and the waiting orders that they cover. Refusals: Transfer.NotFound, Transfer.InvalidStatus,
// TransferLine.NotFound, TransferLine.Invalid, Quantity.TooManyDecimals, TransferLine.QuantityExceedsOutstanding (409),
// TransferLine.NotShipped (409) for batches and pieces that did not leave with it, Receipt.TrackingRequired where
// several came and it is not said which, and those of stock.TakeIn.
func Receive(tx *db.Tx, transferNumber string, d Delivery) (Transfer, stock.GoodsReceipt, error) {
	var receipt stock.GoodsReceipt
	t, before, err := transfers.Begin(tx, transferNumber, "receive")
	if err != nil {
		return t, receipt, err
	}
	parcels, err := Parcels(tx, &t)
	if err != nil {
		return t, receipt, err
	}
	in, err := t.arriving(tx, d, parcels)
	if err != nil {
		return t, receipt, err
	}
	if err := save(tx, &t, before, "receive"); err != nil {
		return t, receipt, err
	}
	if err := updateParcels(tx, &t, parcels); err != nil {
		return t, receipt, err
	}
	// Last of all, because stock that arrives covers back-orders and so writes sales orders. What is still to come is
	// told after that: orders are locked before levels.
	if receipt, err = stock.TakeIn(tx, in); err != nil {
		return t, receipt, err
	}
	return t, receipt, t.tell(tx)
}

// arriving notes what arrived on lines and parcels, and answers it as stock takes it in.
func (t *Transfer) arriving(tx *db.Tx, d Delivery, parcels []Parcel) (stock.Incoming, error) {
	in := stock.Incoming{RefType: stock.RefTransfer, RefID: t.Number, Warehouse: t.To, At: d.At, Notes: d.Notes}
	items, err := t.itemsOf(tx)
	if err != nil {
		return in, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return in, err
	}
	var wrong fault.List
	portions := d.Portions
	isAll := len(portions) == 0
	for i := range t.Lines {
		if l := &t.Lines[i]; isAll && l.Outstanding() > 0 {
			portions = append(portions, Portion{Line: l.Number, Quantity: l.Outstanding()})
		}
	}
	for _, p := range portions {
		l := t.checked(&wrong, book, t.To, p)
		if l == nil || p.Quantity <= 0 {
			continue
		}
		if p.Quantity > l.Outstanding() {
			return in, ErrExceeds.Because("%s is more than the %s of line %d that are in transit", p.Quantity,
				l.Outstanding(), l.Number).In(p.Field + "quantity")
		}
		item := items[l.ItemID]
		fit, err := p.pick(&wrong, l, item, parcels)
		if err != nil {
			return in, err
		}
		l.Received = l.Received.Add(p.Quantity)
		in.Lines = append(in.Lines, p.unpack(l, item, fit)...)
	}
	return in, wrong.Err()
}

// pick are the parcels of a line that a portion may be of.
func (p *Portion) pick(wrong *fault.List, l *Line, item catalog.Item, parcels []Parcel) (fit []*Parcel, err error) {
	if len(p.Serials) > 0 && (!item.Tracking.Serials() || p.Quantity != dec.Int(int64(len(p.Serials)))) {
		wrong.Add(stock.ErrTrackingRequired, p.Field+"serialNumbers",
			"item %s: %d serial numbers are named for a quantity of %s: name one for each piece of an item that has them",
			item.Number, len(p.Serials), p.Quantity)
		return nil, nil
	}
	serials := record.FoldAll(p.Serials)
	var left dec.Dec
	batches := map[string]bool{}
	for i := range parcels {
		x := &parcels[i]
		if x.Line != l.Number || x.Left() == 0 || p.Batch != "" && record.Fold(x.Batch) != record.Fold(p.Batch) ||
			len(serials) > 0 && !slices.Contains(serials, record.Fold(x.Serial)) {
			continue
		}
		fit, left = append(fit, x), left.Add(x.Left())
		batches[record.Fold(x.Batch)] = true
	}
	switch {
	case left < p.Quantity && len(serials) > 0:
		return nil,
			ErrNotShipped.Because("some of the pieces %v are not in transit on line %d: each is named once, as it left",
				p.Serials, l.Number)
	case left < p.Quantity:
		return nil, ErrNotShipped.Because("%s of batch %s are in transit on line %d, not %s", left, p.Batch, l.Number,
			p.Quantity)
	case left > p.Quantity && item.Tracking.Serials():
		wrong.Add(stock.ErrTrackingRequired, p.Field+"serialNumbers",
			"%s pieces of item %s are in transit: name the serial numbers of those that came", left, item.Number)
	case left > p.Quantity && len(batches) > 1:
		wrong.Add(stock.ErrTrackingRequired, p.Field+"batchNumber",
			"several batches of item %s are in transit: name the one that came", item.Number)
	}
	return fit, nil
}

// unpack takes a portion out of its parcels, in their order: one line for each batch and cost.
func (p *Portion) unpack(l *Line, item catalog.Item, fit []*Parcel) (lines []stock.IncomingLine) {
	left := p.Quantity
	for _, x := range fit {
		q := min(left, x.Left())
		if q == 0 {
			break
		}
		left, x.Received = left.Sub(q), x.Received.Add(q)
		i := slices.IndexFunc(lines, func(in stock.IncomingLine) bool {
			return in.Batch == x.Batch && *in.UnitCost == x.UnitCost
		})
		if i < 0 {
			i, lines = len(lines), append(lines, stock.IncomingLine{Field: p.Field, Line: l.Number, ItemID: l.ItemID,
				Item: l.Item, ItemName: item.Name, Tracking: item.Tracking, UnitCost: &x.UnitCost, Location: p.Location,
				Batch: x.Batch})
		}
		lines[i].Quantity = lines[i].Quantity.Add(q)
		if x.Serial != "" {
			lines[i].Serials = append(lines[i].Serials, x.Serial)
		}
	}
	return lines
}

// WriteOff gives up what has not arrived: it comes back to the source in the books, at the cost it left with, and is
// written off there with the reason. Refusals: Transfer.NotFound, Transfer.InvalidStatus, Transfer.Invalid without a
// reason, and Inventory.SerialInStock (409) for a piece that lies somewhere meanwhile.
func WriteOff(tx *db.Tx, transferNumber, reason string) (Transfer, error) {
	t, before, err := transfers.Begin(tx, transferNumber, "write off")
	if err != nil {
		return t, err
	}
	if reason == "" {
		return t, ErrInvalid.At("reason", "say why the goods did not arrive: it stands in the ledger")
	}
	parcels, err := Parcels(tx, &t)
	if err != nil {
		return t, err
	}
	items, err := t.itemsOf(tx)
	if err != nil {
		return t, err
	}
	var moves []stock.Move
	for i := range parcels {
		x := &parcels[i]
		left, l := x.Left(), t.line(x.Line)
		if left == 0 {
			continue
		}
		moves = append(moves, stock.Move{ItemID: l.ItemID, Item: l.Item, Tracking: items[l.ItemID].Tracking,
			Warehouse: t.From, Location: x.Location, Batch: x.Batch, Serial: x.Serial, Quantity: left,
			UnitCost: &x.UnitCost, RefType: stock.RefTransfer, RefID: t.Number, Notes: reason})
		x.WrittenOff, l.WrittenOff = x.WrittenOff.Add(left), l.WrittenOff.Add(left)
	}
	if err := save(tx, &t, before, "write off"); err != nil {
		return t, err
	}
	if err := updateParcels(tx, &t, parcels); err != nil {
		return t, err
	}
	if err := stock.Lock(tx, t.levels()); err != nil {
		return t, err
	}
	if err := stock.Lose(tx, moves); err != nil {
		return t, err
	}
	return t, t.tell(tx)
}
