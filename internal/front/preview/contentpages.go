package preview

import (
	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// ContentPages are what each channel's shop gives people to read.
func ContentPages() rest.Group {
	one := []fault.Code{channel.ErrNotFound, content.ErrNotFound}
	head := []fault.Code{content.ErrExists, content.ErrInvalid, content.ErrParent, content.ErrCycle}
	const path = "/channels/{channelCode}/content-pages"
	return rest.Group{Tag: "ContentPages", Scope: "content-pages",
		Doc: "Home page, standing pages, blog posts and news of each channel.", Ops: []rest.Op{
			rest.List("listContentPages", path,
				"Pages, blog posts and news of a channel by sort order and slug, each with its sections.",
				listContentPages).
				Raises(channel.ErrNotFound).Cached(),
			rest.Create("createContentPage", path, "Creates a page, unpublished and without sections.",
				rest.Given[pageFields](shownContentPage, content.Create)).
				Raises(append(head, channel.ErrNotFound)...).
				Example(`{"slug": "about-us", "title": "About us", "pageType": "Page", "sortOrder": 10}`),
			rest.Get("getContentPage", path+"/{slug}", "One page with its sections.",
				rest.OfPart[rest.Part](shownContentPage, content.Find)).Raises(one...).
				Cached(), rest.Patch("updateContentPage", path+"/{slug}",
				"Changes what stands in a page's head. Another slug leaves a redirect.",
				rest.EditsPart[rest.Part, pageFields](shownContentPage, content.Change)).
				Raises(append(head, one...)...).Example(`{"metaDescription": "Who we are", "tags": ["company"]}`),
			rest.Delete("deleteContentPage", path+"/{slug}", "Deletes a page that is no other page's parent.",
				rest.GonePart[rest.Part](content.Delete)).
				Raises(append(one, content.ErrInUse)...),
			rest.Put("putContentPageConfig", path+"/{slug}/config", "Replaces the whole section list.",
				putContentPageConfig).Answers(200).
				Raises(append(one, content.ErrSection, content.ErrUnknownCode)...).
				Example(
					`{"layout": "Standard", "sections": [{"type": "Hero", "title": "Welcome", "heroImageUrl": "https://cdn.example.com/hero.jpg"}]}`),
			rest.Do("publishContentPage", path+"/{slug}/publish",
				"Makes a page visible, at once or from its publish date on.",
				rest.OfPart[rest.Part](shownContentPage, content.Publish)).Raises(one...),
			rest.Do("unpublishContentPage", path+"/{slug}/unpublish", "Hides a page.",
				rest.OfPart[rest.Part](shownContentPage, content.Unpublish)).
				Raises(one...), rest.Get("getHomePage", "/channels/{channelCode}/home-page",
				"The channel's home page, which it has from the start.", shownContentPage.Of(content.FindHome)).
				Raises(channel.ErrNotFound).Cached(),
			rest.Put("putHomePageConfig", "/channels/{channelCode}/home-page/config",
				"Replaces the home page's section list.",
				rest.Given[PageConfig](shownContentPage, content.PutHome)).Answers(200).
				Raises(channel.ErrNotFound, content.ErrSection, content.ErrUnknownCode).
				Example(
					`{"layout": "Landing", "fullWidth": true, "sections": [{"type": "Products", "productNumbers": ["A-100"], "productSort": "Manual"}]}`),
		}}
}

// PageConfig is how a page is laid out, and of what.
type PageConfig struct {
	Layout    content.Layout    `json:"layout" default:"Standard" doc:"How the page is laid out."`
	FullWidth bool              `json:"fullWidth" doc:"Whether it takes the window's whole width."`
	Sections  []content.Section `json:"sections" req:"true" minItems:"0" maxItems:"200" doc:"Its parts; an empty list empties the page."`
}

var pageConfig = rest.Written[PageConfig, content.Config]()

// pageFields are what may be written of a page's head.
type pageFields struct {
	Slug             string           `json:"slug" req:"true" text:"name" doc:"Unique in the channel: lower-case letters, digits, hyphens. Another one leaves a redirect."`
	Title            string           `json:"title" req:"true" text:"name"`
	PageType         content.PageType `json:"pageType" of:"Type" default:"Page" doc:"Page, BlogPost or NewsPost."`
	PublishDate      rest.Time        `json:"publishDate" doc:"Visitors see a published page from then on; null: at once."`
	ParentSlug       rest.Text        `json:"parentSlug" text:"name" doc:"Slug of the page above it."`
	ShowInNavigation bool             `json:"showInNavigation" doc:"Whether the shop's menu leads to it."`
	SortOrder        int              `json:"sortOrder"`
	Tags             *[]string        `json:"tags" maxItems:"50" doc:"Words that it is found by; null: none; upper and lower case are the same."`
	AuthorName       rest.Text        `json:"authorName" text:"name" doc:"Who wrote it."`
	Excerpt          rest.Text        `json:"excerpt" text:"note" doc:"What lists show of it."`
	FeaturedImageURL rest.Text        `json:"featuredImageUrl" text:"path" doc:"Picture of an article."`
	MetaDescription  rest.Text        `json:"metaDescription" text:"note" doc:"What search engines are told."`
}

// ContentPage is a page on the wire.
type ContentPage struct {
	rest.WideTag
	wire.PageHead
	Config PageConfig `json:"config" of:"-" doc:"How it is laid out, and of what."`
	rest.Stamps
	Links rest.Links `json:"links" of:"-"`
}

var shownContentPage = rest.Shows(contentPageShown)

var contentPage = rest.Shown[ContentPage, content.Page]()

func contentPageShown(p content.Page) ContentPage {
	self := rest.Self("/preview/channels/", p.ChannelCode, "content-pages", p.Slug)
	if p.Type == content.Home {
		self = rest.Self("/preview/channels/", p.ChannelCode, "home-page")
	}
	out := contentPage(p)
	out.Config, out.Links = PageConfig{p.Layout, p.FullWidth, p.Sections}, self
	return out
}

type listContentPagesIn struct {
	rest.Paging
	ChannelCode string           `path:"channelCode"`
	PageType    content.PageType `query:"pageType" doc:"Left out: all but the home page."`
	IsPublished *bool            `query:"isPublished"`
	Search      string           `query:"search" doc:"Part of slug or title."`
	Tag         string           `query:"tag" text:"name" doc:"Pages with this tag; upper and lower case are the same."`
}

func listContentPages(tx *db.Tx, in listContentPagesIn) (rest.Paged[ContentPage], error) {
	f := content.Filter{Type: in.PageType, IsPublished: in.IsPublished, Search: in.Search, Tag: in.Tag}
	found, err := content.List(tx, in.ChannelCode, f, in.Record())
	return rest.PageOf(found, in.Paging, contentPageShown), err
}

func putContentPageConfig(tx *db.Tx, in rest.With[rest.Part, PageConfig]) (ContentPage, error) {
	p, err := content.PutConfig(tx, in.At.Of, in.At.Key, pageConfig(in.Body))
	return contentPageShown(p), err
}
