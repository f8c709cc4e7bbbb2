package pricing

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
)

// Listed are the items that have a line in one of the lists.
func Listed(tx *db.Tx, lists []string) ([]string, error) {
	if len(lists) == 0 {
		return nil, nil
	}
	return db.Column[string](tx, `-- pricing.Listed
		select distinct item_id from price_list_line where company = :company and list_id in (:lists)`,
		db.Args{"lists": lists})
}

// turningLines are the items with a line that begins or ends between two days.
func turningLines(tx *db.Tx, from, to day.Date) ([]string, error) {
	return db.Column[string](tx, `-- pricing.turningLines
		select distinct item_id from price_list_line where company = :company
			and (valid_from > :from and valid_from <= :to or valid_to >= :from and valid_to < :to)`,
		db.Args{"from": from, "to": to})
}
