package sales

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
)

// RefuseCustomerDeletion keeps a customer that an order names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	order, err := orderOfCustomer(tx, e.Customer.Number)
	return party.ErrInUse.When(order != "", err,
		"customer %s has sales orders, %s among them; set isActive to false instead", e.Customer.Number, order)
}

// RefuseItemDeletion keeps an item that an order names. Subscribed to catalog.Deleting.
func RefuseItemDeletion(tx *db.Tx, e catalog.Deleting) error {
	order, err := orderOfItem(tx, e.Item.ID, false)
	return catalog.ErrInUse.When(order != "", err,
		"item %s is on sales orders, %s among them; set isActive to false instead", e.Item.Number, order)
}

// RefuseItemChange keeps the type and the base unit of an item while open orders name it: their lines reserve stock by
// the first and count by the second. Subscribed to catalog.Changing.
func RefuseItemChange(tx *db.Tx, e catalog.Changing) error {
	if e.Before.Type == e.After.Type && e.Before.BaseUnit == e.After.BaseUnit {
		return nil
	}
	order, err := orderOfItem(tx, e.Before.ID, true)
	return catalog.ErrInUse.When(order != "", err,
		"item %s is on open sales orders, %s among them; its type and base unit can change once they are closed or cancelled",
		e.Before.Number, order)
}
