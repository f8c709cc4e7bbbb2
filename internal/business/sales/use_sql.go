package sales

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// RefuseCustomerDeletion keeps a customer that an order names. Subscribed to party.Deleting.
func RefuseCustomerDeletion(tx *db.Tx, e party.Deleting) error {
	order, err := db.Value[string](tx, `-- sales.RefuseCustomerDeletion
		select number from sales_order where company = :company and customer_key = :key
		order by order_date desc, number_key limit 1`,
		db.Args{"key": record.Fold(e.Customer.Number)})
	return party.ErrInUse.When(order != "", err,
		"customer %s has sales orders, %s among them; set isActive to false instead", e.Customer.Number, order)
}

// orderOfItem is the number of the first order that has the item on a line; empty when there is none. It goes through
// all lines where there is none: an index would cost every order three per cent, so that now and then an item is
// deleted, or counted in another unit, in a moment.
func orderOfItem(tx *db.Tx, itemID string, open bool) (string, error) {
	return db.Value[string](tx, `-- sales.orderOfItem whole
		select o.number from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id = :item and (:any = 1 or o.status in ('Placed', 'Released'))
		order by l.order_id limit 1`,
		db.Args{"item": itemID, "any": !open})
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

// Bought is the last order by which a customer has bought an item, or a variant of it, and which was not cancelled; ""
// where there is none.
func Bought(tx *db.Tx, customerNumber, itemID, itemNumber string) (string, error) {
	return db.Value[string](tx, `-- sales.Bought
		select o.number from sales_order o join sales_order_line l on l.company = :company and l.order_id = o.id
		where o.company = :company and o.customer_key = :customer and o.status in ('Placed', 'Released', 'Closed')
			and (l.item_id = :item or l.item_id in (select v.id from item v where v.company = :company and v.variant_of = :number))
		order by o.created_at desc, o.id desc limit 1`,
		db.Args{"customer": record.Fold(customerNumber), "item": itemID, "number": itemNumber})
}
