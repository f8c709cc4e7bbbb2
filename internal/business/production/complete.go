package production

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Completing is a part of a work order that is done.
type Completing struct {
	Quantity dec.Dec // good pieces, which come into stock
	Scrapped dec.Dec // pieces that took their components and are worth nothing
	Location string  // "" = the order's, else chosen by the warehouse
	Batch    string
	Serials  []string
	Expiry   day.Date
	// Picks are components of this part: those that are tracked have to be named unless they were issued before. What
	// the part takes beside them and was not issued before is issued now.
	Picks []Pick
	// IsLast ends the order though less was made than planned; the pieces take over the cost of all that was issued.
	IsLast bool
}

// Complete books a part: the components' Issues and the output's Receipt are one transaction. The output costs what
// went into it; goods made for a sales order are reserved for it before others are served.
//
// Refuses with WorkOrder.NotFound, WorkOrder.InvalidStatus, WorkOrder.Invalid, WorkOrder.QuantityExceedsPlanned,
// WorkOrderLine.NotFound, Inventory.InsufficientStock, Quantity.TooManyDecimals and what stock.Issue and stock.Receive
// refuse with.
func Complete(tx *db.Tx, orderNumber string, c Completing) (Order, error) {
	peek, err := Find(tx, orderNumber)
	if err != nil {
		return peek, err
	}
	if peek.ItemID == "" {
		return peek, ErrInvalid.Because("work order %s makes no goods: finish it instead", peek.Number)
	}
	item, err := itemOf(tx, peek.ItemID)
	if err != nil {
		return peek, err
	}
	output := peek.yield(item, &c)
	if err := peek.lockSales(tx, output); err != nil {
		return peek, err
	}
	o, before, err := orders.Begin(tx, orderNumber, "complete")
	if err != nil {
		return o, err
	}
	if err := o.accept(item, &c); err != nil {
		return o, err
	}
	done := o.Produced.Add(o.Scrapped).Add(c.Quantity).Add(c.Scrapped)
	isLast := c.IsLast || done == o.Planned
	part := Completion{At: tx.Now, Quantity: c.Quantity, Scrapped: c.Scrapped}
	if part.Number, err = lastCompletion(tx, &o); err != nil {
		return o, err
	}
	part.Number++
	pieces, err := o.consume(tx, c.Picks, done, part.Number)
	if err != nil {
		return o, err
	}
	part.Cost = o.use(done, isLast)
	o.Produced, o.Scrapped, o.Cost = o.Produced.Add(c.Quantity), o.Scrapped.Add(c.Scrapped), o.Cost.Add(part.Cost)
	if isLast {
		o.Status = Completed
	}
	o.Began = cmp.Or(o.Began, tx.Now)
	o.work(tx)
	return o, o.book(tx, before, part, pieces, output, isLast)
}

// book writes a completed part: the output into stock, what moved, the order; then those who wait are served.
func (o *Order) book(tx *db.Tx, before Order, part Completion, pieces []piece, output []stock.Move, isLast bool) error {
	if part.Quantity > 0 {
		cost := unitCost(part.Cost, part.Quantity)
		for i := range output {
			output[i].UnitCost = &cost
		}
		entries, err := stock.Receive(tx, stock.Receipt, output)
		if err != nil {
			return err
		}
		for _, e := range entries {
			pieces = append(pieces, piece{part.Number, 0, e.ItemID, e.Item, e.Batch, e.Serial, e.Quantity, cost})
		}
	}
	var free []stock.Key
	if isLast {
		var err error
		if free, err = o.free(tx); err != nil {
			return err
		}
	}
	if err := insertPieces(tx, o, pieces); err != nil {
		return err
	}
	if err := insertCompletion(tx, o, &part); err != nil {
		return err
	}
	if err := orders.Act(tx, "complete", before, o); err != nil {
		return err
	}
	return o.announce(tx, part.Quantity, free)
}

// announce lets those who wait have what was made and what became free: the line it was made for first.
func (o *Order) announce(tx *db.Tx, made dec.Dec, keys []stock.Key) error {
	if made > 0 {
		key := stock.Key{ItemID: o.ItemID, Warehouse: o.Warehouse}
		if o.OrderID != "" {
			if err := sales.CoverFirst(tx, o.OrderID, o.OrderLine, key, made); err != nil {
				return err
			}
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil
	}
	return tx.Fire(stock.Arrived{Keys: keys})
}

func itemOf(tx *db.Tx, id string) (catalog.Item, error) {
	found, err := catalog.FindByID(tx, []string{id})
	if item, ok := found[id]; ok || err != nil {
		return item, err
	}
	return catalog.Item{}, ErrItemNotFound.Because("the item of the work order is gone")
}

// yield are the movements of what is made: one for each serial number, else one. They are announced by the order
// itself, after it was stored, so that it can serve its sales order first.
func (o *Order) yield(item catalog.Item, c *Completing) (moves []stock.Move) {
	location := cmp.Or(c.Location, o.Location)
	m := stock.Move{ItemID: item.ID, Item: item.Number, Tracking: item.Tracking, Warehouse: o.Warehouse,
		Location: location, Batch: c.Batch, Expiry: c.Expiry, Quantity: c.Quantity, Unpromised: true, RefType: refType,
		RefID: o.Number}
	if len(c.Serials) == 0 {
		return []stock.Move{m}
	}
	for _, serial := range c.Serials {
		m.Serial, m.Quantity = serial, dec.One
		moves = append(moves, m)
	}
	return moves
}

// lockSales locks the sales orders that what is made, and what becomes free, may be given to: its own among them.
func (o *Order) lockSales(tx *db.Tx, output []stock.Move) error {
	coming := o.freeable()
	for _, m := range output {
		if m.Quantity > 0 {
			k := stock.Key{ItemID: m.ItemID, Warehouse: m.Warehouse}
			coming[k] = coming[k].Add(m.Quantity)
		}
	}
	var own []string
	if o.OrderID != "" {
		own = []string{o.OrderID}
	}
	_, err := sales.LockToCover(tx, own, coming)
	return err
}

// accept holds a completion against the order.
func (o *Order) accept(item catalog.Item, c *Completing) error {
	var wrong fault.List
	q, s := c.Quantity, c.Scrapped
	switch {
	case s < 0:
		wrong.Add(ErrInvalid, "scrappedQuantity", "say how many were made or scrapped; neither is below 0")
	case q < 0 || q == 0 && s == 0:
		wrong.Add(ErrInvalid, "quantity", "say how many were made or scrapped; neither is below 0")
	case q.Decimals() > item.DecimalPlaces || s.Decimals() > item.DecimalPlaces:
		wrong.Add(catalog.ErrTooManyDecimals, "quantity", "item %s is counted with at most %d decimals", item.Number,
			item.DecimalPlaces)
	case len(c.Serials) > 0 && q != dec.Int(int64(len(c.Serials))):
		wrong.Add(ErrInvalid, "serialNumbers",
			"%d serial numbers are named for a quantity of %s: name one for each piece", len(c.Serials), q)
	}
	if q > 0 {
		stock.CheckTracking(&wrong, "batchNumber", "serialNumbers", stock.Move{Item: item.Number, Tracking: item.Tracking,
			Batch: c.Batch, Serial: first(c.Serials)})
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if q.Add(s) > o.Open() {
		return ErrExceeds.At("quantity", "%s is more than the %s that are still to be made", q.Add(s), o.Open())
	}
	return nil
}

// first is the first of the serial numbers that are named; "" where none is.
func first(serials []string) string {
	if len(serials) == 0 {
		return ""
	}
	return serials[0]
}

// consume issues what a part takes: what was named, and what it takes beside that and was not issued before.
func (o *Order) consume(tx *db.Tx, picks []Pick, done dec.Dec, completion int) ([]piece, error) {
	named := map[int]dec.Dec{}
	for _, p := range picks {
		named[p.Line] = named[p.Line].Add(p.Quantity)
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		if short := l.target(o, done).Sub(l.Issued).Sub(named[l.Number]); l.IsStocked && short > 0 {
			picks = append(picks, Pick{Line: l.Number, Quantity: short})
		}
	}
	if err := stock.Lock(tx, o.levels()); err != nil {
		return nil, err
	}
	return o.take(tx, picks, completion)
}

// levels are those that a completion may touch, locked at once because several verbs of stock follow each other.
func (o *Order) levels() []stock.Key {
	keys := []stock.Key{{ItemID: o.ItemID, Warehouse: o.Warehouse}}
	for i := range o.Lines {
		if o.Lines[i].IsStocked {
			keys = append(keys, stock.Key{ItemID: o.Lines[i].ItemID, Warehouse: o.Warehouse})
		}
	}
	return keys
}

// target is what of a component is in so many of the output.
func (l *Line) target(o *Order, done dec.Dec) dec.Dec {
	if done == o.Planned {
		return l.Required
	}
	return l.need(done)
}

// use moves each component's share into what is completed, and answers what all of them cost. The last part takes
// whatever is left.
func (o *Order) use(done dec.Dec, isLast bool) (cost dec.Dec) {
	for i := range o.Lines {
		l := &o.Lines[i]
		left, worth := l.Issued.Sub(l.Used), l.IssuedCost.Sub(l.UsedCost)
		q := min(left, max(0, l.target(o, done).Sub(l.Used)))
		share := worth
		if isLast {
			q = left
		} else if q < left {
			share = worth.MulDiv(q, left)
		}
		l.Used, l.UsedCost = l.Used.Add(q), l.UsedCost.Add(share)
		cost = cost.Add(share)
	}
	return cost
}

// tracking is how the components are told apart in stock, by id.
func (o *Order) tracking(tx *db.Tx) (map[string]catalog.TrackingType, error) {
	ids := each.Of(o.Lines, func(l Line) string { return l.ItemID })
	found, err := catalog.FindByID(tx, ids)
	out := make(map[string]catalog.TrackingType, len(found))
	for id, item := range found {
		out[id] = item.Tracking
	}
	return out, err
}

// pieceKey names a batch or a piece of an item; batch and serial are folded.
type pieceKey struct{ itemID, batch, serial string }

// pieces are quantities by batch and serial number.
type pieces map[pieceKey]dec.Dec

// giveBack takes a movement off what was issued, and refuses what was not.
func (p pieces) giveBack(m *stock.Move) error {
	k := pieceKey{m.ItemID, record.Fold(m.Batch), record.Fold(m.Serial)}
	if p[k] < m.Quantity {
		name := cmp.Or(m.Serial, m.Batch)
		if name == "" {
			return ErrNotIssued.Because("only %s of item %s were issued", p[k], m.Item)
		}
		return ErrNotIssued.Because("%s of item %s was not issued for this order, or is put back already", name, m.Item)
	}
	p[k] = p[k].Sub(m.Quantity)
	return nil
}
