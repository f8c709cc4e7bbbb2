package shipping

import "kontor/internal/foundation/db"

// CountOpen is how many shipments stand in each status that is not an end.
func CountOpen(tx *db.Tx) (map[Status]int, error) {
	out := map[Status]int{}
	open := append(append([]Status{}, inHouse...), PickedUp, InTransit, Failed)
	err := tx.Each(`-- shipping.CountOpen
		select status, count(*) from shipment where company = :company and status in (:open) group by status`,
		db.Args{"open": open}, func(r db.Row) error {
			var s Status
			var n int
			err := r.Scan(&s, &n)
			out[s] = n
			return err
		})
	return out, err
}
