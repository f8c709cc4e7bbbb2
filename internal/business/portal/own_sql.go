package portal

import (
	"slices"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// FindOrder reads an order of the visitor's customer by its id. SalesOrder.NotFound.
func FindOrder(tx *db.Tx, id string) (sales.Order, error) {
	return own(tx, id, sales.ErrNotFound, sales.Find, `-- portal.FindOrder
		select number from sales_order where company = :company and id = :id and customer_id = :customer`)
}

// FindInvoice reads a booked invoice of the visitor's customer by its id. Invoice.NotFound.
func FindInvoice(tx *db.Tx, id string) (invoicing.Invoice, error) {
	return own(tx, id, invoicing.ErrNotFound, invoicing.Find, `-- portal.FindInvoice
		select number from invoice where company = :company and id = :id and customer_id = :customer and status = 'Booked'`)
}

// FindShipment reads a shipment to the visitor's customer by its id. Shipment.NotFound.
func FindShipment(tx *db.Tx, id string) (shipping.Shipment, error) {
	return own(tx, id, shipping.ErrNotFound, shipping.Find, `-- portal.FindShipment
		select number from shipment where company = :company and id = :id and customer_id = :customer`)
}

// FindReturn reads a return of the visitor's customer by its id. SalesReturn.NotFound.
func FindReturn(tx *db.Tx, id string) (returns.Return, error) {
	return own(tx, id, returns.ErrNotFound, returns.Find, `-- portal.FindReturn
		select number from sales_return where company = :company and id = :id and customer_id = :customer`)
}

// own reads a document of the visitor's customer, whose number query finds.
func own[T any](tx *db.Tx, id string, missing fault.Code, find func(*db.Tx, string) (T, error), query string) (v T,
	err error) {
	var number string
	found, err := tx.One(query, db.Args{"id": id, "customer": storefront.Of(tx).Customer.ID}, &number)
	if err != nil {
		return v, err
	}
	if !found {
		return v, Missing(missing, id)
	}
	return find(tx, number)
}

// OrderShipment is what a shipment carries of an order line.
type OrderShipment struct {
	OrderID        string
	OrderLine      int
	ID             string
	Number         string
	Status         shipping.Status
	Quantity       dec.Dec
	TrackingNumber string
	TrackingURL    string
	ShippedAt      db.Time
	DeliveredAt    db.Time
}

// OrderShipments reads what shipments carry of orders (shipping.Shipment.Held), the oldest first.
func OrderShipments(tx *db.Tx, orderIDs []string) (all []OrderShipment, err error) {
	if len(orderIDs) == 0 {
		return nil, nil
	}
	all, err = db.Rows(tx, `-- portal.OrderShipments
		select l.order_id, l.order_line, s.id, s.number, s.status, case when exists (select 1 from shipment_line p
				where p.company = :company and p.shipment_id = s.id and p.picked > 0) then l.picked else l.quantity end,
			s.tracking_number, s.tracking_url, s.shipped_at, s.delivered_at
		from shipment_line l join shipment s on s.company = :company and s.id = l.shipment_id
		where l.company = :company and l.order_id in (:orders) and s.status <> 'Cancelled' order by s.id, l.line`,
		db.Args{"orders": orderIDs}, func(r db.Row, o *OrderShipment) error {
			return r.Scan(&o.OrderID, &o.OrderLine, &o.ID, &o.Number, &o.Status, &o.Quantity, &o.TrackingNumber,
				&o.TrackingURL, &o.ShippedAt, &o.DeliveredAt)
		})
	return slices.DeleteFunc(all, func(o OrderShipment) bool { return o.Quantity == 0 }), err
}

// Counts are how many documents of the visitor's customer ask for attention.
type Counts struct {
	OpenOrders, WaitingApprovals, UnpaidInvoices, ShipmentsUnderway, OpenQuotes, OpenReturns int
}

// Count reads the counts of the visitor's customer.
func Count(tx *db.Tx) (c Counts, err error) {
	for _, part := range []struct {
		into  *int
		query string
	}{
		{&c.OpenOrders, `-- portal.Count orders
			select count(*) from sales_order where company = :company and customer_key = :key and status in ('Placed', 'Released')`},
		{&c.WaitingApprovals, `-- portal.Count approvals
			select count(*) from order_approval a join sales_order o on o.company = :company and o.id = a.order_id
			where a.company = :company and a.customer_id = :customer and a.status = 'Waiting' and o.status = 'Placed'`},
		{&c.UnpaidInvoices, `-- portal.Count invoices
			select count(*) from invoice where company = :company and customer_key = :key and status = 'Booked' and type <> 'CreditNote'
				and payment_status <> 'Paid'`},
		{&c.ShipmentsUnderway, `-- portal.Count shipments
			select count(*) from shipment where company = :company and customer_id = :customer
			and status not in ('Delivered', 'Cancelled')`},
		{&c.OpenQuotes, `-- portal.Count quotes
			select count(*) from quote where company = :company and customer_id = :customer and status = 'Sent'
			and valid_until >= :today`},
		{&c.OpenReturns, `-- portal.Count returns
			select count(*) from sales_return where company = :company and customer_id = :customer
			and status not in ('Closed', 'Cancelled')`},
	} {
		own := storefront.Of(tx).Customer
		if _, err := tx.One(part.query, db.Args{"customer": own.ID, "key": record.Fold(own.Number),
			"today": tx.Today()}, part.into); err != nil {
			return c, err
		}
	}
	return c, nil
}
