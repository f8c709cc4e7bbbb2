package pricing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
)

// Listed are the items that have a line in one of the lists.
func Listed(tx *db.Tx, lists []string) (itemIDs []string, err error) {
	if len(lists) == 0 {
		return nil, nil
	}
	err = tx.Each(`-- pricing.Listed
		select distinct item_id from price_list_line where company = :company and list_id in (:lists)`,
		db.Args{"lists": lists}, func(r db.Row) error {
			itemIDs = append(itemIDs, "")
			return r.Scan(&itemIDs[len(itemIDs)-1])
		})
	return itemIDs, err
}

// turningLines are the items with a line that begins or ends between two days.
func turningLines(tx *db.Tx, from, to day.Date) (itemIDs []string, err error) {
	err = tx.Each(`-- pricing.turningLines
		select distinct item_id from price_list_line where company = :company
			and (valid_from > :from and valid_from <= :to or valid_to >= :from and valid_to < :to)`,
		db.Args{"from": from, "to": to}, func(r db.Row) error {
			itemIDs = append(itemIDs, "")
			return r.Scan(&itemIDs[len(itemIDs)-1])
		})
	return itemIDs, err
}
