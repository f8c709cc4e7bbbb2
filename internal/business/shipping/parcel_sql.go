package shipping

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Shipped reads what left for lines of an order, oldest first. The order is locked by the caller, so
// that two returns do not count the same goods.
func Shipped(tx *db.Tx, orderID string, lines []int) ([]Parcel, error) {
	numbers := each.Of(lines, func(n int) int64 { return int64(n) })
	args := db.Args{"order": orderID, "lines": numbers, "gone": names([]Status{PickedUp, InTransit, Delivered})}
	parcels, err := db.Rows(tx, `-- shipping.Shipped
		select s.id, l.line, l.order_line, l.item_id, l.item, l.tracking, l.picked, l.factor, l.returned, l.unit_cost
		from shipment_line l join shipment s on s.company = l.company and s.id = l.shipment_id
		where l.company = :company and l.order_id = :order and l.order_line in (:lines) and s.status in (:gone)
		order by s.shipped_at, s.number_key, l.line`, args, func(r db.Row, p *Parcel) error {
		var factor dec.Dec
		err := r.Scan(&p.ShipmentID, &p.Line, &p.OrderLine, &p.ItemID, &p.Item, &p.Tracking, &p.Quantity, &factor,
			&p.Returned, &p.UnitCost)
		p.Quantity = p.Quantity.Mul(factor)
		return err
	})
	if err != nil || len(parcels) == 0 {
		return nil, err
	}
	return named(tx, parcels)
}

// Undelivered is what of each line of an order left, did not arrive since the delivery failed, and has not come back as
// a return either: in the line's unit.
func Undelivered(tx *db.Tx, orderID string) (map[int]dec.Dec, error) {
	return db.Sums(tx, `-- shipping.Undelivered
		select l.order_line, l.picked, l.factor, l.returned + (select coalesce(sum(k.returned), 0) from shipment_pick k
			where k.company = l.company and k.shipment_id = l.shipment_id and k.line = l.line)
		from shipment_line l join shipment s on s.company = l.company and s.id = l.shipment_id
		where l.company = :company and l.order_id = :order and s.status = :failed`,
		db.Args{"order": orderID, "failed": Failed}, func(r db.Row, line *int, q *dec.Dec) error {
			var picked, factor, returned dec.Dec
			err := r.Scan(line, &picked, &factor, &returned)
			if err == nil {
				*q = picked.Mul(factor).Sub(returned).Div(factor)
			}
			return err
		})
}

// named splits the parcels of lines whose pieces the picker named.
func named(tx *db.Tx, lines []Parcel) ([]Parcel, error) {
	type place struct {
		shipment string
		line     int
	}
	ids := each.Once(lines, func(p Parcel) string { return p.ShipmentID })
	picks, err := db.Grouped(tx, `-- shipping.named
		select `+pickColumns+`, shipment_id
		from shipment_pick where company = :company and shipment_id in (:ids) order by shipment_id, pick`,
		db.Args{"ids": ids}, func(r db.Row, at *place, k *pick) error {
			err := r.Scan(append(pickRow.Of(k), &at.shipment)...)
			at.line = k.Line
			return err
		})
	if err != nil {
		return nil, err
	}
	var parcels []Parcel
	for _, rest := range lines {
		for _, k := range picks[place{rest.ShipmentID, rest.Line}] {
			p := rest
			p.Pick, p.Batch, p.Serial, p.Quantity, p.Returned = k.Number, k.Batch, k.Serial, k.Quantity, k.Returned
			parcels = append(parcels, p)
			rest.Quantity = rest.Quantity.Sub(k.Quantity)
		}
		if rest.Quantity > 0 {
			parcels = append(parcels, rest)
		}
	}
	return parcels, nil
}

// CameBack writes the Returned of parcels.
func CameBack(tx *db.Tx, parcels []Parcel) error {
	var lines, picks []Parcel
	for _, p := range parcels {
		if p.Pick == 0 {
			lines = append(lines, p)
		} else {
			picks = append(picks, p)
		}
	}
	_, err := tx.Update("shipment_line", "shipment_id, line, returned", 2, len(lines), func(i int) []any {
		return []any{lines[i].ShipmentID, lines[i].Line, lines[i].Returned}
	})
	if err != nil {
		return err
	}
	_, err = tx.Update("shipment_pick", "shipment_id, pick, returned", 2, len(picks), func(i int) []any {
		return []any{picks[i].ShipmentID, picks[i].Pick, picks[i].Returned}
	})
	return err
}
