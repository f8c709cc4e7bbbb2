package support

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const headColumns = "number, source, channel, language, reply_key, " + changing

// changing are the columns that a verb may change.
const changing = `subject, description, status, priority, category, queue, customer_id, customer_number, contact_name, contact_email,
	order_number, item, resolution, first_response_at, resolved_at, closed_at, last_author, messages, answer_by,
	solve_by, due_at, paused_at, waited`

var (
	headRow     = db.Map[Ticket](record.RootColumns + ", " + headColumns)
	changingRow = db.Map[Ticket](changing)
)

// Find reads a ticket. Ticket.NotFound.
func Find(tx *db.Tx, number string) (Ticket, error) { return find(tx, number, "") }

func lock(tx *db.Tx, number string) (Ticket, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, locking string) (t Ticket, err error) {
	ok, err := tx.One(`-- support.find
		select `+record.RootColumns+`, `+headColumns+`
		from ticket where company = :company and number_key = :key`+locking, db.Args{"key": record.Fold(number)},
		headRow.Of(&t)...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no ticket has the number %q", number)
	}
	return t, err
}

// NumberOf is the number of a customer's ticket by its id; "" where the customer has none with it.
func NumberOf(tx *db.Tx, customerID, id string) (number string, err error) {
	if customerID == "" {
		return "", nil
	}
	_, err = tx.One(`-- support.NumberOf
		select number from ticket where company = :company and id = :id and customer_id = :customer`,
		db.Args{"id": id, "customer": customerID}, &number)
	return number, err
}

// CountOpen is how many tickets of a customer are neither resolved nor closed.
func CountOpen(tx *db.Tx, customerID string) (n int, err error) {
	_, err = tx.One(`-- support.CountOpen
		select count(*) from ticket where company = :company and customer_id = :customer and status not in ('Resolved', 'Closed')`,
		db.Args{"customer": customerID}, &n)
	return n, err
}

func (t *Ticket) search() string {
	return record.SearchText(t.Number, t.Subject, t.ContactName, t.ContactEmail)
}

func insert(tx *db.Tx, t *Ticket) error {
	return tx.Insert("ticket", record.RootColumns+", "+headColumns+
		", number_key, queue_key, customer_key, order_key, search", 1, func(int) []any {
		return append(headRow.Of(t), record.Fold(t.Number), record.Fold(t.QueueCode), record.Fold(t.CustomerNumber),
			record.Fold(t.OrderNumber), t.search())
	})
}

// update writes what a verb may have changed; the funnel bumps the revision.
func update(tx *db.Tx, t *Ticket) error {
	return tx.Run(`-- support.update
		update ticket set `+changingRow.Set()+`, queue_key = :queueKey, customer_key = :customerKey, order_key = :orderKey, search = :search
		where company = :company and id = :id`,
		changingRow.Args(t, db.Args{"id": t.ID, "queueKey": record.Fold(t.QueueCode),
			"customerKey": record.Fold(t.CustomerNumber), "orderKey": record.Fold(t.OrderNumber), "search": t.search()}))
}

// Filter says which tickets a list shows.
type Filter struct {
	Search   string // in number, subject and contact
	Status   Status
	Open     bool // neither resolved nor closed
	Overdue  bool // later than was promised; those that are it the longest come first
	Queue    string
	Priority Priority
	Customer string   // number
	Order    string   // number
	Orders   []string // numbers, of any of these
	// CustomerID shows one customer's.
	CustomerID string
}

// List reads tickets, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Ticket], error) {
	q := record.Query{Name: "support.List", Select: record.Columns("t") + ", " + headColumns, From: "ticket t",
		Stamp: "t.changed_at", Key: []string{"t.created_at desc", "t.id desc"},
		Resources: []string{Tickets.Name}}
	q.Search("t.search", f.Search)
	q.Given("t.status = :status", f.Status)
	if f.Open {
		q.Where("t.status in ('New', 'Triaged', 'InProgress', 'WaitingForCustomer')", nil) // as its index says
	}
	if f.Overdue {
		q.Where("t.due_at < :late", db.Args{"late": tx.Now})
		q.Key = []string{"t.due_at", "t.id"}
	}
	q.Given("t.queue_key = :queue", record.Fold(f.Queue))
	q.Given("t.priority = :priority", f.Priority)
	q.Given("t.customer_key = :customer", record.Fold(f.Customer))
	if f.Order != "" {
		f.Orders = []string{f.Order}
	}
	if len(f.Orders) > 0 {
		keys := make([]string, len(f.Orders))
		for i, o := range f.Orders {
			keys[i] = record.Fold(o)
		}
		q.Where("t.order_key <> '' and t.order_key in (:orders)", db.Args{"orders": keys})
	}
	q.Given("t.customer_id = :customerid", f.CustomerID)
	return record.ListOf(tx, q, p, headRow.Scan)
}

// RefuseCustomerDeletion keeps a customer that a ticket names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	var number string
	named, err := tx.One(`-- support.RefuseCustomerDeletion
		select number from ticket where company = :company and customer_id = :customer limit 1`,
		db.Args{"customer": e.Customer.ID}, &number)
	if err != nil || !named {
		return err
	}
	return party.ErrInUse.Because("customer %s has tickets, %s among them; set isActive to false instead",
		e.Customer.Number, number)
}
