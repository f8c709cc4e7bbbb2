package identity

import (
	"strings"

	"kontor/internal/foundation/db"
)

func storedKeys(tx *db.Tx, companyID string) ([]StoredKey, error) {
	var all []StoredKey
	err := tx.Each(`-- identity.storedKeys
select id, company_id, name, channel_key, prefix, secret_hash, scopes, created_at, expires_at, revoked_at, last_used_at
from api_key where company_id = :company_id order by id`, db.Args{"company_id": companyID}, func(r db.Row) error {
		var k StoredKey
		var hash []byte
		var scopes string
		err := r.Scan(&k.ID, &k.CompanyID, &k.Name, &k.ChannelKey, &k.Prefix, &hash, &scopes, &k.CreatedAt,
			&k.ExpiresAt, &k.RevokedAt, &k.LastUsedAt)
		copy(k.hash[:], hash)
		k.Scopes = strings.Fields(scopes)
		all = append(all, k)
		return err
	})
	return all, err
}

func insertStoredKeys(tx *db.Tx, keys []StoredKey) error {
	return tx.Insert("api_key",
		"id, company_id, name, channel_key, prefix, secret_hash, scopes, created_at, expires_at, revoked_at, last_used_at",
		len(keys), func(i int) []any {
			k := keys[i]
			return []any{k.ID, k.CompanyID, k.Name, k.ChannelKey, k.Prefix, k.hash[:], scopesText(k.Scopes),
				k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.LastUsedAt}
		})
}
