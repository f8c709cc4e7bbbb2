package returns

import (
	"fmt"
	"slices"

	"kontor/internal/catalog"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/fault"
	"kontor/internal/record"
	"kontor/internal/reference"
	"kontor/internal/sales"
	"kontor/internal/shipping"
	"kontor/internal/stock"
)

// refType is how the ledger names returns.
const refType = "Return"

// Arrival is what came back of one line of a return.
type Arrival struct {
	Line      int
	Quantity  dec.Dec
	Location  string   // empty = the location for returns
	Condition string   // empty = as registered
	Batch     string   // empty = in the order they were shipped
	Serials   []string // likewise
}

// Receive books the goods back into stock at the cost they left with and tells the order what came back.
// Without arrivals all lines came as registered; else only those named did, each once. Goods in
// condition Scrap are thrown away at once.
//
// Refuses with SalesReturn.NotFound, SalesReturn.InvalidStatus, SalesReturnLine.NotFound,
// SalesReturn.QuantityExceedsRegistered, SalesReturn.NotShipped, WarehouseLocation.NotFound and
// Quantity.TooManyDecimals.
func Receive(tx *db.Tx, returnNumber string, arrivals []Arrival) (Return, error) {
	r, before, err := begin(tx, returnNumber, "receive")
	if err != nil {
		return r, err
	}
	orders, err := sales.LockIDs(tx, []string{r.OrderID})
	if err != nil {
		return r, err
	}
	if len(orders) != 1 {
		return r, fmt.Errorf("returns: the order of return %s is gone", r.Number)
	}
	book, err := reference.Of(tx)
	if err != nil {
		return r, err
	}
	if arrivals, err = r.accept(arrivals, book); err != nil {
		return r, err
	}
	r.ReceivedDate = tx.Today()
	if err := sales.Book(tx, "return", orders, r.comeBack(orders[0])); err != nil {
		return r, err
	}
	moves, parcels, err := r.moves(tx, arrivals)
	if err != nil {
		return r, err
	}
	if err := shipping.CameBack(tx, parcels); err != nil {
		return r, err
	}
	r.derive()
	if err := updateLines(tx, &r); err != nil {
		return r, err
	}
	if err := save(tx, &r, before, "receive"); err != nil {
		return r, err
	}
	// Last of all, because stock that arrives covers back-orders and so writes orders anew.
	return r, r.book(tx, moves)
}

// accept checks what came back and notes it on the lines; lines that are not named did not come.
func (r *Return) accept(arrivals []Arrival, book *reference.Book) ([]Arrival, error) {
	if len(arrivals) == 0 {
		for _, l := range r.Lines {
			arrivals = append(arrivals, Arrival{Line: l.Number, Quantity: l.Registered})
		}
	}
	for i := range r.Lines {
		r.Lines[i].Quantity = 0
	}
	var wrong fault.List
	for i := range arrivals {
		a := &arrivals[i]
		l := r.line(a.Line)
		switch {
		case l == nil:
			wrong.Add(ErrLineNotFound, pathOf(i, "lineNumber"), "return %s has no line %d", r.Number, a.Line)
			continue
		case l.Quantity > 0:
			wrong.Add(ErrInvalid, pathOf(i, "lineNumber"), "line %d is named twice; say once what came of it", a.Line)
		case a.Quantity <= 0:
			wrong.Add(ErrInvalid, pathOf(i, "quantity"), "must be above 0; leave the line out if nothing of it came")
		case a.Quantity.Decimals() > l.Decimals:
			wrong.Add(catalog.ErrTooManyDecimals, pathOf(i, "quantity"), "item %s is counted with at most %d decimals", l.Item, l.Decimals)
		case a.Quantity > l.Registered:
			wrong.Add(ErrExceedsRegistered, pathOf(i, "quantity"), "%s is more than the %s registered on line %d", a.Quantity, l.Registered, l.Number)
		}
		if a.Location != "" {
			if _, ok := book.Location(r.WarehouseCode, a.Location); !ok {
				wrong.Add(ErrLocationNotFound, pathOf(i, "locationCode"), "warehouse %s has no location %q", r.WarehouseCode, a.Location)
			}
		}
		l.Quantity = a.Quantity
		if a.Condition != "" {
			l.Condition = a.Condition
		}
	}
	return arrivals, wrong.Err()
}

// comeBack is what the order learns. What was not invoiced yet comes back first and never will be; the rest of a line is
// to be credited.
func (r *Return) comeBack(o *sales.Order) []sales.Delta {
	var deltas []sales.Delta
	billable := map[int]dec.Dec{}
	for _, l := range o.Lines {
		billable[l.Number] = l.Billable()
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Quantity == 0 {
			continue
		}
		unbilled := min(l.Quantity, billable[l.OrderLine])
		billable[l.OrderLine] = billable[l.OrderLine].Sub(unbilled)
		l.ToCredit = l.Quantity.Sub(unbilled)
		deltas = append(deltas, sales.Delta{OrderID: o.ID, Line: l.OrderLine, Returned: l.Quantity})
	}
	return deltas
}

// movement is goods of one line coming into stock.
type movement struct {
	stock.Move
	scrap bool
}

// moves are the movements into stock, and the parcels they came out of with what came back of each.
func (r *Return) moves(tx *db.Tx, arrivals []Arrival) ([]movement, []shipping.Parcel, error) {
	var numbers []int
	for _, l := range r.Lines {
		if l.Ships && l.Quantity > 0 {
			numbers = append(numbers, l.OrderLine)
		}
	}
	if len(numbers) == 0 {
		return nil, nil, nil
	}
	parcels, err := shipping.Shipped(tx, r.OrderID, numbers)
	if err != nil {
		return nil, nil, err
	}
	var (
		wrong fault.List
		moves []movement
		back  = map[int]bool{}
	)
	for i, a := range arrivals {
		l := r.line(a.Line)
		if !l.Ships {
			continue
		}
		rest := l.Quantity.Mul(l.Factor)
		for k := range parcels {
			p := &parcels[k]
			q := min(rest, p.Left())
			if q <= 0 || p.OrderLine != l.OrderLine || !a.names(p) {
				continue
			}
			p.Returned, rest, back[k] = p.Returned.Add(q), rest.Sub(q), true
			moves = append(moves, r.movement(l, a, p, q))
		}
		if rest > 0 {
			wrong.Add(ErrNotShipped, pathOf(i, "quantity"), "%s of item %s were not shipped, or not with the batch or serial numbers named", rest, l.Item)
		}
	}
	var changed []shipping.Parcel
	for k := range parcels {
		if back[k] {
			changed = append(changed, parcels[k])
		}
	}
	return moves, changed, wrong.Err()
}

// names reports whether a parcel is what the arrival says came back.
func (a Arrival) names(p *shipping.Parcel) bool {
	if a.Batch != "" && record.Fold(a.Batch) != record.Fold(p.Batch) {
		return false
	}
	return len(a.Serials) == 0 || slices.ContainsFunc(a.Serials, func(s string) bool { return record.Fold(s) == record.Fold(p.Serial) })
}

func (r *Return) movement(l *Line, a Arrival, p *shipping.Parcel, q dec.Dec) movement {
	return movement{stock.Move{ItemID: l.ItemID, Item: l.Item, Tracking: p.Tracking, Warehouse: r.WarehouseCode, Location: a.Location, Batch: p.Batch,
		Serial: p.Serial, Quantity: q, UnitCost: p.UnitCost, RefType: refType, RefID: r.Number}, record.Fold(l.Condition) == record.Fold(Scrap)}
}

// book receives the goods. Scrap comes first and is thrown away from where it was put, so that it covers no back-order.
func (r *Return) book(tx *db.Tx, moves []movement) error {
	var good, scrap []stock.Move
	for _, m := range moves {
		if m.Worthless = m.scrap; m.scrap {
			scrap = append(scrap, m.Move)
		} else {
			good = append(good, m.Move)
		}
	}
	entries, err := stock.Receive(tx, stock.Return, scrap)
	if err != nil {
		return err
	}
	for i := range entries {
		m := &scrap[entries[i].Move]
		m.Location, m.UnitCost = entries[i].Location, nil
	}
	if _, err := stock.Scrap(tx, scrap); err != nil {
		return err
	}
	_, err = stock.Receive(tx, stock.Return, good)
	return err
}
