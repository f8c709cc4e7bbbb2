package stock

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Verify recomputes balances, levels and average costs from the ledger alone, holds receipts and counts against it, and
// reports every difference from what is kept. What orders have reserved is theirs to verify.
func Verify(tx *db.Tx, report func(string)) error {
	after := ""
	for {
		a, err := readAudit(tx, after)
		if err != nil {
			return err
		}
		a.report = report
		if err := a.replay(tx); err != nil {
			return err
		}
		a.compare()
		if a.last {
			return record.Verify(tx, report, verifyReceipts, verifyCharges, verifyCounts)
		}
		after = a.to
	}
}

// audit is the recomputation of the items above one id up to another.
type audit struct {
	after, to string
	last      bool // to is open: these are all remaining items
	levels    map[Key]auditLevel
	balances  map[place]dec.Dec
	chains    map[Key]*chain
	sums      map[place]dec.Dec
	report    func(string)
}

// auditLevel is a level as it is kept.
type auditLevel struct {
	Level
	item string
	seq  int64
}

// chain is a level as its entries make it.
type chain struct {
	item            string
	onHand, average dec.Dec
	seq             int64
}

func (a *audit) say(k Key, item, format string, args ...any) {
	a.report(fmt.Sprintf("stock: item %s in warehouse %s: %s", item, k.Warehouse, fmt.Sprintf(format, args...)))
}

// add lays one entry over what the entries before it made.
func (a *audit) add(e *Entry) {
	k := Key{e.ItemID, e.Warehouse}
	c := a.chains[k]
	if c == nil {
		c = &chain{item: e.Item}
		a.chains[k] = c
	}
	if c.seq++; e.Seq != c.seq {
		a.say(k, e.Item, "entry %d follows entry %d", e.Seq, c.seq-1)
		c.seq = e.Seq
	}
	a.checkCost(k, c, e)
	at := placeOf(k, e.Location, e.Batch, e.Serial)
	if e.TargetLocation != "" {
		a.sums[at] = a.sums[at].Sub(e.Quantity)
		to := placeOf(k, e.TargetLocation, e.Batch, e.Serial)
		a.sums[to] = a.sums[to].Add(e.Quantity)
	} else {
		a.sums[at] = a.sums[at].Add(e.Quantity)
		c.onHand = c.onHand.Add(e.Quantity)
	}
	if a.sums[at] != e.BalanceAfter {
		a.say(k, e.Item, "entry %d says that %s lie in %s afterwards, its sum is %s", e.Seq, e.BalanceAfter, e.Location,
			a.sums[at])
	}
	if a.sums[at] < 0 {
		a.say(k, e.Item, "entry %d leaves %s in %s", e.Seq, a.sums[at], e.Location)
	}
}

// checkCost recomputes the average cost after an entry. Only what comes in through a receipt, a return or from another
// warehouse can have a cost of its own, and a revaluation says what is from then on; everything else moves at the
// average.
func (a *audit) checkCost(k Key, c *chain, e *Entry) {
	if e.UnitCost != nil {
		switch {
		case e.Kind == Revaluation:
			c.average = *e.UnitCost
		case e.movesAverage():
			c.average = averageAfter(c.onHand, c.average, e.Quantity, *e.UnitCost)
		case *e.UnitCost != c.average:
			a.say(k, e.Item, "entry %d moved at %s, the average cost was %s", e.Seq, *e.UnitCost, c.average)
		}
	}
	if e.AverageAfter != c.average {
		a.say(k, e.Item, "entry %d leaves an average cost of %s, it should be %s", e.Seq, e.AverageAfter, c.average)
	}
}

// compare holds what is kept against what the entries make.
func (a *audit) compare() {
	for k, l := range a.levels {
		c := a.chains[k]
		if c == nil {
			c = &chain{item: l.item}
		}
		if l.OnHand != c.onHand {
			a.say(k, l.item, "%s on hand, the ledger says %s", l.OnHand, c.onHand)
		}
		if l.Average != c.average {
			a.say(k, l.item, "average cost %s, the ledger says %s", l.Average, c.average)
		}
		if l.seq != c.seq {
			a.say(k, l.item, "%d entries counted, the ledger has %d", l.seq, c.seq)
		}
		if l.Allocated < 0 {
			a.say(k, l.item, "%s allocated", l.Allocated)
		}
	}
	for k, c := range a.chains {
		if _, ok := a.levels[k]; !ok {
			a.say(k, c.item, "%d entries, but no level", c.seq)
		}
	}
	for at, quantity := range a.balances {
		if sum := a.sums[at]; sum != quantity {
			a.say(at.Key, a.name(at.Key), "%s in %s, the ledger says %s", quantity, at, sum)
		}
	}
	for at, sum := range a.sums {
		if _, ok := a.balances[at]; !ok && sum != 0 {
			a.say(at.Key, a.name(at.Key), "nothing in %s, the ledger says %s", at, sum)
		}
	}
	a.compareSerials()
}

func (a *audit) compareSerials() {
	seen := map[serialKey]place{}
	for at, quantity := range a.balances {
		if at.Serial == "" || quantity == 0 {
			continue
		}
		key := serialKey{at.ItemID, at.Serial}
		if other, twice := seen[key]; twice {
			a.say(at.Key, a.name(at.Key), "serial number %s lies in %s and in %s", at.Serial, at, other)
		}
		seen[key] = at
		if quantity != dec.One {
			a.say(at.Key, a.name(at.Key), "serial number %s counts %s pieces", at.Serial, quantity)
		}
	}
}

func (a *audit) name(k Key) string {
	if l, ok := a.levels[k]; ok {
		return l.item
	}
	if c := a.chains[k]; c != nil {
		return c.item
	}
	return k.ItemID
}

// String is a place as messages name it.
func (p place) String() string {
	s := p.Location
	if p.Batch != "" {
		s += ", batch " + p.Batch
	}
	if p.Serial != "" {
		s += ", serial number " + p.Serial
	}
	return s
}
