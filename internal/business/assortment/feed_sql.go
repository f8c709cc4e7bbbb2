package assortment

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// visibleAfter reads the next articles that exist in a channel by item number.
func visibleAfter(tx *db.Tx, c channel.Channel, after string, limit int) ([]*Article, error) {
	return db.Rows(tx, `-- assortment.visibleAfter
		`+articlesOf+visible+` and p.item_key > :after order by p.item_key limit :limit`,
		db.Args{"channel": record.Fold(c.Code), "after": after, "limit": limit}, scanArticle)
}

// lastOpened is when the window of a publication of a channel opened or closed last.
func lastOpened(tx *db.Tx, c channel.Channel) (db.Time, error) {
	return db.Value[db.Time](tx, `-- assortment.lastOpened
		select max(case when publish_to <= :now then publish_to when publish_from <= :now then publish_from else 0 end)
		from publication `+timed, db.Args{"channel": record.Fold(c.Code)})
}

// timed are the publications of a channel with a window.
const timed = `where company = :company and channel_key = :channel and (publish_from is not null or publish_to is not null)`

// nextOpened is when the window of a publication of a channel opens or closes next; 0 = never.
func nextOpened(tx *db.Tx, c channel.Channel) (db.Time, error) {
	return db.Value[db.Time](tx, `-- assortment.nextOpened
		select coalesce(min(case when publish_from > :now then publish_from when publish_to > :now then publish_to end), 0)
		from publication `+timed, db.Args{"channel": record.Fold(c.Code)})
}

// openedSince are the items whose window in a channel has opened or closed since a moment.
func openedSince(tx *db.Tx, c channel.Channel, since db.Time) ([]string, error) {
	return db.Column[string](tx, `-- assortment.openedSince
		select item_id from publication `+timed+` and (publish_from > :since and publish_from <= :now
			or publish_to > :since and publish_to <= :now)`, db.Args{"channel": record.Fold(c.Code), "since": since})
}
