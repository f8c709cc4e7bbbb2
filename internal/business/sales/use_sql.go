package sales

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// orderOfCustomer is the number of the newest order of a customer; empty when there is none.
func orderOfCustomer(tx *db.Tx, customer string) (string, error) {
	return db.Value[string](tx, `-- sales.orderOfCustomer
		select number from sales_order where company = :company and customer_key = :key
		order by order_date desc, number_key limit 1`,
		db.Args{"key": record.Fold(customer)})
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
