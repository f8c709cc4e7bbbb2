package sales

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// orderOfCustomer is the number of an order of a customer; empty when there is none. Drafts count.
func orderOfCustomer(tx *db.Tx, customer string) (order string, err error) {
	_, err = tx.One(`-- sales.orderOfCustomer
		select number from sales_order where company = :company and customer_key = :key limit 1`,
		db.Args{"key": record.Fold(customer)}, &order)
	return order, err
}

// orderOfItem is the number of an order that has the item on a line; empty when there is none.
func orderOfItem(tx *db.Tx, itemID string, open bool) (order string, err error) {
	_, err = tx.One(`-- sales.orderOfItem
		select o.number from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id = :item and (:any = 1 or o.status in ('Draft', 'Placed', 'Released')) limit 1`,
		db.Args{"item": itemID, "any": !open}, &order)
	return order, err
}
