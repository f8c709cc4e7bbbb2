package channel

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

// Store is what makes a channel a store: the settings that its storefront reads. The zero value is a store with the
// defaults.
type Store struct {
	// BaseURL is where the shop is reached, like https://shop.example.com; empty is https:// and the channel's domain.
	BaseURL      string       `json:"baseUrl,omitempty"`
	StockDisplay StockDisplay `json:"stockDisplay,omitempty"`
	// StockWarehouses are counted together where stock is shown; none is the channel's own.
	StockWarehouses []string `json:"stockWarehouseCodes,omitempty"`
	// LowStock is the quantity at and below which stock is called low; 0 = 5.
	LowStock    dec.Dec     `json:"lowStock,omitzero"`
	Features    *Features   `json:"features,omitempty"` // nil = the standard ones
	Profile     Profile     `json:"profile,omitzero"`
	Navigation  []MenuItem  `json:"navigation,omitempty"`
	Redirects   []SearchHop `json:"searchRedirects,omitempty"`
	NeedsSignUp bool        `json:"approvesRegistrations,omitempty"` // a new account waits until somebody lets it in
	// ApprovalOver is the order total, tax included, above which a buyer's order waits for an approver; nil = never.
	ApprovalOver *dec.Dec `json:"approvalOver,omitempty"`
	// KeyRequired refuses whoever calls without a store key.
	KeyRequired bool `json:"requiresStoreKey,omitempty"`
	// HoldMinutes is how long a started payment holds its goods; 0 = 30.
	HoldMinutes int `json:"holdMinutes,omitempty"`
	// StrangersMails is how many mails an hour go to addresses that nobody has confirmed; 0 = 200.
	StrangersMails int `json:"strangersMails,omitempty"`
	// ReviewInviteDays is how many days after goods have left their buyer is invited to review them; 0 = never.
	ReviewInviteDays int `json:"reviewInviteDays,omitempty"`
	// Promises are what the store says of itself beside its goods, such as "Sent the next working day".
	Promises []string `json:"promises,omitempty"`
	// ReturnDays is how long a buyer may change his mind; 0 = the store says nothing of it.
	ReturnDays int     `json:"returnDays,omitempty"`
	Terms      Reading `json:"terms,omitzero"`   // of sale, which every buyer accepts
	Privacy    Reading `json:"privacy,omitzero"` // what becomes of what the store learns about people
}

// Reading is something that a store gives people to read: a text of its own, or the address of a page elsewhere, which
// goes first.
type Reading struct {
	URL  string `json:"url,omitempty"`
	Text string `json:"text,omitempty"`
}

// IsThere reports whether there is anything to read.
func (r Reading) IsThere() bool { return r.URL != "" || r.Text != "" }

// Invites reports whether buyers are invited to review what they bought.
func (s Store) Invites() bool { return s.ReviewInviteDays > 0 && s.Offers().Reviews }

// StrangerMails is how many mails an hour the store sends to addresses that nobody has confirmed; further ones wait.
func (s Store) StrangerMails() int { return cmp.Or(s.StrangersMails, 200) }

// StockDisplay is how much of its stock a store shows.
type StockDisplay string

// The ways to show stock: not at all, in words, in numbers.
const (
	ShowNone     StockDisplay = "None"
	ShowStatus   StockDisplay = "Status"
	ShowQuantity StockDisplay = "Quantity"
)

// Values are all ways to show stock.
func (StockDisplay) Values() []StockDisplay {
	return []StockDisplay{ShowNone, ShowStatus, ShowQuantity}
}

// Features are what a store offers.
type Features struct {
	Reviews       bool `json:"reviews"`
	Newsletter    bool `json:"newsletter"`
	Assistant     bool `json:"assistant"`
	GiftCards     bool `json:"giftCards"`
	DiscountCodes bool `json:"discountCodes"`
	GuestCheckout bool `json:"guestCheckout"`
	Registration  bool `json:"registration"`
	Quotes        bool `json:"quotes"`
	Returns       bool `json:"returns"`
	Tickets       bool `json:"tickets"`
	Configurator  bool `json:"configurator"`
}

// Profile is who sells in a store, as its pages and mails show it.
type Profile struct {
	LegalName          string            `json:"legalName"`
	OrganizationNumber string            `json:"organizationNumber"`
	Email              string            `json:"email"`
	Phone              string            `json:"phone"`
	Address            string            `json:"address"`
	LogoURL            string            `json:"logoUrl"`
	FaviconURL         string            `json:"faviconUrl"`
	Colors             map[string]string `json:"colors,omitempty"`
	SocialLinks        map[string]string `json:"socialLinks,omitempty"`
}

// MenuItem is an entry of a store's navigation.
type MenuItem struct {
	Label    string     `json:"label"`
	Type     MenuType   `json:"type"`
	Slug     string     `json:"slug,omitempty"`
	URL      string     `json:"url,omitempty"`
	Children []MenuItem `json:"children,omitempty"`
}

// MenuType is what a menu entry leads to.
type MenuType string

// The types of menu entries.
const (
	MenuCategory MenuType = "Category"
	MenuPage     MenuType = "Page"
	MenuURL      MenuType = "Url"
	MenuBrand    MenuType = "Brand"
)

// Values are all types of menu entries.
func (MenuType) Values() []MenuType { return []MenuType{MenuCategory, MenuPage, MenuURL, MenuBrand} }

// SearchHop leads who searches for one of these words to a page instead.
type SearchHop struct {
	Query string `json:"query"`
	To    string `json:"to"`
}

// standardFeatures are those of a store that chooses none.
var standardFeatures = Features{Reviews: true, Newsletter: true, Assistant: true, GiftCards: true, DiscountCodes: true,
	GuestCheckout: true, Registration: true, Returns: true, Quotes: true, Configurator: true, Tickets: true}

// Offers are the store's features.
func (s Store) Offers() Features {
	if s.Features == nil {
		return standardFeatures
	}
	return *s.Features
}

// Shows is how the store shows its stock.
func (s Store) Shows() StockDisplay { return cmp.Or(s.StockDisplay, ShowStatus) }

// Low is the quantity at and below which stock is called low.
func (s Store) Low() dec.Dec {
	return cmp.Or(s.LowStock, 5*dec.One)
}

// Hold is how long a started payment holds its goods.
func (s Store) Hold() time.Duration { return time.Duration(cmp.Or(s.HoldMinutes, 30)) * time.Minute }

// URL is where the channel's shop is reached, without a slash at the end; "" where nothing says so.
func (c Channel) URL() string {
	if c.Store.BaseURL != "" {
		return strings.TrimRight(c.Store.BaseURL, "/")
	}
	if c.Domain != "" {
		return "https://" + c.Domain
	}
	return ""
}

// TermsURL is where the store's terms of sale are read; "" where it has none.
func (c Channel) TermsURL() string { return c.reading(c.Store.Terms, "/terms") }

// PrivacyURL is where is read what the store does with what it learns about people; "" where that is said nowhere.
func (c Channel) PrivacyURL() string { return c.reading(c.Store.Privacy, "/privacy") }

// reading is where something is read: at its own address, else on a page of the shop.
func (c Channel) reading(r Reading, page string) string {
	switch {
	case r.URL != "":
		return r.URL
	case r.Text != "" && c.URL() != "":
		return c.URL() + page
	case r.Text != "":
		return page
	}
	return ""
}

// ShownFrom are the warehouses whose stock the channel's store counts.
func (c Channel) ShownFrom() []string {
	if len(c.Store.StockWarehouses) > 0 {
		return c.Store.StockWarehouses
	}
	return []string{c.WarehouseCode}
}

// LanguageOr is the channel's default language, by home (a country code) where it names none.
func (c Channel) LanguageOr(home string) string {
	if len(c.Languages) > 0 {
		return c.Languages[0]
	}
	return reference.LanguageOf(home)
}

// ProductPath is the address that a product's slug has in the channel's shop.
func (p Paths) ProductPath(slug string) string { return address(p.orStandard().Product, slug) }

// CategoryPath is the address that a category's slug has in the channel's shop.
func (p Paths) CategoryPath(slug string) string { return address(p.orStandard().Category, slug) }

// BrandPath is the address that a brand's slug has in the channel's shop.
func (p Paths) BrandPath(slug string) string { return address(p.orStandard().Brand, slug) }

// check refuses settings that cannot be; field names begin with store.
func (s *Store) check(book *reference.Book, l *fault.List) {
	l.If(s.BaseURL != "" && !reference.IsWebAddress(s.BaseURL), fault.ErrInvalid, "store.baseUrl",
		"%q is no address like https://shop.example.com", s.BaseURL)
	l.If(s.StockDisplay != "" && !slices.Contains(s.StockDisplay.Values(), s.StockDisplay), fault.ErrInvalid,
		"store.stockDisplay", "must be one of None, Status, Quantity")
	for i, code := range s.StockWarehouses {
		if w, ok := book.Warehouse(code); ok {
			s.StockWarehouses[i] = w.Code
		} else {
			l.Add(ErrUnknownCode, "store.stockWarehouseCodes", "there is no warehouse %q", code)
		}
	}
	l.If(s.LowStock < 0, fault.ErrInvalid, "store.lowStock", "must not be negative")
	limit.Quantity.Check(l, "store.lowStock", s.LowStock)
	l.If(s.HoldMinutes < 0 || s.HoldMinutes > 24*60, fault.ErrInvalid, "store.holdMinutes",
		"must be from 1 to 1440 minutes, or 0 for the standard")
	l.If(s.StrangersMails < 0 || s.StrangersMails > 100_000, fault.ErrInvalid, "store.strangersMails",
		"must be from 1 to 100000 mails an hour, or 0 for the standard")
	l.If(s.ReviewInviteDays < 0 || s.ReviewInviteDays > mostDays, fault.ErrInvalid, "store.reviewInviteDays",
		"must be from 1 to %d days, or 0 where nobody is invited", mostDays)
	if s.ApprovalOver != nil {
		l.If(*s.ApprovalOver < 0, fault.ErrInvalid, "store.approvalOver", "must not be negative")
		limit.Total.Check(l, "store.approvalOver", *s.ApprovalOver)
	}
	s.checkTexts(l)
	checkMenu(s.Navigation, 1, l)
}

// The bounds of what a store says of itself.
const (
	mostPromises = 6
	longPromise  = 80
	longReading  = 50_000
	mostDays     = 3650
)

func (s *Store) checkTexts(l *fault.List) {
	l.If(s.ReturnDays < 0 || s.ReturnDays > mostDays, fault.ErrInvalid, "store.returnDays",
		"must be from 1 to %d days, or 0 where the store says nothing of it", mostDays)
	if s.Promises = slices.DeleteFunc(slices.Clone(s.Promises), func(p string) bool {
		return strings.TrimSpace(p) == ""
	}); len(s.Promises) > mostPromises {
		l.Add(fault.ErrInvalid, "store.promises", "are %d; more than %d nobody reads, so leave some out",
			len(s.Promises), mostPromises)
	}
	for _, p := range s.Promises {
		l.If(utf8.RuneCountInString(p) > longPromise, fault.ErrInvalid, "store.promises",
			"%q is longer than %d characters: shorten it", p, longPromise)
	}
	s.Terms.check("store.terms", l)
	s.Privacy.check("store.privacy", l)
}

func (r Reading) check(name string, l *fault.List) {
	l.If(r.URL != "" && !reference.IsWebAddress(r.URL), fault.ErrInvalid, name+".url",
		"%q is no address like https://shop.example.com/terms", r.URL)
	l.If(utf8.RuneCountInString(r.Text) > longReading, fault.ErrInvalid, name+".text",
		"is longer than %d characters: shorten it, or give the address of a page", longReading)
}

const menuDepth = 5

func checkMenu(items []MenuItem, depth int, l *fault.List) {
	for _, m := range items {
		switch {
		case strings.TrimSpace(m.Label) == "":
			l.Add(fault.ErrInvalid, "store.navigation", "every entry needs a label")
		case !slices.Contains(m.Type.Values(), m.Type):
			l.Add(fault.ErrInvalid, "store.navigation", "the type of %q must be one of Category, Page, Url, Brand",
				m.Label)
		case m.Type == MenuURL && m.URL == "":
			l.Add(fault.ErrInvalid, "store.navigation", "%q leads to a Url and needs a url", m.Label)
		case m.Type != MenuURL && m.Slug == "":
			l.Add(fault.ErrInvalid, "store.navigation", "%q leads to a %s and needs its slug", m.Label, m.Type)
		case depth == menuDepth && len(m.Children) > 0:
			l.Add(fault.ErrInvalid, "store.navigation", "%q is nested deeper than %d levels", m.Label, menuDepth)
		}
		if depth < menuDepth {
			checkMenu(m.Children, depth+1, l)
		}
	}
}

// Target is what a path of a channel's shop shows.
type Target string

// The targets.
const (
	ToProduct  Target = "Product"
	ToCategory Target = "Category"
	ToBrand    Target = "Brand"
	ToPage     Target = "Page"
	ToPost     Target = "Post"
)

// TargetOf is what a path shows by the channel's templates, and the slug in it; "" where it is of none of them.
func (p Paths) TargetOf(path string) (of Target, slug string) {
	p = p.orStandard()
	for _, t := range []struct {
		template string
		of       Target
	}{{p.Product, ToProduct}, {p.Category, ToCategory}, {p.Brand, ToBrand}, {p.Page, ToPage}, {p.Blog, ToPost},
		{NewsPath(slugMark), ToPost}} {
		before, after, _ := strings.Cut(t.template, slugMark)
		slug, begins := strings.CutPrefix(path, before)
		slug, ends := strings.CutSuffix(slug, after)
		if begins && ends && slug != "" && !strings.Contains(slug, "/") {
			return t.of, slug
		}
	}
	return "", ""
}

// PagePath is the address that a standing page's slug has in the channel's shop.
func (p Paths) PagePath(slug string) string { return address(p.orStandard().Page, slug) }

// BlogPath is the address that a blog post's slug has in the channel's shop.
func (p Paths) BlogPath(slug string) string { return address(p.orStandard().Blog, slug) }

// NewsPath is the address that a news post's slug has in every channel's shop.
func NewsPath(slug string) string { return "/news/" + slug }
