package portal

import (
	"cmp"
	"slices"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// TicketNumber is the number of a ticket of the visitor's customer by its id, for who may do something with tickets.
// Ticket.NotFound.
func TicketNumber(tx *db.Tx, p Permission, id string) (string, error) {
	if err := NeedFor(tx, p, support.ErrNotFound, id); err != nil {
		return "", err
	}
	number, err := support.NumberOf(tx, storefront.Of(tx).Customer.ID, id)
	if err == nil && number == "" {
		err = Missing(support.ErrNotFound, id)
	}
	return number, err
}

// CreateTicket opens a ticket of who is signed in. It may name an order of the customer, and an item that the store
// shows or that stands on that order: of all others the visitor does not learn whether they exist. Files belong to
// messages, so with one the description is the ticket's first message, as a mail is.
//
// Permission.Denied, SalesOrder.NotFound, Item.NotFound and TicketQueue.NotFound.
func CreateTicket(tx *db.Tx, t support.Ticket, files []support.Attachment) (support.Ticket, error) {
	if err := Need(tx, CreateTickets); err != nil {
		return t, err
	}
	v := storefront.Of(tx)
	var order sales.Order
	if t.OrderNumber != "" {
		var err error
		order, err = sales.Find(tx, t.OrderNumber)
		if err == nil && order.CustomerID != v.Customer.ID || fault.Is(err, sales.ErrNotFound) {
			err = support.ErrOrderNotFound.At("orderNumber", "no order has the number %q", t.OrderNumber)
		}
		if err != nil {
			return t, err
		}
	}
	if t.ItemNumber != "" {
		if known, err := knowsItem(tx, v, t.ItemNumber, order.Lines); err != nil || !known {
			return t,
				cmp.Or(err, error(support.ErrItemNotFound.At("itemNumber", "no item has the number %q", t.ItemNumber)))
		}
	}
	t.Source, t.CustomerNumber, t.ContactName, t.ContactEmail = support.Portal, v.Customer.Number, v.Contact.Name,
		v.Contact.Email
	t.ChannelCode, t.Language = v.Channel.Code, v.Language
	if len(files) == 0 {
		return support.Create(tx, t)
	}
	m := support.Message{Body: cmp.Or(t.Description, t.Subject), AuthorType: support.Customer,
		AuthorName: v.Contact.Name, Attachments: files}
	t.Description = ""
	t, err := support.Create(tx, t)
	if err == nil {
		t, _, err = support.Say(tx, t.Number, m)
	}
	return t, err
}

// knowsItem reports whether a visitor knows of an item: the store shows it, or it is on one of these lines.
func knowsItem(tx *db.Tx, v *storefront.Visit, number string, lines []sales.Line) (bool, error) {
	item, err := catalog.Find(tx, number)
	if err != nil {
		if fault.Is(err, catalog.ErrNotFound) {
			err = nil
		}
		return false, err
	}
	if slices.ContainsFunc(lines, func(l sales.Line) bool { return l.ItemID == item.ID }) {
		return true, nil
	}
	shown, err := assortment.Articles(tx, v.Viewer(), []string{item.ID})
	return shown[item.ID] != nil, err
}
