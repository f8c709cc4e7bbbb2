package app

import "kontor/internal/foundation/db"

// isHere looks whether a company has rows, on the server and not in memory.
func isHere(tx *db.Tx) error {
	found, err := tx.One("-- app.isHere\nselect epoch from company_state where company = :company", nil, new(int64))
	if err == nil && !found {
		err = db.ErrNotHere
	}
	return err
}
