package purchasing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var purchaseOrders = record.TableOf(PurchaseOrders, record.Layout[Order]{
	Fixed: "number, charged_tax, charged_freight, is_settled",
	Changing: `status, supplier_id, supplier_number, supplier_name, supplier_reference, order_date, expected_date,
		promised_date, currency, digits, warehouse, notes, sent_at, is_confirmed, next_line, line_count, total`,
	Number: func(o *Order) *string { return &o.Number },
	Series: "purchase-order",
	Derived: func(o *Order) db.Args {
		return db.Args{"supplier_key": record.Fold(o.SupplierNumber),
			"search": record.SearchText(o.Number, o.SupplierReference)}
	},
	Parts: []*record.Parts[Order]{record.PartsOf(record.PartLayout[Order, OrderLine]{
		Table: "purchase_order_line", Owner: "order_id", Place: "line",
		Columns: `line, item_id, item, unit, is_goods, decimals, description, quantity, unit_price, is_manual_price,
			line_total, expected_date, confirmed, confirmed_date, received`,
		Of: func(o *Order) *[]OrderLine { return &o.Lines },
	})},
	Step: lifecycle.Step(OrderMoves, ErrOrderStatus, "purchase order",
		func(o *Order) (string, *OrderStatus) { return o.Number, &o.Status }),
	Missing: func(number string) error {
		return ErrOrderNotFound.Because("no purchase order has the number %q", number)
	},
	Taken: func(o *Order) error {
		return ErrOrderExists.Because("a purchase order with the number %q exists already", o.Number)
	},
})

// FindOrder reads a purchase order whole. Refuses with PurchaseOrder.NotFound.
func FindOrder(tx *db.Tx, number string) (Order, error) { return purchaseOrders.Find(tx, number) }

// KnownOrders are the orders with these numbers that are there, by folded number.
func KnownOrders(tx *db.Tx, numbers []string) (map[string]KnownOrder, error) {
	return db.ByKey(tx, `-- purchasing.KnownOrders
		select number, supplier_number, currency, total, charged_tax, charged_freight from purchase_order
		where company = :company and number_key in (:keys)`, db.Args{"keys": record.FoldAll(numbers)},
		func(row db.Row, key *string, o *KnownOrder) error {
			err := row.Scan(&o.Number, &o.Supplier, &o.Currency, &o.Total, &o.Tax, &o.Freight)
			*key = record.Fold(o.Number)
			return err
		})
}

// firstOrdering is the number of the first order that names an item, "" if none does; of one that is not done where
// isOpen.
func firstOrdering(tx *db.Tx, itemID string, isOpen bool) (string, error) {
	return db.Value[string](tx, `-- purchasing.firstOrdering
		select o.number from purchase_order_line l join purchase_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id = :item and (:any = 1 or o.status not in ('Received', 'Closed', 'Cancelled'))
		order by l.order_id limit 1`,
		db.Args{"item": itemID, "any": !isOpen})
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
const due = "case when promised_date <> '' then promised_date else expected_date end"

// ListOrders reads purchase orders, newest first, without their lines.
func ListOrders(tx *db.Tx, f OrderFilter, p record.Page) (record.Found[Order], error) {
	q := purchaseOrders.Query("purchasing.ListOrders")
	q.Key = []string{"order_date desc", "number_key"}
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"order_date", "number_key"},
		"supplier": {"supplier_key", "number_key"}, "status": {"status", "number_key"},
	}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(supplier_key, {word}) > 0",
		"instr(fold(supplier_name), {word}) > 0")
	q.Given("status = :status", f.Status)
	q.Given("supplier_key = :supplier", record.Fold(f.Supplier))
	q.Given("order_date >= :from", f.From)
	q.Given("order_date <= :to", f.To)
	q.Given(due+" >= :due_from", f.DueFrom)
	q.Given(due+" between '1' and :due_to", f.DueTo)
	if f.IsOpen {
		q.Where("status in (:open)",
			db.Args{"open": []string{string(Sent), string(PartiallyConfirmed), string(Confirmed),
				string(PartiallyReceived)}})
	}
	return record.ListOf(tx, q, p, purchaseOrders.Scan)
}

// ListOrdersWhole is ListOrders of all of them with their lines.
func ListOrdersWhole(tx *db.Tx, p record.Page) (record.Found[Order], error) {
	found, err := ListOrders(tx, OrderFilter{}, p)
	if err != nil {
		return found, err
	}
	return found, purchaseOrders.Whole(tx, found.Items)
}
