package returns

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
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
// Without arrivals all lines came as registered; else only those named did, with the sum of what is said
// of them. Goods in condition Scrap are thrown away at once.
//
// Refuses with SalesReturn.NotFound, SalesReturn.InvalidStatus, SalesReturn.Invalid, SalesReturnLine.NotFound,
// SalesReturn.QuantityExceedsRegistered, SalesReturn.NotShipped, WarehouseLocation.NotFound and
// Quantity.TooManyDecimals.
func Receive(tx *db.Tx, returnNumber string, arrivals []Arrival) (Return, error) {
	r, before, err := returns.Begin(tx, returnNumber, "receive")
	if err != nil {
		return r, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return r, err
	}
	if arrivals, err = r.accept(arrivals, book); err != nil {
		return r, err
	}
	coming, err := stock.Coming(tx, stock.Return, r.expected(arrivals))
	if err != nil {
		return r, err
	}
	orders, err := sales.LockToCover(tx, []string{r.OrderID}, coming)
	if err != nil {
		return r, err
	}
	if len(orders) != 1 {
		return r, fmt.Errorf("returns: the order of return %s is gone", r.Number)
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
	if err := returns.Act(tx, "receive", before, &r); err != nil {
		return r, err
	}
	if err := tx.Fire(Moved{&r}); err != nil {
		return r, err
	}
	// Last of all, because stock that arrives covers back-orders and so writes orders anew.
	return r, r.book(tx, moves)
}

// accept checks what came back and notes it on the lines; lines that are not named did not come. What comes of a line
// in several conditions stands on a line for each from then on.
func (r *Return) accept(arrivals []Arrival, book *reference.Book) ([]Arrival, error) {
	if len(arrivals) == 0 {
		for _, l := range r.Lines {
			arrivals = append(arrivals, Arrival{Line: l.Number, Quantity: l.Registered})
		}
	}
	registered := slices.Clone(r.Lines)
	for i := range r.Lines {
		r.Lines[i].Quantity = 0
	}
	var wrong fault.List
	came, parts, whole := map[int]dec.Dec{}, map[string]int{}, map[int]*Line{}
	for i := range arrivals {
		a := &arrivals[i]
		if a.Line < 1 || a.Line > len(registered) {
			wrong.Add(ErrLineNotFound, pathOf(i, "lineNumber"), "return %s has no line %d", r.Number, a.Line)
			continue
		}
		l := &registered[a.Line-1]
		came[l.Number] = came[l.Number].Add(a.Quantity)
		a.check(&wrong, i, l, came[l.Number])
		if a.Location != "" {
			if _, ok := book.Location(r.WarehouseCode, a.Location); !ok {
				wrong.Add(ErrLocationNotFound, pathOf(i, "locationCode"), "warehouse %s has no location %q",
					r.WarehouseCode, a.Location)
			}
		}
		r.note(a, l, parts)
		whole[a.Line] = l
	}
	for i := range r.Lines {
		if l := &r.Lines[i]; whole[l.Number] != nil {
			whole[l.Number].give(l, r.Digits)
		} else {
			l.DiscountAmount = 0
		}
	}
	checkSerials(&wrong, arrivals)
	return arrivals, wrong.Err()
}

// check notes what is wrong with an arrival of a line, of which so much came in all.
func (a *Arrival) check(wrong *fault.List, i int, l *Line, came dec.Dec) {
	switch {
	case a.Quantity <= 0:
		wrong.Add(ErrInvalid, pathOf(i, "quantity"), "must be above 0; leave the line out if nothing of it came")
	case a.Quantity.Decimals() > l.Decimals:
		wrong.Add(catalog.ErrTooManyDecimals, pathOf(i, "quantity"), "item %s is counted with at most %d decimals",
			l.Item, l.Decimals)
	case came > l.Registered:
		wrong.Add(ErrExceedsRegistered, pathOf(i, "quantity"), "%s is more than the %s registered on line %d", came,
			l.Registered, l.Number)
	}
}

// checkSerials notes pieces that are named more than once.
func checkSerials(wrong *fault.List, arrivals []Arrival) {
	type piece struct {
		line   int
		serial string
	}
	named := map[piece]bool{}
	for i, a := range arrivals {
		for _, serial := range a.Serials {
			p := piece{a.Line, record.Fold(serial)}
			wrong.If(named[p], ErrInvalid, pathOf(i, "serialNumbers"), "%q is named twice; say once what came of it",
				serial)
			named[p] = true
		}
	}
}

// note puts an arrival on its line, or on one of its own where the line's goods came in another condition already. l is
// the line as registered, parts are the lines by what was registered and its condition.
func (r *Return) note(a *Arrival, l *Line, parts map[string]int) {
	condition := cmp.Or(a.Condition, l.Condition)
	key := fmt.Sprint(l.Number, " ", record.Fold(condition))
	at, known := parts[key]
	if !known {
		at = l.Number
		if first := r.line(at); first.Quantity > 0 {
			part := *first
			at = len(r.Lines) + 1
			part.Number, part.Quantity, part.Registered = at, 0, 0
			r.Lines = append(r.Lines, part)
		}
		parts[key] = at
		r.line(at).Condition = condition
	}
	to := r.line(at)
	to.Quantity = to.Quantity.Add(a.Quantity)
	if at != l.Number {
		first := r.line(l.Number)
		first.Registered, to.Registered = first.Registered.Sub(a.Quantity), to.Registered.Add(a.Quantity)
	}
	a.Line = at
}

// comeBack is what the order learns. What was not invoiced yet comes back first and never will be; the rest of a line
// is to be credited.
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

// expected are the goods that come into stock, before it is known of which parcels.
func (r *Return) expected(arrivals []Arrival) (moves []stock.Move) {
	for _, a := range arrivals {
		if l := r.line(a.Line); l.Ships {
			moves = append(moves, stock.Move{ItemID: l.ItemID, Warehouse: r.WarehouseCode, Location: a.Location,
				Quantity: a.Quantity.Mul(l.Factor), Unpromised: l.isScrap()})
		}
	}
	return moves
}

// isScrap reports whether the line's goods are thrown away.
func (l *Line) isScrap() bool { return record.Fold(l.Condition) == record.Fold(Scrap) }

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
	for _, i := range inTurn(arrivals) {
		a := arrivals[i]
		l := r.line(a.Line)
		if !l.Ships {
			continue
		}
		rest := a.Quantity.Mul(l.Factor)
		for k := range parcels {
			p := &parcels[k]
			q := min(rest, p.Left())
			if q <= 0 || p.OrderLine != l.OrderLine || !a.names(p) {
				continue
			}
			p.Returned, rest, back[k] = p.Returned.Add(q), rest.Sub(q), true
			moves = append(moves, r.movement(l, a, p, q))
		}
		wrong.If(rest > 0, ErrNotShipped, pathOf(i, "quantity"),
			"%s of item %s did not go out, or not with the batch or serial numbers named, or their delivery failed",
			rest, l.Item)
	}
	var changed []shipping.Parcel
	for k := range parcels {
		if back[k] {
			changed = append(changed, parcels[k])
		}
	}
	return moves, changed, wrong.Err()
}

// inTurn are the places of arrivals: first those that name their pieces, so that no other takes these.
func inTurn(arrivals []Arrival) (places []int) {
	for _, isNamed := range []bool{true, false} {
		for i, a := range arrivals {
			if isNamed == (a.Batch != "" || len(a.Serials) > 0) {
				places = append(places, i)
			}
		}
	}
	return places
}

// names reports whether a parcel is what the arrival says came back.
func (a Arrival) names(p *shipping.Parcel) bool {
	if a.Batch != "" && record.Fold(a.Batch) != record.Fold(p.Batch) {
		return false
	}
	return len(a.Serials) == 0 || slices.ContainsFunc(a.Serials,
		func(s string) bool { return record.Fold(s) == record.Fold(p.Serial) })
}

func (r *Return) movement(l *Line, a Arrival, p *shipping.Parcel, q dec.Dec) movement {
	return movement{stock.Move{ItemID: l.ItemID, Item: l.Item, Tracking: p.Tracking, Warehouse: r.WarehouseCode,
		Location: a.Location, Batch: p.Batch, Serial: p.Serial, Quantity: q, UnitCost: p.UnitCost, RefType: refType,
		RefID: r.Number}, l.isScrap()}
}

// book receives the goods. Scrap comes first and is thrown away from where it was put, so that it covers no back-order.
func (r *Return) book(tx *db.Tx, moves []movement) error {
	var good, scrap []stock.Move
	for _, m := range moves {
		if m.Unpromised = m.scrap; m.scrap {
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
