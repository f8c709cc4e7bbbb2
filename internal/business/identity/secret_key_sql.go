package identity

import "kontor/internal/foundation/db"

// secretKey is the setting that names the key that secrets are sealed with, by its fingerprint.
const secretKey = "secret_key"

// SecretKey is the fingerprint of the key that the installation's secrets are sealed with, "" before there was one.
func SecretKey(tx *db.Tx) (string, error) {
	return db.Value[string](tx, `-- identity.SecretKey
select value from setting where name = :name`, db.Args{"name": secretKey})
}

// ClaimSecretKey makes a key the installation's where there was none, and answers the one that is: of several nodes
// that start at once with keys of their own, one is first.
func ClaimSecretKey(tx *db.Tx, id string) (string, error) {
	if id != "" {
		_, err := tx.Exec(`-- identity.ClaimSecretKey
insert into setting (name, value) values (:name, :value) on conflict do nothing`,
			db.Args{"name": secretKey, "value": id})
		if err != nil {
			return "", err
		}
	}
	return SecretKey(tx)
}

// SetSecretKey names another key, with which everything is sealed now.
func SetSecretKey(tx *db.Tx, id string) error {
	_, err := tx.Exec(`-- identity.SetSecretKey
update setting set value = :value where name = :name`, db.Args{"name": secretKey, "value": id})
	if err != nil {
		return err
	}
	return note(tx, "", "installation", "secrets", "rotate-key", map[string]any{"key": id})
}
