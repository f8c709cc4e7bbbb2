package identity

import (
	"kontor/internal/foundation/db"
)

func storedKeys(tx *db.Tx, companyID string) ([]StoredKey, error) {
	return db.Rows(tx, `-- identity.storedKeys
select `+keyColumns+`, secret_hash
from api_key where company_id = :company_id order by id`, db.Args{"company_id": companyID}, func(r db.Row, k *StoredKey) error {
		var hash []byte
		err := r.Scan(append(keyRow.Of(&k.Key), &hash)...)
		copy(k.hash[:], hash)
		return err
	})
}

func insertStoredKeys(tx *db.Tx, keys []StoredKey) error {
	return tx.Insert("api_key", keyColumns+", secret_hash", len(keys), func(i int) []any {
		return append(keyRow.Of(&keys[i].Key), keys[i].hash[:])
	})
}
