package channel

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const publicationFields = `is_published, slug, title, short_description, description, meta_title, meta_description,
	sort_order, publish_from,
	publish_to, is_featured, is_purchasable, allow_backorder`

const publicationColumns = record.RootColumns + ", item_id, item_number, channel_code, " + publicationFields

var publicationRow = db.Map[Publication](publicationColumns)

// FindPublication reads one publication. ItemChannel.NotFound.
func FindPublication(tx *db.Tx, itemNumber, channelCode string) (p Publication, err error) {
	key := Publication{ItemNumber: itemNumber, ChannelCode: channelCode}.pair()
	found := false
	err = tx.Each(`-- channel.FindPublication
		select `+publicationColumns+` from publication
		where company = :company and item_key = :item and channel_key = :channel`,
		db.Args{"item": key.item, "channel": key.channel}, func(r db.Row) error {
			found = true
			return publicationRow.Scan(r, &p)
		})
	if err == nil && !found {
		err = notPublished(itemNumber, channelCode)
	}
	return p, err
}

// ListPublications reads a page of publications by item number and channel.
func ListPublications(tx *db.Tx, f PublicationFilter, p record.Page) (record.Found[Publication], error) {
	q := record.Query{Name: "channel.ListPublications", Select: publicationColumns, From: "publication",
		Key: []string{"item_key", "channel_key"}, Stamp: "changed_at",
		Resources: []string{Publications.Name},
		Sorts:     map[string][]string{"item": {"item_key", "channel_key"}}}
	q.Given("item_key = :item", record.Fold(f.ItemNumber))
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Given("is_published = :published", f.IsPublished)
	return record.ListOf(tx, q, p, publicationRow.Scan)
}

// lockPublications reads the publications of items in channels for update, by folded keys.
func lockPublications(tx *db.Tx, items, channels []string) (map[pair]Publication, error) {
	found := map[pair]Publication{}
	err := tx.Each(`-- channel.lockPublications
		select `+publicationColumns+` from publication
		where company = :company and item_key in (:items) and channel_key in (:channels) order by id for update`,
		db.Args{"items": items, "channels": channels}, func(r db.Row) error {
			var p Publication
			if err := publicationRow.Scan(r, &p); err != nil {
				return err
			}
			found[p.pair()] = p
			return nil
		})
	return found, err
}

// lockOfItem reads every publication of an item for update.
func lockOfItem(tx *db.Tx, item string) (all []Publication, err error) {
	err = tx.Each(`-- channel.lockOfItem
		select `+publicationColumns+` from publication
		where company = :company and item_key = :item order by id for update`, db.Args{"item": item},
		func(r db.Row) error {
			all = append(all, Publication{})
			return publicationRow.Scan(r, &all[len(all)-1])
		})
	return all, err
}

// slugsTaken finds who has the slugs in the channels.
func slugsTaken(tx *db.Tx, channels, slugs []string) (map[slot]pair, error) {
	taken := map[slot]pair{}
	err := tx.Each(`-- channel.slugsTaken
		select channel_key, slug, item_key from publication
		where company = :company and channel_key in (:channels) and slug in (:slugs)`,
		db.Args{"channels": channels, "slugs": slugs}, func(r db.Row) error {
			var s slot
			var item string
			if err := r.Scan(&s.channel, &s.slug, &item); err != nil {
				return err
			}
			taken[s] = pair{item, s.channel}
			return nil
		})
	return taken, err
}

// ShownSlugs are the slugs of a channel's products that are there, and whether visitors see each.
func ShownSlugs(tx *db.Tx, code string, slugs []string) (map[string]bool, error) {
	out := map[string]bool{}
	return out, tx.Each(`-- channel.ShownSlugs
		select slug, is_published, publish_from, publish_to from publication
		where company = :company and channel_key = :channel and slug in (:slugs)`,
		db.Args{"channel": record.Fold(code), "slugs": slugs}, func(r db.Row) error {
			var slug string
			var p Publication
			err := r.Scan(&slug, &p.IsPublished, &p.PublishFrom, &p.PublishTo)
			out[slug] = p.IsPublished && p.PublishFrom <= tx.Now && (p.PublishTo == 0 || tx.Now < p.PublishTo)
			return err
		})
}

// writePublications stores publications, new and changed ones alike.
func writePublications(tx *db.Tx, rows []*Publication) error {
	err := tx.Upsert("publication", publicationColumns+", item_key, channel_key", len(rows), func(i int) []any {
		p := rows[i]
		key := p.pair()
		return append(publicationRow.Of(p), key.item, key.channel)
	}, db.Overwriting("id", publicationFields))
	if tx.Unique(err) {
		return ErrSlugTaken.Because(
			"another request has just published one of these items or taken one of these slugs: send the request again")
	}
	return err
}

func deletePublications(tx *db.Tx, ids []string) error {
	return tx.Delete(db.Args{"id": ids}, "publication")
}
