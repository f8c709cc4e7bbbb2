package production

import (
	"fmt"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// refType is how the ledger names work orders.
const refType = "WorkOrder"

// Plan reserves the components there are; an order that lacks some waits for them. Planning it again reserves what has
// come meanwhile.
//
// Refuses with WorkOrder.NotFound and WorkOrder.InvalidStatus.
func Plan(tx *db.Tx, orderNumber string) (Order, error) {
	return orders.Do(tx, orderNumber, "plan", func(o *Order) error {
		err := o.reserve(tx)
		o.Status = o.ready()
		return err
	})
}

// reserve allocates the components that are missing, as far as there are any.
func (o *Order) reserve(tx *db.Tx) error {
	claims, at := o.claims((*Line).Missing)
	return allocate(tx, claims, at)
}

// allocate reserves what is claimed for components, as far as there is any, and notes what they got.
func allocate(tx *db.Tx, claims []stock.Claim, at []*Line) error {
	if len(claims) == 0 {
		return nil
	}
	if err := stock.Allocate(tx, claims, stock.AsMuchAsThereIs); err != nil {
		return err
	}
	for i, l := range at {
		l.Reserved = l.Reserved.Add(claims[i].Got)
	}
	return nil
}

// claims are what is asked of stock for the components, with the components they are for.
func (o *Order) claims(wanted func(*Line) dec.Dec) (claims []stock.Claim, at []*Line) {
	for i := range o.Lines {
		l := &o.Lines[i]
		if q := wanted(l); q > 0 {
			claims = append(claims, stock.Claim{ItemID: l.ItemID, Item: l.Item, Warehouse: o.Warehouse, Wanted: q})
			at = append(at, l)
		}
	}
	return claims, at
}

// AsEstimate keeps a draft as what a work would take: it is no plan of anybody's. WorkOrder.NotFound,
// WorkOrder.InvalidStatus.
func AsEstimate(tx *db.Tx, orderNumber string) (Order, error) {
	return move(tx, orderNumber, "estimate")
}

// Pause and Close move an order that was begun, or is completed. WorkOrder.NotFound, WorkOrder.InvalidStatus.
func Pause(tx *db.Tx, orderNumber string) (Order, error) { return move(tx, orderNumber, "pause") }

// Close ends a completed order for good. WorkOrder.NotFound, WorkOrder.InvalidStatus.
func Close(tx *db.Tx, orderNumber string) (Order, error) { return move(tx, orderNumber, "close") }

// Start notes that the work has begun. WorkOrder.NotFound, WorkOrder.InvalidStatus.
func Start(tx *db.Tx, orderNumber string) (Order, error) { return move(tx, orderNumber, "start") }

func move(tx *db.Tx, orderNumber, verb string) (Order, error) {
	return orders.Do(tx, orderNumber, verb, func(o *Order) error {
		o.work(tx)
		return nil
	})
}

// work notes when the work began and ended.
func (o *Order) work(tx *db.Tx) {
	if o.Status == Active && o.Began == 0 {
		o.Began = tx.Now
	}
	if o.Status == Completed && o.Ended == 0 {
		o.Ended = tx.Now
	}
}

// Cancel gives an order up that was not begun; what is reserved for it becomes free. WorkOrder.NotFound,
// WorkOrder.InvalidStatus.
func Cancel(tx *db.Tx, orderNumber string) (Order, error) {
	return end(tx, orderNumber, "cancel", func(*Order) error { return nil })
}

// Finish ends an order of which less was made than planned, or work that makes no goods. Components that were issued
// and are in nothing that was completed have to be put back first, or be taken over by the last pieces (see
// Completing.IsLast).
//
// Refuses with WorkOrder.NotFound, WorkOrder.InvalidStatus and WorkOrder.ComponentsLeft.
func Finish(tx *db.Tx, orderNumber string) (Order, error) {
	return end(tx, orderNumber, "finish", func(o *Order) error {
		for i := range o.Lines {
			l := &o.Lines[i]
			if o.ItemID == "" {
				l.Used, l.UsedCost = l.Issued, l.IssuedCost
				o.Cost = o.Cost.Add(l.IssuedCost)
			}
			if left := l.Issued.Sub(l.Used); left > 0 {
				return ErrComponentsLeft.Because(
					"%s of item %s were issued and are in nothing that was completed; put them back, or complete the last pieces with them",
					left, l.Item)
			}
		}
		return nil
	})
}

// end ends an order before all of it is made, and frees what is reserved.
func end(tx *db.Tx, orderNumber, verb string, allowed func(*Order) error) (Order, error) {
	peek, err := Find(tx, orderNumber)
	if err != nil {
		return peek, err
	}
	if _, err := sales.LockToCover(tx, nil, peek.freeable()); err != nil {
		return peek, err
	}
	o, before, err := orders.Begin(tx, orderNumber, verb)
	if err != nil {
		return o, err
	}
	if err := allowed(&o); err != nil {
		return o, err
	}
	o.work(tx)
	free, err := o.free(tx)
	if err != nil {
		return o, err
	}
	if err := orders.Act(tx, verb, before, &o); err != nil || len(free) == 0 {
		return o, err
	}
	return o, tx.Fire(stock.Arrived{Keys: free})
}

// freeable is what an order could leave to others.
func (o *Order) freeable() map[stock.Key]dec.Dec {
	out := map[stock.Key]dec.Dec{}
	for i := range o.Lines {
		if l := &o.Lines[i]; l.IsStocked && o.Status.HoldsStock() {
			k := stock.Key{ItemID: l.ItemID, Warehouse: o.Warehouse}
			out[k] = out[k].Add(max(l.Reserved, l.Required))
		}
	}
	return out
}

// free gives back what is still reserved, and answers where that can be promised to others now.
func (o *Order) free(tx *db.Tx) ([]stock.Key, error) {
	claims, at := o.claims(func(l *Line) dec.Dec { return l.Reserved })
	if len(claims) == 0 {
		return nil, nil
	}
	keys := make([]stock.Key, len(claims))
	for i, l := range at {
		claims[i].Got, l.Reserved = l.Reserved, 0
		keys[i] = stock.Key{ItemID: l.ItemID, Warehouse: o.Warehouse}
	}
	return keys, stock.Free(tx, claims)
}

// Pick is how much of a component is issued or put back, and of which pieces.
type Pick struct {
	Line     int
	Quantity dec.Dec  // in the component's base unit; of serial numbers one each
	Location string   // "" = chosen by the warehouse
	Batch    string   // of an item that is tracked by batch
	Serials  []string // of one that is tracked by serial number
}

// moves are the movements in stock of picks, each with the component it is of.
func (o *Order) moves(tx *db.Tx, picks []Pick) (moves []stock.Move, of []*Line, err error) {
	var wrong fault.List
	known, err := o.tracking(tx)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range picks {
		l := o.line(p.Line)
		if l == nil || !l.IsStocked {
			wrong.Add(ErrLineNotFound, fmt.Sprintf("lines[%d].lineNumber", i),
				"work order %s has no component %d that is kept in stock", o.Number, p.Line)
			continue
		}
		wrong.If(p.Quantity.Decimals() > l.Decimals, ErrInvalid, fmt.Sprintf("lines[%d].quantity", i),
			"item %s is counted with at most %d decimals", l.Item, l.Decimals)
		m := stock.Move{ItemID: l.ItemID, Item: l.Item, Tracking: known[l.ItemID], Warehouse: o.Warehouse,
			Location: p.Location, Batch: p.Batch, Quantity: p.Quantity, RefType: refType, RefID: o.Number,
			Field: fmt.Sprintf("lines[%d].quantity", i)}
		wrong.If(len(p.Serials) > 0 && p.Quantity != dec.Int(int64(len(p.Serials))), ErrInvalid,
			fmt.Sprintf("lines[%d].serialNumbers", i),
			"%d serial numbers are named for a quantity of %s: name one for each piece", len(p.Serials), p.Quantity)
		m.Serial = first(p.Serials)
		stock.CheckTracking(&wrong, fmt.Sprintf("lines[%d].batchNumber", i), fmt.Sprintf("lines[%d].serialNumbers", i), m)
		for _, serial := range p.Serials {
			m.Serial, m.Quantity = serial, dec.One
			moves, of = append(moves, m), append(of, l)
		}
		if len(p.Serials) == 0 {
			moves, of = append(moves, m), append(of, l)
		}
	}
	return moves, of, wrong.Err()
}

// Issue takes components out of stock before anything is completed of them. More than is planned may be issued. The
// levels of what has been reserved for others are left alone.
//
// Refuses with WorkOrder.NotFound, WorkOrder.InvalidStatus, WorkOrderLine.NotFound, Inventory.InsufficientStock and
// what stock.Issue refuses with.
func Issue(tx *db.Tx, orderNumber string, picks []Pick) (Order, error) {
	o, before, err := orders.Begin(tx, orderNumber, "issue")
	if err != nil {
		return o, err
	}
	if len(picks) == 0 {
		return o, ErrInvalid.At("lines", "name at least one component that is issued")
	}
	pieces, err := o.take(tx, picks, 0)
	if err != nil {
		return o, err
	}
	o.work(tx)
	if err := insertPieces(tx, &o, pieces); err != nil {
		return o, err
	}
	return o, orders.Act(tx, "issue", before, &o)
}

// take issues components: what is not reserved yet is reserved first, so that nothing is taken that others were
// promised.
func (o *Order) take(tx *db.Tx, picks []Pick, completion int) ([]piece, error) {
	moves, of, err := o.moves(tx, picks)
	if err != nil || len(moves) == 0 {
		return nil, err
	}
	wanted := map[*Line]dec.Dec{}
	fields := map[*Line]string{}
	for i, l := range of {
		wanted[l] = wanted[l].Add(max(0, moves[i].Quantity))
		moves[i].Allocated, fields[l] = moves[i].Quantity, moves[i].Field
	}
	claims, at := o.claims(func(l *Line) dec.Dec { return wanted[l].Sub(l.Reserved) })
	for i, l := range at {
		claims[i].Field = fields[l]
	}
	if err := stock.Allocate(tx, claims, stock.AllOrNothing); err != nil {
		return nil, err
	}
	for i, l := range at {
		l.Reserved = l.Reserved.Add(claims[i].Got)
	}
	entries, err := stock.Issue(tx, moves)
	if err != nil {
		return nil, err
	}
	pieces := make([]piece, len(entries))
	for i, e := range entries {
		l, q := of[e.Move], e.Quantity.Neg()
		l.Reserved, l.Issued = l.Reserved.Sub(q), l.Issued.Add(q)
		l.IssuedCost = l.IssuedCost.Add(q.Mul(*e.UnitCost))
		pieces[i] = piece{completion, l.Number, e.ItemID, e.Item, e.Batch, e.Serial, q, *e.UnitCost}
	}
	return pieces, nil
}

// PutBack takes components that were issued and are in nothing that was completed into stock again, at what they left
// with on average.
//
// Refuses with WorkOrder.NotFound, WorkOrder.InvalidStatus, WorkOrderLine.NotFound, WorkOrderLine.NotIssued and what
// stock.Receive refuses with.
func PutBack(tx *db.Tx, orderNumber string, picks []Pick) (Order, error) {
	peek, err := Find(tx, orderNumber)
	if err != nil {
		return peek, err
	}
	moves, _, err := peek.moves(tx, picks)
	if err != nil {
		return peek, err
	}
	coming, err := stock.Coming(tx, stock.Receipt, moves)
	if err != nil {
		return peek, err
	}
	if _, err := sales.LockToCover(tx, nil, coming); err != nil {
		return peek, err
	}
	o, before, err := orders.Begin(tx, orderNumber, "put back")
	if err != nil {
		return o, err
	}
	pieces, err := o.putBack(tx, picks)
	if err != nil {
		return o, err
	}
	if err := insertPieces(tx, &o, pieces); err != nil {
		return o, err
	}
	return o, orders.Act(tx, "put back", before, &o)
}

func (o *Order) putBack(tx *db.Tx, picks []Pick) ([]piece, error) {
	moves, of, err := o.moves(tx, picks)
	if err != nil {
		return nil, err
	}
	back, cost := map[*Line]dec.Dec{}, map[*Line]*dec.Dec{}
	for i, l := range of {
		back[l] = back[l].Add(moves[i].Quantity)
		left := l.Issued.Sub(l.Used)
		if back[l] > left {
			return nil, ErrNotIssued.Because("only %s of item %s were issued and are in nothing that was completed",
				left, l.Item)
		}
		if cost[l] == nil {
			c := unitCost(l.IssuedCost.Sub(l.UsedCost), left)
			cost[l] = &c
		}
		moves[i].UnitCost = cost[l]
	}
	held, err := o.held(tx)
	if err != nil {
		return nil, err
	}
	for i := range moves { // only what the order took out may come back, by batch and serial number
		if err := held.giveBack(&moves[i]); err != nil {
			return nil, err
		}
	}
	entries, err := stock.Receive(tx, stock.Receipt, moves)
	if err != nil {
		return nil, err
	}
	pieces := make([]piece, len(entries))
	for i, e := range entries {
		l := of[e.Move]
		l.Issued, l.IssuedCost = l.Issued.Sub(e.Quantity), l.IssuedCost.Sub(e.Quantity.Mul(*e.UnitCost))
		pieces[i] = piece{0, l.Number, e.ItemID, e.Item, e.Batch, e.Serial, e.Quantity.Neg(), *e.UnitCost}
	}
	return pieces, nil
}

// unitCost is what one costs of so many, rounded down so that all of them never cost more.
func unitCost(cost, quantity dec.Dec) dec.Dec {
	if quantity <= 0 {
		return 0
	}
	c := cost.Div(quantity)
	if c > 0 && c.Mul(quantity) > cost {
		c = c.Sub(dec.Unit(dec.Scale))
	}
	return c
}
