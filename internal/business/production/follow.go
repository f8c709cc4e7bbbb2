package production

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// OnDemanded makes a work order for each line of a released sales order that is made to order: one that was configured,
// for all that it misses, and one of an item that its warehouse has made for orders alone, for what stock does not
// cover. What open work orders will make for the line is not made twice. Components are reserved by a job, because the
// levels of the order's items are locked already. Subscribed to sales.Demanded.
func OnDemanded(tx *db.Tx, e sales.Demanded) error {
	unmade, err := Unmade(tx, e.Order.ID, e.Lines)
	if err != nil || len(unmade) == 0 {
		return err
	}
	var lacking []string
	for _, l := range e.Lines {
		if q := unmade[l.Number]; q > 0 {
			o, err := makeLine(tx, e.Order, l, q)
			if err != nil {
				return err
			}
			lacking = append(lacking, o.lacks()...)
		}
	}
	return askForComponents(tx, lacking)
}

// Unmade is what lines of a sales order that are made to order miss and no open work order will make, by line number,
// in base units.
func Unmade(tx *db.Tx, orderID string, lines []*sales.Line) (map[int]dec.Dec, error) {
	lines, err := madeToOrder(tx, lines)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	coming, err := comingFor(tx, orderID)
	unmade := map[int]dec.Dec{}
	for _, l := range lines {
		if q := l.Base(l.Missing()).Sub(coming[lineAt{l.Number, l.WarehouseCode}]); q > 0 {
			unmade[l.Number] = q
		}
	}
	return unmade, err
}

// madeToOrder are those of the lines that something is to be made for.
func madeToOrder(tx *db.Tx, lines []*sales.Line) (found []*sales.Line, err error) {
	var items []string
	for _, l := range lines {
		if !l.IsMadeToOrder() {
			items = append(items, l.ItemID)
		}
	}
	made, err := itemsMadeToOrder(tx, items)
	return each.Where(lines, func(l *sales.Line) bool {
		return l.IsMadeToOrder() || made[stock.Key{ItemID: l.ItemID, Warehouse: l.WarehouseCode}]
	}), err
}

// makeLine makes the work order of a line for a quantity in base units. What the bill of materials has wrong is for who
// works on it: the line must be releasable.
func makeLine(tx *db.Tx, s *sales.Order, l *sales.Line, quantity dec.Dec) (o Order, err error) {
	parts, err := PartsOf(tx, l.ItemID, false)
	if err != nil {
		return o, err
	}
	if l.IsMadeToOrder() {
		chosen, err := configuration.ComponentsOf(tx, []string{l.ConfigurationNumber})
		if err != nil {
			return o, err
		}
		for _, c := range chosen[record.Fold(l.ConfigurationNumber)] {
			parts = append(parts, Part{Item: c.ItemNumber, Quantity: c.Quantity})
		}
	}
	o = Order{Title: l.Description, Type: Manufacturing, Status: Waiting, Priority: Normal, ItemID: l.ItemID,
		Item: l.Item, Planned: quantity, CustomerNumber: s.CustomerNumber, OrderID: s.ID,
		OrderNumber: s.Number, OrderLine: l.Number, Configuration: l.ConfigurationNumber, Warehouse: l.WarehouseCode}
	item, err := itemOf(tx, l.ItemID)
	if err != nil {
		return o, err
	}
	o.Unit = item.BaseUnit
	if due := cmp.Or(l.RequestedDeliveryDate, s.RequestedDeliveryDate); due != "" {
		o.PlannedTo = tx.BeginningOf(due)
	}
	if err := o.compose(tx, parts); err != nil {
		return o, err
	}
	return o, orders.Create(tx, &o)
}

// CancelKind is the job that gives up the work orders of a sales order that was cancelled.
var CancelKind = jobs.Kind{Name: "work-order-cancel"}

// OnCancelled asks for the work orders of a cancelled sales order to be given up. Subscribed to sales.OrderCancelled.
func OnCancelled(tx *db.Tx, e sales.OrderCancelled) error {
	own, err := OfOrder(tx, e.Order.ID)
	if err != nil || len(own) == 0 {
		return err
	}
	_, err = jobs.Add(tx, CancelKind, e.Order.Number, cancelling{e.Order.ID}, jobs.Options{})
	return err
}

type cancelling struct {
	OrderID string `json:"orderId"`
}

// CancelOf gives up the work orders of a sales order that were not begun. It handles CancelKind.
func CancelOf(tx *db.Tx, j jobs.Job) error {
	var c cancelling
	if err := j.Read(&c); err != nil {
		return err
	}
	own, err := OfOrder(tx, c.OrderID)
	if err != nil {
		return err
	}
	for _, n := range own {
		if _, err := Cancel(tx, n); err != nil && !fault.Is(err, ErrInvalidStatus) {
			return err
		}
	}
	return nil
}

// RefuseItemDeletion keeps an item that a bill of materials or a work order names. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	of, err := usedIn(tx, e.Item.ID)
	if err != nil {
		return err
	}
	if of != "" {
		return catalog.ErrInUse.Because(
			"item %s stands in the bill of materials of %s: take it out there, or set the item inactive", e.Item.Number,
			of)
	}
	order, err := openWith(tx, e.Item.ID, true)
	return catalog.ErrInUse.When(order != "", err,
		"item %s is on work orders, %s among them; set it inactive instead", e.Item.Number, order)
}

// RefuseItemChange keeps the type and the base unit of an item while bills of materials or open work orders count by
// them. Subscribed to catalog.Changing.
func RefuseItemChange(tx *db.Tx, e catalog.Changing) error {
	if e.Before.Type == e.After.Type && e.Before.BaseUnit == e.After.BaseUnit {
		return nil
	}
	of, err := usedIn(tx, e.Before.ID)
	if err != nil {
		return err
	}
	if of != "" && e.Before.BaseUnit != e.After.BaseUnit {
		return catalog.ErrInUse.Because(
			"item %s stands in the bill of materials of %s, which counts in its base unit: take it out there first",
			e.Before.Number, of)
	}
	order, err := openWith(tx, e.Before.ID, false)
	return catalog.ErrInUse.When(order != "", err,
		"item %s is on open work orders, %s among them; its type and base unit can change once they are closed or cancelled",
		e.Before.Number, order)
}
