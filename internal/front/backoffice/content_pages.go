package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// The permissions of pages, and the address by which home pages go, which have no slug: no slug is a lone hyphen.
const (
	readsPages  = "content-pages:read"
	writesPages = "content-pages:write"
	homeSlug    = "-"
)

// contentPath is the address of a store's page in the office.
func contentPath(channelCode, slug string, more ...string) string {
	slug = cmp.Or(slug, homeSlug)
	return page.Path(append([]string{"pages", channelCode, slug}, more...)...)
}

// slugOf is the slug of the page that an address names.
func slugOf(c *page.Ctx) string { return strings.TrimPrefix(c.Path("slug"), homeSlug) }

// loadContent is the page that the address names, as people work on it.
func loadContent(c *page.Ctx) (content.WorkingPage, error) {
	return content.FindWorking(c.Tx, c.Path("channel"), slugOf(c))
}

// ofContent is what a form of a part of a page changes: its draft, where it has one.
func ofContent[T any](c *page.Ctx, _ T) (page.Origin, error) {
	d, err := loadContent(c)
	if d.HasDraft() {
		return page.Origin{Root: d.Draft.Root, By: d.Draft.SavedBy}, err
	}
	return page.Origin{Resource: content.Pages, Root: d.Live.Root}, err
}

func toPreview(c *page.Ctx) string { return contentPath(c.Path("channel"), slugOf(c), "preview") }

func toContent(c *page.Ctx) string { return contentPath(c.Path("channel"), slugOf(c)) }

func contentCrumbs(c *page.Ctx) []page.Link {
	out := []page.Link{{Label: c.Say("Pages and posts"), Href: "/pages"}}
	if p, err := loadContent(c); err == nil {
		out = append(out, page.Link{Label: p.Title, Href: toContent(c)})
	}
	return out
}

// contentState is what visitors see of a page.
func contentState(p content.Page) page.Value {
	switch {
	case !p.IsPublished:
		return page.Badge("Draft", page.Plain)
	case p.PublishDate != 0:
		return page.Badge("Published from its date", page.Calm)
	}
	return page.Badge("Published", page.Good)
}

// contentPages are the pages in which people write what stores give to read.
func (o Office) contentPages() []page.Page {
	return append([]page.Page{contentList(), o.contentRecord(), newContent(), editContent(), contentLayout(),
		o.previewContent(), o.contentVersion()},
		append(o.contentSections(), o.library()...)...)
}

func contentList() page.Page {
	return page.List[listedPage]{Path: "/pages", Title: "Pages and posts", Permission: readsPages, Menu: true,
		Search: "Address or title",
		Lead:   "What each store gives people to read: its home page, standing pages, blog posts and news.",
		Filters: []page.Filter{page.ChoiceOf("store", "Store", channels.offered),
			page.Choice("type", "Type", page.Options(content.PageType("").Values())),
			page.Flag("published", "Status", "Published", "Draft"), page.Match("tag", "Tag")},
		Find: listContent,
		Href: func(p listedPage) string { return contentPath(p.ChannelCode, p.Slug) },
		Columns: func(p listedPage) []page.Column {
			return []page.Column{page.Col("Title", page.T(p.Title)),
				page.Col("Status", page.Each(append([]page.Value{contentState(p.Page)}, draftState(p.draft)...)...)),
				page.Minor("Type", page.Word(page.Words(string(p.Type)))),
				page.Minor("Store", channels.of(p.ChannelCode)), page.Minor("Address", page.T(p.Slug)),
				page.Minor("Tags", page.T(strings.Join(p.Tags, ", "))),
				page.Minor("Changed", page.At(p.ChangedAt))}
		},
		New: []page.Go{{Label: "New page", Path: "/new/pages", Primary: true}}}
}

// listedPage is a page in the list, with its draft.
type listedPage struct {
	content.Page
	draft content.Draft
}

func listContent(c *page.Ctx, q page.Query) (out record.Found[listedPage], err error) {
	found, err := content.ListAll(c.Tx, q.Get("store"), content.Filter{Type: content.PageType(q.Get("type")),
		IsPublished: q.Bool("published"), Tag: q.Get("tag"), Search: q.Search}, q.Page)
	if err != nil {
		return out, err
	}
	ids := each.Of(found.Items, func(p content.Page) string { return p.ID })
	drafts, err := content.Drafts(c.Tx, ids)
	return listed(found, func(p content.Page) listedPage { return listedPage{p, drafts[p.ID]} }), err
}

// pageHead are what stands in a page's head.
func pageHead(c *page.Ctx, p *content.Page) []page.Field {
	types := each.Where(page.Options(content.PageType("").Values()), func(t page.Option) bool {
		return t.Value != string(content.Home)
	})
	return []page.Field{
		page.Select("channelCode", "Store", &p.ChannelCode, channels.offered(c)).Required().FixedIf(p.ID != ""),
		page.Select("pageType", "Type", &p.Type, types).Required(), page.Text("title", "Title", &p.Title).Required(),
		page.Text("slug", "Address", &p.Slug).Required().
			Hint(
				"Lower-case letters, digits and hyphens, such as about-us. Where it changes, the old address leads to the new one."),
		page.Items("tags", "Tags, one a line", &p.Tags), page.Prose("excerpt", "What lists show of it", &p.Excerpt),
		page.Text("authorName", "Author", &p.AuthorName),
		page.Text("featuredImageUrl", "Picture", &p.FeaturedImageURL).Max(2000).
			Lookup(findPictures + query(p.ChannelCode)).Picture(),
		page.Group("Publication", page.Moment("publishDate", "Visitors see it from", &p.PublishDate).
			Hint("Left empty: at once when it is published."), page.Text("parentSlug", "Address of the page above",
			&p.ParentSlug),
			page.Check("showInNavigation", "The menu leads to it", &p.ShowInNavigation),
			page.Number("sortOrder", "Sort order", &p.SortOrder)),
		page.Prose("metaDescription", "Description for search engines", &p.MetaDescription),
	}
}

func newContent() page.Page {
	return page.Form[content.Page]{Path: "/new/pages", Title: "New page", Permission: writesPages,
		Fields: pageHead, Lead: "It is a draft until you publish it; its sections come next.", Submit: "Make the page",
		Load: func(c *page.Ctx) (content.Page, error) {
			return content.Page{Type: content.Standing, ChannelCode: firstOf(channels.offered(c), c.Query("store"))}, nil
		},
		Save: page.Made(content.Page{}, func(c *page.Ctx, p content.Page) (page.Done, error) {
			p, err := content.Create(c.Tx, p.ChannelCode, p)
			return page.Went(contentPath(p.ChannelCode, p.Slug), "The page is made, as a draft."), err
		})}
}

// firstOf is what was asked for, or the only choice there is.
func firstOf(options []page.Option, asked string) string {
	if asked == "" && len(options) == 1 {
		return options[0].Value
	}
	return asked
}

func editContent() page.Page {
	return page.Form[content.Page]{Path: "/pages/{channel}/{slug}/edit", Title: "Title, address and publication",
		Permission: writesPages, Crumbs: contentCrumbs, Fields: pageHead, Back: toContent, Resource: content.Pages,
		Of: ofContent[content.Page], Seen: toPreview,
		Lead: "Of a page that is published, title, texts, picture and tags wait in its draft until that is published. Address, publication and menu change at once.",
		Load: func(c *page.Ctx) (content.Page, error) {
			d, err := loadContent(c)
			if err == nil && d.Type == content.Home {
				_, err = content.Find(c.Tx, d.ChannelCode, "")
			}
			return d.Page, err
		},
		Save: func(c *page.Ctx, lay func(*content.Page) error) (page.Done, error) {
			p, err := content.ChangeWorking(c.Tx, c.Path("channel"), slugOf(c), lay)
			return page.Went(contentPath(p.ChannelCode, p.Slug), "Saved."), err
		}}
}

// layout is how a page is laid out, for its form.
type layout struct {
	record.Root
	content.Config
}

func contentLayout() page.Page {
	return page.Form[layout]{Path: "/pages/{channel}/{slug}/layout", Title: "Layout", Permission: writesPages,
		Crumbs: contentCrumbs, Back: toContent, Resource: content.Pages, Of: ofContent[layout],
		Seen: toPreview, Load: func(c *page.Ctx) (layout, error) {
			p, err := loadContent(c)
			return layout{p.Root, p.Config}, err
		},
		Fields: func(_ *page.Ctx, l *layout) []page.Field {
			return []page.Field{page.Radio("layout", "Layout", &l.Layout, page.Options(content.Layout("").Values())).
				Required(), page.Check("fullWidth", "Takes the window's whole width", &l.FullWidth)}
		},
		Save: func(c *page.Ctx, lay func(*layout) error) (page.Done, error) {
			err := content.ArrangeWorking(c.Tx, c.Path("channel"), slugOf(c), func(cfg *content.Config) error {
				l := layout{Config: *cfg}
				err := lay(&l)
				cfg.Layout, cfg.FullWidth = l.Layout, l.FullWidth
				return err
			})
			return page.Did("Saved."), err
		}}
}

func (o Office) contentRecord() page.Page {
	return page.Record[content.WorkingPage]{Path: "/pages/{channel}/{slug}", Permission: readsPages, Resource: content.Pages,
		Load: loadContent, Show: o.showContent, Actions: contentActions(),
		Edit: func(c *page.Ctx, p content.WorkingPage) []page.Go {
			buttons := []page.Go{{Label: "Preview", Path: contentPath(p.ChannelCode, p.Slug, "preview")}}
			if p.Type != content.Home {
				buttons = append(buttons, page.Go{Label: "Title, address and publication",
					Path: contentPath(p.ChannelCode, p.Slug, "edit")})
			}
			return buttons
		}}
}

// deadLinks tells an editor which links lead nowhere, and where they are mended.
func deadLinks(c *page.Ctx, p content.WorkingPage, dead []content.DeadLink) page.Part {
	grid := page.Grid{Title: "Links that lead nowhere", Heads: []string{"Section", "Link", "What is wrong"}}
	for _, d := range dead {
		name := c.Say(page.Words(string(d.Section.Type)))
		if d.Section.Title != nil && *d.Section.Title != "" {
			name = *d.Section.Title
		}
		section := page.To(name, contentPath(p.ChannelCode, p.Slug, "sections", *d.Section.ID))
		grid.Rows = append(grid.Rows, []page.Value{section, page.T(d.Link), page.Badge(d.Why, page.Warn)})
	}
	return grid.IfAny()
}

func (o Office) showContent(c *page.Ctx, p content.WorkingPage) (page.Sheet, error) {
	s := page.Sheet{Title: p.Title, Badges: append([]page.Value{contentState(p.Live)}, draftState(p.Draft)...)}
	ch, err := channel.Find(c.Tx, p.ChannelCode)
	if err != nil {
		return s, err
	}
	dead, err := content.DeadLinks(c.Tx, ch, content.InOrder(p.Sections))
	if err != nil {
		return s, err
	}
	s.Parts = []page.Part{deadLinks(c, p, dead), sectionsOf(c, p.Page)}
	at := p.Path(ch)
	facts := page.Facts{Title: "Page",
		Facts: []page.Fact{{Label: "Store", Value: page.To(ch.Name, page.Path("stores", ch.Code))},
			{Label: "Type", Value: page.Word(page.Words(string(p.Type)))}, {Label: "Address", Value: page.Copied(at)},
			{Label: "Visitors see it from", Value: page.At(p.PublishDate)},
			{Label: "Published", Value: page.At(p.PublishedAt)}, {Label: "Author", Value: page.T(p.AuthorName)},
			{Label: "Tags", Value: page.T(strings.Join(p.Tags, ", "))},
			{Label: "The menu leads to it", Value: page.YesNo(p.ShowInNavigation)},
			{Label: "Description for search engines", Value: page.T(p.MetaDescription)}}}
	if p.IsPublished && p.PublishDate <= c.Tx.Now && ch.URL() != "" {
		facts.Facts[2].Value = page.To(at, strings.TrimSuffix(ch.URL(), "/")+at)
	}
	looks := page.Facts{Title: "Layout",
		Go: []page.Go{{Label: "Edit", Path: contentPath(p.ChannelCode, p.Slug, "layout")}},
		Facts: []page.Fact{
			{Label: "Layout", Value: page.Word(page.Words(string(p.Layout)))},
			{Label: "Takes the window's whole width", Value: page.YesNo(p.FullWidth)}}}
	versions, err := content.Versions(c.Tx, p.Live)
	if err != nil {
		return s, err
	}
	saved := page.Grid{Title: "Versions", Heads: []string{"Version", "Saved", "By"},
		Empty: "None yet: a version is kept with every saving."}
	for _, v := range versions[:min(len(versions), versionsShown)] {
		saved.Rows = append(saved.Rows,
			[]page.Value{page.To(versionNumber(v.Number),
				contentPath(p.ChannelCode, p.Slug, "versions", versionNumber(v.Number))), page.At(v.SavedAt),
				page.T(v.SavedBy)})
	}
	s.Side = []page.Part{draftFacts(c, p), facts, looks, saved}
	return s, nil
}

// versionsShown is how many versions a page's record shows.
const versionsShown = 20
