package exchange

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

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
		booker: eachAlone(bookPage), export: exportPages,
		fields: append(of[content.Page](
			must(key(column(code, "channelCode", "channel", "store"))),
			key(column(nameText, "slug")),
			as("Type", column(code, "pageType", "type")),
			column(nameText, "title"),
			key(truth("isPublished", "published")),
			column(code, "publishDate"),
			column(nameText, "parentSlug", "parent"),
			truth("showInNavigation"),
			number("sortOrder"),
			column(manyText, "tags"),
			column(nameText, "authorName", "author"),
			column(note, "excerpt"),
			column(path, "featuredImageUrl", "image"),
			column(note, "metaDescription"),
		), of[content.Config](
			column(code, "layout"),
			truth("fullWidth"),
			apart(column(sectionText, "sections")),
		)...)}
}

// bookPage books a page by its store and slug. A page stands after the one above it.
func bookPage(tx *db.Tx, r *row) error {
	before, after, err := writePage(tx, r)
	if err != nil {
		return err
	}
	r.became(revised(before, after))
	return nil
}

// writePage makes or changes a page: its head, what it shows, and whether visitors see it.
func writePage(tx *db.Tx, r *row) (before, after int64, err error) {
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
	c.lay(p)
	c.lay(config)
	c.flag("isPublished", published)
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

// exportPages writes every page after the one above it.
func exportPages(tx *db.Tx, p *printer) error {
	var all []content.Page
	err := record.Walk(record.Page{Size: pageOf}, func(page record.Page) (record.Found[content.Page], error) {
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
	return p.record(beside{"sections": sections}, one, one.Config)
}
