package content

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Seen is the page of a type with this slug as a visitor sees it: published, its date come, its hidden sections left
// out and the others in their order. ContentPage.NotFound for any other.
//
// It says what an answer depends on that shows the page with what Resolve finds for it, but for what the shown goods
// say of themselves.
func Seen(tx *db.Tx, c channel.Channel, t PageType, slug string) (p Page, err error) {
	deps := assortment.DependsOn(tx).With(tx, db.Ref{Resource: Pages.Name})
	if t == Home {
		p, _, err = home(tx, c, "")
	} else {
		p, err = find(tx, c, slug, "")
	}
	if err != nil {
		return p, err
	}
	if p.Type != t || !p.IsPublished || p.PublishDate > tx.Now {
		return Page{}, notFound(c, slug)
	}
	until, err := p.changesBy(tx, c)
	tx.AnswerDependsOn(deps.Within(0, until))
	if err != nil {
		return p, err
	}
	p.Sections = Visible(p.Sections, tx.Now)
	one := []Page{p}
	err = placed(tx, c, one)
	return one[0], err
}

// placed leaves pages below those alone that visitors see.
func placed(tx *db.Tx, c channel.Channel, pages []Page) error {
	above := each.Given(pages, func(p Page) string { return p.ParentSlug })
	if len(above) == 0 {
		return nil
	}
	shown, err := shownPages(tx, c.Code, above)
	for i := range pages {
		if p := &pages[i]; !shown[p.ParentSlug] {
			p.ParentSlug = ""
		}
	}
	return err
}

// changesBy is when time alone makes a page another: a banner begins or ends, or a post or the page above it appears;
// 0 = never.
func (p *Page) changesBy(tx *db.Tx, c channel.Channel) (next db.Time, err error) {
	if p.ParentSlug != "" || slices.ContainsFunc(p.Sections, func(s Section) bool { return s.Type == Posts }) {
		next, err = NextPublished(tx, c)
	}
	for _, s := range p.Sections {
		for _, at := range []db.Time{or(s.BannerStart, 0), or(s.BannerEnd, 0)} {
			if at > tx.Now && (next == 0 || at < next) {
				next = at
			}
		}
	}
	return next, err
}

// Visible are the sections that visitors see at a moment, in their order.
func Visible(sections []Section, now db.Time) []Section {
	return slices.DeleteFunc(InOrder(sections), func(s Section) bool {
		return !*s.IsVisible || s.BannerStart != nil && *s.BannerStart > now || s.BannerEnd != nil &&
			*s.BannerEnd <= now
	})
}

// InOrder are sections in the order in which a page shows them.
func InOrder(sections []Section) []Section {
	out := slices.Clone(sections)
	slices.SortStableFunc(out, func(a, b Section) int { return cmp.Compare(or(a.SortOrder, 0), or(b.SortOrder, 0)) })
	return out
}

// ListSeen reads the heads of pages that visitors see: posts and news the newest first, standing pages by sort order
// and slug.
func ListSeen(tx *db.Tx, c channel.Channel, t PageType, tag string, p record.Page) (record.Found[Page], error) {
	q := record.Query{Name: "content.ListSeen", Select: headColumns, From: "content_page",
		Key: []string{"dated_at desc", "slug desc"}}
	if t == Standing {
		q.Name, q.Key = "content.ListSeen pages", []string{"sort_order", "slug"}
	}
	q.Where("channel_key = :channel and page_type = :type and "+shownToVisitors,
		db.Args{"channel": record.Fold(c.Code), "type": t, "now": tx.Now})
	q.Given("instr(tag_keys, :tag) > 0", tagKey(tag))
	found, err := record.ListOf(tx, q, p, scanHead)
	if err != nil {
		return found, err
	}
	return found, placed(tx, c, found.Items)
}

// NewestPosts are the heads of the newest posts and news that visitors see, so many of each type. One statement.
func NewestPosts(tx *db.Tx, c channel.Channel, most int) ([]Page, error) {
	part := func(t PageType) string {
		return `select * from (select ` + headColumns + `, dated_at from content_page where company = :company and channel_key = :channel
			and page_type = '` + string(t) + `' and ` + shownToVisitors +
			` order by dated_at desc, slug desc limit :most) as ` + strings.ToLower(string(t))
	}
	posts, err := db.Rows(tx, `-- content.NewestPosts
		select `+headColumns+` from (`+part(BlogPost)+` union all `+part(NewsPost)+
		`) as posts order by dated_at desc, slug desc`, db.Args{"channel": record.Fold(c.Code), "now": tx.Now,
		"most": most}, scanHead)
	if err != nil {
		return nil, err
	}
	return posts, placed(tx, c, posts)
}

// Tag is a word that pages are found by, and how many of those that visitors see have it.
type Tag struct {
	Name  string
	Pages int
}

// Tags are the tags of what visitors see, those of most pages first.
func Tags(tx *db.Tx, c channel.Channel) ([]Tag, error) {
	var all []Tag
	at := map[string]int{}
	err := tx.Each(`-- content.Tags
		select tags from content_page where company = :company and channel_key = :channel and tags <> '' and `+
		shownToVisitors+` order by slug`, db.Args{"channel": record.Fold(c.Code), "now": tx.Now}, func(r db.Row) error {
		var names db.Lines
		if err := r.Scan(&names); err != nil {
			return err
		}
		for _, name := range names {
			i, ok := at[record.Fold(name)]
			if !ok {
				i = len(all)
				at[record.Fold(name)] = i
				all = append(all, Tag{Name: name})
			}
			all[i].Pages++
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b Tag) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), strings.Compare(record.Fold(a.Name), record.Fold(b.Name)))
	})
	return all, err
}

// SeenForm is the form of a section that visitors of a store see. ContentForm.NotFound.
func SeenForm(tx *db.Tx, c channel.Channel, sectionID string) (page Page, s Section, err error) {
	err = tx.Each(`-- content.SeenForm
		select `+pageColumns+` from content_page where company = :company and channel_key = :channel and `+shownToVisitors+`
			and id in (select page_id from content_form where company = :company and section_id = :section) order by id limit 1`,
		db.Args{"channel": record.Fold(c.Code), "now": tx.Now, "section": strings.ToLower(sectionID)},
		func(r db.Row) error { return scanPage(r, &page) })
	if err != nil {
		return page, s, err
	}
	for _, s := range page.Sections {
		if strings.EqualFold(*s.ID, sectionID) && s.Form != nil && *s.IsVisible {
			return page, s, nil
		}
	}
	return page, s, ErrFormNotFound.Because("the store has no form %q", sectionID)
}
