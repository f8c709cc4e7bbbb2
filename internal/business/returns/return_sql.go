package returns

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const headColumns = "number, order_id, order_number, customer_id, customer_number, return_date, warehouse, currency, digits, " + changing

// changing are the columns of the head that a verb may change.
const changing = "rma_number, status, reason, received_date, external_notes, internal_notes, total, vat"

var (
	headRow     = db.Map[Return](record.RootColumns + ", " + headColumns)
	changingRow = db.Map[Return](changing)
)

// Find reads a return whole. Refuses with SalesReturn.NotFound.
func Find(tx *db.Tx, number string) (Return, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Return, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Return, error) {
	var r Return
	ok, err := tx.One(`-- returns.Find
		select `+record.RootColumns+`, `+headColumns+`
		from sales_return where company = :company and number_key = :key`+lock, db.Args{"key": record.Fold(number)},
		headRow.Of(&r)...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no return has the number %q", number)
	}
	if err != nil {
		return r, err
	}
	list := []Return{r}
	err = readLines(tx, list)
	return list[0], err
}

const lineColumns = `line, order_line, item_id, item, item_name, unit, factor, decimals, ships, registered, quantity, to_credit, unit_price,
	discount, discount_amount, gross_price, tax_percent, total, vat, condition, notes`

var lineRow = db.Map[Line](lineColumns)

func readLines(tx *db.Tx, list []Return) error {
	return record.ReadParts(tx, list, "sales_return_line", "return_id", "line", lineRow,
		func(r *Return) *[]Line { return &r.Lines })
}

// announcedOf is what returns that are still to be received have announced of each line of an order.
func announcedOf(tx *db.Tx, orderID string) (map[int]dec.Dec, error) {
	announced := map[int]dec.Dec{}
	err := tx.Each(`-- returns.announcedOf
		select l.order_line, l.quantity
		from sales_return r join sales_return_line l on l.company = r.company and l.return_id = r.id
		where r.company = :company and r.order_id = :order and r.status in (:waiting)`,
		db.Args{"order": orderID, "waiting": []string{string(Draft), string(Approved)}}, func(row db.Row) error {
			var (
				line     int
				quantity dec.Dec
			)
			err := row.Scan(&line, &quantity)
			announced[line] = announced[line].Add(quantity)
			return err
		})
	return announced, err
}

func (r *Return) search() string { return record.SearchText(r.Number, r.RMANumber) }

func insert(tx *db.Tx, r *Return) error {
	err := tx.Insert("sales_return", record.RootColumns+", "+headColumns+
		", number_key, order_key, customer_key, search", 1, func(int) []any {
		return append(headRow.Of(r), record.Fold(r.Number), record.Fold(r.OrderNumber), record.Fold(r.CustomerNumber),
			r.search())
	})
	if err != nil {
		return err
	}
	return insertLines(tx, r, r.Lines)
}

func insertLines(tx *db.Tx, r *Return, lines []Line) error {
	return tx.Insert("sales_return_line", lineColumns+", return_id", len(lines), func(i int) []any {
		return append(lineRow.Of(&lines[i]), r.ID)
	})
}

// update writes what a verb may have changed of the head; the funnel bumps the revision.
func update(tx *db.Tx, r *Return) error {
	return tx.Run(`-- returns.update
		update sales_return set `+changingRow.Set()+`, search = :search where company = :company and id = :id`,
		changingRow.Args(r, db.Args{"id": r.ID, "search": r.search()}))
}

// updateLines writes what receiving changed of the lines that were registered, and those it added.
func updateLines(tx *db.Tx, r *Return, registered int) error {
	_, err := tx.Update("sales_return_line", "return_id, line, registered, quantity, to_credit, total, vat, condition",
		2, registered, func(i int) []any {
			l := &r.Lines[i]
			return []any{r.ID, l.Number, l.Registered, l.Quantity, l.ToCredit, l.LineTotal, l.TaxAmount, l.Condition}
		})
	if err != nil {
		return err
	}
	return insertLines(tx, r, r.Lines[registered:])
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
	q := record.Query{Name: "returns.List", Select: record.Columns("r") + ", " + headColumns, From: "sales_return r",
		Key: []string{"r.number_key"}, Stamp: "r.changed_at", Resources: []string{Returns.Name},
		Sorts: map[string][]string{
			"number": {"r.number_key"}, "date": {"r.return_date", "r.number_key"},
			"customer": {"r.customer_key", "r.number_key"}, "status": {"r.status", "r.number_key"},
		}}
	q.Search("r.search", f.Search)
	q.SearchAny(f.Shown, "instr(r.search, {word}) > 0", "instr(r.order_key, {word}) > 0",
		"instr(r.customer_key, {word}) > 0",
		"r.customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	q.Given("r.status = :status", f.Status)
	q.Given("r.order_key = :order", record.Fold(f.Order))
	q.Given("r.customer_key = :customer", record.Fold(f.Customer))
	if f.CustomerID != "" {
		q.Where("r.customer_id = :customerid", db.Args{"customerid": f.CustomerID})
		q.Key = []string{"r.id desc"}
	}
	found, err := record.ListOf(tx, q, p, headRow.Scan)
	if err != nil {
		return found, err
	}
	return found, readLines(tx, found.Items)
}
