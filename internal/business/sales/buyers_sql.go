package sales

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
)

// Purchases say which orders are meant: placed on a day or later, "" = ever, and of items by their ids, nil = of
// anything.
type Purchases struct {
	Since   day.Date
	ItemIDs []string
}

// Buyer is who placed an order: the customer's folded number, and the addresses that the order is written to.
type Buyer struct{ Customer, Delivery, Invoice string }

// Buyers tells who has bought, an order at a time; what was cancelled was not bought.
func Buyers(tx *db.Tx, p Purchases, fn func(Buyer)) error {
	narrow, args := "", db.Args{"since": p.Since}
	if p.ItemIDs != nil {
		if len(p.ItemIDs) == 0 {
			return nil
		}
		narrow = ` and exists (select 1 from sales_order_line l where l.company = :company and l.order_id = o.id and l.item_id in (:items))`
		args["items"] = p.ItemIDs
	}
	return db.Each3(tx, `-- sales.Buyers whole
		select o.customer_key, o.delivery_address, o.invoice_address from sales_order o
		where o.company = :company and o.order_date >= :since and o.status in ('Placed', 'Released', 'Closed')`+narrow, args,
		func(customer string, delivery, invoice party.Postal) error {
			fn(Buyer{customer, delivery.Email, invoice.Email})
			return nil
		})
}
