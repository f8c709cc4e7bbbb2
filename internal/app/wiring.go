package app

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/checkout"
	"kontor/internal/business/configuration"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/mailing"
	"kontor/internal/business/media"
	"kontor/internal/business/notice"
	"kontor/internal/business/payable"
	"kontor/internal/business/production"
	"kontor/internal/business/promotion"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/support"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/db"
	"kontor/internal/front/gz"
	"kontor/internal/front/oauth"
	"kontor/internal/front/page"
	"kontor/internal/front/preview"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// verifiers are the rooms' checks of what they derived.
func verifiers() []Verifier {
	return []Verifier{catalog.Verify,
		stock.Verify, sales.Verify, production.Verify, shipping.Verify, invoicing.Verify, returns.Verify,
		quoting.Verify, configuration.Verify, support.Verify, cart.Verify, checkout.Verify, promotion.Verify,
		purchasing.VerifySuppliers, purchasing.VerifyOrders, transfer.Verify,
		payable.Verify, mailing.Verify}
}

// groups are the integration API, in the order of its description. h may be nil to describe it.
func groups(h *App) []rest.Group {
	h = h.orDescribed()
	items := preview.Items()
	items.Ops = append(items.Ops, preview.ItemAssets(h.files)...)
	return []rest.Group{
		preview.Customers(),
		items,
		preview.Categories(),
		preview.Brands(),
		preview.Channels(h.reserveDomain),
		preview.Redirects(),
		preview.ContentPages(),
		preview.Media(h.files),
		preview.PriceLists(),
		preview.Configurations(),
		preview.Suppliers(),
		preview.Orders(),
		preview.Shipments(),
		preview.Invoices(),
		preview.Returns(),
		preview.Quotes(),
		preview.PurchaseOrders(),
		preview.Tickets(h.files),
		preview.Inventory(),
		preview.Transfers(),
		preview.Receipts(),
		preview.WorkOrders(),
		preview.Reference(),
		preview.Sync(),
	}
}

// Preview is the integration API. Without a house it can only be described.
func Preview(h *App) rest.Surface {
	s := rest.Surface{
		Prefix: "/preview", Title: "Kontor integration API", Version: Version().Version,
		Description: "Integrates other systems: webshops, warehouse systems, EDI, BI. A record is addressed by its business key, " +
			"and the credential decides which company's data is read and written.",
		Guide: preview.Guide(), License: "Apache-2.0", Groups: groups(h), Varies: []string{"X-Api-Key", "Authorization"},
		Contact: contact, Words: fieldWords()["en"], Examples: examplesOfStories(),
		Members: reflect.TypeFor[wire.Refused](),
	}
	if h == nil {
		return s
	}
	s.Store, s.Loads, s.Log = h.store, h.loads, h.Log
	s.Authenticate, s.Record, s.Metadata = h.caller, h.witness, h.metadata
	s.Limit = rest.Limit{Rate: h.serving.IntegrationRate}
	s.Caches, s.Leaving = h.serving.KeepBytes > 0, h.leaving
	return s
}

// byAPIKey finds the caller of the integration API.
func (h *App) byAPIKey(r *http.Request) (rest.Caller, error) {
	c, err := h.gate.Authenticate(r.Context(), r.Header.Get("X-Api-Key"), h.countGuess(r))
	if err != nil {
		return rest.Caller{}, err
	}
	return rest.Caller{
		Company: c.CompanyID, Actor: db.Actor{Kind: "apiKey", ID: c.KeyID, Name: c.Name}, Credential: c.KeyID,
		Scopes: c.Scopes, Unlimited: len(c.Scopes) == 0, Limit: &rest.Limit{Rate: h.share(h.serving.IntegrationRate)},
	}, nil
}

// Scopes are what an API key may be given: reading and writing of every group, and the two that span all.
func Scopes() []string {
	all := []string{"preview:read", "preview:write"}
	for _, g := range groups(nil) {
		all = append(all, g.Scope+":read", g.Scope+":write")
		for _, o := range g.Ops {
			if o.Scope != "" {
				all = append(all, o.Scope)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Describe is an API's description in a version of OpenAPI, by their names on the command line.
func Describe(api, version string) ([]byte, error) {
	surface, ok := map[string]func(*App) rest.Surface{"preview": Preview, "ecom": Commerce}[api]
	write, known := map[string]func(rest.Surface) ([]byte, error){"3.1": rest.OpenAPI, "3.0": rest.OpenAPI30}[version]
	if !ok || !known {
		return nil, errors.New("there is no description of " + api + " in OpenAPI " + version +
			"; there are preview and ecom, in 3.1 and 3.0")
	}
	return write(surface(nil))
}

// routed is a part of what the house answers.
type routed struct {
	surface string // as figures name it
	pattern string // of the address, for the log; "" where the handler knows better
	matches func(r *http.Request) bool
	handler http.Handler
}

// routes lays out everything the house answers: the first part that matches a request answers it.
func (h *App) routes() (http.Handler, error) {
	parts, err := h.parts()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := parts[slices.IndexFunc(parts, func(p routed) bool { return p.matches(r) })]
		if a, ok := w.(*answer); ok {
			a.surface = part.surface
		}
		r.Pattern = part.pattern
		part.handler.ServeHTTP(w, r)
	}), nil
}

// parts are the surfaces by their addresses. They are no http.ServeMux, which cleans paths: a key may hold dots and
// slashes. The last one also knows how to say that there is nothing.
func (h *App) parts() ([]routed, error) {
	surface, commerce := Preview(h), Commerce(h)
	api, err := rest.Mount(surface)
	if err != nil {
		return nil, err
	}
	shop, err := rest.Mount(commerce)
	if err != nil {
		return nil, err
	}
	text, err := Guide()
	if err != nil {
		return nil, err
	}
	site, err := h.office()
	if err != nil {
		return nil, err
	}
	docs := gz.Later(func() http.Handler { return rest.Docs(surface.Title, "/preview/swagger.json", "/docs/") })
	shopDocs := gz.Later(func() http.Handler { return rest.Docs(commerce.Title, "/ecom/swagger.json", "/docs/ecom/") })
	problems := gz.Later(func() http.Handler { return rest.Problems(surface, commerce) })
	unsubscribes := func(r *http.Request) bool { return r.URL.Path == notice.UnsubscribePath && page.Wanted(r) }
	isPage := func(r *http.Request) bool {
		return site.Handles(r) || page.Wanted(r) && !strings.HasPrefix(r.URL.Path, "/preview/")
	}
	return []routed{
		{"oauth", "", func(r *http.Request) bool { return oauth.Handles(r.URL.Path) }, h.authorization(site)},
		{"docs", "", is("/docs", "/docs/ecom"), redirected(http.StatusMovedPermanently,
			func(r *http.Request) string { return r.URL.Path + "/" })},
		{"docs", "/docs/ecom/", below("/docs/ecom/"), shopDocs},
		{"ecom", "/ecom/llms.txt", is("/ecom/llms.txt"), gz.NewStill("text/plain; charset=utf-8", gz.Asked, []byte(text))},
		{"office", "", unsubscribes, redirected(http.StatusSeeOther,
			func(r *http.Request) string { return notice.UnsubscribePage + "?" + r.URL.RawQuery })},
		{"ecom", testPagePath, is(testPagePath), h.testPage()},
		{"ecom", "", below("/ecom/"), shop},
		{"docs", "/docs/", below("/docs/"), docs},
		{"media", media.Route, below(media.Route), http.HandlerFunc(h.serveFile)},
		{"problems", "/problems/", below("/problems/"), problems},
		{"office", "", isPage, site},
		{"preview", "", func(*http.Request) bool { return true }, api},
	}, nil
}

// is matches paths.
func is(paths ...string) func(*http.Request) bool {
	return func(r *http.Request) bool { return slices.Contains(paths, r.URL.Path) }
}

// below matches what begins with a path.
func below(path string) func(*http.Request) bool {
	return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, path) }
}

func redirected(status int, to func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to(r), status) })
}
