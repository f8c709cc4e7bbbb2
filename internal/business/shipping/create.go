package shipping

import (
	"cmp"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// New is what a caller says about a shipment to make.
type New struct {
	OrderNumbers []string
	MethodCode   string // empty: the orders' own
	Notes        string
}

// Create ships what is allocated to the orders and on no other open shipment. Several orders are
// consolidated when they agree on customer, address and shipping method. Goods of several warehouses do
// not travel together: the first warehouse is taken, and the next call takes the next.
//
// Refuses with SalesOrder.NotFound, SalesOrder.InvalidStatus, SalesOrder.NoDeliveryAddress,
// ShippingMethod.NotFound and the Shipment.… codes of creation.
func Create(tx *db.Tx, n New) (Shipment, error) {
	orders, err := lockOrders(tx, n)
	if err != nil {
		return Shipment{}, err
	}
	s, err := ship(tx, orders, n)
	if err != nil {
		return Shipment{}, err
	}
	if s == nil {
		return Shipment{}, nothingToShip(orders)
	}
	return *s, nil
}

func lockOrders(tx *db.Tx, n New) ([]*sales.Order, error) {
	found, err := sales.Lock(tx, n.OrderNumbers)
	if err != nil {
		return nil, err
	}
	var (
		wrong  fault.List
		orders []*sales.Order
	)
	for i, number := range n.OrderNumbers {
		o := found[record.Fold(number)]
		switch path := pathOf("orderNumbers", i); {
		case o == nil:
			wrong.Add(ErrOrderNotFound, path, "no order has the number %q", number)
		case o.Status != sales.Released:
			wrong.Add(ErrOrderStatus, path, "order %s is %s; only a Released order can be shipped", o.Number, o.Status)
		case !slices.Contains(orders, o):
			orders = append(orders, o)
		}
	}
	wrong.If(len(n.OrderNumbers) == 0, ErrInvalid, "orderNumbers", "name at least one order")
	if !wrong.Empty() && n.MethodCode != "" {
		if err := wrong.AddError((&Shipment{}).chooseMethod(tx, n.MethodCode, "")); err != nil {
			return nil, err
		}
	}
	return orders, wrong.Err()
}

// ship makes the next shipment of the orders; nil when nothing of them is waiting. What the request itself gets wrong
// is said before what only the present stock forbids.
func ship(tx *db.Tx, orders []*sales.Order, n New) (*Shipment, error) {
	if !slices.ContainsFunc(orders, hasGoods) {
		return nil, nil
	}
	l, err := plan(tx, orders, firstWarehouse(orders), n)
	if err != nil || l.WarehouseCode == "" {
		return nil, err
	}
	for _, o := range orders {
		switch {
		case len(waiting(o, "")) == 0:
			return nil, nothingToShip([]*sales.Order{o})
		case len(waiting(o, l.WarehouseCode)) == 0:
			return nil, ErrNoAllocations.Because(
				"what is allocated to order %s does not lie in warehouse %s, from where order %s is shipped: ship them apart",
				o.Number, l.WarehouseCode, orders[0].Number)
		}
	}
	loads := []*load{l}
	if err := fill(tx, loads); err != nil {
		return nil, err
	}
	deltas := l.deltas(func(l *Line, d *sales.Delta) { d.OnShipment = l.Quantity })
	if err := sales.Book(tx, "ship", orders, deltas); err != nil {
		return nil, err
	}
	return l.Shipment, insert(tx, loads)
}

// load is a shipment that is being made; its lines are of some of these orders.
type load struct {
	*Shipment
	orders []*sales.Order
}

// plan is the head of the orders' next shipment from warehouse.
func plan(tx *db.Tx, orders []*sales.Order, warehouse string, n New) (*load, error) {
	s, err := agree(tx, orders, n)
	s.WarehouseCode = warehouse
	return &load{&s, orders}, err
}

// agree is the head the orders have in common: customer, address and method are the key of
// consolidation.
func agree(tx *db.Tx, orders []*sales.Order, n New) (Shipment, error) {
	first := orders[0]
	var wrong fault.List
	for i, o := range orders {
		path := pathOf("orderNumbers", i)
		if o.CustomerID != first.CustomerID {
			wrong.Add(ErrDifferentCustomers, path, "order %s is for customer %s, order %s for %s; ship them apart",
				o.Number, o.CustomerNumber, first.Number, first.CustomerNumber)
			continue
		}
		wrong.If(o.DeliveryAddress != first.DeliveryAddress, ErrDifferentAddresses, path,
			"order %s goes to another address than order %s; ship them apart", o.Number, first.Number)
		wrong.If(n.MethodCode == "" && record.Fold(o.ShippingMethodCode) != record.Fold(first.ShippingMethodCode),
			ErrDifferentMethods, path,
			"order %s is sent by %q, order %s by %q; name one shippingMethodCode for the shipment, or ship them apart",
			o.Number, o.ShippingMethodCode, first.Number, first.ShippingMethodCode)
	}
	s := Shipment{Status: Released, CustomerID: first.CustomerID, CustomerNumber: first.CustomerNumber,
		DeliveryAddress: first.DeliveryAddress, Notes: n.Notes}
	if err := wrong.AddError(s.chooseMethod(tx, n.MethodCode, first.ShippingMethodCode)); err != nil {
		return Shipment{}, err
	}
	if err := wrong.Err(); err != nil {
		return Shipment{}, err
	}
	for _, o := range orders {
		if len(orders) > 1 && o.ShipTogether {
			return Shipment{},
				ErrShipGroup.Because(
					"order %s is shipped as a group of its own and cannot be consolidated; ship it alone", o.Number)
		}
	}
	if s.DeliveryAddress.IsZero() && !s.IsPickup {
		return Shipment{}, ErrNoDeliveryAddress.Because("order %s has no delivery address; give it one, then ship it",
			first.Number)
	}
	return s, s.takeTerms(tx, orders)
}

// chooseMethod sets the shipping method: the one asked for, else that of the order.
func (s *Shipment) chooseMethod(tx *db.Tx, asked, otherwise string) error {
	code := cmp.Or(asked, otherwise)
	if code == "" {
		return ErrNoMethod.At("shippingMethodCode", "the order names no shipping method; name one here")
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	m, ok := book.ShippingMethod(code)
	if !ok || asked != "" && !m.IsActive {
		return ErrMethodNotFound.At("shippingMethodCode",
			"no active shipping method has the code %q; GET /reference/shipping-methods lists them", code)
	}
	s.ShippingMethodCode, s.ShippingMethodName, s.IsPickup = m.Code, m.Name, m.IsPickup
	s.TrackingURL = ""
	if s.TrackingNumber != "" {
		s.TrackingURL = m.TrackingURL(s.TrackingNumber)
	}
	return nil
}

// takeTerms takes the earliest requested date and the delivery term of the orders.
func (s *Shipment) takeTerms(tx *db.Tx, orders []*sales.Order) error {
	for _, o := range orders {
		if d := o.RequestedDeliveryDate; d != "" && (s.RequestedDeliveryDate == "" || d < s.RequestedDeliveryDate) {
			s.RequestedDeliveryDate = d
		}
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	if t, ok := book.DeliveryTerm(orders[0].DeliveryTermCode); ok {
		s.IncotermsCode = t.IncotermsCode
	}
	return nil
}

// open is what of a line is allocated and on no shipment yet; of an order that is not stored yet, for which nothing is
// allocated, what it asks for.
func open(o *sales.Order, l *sales.Line) dec.Dec {
	if o.IsNew() {
		return l.Missing()
	}
	return max(0, l.Allocated.Sub(l.OnShipment))
}

// waiting are the lines of an order that can be shipped from warehouse, or from any when it is "".
func waiting(o *sales.Order, warehouse string) []*sales.Line {
	var lines []*sales.Line
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.Ships() && open(o, l) > 0 && (warehouse == "" || record.Fold(l.WarehouseCode) == record.Fold(warehouse)) {
			lines = append(lines, l)
		}
	}
	return lines
}

// firstWarehouse is the warehouse to ship from: the first that has something waiting of each order, or where none has,
// that of the first waiting line.
func firstWarehouse(orders []*sales.Order) (first string) {
	for _, o := range orders {
		for _, l := range waiting(o, "") {
			first = cmp.Or(first, l.WarehouseCode)
			lacks := func(o *sales.Order) bool { return len(waiting(o, l.WarehouseCode)) == 0 }
			if !slices.ContainsFunc(orders, lacks) {
				return l.WarehouseCode
			}
		}
	}
	return first
}

func hasGoods(o *sales.Order) bool {
	return slices.ContainsFunc(o.Lines, func(l sales.Line) bool { return l.Ships() })
}

// nothingToShip says why none of the orders has anything to ship.
func nothingToShip(orders []*sales.Order) error {
	o := orders[0]
	if !slices.ContainsFunc(orders, hasGoods) {
		return ErrNoDeliverable.Because(
			"order %s has only service, non-stock or free-text lines; there is nothing to ship", o.Number)
	}
	return ErrNoAllocations.Because(
		"order %s has no allocated stock that is not already on a shipment; it ships when stock arrives", o.Number)
}

// fill puts the waiting lines of their warehouses on shipments and numbers these. The items say how their pieces are
// told apart and what they weigh.
func fill(tx *db.Tx, loads []*load) error {
	var numbers []string
	for _, s := range loads {
		for _, o := range s.orders {
			for _, l := range waiting(o, s.WarehouseCode) {
				numbers = append(numbers, l.Item)
			}
		}
	}
	items, err := catalog.FindMany(tx, numbers)
	if err != nil {
		return err
	}
	for _, s := range loads {
		for _, o := range s.orders {
			for _, l := range waiting(o, s.WarehouseCode) {
				item := items[record.Fold(l.Item)]
				s.Lines = append(s.Lines, Line{Number: len(s.Lines) + 1, OrderID: o.ID, OrderNumber: o.Number,
					OrderLine: l.Number, ItemID: l.ItemID, Item: l.Item, ItemName: l.Description, Unit: l.Unit,
					Quantity: open(o, l), Factor: l.Factor, Decimals: l.Decimals, Tracking: item.Tracking,
					WeightKg: item.WeightKg})
			}
		}
		s.TotalWeightKg = s.weigh()
	}
	// Shipment numbers come from the series alone, so none of them can be taken.
	drawn, err := number.NextMany(tx, "shipment", len(loads))
	for i, n := range drawn {
		loads[i].Root, loads[i].Number = record.New(tx), n
	}
	return err
}

// insert writes shipments and tells the orders their numbers.
func insert(tx *db.Tx, loads []*load) error {
	made := each.Of(loads, func(l *load) *Shipment { return l.Shipment })
	if err := shipments.CreateMany(tx, made...); err != nil {
		return err
	}
	var links []sales.Link
	for _, l := range loads {
		of := each.Of(l.Lines, func(l Line) string { return l.OrderID })
		links = append(links, sales.Links(l.Number, l.orders, of)...)
	}
	return sales.LinkShipments(tx, links)
}

// deltas are the changes of the order lines that the shipment's lines cause.
func (s *Shipment) deltas(of func(l *Line, d *sales.Delta)) []sales.Delta {
	deltas := make([]sales.Delta, len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		deltas[i] = sales.Delta{OrderID: l.OrderID, Line: l.OrderLine}
		of(l, &deltas[i])
	}
	return deltas
}

// OnReleased follows the release of an order. One without goods has nothing to wait for: it counts as
// handed over at once. One whose type says autoShip gets its shipments, one for each warehouse; what
// cannot ship by itself (no method, no address) stays for a person.
func OnReleased(tx *db.Tx, e sales.OrderReleased) error {
	orders := []*sales.Order{e.Order}
	if !hasGoods(e.Order) {
		return tx.Fire(HandedOver{Orders: orders, On: tx.Today(), IsDelivered: true})
	}
	for e.AutoShip {
		s, err := ship(tx, orders, New{})
		if fault.Is(err, ErrNoMethod) || fault.Is(err, ErrNoDeliveryAddress) {
			return nil
		}
		if err != nil || s == nil {
			return err
		}
	}
	return nil
}
