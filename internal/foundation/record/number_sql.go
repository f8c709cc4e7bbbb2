package record

import "kontor/internal/foundation/db"

// NumberOf is the number of a document by its id, for a resource whose records have numbers.
func (r Resource) NumberOf(tx *db.Tx, id string) (number string, found bool, err error) {
	found, err = tx.One(`-- record.NumberOf
		select number from `+r.Table+` where company = :company and id = :id`, db.Args{"id": id}, &number)
	return number, found, err
}
