package shipping

import (
	"slices"

	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

const pickColumns = "pick, line, location, batch, serial, quantity, returned"

var (
	pickRow = db.Map[pick](pickColumns)
	lines   = record.PartsOf(record.PartLayout[Shipment, Line]{
		Table: "shipment_line", Owner: "shipment_id", Place: "line",
		Columns: `line, order_id, order_number, order_line, item_id, item, item_name, unit, quantity, factor, picked,
			returned, decimals, tracking, weight_kg, unit_cost`,
		Of:      func(s *Shipment) *[]Line { return &s.Lines },
		Derived: func(_ *Shipment, l *Line) db.Args { return db.Args{"order_key": record.Fold(l.OrderNumber)} },
	})
	shipments = record.TableOf(Shipments, record.Layout[Shipment]{
		Fixed: "number, customer_id, customer_number, warehouse, address",
		Changing: `status, method_code, method_name, is_pickup, planned_on, requested_on, shipped_at, delivered_at,
			tracking_number, tracking_url, booking_id, goods_label, incoterms, notes, weight_kg, packages, picks`,
		Number: func(s *Shipment) *string { return &s.Number },
		Derived: func(s *Shipment) db.Args {
			return db.Args{"warehouse_key": record.Fold(s.WarehouseCode),
				"search": record.SearchText(s.Number, s.TrackingNumber)}
		},
		Parts: []*record.Parts[Shipment]{lines, record.PartsOf(record.PartLayout[Shipment, Package]{
			Table: "shipment_package", Owner: "shipment_id", Place: "package",
			Columns: "package, tracking_number, weight_kg, length_cm, width_cm, height_cm, notes",
			Of:      func(s *Shipment) *[]Package { return &s.Packages },
			Count:   func(s *Shipment) int { return s.PackageCount },
		}), record.PartsOf(record.PartLayout[Shipment, pick]{
			Table: "shipment_pick", Owner: "shipment_id", Place: "pick", Columns: pickColumns,
			Of:    func(s *Shipment) *[]pick { return &s.picks },
			Count: func(s *Shipment) int { return s.PickCount },
		})},
		Step: lifecycle.Step(Moves, ErrInvalidStatus, "shipment",
			func(s *Shipment) (string, *Status) { return s.Number, &s.Status }),
		Missing: func(number string) error { return ErrNotFound.Because("no shipment has the number %q", number) },
	})
)

// Find reads a shipment whole. Refuses with Shipment.NotFound.
func Find(tx *db.Tx, number string) (Shipment, error) { return shipments.Find(tx, number) }

// Filter says which shipments a list shows.
type Filter struct {
	Search    string // in shipment and tracking number
	Shown     string // what people see of it: also who gets it and where, the customer's name and the orders' numbers
	Order     string // order number
	Status    Status
	Warehouse string
	// CustomerID shows one customer's, the newest first.
	CustomerID string
	// ScopedToOrder leaves out lines of other orders on a consolidated shipment.
	ScopedToOrder bool
}

// List reads shipments by number, with their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Shipment], error) {
	q := shipments.Query("shipping.List")
	q.Sorts = map[string][]string{"number": {"number_key"}, "status": {"status", "number_key"}}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(fold(address), {word}) > 0",
		"instr(fold(method_name), {word}) > 0",
		"customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)",
		"id in (select l.shipment_id from shipment_line l where l.company = :company and instr(l.order_key, {word}) > 0)")
	q.Given(`id in (select l.shipment_id from shipment_line l where l.company = :company
			and l.order_id = (select o.id from sales_order o where o.company = :company and o.number_key = :order))`, record.Fold(f.Order))
	q.Given("status = :status", f.Status)
	q.Given("warehouse_key = :warehouse", record.Fold(f.Warehouse))
	if f.CustomerID != "" {
		q.Where("customer_id = :customer", db.Args{"customer": f.CustomerID})
		q.Key = []string{"id desc"}
	}
	found, err := record.ListOf(tx, q, p, shipments.Scan)
	if err != nil {
		return found, err
	}
	err = lines.Read(tx, found.Items)
	for i := range found.Items {
		if s := &found.Items[i]; f.ScopedToOrder {
			s.Lines = slices.DeleteFunc(s.Lines, func(l Line) bool {
				return record.Fold(l.OrderNumber) != record.Fold(f.Order)
			})
		}
	}
	return found, err
}

// OfOrder reads the shipments of an order, scoped to its lines. Refuses with SalesOrder.NotFound.
func OfOrder(tx *db.Tx, number string, p record.Page) (record.Found[Shipment], error) {
	o, err := sales.Find(tx, number)
	if err != nil {
		return record.Found[Shipment]{}, err
	}
	return List(tx, Filter{Order: o.Number, ScopedToOrder: true}, p)
}

// CountOpen is how many shipments stand in each status that is not an end.
func CountOpen(tx *db.Tx) (map[Status]int, error) {
	open := append(append([]Status{}, inHouse...), PickedUp, InTransit, Failed)
	return db.Pairs[Status, int](tx, `-- shipping.CountOpen
		select status, count(*) from shipment where company = :company and status in (:open) group by status`,
		db.Args{"open": open})
}
