package channel

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

var publications = record.TableOf(Publications, record.Layout[Publication]{
	Fixed: "item_id, item_number, channel_code",
	Changing: "is_published, slug, title, short_description, description, meta_title, meta_description, sort_order, " +
		"publish_from, publish_to, is_featured, is_purchasable, allow_backorder",
	Named: (*Publication).Key,
	Derived: func(p *Publication) db.Args {
		return db.Args{"item_key": record.Fold(p.ItemNumber), "channel_key": record.Fold(p.ChannelCode)}
	},
})

// FindPublication reads one publication. ItemChannel.NotFound.
func FindPublication(tx *db.Tx, itemNumber, channelCode string) (Publication, error) {
	p, found, err := publications.One(tx, "channel.FindPublication", "item_key = :item and channel_key = :channel",
		db.Args{"item": record.Fold(itemNumber), "channel": record.Fold(channelCode)})
	if err == nil && !found {
		err = notPublished(itemNumber, channelCode)
	}
	return p, err
}

// ListPublications reads a page of publications by item number and channel.
func ListPublications(tx *db.Tx, f PublicationFilter, p record.Page) (record.Found[Publication], error) {
	q := publications.Query("channel.ListPublications")
	q.Key = []string{"item_key", "channel_key"}
	q.Sorts = map[string][]string{"item": {"item_key", "channel_key"}}
	q.Given("item_key = :item", record.Fold(f.ItemNumber))
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Given("is_published = :published", f.IsPublished)
	return record.ListOf(tx, q, p, publications.Scan)
}

// lockPublications reads the publications of items in channels for update, by folded keys.
func lockPublications(tx *db.Tx, items, channels []string) (map[pair]Publication, error) {
	rows, err := publications.Where(tx, "channel.lockPublications",
		"item_key in (:items) and channel_key in (:channels) order by id for update",
		db.Args{"items": items, "channels": channels})
	return each.By(rows, Publication.pair), err
}

// lockOfItem reads every publication of an item for update.
func lockOfItem(tx *db.Tx, item string) ([]Publication, error) {
	return publications.Where(tx, "channel.lockOfItem", "item_key = :item order by id for update", db.Args{"item": item})
}

// slugsTaken finds who has the slugs in the channels.
func slugsTaken(tx *db.Tx, channels, slugs []string) (map[slot]pair, error) {
	return db.ByKey(tx, `-- channel.slugsTaken
		select channel_key, slug, item_key from publication
		where company = :company and channel_key in (:channels) and slug in (:slugs)`,
		db.Args{"channels": channels, "slugs": slugs}, func(r db.Row, s *slot, by *pair) error {
			err := r.Scan(&s.channel, &s.slug, &by.item)
			by.channel = s.channel
			return err
		})
}

// ShownSlugs are the slugs of a channel's products that are there, and whether visitors see each.
func ShownSlugs(tx *db.Tx, code string, slugs []string) (map[string]bool, error) {
	return db.ByKey(tx, `-- channel.ShownSlugs
		select slug, is_published, publish_from, publish_to from publication
		where company = :company and channel_key = :channel and slug in (:slugs)`,
		db.Args{"channel": record.Fold(code), "slugs": slugs}, func(r db.Row, slug *string, is *bool) error {
			var p Publication
			err := r.Scan(slug, &p.IsPublished, &p.PublishFrom, &p.PublishTo)
			*is = p.IsPublished && p.PublishFrom <= tx.Now && (p.PublishTo == 0 || tx.Now < p.PublishTo)
			return err
		})
}
