package returns

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var returns = record.TableOf(Returns, record.Layout[Return]{
	Fixed:    "number, order_id, order_number, customer_id, customer_number, return_date, warehouse, currency, digits",
	Changing: "rma_number, status, reason, received_date, external_notes, internal_notes, total, vat",
	Number:   func(r *Return) *string { return &r.Number },
	Series:   "return",
	Derived: func(r *Return) db.Args {
		return db.Args{"order_key": record.Fold(r.OrderNumber), "customer_key": record.Fold(r.CustomerNumber),
			"search": record.SearchText(r.Number, r.RMANumber)}
	},
	Parts: []*record.Parts[Return]{record.PartsOf(record.PartLayout[Return, Line]{
		Table: "sales_return_line", Owner: "return_id", Place: "line", Columns: lineColumns,
		Of: func(r *Return) *[]Line { return &r.Lines },
	})},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "return",
		func(r *Return) (string, *Status) { return r.Number, &r.Status }),
	Missing: func(number string) error { return ErrNotFound.Because("no return has the number %q", number) },
})

// Find reads a return whole. Refuses with SalesReturn.NotFound.
func Find(tx *db.Tx, number string) (Return, error) { return returns.Find(tx, number) }

const lineColumns = `line, order_line, item_id, item, item_name, unit, factor, decimals, ships, registered, quantity,
	to_credit, unit_price, discount, discount_amount, gross_price, tax_percent, total, vat, condition, notes`

var lineRow = db.Map[Line](lineColumns)

// announcedOf is what returns that are still to be received have announced of each line of an order.
func announcedOf(tx *db.Tx, orderID string) (map[int]dec.Dec, error) {
	return db.Sums(tx, `-- returns.announcedOf
		select l.order_line, l.quantity
		from sales_return r join sales_return_line l on l.company = r.company and l.return_id = r.id
		where r.company = :company and r.order_id = :order and r.status in (:waiting)`,
		db.Args{"order": orderID, "waiting": []string{string(Draft), string(Approved)}},
		func(row db.Row, line *int, quantity *dec.Dec) error { return row.Scan(line, quantity) })
}

// Filter says which returns a list shows.
type Filter struct {
	Search   string // in return and RMA number
	Shown    string // what people see of it: also the order's number, and the customer's number and name
	Status   Status
	Order    string // number
	Customer string // number
	// CustomerID shows one customer's, the newest first.
	CustomerID string
}

// List reads returns by number, with their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Return], error) {
	q := returns.Query("returns.List")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"return_date", "number_key"},
		"customer": {"customer_key", "number_key"}, "status": {"status", "number_key"},
	}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(order_key, {word}) > 0",
		"instr(customer_key, {word}) > 0",
		"customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	q.Given("status = :status", f.Status)
	q.Given("order_key = :order", record.Fold(f.Order))
	q.Given("customer_key = :customer", record.Fold(f.Customer))
	if f.CustomerID != "" {
		q.Where("customer_id = :customerid", db.Args{"customerid": f.CustomerID})
		q.Key = []string{"id desc"}
	}
	return returns.List(tx, q, p)
}
