package invoicing

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
)

// RefuseCustomerDeletion keeps a customer that an invoice names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	invoice, err := invoiceOfCustomer(tx, e.Customer.ID)
	return party.ErrInUse.When(invoice != "", err,
		"customer %s has invoices, %s among them; set isActive to false instead", e.Customer.Number, invoice)
}

// RefuseItemDeletion keeps an item that an invoice names. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	invoice, err := invoiceOfItem(tx, e.Item.ID)
	return catalog.ErrInUse.When(invoice != "", err,
		"item %s is on invoices, %s among them; set isActive to false instead", e.Item.Number, invoice)
}
