package identity

import "kontor/internal/foundation/db"

// Installation is the id that tells this installation from others, which it keeps when it is restored elsewhere; "" as
// long as it has none.
func Installation(tx *db.Tx) (string, error) {
	return db.Value[string](tx, `-- identity.Installation
		select value from setting where name = 'installation'`, nil)
}

// NameInstallation is Installation, which gets its id now if it has none.
func NameInstallation(tx *db.Tx) (string, error) {
	_, err := tx.Exec(`-- identity.NameInstallation
		insert into setting (name, value) values ('installation', :id) on conflict do nothing`, db.Args{"id": newID()})
	if err != nil {
		return "", err
	}
	return Installation(tx)
}
