package purchasing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const orderColumns = "number, charged_tax, charged_freight, is_settled, " + orderChanging

// orderChanging are the columns of the head that a verb may change.
const orderChanging = `status, supplier_id, supplier_number, supplier_name, supplier_reference, order_date, expected_date, promised_date,
	currency, digits, warehouse, notes, sent_at, is_confirmed, next_line, line_count, total`

const orderLineColumns = "line, item_id, item, unit, is_goods, decimals, " + orderLineChanging

// orderLineChanging are those of a line.
const orderLineChanging = `description, quantity, unit_price, is_manual_price, line_total, expected_date, confirmed,
	confirmed_date, received`

var (
	orderRow         = db.Map[Order](record.RootColumns + ", " + orderColumns)
	orderChangingRow = db.Map[Order](orderChanging)
	orderLineRow     = db.Map[OrderLine](orderLineColumns)
)

func (o *Order) search() string { return record.SearchText(o.Number, o.SupplierReference) }

// FindOrder reads a purchase order whole. Refuses with PurchaseOrder.NotFound.
func FindOrder(tx *db.Tx, number string) (Order, error) { return findOrder(tx, number, "") }

// lockOrder is FindOrder for a change.
func lockOrder(tx *db.Tx, number string) (Order, error) { return findOrder(tx, number, " for update") }

func findOrder(tx *db.Tx, number, lock string) (Order, error) {
	var o Order
	ok, err := tx.One(`-- purchasing.FindOrder
		select `+record.RootColumns+`, `+orderColumns+
		` from purchase_order where company = :company and number_key = :key`+lock, db.Args{"key": record.Fold(number)},
		orderRow.Of(&o)...)
	if err == nil && !ok {
		err = ErrOrderNotFound.Because("no purchase order has the number %q", number)
	}
	if err != nil {
		return o, err
	}
	list := []Order{o}
	err = readOrderLines(tx, list)
	return list[0], err
}

func readOrderLines(tx *db.Tx, list []Order) error {
	return record.ReadParts(tx, list, "purchase_order_line", "order_id", "line", orderLineRow,
		func(o *Order) *[]OrderLine { return &o.Lines })
}

func orderTaken(tx *db.Tx, number string) (bool, error) {
	var one int
	return tx.One(`-- purchasing.orderTaken
		select 1 from purchase_order where company = :company and number_key = :key`,
		db.Args{"key": record.Fold(number)}, &one)
}

func insertOrders(tx *db.Tx, list []Order) error {
	err := tx.Insert("purchase_order", record.RootColumns+", "+orderColumns+", number_key, supplier_key, search", len(list),
		func(i int) []any {
			o := &list[i]
			return append(orderRow.Of(o), record.Fold(o.Number), record.Fold(o.SupplierNumber), o.search())
		})
	if err != nil {
		return err
	}
	type line struct {
		*OrderLine
		order string
	}
	var lines []line
	for i := range list {
		for k := range list[i].Lines {
			lines = append(lines, line{&list[i].Lines[k], list[i].ID})
		}
	}
	return tx.Insert("purchase_order_line", orderLineColumns+", order_id", len(lines), func(i int) []any {
		return append(orderLineRow.Of(lines[i].OrderLine), lines[i].order)
	})
}

// KnownOrders are the orders with these numbers that are there, by folded number.
func KnownOrders(tx *db.Tx, numbers []string) (map[string]KnownOrder, error) {
	out := map[string]KnownOrder{}
	return out, tx.Each(`-- purchasing.KnownOrders
		select number, supplier_number, currency, total, charged_tax, charged_freight from purchase_order
		where company = :company and number_key in (:keys)`, db.Args{"keys": record.FoldAll(numbers)},
		func(row db.Row) error {
			var o KnownOrder
			err := row.Scan(&o.Number, &o.Supplier, &o.Currency, &o.Total, &o.Tax, &o.Freight)
			out[record.Fold(o.Number)] = o
			return err
		})
}

// updateOrder writes the head; the funnel bumps the revision.
func updateOrder(tx *db.Tx, o *Order) error {
	return tx.Run(`-- purchasing.updateOrder
		update purchase_order set `+orderChangingRow.Set()+`, supplier_key = :supplier, search = :search
		where company = :company and id = :id`,
		orderChangingRow.Args(o, db.Args{"id": o.ID, "supplier": record.Fold(o.SupplierNumber), "search": o.search()}))
}

// writeOrderLines writes lines, new or changed.
func writeOrderLines(tx *db.Tx, o *Order, lines []OrderLine) error {
	return tx.Upsert("purchase_order_line", orderLineColumns+", order_id", len(lines), func(i int) []any {
		return append(orderLineRow.Of(&lines[i]), o.ID)
	}, db.Overwriting("order_id, line", orderLineChanging))
}

func deleteOrderLines(tx *db.Tx, o *Order, gone []int64) error {
	if len(gone) == 0 {
		return nil
	}
	return tx.Delete(db.Args{"order_id": o.ID, "line": gone}, "purchase_order_line")
}

func removeOrder(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"order_id": id}, "purchase_order_line"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "purchase_order")
}

// firstOrdering is the number of some order that names an item, "" if none does; of one that is not done where isOpen.
func firstOrdering(tx *db.Tx, itemID string, isOpen bool) (found string, err error) {
	_, err = tx.One(`-- purchasing.firstOrdering
		select o.number from purchase_order_line l join purchase_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id = :item and (:any = 1 or o.status not in ('Received', 'Closed', 'Cancelled')) limit 1`,
		db.Args{"item": itemID, "any": !isOpen}, &found)
	return found, err
}

// OrderFilter says which purchase orders a list shows; zero fields do not filter.
type OrderFilter struct {
	Search   string // in order number and the supplier's reference
	Shown    string // what people see of it: also the supplier
	Status   OrderStatus
	Supplier string // number
	From, To day.Date
	IsOpen   bool // goods may still come
	// DueFrom and DueTo are of the day that the supplier promised, or that the goods are expected where he has not.
	DueFrom, DueTo day.Date
}

// due is the day that goods are to come on.
const due = "case when o.promised_date <> '' then o.promised_date else o.expected_date end"

// ListOrders reads purchase orders, newest first, without their lines.
func ListOrders(tx *db.Tx, f OrderFilter, p record.Page) (record.Found[Order], error) {
	q := record.Query{Name: "purchasing.ListOrders", Select: orderRow.Select("o"), From: "purchase_order o",
		Key: []string{"o.order_date desc", "o.number_key"}, Stamp: "o.changed_at",
		Resources: []string{PurchaseOrders.Name}, Sorts: map[string][]string{
			"number": {"o.number_key"}, "date": {"o.order_date", "o.number_key"},
			"supplier": {"o.supplier_key", "o.number_key"}, "status": {"o.status", "o.number_key"},
		}}
	q.Search("o.search", f.Search)
	q.SearchAny(f.Shown, "instr(o.search, {word}) > 0", "instr(o.supplier_key, {word}) > 0",
		"instr(fold(o.supplier_name), {word}) > 0")
	q.Given("o.status = :status", f.Status)
	q.Given("o.supplier_key = :supplier", record.Fold(f.Supplier))
	q.Given("o.order_date >= :from", f.From)
	q.Given("o.order_date <= :to", f.To)
	q.Given(due+" >= :due_from", f.DueFrom)
	q.Given(due+" between '1' and :due_to", f.DueTo)
	if f.IsOpen {
		q.Where("o.status in (:open)",
			db.Args{"open": []string{string(Sent), string(PartiallyConfirmed), string(Confirmed),
				string(PartiallyReceived)}})
	}
	return record.ListOf(tx, q, p, orderRow.Scan)
}

// ListOrdersWhole is ListOrders of all of them with their lines.
func ListOrdersWhole(tx *db.Tx, p record.Page) (record.Found[Order], error) {
	found, err := ListOrders(tx, OrderFilter{}, p)
	if err != nil {
		return found, err
	}
	return found, readOrderLines(tx, found.Items)
}
