package ecom

import (
	"kontor/internal/business/content"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Content is what a store gives people to read beside its goods.
func Content(w Window, e Access) rest.Group {
	return rest.Group{Tag: "Content", Scope: rest.ScopeSession,
		Doc: "The store's home page, standing pages, blog and news, with their sections resolved into cards.",
		Ops: []rest.Op{
			rest.Get("getStoreHome", "/content/home", "The home page.", w.getStoreHome).CachedByView().Indexed(),
			rest.List("listStorePages", "/content/pages", "The standing pages, without their sections.",
				listSeen(content.Standing)),
			rest.Get("getStorePage", "/content/pages/{slug}", "One standing page.", w.getSeen(content.Standing)).
				Raises(content.ErrNotFound).CachedByView().Indexed(), rest.List("listBlogPosts", "/content/blog",
				"The blog posts without their sections, the newest first.",
				listSeen(content.BlogPost)),
			rest.Get("getBlogPost", "/content/blog/{slug}", "One blog post.", w.getSeen(content.BlogPost)).
				Raises(content.ErrNotFound).CachedByView().Indexed(), rest.List("listNews", "/content/news",
				"The news without their sections, the newest first.",
				listSeen(content.NewsPost)),
			rest.Get("getNewsPost", "/content/news/{slug}", "One news post.", w.getSeen(content.NewsPost)).
				Raises(content.ErrNotFound).CachedByView().Indexed(), rest.List("listContentTags", "/content/tags",
				"The tags of pages, posts and news with how many have them.",
				listContentTags).Extension(),
			rest.Before(rest.Do("submitContentForm", "/content/forms/{sectionId}",
				"Submits what a visitor filled in: it becomes a ticket.", submitContentForm),
				mayWrite[submitContentFormIn](e)).
				Answers(202).Extension().Raises(content.ErrFormNotFound, content.ErrFormInvalid).
				Example(`{"values": {"email": "anna@example.com", "message": "Do you deliver to Norway?"}}`),
		}}
}

// PageHead is a page without its sections.
type PageHead struct {
	wire.PageHead
	SEO SEO `json:"seo" of:"-" doc:"What stands in the page's head."`
	rest.Stamps
}

var pageHead = rest.Shown[PageHead, content.Page]()

func pageHeadOf(tx *db.Tx, p content.Page) PageHead {
	out := pageHead(p)
	out.SEO = SEO{Title: p.Title, Description: out.MetaDescription, CanonicalPath: p.Path(storefront.Of(tx).Channel)}
	return out
}

// PageSection is a section with what it shows of the store.
type PageSection struct {
	content.Shown
	Products   []Card         `json:"products" doc:"Of Products and ProductSpotlight: the products that the store has."`
	Categories []CategoryNode `json:"categories" doc:"Of Categories."`
	Brands     []BrandRow     `json:"brands" doc:"Of Brands."`
	Articles   []PageHead     `json:"articles" doc:"Of Articles: the newest first."`
}

// PageBody is how a page is laid out, and of what.
type PageBody struct {
	Layout    content.Layout `json:"layout" doc:"How the page is laid out."`
	FullWidth bool           `json:"fullWidth" doc:"Whether it takes the window's whole width."`
	Sections  []PageSection  `json:"sections" doc:"Its visible parts, in their order."`
}

// StorePage is a page as visitors see it.
type StorePage struct {
	PageHead
	Config PageBody `json:"config" doc:"How it is laid out, and of what."`
}

// pageOf resolves a page's sections.
func (w Window) pageOf(tx *db.Tx, p content.Page) (StorePage, error) {
	v := storefront.Of(tx).Viewer()
	edition, err := w.Edition(tx, v)
	if err != nil {
		return StorePage{}, err
	}
	found, err := content.Resolve(tx, v, edition, p.Sections)
	if err != nil {
		return StorePage{}, err
	}
	out := StorePage{PageHead: pageHeadOf(tx, p),
		Config: PageBody{p.Layout, p.FullWidth, make([]PageSection, len(p.Sections))}}
	for i, s := range found.Shown {
		if s.Form != nil { // where its tickets go is the company's own affair
			form := *s.Form
			form.QueueCode, s.Form = nil, &form
		}
		out.Config.Sections[i] = PageSection{s, each.Of(found.Products[i], w.cards(tx)),
			each.Of(found.Categories[i], nodeOf), each.Of(found.Brands[i], brandRowOf),
			each.Of(found.Posts[i], func(p content.Page) PageHead { return pageHeadOf(tx, p) })}
	}
	return out, nil
}

func (w Window) getStoreHome(tx *db.Tx, _ struct{}) (StorePage, error) {
	p, err := content.Seen(tx, storefront.Of(tx).Channel, content.Home, "")
	if err != nil {
		return StorePage{}, err
	}
	return w.pageOf(tx, p)
}

// getSeen reads a page of a type.
func (w Window) getSeen(t content.PageType) func(tx *db.Tx, in rest.Key) (StorePage, error) {
	return func(tx *db.Tx, in rest.Key) (StorePage, error) {
		p, err := content.Seen(tx, storefront.Of(tx).Channel, t, in.Key)
		if err != nil {
			return StorePage{}, err
		}
		return w.pageOf(tx, p)
	}
}

type listSeenIn struct {
	rest.Paging
	Tag string `query:"tag" text:"name" doc:"Those with this tag; upper and lower case are the same."`
}

// listSeen lists pages of a type.
func listSeen(t content.PageType) func(tx *db.Tx, in listSeenIn) (rest.Paged[PageHead], error) {
	return func(tx *db.Tx, in listSeenIn) (rest.Paged[PageHead], error) {
		found, err := content.ListSeen(tx, storefront.Of(tx).Channel, t, in.Tag, in.Record())
		return rest.PageOf(found, in.Paging, func(p content.Page) PageHead { return pageHeadOf(tx, p) }), err
	}
}

// ContentTag is a tag with how many have it.
type ContentTag struct {
	Tag   string `json:"tag" doc:"As one of them writes it."`
	Count int    `json:"count" doc:"Pages, posts and news with it."`
}

func listContentTags(tx *db.Tx, in pageIn) (rest.Paged[ContentTag], error) {
	all, err := content.Tags(tx, storefront.Of(tx).Channel)
	return rest.PageOfAll(all, in.Paging, func(t content.Tag) ContentTag { return ContentTag{t.Name, t.Pages} }), err
}

type submitContentFormIn struct {
	SectionID string `path:"sectionId" format:"uuid" doc:"Id of the Form section."`
	Body      struct {
		Values map[string]string `json:"values" max:"4000" maxItems:"100" doc:"What was filled in, by the names of the form's fields. A value of the field website, which no person sees, marks a robot."`
	}
}
