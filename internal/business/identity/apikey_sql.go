package identity

import (
	"strings"

	"kontor/internal/foundation/db"
)

const keyColumns = "id, company_id, name, channel_key, prefix, scopes, created_at, expires_at, revoked_at, last_used_at"

var keyRow = db.Map[Key](keyColumns)

// Keys are the company's API keys by name, revoked ones included.
func Keys(tx *db.Tx, companyID string) ([]Key, error) {
	return keysWhere(tx, companyID, "channel_key = ''")
}

// StoreKeys are the company's store keys by name, revoked ones included.
func StoreKeys(tx *db.Tx, companyID string) ([]Key, error) {
	return keysWhere(tx, companyID, "channel_key <> ''")
}

func keysWhere(tx *db.Tx, companyID, which string) ([]Key, error) {
	return db.Rows(tx, `-- identity.keysWhere
select `+keyColumns+`
from api_key where company_id = :company_id and `+which+` order by name, id`, db.Args{"company_id": companyID}, keyRow.Scan)
}

func insertKey(tx *db.Tx, k Key, hash keyHash) error {
	return tx.Insert("api_key", keyColumns+", secret_hash", 1, func(int) []any { return append(keyRow.Of(&k), hash[:]) })
}

func revoke(tx *db.Tx, id string) error {
	return tx.Run(`-- identity.revoke
update api_key set revoked_at = :now where id = :id`, db.Args{"id": id})
}

// keyOf is the key with this hash and the company it opens.
func keyOf(tx *db.Tx, hash keyHash) (k Key, c Company, found bool, err error) {
	var scopes string
	found, err = tx.One(`-- identity.keyOf
select k.id, k.company_id, k.name, k.channel_key, k.scopes, k.expires_at, k.revoked_at, k.last_used_at, c.code, c.environment, c.status
from api_key k join company c on c.id = k.company_id
where k.secret_hash = :hash`, db.Args{"hash": hash[:]},
		&k.ID, &k.CompanyID, &k.Name, &k.ChannelKey, &scopes, &k.ExpiresAt, &k.RevokedAt, &k.LastUsedAt, &c.Code,
		&c.Environment, &c.Status)
	k.Scopes, c.ID = strings.Fields(scopes), k.CompanyID
	return k, c, found, err
}

// markUsed notes when keys were last used, all of one minute in one statement.
func markUsed(tx *db.Tx, minute db.Time, ids []string) error {
	return tx.Run(`-- identity.markUsed
update api_key set last_used_at = :minute where id in (:ids) and (last_used_at is null or last_used_at < :minute)`,
		db.Args{"minute": minute, "ids": ids})
}
