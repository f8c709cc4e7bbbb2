package content

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// shownPages are the slugs of a store's pages and posts that are there, and whether visitors see each.
func shownPages(tx *db.Tx, channelCode string, slugs []string) (map[string]bool, error) {
	return db.Pairs[string, bool](tx, `-- content.shownPages
		select slug, case when `+shownToVisitors+` then 1 else 0 end from content_page
		where company = :company and channel_key = :channel and slug in (:slugs)`,
		db.Args{"channel": record.Fold(channelCode), "slugs": slugs, "now": tx.Now})
}
