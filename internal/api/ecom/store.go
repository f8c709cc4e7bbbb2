package ecom

import (
	"kontor/internal/channel"
	"kontor/internal/db"
	"kontor/internal/rest"
	"kontor/internal/storefront"
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

func storeOf(tx *db.Tx, c channel.Channel) (Store, error) {
	p := c.Store.Profile
	legal := p.LegalName
	if legal == "" {
		legal = tx.Info.Name
	}
	return Store{ChannelCode: c.Code, Name: c.Name, BaseURL: rest.Text(c.URL()), ProductPath: c.Paths.Product, CategoryPath: c.Paths.Category,
		BrandPath: c.Paths.Brand, PagePath: c.Paths.Page, BlogPath: c.Paths.Blog, CurrencyCode: c.CurrencyCode,
		Languages: storefront.Languages(tx, c), DefaultLanguageCode: c.Tongue(tx.Info.Country), Countries: storefront.Countries(tx, c),
		IsPriceIncludingTax: c.IsPriceIncludingTax, StockDisplay: c.Store.Shows(), StockWarehouseCodes: c.ShownFrom(), Features: c.Store.Offers(),
		Profile: Profile{rest.Text(legal), rest.Text(p.OrganizationNumber), rest.Text(p.Email), rest.Text(p.Phone), rest.Text(p.Address),
			rest.Text(p.LogoURL), rest.Text(p.FaviconURL), orNothing(p.Colors), orNothing(p.SocialLinks)},
		Navigation: menuOf(c.Store.Navigation)}, nil
}

func orNothing(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func menuOf(items []channel.MenuItem) []MenuItem {
	out := make([]MenuItem, len(items))
	for i, m := range items {
		out[i] = MenuItem{m.Label, m.Type, rest.Text(m.Slug), rest.Text(m.URL), menuOf(m.Children)}
	}
	return out
}

// StoreGroup is what a store shows of itself.
func StoreGroup() rest.Group {
	return rest.Group{Tag: "Store", Scope: rest.ScopeSession, Doc: "The store's configuration, countries and redirects.", Ops: []rest.Op{
		rest.Get("getStore", "/store", "The store configuration in one answer.", getStore),
	}}
}

func getStore(tx *db.Tx, _ struct{}) (Store, error) { return storeOf(tx, storefront.Of(tx).Channel) }
