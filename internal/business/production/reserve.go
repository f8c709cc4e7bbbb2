package production

import (
	"cmp"
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
)

// ReserveKind is the job that reserves what has come for work orders that wait for components.
var ReserveKind = jobs.Kind{Name: "work-order-components"}

// reserving is the payload of the job.
type reserving struct {
	Items []string `json:"items,omitempty"` // ids of those that may have come; none = whatever is waited for
	After *place   `json:"after,omitempty"` // whom the job before came to
}

// place is where a waiting order stands in the queue: the earliest first.
type place struct {
	Begins db.Time `json:"begins"`
	ID     string  `json:"id"`
}

// mostReserved is how many waiting orders one transaction serves, since others wait for it. The next one goes on.
const mostReserved = 100

func askForComponents(tx *db.Tx, items []string) error {
	if len(items) == 0 {
		return nil
	}
	slices.Sort(items)
	_, err := jobs.Add(tx, ReserveKind, ReserveKind.Name, reserving{Items: slices.Compact(items)}, jobs.Options{})
	return err
}

// OnArrived asks for the components that work orders wait for, once sales orders were served. Subscribed to
// stock.Arrived.
func OnArrived(tx *db.Tx, e stock.Arrived) error {
	items, err := waitedFor(tx, each.Once(e.Keys, func(k stock.Key) string { return k.ItemID }))
	if err != nil {
		return err
	}
	return askForComponents(tx, items)
}

// lacks are the items that an order waits for.
func (o *Order) lacks() []string {
	lacking := each.Where(o.Lines, func(l Line) bool { return l.Missing() > 0 })
	return each.Of(lacking, func(l Line) string { return l.ItemID })
}

// waiting is an order in the queue for components.
type waiting struct {
	place
	number    string
	o, before Order
}

// ReserveWaiting reserves components for the work orders that wait for them, the earliest first. It handles
// ReserveKind.
func ReserveWaiting(tx *db.Tx, j jobs.Job) error {
	var r reserving
	err := j.Read(&r)
	if err == nil && len(r.Items) == 0 {
		r.Items, err = allWaitedFor(tx)
	}
	if err != nil {
		return err
	}
	var free dec.Dec
	if r.Items, free, err = promisable(tx, r.Items); err != nil || free == 0 {
		return err
	}
	queue, err := waitingFor(tx, r, free, mostReserved)
	if err != nil {
		return err
	}
	if len(queue) == mostReserved {
		r.After = &queue[len(queue)-1].place
		if _, err := jobs.Add(tx, ReserveKind, ReserveKind.Name, r, jobs.Options{}); err != nil {
			return err
		}
	}
	return reserveFor(tx, queue)
}

// promisable are those of the items of which anything could be promised, and the most that could of one.
func promisable(tx *db.Tx, items []string) (some []string, most dec.Dec, err error) {
	free, err := stock.Promisable(tx, items)
	for k, is := range free {
		some, most = append(some, k.ItemID), max(most, is)
	}
	return some, most, err
}

// reserveFor serves a part of the queue. The orders are locked by id, as everywhere, and their levels all at once.
func reserveFor(tx *db.Tx, queue []waiting) (err error) {
	slices.SortFunc(queue, func(a, b waiting) int { return cmp.Compare(a.ID, b.ID) })
	begun := queue[:0]
	for _, w := range queue {
		w.o, w.before, err = orders.Begin(tx, w.number, "plan")
		switch {
		case err == nil:
			begun = append(begun, w)
		case !fault.Is(err, ErrInvalidStatus): // else somebody was faster
			return err
		}
	}
	slices.SortFunc(begun, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.Begins, b.Begins), cmp.Compare(a.ID, b.ID))
	})
	var claims []stock.Claim
	var at []*Line
	for i := range begun {
		more, of := begun[i].o.claims((*Line).Missing)
		claims, at = append(claims, more...), append(at, of...)
	}
	if err := allocate(tx, claims, at); err != nil {
		return err
	}
	for i := range begun {
		w := &begun[i]
		if w.o.Status = w.o.ready(); w.o.Status == w.before.Status && w.o.reserved() == w.before.reserved() {
			continue
		}
		if err := orders.Act(tx, "plan", w.before, &w.o); err != nil {
			return err
		}
	}
	return nil
}

// reserved is the sum of what is reserved, to see whether it changed.
func (o *Order) reserved() (sum dec.Dec) {
	for _, l := range o.Lines {
		sum = sum.Add(l.Reserved)
	}
	return sum
}
