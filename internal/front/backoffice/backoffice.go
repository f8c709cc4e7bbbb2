// Package backoffice is the company's own office in the browser: a page for everything the rooms do, in areas, a file
// or a few for each. A page is a value of one of page's kinds; what it does is the verb that the APIs call, in a
// transaction of the person who asked for it.
package backoffice

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor/internal/business/assistant"
	"kontor/internal/business/assortment"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/seal"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/bodies"
	"kontor/internal/front/page"
)

//go:embed words
var wordFiles embed.FS

// Office is what the back office needs to be served.
type Office struct {
	Store    *db.Store
	Gate     *identity.Gate
	Entrance *identity.Entrance
	Files    *media.Library
	// Secure reports whether who sends a request reaches the office by TLS.
	Secure func(*http.Request) bool
	// Address is the client's of a request.
	Address func(*http.Request) string
	// Stranger counts whoever comes by a link that needs no password, before it costs anything. It refuses with
	// RateLimit.Exceeded.
	Stranger func(*http.Request) error
	// Payments is where the stores' payments are taken.
	Payments *checkout.Payments
	// Writer tries the models that write the answers of stores' assistants.
	Writer assistant.Trying
	// Mailboxes tries the mailboxes whose mails become tickets.
	Mailboxes support.Trying
	// Reserve keeps a host name for a company's channel, before the channel takes it.
	Reserve func(ctx context.Context, company, host, channelCode string) error
	// InvitationByHand is the address that an invitation's token opens, where no mail leaves and people pass it on
	// themselves; nil where mail does.
	InvitationByHand func(token string) string
	// Backups are the places that backups go to.
	Backups Backups
	// QuoteLink is the address that opens a quote for its reader.
	QuoteLink func(tx *db.Tx, q *quoting.Quote) (string, error)
	// Base is the address under which others reach the house.
	Base func() string
	// Edition is the search of a viewer's store, for previews of its pages.
	Edition func(tx *db.Tx, v assortment.Viewer) (assortment.Edition, error)
	// Keys prove links that were given out here.
	Keys *seal.Ring
	// Serves reports whether a company is served.
	Serves func(ctx context.Context, company string) (bool, error)
	// Tables are what can be imported.
	Tables Tables
	// Scopes are what an API key may be given.
	Scopes []string
	// Loads bounds what forms and files take of the memory.
	Loads *bodies.Loads
	Log   *slog.Logger
}

// New is the office, ready to be served.
func New(o Office) (*page.Site, error) {
	words, err := Words()
	if err != nil {
		return nil, err
	}
	return page.New(page.Surface{
		Name: "Kontor", Store: o.Store, Areas: o.areas(), Enter: o.enter, Secure: o.Secure,
		SignIn: "/sign-in", Home: "/", Account: "/account", SignOut: "/sign-out", Switch: "/switch", Words: words,
		Digits: reference.MinorDigits, Discussions: o.discussions(), Loads: o.Loads,
		Log: o.Log,
	})
}

// Words are how the office says what its pages and the rooms say, by language.
func Words() (texts.Table, error) { return texts.Read(wordFiles, "words") }

// areas are the office, in the order of its menu.
func (o Office) areas() []page.Area {
	return []page.Area{
		{Title: "Overview", Icon: "home", Pages: []page.Page{dashboard()}},
		{Title: "Sales", Icon: "sales", Pages: pages(orders(), o.quotes(), customers(), personal(), goodsBack(), o.tickets())},
		{Title: "Purchasing", Icon: "company", Pages: pages(purchases(), suppliers(), supplierInvoices(), proposals())},
		{Title: "Warehouse", Icon: "warehouse", Pages: pages(shipments(), goodsReceipts(), transfers(),
			warehouseStock(), counts(), workOrders())},
		{Title: "Finance", Icon: "finance", Pages: pages(invoices(), payments(), refunds())},
		{Title: "Assortment", Icon: "catalog", Pages: pages(o.items(), madeToOrder(), relations(), categories(),
			brands())},
		{Title: "Prices", Icon: "prices", Pages: pages(prices())},
		{Title: "Channels", Icon: "channels", Pages: o.channelPages()},
		{Title: "Content", Icon: "content", Pages: pages(o.contentPages(), helpArticles(), reviews(), traffic(),
			questions())},
		{Title: "Stores", Icon: "channels", Folded: true, Pages: pages(o.shops(), o.models(), freightRates(),
			o.paymentMethods(), discountCodes(), giftCards(), searches(), redirects(), subscribers(), mailings())},
		{Title: "People and systems", Icon: "people", Folded: true, Pages: pages(o.people(), o.keys())},
		{Title: "Settings", Icon: "settings", Folded: true, Pages: pages(companyProfile(), companySettings(),
			tradeCodes(), warehouseSettings(), moneyCodes(), plainCodes(), serviceLevel(), o.mailboxes())},
		{Title: "System", Icon: "system", Folded: true, Pages: pages(o.imports(), system(), o.backups())},
		// they stand in no menu
		{Pages: pages(o.entrance(), o.quoteLinks(), o.newsletterLinks(), o.account(), notifications())},
	}
}

func pages(groups ...[]page.Page) (out []page.Page) {
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// errNoCompany is said to somebody who is signed in and has no company to work in: on the page on which somebody else,
// or they under another name, can sign in.
var errNoCompany = fault.New(fault.Unauthenticated, "User.NoCompany")

// session is who a request's cookie says is signed in.
func (o Office) session(r *http.Request) (identity.Session, error) {
	token := ""
	if c, err := r.Cookie(identity.SessionCookie(o.Secure(r))); err == nil {
		token = c.Value
	}
	return o.Gate.Session(r.Context(), token)
}

// enter says who asks, for the pages.
func (o Office) enter(r *http.Request) (page.Visitor, error) {
	s, err := o.session(r)
	if err != nil {
		return page.Visitor{}, err
	}
	var companies []identity.Membership
	err = o.control(r.Context(), s, false, db.Into(&companies,
		func(tx *db.Tx) ([]identity.Membership, error) { return identity.Memberships(tx, s.UserID) }))
	if err == nil && s.CompanyID == "" {
		s, err = o.firstCompany(r, s, companies)
	}
	if err != nil {
		return page.Visitor{}, err
	}
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return page.Visitor{}, err
	}
	v := page.Visitor{Company: s.CompanyID, CompanyName: s.CompanyName, Environment: string(s.Environment),
		Actor: s.Actor(), Email: s.Email, Role: page.Words(string(s.Role)), Credential: s.UserID, Language: s.Language,
		Zone: zone, Permits: s.Permits}
	for _, c := range companies {
		v.Companies = append(v.Companies, page.Option{Value: c.CompanyID, Label: c.CompanyName})
	}
	return v, nil
}

// firstCompany lets somebody who has chosen no company begin in the first of theirs.
func (o Office) firstCompany(r *http.Request, s identity.Session, companies []identity.Membership) (identity.Session,
	error) {
	if len(companies) == 0 {
		return s, errNoCompany.Because("you have no company to work in any more: ask an administrator of your company")
	}
	err := o.control(r.Context(), s, true,
		func(tx *db.Tx) error { return identity.ChooseCompany(tx, s, companies[0].CompanyID) })
	if err != nil {
		return s, err
	}
	return o.session(r)
}

// control runs fn on the control database as the person.
func (o Office) control(ctx context.Context, s identity.Session, write bool, fn func(*db.Tx) error) error {
	return o.Store.Control(ctx, db.Request{Actor: s.Actor()}, write, fn)
}

// href is the page of a record that the log names.
func href(resource, key string) string {
	switch resource {
	case "orders", "quotes", "customers", "items", "shipments", "invoices", "returns", "categories", "brands",
		"channels", "price-lists", "purchase-orders", "receipts", "supplier-invoices", "transfers", "work-orders",
		"boms", "imports", "mailings", "suppliers", "tickets", "payment-methods", "refunds":
		return page.Path(resource, key)
	case "warehouses", "currencies", "payment-terms", "delivery-terms", "order-types", "shipping-methods",
		"ticket-queues", "canned-answers", "units", "customer-groups", "tax-codes":
		return page.Path("settings", resource, key)
	case "freight-rates":
		return page.Path("freight", key)
	case "content-pages":
		if store, slug, ok := strings.Cut(key, "/"); ok {
			if store, err := url.PathUnescape(store); err == nil {
				return contentPath(store, slug)
			}
		}
	case "redirects":
		return "/redirects/" + key
	case "inventory-counts":
		return page.Path("counts", key)
	}
	return ""
}
