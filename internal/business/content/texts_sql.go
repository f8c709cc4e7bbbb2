package content

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// TextKind is what a published text is.
type TextKind string

// The kinds of texts.
const (
	PageText TextKind = "Page"
	HelpText TextKind = "HelpArticle"
)

// Published is a text that every visitor of a store may read.
type Published struct {
	ID        string
	Kind      TextKind
	Type      PageType // of a page
	Slug      string
	Path      string // address in the shop
	Title     string
	Topic     string // of a help article
	Language  string // BCP 47: the channel's own
	Plain     string // what it says, without HTML
	ChangedAt db.Time
	ShownFrom db.Time // a page's publish date; 0 = none
}

// HelpPath is the address that a help article's slug has in every channel's shop.
func HelpPath(slug string) string { return "/help/" + slug }

// Texts are all published texts of a channel's store: the home page, standing pages, posts and news that visitors see
// now, and the help articles. Two statements. A page whose publish date is to come is not among them: whoever keeps
// them looks again from time to time.
func Texts(tx *db.Tx, c channel.Channel) (all []Published, err error) {
	language := c.LanguageOr(tx.Info.Country)
	err = tx.Each(`-- content.Texts pages
		select id, page_type, slug, title, plain, changed_at, publishes_at from content_page
		where company = :company and channel_key = :channel and `+shownToVisitors+` order by sort_order, slug`,
		db.Args{"channel": record.Fold(c.Code), "now": tx.Now}, func(r db.Row) error {
			t := Published{Kind: PageText, Language: language}
			err := r.Scan(&t.ID, &t.Type, &t.Slug, &t.Title, &t.Plain, &t.ChangedAt, &t.ShownFrom)
			p := Page{Type: t.Type, Slug: t.Slug}
			t.Path = p.Path(c)
			all = append(all, t)
			return err
		})
	if err != nil {
		return nil, err
	}
	return all, tx.Each(`-- content.Texts help whole
		select id, slug, title, topic, plain, changed_at from help_article where company = :company order by topic_key,
		sort_order, slug`, nil,
		func(r db.Row) error {
			t := Published{Kind: HelpText, Language: language}
			err := r.Scan(&t.ID, &t.Slug, &t.Title, &t.Topic, &t.Plain, &t.ChangedAt)
			t.Path = HelpPath(t.Slug)
			all = append(all, t)
			return err
		})
}

// NextPublished is the moment at which visitors of a channel's store see another page by its publish date alone; 0 =
// none is to come.
func NextPublished(tx *db.Tx, c channel.Channel) (db.Time, error) {
	return db.Value[db.Time](tx, `-- content.NextPublished
		select coalesce(min(publishes_at), 0) from content_page
		where company = :company and channel_key = :channel and is_published = 1 and publishes_at > :now`,
		db.Args{"channel": record.Fold(c.Code), "now": tx.Now})
}
