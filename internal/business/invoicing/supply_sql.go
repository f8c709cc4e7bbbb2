package invoicing

import (
	"cmp"
	"time"

	"kontor/internal/business/shipping"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
)

// orderLine is a line of an order.
type orderLine struct {
	orderID string
	line    int
}

// handedOver is the day on which goods of each line of orders were last handed over, in the company's time zone. Lines
// of which nothing left, services among them, are left out.
func handedOver(tx *db.Tx, orderIDs []string) (map[orderLine]day.Date, error) {
	zone := cmp.Or(tx.Info.Zone, time.UTC)
	left := []string{string(shipping.PickedUp), string(shipping.InTransit), string(shipping.Delivered),
		string(shipping.Failed)}
	return db.ByKey(tx, `-- invoicing.handedOver
		select l.order_id, l.order_line, max(s.shipped_at)
		from shipment_line l join shipment s on s.company = l.company and s.id = l.shipment_id
		where l.company = :company and l.order_id in (:orders) and l.picked > 0 and s.status in (:left)
		group by l.order_id, l.order_line`, db.Args{"orders": orderIDs, "left": left},
		func(r db.Row, p *orderLine, on *day.Date) error {
			var at db.Time
			err := r.Scan(&p.orderID, &p.line, &at)
			*on = day.Of(at.Time(), zone)
			return err
		})
}
