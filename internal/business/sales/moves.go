package sales

import (
	"cmp"
	"slices"

	"kontor/internal/business/configuration"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Release gives an order to the warehouse. Its reservations become firm, more is taken if there is more now, and what
// is missing still is allocated when it arrives. An order type that says autoShip makes the shipment. Refusals:
// SalesOrder.NotFound, SalesOrder.InvalidStatus.
func Release(tx *db.Tx, number string) (Order, error) {
	o, before, err := lockFor(tx, number, "release")
	if err != nil {
		return Order{}, err
	}
	if err := reserve(tx, wants(o), stock.AsMuchAsThereIs, func(want) {}); err != nil {
		return Order{}, err
	}
	if err := store(tx, "release", o, &before); err != nil {
		return Order{}, err
	}
	return announced(tx, o)
}

// announced is announce of one order, and answers it as it is then.
func announced(tx *db.Tx, o *Order) (Order, error) {
	err := announce(tx, []*Order{o})
	return *o, err
}

// announce fires OrderReleased for those of the orders, just stored, that are released, and brings up to date those on
// which something followed by itself.
func announce(tx *db.Tx, orders []*Order) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var followed []*Order
	for _, o := range orders {
		if o.Status != Released {
			continue
		}
		t, _ := book.OrderType(o.OrderTypeCode)
		if err := tx.Fire(OrderReleased{Order: o, AutoShip: t.AutoShip}); err != nil {
			return err
		}
		if err := demand(tx, o, nil); err != nil {
			return err
		}
		if t.AutoShip || !slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Ships() }) {
			followed = append(followed, o)
		}
	}
	if len(followed) == 0 {
		return nil
	}
	numbers := each.Of(followed, func(o *Order) string { return o.Number })
	now, err := FindMany(tx, numbers)
	for _, o := range followed {
		if is := now[record.Fold(o.Number)]; is != nil {
			*o = *is
		}
	}
	return err
}

// demand fires Demanded for the lines of a released order that miss more than they did before, or somewhere else; where
// before is nil, for all that miss something.
func demand(tx *db.Tx, o, before *Order) error {
	if o.Status != Released {
		return nil
	}
	var lines []*Line
	for i := range o.Lines {
		l := &o.Lines[i]
		was := &Line{}
		if before != nil {
			was = cmp.Or(before.Line(l.Number), was)
		}
		if l.Missing() > 0 && (l.Base(l.Missing()) > was.Base(was.Missing()) || l.WarehouseCode != was.WarehouseCode) {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return tx.Fire(Demanded{Order: o, Lines: lines})
}

// MakeMissing asks once more for what a line of a released order misses to be made: where a work order was cancelled,
// or made less than the line wants. It answers the order as it is stored. Refusals: SalesOrder.NotFound,
// SalesOrderLine.NotFound, SalesOrder.InvalidStatus.
func MakeMissing(tx *db.Tx, number string, line int) (Order, error) {
	o, _, l, err := lockLine(tx, number, line)
	if err != nil {
		return Order{}, err
	}
	if o.Status != Released {
		return Order{}, ErrInvalidStatus.Because("order %s is not released yet: what it misses is made from then on",
			o.Number)
	}
	return *o, tx.Fire(Demanded{Order: o, Lines: []*Line{l}})
}

// Cancel calls an order off and gives back all that is reserved for it. Refusals: SalesOrder.NotFound,
// SalesOrder.InvalidStatus, SalesOrder.HasDeliveries, SalesOrder.HasOpenShipments.
func Cancel(tx *db.Tx, number string) (Order, error) {
	o, err := end(tx, number, "cancel", func(o *Order) error {
		for i := range o.Lines {
			if l := &o.Lines[i]; l.Ships() && l.Delivered > 0 || l.Invoiced > 0 {
				return ErrHasDeliveries.Because(
					"line %d of order %s is delivered or invoiced already; close the order, and register a return for what comes back",
					l.Number, o.Number)
			}
		}
		return tx.Fire(OrderCancelling{Order: o})
	})
	if err != nil {
		return o, err
	}
	if err := configuration.Reopened(tx, o.Number, configurationsOf(o.Lines)); err != nil {
		return o, err
	}
	return o, tx.Fire(OrderCancelled{Order: &o})
}

// Close ends an order by hand: what is undelivered is given up, what is delivered can still be invoiced and returned.
// Refusals: SalesOrder.NotFound, SalesOrder.InvalidStatus, SalesOrder.HasOpenShipments.
func Close(tx *db.Tx, number string) (Order, error) {
	return end(tx, number, "close", func(o *Order) error {
		o.GivenUp = true
		return nil
	})
}

func end(tx *db.Tx, number, verb string, allowed func(*Order) error) (Order, error) {
	o, before, err := lockToFree(tx, number, verb, (*Order).lines)
	if err != nil {
		return Order{}, err
	}
	if err := allowed(o); err != nil {
		return Order{}, err
	}
	var ws []want
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.OnShipment > 0 {
			return Order{},
				ErrHasOpenShipments.Because(
					"%s of line %d of order %s stand on an open shipment; cancel or deliver it first", l.OnShipment,
					l.Number, o.Number)
		}
		ws = append(ws, want{order: o, line: l})
	}
	free, err := release(tx, ws, nothing)
	if err != nil {
		return Order{}, err
	}
	return finishChange(tx, verb, o, &before, free)
}
