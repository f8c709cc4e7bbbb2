// Package channel is where the company sells: its web shops, portals, marketplaces and apps with their
// commercial terms, the items published in each with texts of their own, and the redirects that keep old
// addresses working.
package channel

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// Type is what sort of place a channel is.
type Type string

// The types of channels.
const (
	WebShop     Type = "WebShop"
	B2BPortal   Type = "B2BPortal"
	Marketplace Type = "Marketplace"
	App         Type = "App"
)

// Values are all types.
func (Type) Values() []Type { return []Type{WebShop, B2BPortal, Marketplace, App} }

// Channel is a place where the company sells, with its commercial terms.
type Channel struct {
	record.Root
	Code, Name          string
	Type                Type
	Domain              string
	CurrencyCode        string
	WarehouseCode       string
	PriceListCode       string
	OrderTypeCode       string
	IsActive            bool
	IsPriceIncludingTax bool
	Languages           []string `db:",words"` // BCP 47, the first is the default
	Countries           []string `db:",words"` // it sells to; empty is everywhere
	Paths               Paths    `db:",columns"`
	Store               Store    `db:",json"`
}

// Paths are the templates of a channel's addresses; each holds {slug} once.
type Paths struct {
	Product  string `db:"product_path"`
	Category string `db:"category_path"`
	Brand    string `db:"brand_path"`
	Page     string `db:"page_path"`
	Blog     string `db:"blog_path"`
}

const slugMark = "{slug}"

// standardPaths are those of a channel that sets none.
var standardPaths = Paths{"/products/{slug}", "/categories/{slug}", "/brands/{slug}", "/pages/{slug}", "/blog/{slug}"}

func (p Paths) orStandard() Paths {
	s := standardPaths
	return Paths{cmp.Or(p.Product, s.Product), cmp.Or(p.Category, s.Category), cmp.Or(p.Brand, s.Brand),
		cmp.Or(p.Page, s.Page), cmp.Or(p.Blog, s.Blog)}
}

// address is the path that a template gives a slug.
func address(template, slug string) string { return strings.Replace(template, slugMark, slug, 1) }

// What this room refuses.
var (
	ErrNotFound    = fault.New(fault.NotFound, "Channel.NotFound")
	ErrExists      = fault.New(fault.Conflict, "Channel.AlreadyExists")
	ErrUnknownCode = fault.New(fault.Invalid, "Channel.UnknownCode")
	ErrDomainTaken = fault.New(fault.Conflict, "Channel.DomainTaken")
)

// Channels is the resource of channels.
var Channels = record.Define("channels", "channel", "Channel")

// Filter narrows a list of channels.
type Filter struct {
	Type     Type
	IsActive *bool
}

// Find is the channel with this code. Channel.NotFound.
func Find(tx *db.Tx, code string) (Channel, error) {
	all, err := All(tx)
	if err != nil {
		return Channel{}, err
	}
	if c, ok := find(all, code); ok {
		return c, nil
	}
	return Channel{}, ErrNotFound.Because("there is no channel %q", code)
}

func find(all []Channel, code string) (Channel, bool) {
	key := record.Fold(code)
	i := slices.IndexFunc(all, func(c Channel) bool { return record.Fold(c.Code) == key })
	if i < 0 {
		return Channel{}, false
	}
	return all[i], true
}

// Create makes a channel. Channel.AlreadyExists, and what Change refuses.
func Create(tx *db.Tx, c Channel) (Channel, error) {
	all, err := lockAll(tx)
	if err != nil {
		return c, err
	}
	if old, ok := find(all, c.Code); ok {
		return c, ErrExists.Because("there is a channel %q already: change it, or choose another code", old.Code)
	}
	if err := c.validate(tx, all); err != nil {
		return c, err
	}
	c.Root = record.New(tx)
	if err := channels.Create(tx, &c); err != nil {
		return c, err
	}
	if err := tx.Fire(DomainChanged{c.Code}); err != nil {
		return c, err
	}
	return c, record.BumpEpoch(tx)
}

// DomainChanged is fired when a channel gets another domain, or none.
type DomainChanged struct{ Code string }

// Change edits a channel. Channel.NotFound; Channel.UnknownCode for a currency, warehouse, order type or price list
// that does not exist; Channel.DomainTaken.
func Change(tx *db.Tx, code string, edit func(*Channel) error) (Channel, error) {
	all, err := lockAll(tx)
	if err != nil {
		return Channel{}, err
	}
	before, ok := find(all, code)
	if !ok {
		return before, ErrNotFound.Because("there is no channel %q", code)
	}
	c := before
	if err := edit(&c); err != nil {
		return c, err
	}
	if err := c.validate(tx, all); err != nil {
		return c, err
	}
	if err := channels.Act(tx, "changed", before, &c); err != nil || c.Version == before.Version {
		return c, err
	}
	if c.Domain != before.Domain {
		if err := tx.Fire(DomainChanged{c.Code}); err != nil {
			return c, err
		}
	}
	return c, record.BumpEpoch(tx)
}

var (
	language = lazy.Regexp(`^[a-z]{2,3}(-[A-Z]{2})?$`)
	host     = lazy.Regexp(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}(:[0-9]{1,5})?$`)
)

// validate fills in what follows and refuses what breaks a rule, everything at once.
func (c *Channel) validate(tx *db.Tx, others []Channel) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var l fault.List
	c.Code, c.Name, c.Domain = strings.TrimSpace(c.Code), strings.TrimSpace(c.Name),
		strings.ToLower(strings.TrimSpace(c.Domain))
	c.Paths = c.Paths.orStandard()
	l.If(c.Code == "", fault.ErrInvalid, "channelCode", "is required")
	l.If(c.Name == "", fault.ErrInvalid, "name", "is required")
	l.If(!slices.Contains(c.Type.Values(), c.Type), fault.ErrInvalid, "type",
		"must be one of WebShop, B2BPortal, Marketplace, App")
	l.If(c.Domain != "" && !host().MatchString(c.Domain), fault.ErrInvalid, "domain",
		"%q is no host name: give it without https:// and without a path, like shop.example.com", c.Domain)
	c.validateCodes(book, &l)
	c.validateAudience(&l)
	c.Paths.check(&l)
	c.Store.check(book, &l)
	if err := c.validatePriceList(tx, &l); err != nil {
		return err
	}
	if err := l.Err(); err != nil {
		return err
	}
	for _, o := range others {
		if c.Domain != "" && o.Domain == c.Domain && o.ID != c.ID {
			return ErrDomainTaken.Because("the domain %s belongs to channel %s: give that one another domain first",
				c.Domain, o.Code)
		}
	}
	return nil
}

func (c *Channel) validateCodes(book *reference.Book, l *fault.List) {
	if found, ok := book.Currency(c.CurrencyCode); ok {
		c.CurrencyCode = found.Code
	} else {
		l.Add(ErrUnknownCode, "currencyCode",
			"the company has no currency %q; GET /preview/reference/currencies lists them", c.CurrencyCode)
	}
	if found, ok := book.Warehouse(c.WarehouseCode); ok {
		c.WarehouseCode = found.Code
	} else {
		l.Add(ErrUnknownCode, "warehouseCode", "there is no warehouse %q; GET /preview/reference/warehouses lists them",
			c.WarehouseCode)
	}
	if found, ok := book.OrderType(c.OrderTypeCode); ok {
		c.OrderTypeCode = found.Code
	} else {
		l.Add(ErrUnknownCode, "orderTypeCode",
			"there is no order type %q; GET /preview/reference/order-types lists them", c.OrderTypeCode)
	}
}

func (c *Channel) validatePriceList(tx *db.Tx, l *fault.List) error {
	if c.PriceListCode == "" {
		return nil
	}
	list, err := pricing.Find(tx, c.PriceListCode)
	if fault.Is(err, pricing.ErrNotFound) {
		l.Add(ErrUnknownCode, "priceListCode", "there is no price list %q; GET /preview/price-lists lists them",
			c.PriceListCode)
		return nil
	}
	c.PriceListCode = list.Code
	return err
}

// TellPricing answers what prices depend on of channels. It handles pricing.ChannelsWanted, which it answers from
// memory.
func TellPricing(tx *db.Tx, e pricing.ChannelsWanted) error {
	all, err := All(tx)
	if err != nil {
		return err
	}
	for i := range all {
		c := &all[i]
		e.Known[record.Fold(c.Code)] = pricing.Channel{Code: c.Code, CurrencyCode: c.CurrencyCode,
			PriceListCode: c.PriceListCode}
	}
	return nil
}

// IsLanguage reports whether a code is a language that a store may speak.
func IsLanguage(code string) bool { return language().MatchString(code) }

func (c *Channel) validateAudience(l *fault.List) {
	for _, code := range c.Languages {
		l.If(!IsLanguage(code), fault.ErrInvalid, "languages", "%q is no language tag like sv or en-GB",
			code)
	}
	for _, code := range c.Countries {
		if _, ok := reference.Country(code); !ok {
			l.Add(fault.ErrInvalid, "countries", "%q is no country code of ISO 3166-1 (two capital letters, like SE)",
				code)
		}
	}
	if d := firstTwice(c.Languages); d != "" {
		l.Add(fault.ErrInvalid, "languages", "%q stands twice", d)
	}
	if d := firstTwice(c.Countries); d != "" {
		l.Add(fault.ErrInvalid, "countries", "%q stands twice", d)
	}
}

func firstTwice(codes []string) string {
	for i, c := range codes {
		if slices.Contains(codes[:i], c) {
			return c
		}
	}
	return ""
}

func (p Paths) check(l *fault.List) {
	for _, f := range []struct{ name, path string }{
		{"productPath", p.Product}, {"categoryPath", p.Category}, {"brandPath", p.Brand}, {"pagePath", p.Page},
		{"blogPath", p.Blog},
	} {
		l.If(!strings.HasPrefix(f.path, "/") || strings.Count(f.path, slugMark) != 1, fault.ErrInvalid, f.name,
			"must begin with / and hold {slug} once, like /products/{slug}")
	}
}
