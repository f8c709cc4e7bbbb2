// Package assortment is what a store shows: the products of a channel with their prices and stock as a visitor sees
// them, the categories and brands they stand in, and the search through them.
//
// What exists in a store is decided in one place, the condition visible in article_sql.go: published, within its
// window, and active. A variant whose parent is published stands under it: lists and search show the parent, the
// variant's own page is reached by its own slug.
//
// The search works on a StoreIndex, an index of the channel's products for each of its languages. It is a projection of
// the company's data: fed by the change log, thrown away at will, and never the truth. It says which products a page
// holds; what is shown of them is read from the books.
package assortment

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// What this room refuses.
var (
	ErrNotFound       = fault.New(fault.NotFound, "Product.NotFound")
	ErrUnknownFilter  = fault.New(fault.Invalid, "Catalog.UnknownFilter")
	ErrSynonymInvalid = fault.New(fault.Invalid, "SearchSynonym.Invalid")
)

// Viewer is who looks at a store, as far as what is shown depends on it.
type Viewer struct {
	Channel     channel.Channel
	Language    string
	Country     string
	IncludesTax bool
	Customer    *party.Customer // nil is a guest; its number, group and currency count
}

// Situation is the viewer as prices see him.
func (v Viewer) Situation() pricing.Situation {
	return pricing.Situation{Customer: v.Customer, ChannelCode: v.Channel.Code}
}

// guest is anybody who has not signed in, as the channel receives him.
func (v Viewer) guest(tx *db.Tx) Viewer {
	v.Customer, v.IncludesTax = nil, v.Channel.IsPriceIncludingTax
	v.Country = homeOf(tx, v.Channel)
	return v
}

// Guest is a viewer of a store whom it knows nothing of.
func Guest(tx *db.Tx, c channel.Channel) Viewer {
	return Viewer{Channel: c, Language: c.LanguageOr(tx.Info.Country)}.guest(tx)
}

// homeOf is the country that a channel's visitors are taken to live in.
func homeOf(tx *db.Tx, c channel.Channel) string {
	if len(c.Countries) > 0 {
		return c.Countries[0]
	}
	return tx.Info.Country
}

// Article is an item that exists in a store. Of the item it holds what a shop needs: neither costs nor measures but the
// weight.
type Article struct {
	Item             catalog.Item
	Slug             string
	Name             string // its title in the channel, else the item's name
	ShortDescription string
	Description      string // sanitised HTML
	MetaTitle        string
	MetaDescription  string
	BrandName        string
	BrandSlug        string
	Picture          media.File // without a hash where there is none
	PictureAlt       string
	SortOrder        int
	IsFeatured       bool
	IsPurchasable    bool
	AllowBackorder   bool
	Variants         int // visible variants
	parts            []part
	PublishedAt      db.Time
	Opens, Closes    db.Time
}

// part is what an article's stock is counted of: each visible variant, or the article itself where it has none.
type part struct {
	itemID, key    string // key is the folded item number
	isKept         bool   // in stock
	allowBackorder bool
}

// Buyable reports whether the article can be put in a cart: of a parent, one of its variants is, and what is sold by a
// unit can be once the item says how much one of it is.
func (a *Article) Buyable() bool {
	_, isCounted := a.Item.Factor(a.Unit())
	return a.IsPurchasable && a.Variants == 0 && isCounted
}

// Unit is the unit the article is sold by.
func (a *Article) Unit() string { return cmp.Or(a.Item.SalesUnit, a.Item.BaseUnit) }

// Articles are those of the items that exist in the viewer's store, by id. They are shared and must not be changed.
func Articles(tx *db.Tx, v Viewer, itemIDs []string) (map[string]*Article, error) {
	return articlesKept(tx, v.Channel, itemIDs)
}

// Find is the article with this slug or id, neither of which has capitals. Refusal: Product.NotFound.
func Find(tx *db.Tx, v Viewer, slugOrID string) (*Article, error) {
	a, found, err := bySlug(tx, v.Channel, strings.ToLower(slugOrID))
	return a, ErrNotFound.When(!found, err, "the store has no product %q", slugOrID)
}
