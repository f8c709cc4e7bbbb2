package identity

import "kontor/internal/foundation/db"

// Installation is the id that tells this installation from others, which it keeps when it is restored elsewhere. It is
// made when it is asked for first.
func Installation(tx *db.Tx) (id string, err error) {
	_, err = tx.Exec(`-- identity.Installation
insert into setting (name, value) values ('installation', :id) on conflict do nothing`, db.Args{"id": newID()})
	if err == nil {
		_, err = tx.One(`-- identity.Installation read
select value from setting where name = 'installation'`, nil, &id)
	}
	return id, err
}
