package stock

import "kontor/internal/foundation/db"

// Lock locks levels for several verbs that follow in the transaction: one after another they would lock them in an
// order of their own.
func Lock(tx *db.Tx, keys []Key) error {
	_, err := open(tx, keys)
	return err
}
