package demo

import (
	"slices"
	"time"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/halt"
)

// event is something that happens at a moment.
type event struct {
	at time.Time
	do func(tx *db.Tx)
}

// story is the plan of a month: everything that will happen, in no order yet. It is made before anything is written.
type story struct {
	*filler
	zone   *time.Location
	events []event
	pool   []article // articles as often as they are popular
}

// business lets a month of orders happen. A day is one transaction; what would happen after now does not.
func (f *filler) business() {
	s := &story{filler: f}
	halt.On(f.store.Read(f.ctx, db.Request{Company: f.company}, func(tx *db.Tx) error {
		s.zone = tx.Info.Zone
		return nil
	}))
	for _, a := range f.goods {
		if a.stocked() || a.kind == "Service" {
			for range a.popularity {
				s.pool = append(s.pool, a)
			}
		}
	}
	n := 0
	for back := days; back >= 0; back-- {
		orders := between(f.random, 6, 11)
		if d := s.clock(back, 12); d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			orders = between(f.random, 2, 5)
		}
		for range orders {
			s.plan(n, back)
			n++
		}
	}
	s.warehouseWork()
	s.buying()
	s.tell()
}

// clock is an hour of a day so many days before now, with minutes by chance.
func (s *story) clock(back, hour int) time.Time {
	d := s.now.In(s.zone).AddDate(0, 0, -back)
	return time.Date(d.Year(), d.Month(), d.Day(), hour, s.random.IntN(60), s.random.IntN(60), 0, s.zone)
}

func (s *story) on(at time.Time, do func(tx *db.Tx)) {
	s.events = append(s.events, event{at, do})
}

// tell lets everything happen in its order.
func (s *story) tell() {
	slices.SortStableFunc(s.events, func(a, b event) int { return a.at.Compare(b.at) })
	s.events = slices.DeleteFunc(s.events, func(e event) bool { return !e.at.Before(s.now) })
	for len(s.events) > 0 {
		today := s.events[0].at.Format(time.DateOnly)
		n := slices.IndexFunc(s.events, func(e event) bool { return e.at.Format(time.DateOnly) != today })
		if n < 0 {
			n = len(s.events)
		}
		s.at(s.events[0].at, func(tx *db.Tx) {
			for _, e := range s.events[:n] {
				tx.Now = db.TimeOf(e.at)
				e.do(tx)
			}
		})
		s.events = s.events[n:]
	}
}

// unless lets what could not be done for one of these reasons be left undone. The verbs refuse for them before they
// write.
func unless(err error, reasons ...fault.Code) {
	for _, r := range reasons {
		if fault.Is(err, r) {
			return
		}
	}
	halt.On(err)
}

// warehouseWork is what happens in the warehouses beside orders: goods arrive, are counted, moved and thrown away.
func (s *story) warehouseWork() {
	for n, a := range s.goods {
		if !a.stocked() {
			continue
		}
		if isScarce(n) && n%2 == 0 { // the others keep their orders waiting
			cost, quantity := s.cost(a, 52), dec.Int(int64(between(s.random, 8, 30)))
			s.on(s.clock(between(s.random, 5, 14), 10), func(tx *db.Tx) {
				halt.Must(stock.Receive(tx, stock.Receipt,
					[]stock.Move{{ItemID: a.id, Item: a.number, Tracking: a.tracking, Warehouse: "MAIN",
						Location: bays[n%len(bays)], Quantity: quantity, UnitCost: cost, RefType: "Delivery",
						Notes: "From the supplier"}}))
			})
		}
		if do := s.byHand(n, a); do != nil {
			s.on(s.clock(between(s.random, 1, 20), 7), do)
		}
	}
}

// byHand is what somebody does to the goods of the n-th article, where anything is: count, throw away, move.
func (s *story) byHand(n int, a article) func(tx *db.Tx) {
	place := bays[n%len(bays)]
	var do func(tx *db.Tx)
	switch n % 31 {
	case 7:
		do = func(tx *db.Tx) {
			halt.Must(stock.Adjust(tx, stock.Adjustment{Warehouse: "MAIN", Location: place, Item: a.number,
				Quantity: dec.Int(-1), Notes: "Counted"}))
		}
	case 17:
		do = func(tx *db.Tx) {
			halt.Must(stock.Adjust(tx, stock.Adjustment{Kind: stock.Scrapped, Warehouse: "MAIN", Location: place,
				Item: a.number, Quantity: dec.Int(-1), Notes: "Broken"}))
		}
	case 27:
		do = func(tx *db.Tx) {
			halt.Must(stock.Relocate(tx, stock.Relocation{Warehouse: "MAIN", Item: a.number, From: place,
				To: "QUARANTINE", Quantity: dec.Int(2), Notes: "To be inspected"}))
		}
	default:
		return nil
	}
	return func(tx *db.Tx) {
		// What is promised to orders stays where it is.
		levels := halt.Must(stock.Levels(tx, []string{a.id}))
		if levels[stock.Key{ItemID: a.id, Warehouse: "MAIN"}].Available() >= dec.Int(5) {
			do(tx)
		}
	}
}
