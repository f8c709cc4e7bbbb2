package exchange

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// sectionText is how long the sections of a page may be as JSON: a page of 200 of them.
const sectionText = 2_000_000

// pageKind is what stores give people to read. The home page has no slug.
func pageKind() kind {
	return kind{name: "content-pages", shownKey: []string{"channelCode", "slug"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return contentPages{} }, export: exportPages,
		fields: []field{
			must(column(code, "channelCode", "channel", "store")),
			column(nameText, "slug"),
			column(code, "pageType", "type"),
			column(nameText, "title"),
			truth("isPublished", "published"),
			column(code, "publishDate"),
			column(nameText, "parentSlug", "parent"),
			truth("showInNavigation"),
			number("sortOrder"),
			column(manyText, "tags"),
			column(nameText, "authorName", "author"),
			column(note, "excerpt"),
			column(path, "featuredImageUrl", "image"),
			column(note, "metaDescription"),
			column(code, "layout"),
			truth("fullWidth"),
			column(sectionText, "sections"),
		}}
}

// contentPages books pages by their stores and slugs. A page stands after the one above it.
type contentPages struct{ plain }

func (contentPages) key(r *row) string {
	return record.Fold(r.get("channelCode")) + "\n" + strings.ToLower(r.get("slug"))
}

func (contentPages) book(tx *db.Tx, rows []*row) error {
	for _, r := range rows {
		before, after, err := bookPage(tx, r)
		if err != nil {
			return err
		}
		r.became(revised(before, after))
	}
	return nil
}

// bookPage makes or changes a page: its head, what it shows, and whether visitors see it.
func bookPage(tx *db.Tx, r *row) (before, after int64, err error) {
	store, slug := r.get("channelCode"), strings.ToLower(r.get("slug"))
	p, err := content.FindAny(tx, store, slug)
	isNew := fault.Is(err, content.ErrNotFound)
	if err != nil && !isNew {
		return 0, 0, err
	}
	if isNew {
		p = content.Page{Slug: slug, Type: content.Standing}
	}
	before = p.Version
	published, config := p.IsPublished, p.Config
	c := r.cells()
	c.page(&p, &published, &config)
	if err := c.wrong.Err(); err != nil {
		return 0, 0, err
	}
	switch {
	case isNew:
		p, err = content.Create(tx, store, p)
	case slug != "":
		head := p
		p, err = content.Change(tx, store, slug, func(now *content.Page) error { *now = head; return nil })
	}
	if err == nil && (c.has("sections") || c.has("layout") || c.has("fullWidth")) {
		if slug == "" {
			p, err = content.PutHome(tx, store, config)
		} else {
			p, err = content.PutConfig(tx, store, slug, config)
		}
	}
	if err != nil || slug == "" || published == p.IsPublished {
		return before, p.Version, err
	}
	if published {
		p, err = content.Publish(tx, store, slug)
	} else {
		p, err = content.Unpublish(tx, store, slug)
	}
	return before, p.Version, err
}

// page reads what the columns say of a page.
func (c *cells) page(p *content.Page, published *bool, config *content.Config) {
	choice(c, "pageType", &p.Type)
	choice(c, "layout", &config.Layout)
	c.text("title", &p.Title)
	c.flag("isPublished", published)
	c.moment("publishDate", &p.PublishDate)
	c.text("parentSlug", &p.ParentSlug)
	c.flag("showInNavigation", &p.ShowInNavigation)
	c.whole("sortOrder", &p.SortOrder)
	c.list("tags", &p.Tags)
	c.text("authorName", &p.AuthorName)
	c.text("excerpt", &p.Excerpt)
	c.text("featuredImageUrl", &p.FeaturedImageURL)
	c.text("metaDescription", &p.MetaDescription)
	c.flag("fullWidth", &config.FullWidth)
	if !c.has("sections") {
		return
	}
	config.Sections = []content.Section{}
	if text := c.get("sections"); text != "" {
		read := json.NewDecoder(strings.NewReader(text))
		read.DisallowUnknownFields()
		if err := read.Decode(&config.Sections); err != nil {
			c.wrong.Add(fault.ErrInvalid, "sections", "are no list of sections as the export writes it: %s",
				err.Error())
		}
	}
}

// moment reads a point in time; an empty cell clears it.
func (c *cells) moment(name string, into *db.Time) {
	if !c.has(name) {
		return
	}
	*into = 0
	v := c.get(name)
	if v == "" {
		return
	}
	at, err := time.Parse(time.RFC3339, v)
	if err != nil {
		c.wrong.Add(fault.ErrInvalid, name, "%q is no moment such as 2026-01-31T08:00:00Z", v)
		return
	}
	*into = db.TimeOf(at)
}

// exportPages writes every page after the one above it.
func exportPages(tx *db.Tx, p *printer) error {
	var all []content.Page
	err := eachPage(tx, pageOf, func(page record.Page) (record.Found[content.Page], error) {
		return content.ListAll(tx, "", content.Filter{}, page)
	}, func(some []content.Page) error { all = append(all, some...); return nil })
	if err != nil {
		return err
	}
	above := map[string]string{}
	for _, one := range all {
		above[one.ChannelCode+"\n"+one.Slug] = one.ParentSlug
	}
	depth := func(one content.Page) (n int) {
		for at := one.ParentSlug; at != "" && n < len(all); at = above[one.ChannelCode+"\n"+at] {
			n++
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b content.Page) int {
		return cmp.Or(cmp.Compare(a.ChannelCode, b.ChannelCode), cmp.Compare(depth(a), depth(b)))
	})
	for _, head := range all {
		one, err := content.FindAny(tx, head.ChannelCode, head.Slug)
		if err != nil {
			return err
		}
		if err := printPage(p, one); err != nil {
			return err
		}
	}
	return nil
}

func printPage(p *printer, one content.Page) error {
	sections := ""
	if len(one.Sections) > 0 {
		text, err := json.Marshal(one.Sections)
		if err != nil {
			return err
		}
		sections = string(text)
	}
	date := ""
	if one.PublishDate != 0 {
		date = one.PublishDate.Time().UTC().Format(time.RFC3339Nano)
	}
	return p.row(one.ChannelCode, one.Slug, string(one.Type), one.Title, flag(one.IsPublished), date, one.ParentSlug,
		flag(one.ShowInNavigation), whole(one.SortOrder), joined(one.Tags), one.AuthorName, one.Excerpt,
		one.FeaturedImageURL, one.MetaDescription, string(one.Layout), flag(one.FullWidth), sections)
}
