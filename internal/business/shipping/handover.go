package shipping

import (
	"cmp"
	"slices"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// refType is how the ledger names shipments.
const refType = "Shipment"

// HandOver gives the goods to the carrier or the customer: in one transaction the picked goods are issued
// at average cost, the orders learn what was delivered, and what was picked short goes back to them as a
// back-order. at is when it happened; 0 = now.
//
// Refuses with Shipment.InvalidStatus, Inventory.InsufficientStock and Timestamp.InFuture.
func HandOver(tx *db.Tx, number string, at db.Time) (Shipment, error) {
	s, before, err := begin(tx, number, "hand-over")
	if err != nil {
		return s, err
	}
	orders, err := s.lockOrders(tx)
	if err != nil {
		return s, err
	}
	if s.ShippedDate, err = record.Happened(tx, "shippedDate", at); err != nil {
		return s, err
	}
	s.Status = PickedUp
	if before.Status == Booked {
		s.Status = InTransit
	}
	if err := s.leave(tx, orders); err != nil {
		return s, err
	}
	if err := save(tx, &s, before, "handOver"); err != nil {
		return s, err
	}
	return s, tx.Fire(HandedOver{Shipment: &s, Orders: orders, On: tx.DayOf(s.ShippedDate)})
}

// leave books the goods out of the orders and out of stock. A line that was picked short leaves its
// allocation: the stock that should have been there was not.
func (s *Shipment) leave(tx *db.Tx, orders []*sales.Order) error {
	deltas := s.deltas(func(l *Line, d *sales.Delta) {
		d.Allocated, d.OnShipment, d.Delivered = l.Quantity.Neg(), l.Quantity.Neg(), l.Picked
	})
	if err := sales.Book(tx, "handOver", orders, deltas); err != nil {
		return err
	}
	var short []stock.Claim
	for _, l := range s.Lines {
		if missing := l.base(l.Quantity).Sub(l.base(l.Picked)); missing > 0 {
			short = append(short, stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: s.WarehouseCode, Got: missing})
		}
	}
	if len(short) > 0 {
		if err := stock.Free(tx, short); err != nil {
			return err
		}
	}
	return issue(tx, s)
}

// issue books the picked goods of shipments out of stock and keeps what they cost.
func issue(tx *db.Tx, shipments ...*Shipment) error {
	var (
		moves []stock.Move
		lines []*Line
	)
	for _, s := range shipments {
		m, of := s.issues()
		moves = append(moves, m...)
		for _, i := range of {
			lines = append(lines, &s.Lines[i])
		}
	}
	entries, err := stock.Issue(tx, moves)
	for i := range entries {
		lines[entries[i].Move].UnitCost = entries[i].UnitCost
	}
	return err
}

// issues are the movements out of stock: one for each thing the picker named, one for the rest of each
// line. lines says which line a move is for.
func (s *Shipment) issues() (moves []stock.Move, lines []int) {
	add := func(i int, m stock.Move) {
		l := s.Lines[i]
		m.ItemID, m.Item, m.Tracking, m.Warehouse = l.ItemID, l.Item, l.Tracking, s.WarehouseCode
		m.RefType, m.RefID = refType, s.Number
		if s.unclaimed {
			m.Unclaimed, m.At = true, s.ShippedDate
		} else {
			m.Allocated = m.Quantity
		}
		moves, lines = append(moves, m), append(lines, i)
	}
	named := make([]dec.Dec, len(s.Lines))
	for _, p := range s.picks {
		i := p.Line - 1
		named[i] = named[i].Add(p.Quantity)
		add(i, stock.Move{Location: p.Location, Batch: p.Batch, Serial: p.Serial, Quantity: p.Quantity})
	}
	for i, l := range s.Lines {
		if rest := l.base(l.Picked).Sub(named[i]); rest > 0 {
			add(i, stock.Move{Quantity: rest})
		}
	}
	return moves, lines
}

// Dispatch ships, picks, hands over and delivers what is waiting of released orders in one go, each order alone and
// each warehouse apart: every shipment is written once, in its final state. It is for goods that have long arrived (an
// imported history) or go over the counter. The orders were locked by the caller, or come from sales.Compose: those
// leave at the moment they were placed, take only goods that nobody has reserved, and are not reserved for. The number
// of statements does not depend on how many orders there are. Orders of which nothing is waiting are passed over.
//
// Refuses like Create, with Shipment.TrackingRequired where pieces must be named, and with Inventory.InsufficientStock.
func Dispatch(tx *db.Tx, orders []*sales.Order) ([]*Shipment, error) {
	var loads []*load
	for _, o := range orders {
		if o.Status != sales.Released {
			return nil, ErrOrderStatus.Because("order %s is %s; only a Released order can be shipped", o.Number,
				o.Status)
		}
		for _, w := range warehouses(o) {
			l, err := plan(tx, []*sales.Order{o}, w, New{})
			if err != nil {
				return nil, err
			}
			l.unclaimed = o.IsNew()
			loads = append(loads, l)
		}
	}
	if len(loads) == 0 {
		return nil, nil
	}
	if err := fill(tx, loads); err != nil {
		return nil, err
	}
	shipments := make([]*Shipment, len(loads))
	var deltas []sales.Delta
	for i, l := range loads {
		if err := l.finish(tx.Now); err != nil {
			return nil, err
		}
		shipments[i] = l.Shipment
		deltas = append(deltas, l.deltas(func(line *Line, d *sales.Delta) {
			d.Delivered = line.Quantity
			if !l.unclaimed {
				d.Allocated = line.Quantity.Neg()
			}
		})...)
	}
	if err := sales.Book(tx, "deliver", orders, deltas); err != nil {
		return nil, err
	}
	if err := issue(tx, shipments...); err != nil {
		return nil, err
	}
	if err := insert(tx, loads); err != nil {
		return nil, err
	}
	for _, l := range loads {
		e := HandedOver{Shipment: l.Shipment, Orders: l.orders, On: tx.DayOf(l.ShippedDate), IsDelivered: true}
		if err := tx.Fire(e); err != nil {
			return nil, err
		}
	}
	return shipments, nil
}

// finish makes a planned shipment one whose goods have arrived.
func (l *load) finish(now db.Time) error {
	for i := range l.Lines {
		line := &l.Lines[i]
		if line.Tracking.Batches() || line.Tracking.Serials() {
			return ErrTrackingRequired.Because("item %s is tracked; ship it step by step, naming what is picked",
				line.Item)
		}
		line.Picked = line.Quantity
	}
	at := now
	if l.unclaimed {
		at = l.orders[0].PlacedAt
	}
	l.Status, l.ShippedDate, l.DeliveredDate = Delivered, at, at
	return nil
}

// warehouses are those that lines of an order are waiting in, in the order of the lines.
func warehouses(o *sales.Order) []string {
	var codes []string
	for _, l := range waiting(o, "") {
		if !slices.ContainsFunc(codes, func(c string) bool { return record.Fold(c) == record.Fold(l.WarehouseCode) }) {
			codes = append(codes, l.WarehouseCode)
		}
	}
	return codes
}

// Deliver marks a shipment delivered. at is when; 0 = now, or at the hand-over where that is said to be a little later.
//
// Refuses with Shipment.InvalidStatus, Shipment.Invalid and Timestamp.InFuture.
func Deliver(tx *db.Tx, number string, at db.Time) (Shipment, error) {
	s, before, err := begin(tx, number, "deliver")
	if err != nil {
		return s, err
	}
	orders, err := s.lockOrders(tx)
	if err != nil {
		return s, err
	}
	at = cmp.Or(at, max(tx.Now, s.ShippedDate))
	if s.DeliveredDate, err = record.Happened(tx, "deliveredDate", at); err != nil {
		return s, err
	}
	if s.DeliveredDate < s.ShippedDate {
		return s, ErrInvalid.At("deliveredDate", "%s is before the hand-over at %s", s.DeliveredDate, s.ShippedDate)
	}
	if err := save(tx, &s, before, "deliver"); err != nil {
		return s, err
	}
	return s, tx.Fire(Delivery{Shipment: &s, Orders: orders, On: tx.DayOf(s.DeliveredDate)})
}

// TakeBack books the goods of a failed shipment back into stock at the cost they left with; the orders
// owe them again, as back-orders, and are served from what is free.
//
// Refuses with Shipment.InvalidStatus.
func TakeBack(tx *db.Tx, number string) (Shipment, error) {
	s, before, err := begin(tx, number, "take-back")
	if err != nil {
		return s, err
	}
	moves, lines := s.issues()
	for i := range moves {
		moves[i].UnitCost, moves[i].Allocated, moves[i].Location = s.Lines[lines[i]].UnitCost, 0, ""
	}
	coming, err := stock.Coming(tx, stock.Return, moves)
	if err != nil {
		return s, err
	}
	orders, err := s.lockToCover(tx, coming)
	if err != nil {
		return s, err
	}
	deltas := s.deltas(func(l *Line, d *sales.Delta) { d.Delivered = l.Picked.Neg() })
	if err := sales.Book(tx, "takeBack", orders, deltas); err != nil {
		return s, err
	}
	if err := save(tx, &s, before, "takeBack"); err != nil {
		return s, err
	}
	// Before the bills, as who hands goods over does.
	levels := each.Of(moves, func(m stock.Move) stock.Key {
		return stock.Key{ItemID: m.ItemID, Warehouse: m.Warehouse}
	})
	if err := stock.Lock(tx, levels); err != nil {
		return s, err
	}
	if err := tx.Fire(TakenBack{Shipment: &s, Orders: orders, On: tx.Today()}); err != nil {
		return s, err
	}
	// Last of all, because stock that arrives covers back-orders and so writes the orders anew.
	if _, err = stock.Receive(tx, stock.Return, moves); err != nil {
		return s, err
	}
	// Where it lies among returns it covers nothing; what else there is does.
	return s, sales.Serve(tx, orders, levels)
}

// save reports the verb with what it changed, and writes that.
func save(tx *db.Tx, s *Shipment, before Shipment, action string) error {
	detail := record.Diff(before, *s)
	for i, l := range s.Lines {
		if was := before.Lines[i].Picked; was != l.Picked {
			detail[pathOf("lines", l.Number)+".pickedQuantity"] = [2]any{was, l.Picked}
		}
	}
	if err := Shipments.Touched(tx, &s.Root, s.Number, action, detail); err != nil {
		return err
	}
	return shipments.Keep(tx, before, s)
}

func inOrder(orders []*sales.Order, numbers []string) []*sales.Order {
	at := make(map[string]int, len(numbers))
	for i, n := range numbers {
		at[record.Fold(n)] = i
	}
	slices.SortFunc(orders,
		func(a, b *sales.Order) int { return at[record.Fold(a.Number)] - at[record.Fold(b.Number)] })
	return orders
}
