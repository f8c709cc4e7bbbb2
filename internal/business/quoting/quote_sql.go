package quoting

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var quotes = record.TableOf(Quotes, record.Layout[Quote]{
	Fixed: "number, first_number, issue, is_requested, customer_message",
	Changing: `replaced_by, status, title, description, customer_id, customer_number, customer_name, contact_name,
		contact_email, quote_date, valid_until, currency, digits, total, vat, sent_at, accepted_at, declined_at,
		declined_reason, order_number`,
	Number: func(q *Quote) *string { return &q.Number },
	Derived: func(q *Quote) db.Args {
		return db.Args{"customer_key": record.Fold(q.CustomerNumber), "order_key": record.Fold(q.OrderNumber),
			"search": record.SearchText(q.Number, q.Title)}
	},
	Parts: []*record.Parts[Quote]{record.PartsOf(record.PartLayout[Quote, Line]{
		Table: "quote_line", Owner: "quote_id", Place: "line",
		Columns: `line, id, item_id, item, description, quantity, unit, unit_price, is_manual_price, gross_price, discount,
			is_manual_discount, tax_code, tax_percent, total, vat, notes, configuration`,
		Of: func(q *Quote) *[]Line { return &q.Lines },
	})},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "quote",
		func(q *Quote) (string, *Status) { return q.Number, &q.Status }),
	Missing: func(number string) error { return ErrNotFound.Because("no quote has the number %q", number) },
})

// Find reads a quote whole. Refuses with Quote.NotFound.
func Find(tx *db.Tx, number string) (Quote, error) { return quotes.Find(tx, number) }

// FindID reads a quote whole by its id; false where there is none.
func FindID(tx *db.Tx, id string) (Quote, bool, error) { return quotes.ByID(tx, id) }

// lockDue reads and locks sent quotes that are past their day, without their lines.
func lockDue(tx *db.Tx, most int) (due []Quote, err error) {
	return quotes.Where(tx, "quoting.lockDue",
		"status = 'Sent' and valid_until < :today order by valid_until, id limit :most for update",
		db.Args{"today": tx.Today(), "most": most})
}

// OfOrder is the number of the quote that an order was made of; empty when there is none.
func OfOrder(tx *db.Tx, order string) (string, error) {
	return db.Value[string](tx, `-- quoting.OfOrder
		select number from quote where company = :company and order_key = :key and order_key <> ''`,
		db.Args{"key": record.Fold(order)})
}

// RefuseCustomerDeletion keeps a customer that a quote names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	found, err := db.Value[string](tx, `-- quoting.RefuseCustomerDeletion
		select number from quote where company = :company and customer_id = :id order by id limit 1`,
		db.Args{"id": e.Customer.ID})
	return party.ErrInUse.When(found != "", err,
		"customer %s has quotes, %s among them; set isActive to false instead", e.Customer.Number, found)
}

// RefuseItemDeletion keeps an item that a quote names. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	found, err := db.Value[string](tx, `-- quoting.RefuseItemDeletion
		select q.number from quote_line l join quote q on q.company = l.company and q.id = l.quote_id
		where l.company = :company and l.item_id = :id order by l.quote_id limit 1`, db.Args{"id": e.Item.ID})
	return catalog.ErrInUse.When(found != "", err,
		"item %s is on quotes, %s among them; set isActive to false instead", e.Item.Number, found)
}

// KeepConfiguration keeps choices as they are while a quote that may still be accepted offers them, and there as long
// as any quote names them. Subscribed to configuration.Changing.
func KeepConfiguration(tx *db.Tx, e configuration.Changing) error {
	statuses := []Status{Draft, Sent}
	if e.Deletes {
		statuses = Status("").Values()
	}
	found, err := db.Value[string](tx, `-- quoting.KeepConfiguration
		select q.number from quote_line l join quote q on q.company = l.company and q.id = l.quote_id
		where l.company = :company and l.configuration = :configuration and l.configuration <> '' and q.status in (:statuses)
		order by l.quote_id limit 1`,
		db.Args{"configuration": e.Configuration.Number, "statuses": statuses})
	return configuration.ErrInUse.When(found != "", err,
		"configuration %s is offered with quote %s: make another one", e.Configuration.Number, found)
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
	q := quotes.Query("quoting.List")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"quote_date", "number_key"},
		"valid": {"valid_until", "number_key"}, "customer": {"lower(customer_name)", "number_key"},
		"status": {"status", "number_key"}, "total": {"total", "number_key"},
	}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(customer_key, {word}) > 0",
		"instr(fold(customer_name), {word}) > 0",
		"customer_id in (select c.id from customer c where c.company = :company and instr(c.search, {word}) > 0)")
	q.Given("status = :status", f.Status)
	q.Given("customer_key = :customer", record.Fold(f.Customer))
	if f.CustomerID != "" {
		q.Where("customer_id = :customerid and (status <> 'Draft' or is_requested = 1)",
			db.Args{"customerid": f.CustomerID})
		q.Key = []string{"id desc"}
	}
	return quotes.List(tx, q, p)
}
