package quoting

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const headColumns = "number, first_number, issue, is_requested, customer_message, " + changing

// changing are the columns of the head that a verb may change.
const changing = `replaced_by, status, title, description, customer_id, customer_number, customer_name, contact_name, contact_email,
	quote_date, valid_until, currency, digits, total, vat, sent_at, accepted_at, declined_at, declined_reason, order_number`

var (
	headRow     = db.Map[Quote](record.RootColumns + ", " + headColumns)
	changingRow = db.Map[Quote](changing)
)

// Find reads a quote whole. Refuses with Quote.NotFound.
func Find(tx *db.Tx, number string) (Quote, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Quote, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Quote, error) {
	q, ok, err := one(tx, `-- quoting.Find
		select `+record.RootColumns+`, `+headColumns+` from quote where company = :company and number_key = :key`+lock,
		db.Args{"key": record.Fold(number)})
	if err == nil && !ok {
		err = ErrNotFound.Because("no quote has the number %q", number)
	}
	return q, err
}

// FindID reads a quote whole by its id; false where there is none.
func FindID(tx *db.Tx, id string) (Quote, bool, error) {
	return one(tx, `-- quoting.FindID
		select `+record.RootColumns+`, `+headColumns+` from quote where company = :company and id = :id`,
		db.Args{"id": id})
}

func one(tx *db.Tx, query string, args db.Args) (Quote, bool, error) {
	var q Quote
	ok, err := tx.One(query, args, headRow.Of(&q)...)
	if err != nil || !ok {
		return q, false, err
	}
	list := []Quote{q}
	err = readLines(tx, list)
	return list[0], true, err
}

const lineColumns = `line, id, item_id, item, description, quantity, unit, unit_price, is_manual_price, gross_price,
	discount, is_manual_discount, tax_code,
	tax_percent, total, vat, notes, configuration`

var lineRow = db.Map[Line](lineColumns)

func readLines(tx *db.Tx, list []Quote) error {
	return record.ReadParts(tx, list, "quote_line", "quote_id", "line", lineRow,
		func(q *Quote) *[]Line { return &q.Lines })
}

func (q *Quote) search() string { return record.SearchText(q.Number, q.Title) }

func insert(tx *db.Tx, q *Quote) error {
	err := tx.Insert("quote", record.RootColumns+", "+headColumns+", number_key, customer_key, order_key, search", 1,
		func(int) []any {
			return append(headRow.Of(q), record.Fold(q.Number), record.Fold(q.CustomerNumber),
				record.Fold(q.OrderNumber), q.search())
		})
	if err != nil {
		return err
	}
	return insertLines(tx, q)
}

func insertLines(tx *db.Tx, q *Quote) error {
	return tx.Insert("quote_line", lineColumns+", quote_id", len(q.Lines), func(i int) []any {
		return append(lineRow.Of(&q.Lines[i]), q.ID)
	})
}

// replaceLines writes the lines of a quote in the place of those it had.
func replaceLines(tx *db.Tx, q *Quote) error {
	if err := removeLines(tx, q.ID); err != nil {
		return err
	}
	return insertLines(tx, q)
}

func removeLines(tx *db.Tx, id string) error { return tx.Delete(db.Args{"quote_id": id}, "quote_line") }

func remove(tx *db.Tx, id string) error {
	if err := removeLines(tx, id); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "quote")
}

// update writes what a verb may have changed of the head; the funnel bumps the revision.
func update(tx *db.Tx, q *Quote) error {
	return tx.Run(`-- quoting.update
		update quote set `+changingRow.Set()+`, customer_key = :customer, order_key = :order, search = :search
		where company = :company and id = :id`,
		changingRow.Args(q, db.Args{"id": q.ID, "customer": record.Fold(q.CustomerNumber),
			"order": record.Fold(q.OrderNumber), "search": q.search()}))
}

// lockDue reads and locks sent quotes that are past their day, without their lines.
func lockDue(tx *db.Tx, most int) (due []Quote, err error) {
	return db.Rows(tx, `-- quoting.lockDue
		select `+record.RootColumns+`, `+headColumns+` from quote
		where company = :company and status = 'Sent' and valid_until < :today order by valid_until, id limit :most for update`,
		db.Args{"today": tx.Today(), "most": most}, headRow.Scan)
}

// isTaken reports whether a quote has a number.
func isTaken(tx *db.Tx, number string) (bool, error) {
	var n int
	return tx.One(`-- quoting.isTaken
		select 1 from quote where company = :company and number_key = :key`, db.Args{"key": record.Fold(number)}, &n)
}

// OfOrder is the number of the quote that an order was made of; empty when there is none.
func OfOrder(tx *db.Tx, order string) (number string, err error) {
	_, err = tx.One(`-- quoting.OfOrder
		select number from quote where company = :company and order_key = :key and order_key <> ''`,
		db.Args{"key": record.Fold(order)}, &number)
	return number, err
}

// quoteOfCustomer is the number of a quote of a customer; empty when there is none.
func quoteOfCustomer(tx *db.Tx, id string) (number string, err error) {
	_, err = tx.One(`-- quoting.quoteOfCustomer
		select number from quote where company = :company and customer_id = :id limit 1`, db.Args{"id": id}, &number)
	return number, err
}

// quoteOfItem is the number of a quote that has the item on a line; empty when there is none.
func quoteOfItem(tx *db.Tx, id string) (number string, err error) {
	_, err = tx.One(`-- quoting.quoteOfItem
		select q.number from quote_line l join quote q on q.company = l.company and q.id = l.quote_id
		where l.company = :company and l.item_id = :id limit 1`, db.Args{"id": id}, &number)
	return number, err
}

// quoteOfConfiguration is the number of a quote in one of these statuses that has a configuration on a line; empty when
// there is none.
func quoteOfConfiguration(tx *db.Tx, configurationNumber string, statuses []Status) (number string, err error) {
	_, err = tx.One(`-- quoting.quoteOfConfiguration
		select q.number from quote_line l join quote q on q.company = l.company and q.id = l.quote_id
		where l.company = :company and l.configuration = :configuration and l.configuration <> '' and q.status in (:statuses) limit 1`,
		db.Args{"configuration": configurationNumber, "statuses": statuses}, &number)
	return number, err
}

// Filter says which quotes a list shows.
type Filter struct {
	Search   string // in number and title
	Shown    string // what people see of it: also the customer's number and name
	Status   Status
	Customer string // number
	// CustomerID shows what one customer sees: drafts only where they asked for them, the newest first.
	CustomerID string
}

// List reads quotes by number, with their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Quote], error) {
	q := record.Query{Name: "quoting.List", Select: record.Columns("q") + ", " + headColumns, From: "quote q",
		Key: []string{"q.number_key"}, Stamp: "q.changed_at", Resources: []string{Quotes.Name},
		Sorts: map[string][]string{
			"number": {"q.number_key"}, "date": {"q.quote_date", "q.number_key"},
			"valid": {"q.valid_until", "q.number_key"}, "customer": {"lower(q.customer_name)", "q.number_key"},
			"status": {"q.status", "q.number_key"}, "total": {"q.total", "q.number_key"},
		}}
	q.Search("q.search", f.Search)
	q.SearchAny(f.Shown, "instr(q.search, {word}) > 0", "instr(q.customer_key, {word}) > 0",
		"instr(fold(q.customer_name), {word}) > 0",
		"q.customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	q.Given("q.status = :status", f.Status)
	q.Given("q.customer_key = :customer", record.Fold(f.Customer))
	if f.CustomerID != "" {
		q.Where("q.customer_id = :customerid and (q.status <> 'Draft' or q.is_requested = 1)",
			db.Args{"customerid": f.CustomerID})
		q.Key = []string{"q.id desc"}
	}
	found, err := record.ListOf(tx, q, p, headRow.Scan)
	if err != nil {
		return found, err
	}
	return found, readLines(tx, found.Items)
}
