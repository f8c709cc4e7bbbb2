package assortment

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// countSearches adds to the day's counts.
func countSearches(tx *db.Tx, counts map[searched]int) error {
	// In one order, so that two nodes do not wait for each other.
	rows := slices.SortedFunc(maps.Keys(counts), func(a, b searched) int {
		return cmp.Or(cmp.Compare(a.channelKey, b.channelKey), cmp.Compare(a.text, b.text))
	})
	return tx.Upsert("search_count", "channel_key, day, text, searches", len(rows), func(i int) []any {
		return []any{rows[i].channelKey, tx.Today(), rows[i].text, counts[rows[i]]}
	},
		"on conflict (company, channel_key, day, text) do update set searches = search_count.searches + excluded.searches")
}

// writeViews keeps when sessions looked at products last.
func writeViews(tx *db.Tx, views map[view]db.Time) error {
	rows := slices.SortedFunc(maps.Keys(views),
		func(a, b view) int { return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.item, b.item)) })
	return tx.Upsert("product_view", "session_id, item_id, viewed_at", len(rows), func(i int) []any {
		return []any{rows[i].session, rows[i].item, views[rows[i]]}
	}, "on conflict (company, session_id, item_id) do update set viewed_at = excluded.viewed_at")
}

// viewsOf are the products that a session has looked at, and when last.
func viewsOf(tx *db.Tx, session string) (map[string]db.Time, error) {
	return db.Pairs[string, db.Time](tx, `-- assortment.viewsOf
		select item_id, viewed_at from product_view where company = :company and session_id = :session order by viewed_at desc limit :most`,
		db.Args{"session": session, "most": mostViews})
}

// popularDays is how far back searches count; they are kept twice as long.
const popularDays = 30

// phrasesOf are the words that were often searched for lately, the most popular first.
func phrasesOf(tx *db.Tx, c channel.Channel) (out []search.Phrase, err error) {
	return db.Rows(tx, `-- assortment.phrasesOf
		select text, sum(searches) as n from search_count where company = :company and channel_key = :channel and day > :since
		group by text having sum(searches) >= :often order by n desc, text limit :most`,
		db.Args{"channel": record.Fold(c.Code), "since": tx.Today().AddDays(-popularDays), "often": often,
			"most": mostPhrases}, func(r db.Row, p *search.Phrase) error {
			var n int64
			err := r.Scan(&p.Text, &n)
			p.Weight = int(n)
			return err
		})
}

// Sweep deletes counts of searches that are too old to be shown.
func Sweep(tx *db.Tx, _ string) (next string, err error) {
	return tx.SweepOut("assortment.Sweep", "search_count", "channel_key, day, text",
		"channel_key in (select c.code_key from channel c where c.company = :company) and day < :day",
		db.Args{"day": day.Of(tx.Now.Time(), time.UTC).AddDays(-2 * popularDays)})
}

// SweepViews forgets what visitors have looked at a week ago.
func SweepViews(tx *db.Tx, _ string) (next string, err error) {
	return tx.SweepOut("assortment.SweepViews", "product_view", "session_id, item_id", "viewed_at < :before",
		db.Args{"before": tx.Now - week})
}

// SweepRequests forgets whoever was told a week ago that an article is there again, or has waited for it for a year.
func SweepRequests(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("assortment.SweepRequests", "stock_request", "id", from,
		"told_at < :week or created_at < :year", db.Args{"week": tx.Now - week,
			"year": tx.Now - db.Time(365*24*time.Hour/time.Microsecond)})
}

// week is how long what a visitor did is remembered, and a day more.
const week = db.Time(8 * 24 * time.Hour / time.Microsecond)
