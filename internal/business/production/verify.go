package production

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Verify recomputes what is derived of work orders: reserved components against their status, issued quantities and
// costs against what moved and against the ledger, completed quantities and costs against the completions.
func Verify(tx *db.Tx, report func(string)) error {
	say := func(number, format string, args ...any) {
		report("work order " + number + ": " + fmt.Sprintf(format, args...))
	}
	return orders.Through(tx, func(orders []Order) error {
		booked, err := bookedOf(tx, orders)
		if err != nil {
			return err
		}
		for i := range orders {
			verify(&orders[i], booked[orders[i].ID],
				func(format string, args ...any) { say(orders[i].Number, format, args...) })
		}
		return nil
	})
}

// booked is what the completions, the moves and the ledger say of an order.
type booked struct {
	produced, scrapped, cost dec.Dec
	issued, issuedCost       map[int]dec.Dec // by line, 0 is the output
	entries                  map[string]dec.Dec
}

func verify(o *Order, b *booked, say func(format string, args ...any)) {
	differ := func(name string, stored, is dec.Dec) {
		if stored != is {
			say("%s is stored as %s, what was booked says %s", name, stored, is)
		}
	}
	differ("produced", o.Produced, b.produced)
	differ("scrapped", o.Scrapped, b.scrapped)
	differ("the output that moved", o.Produced, b.issued[0])
	ledger := map[string]dec.Dec{}
	var used dec.Dec
	short := false
	for i := range o.Lines {
		l := &o.Lines[i]
		differ(fmt.Sprintf("issued of component %d", l.Number), l.Issued, b.issued[l.Number])
		differ(fmt.Sprintf("cost of component %d", l.Number), l.IssuedCost, b.issuedCost[l.Number])
		ledger[l.ItemID] = ledger[l.ItemID].Sub(b.issued[l.Number])
		used, short = used.Add(l.UsedCost), short || l.Missing() > 0
		if l.Reserved != 0 && !o.Status.HoldsStock() {
			say("component %d has %s reserved though the order is %s", l.Number, l.Reserved, o.Status)
		}
		if want := l.need(max(o.Planned, o.once())); want != l.Required {
			say("component %d needs %s, stored is %s", l.Number, want, l.Required)
		}
	}
	differ("cost", o.Cost, used)
	if o.ItemID != "" {
		differ("cost of what was completed", o.Cost, b.cost)
		ledger[o.ItemID] = ledger[o.ItemID].Add(o.Produced)
	}
	if o.Status == Planned && short {
		say("it is planned though components are missing")
	}
	for id, q := range ledger {
		if b.entries[id] != q {
			say("the ledger has moved %s of item %s for it, its lines say %s", b.entries[id], o.nameOf(id), q)
		}
	}
}

func (o *Order) nameOf(itemID string) string {
	for i := range o.Lines {
		if o.Lines[i].ItemID == itemID {
			return o.Lines[i].Item
		}
	}
	return o.Item
}
