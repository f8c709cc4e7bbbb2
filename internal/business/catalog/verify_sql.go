package catalog

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Verify holds the units of all items against what reservations count on: each has a code of its own, and holds some of
// the base unit.
func Verify(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- catalog.Verify whole
		select `+items.Columns+` from item where company = :company and units <> '' order by number_key`, nil,
		func(r db.Row) error {
			var i Item
			if err := items.Scan(r, &i); err != nil {
				return err
			}
			seen := map[string]bool{record.Fold(i.BaseUnit): true}
			for _, u := range i.Units {
				if key := record.Fold(u.Code); u.Factor <= 0 || u.Factor > limit.Quantity.Most() || seen[key] {
					report(fmt.Sprintf("item %s: a unit %q holds %s of the base unit, or stands twice", i.Number,
						u.Code, u.Factor))
				} else {
					seen[key] = true
				}
			}
			return nil
		})
}
