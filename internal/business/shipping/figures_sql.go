package shipping

import "kontor/internal/foundation/db"

// CountOpen is how many shipments stand in each status that is not an end.
func CountOpen(tx *db.Tx) (map[Status]int, error) {
	open := append(append([]Status{}, inHouse...), PickedUp, InTransit, Failed)
	return db.Pairs[Status, int](tx, `-- shipping.CountOpen
		select status, count(*) from shipment where company = :company and status in (:open) group by status`,
		db.Args{"open": open})
}
