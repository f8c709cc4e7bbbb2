package channel

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Resolved is the active redirect of a path, and whether there is one. The path is compared in its normal form, however
// its letters are encoded; a query is no part of it.
func Resolved(tx *db.Tx, c Channel, path string) (d Redirect, found bool, err error) {
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	return redirects.One(tx, "channel.Resolved", "channel_key = :channel and from_path in (:paths) and is_active = 1",
		db.Args{"channel": record.Fold(c.Code), "paths": spellings(normalPath(path))})
}

// countHits adds hits to their redirects. That a redirect was followed is no change of it: it gets no revision by that.
func countHits(tx *db.Tx, hits map[string]hit) error {
	for id, h := range hits {
		err := tx.Each(`-- channel.countHits
			update redirect set hit_count = hit_count + :count, last_hit_at = case when coalesce(last_hit_at, 0) > :at
			then last_hit_at else :at end
			where company = :company and id = :id returning channel_code`,
			db.Args{"id": id, "count": h.count, "at": h.at}, func(r db.Row) error {
				d := Redirect{}
				d.ID = id
				if err := r.Scan(&d.ChannelCode); err != nil {
					return err
				}
				tx.Touch(Redirects.Name, d.key()) // kept bytes show the count
				return nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}
