package shipping

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Verify compares what order lines say is on shipments and delivered with the shipments, and reports every difference.
func Verify(tx *db.Tx, report func(string)) error {
	gone := []string{string(PickedUp), string(InTransit), string(Delivered), string(Failed)}
	err := record.Report(tx, report, `-- shipping.Verify
		select o.number, l.line, l.on_shipment, l.delivered, coalesce(x.waiting, 0), coalesce(x.gone, 0)
		from sales_order_line l join sales_order o on o.company = l.company and o.id = l.order_id
			left join (select s.order_id, s.order_line, sum(case when h.status in (:gone) then s.picked else 0 end) as gone,
					sum(case when h.status in (:waiting) then s.quantity else 0 end) as waiting
				from shipment_line s join shipment h on h.company = s.company and h.id = s.shipment_id
				where s.company = :company group by s.order_id, s.order_line) x on x.order_id = l.order_id and x.order_line = l.line
		where l.company = :company and l.type = 'Stock' and (l.on_shipment <> coalesce(x.waiting, 0) or l.delivered <> coalesce(x.gone, 0))
		order by o.number_key, l.line`, db.Args{"gone": gone, "waiting": names(inHouse)},
		"order %s, line %d: %s on shipments and %s delivered are stored, the shipments say %s and %s",
		new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec), new(dec.Dec))
	if err != nil {
		return err
	}
	err = sales.VerifyShipmentLinks(tx, report, `select l.order_id, s.number
		from shipment_line l join shipment s on s.company = l.company and s.id = l.shipment_id where l.company = :company`)
	if err != nil {
		return err
	}
	return verifyPicks(tx, report)
}

// verifyPicks checks that nothing is picked that is not on its line, and that statuses fit what is picked.
func verifyPicks(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- shipping.verifyPicks
		select h.number, h.status, s.picked, s.quantity, s.line
		from shipment h join shipment_line s on s.company = h.company and s.shipment_id = h.id
		where h.company = :company and (s.picked < 0 or s.picked > s.quantity or h.status = :picked and s.picked <> s.quantity
			or h.status in (:unpicked) and s.picked <> 0)
		order by h.number_key, s.line`, db.Args{"picked": Picked, "unpicked": names([]Status{Hold, Released})},
		"shipment %s is %s, but %s of %s are picked on line %d",
		new(string), new(string), new(dec.Dec), new(dec.Dec), new(int))
}

func names(statuses []Status) []string {
	return each.Of(statuses, func(s Status) string { return string(s) })
}
