package support

import (
	"cmp"
	"crypto/rand"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// Create opens a ticket of what its author says: subject, source, and what else there is; Priority "" is Normal,
// QueueCode "" the company's usual queue, and without a customer it is the order's.
//
// Refuses with TicketQueue.NotFound, Customer.NotFound, SalesOrder.NotFound, Item.NotFound and Ticket.Invalid.
func Create(tx *db.Tx, t Ticket) (Ticket, error) {
	t.Status, t.Priority = New, cmp.Or(t.Priority, Normal)
	if err := t.refer(tx, Ticket{}); err != nil {
		return t, err
	}
	t.Root, t.ReplyKey = record.New(tx), newReplyKey()
	var err error
	if t.Number, err = number.Next(tx, "ticket", nil); err != nil {
		return t, err
	}
	if err := t.clock(tx, Ticket{}); err != nil {
		return t, err
	}
	return t, tickets.Create(tx, &t)
}

// newReplyKey has 80 bits that nobody can guess, in 16 characters: with a company's code they fit in front of a mail
// address's @.
func newReplyKey() string { return strings.ToLower(rand.Text()[:16]) }

// ReplyLocal is the part before the @ of the address that leads answers of a company's customer to a ticket.
func ReplyLocal(companyCode, replyKey string) string {
	return strings.ToLower(companyCode) + "+" + replyMark + replyKey
}

// replyMark tells reply keys from codes of queues.
const replyMark = "re."

// refer finds what the ticket names, where that is not what it named before, and refuses all that there is not.
func (t *Ticket) refer(tx *db.Tx, before Ticket) error {
	var wrong fault.List
	if t.QueueCode == "" || t.QueueCode != before.QueueCode {
		if err := t.queue(tx, &wrong); err != nil {
			return err
		}
	}
	if t.ItemNumber != "" && t.ItemNumber != before.ItemNumber {
		item, err := catalog.Find(tx, t.ItemNumber)
		if fault.Is(err, catalog.ErrNotFound) {
			wrong.Add(ErrItemNotFound, "itemNumber", "no item has the number %q", t.ItemNumber)
		} else if err != nil {
			return err
		}
		t.ItemNumber = item.Number
	}
	mail.Check(&wrong, ErrInvalid, "contactEmail", t.ContactEmail)
	if t.OrderNumber != before.OrderNumber || t.CustomerNumber != before.CustomerNumber {
		if err := t.parties(tx, &wrong); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// queue finds the ticket's queue, or the company's usual one.
func (t *Ticket) queue(tx *db.Tx, wrong *fault.List) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	code := cmp.Or(t.QueueCode, book.Defaults().TicketQueue)
	q, ok := book.TicketQueue(code)
	switch {
	case code == "":
		wrong.Add(ErrQueueNotFound, "queueCode",
			"is missing, and the company has no usual ticket queue; GET /preview/reference/ticket-queues lists them")
	case !ok:
		wrong.Add(ErrQueueNotFound, "queueCode",
			"no ticket queue has the code %q; GET /preview/reference/ticket-queues lists them", code)
	}
	t.QueueCode = q.Code
	return nil
}

// parties finds the ticket's customer and order: the order is the customer's.
func (t *Ticket) parties(tx *db.Tx, wrong *fault.List) error {
	t.CustomerID = ""
	if t.CustomerNumber != "" {
		found, err := party.ReferMany(tx, []string{t.CustomerNumber})
		if err != nil {
			return err
		}
		if c, known := found[record.Fold(t.CustomerNumber)]; known {
			t.CustomerID, t.CustomerNumber = c.ID, c.Number
		} else {
			wrong.Add(ErrCustomerNotFound, "customerNumber", "no customer has the number %q", t.CustomerNumber)
		}
	}
	if t.OrderNumber == "" {
		return nil
	}
	o, err := sales.Find(tx, t.OrderNumber)
	if fault.Is(err, sales.ErrNotFound) {
		wrong.Add(ErrOrderNotFound, "orderNumber", "no order has the number %q", t.OrderNumber)
		return nil
	}
	if err != nil {
		return err
	}
	wrong.If(t.CustomerID != "" && t.CustomerID != o.CustomerID, ErrInvalid, "orderNumber",
		"order %s is not one of customer %s: name one of the two, or an order of that customer", o.Number,
		t.CustomerNumber)
	t.OrderNumber, t.CustomerID, t.CustomerNumber = o.Number, o.CustomerID, o.CustomerNumber
	return nil
}

// Change lets edit alter what the ticket says: subject, description, contact, priority, category, queue and what it
// refers to.
//
// Refuses with Ticket.NotFound, Ticket.InvalidStatus and the codes of Create.
func Change(tx *db.Tx, ticketNumber string, edit func(*Ticket) error) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "change")
	if err != nil {
		return t, err
	}
	if err := edit(&t); err != nil {
		return t, err
	}
	if err := t.refer(tx, before); err != nil {
		return t, err
	}
	return t, save(tx, &t, before, "changed")
}

// save writes the ticket and reports the verb with what it changed.
func save(tx *db.Tx, t *Ticket, before Ticket, action string) error {
	if err := t.clock(tx, before); err != nil {
		return err
	}
	return tickets.Act(tx, action, before, t)
}

// Route moves a ticket to another queue; a note says why, to the company's own people. Ticket.NotFound,
// Ticket.InvalidStatus, TicketQueue.NotFound.
func Route(tx *db.Tx, ticketNumber, queueCode, note string) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "route")
	if err != nil {
		return t, err
	}
	t.QueueCode = queueCode
	if err := t.refer(tx, before); err != nil {
		return t, err
	}
	if note == "" {
		return t, save(tx, &t, before, "route")
	}
	return t, add(tx, &t, before, &Message{Body: note, IsInternal: true, AuthorType: Agent}, "route")
}

// Sorting is what triage says of a new ticket; what is empty stays as it is.
type Sorting struct {
	Priority     Priority
	CategoryCode string
	QueueCode    string
}

// Triage sorts a new ticket. Ticket.NotFound, Ticket.InvalidStatus, TicketQueue.NotFound.
func Triage(tx *db.Tx, ticketNumber string, s Sorting) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "triage")
	if err != nil {
		return t, err
	}
	t.Priority, t.CategoryCode, t.QueueCode = cmp.Or(s.Priority, t.Priority), cmp.Or(s.CategoryCode, t.CategoryCode),
		cmp.Or(s.QueueCode, t.QueueCode)
	if err := t.refer(tx, before); err != nil {
		return t, err
	}
	return t, save(tx, &t, before, "triage")
}

// Start begins the work on a ticket, or goes on with it. Ticket.NotFound, Ticket.InvalidStatus.
func Start(tx *db.Tx, ticketNumber string) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "start")
	if err != nil {
		return t, err
	}
	return t, save(tx, &t, before, "start")
}

// Resolve says how the question was solved; the customer reads it. Ticket.NotFound, Ticket.InvalidStatus.
func Resolve(tx *db.Tx, ticketNumber, resolution string) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "resolve")
	if err != nil {
		return t, err
	}
	t.Resolution, t.ResolvedAt = resolution, tx.Stamp()
	return t, save(tx, &t, before, "resolve")
}

// Close ends a ticket for good: what the customer writes from then on is another. Ticket.NotFound,
// Ticket.InvalidStatus.
func Close(tx *db.Tx, ticketNumber string) (Ticket, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "close")
	if err != nil {
		return t, err
	}
	t.ClosedAt = tx.Stamp()
	return t, save(tx, &t, before, "close")
}

// Say adds a message to a ticket. A customer's reopens a resolved ticket; an agent's that is not internal is mailed to
// the contact, waits for the customer, and is the first response where there was none.
//
// Refuses with Ticket.NotFound and Ticket.InvalidStatus, and a customer's internal message with Ticket.Invalid.
func Say(tx *db.Tx, ticketNumber string, m Message) (Ticket, Message, error) {
	t, before, err := tickets.Begin(tx, ticketNumber, "answer")
	if err != nil {
		return t, m, err
	}
	return t, m, add(tx, &t, before, &m, "message")
}

// add appends a message to a locked ticket, with what follows from it.
func add(tx *db.Tx, t *Ticket, before Ticket, m *Message, action string) error {
	if m.IsInternal && m.AuthorType == Customer {
		return ErrInvalid.At("isInternal",
			"what a customer says is not internal: leave isInternal out, or let authorType be Agent")
	}
	if m.AuthorType == Agent && m.AuthorName == "" && tx.Actor.Kind == "user" {
		m.AuthorName = tx.Actor.Name
	}
	t.Messages++
	m.ID, m.Seq, m.CreatedAt = record.NewID(), t.Messages, tx.Stamp()
	for i := range m.Attachments {
		m.Attachments[i].ID = record.NewID()
	}
	answers := m.AuthorType == Agent && !m.IsInternal
	if answers && m.MailID == "" {
		m.MailID = ownMail + m.ID
	}
	if !m.IsInternal {
		t.LastAuthor = m.AuthorType
	}
	switch {
	case answers:
		t.Status, t.ResolvedAt, t.FirstResponseAt = WaitingForCustomer, 0, cmp.Or(t.FirstResponseAt, m.CreatedAt)
	case m.AuthorType == Customer && t.Status == Resolved:
		t.Status, t.ResolvedAt = InProgress, 0
	}
	if err := insertMessage(tx, t, m); err != nil {
		return err
	}
	if err := t.clock(tx, before); err != nil {
		return err
	}
	if err := tickets.Update(tx, t); err != nil {
		return err
	}
	detail := record.Diff(before, *t)
	if detail == nil {
		detail = map[string][2]any{}
	}
	detail["message"] = [2]any{nil, map[string]any{"id": m.ID, "isInternal": m.IsInternal, "authorType": m.AuthorType,
		"attachments": len(m.Attachments)}}
	if err := Tickets.Touched(tx, &t.Root, t.Number, action, detail); err != nil {
		return err
	}
	return told(tx, t, m)
}

// told lets the other side hear of a message.
func told(tx *db.Tx, t *Ticket, m *Message) error {
	switch {
	case m.AuthorType == Customer:
		return tx.Fire(CustomerWrote{Ticket: t, Message: m})
	case m.AuthorType == Agent && !m.IsInternal && t.ContactEmail != "":
		return tx.Fire(Answered{Ticket: t, Message: m})
	}
	return nil
}
