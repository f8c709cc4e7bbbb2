package sales

import (
	"cmp"
	"maps"
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// waiting is what a line still wants from stock, in base units: nothing unless its order is open.
func waiting(o *Order, l *Line) dec.Dec {
	if !o.Status.IsOpen() {
		return 0
	}
	return l.Base(l.Waits())
}

// want is a line that wants stock.
type want struct {
	order *Order
	line  *Line
	most  dec.Dec // in base units; 0 = all that it misses
}

// wants are the lines of an order that wait for stock, in the order of their numbers.
func wants(o *Order) []want {
	var ws []want
	for i := range o.Lines {
		if l := &o.Lines[i]; l.Waits() > 0 {
			ws = append(ws, want{order: o, line: l})
		}
	}
	return ws
}

// reserve allocates stock to lines in the order given, all of them in one call. touch learns of every line that
// gets some, before it does. A line is allocated whole units of what it is sold in: of a carton of twelve, eleven
// pieces are left to others.
func reserve(tx *db.Tx, ws []want, m stock.Mode, touch func(want)) error {
	if len(ws) == 0 {
		return nil
	}
	claims := each.Of(ws, want.claim)
	if err := stock.Allocate(tx, claims, m); err != nil {
		return err
	}
	var rests []stock.Claim
	short := int64(0)
	for i, w := range ws {
		if claims[i].Got < claims[i].Wanted {
			short++
		}
		got := w.line.units(claims[i])
		if rest := claims[i].Got.Sub(w.line.Base(got)); rest > 0 {
			back := claims[i]
			back.Got = rest
			rests = append(rests, back)
		}
		if got > 0 {
			touch(w)
			w.line.Allocated = w.line.Allocated.Add(got)
		}
	}
	if short > 0 {
		tx.Count("lines short", short)
	}
	if len(rests) == 0 {
		return nil
	}
	return stock.Free(tx, rests)
}

// claim is what a line asks of stock.
func (w want) claim() stock.Claim {
	l := w.line
	c := stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: l.WarehouseCode, Wanted: l.Base(l.Missing()),
		MayWait: l.mayWait}
	if w.most > 0 {
		c.Wanted = min(c.Wanted, w.most)
	}
	return c
}

// units is what a claim got in whole units of the line, to the decimals it is counted in.
func (l *Line) units(c stock.Claim) dec.Dec {
	if c.Got == l.Base(l.Missing()) {
		return l.Missing()
	}
	if l.Factor == dec.One {
		return c.Got
	}
	u := c.Got.Div(l.Factor).Cut(l.Decimals)
	if l.Base(u) > c.Got {
		u = u.Sub(dec.Unit(l.Decimals))
	}
	return u
}

// unitsFor is how many whole units of the line, to the decimals it is counted in, hold a quantity of base units.
func (l *Line) unitsFor(base dec.Dec) dec.Dec {
	u := base.Div(l.Factor).Cut(l.Decimals)
	if l.Base(u) < base {
		u = u.Add(dec.Unit(l.Decimals))
	}
	return u
}

// release gives back what lines have allocated beyond keep units, and answers the stock that became free.
func release(tx *db.Tx, ws []want, keep func(*Line) dec.Dec) ([]stock.Key, error) {
	var (
		claims []stock.Claim
		keys   []stock.Key
	)
	for _, w := range ws {
		l := w.line
		k := max(l.OnShipment, min(l.Allocated, keep(l)))
		if back := l.Base(l.Allocated).Sub(l.Base(k)); back > 0 {
			claims = append(claims, stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: l.WarehouseCode, Got: back})
			keys = append(keys, stock.Key{ItemID: l.ItemID, Warehouse: l.WarehouseCode})
		}
		l.Allocated = k
	}
	if len(claims) == 0 {
		return nil, nil
	}
	return keys, stock.Free(tx, claims)
}

// CoverBackorders gives stock that arrived to the orders that wait for it: by the day they are wanted (none
// named: the day of the order), then in the order they were placed. Subscribed to stock.Arrived.
func CoverBackorders(tx *db.Tx, e stock.Arrived) error { return cover(tx, e.Keys) }

// TakeBack takes from orders what was promised to them and is not there any more: from those last who would be served
// first. What stands on a shipment stays there: who picks it finds out, and what is short goes back then. Subscribed to
// stock.Missed.
func TakeBack(tx *db.Tx, e stock.Missed) error {
	ids, err := promisedOrders(tx, e.Missing)
	if err != nil || len(ids) == 0 {
		return err
	}
	orders, err := LockIDs(tx, ids)
	if err != nil {
		return err
	}
	var ws []want
	bookings := make([]*booking, len(orders))
	for i, o := range orders {
		bookings[i] = open(o)
		for n := range o.Lines {
			if l := &o.Lines[n]; l.Allocated > l.OnShipment {
				ws = append(ws, want{order: o, line: l})
			}
		}
	}
	slices.SortFunc(ws, func(a, b want) int { return inTurn(b, a) })
	keep, missing := map[*Line]dec.Dec{}, maps.Clone(e.Missing)
	for _, w := range ws {
		k := stock.Key{ItemID: w.line.ItemID, Warehouse: w.line.WarehouseCode}
		if missing[k] <= 0 {
			continue
		}
		back := min(w.line.Allocated.Sub(w.line.OnShipment), w.line.unitsFor(missing[k]))
		missing[k] = missing[k].Sub(w.line.Base(back))
		keep[w.line] = w.line.Allocated.Sub(back)
		bookings[slices.Index(orders, w.order)].touch(w.line)
	}
	ws = slices.DeleteFunc(ws, func(w want) bool { _, touched := keep[w.line]; return !touched })
	if _, err := release(tx, ws, func(l *Line) dec.Dec { return keep[l] }); err != nil {
		return err
	}
	return finish(tx, "shortage", bookings)
}

// LockWaiting locks the orders that goods to come may be given to, or that are promised goods which are to go, before
// the levels are locked. Subscribed to stock.Arriving.
func LockWaiting(tx *db.Tx, e stock.Arriving) error {
	_, err := LockToCover(tx, nil, e.Coming)
	return err
}

// LockToCover locks orders and, all in the order of their ids, those that wait for goods which are to come: by a
// receipt, or because the orders named give them back. It answers those named. Who is to be served is decided again
// under the locks.
//
// Where there is one writer nobody else can change the waiting, and none is locked.
func LockToCover(tx *db.Tx, ids []string, coming map[stock.Key]dec.Dec) ([]*Order, error) {
	if !tx.Alone() && len(coming) > 0 {
		if err := lockWaiting(tx, ids, coming); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return LockIDs(tx, ids)
}

// lockWaiting locks the queues for the items that are to come or go, so that nobody else serves them, then the orders
// whose turn it is.
// Until all of these are locked orders may have changed, so the queues are looked at again.
func lockWaiting(tx *db.Tx, ids []string, coming map[stock.Key]dec.Dec) error {
	items := itemsOf(slices.Collect(maps.Keys(coming)))
	any, err := anyWaiting(tx, items)
	if err != nil {
		return err
	}
	if !any {
		missing, err := stock.Missing(tx, coming)
		if err != nil || len(missing) == 0 {
			return err
		}
	}
	if err := lockQueues(tx, items); err != nil {
		return err
	}
	locked := map[string]bool{}
	for {
		wanted, err := concernedBy(tx, items, coming)
		if err != nil {
			return err
		}
		wanted = slices.DeleteFunc(append(wanted, ids...), func(id string) bool { return locked[id] })
		if len(wanted) == 0 {
			return nil
		}
		if err := lockRoots(tx, wanted); err != nil {
			return err
		}
		for _, id := range wanted {
			locked[id] = true
		}
	}
}

// concernedBy are the orders that may be served once goods have come, and those that goods are taken from which go.
func concernedBy(tx *db.Tx, items []string, coming map[stock.Key]dec.Dec) ([]string, error) {
	levels, err := stock.Levels(tx, items)
	if err != nil {
		return nil, err
	}
	var most dec.Dec
	for k, q := range coming {
		most = max(most, levels[k].Available().Add(q))
	}
	var ids []string
	if most > 0 {
		if ids, err = waitingOrders(tx, items, most); err != nil {
			return nil, err
		}
	}
	missing, err := stock.Missing(tx, coming)
	if err != nil || len(missing) == 0 {
		return ids, err
	}
	promised, err := promisedOrders(tx, missing)
	return append(ids, promised...), err
}

// freeable is what the lines of an order could leave to others: what they have, and what they wait for before these.
func freeable(lines ...*Line) map[stock.Key]dec.Dec {
	out := map[stock.Key]dec.Dec{}
	for _, l := range lines {
		if q := l.Base(l.Allocated.Sub(l.OnShipment).Add(l.Waits())); q > 0 {
			k := stock.Key{ItemID: l.ItemID, Warehouse: l.WarehouseCode}
			out[k] = out[k].Add(q)
		}
	}
	return out
}

// cover allocates what is available under keys to the lines that wait for it. Used when stock arrives, and when an
// order gives reserved stock back, so that nobody who orders later is served before those who wait. The levels are
// locked already; the orders were locked before them, by LockToCover.
func cover(tx *db.Tx, keys []stock.Key) error {
	items := itemsOf(keys)
	if any, err := anyWaiting(tx, items); err != nil || !any {
		return err
	}
	most, err := mostAvailable(tx, keys)
	if err != nil || most == 0 {
		return err
	}
	ids, err := waitingOrders(tx, items, most)
	if err != nil || len(ids) == 0 {
		return err
	}
	return serve(tx, ids, keys)
}

// CoverFirst gives what was just made for a line of an order to it, before those that wait longer, so much of quantity
// in base units as it still misses there. The order was locked before the level, by LockToCover.
func CoverFirst(tx *db.Tx, orderID string, line int, key stock.Key, quantity dec.Dec) error {
	orders, err := LockIDs(tx, []string{orderID})
	if err != nil || len(orders) == 0 {
		return err
	}
	o := orders[0]
	l := o.Line(line)
	isFor := func(l *Line) bool { return l.ItemID == key.ItemID && l.WarehouseCode == key.Warehouse }
	if l == nil || !o.Status.IsOpen() || l.Missing() <= 0 || !isFor(l) {
		return nil
	}
	b := open(o)
	err = reserve(tx, []want{{o, l, quantity}}, stock.AsMuchAsThereIs, func(w want) { b.touch(w.line) })
	if err != nil || len(b.lines) == 0 {
		return err
	}
	return finish(tx, "allocate", []*booking{b})
}

// TakeFromStock gives a line what there is on the shelf: also one that goods are made for, where somebody has seen that
// what lies there will do. Refusals: SalesOrder.NotFound, SalesOrderLine.NotFound, SalesOrder.InvalidStatus also where
// the line misses nothing, Inventory.InsufficientStock where there is nothing.
func TakeFromStock(tx *db.Tx, number string, line int) (Order, error) {
	o, before, l, err := lockLine(tx, number, line)
	if err != nil {
		return Order{}, err
	}
	if l.Missing() <= 0 {
		return Order{}, ErrInvalidStatus.Because("line %d of order %s misses nothing that lies in stock", line, o.Number)
	}
	had := l.Allocated
	if err := reserve(tx, []want{{order: o, line: l}}, stock.AsMuchAsThereIs, func(want) {}); err != nil {
		return Order{}, err
	}
	if l.Allocated == had {
		return Order{}, stock.ErrInsufficient.Because("nothing of item %s is available in warehouse %s", l.Item,
			l.WarehouseCode)
	}
	return finishChange(tx, "allocate", o, &before, nil)
}

// Serve gives what is free under keys to orders that have come to wait for it although nothing arrived. They are locked
// already, and the levels after them.
func Serve(tx *db.Tx, orders []*Order, keys []stock.Key) error {
	return serve(tx, each.Of(orders, func(o *Order) string { return o.ID }), keys)
}

// serve allocates what is available under keys to the lines of orders that want it, in their turn.
func serve(tx *db.Tx, ids []string, keys []stock.Key) error {
	orders, err := LockIDs(tx, ids)
	if err != nil {
		return err
	}
	var ws []want
	bookings := make(map[*Order]*booking, len(orders))
	free := each.By(keys, func(k stock.Key) stock.Key { return k })
	for _, o := range orders {
		bookings[o] = open(o)
		for _, w := range wants(o) {
			_, some := free[stock.Key{ItemID: w.line.ItemID, Warehouse: w.line.WarehouseCode}]
			if o.Status.IsOpen() && some {
				ws = append(ws, w)
			}
		}
	}
	slices.SortFunc(ws, inTurn)
	if err := reserve(tx, ws, stock.AsMuchAsThereIs, func(w want) { bookings[w.order].touch(w.line) }); err != nil {
		return err
	}
	var done []*booking
	for _, o := range orders {
		if b := bookings[o]; len(b.lines) > 0 {
			done = append(done, b)
		}
	}
	return finish(tx, "allocate", done)
}

// inTurn is the order in which lines are served.
func inTurn(a, b want) int {
	return cmp.Or(
		cmp.Compare(wanted(a.order, a.line), wanted(b.order, b.line)),
		cmp.Compare(a.order.PlacedAt, b.order.PlacedAt),
		cmp.Compare(a.order.ID, b.order.ID),
		cmp.Compare(a.line.Number, b.line.Number),
	)
}

func itemsOf(keys []stock.Key) []string {
	items := each.Of(keys, func(k stock.Key) string { return k.ItemID })
	slices.Sort(items)
	return slices.Compact(items)
}

// mostAvailable is the greatest quantity that may be promised of one of the keys.
func mostAvailable(tx *db.Tx, keys []stock.Key) (most dec.Dec, err error) {
	levels, err := stock.Levels(tx, itemsOf(keys))
	for _, k := range keys {
		most = max(most, levels[k].Available())
	}
	return most, err
}
