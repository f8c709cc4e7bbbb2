// Package shop is a whole shop that sells over the commerce API, written to be read: a server that turns JSON into
// pages and forms into JSON. It is a stranger to the rest of this project. It imports nothing of it but the reader of
// its words, keeps no data, and could run anywhere.
//
// Read client.go (how the API is called), visit.go (what every page does first), then a page: content.go, home.go,
// listing.go, product.go, reviews.go, configure.go, cart.go, checkout.go, sign.go, account.go, portal.go, assistant.go;
// head.go is what search engines are told. Each says above a call which one it is and why. Everything works without
// JavaScript; static/shop.js adds suggestions and spares some clicks.
package shop

import (
	"context"
	"crypto/cipher"
	"embed"
	"html/template"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/texts"
)

//go:embed templates static words
var files embed.FS

// Options say which store a shop sells for.
type Options struct {
	API    string // address of the server, such as http://127.0.0.1:8080
	Domain string // of the store, by which the API finds the company and the channel
	// StoreKey names this server to the API, which then believes the visitors' addresses that it tells and lets it ask
	// often.
	StoreKey string
	Public   string // where browsers reach the shop, such as https://shop.example.com; "" = as they say in Host
	Key      []byte // 32 bytes that seal the cookies; keep them from one start to the next
	Demo     bool   // nothing is for sale, and the shop says so
	Log      *slog.Logger
}

// Shop is a shop. It remembers nothing of its visitors but what their cookies hold.
type Shop struct {
	Options
	http      *http.Client
	sealer    cipher.AEAD
	secure    bool
	words     texts.Table
	templates map[string]map[string]*template.Template // by language, then by page
	version   string                                   // of the static files
	media     *httputil.ReverseProxy

	store atomic.Pointer[resolved] // nil until the API has answered
}

// resolved is the company and the channel of a domain.
type resolved struct {
	TenantID    string `json:"tenantId"`
	ChannelCode string `json:"channelCode"`
}

// New makes a shop. The API need not answer yet.
func New(o Options) (*Shop, error) {
	api, err := url.Parse(o.API)
	if err != nil {
		return nil, err
	}
	sealer, err := newSealer(o.Key)
	if err != nil {
		return nil, err
	}
	s := &Shop{Options: o, http: newHTTP(), sealer: sealer, secure: strings.HasPrefix(o.Public, "https://")}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.version, err = versionOf(files); err != nil {
		return nil, err
	}
	if s.words, err = texts.Read(files, "words"); err != nil {
		return nil, err
	}
	if s.templates, err = s.parse(); err != nil {
		return nil, err
	}
	// Pictures are the API's, but browsers fetch them here: they never speak to the API.
	s.media = &httputil.ReverseProxy{Transport: s.http.Transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(api)
		r.Out.Header.Del("Cookie")
	}}
	return s, nil
}

// resolve finds out once which company and channel the domain belongs to (GET /ecom/session/resolve, the only call
// without headers).
func (s *Shop) resolve(ctx context.Context) (resolved, error) {
	if known := s.store.Load(); known != nil {
		return *known, nil
	}
	var found resolved
	err := Client{API: s.API, HTTP: s.http, StoreKey: s.StoreKey}.Get(ctx, "/session/resolve",
		url.Values{"domain": {s.Domain}}, &found)
	if err == nil {
		s.store.Store(&found)
	}
	return found, err
}

// pages takes the pages, each with its method and path.
type pages func(pattern string, p func(*visit) error)

// both takes a page that also reads the form that stands on it.
func (page pages) both(path string, p func(*visit) error) {
	page("GET "+path, p)
	page("POST "+path, p)
}

// Handler answers browsers.
func (s *Shop) Handler() http.Handler {
	m := http.NewServeMux()
	var page pages = func(pattern string, p func(*visit) error) {
		m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, p) })
	}
	page("GET /{$}", home)
	page("GET /categories/{slug}", category)
	page("GET /brands/{slug}", brand)
	page("GET /search", search)
	page("GET /suggest", suggest)
	page("GET /products/{slug}", product)
	page("POST /products/{slug}", tellWhenBack)
	page("POST /products/{slug}/reviews", writeReview)
	page("POST /reviews/{id}/vote", voteReview)
	page("GET /products/{slug}/configure", configure)
	page("POST /products/{slug}/configure", addConfigured)
	page("GET /sitemap.xml", sitemap)
	page("GET /sitemaps/{file}", sitemapPart)
	readingPages(page)
	page("GET /cart", cart)
	page("POST /cart/items", addToCart)
	page("POST /cart/items/{line}", changeLine)
	page("POST /cart/codes", applyCode)
	page("POST /cart/codes/remove", removeCode)
	page("GET /checkout", checkout)
	page("POST /checkout/address", saveAddress)
	page("POST /checkout/delivery", saveDelivery)
	page("POST /checkout/payment", savePayment)
	page("POST /checkout/place", place)
	page("GET /checkout/return", returned)
	page("GET /checkout/orders/{number}", confirmation)
	page("GET /postal-code", postalCode)
	page("POST /preferences", preferences)
	page.both("/orders", follow)
	page("GET /orders/{number}", followed)
	page("GET /terms", terms)
	page("GET /privacy", privacy)
	accountPages(page)
	for pattern, to := range map[string]string{"/cart/items": "/cart", "/cart/items/{line}": "/cart",
		"/cart/codes": "/cart", "/checkout/address": "/checkout", "/checkout/delivery": "/checkout",
		"/checkout/payment": "/checkout", "/checkout/place": "/checkout", "/sign-in/send": "/sign-in",
		"/account/password": "/account/profile", "/forms/{section}": "/", "/reviews/{id}/vote": "/"} {
		page("GET "+pattern, sameAs(to))
	}
	page("/", func(v *visit) error { return &Problem{Status: http.StatusNotFound, Code: "Route.NotFound"} })

	static, _ := fs.Sub(files, "static")
	m.Handle("GET /static/", http.StripPrefix("/static/", forever(http.FileServerFS(static))))
	// for who does not read pages
	m.Handle("GET /favicon.ico", http.RedirectHandler("/static/icon.svg", http.StatusMovedPermanently))
	m.Handle("GET /media/", s.media)
	m.HandleFunc("GET /robots.txt", s.robots)
	// Forms of other sites are refused by what browsers say of where a request comes from; no token needs to be carried
	// around.
	return guarded(http.NewCrossOriginProtection().Handler(m))
}

// sameAs leads from the address of a form, which stands in the browser after a refusal, to the page that the form
// belongs to.
func sameAs(to string) func(*visit) error {
	return func(v *visit) error {
		v.redirect(to)
		return nil
	}
}

// readingPages are what the store gives people to read, and where they ask.
func readingPages(page pages) {
	page("GET /pages/{slug}", standing)
	page("GET /blog", blog)
	page("GET /blog/{slug}", post)
	page("GET /news", newsList)
	page("GET /news/{slug}", news)
	page("POST /forms/{section}", sendForm)
	page("GET /help", help)
	page("GET /help/{slug}", helpArticle)
	page("POST /help/{slug}/feedback", rateHelp)
	page.both("/newsletter", newsletter)
	page.both("/newsletter/confirm", confirmLetter)
	page.both("/newsletter/unsubscribe", leaveLetter)
	page("GET /assistant", assistant)
	page("POST /assistant", ask)
	page("POST /assistant/{id}/feedback", rateAnswer)
	page("GET /assistant/person", askPerson)
}

func accountPages(page pages) {
	page.both("/sign-in", signIn)
	page.both("/sign-in/code", signInByCode)
	page("POST /sign-in/send", sendCode)
	page.both("/register", register)
	page.both("/forgotten", forgotten)
	page("POST /sign-out", signOut)
	page("GET /account", members(account))
	page("GET /account/orders", members(orders))
	page("GET /account/orders/{id}", members(order))
	page("POST /account/orders/{id}/reorder", reorder)
	page("GET /account/invoices", members(invoices))
	page("GET /account/invoices/{id}/pdf", members(paper("/portal/invoices/", "/pdf")))
	page("GET /account/returns", members(returns))
	page("GET /account/returns/{id}/slip", members(paper("/portal/returns/", "/slip")))
	page.both("/account/returns/new", members(newReturn))
	page("GET /account/quotes", members(quotes))
	page.both("/account/quotes/new", members(newQuote))
	page("GET /account/quotes/{id}", members(quote))
	page("GET /account/quotes/{id}/pdf", members(paper("/portal/quotes/", "/pdf")))
	page("POST /account/quotes/{id}/{act}", decideQuote)
	page("GET /account/approvals", members(approvals))
	page("POST /account/approvals/{id}/{act}", decideOrder)
	page("GET /account/tickets", members(tickets))
	page("GET /account/tickets/new", members(newTicket))
	page("POST /account/tickets/new", bringsFile(newTicket))
	page("GET /account/tickets/{id}", members(ticket))
	page("POST /account/tickets/{id}/{act}", bringsFile(answerTicket))
	page.both("/account/addresses", members(addresses))
	page("POST /account/addresses/{id}/{act}", changeAddress)
	page("GET /account/profile", members(profile))
	page("POST /account/profile", profile)
	page("POST /account/password", password)
}

// strict is what pages may load: what comes from this server, and nothing written into the page itself.
const strict = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; object-src 'none'"

// alsoFrom is strict for a page that shows a picture of another server: the store's logo, where the store keeps it
// elsewhere.
func alsoFrom(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.ContainsAny(u.Host, " ;,'") {
		return strict
	}
	return strings.Replace(strict, "img-src 'self'", "img-src 'self' "+u.Scheme+"://"+u.Host, 1)
}

func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", strict)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(self)")
		next.ServeHTTP(w, r)
	})
}

// forever lets browsers keep what has its version in its address.
func forever(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" || strings.HasSuffix(r.URL.Path, "/") { // no lists of files
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		next.ServeHTTP(w, r)
	})
}

// Serve answers on a listener until ctx ends.
func (s *Shop) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ctx.Done():
			stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			_ = server.Shutdown(stop) // what is left then is cut off
		case <-ended:
		}
	}()
	err := server.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}
