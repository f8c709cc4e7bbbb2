package ecom

import (
	"cmp"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/front/rest"
)

// Store is a store's configuration.
type Store struct {
	ChannelCode         string               `json:"channelCode"`
	Name                string               `json:"name"`
	BaseURL             rest.Text            `json:"baseUrl" doc:"Where the shop is reached; addresses in mails, feed and sitemap begin with it."`
	ProductPath         string               `json:"productPath" doc:"Template with {slug}."`
	CategoryPath        string               `json:"categoryPath"`
	BrandPath           string               `json:"brandPath"`
	PagePath            string               `json:"pagePath"`
	BlogPath            string               `json:"blogPath"`
	CurrencyCode        string               `json:"currencyCode"`
	Languages           []string             `json:"languages"`
	DefaultLanguageCode string               `json:"defaultLanguageCode"`
	Countries           []string             `json:"countries" doc:"It delivers to; the first is the one assumed."`
	IsPriceIncludingTax bool                 `json:"isPriceIncludingTax" doc:"Prices are shown with tax unless the session chooses otherwise."`
	StockDisplay        channel.StockDisplay `json:"stockDisplay"`
	StockWarehouseCodes []string             `json:"stockWarehouseCodes"`
	Features            channel.Features     `json:"features"`
	Profile             Profile              `json:"profile"`
	Navigation          []MenuItem           `json:"navigation"`
	Promises            []string             `json:"promises" doc:"What the store says of itself beside its goods."`
	ReturnDays          *int                 `json:"returnDays" doc:"How long a buyer may change his mind; null where the store says nothing of it."`
	TermsURL            rest.Text            `json:"termsUrl" doc:"Where the terms of sale are read, which placing an order accepts; null where the store has none."`
	PrivacyURL          rest.Text            `json:"privacyUrl" doc:"Where is read what the store does with what it learns about people."`
}

// Profile is who sells in a store.
type Profile struct {
	LegalName          rest.Text         `json:"legalName"`
	OrganizationNumber rest.Text         `json:"organizationNumber"`
	Email              rest.Text         `json:"email"`
	Phone              rest.Text         `json:"phone"`
	Address            rest.Text         `json:"address"`
	LogoURL            rest.Text         `json:"logoUrl"`
	FaviconURL         rest.Text         `json:"faviconUrl"`
	Colors             map[string]string `json:"colors"`
	SocialLinks        map[string]string `json:"socialLinks"`
}

// MenuItem is an entry of a store's navigation, with what it contains.
type MenuItem struct {
	Label    string           `json:"label"`
	Type     channel.MenuType `json:"type"`
	Slug     rest.Text        `json:"slug"`
	URL      rest.Text        `json:"url"`
	Children []MenuItem       `json:"children"`
}

func storeOf(tx *db.Tx) (Store, error) {
	c := storefront.Of(tx).Channel
	p, err := sellerOf(tx, c.Store.Profile)
	if err != nil {
		return Store{}, err
	}
	menu, err := content.Menu(tx, storefront.Of(tx).Viewer())
	if err != nil {
		return Store{}, err
	}
	return Store{ChannelCode: c.Code, Name: c.Name, BaseURL: rest.Text(c.URL()), ProductPath: c.Paths.Product,
		CategoryPath: c.Paths.Category, BrandPath: c.Paths.Brand, PagePath: c.Paths.Page, BlogPath: c.Paths.Blog,
		CurrencyCode: c.CurrencyCode, Languages: storefront.Languages(tx, c),
		DefaultLanguageCode: c.LanguageOr(tx.Info.Country), Countries: storefront.Countries(tx, c),
		IsPriceIncludingTax: c.IsPriceIncludingTax, StockDisplay: c.Store.Shows(), StockWarehouseCodes: c.ShownFrom(),
		Features: c.Store.Offers(), Profile: p, Navigation: menuOf(menu),
		Promises: append([]string{}, c.Store.Promises...), ReturnDays: rest.OrNull(c.Store.ReturnDays),
		TermsURL: rest.Text(c.TermsURL()), PrivacyURL: rest.Text(c.PrivacyURL())}, nil
}

// sellerOf is who sells: what the store says of itself, and the company's own profile where it says nothing.
func sellerOf(tx *db.Tx, p channel.Profile) (Profile, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return Profile{}, err
	}
	seller := book.Profile()
	or := func(values ...string) rest.Text { return rest.Text(cmp.Or(values...)) }
	return Profile{or(p.LegalName, seller.LegalName, tx.Info.Name), or(p.OrganizationNumber, seller.OrganizationNumber),
		or(p.Email, seller.Email), or(p.Phone, seller.Phone), or(p.Address, strings.Join(seller.Lines(), "\n")),
		rest.Text(p.LogoURL), rest.Text(p.FaviconURL), orNothing(p.Colors), orNothing(p.SocialLinks)}, nil
}

func orNothing(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func menuOf(items []channel.MenuItem) []MenuItem {
	return each.Of(items, func(m channel.MenuItem) MenuItem {
		return MenuItem{m.Label, m.Type, rest.Text(m.Slug), rest.Text(m.URL), menuOf(m.Children)}
	})
}

// CountHit notes that a redirect was followed, without making its reader wait for that.
type CountHit func(company, id string, at db.Time)

// StoreGroup is what a store shows of itself.
func StoreGroup(count CountHit) rest.Group {
	return rest.Group{Tag: "Store", Scope: rest.ScopeSession,
		Doc: "The store's configuration, countries and redirects.", Ops: []rest.Op{
			rest.Get("getStore", "/store", "The store configuration in one answer.", getStore),
			rest.Get("getNavigation", "/store/navigation",
				"The navigation as a tree, without what leads to something that the store does not show.", getNavigation),
			rest.Get("getStoreTexts", "/store/texts",
				"The terms of sale and what is said about personal data, where the store keeps them as texts of its own.",
				getStoreTexts).
				Extension(),
			rest.List("listStoreCountries", "/store/countries", "The countries the store delivers to.",
				listStoreCountries),
			deliveryMethods(),
			rest.List("listStoreRedirects", "/store/redirects",
				"The redirects that the storefront applies, by the path they begin at.", listStoreRedirects),
			rest.Get("resolveRedirect", "/store/redirects/resolve", "Where one path leads; the hit is counted.",
				resolving(count)).
				NamedByQuery().Raises(channel.ErrRedirectNotFound),
			rest.Get("getSitemap", "/store/sitemap",
				"Every public address of the store, with the date of its last change.", getSitemap).Extension(),
		}}
}

func getStore(tx *db.Tx, _ struct{}) (Store, error) { return storeOf(tx) }

// Navigation is the menu of a store.
type Navigation struct {
	Items []MenuItem `json:"items"`
}

func getNavigation(tx *db.Tx, _ struct{}) (Navigation, error) {
	menu, err := content.Menu(tx, storefront.Of(tx).Viewer())
	return Navigation{menuOf(menu)}, err
}

// StoreTexts are what a store gives people to read.
type StoreTexts struct {
	Terms   rest.Text `json:"terms" doc:"Plain text, as the store wrote it; null where there is none, or where it stands at termsUrl."`
	Privacy rest.Text `json:"privacy" doc:"Likewise."`
}

func getStoreTexts(tx *db.Tx, _ struct{}) (StoreTexts, error) {
	s := storefront.Of(tx).Channel.Store
	return StoreTexts{rest.Text(s.Terms.Text), rest.Text(s.Privacy.Text)}, nil
}

// StoreCountry is a country that a store delivers to.
type StoreCountry struct {
	Code string `json:"code" doc:"ISO 3166-1 alpha-2." example:"SE"`
	Name string `json:"name" example:"Sweden"`
}

type pageIn struct{ rest.Paging }

func listStoreCountries(tx *db.Tx, in pageIn) (rest.Paged[StoreCountry], error) {
	return rest.PageOfAll(storefront.Countries(tx, storefront.Of(tx).Channel), in.Paging, countryOf), nil
}

func countryOf(code string) StoreCountry {
	name, _ := reference.Country(code)
	return StoreCountry{code, name}
}

// StoreRedirect is a redirect as the storefront applies it.
type StoreRedirect struct {
	FromPath   string `json:"fromPath" doc:"Lower case, with a leading slash and none at the end." example:"/old-page"`
	ToPath     string `json:"toPath" example:"/new-page"`
	StatusCode int    `json:"statusCode" example:"301"`
}

var storeRedirectOf = rest.Shown[StoreRedirect, channel.Redirect]()

func listStoreRedirects(tx *db.Tx, in pageIn) (rest.Paged[StoreRedirect], error) {
	active := true
	found, err := channel.ListRedirects(tx, storefront.Of(tx).Channel.Code, channel.RedirectFilter{IsActive: &active},
		in.Record())
	return rest.PageOf(found, in.Paging, storeRedirectOf), err
}

type resolveRedirectIn struct {
	Path string `query:"path" req:"true" max:"2000" doc:"The path that was asked for." example:"/old-page"`
}

// resolving answers the target of a path and counts the hit.
func resolving(count CountHit) func(*db.Tx, resolveRedirectIn) (StoreRedirect, error) {
	return func(tx *db.Tx, in resolveRedirectIn) (StoreRedirect, error) {
		r, found, err := channel.Resolved(tx, storefront.Of(tx).Channel, in.Path)
		if err == nil && !found {
			err = channel.ErrRedirectNotFound.Because("nothing redirects %s", in.Path)
		}
		if err == nil {
			tx.Done(func() { count(tx.Company, r.ID, tx.Now) })
		}
		return storeRedirectOf(r), err
	}
}

// Sitemap is every public address of a store.
type Sitemap struct {
	URLs []SitemapURL `json:"urls"`
}

// SitemapURL is one public address.
type SitemapURL struct {
	URL        string              `json:"url" doc:"Begins with the store's baseUrl, where it has one."`
	Type       storefront.PageType `json:"type"`
	Slug       string              `json:"slug"`
	ModifiedAt db.Time             `json:"modifiedDate"`
}

func getSitemap(tx *db.Tx, _ struct{}) (Sitemap, error) {
	c := storefront.Of(tx).Channel
	pages, err := storefront.Pages(tx, c)
	out := Sitemap{URLs: make([]SitemapURL, len(pages))}
	for i, p := range pages {
		path := c.Paths.ProductPath(p.Slug)
		switch p.Type {
		case storefront.CategoryPage:
			path = c.Paths.CategoryPath(p.Slug)
		case storefront.BrandPage:
			path = c.Paths.BrandPath(p.Slug)
		}
		out.URLs[i] = SitemapURL{c.URL() + path, p.Type, p.Slug, p.ChangedAt}
	}
	if err != nil {
		return out, err
	}
	texts, err := content.Texts(tx, c)
	kinds := map[content.PageType]storefront.PageType{content.BlogPost: storefront.BlogPage,
		content.NewsPost: storefront.NewsPage, "": storefront.HelpPage}
	for _, t := range texts {
		out.URLs = append(out.URLs, SitemapURL{c.URL() + t.Path, cmp.Or(kinds[t.Type], storefront.ReadingPage), t.Slug,
			t.ChangedAt})
	}
	return out, err
}
