package shipping

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	headFields = "number, customer_id, customer_number, warehouse, address, " + changing

	// changing are the columns of the head that a verb may change.
	changing = `status, method_code, method_name, is_pickup, planned_on, requested_on, shipped_at, delivered_at,
		tracking_number, tracking_url,
	booking_id, goods_label, incoterms, notes, weight_kg`

	headColumns = headFields + ", packages, picks"
)

var (
	headRow     = db.Map[Shipment](record.RootColumns + ", " + headFields)
	changingRow = db.Map[Shipment](changing)
)

func (s *Shipment) columns() []any { return append(headRow.Of(s), &s.packages, &s.taken) }

// Find reads a shipment whole. Refuses with Shipment.NotFound.
func Find(tx *db.Tx, number string) (Shipment, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Shipment, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Shipment, error) {
	var s Shipment
	ok, err := tx.One(`-- shipping.Find
		select `+record.RootColumns+`, `+headColumns+`
		from shipment where company = :company and number_key = :key`+lock, db.Args{"key": record.Fold(number)},
		s.columns()...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no shipment has the number %q", number)
	}
	if err != nil {
		return s, err
	}
	list := []Shipment{s}
	if err := readLines(tx, list, ""); err != nil {
		return s, err
	}
	if err := readPackages(tx, list); err != nil {
		return s, err
	}
	return list[0], readPicks(tx, &list[0])
}

const lineColumns = `line, order_id, order_number, order_line, item_id, item, item_name, unit, quantity, factor, picked, returned, decimals,
	tracking, weight_kg, unit_cost`

var lineRow = db.Map[Line](lineColumns)

// readLines reads the lines of shipments, of all orders or of the one with this folded number.
func readLines(tx *db.Tx, list []Shipment, order string) error {
	query := `-- shipping.readLines
		select ` + lineColumns + `, shipment_id
		from shipment_line where company = :company and shipment_id in (:ids)`
	if order != "" {
		query += " and order_key = :order"
	}
	at := indexOf(list)
	return tx.Each(query+" order by shipment_id, line", db.Args{"ids": ids(list), "order": order},
		func(r db.Row) error {
			var (
				id string
				l  Line
			)
			if err := r.Scan(append(lineRow.Of(&l), &id)...); err != nil {
				return err
			}
			s := &list[at[id]]
			s.Lines = append(s.Lines, l)
			return nil
		})
}

const packageColumns = "package, tracking_number, weight_kg, length_cm, width_cm, height_cm, notes"

var packageRow = db.Map[Package](packageColumns)

func readPackages(tx *db.Tx, list []Shipment) error {
	at := indexOf(list)
	var packed []string
	for _, s := range list {
		if s.packages > 0 {
			packed = append(packed, s.ID)
		}
	}
	if len(packed) == 0 {
		return nil
	}
	return tx.Each(`-- shipping.readPackages
		select `+packageColumns+`, shipment_id
		from shipment_package where company = :company and shipment_id in (:ids) order by shipment_id, package`,
		db.Args{"ids": packed}, func(r db.Row) error {
			var (
				id string
				p  Package
			)
			if err := r.Scan(append(packageRow.Of(&p), &id)...); err != nil {
				return err
			}
			s := &list[at[id]]
			s.Packages = append(s.Packages, p)
			return nil
		})
}

const pickColumns = "pick, line, location, batch, serial, quantity, returned"

var pickRow = db.Map[pick](pickColumns)

func readPicks(tx *db.Tx, s *Shipment) error {
	if s.taken == 0 {
		return nil
	}
	return tx.Each(`-- shipping.readPicks
		select `+pickColumns+`
		from shipment_pick where company = :company and shipment_id = :id order by pick`, db.Args{"id": s.ID},
		func(r db.Row) error {
			var p pick
			err := pickRow.Scan(r, &p)
			s.picks = append(s.picks, p)
			return err
		})
}

func ids(list []Shipment) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].ID
	}
	return out
}

func indexOf(list []Shipment) map[string]int {
	at := make(map[string]int, len(list))
	for i := range list {
		at[list[i].ID] = i
	}
	return at
}

func (s *Shipment) search() string { return record.SearchText(s.Number, s.TrackingNumber) }

func insertShipments(tx *db.Tx, loads []*load) error {
	type row struct {
		id string
		*Line
	}
	var rows []row
	for _, s := range loads {
		for i := range s.Lines {
			rows = append(rows, row{s.ID, &s.Lines[i]})
		}
	}
	err := tx.Insert("shipment", record.RootColumns+", "+headColumns+", number_key, warehouse_key, search", len(loads),
		func(i int) []any {
			s := loads[i]
			return append(s.columns(), record.Fold(s.Number), record.Fold(s.WarehouseCode), s.search())
		})
	if err != nil {
		return err
	}
	return tx.Insert("shipment_line", lineColumns+", shipment_id, order_key", len(rows), func(i int) []any {
		return append(lineRow.Of(rows[i].Line), rows[i].id, record.Fold(rows[i].OrderNumber))
	})
}

// update writes what a verb may have changed of the head; the funnel bumps the revision.
func update(tx *db.Tx, s *Shipment) error {
	return tx.Run(`-- shipping.update
		update shipment set `+changingRow.Set()+`, packages = :packages, picks = :picks, search = :search
		where company = :company and id = :id`,
		changingRow.Args(s, db.Args{"id": s.ID, "packages": s.packages, "picks": s.taken, "search": s.search()}))
}

// saveLines writes what a verb changes of lines: what was picked and what the goods cost.
func saveLines(tx *db.Tx, s *Shipment) error {
	_, err := tx.Update("shipment_line", "shipment_id, line, picked, unit_cost", 2, len(s.Lines), func(i int) []any {
		l := &s.Lines[i]
		return []any{s.ID, l.Number, l.Picked, l.UnitCost}
	})
	return err
}

// savePicks writes the picked quantities and the picks after the first had.
func savePicks(tx *db.Tx, s *Shipment, had int) error {
	if err := saveLines(tx, s); err != nil {
		return err
	}
	made := s.picks[had:]
	return tx.Insert("shipment_pick", pickColumns+", shipment_id", len(made),
		func(i int) []any {
			return append(pickRow.Of(&made[i]), s.ID)
		})
}

func savePackages(tx *db.Tx, s *Shipment, packages []Package) error {
	return tx.Upsert("shipment_package", packageColumns+", shipment_id", len(packages), func(i int) []any {
		return append(packageRow.Of(&packages[i]), s.ID)
	}, db.Overwriting("shipment_id, package", packageColumns))
}

func deletePackage(tx *db.Tx, id string, pkg int) error {
	return tx.Delete(db.Args{"shipment_id": id, "package": pkg}, "shipment_package")
}

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
	q := record.Query{Name: "shipping.List", Select: record.Columns("s") + ", " + headColumns, From: "shipment s",
		Key: []string{"s.number_key"}, Stamp: "s.changed_at", Resources: []string{Shipments.Name},
		Sorts: map[string][]string{"number": {"s.number_key"}, "status": {"s.status", "s.number_key"}}}
	q.Search("s.search", f.Search)
	q.SearchAny(f.Shown, "instr(s.search, {word}) > 0", "instr(fold(s.address), {word}) > 0",
		"instr(fold(s.method_name), {word}) > 0",
		"s.customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)",
		"s.id in (select l.shipment_id from shipment_line l where l.company = :company and instr(l.order_key, {word}) > 0)")
	q.Given(`s.id in (select l.shipment_id from shipment_line l where l.company = :company
			and l.order_id = (select o.id from sales_order o where o.company = :company and o.number_key = :order))`, record.Fold(f.Order))
	q.Given("s.status = :status", f.Status)
	q.Given("s.warehouse_key = :warehouse", record.Fold(f.Warehouse))
	if f.CustomerID != "" {
		q.Where("s.customer_id = :customer", db.Args{"customer": f.CustomerID})
		q.Key = []string{"s.id desc"}
	}
	found, err := record.ListOf(tx, q, p, func(r db.Row, s *Shipment) error { return r.Scan(s.columns()...) })
	if err != nil || len(found.Items) == 0 {
		return found, err
	}
	order := ""
	if f.ScopedToOrder {
		order = record.Fold(f.Order)
	}
	return found, readLines(tx, found.Items, order)
}

// OfOrder reads the shipments of an order, scoped to its lines. Refuses with SalesOrder.NotFound.
func OfOrder(tx *db.Tx, number string, p record.Page) (record.Found[Shipment], error) {
	o, err := sales.Find(tx, number)
	if err != nil {
		return record.Found[Shipment]{}, err
	}
	return List(tx, Filter{Order: o.Number, ScopedToOrder: true}, p)
}
