package assortment

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

func insertRequest(tx *db.Tx, r request) error {
	return tx.Run(`-- assortment.insertRequest
		insert into stock_request (company, id, channel_key, item_id, email, email_key, language, country, created_at)
		values (:company, :id, :channel, :item, :email, :key, :language, :country, :now)
		on conflict (company, channel_key, item_id, email_key) where told_at is null do nothing`,
		db.Args{"id": r.id, "channel": r.channelKey, "item": r.itemID, "email": r.email, "key": record.Fold(r.email),
			"language": r.language, "country": r.country})
}

const requestColumns = "id, channel_key, item_id, email, language, country"

func scanRequest(r db.Row, q *request) error {
	return r.Scan(&q.id, &q.channelKey, &q.itemID, &q.email, &q.language, &q.country)
}

// waitingFor are the requests that wait for some items.
func waitingFor(tx *db.Tx, itemIDs []string) ([]request, error) {
	return db.Rows(tx, `-- assortment.waitingFor
		select `+requestColumns+
		` from stock_request where company = :company and item_id in (:items) and told_at is null order by id limit :most`,
		db.Args{"items": itemIDs, "most": mostTold}, scanRequest)
}

// nextWaiting are the requests after one that still wait, by id.
func nextWaiting(tx *db.Tx, after string, most int) ([]request, error) {
	return db.Rows(tx, `-- assortment.nextWaiting
		select `+requestColumns+
		` from stock_request where company = :company and id > :after and told_at is null order by id limit :most`,
		db.Args{"after": after, "most": most}, scanRequest)
}

// markTold notes that a request is answered; mine is false where somebody else has just done so.
func markTold(tx *db.Tx, id string) (mine bool, err error) {
	n, err := tx.Exec(`-- assortment.markTold
		update stock_request set told_at = :now where company = :company and id = :id and told_at is null`,
		db.Args{"id": id})
	return n == 1, err
}
