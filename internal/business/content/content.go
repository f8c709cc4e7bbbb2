// Package content is what a store gives people to read beside its goods: the home page, standing pages, posts and news,
// each a list of typed sections, and the articles of its help.
//
// Texts of people are never trusted: HTML is sanitised when it is written, addresses may only lead where addresses of
// pages lead, and business keys must exist. What may be read is decided in one place, the condition shown in
// page_sql.go.
package content

import (
	"cmp"
	"net/url"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// The resources of this room.
var (
	Pages    = record.Define("content-pages", "content_page", "ContentPage", "content_form")
	Articles = record.Define("help-articles", "help_article", "HelpArticle")
)

// What this room refuses.
var (
	ErrNotFound        = fault.New(fault.NotFound, "ContentPage.NotFound")
	ErrExists          = fault.New(fault.Conflict, "ContentPage.AlreadyExists")
	ErrInUse           = fault.New(fault.Conflict, "ContentPage.InUse")
	ErrInvalid         = fault.New(fault.Invalid, "ContentPage.Invalid")
	ErrParent          = fault.New(fault.Invalid, "ContentPage.ParentNotFound")
	ErrCycle           = fault.New(fault.Invalid, "ContentPage.Cycle")
	ErrSection         = fault.New(fault.Invalid, "ContentPage.InvalidSection")
	ErrUnknownCode     = fault.New(fault.Invalid, "ContentPage.UnknownCode")
	ErrFormNotFound    = fault.New(fault.NotFound, "ContentForm.NotFound")
	ErrFormInvalid     = fault.New(fault.Invalid, "ContentForm.Invalid")
	ErrArticleNotFound = fault.New(fault.NotFound, "HelpArticle.NotFound")
	ErrArticleInvalid  = fault.New(fault.Invalid, "HelpArticle.Invalid")
	ErrArticleExists   = fault.New(fault.Conflict, "HelpArticle.AlreadyExists")
)

// PageType is what sort of text a page is.
type PageType string

// The types of pages. There is one Home a channel.
const (
	Home     PageType = "Home"
	Standing PageType = "Page"
	BlogPost PageType = "BlogPost"
	NewsPost PageType = "NewsPost"
)

// Values are all types.
func (PageType) Values() []PageType { return []PageType{Home, Standing, BlogPost, NewsPost} }

// Layout is how a page is laid out.
type Layout string

// The layouts.
const (
	Standard Layout = "Standard"
	Sidebar  Layout = "Sidebar"
	Landing  Layout = "Landing"
)

// Values are all layouts.
func (Layout) Values() []Layout { return []Layout{Standard, Sidebar, Landing} }

// Page is a page of a channel.
type Page struct {
	record.Root
	ChannelCode      string
	Type             PageType `db:"page_type"`
	Slug             string   // unique in the channel; "" of the home page
	Title            string
	IsPublished      bool
	PublishedAt      db.Time // 0 = not published
	PublishDate      db.Time `db:"publishes_at"` // hidden from visitors until then; 0 = none
	ParentSlug       string
	ShowInNavigation bool `db:"is_in_navigation"`
	SortOrder        int
	Tags             []string `db:",lines"`
	AuthorName       string
	Excerpt          string
	FeaturedImageURL string `db:"image_url"`
	MetaDescription  string
	Config
}

// Config is how a page is laid out, and of what.
type Config struct {
	Layout    Layout
	FullWidth bool      `db:"is_full_width"`
	Sections  []Section `db:",json"`
}

// Key is the page's business key.
func (p *Page) Key() string { return url.PathEscape(p.ChannelCode) + "/" + p.Slug }

// Path is the page's address in its channel's shop.
func (p *Page) Path(c channel.Channel) string {
	switch p.Type {
	case Home:
		return "/"
	case BlogPost:
		return c.Paths.BlogPath(p.Slug)
	case NewsPost:
		return channel.NewsPath(p.Slug)
	}
	return c.Paths.PagePath(p.Slug)
}

// datedAt is what posts are sorted by.
func (p *Page) datedAt() db.Time { return cmp.Or(p.PublishDate, p.PublishedAt, p.CreatedAt) }

// slugForm is what an address of a page may hold.
var slugForm = lazy.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const slugRule = "%q may hold lower-case letters a to z, digits and single hyphens between them only: %q would do"
