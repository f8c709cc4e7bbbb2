package support

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var tickets = record.TableOf(Tickets, record.Layout[Ticket]{
	Fixed: "number, source, channel, language, reply_key",
	Changing: "subject, description, status, priority, category, queue, customer_id, customer_number, contact_name, " +
		"contact_email, order_number, item, resolution, first_response_at, resolved_at, closed_at, last_author, messages, " +
		"answer_by, solve_by, due_at, paused_at, waited",
	Number: func(t *Ticket) *string { return &t.Number },
	Derived: func(t *Ticket) db.Args {
		return db.Args{"queue_key": record.Fold(t.QueueCode), "customer_key": record.Fold(t.CustomerNumber),
			"order_key": record.Fold(t.OrderNumber),
			"search":    record.SearchText(t.Number, t.Subject, t.ContactName, t.ContactEmail)}
	},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "ticket",
		func(t *Ticket) (string, *Status) { return t.Number, &t.Status }),
	Missing: func(number string) error { return ErrNotFound.Because("no ticket has the number %q", number) },
})

// Find reads a ticket. Ticket.NotFound.
func Find(tx *db.Tx, number string) (Ticket, error) { return tickets.Find(tx, number) }

// NumberOf is the number of a customer's ticket by its id; "" where the customer has none with it.
func NumberOf(tx *db.Tx, customerID, id string) (string, error) {
	if customerID == "" {
		return "", nil
	}
	return db.Value[string](tx, `-- support.NumberOf
		select number from ticket where company = :company and id = :id and customer_id = :customer`,
		db.Args{"id": id, "customer": customerID})
}

// CountOpen is how many tickets of a customer are neither resolved nor closed.
func CountOpen(tx *db.Tx, customerID string) (int, error) {
	return db.Value[int](tx, `-- support.CountOpen
		select count(*) from ticket where company = :company and customer_id = :customer and status not in ('Resolved', 'Closed')`,
		db.Args{"customer": customerID})
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
	q := tickets.Query("support.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Search("search", f.Search)
	q.Given("status = :status", f.Status)
	if f.Open {
		q.Where("status in ('New', 'Triaged', 'InProgress', 'WaitingForCustomer')", nil) // as its index says
	}
	if f.Overdue {
		q.Where("due_at < :late", db.Args{"late": tx.Now})
		q.Key = []string{"due_at", "id"}
	}
	q.Given("queue_key = :queue", record.Fold(f.Queue))
	q.Given("priority = :priority", f.Priority)
	q.Given("customer_key = :customer", record.Fold(f.Customer))
	if f.Order != "" {
		f.Orders = []string{f.Order}
	}
	if len(f.Orders) > 0 {
		keys := each.Of(f.Orders, record.Fold)
		q.Where("order_key <> '' and order_key in (:orders)", db.Args{"orders": keys})
	}
	q.Given("customer_id = :customerid", f.CustomerID)
	return record.ListOf(tx, q, p, tickets.Scan)
}

// RefuseCustomerDeletion keeps a customer that a ticket names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	var number string
	named, err := tx.One(`-- support.RefuseCustomerDeletion
		select number from ticket where company = :company and customer_id = :customer
		order by created_at, id limit 1`,
		db.Args{"customer": e.Customer.ID}, &number)
	return party.ErrInUse.When(named, err,
		"customer %s has tickets, %s among them; set isActive to false instead", e.Customer.Number, number)
}
