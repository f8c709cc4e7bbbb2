package app

import (
	"cmp"
	"context"
	"reflect"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/identity"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/ecom"
	"kontor/internal/front/rest"
)

// Commerce is the commerce API. Without a house it can only be described.
func Commerce(h *App) rest.Surface {
	s := rest.Surface{
		Prefix: "/ecom", Title: "Kontor commerce API", Version: Version().Version,
		Description: "Backs a merchant's own storefront: catalog, search, prices, stock, cart, checkout and the customer's pages. " +
			"It is called from the merchant's server, never from a browser.",
		Guide: ecom.Guide(), License: "Apache-2.0", Groups: storeGroups(h), Contact: contact, Words: fieldWords()["en"],
		Examples: examplesOfStories(),
		// X-Visitor-IP is not among them: by it only refusals differ, which are kept nowhere.
		Varies:   []string{"X-Api-Key", "Authorization", "X-Tenant-Id", "X-Channel", "X-Store-Key"},
		LaxQuery: true, LimitsUnsaid: true, KeysOptional: true,
		NoDeltas:  "a storefront reads what it shows, it does not mirror",
		Challenge: `Bearer realm="kontor store"`, Refusals: []fault.Code{storefront.ErrKeyRequired},
		Members: reflect.TypeFor[ecom.Refused](),
	}
	if h == nil {
		return s
	}
	s.Store, s.Loads, s.Log = h.store, h.loads, h.Log
	s.Authenticate, s.Open, s.Admit = h.bySession, h.byHeaders, storefront.Admit
	s.Caches = h.serving.KeepBytes > 0
	s.CachedVisit = func(c rest.Caller) (any, bool) { return storefront.CachedVisit(h.store, c.Company, guestOf(c)) }
	s.View = func(visit any) string { return visit.(*storefront.Visit).Profile() }
	s.Limit = rest.Limit{Rate: h.serving.CommerceRate, Burst: int(5 * h.serving.CommerceRate)}
	return s
}

// orDescribed is the house, or one that can only be described: nothing of it is open.
func (h *App) orDescribed() *App { return cmp.Or(h, &App{indexes: &assortment.StoreIndexes{}}) }

// storeGroups are the commerce API, in the order of its description. h may be nil to describe it.
func storeGroups(h *App) []rest.Group {
	h = h.orDescribed()
	window := ecom.Window{Picture: h.files.URL, Base: h.base, Edition: h.indexes.Of, Notes: h.indexes.Notes,
		Traffic: h.traffic}
	access := ecom.Access{Hasher: h.ShopHasher, Guard: h.guard, Keys: &h.ring}
	return []rest.Group{
		ecom.Session(h.resolveStore),
		ecom.StoreGroup(h.hits.Count),
		ecom.Content(window, access),
		ecom.Help(),
		ecom.Newsletter(access),
		ecom.Reviews(access),
		ecom.Products(window),
		ecom.Categories(window),
		ecom.Search(window),
		ecom.PricesAndStock(),
		ecom.CartGroup(h.files),
		ecom.CheckoutGroup(h.payments, access),
		ecom.Kco(h.payments),
		ecom.Auth(access),
		ecom.Portal(window),
		ecom.PortalOrders(),
		ecom.PortalInvoices(),
		ecom.PortalShipments(),
		ecom.PortalReturns(access),
		ecom.PortalQuotes(),
		ecom.PortalTickets(h.files),
		ecom.PortalAddresses(),
		ecom.Analytics(h.traffic),
		ecom.Assistant(window, access, h.writer),
	}
}

// resolveStore finds the store of a domain; domains that are none are counted. Store.NotFound, Store.KeyRequired,
// RateLimit.Exceeded.
func (h *App) resolveStore(ctx context.Context, g storefront.Guest, domain string) (ecom.Resolved, error) {
	out, err := h.storeAt(ctx, g, domain)
	if fault.Is(err, storefront.ErrNotFound) {
		err = cmp.Or(h.guard.Miss(ctx, &throttle.StoreDomain, throttle.Who{Peer: g.Address}), err)
	}
	return out, err
}

func (h *App) storeAt(ctx context.Context, g storefront.Guest, domain string) (ecom.Resolved, error) {
	hosts := []string{strings.ToLower(strings.TrimSuffix(strings.TrimSpace(domain), "."))}
	if name, _, ported := strings.Cut(hosts[0], ":"); ported { // as a Host header says it
		hosts = append(hosts, strings.TrimSuffix(name, "."))
	}
	notFound := storefront.ErrNotFound.Because("no store is reached at %q", domain)
	var d identity.Domain
	err := h.store.Control(ctx, db.Request{Actor: resolver()}, false, func(tx *db.Tx) error {
		for _, host := range hosts {
			found, ok, err := identity.FindDomain(tx, host)
			if d = found; ok || err != nil {
				return err
			}
		}
		return notFound
	})
	if err == nil {
		var open bool
		if _, open, err = h.companies.Find(ctx, d.CompanyID); err == nil && !open {
			err = notFound
		}
	}
	if err != nil {
		return ecom.Resolved{}, err
	}
	out := ecom.Resolved{TenantID: d.CompanyID, CompanyName: d.CompanyName}
	err = h.store.Read(ctx, db.Request{Company: d.CompanyID, Actor: resolver()}, func(tx *db.Tx) error {
		c, err := storefront.StoreFor(tx, d.ChannelKey)
		if err == nil && c.Domain != d.Host {
			err = notFound
		}
		if err == nil {
			err = storefront.MayCall(g, c)
		}
		out.ChannelCode, out.StoreName = c.Code, c.Name
		return err
	})
	if fault.Is(err, storefront.ErrNotFound) {
		err = notFound
	}
	return out, err
}

func resolver() db.Actor { return db.Actor{Kind: "system", ID: "resolve", Name: "resolve"} }

// Guide is the commerce API as plain text, /ecom/llms.txt.
func Guide() (string, error) {
	return rest.LLMs(Commerce(nil))
}
