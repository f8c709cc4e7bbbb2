package portal

import (
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
)

// TicketNumber is the number of a ticket of the visitor's customer by its id, for who may do something with tickets. Ticket.NotFound.
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
