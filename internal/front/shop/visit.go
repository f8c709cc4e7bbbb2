package shop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// visit is one request of a visitor: the calls to the API that it needs, and its page.
type visit struct {
	shop    *Shop
	w       http.ResponseWriter
	r       *http.Request
	sent    io.ReadCloser // the body, whatever its length
	ctx     context.Context
	api     Client
	session *Session // as read for this page; nil until ask has run
	pages   []PageHead
	note    string // what the page before wants said
	csp     string
}

// view is what every template sees.
type view struct {
	Session     *Session
	Languages   []language
	Title       string
	Description string
	Canonical   string
	Alternates  []alternate
	Kind        string     // of page, in the words of ogp.me
	Picture     string     // shown where the page is shared
	Data        []data     // in the words of schema.org
	Pages       []PageHead // of the store, that the foot leads to
	Here        string     // path and query of this page
	Query       string     // what is searched for
	Note        string
	Plain       bool // without menu and search: the checkout
	Private     bool // not for search engines
	Demo        bool
	Logo, Icon  string // addresses of pictures; "" = none of the store's own
	Page        any
}

const (
	longestForm = 64 << 10
	longestFile = 10 << 20
)

// serve answers a request. A session that has ended is replaced by a new one, and the page asked for again: the visitor
// loses the cart, which the API has thrown away, but sees no error.
func (s *Shop) serve(w http.ResponseWriter, r *http.Request, page func(*visit) error) {
	w.Header().Set("Cache-Control", "no-store")
	ctx := r.Context()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		ctx = context.WithoutCancel(ctx) // what was sent is done, also for who clicks on before the answer is there
	}
	v := &visit{shop: s, w: w, r: r, sent: r.Body, ctx: ctx, api: Client{API: s.API, HTTP: s.http, StoreKey: s.StoreKey,
		Token: s.cookie(r, sessionCookie), Visitor: addressOf(r)}}
	r.Body = http.MaxBytesReader(w, v.sent, longestForm)
	err := v.begin()
	if err == nil {
		err = v.inLanguage()
	}
	if err == nil {
		err = page(v)
	}
	if refused(err, http.StatusUnauthorized) && v.api.Token != "" {
		v.api.Token, v.session = "", nil
		if err = v.begin(); err == nil {
			err = v.again(page)
		}
	}
	if err != nil {
		v.fail(err)
	}
}

// begin finds the store, and opens a session for whoever has none (GET /ecom/session without a token).
func (v *visit) begin() error {
	store, err := v.shop.resolve(v.ctx)
	if err != nil {
		return err
	}
	v.api.Tenant, v.api.Channel = store.TenantID, store.ChannelCode
	if v.note == "" {
		v.note = v.shop.cookie(v.r, noteCookie)
	}
	if v.api.Token != "" {
		return nil
	}
	if err := v.api.Get(v.ctx, "/session", nil, &v.session); err != nil {
		return err
	}
	v.api.Token = v.session.SessionToken
	v.keepToken()
	return nil
}

// again shows a page with a new session. What was being sent is not sent again: its cart is gone.
func (v *visit) again(page func(*visit) error) error {
	v.note = "Your session had ended, so this is a new one."
	if v.r.Method == http.MethodGet {
		return page(v)
	}
	v.remember(v.note)
	v.redirect("/")
	return nil
}

func (v *visit) keepToken() { v.shop.setCookie(v.w, v.r, sessionCookie, v.api.Token, stay) }

// ask runs the calls of a page side by side, together with the one that every page needs: the session with the store's
// configuration and the cart's summary (GET /ecom/session).
func (v *visit) ask(calls ...func() error) error {
	if v.session == nil {
		calls = append(calls, func() error { return v.api.Get(v.ctx, "/session", nil, &v.session) })
	}
	if v.pages == nil {
		calls = append(calls, orNothing(v.readPages))
	}
	return each(calls...)
}

// readPages finds the pages that the foot of every page leads to (GET /ecom/content/pages).
func (v *visit) readPages() error {
	var all List[PageHead]
	err := v.api.Get(v.ctx, "/content/pages", url.Values{"pageSize": {"100"}}, &all)
	if v.pages = all.Items; v.pages == nil {
		v.pages = []PageHead{}
	}
	return err
}

// get is a call for ask.
func (v *visit) get(path string, query url.Values, out any) func() error {
	return func() error { return v.api.Get(v.ctx, path, query, out) }
}

// orNothing lets a page do without a part that is not there: a feature that the store has not switched on.
func orNothing(call func() error) func() error {
	return func() error {
		err := call()
		if problemOf(err) != nil && !refused(err, http.StatusUnauthorized) {
			return nil
		}
		return err
	}
}

// form is the part of a page that says what was refused of what it sent; such a page is answered with 422.
type form struct{ Problem *Problem }

// Wrong is what is wrong with a field, by its name in the API, in English; "" where nothing is. The API names fields by
// their path, such as billing.postalCode.
func (f form) Wrong(field string) string {
	if f.Problem == nil {
		return ""
	}
	for _, e := range f.Problem.Errors {
		if e.Field == field {
			return e.Plain()
		}
	}
	return ""
}

func (f form) status() int {
	if f.Problem != nil {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// plain leaves out menu and search, private keeps a page from search engines.
func plain(o *view)   { o.Plain = true }
func private(o *view) { o.Private = true }

// mine shows a page that is the visitor's own.
func (v *visit) mine(name, title string, page any) error {
	return v.show(name, v.say(title), page, private)
}

// show writes a page, with the status that it says of itself.
func (v *visit) show(name, title string, page any, with ...func(*view)) error {
	if err := v.ask(); err != nil {
		return err
	}
	words := v.shop.templates[v.shop.words.Language(v.session.LanguageCode)]
	out := view{Session: v.session, Title: title, Here: v.r.URL.RequestURI(), Note: v.note, Page: page,
		Languages: languagesOf(v.session), Demo: v.shop.Demo, Logo: picture(v.session.Store.Profile.LogoURL),
		Icon: picture(v.session.Store.Profile.FaviconURL)}
	if v.csp == "" && strings.Contains(out.Logo, "://") {
		v.csp = alsoFrom(out.Logo)
	}
	for _, p := range v.pages {
		if p.ShowInNavigation {
			out.Pages = append(out.Pages, p)
		}
	}
	for _, w := range with {
		w(&out)
	}
	if v.r.Method != http.MethodGet {
		out.Here = v.r.URL.Path // where a form is shown again, its address leads to it (sameAs)
	}
	var b bytes.Buffer
	if err := words[name].ExecuteTemplate(&b, "layout", out); err != nil {
		return err
	}
	if v.note != "" {
		v.shop.setCookie(v.w, v.r, noteCookie, "", 0)
	}
	if v.csp != "" {
		v.w.Header().Set("Content-Security-Policy", v.csp)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	if p, ok := page.(interface{ status() int }); ok {
		v.w.WriteHeader(p.status())
	}
	_, _ = v.w.Write(b.Bytes()) // the visitor may have gone
	return nil
}

// typed is what was typed into a field of a form, and allTyped what was typed into several, by their names.
func (v *visit) typed(field string) string { return strings.TrimSpace(v.r.FormValue(field)) }

func (v *visit) allTyped(fields ...string) map[string]string {
	out := map[string]string{}
	for _, name := range fields {
		out[name] = v.typed(name)
	}
	return out
}

// part is a part of the page's address, as it stands in one of the API's.
func (v *visit) part(name string) string { return url.PathEscape(v.r.PathValue(name)) }

// post sends what a form says.
func (v *visit) post(path string, body any) error {
	return v.api.Do(v.ctx, http.MethodPost, path, body, nil)
}

// say is a text in the visitor's language.
func (v *visit) say(text string, values ...any) string {
	code := ""
	if v.session == nil {
		_ = v.ask() // without a session it is said in English
	}
	if v.session != nil {
		code = v.session.LanguageCode
	}
	return v.shop.say(v.shop.words.Language(code), text, values...)
}

// remember has the next page say something.
func (v *visit) remember(note string) { v.shop.setCookie(v.w, v.r, noteCookie, note, time.Minute) }

// redirect leads to another page after a form was taken, so that reloading that page sends nothing twice.
func (v *visit) redirect(path string) { http.Redirect(v.w, v.r, path, http.StatusSeeOther) }

// done leads to another page after a form was taken, which then says note, if anything.
func (v *visit) done(err error, note, path string) error {
	if err != nil {
		return err
	}
	if note != "" {
		v.remember(note)
	}
	v.redirect(path)
	return nil
}

// back is where a form wants to return to: a path of this shop, never another site.
func (v *visit) back(or string) string {
	to := v.r.FormValue("back")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") ||
		strings.ContainsAny(to, "\\\r\n") {
		return or
	}
	return to
}

// sorry is the page of what went wrong.
type sorry struct {
	Status     int
	RetryAfter int
	Problem    *Problem // a refusal that no form could show
}

// fail shows an error as a page. An address that leads nowhere may have moved: the store's redirects know
// (GET /ecom/store/redirects/resolve, which counts the hit).
func (v *visit) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	p := problemOf(err)
	if p == nil {
		v.shop.Log.Error("a page failed", "page", v.r.Pattern, "error", err)
		p = &Problem{Status: http.StatusBadGateway}
	}
	if p.Status == http.StatusNotFound && v.r.Method == http.MethodGet {
		var moved struct {
			ToPath     string `json:"toPath"`
			StatusCode int    `json:"statusCode"`
		}
		if v.api.Get(v.ctx, "/store/redirects/resolve", url.Values{"path": {v.r.URL.Path}}, &moved) == nil &&
			moved.ToPath != "" {
			http.Redirect(v.w, v.r, moved.ToPath, moved.StatusCode)
			return
		}
	}
	page := sorry{Status: p.Status, RetryAfter: p.RetryAfter}
	switch page.Status {
	case http.StatusNotFound, http.StatusForbidden:
	case http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity:
		// an address that asks for what cannot be leads nowhere
		if page.Status = http.StatusNotFound; v.r.Method != http.MethodGet {
			page.Status, page.Problem = http.StatusUnprocessableEntity, p
		}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		v.w.Header().Set("Retry-After", strconv.Itoa(max(1, p.RetryAfter)))
	default:
		v.shop.Log.Error("the API refused what a page asked for", "page", v.r.Pattern, "error", err)
		page.Status = http.StatusBadGateway
	}
	if v.mine("sorry", page.Title(), page) == nil {
		return
	}
	// Not even the session can be read: the page without what the store would say of itself.
	first, _, _ := strings.Cut(v.r.Header.Get("Accept-Language"), ",")
	v.session = &Session{LanguageCode: first}
	v.session.Store.Profile.LegalName, v.session.Store.Name = v.shop.Domain, v.shop.Domain
	if err := v.show("sorry", v.say(page.Title()), page, plain, private); err != nil {
		http.Error(v.w, "The shop is not to be reached at the moment. Please try again in a little while.", page.Status)
	}
}

func (s sorry) status() int { return s.Status }

// Title is the heading of the page.
func (s sorry) Title() string {
	switch s.Status {
	case http.StatusNotFound:
		return "Page not found"
	case http.StatusForbidden:
		return "That is not for this account"
	case http.StatusUnprocessableEntity:
		return "That did not work"
	case http.StatusTooManyRequests:
		return "One moment, please"
	}
	return "We will be right back"
}

// addressOf is the visitor's address as the connection shows it. Behind a proxy of your own, read what that proxy adds
// instead.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return host
}

// public is the shop's own address, for what must lead back here from elsewhere.
func (v *visit) public(path string) string { return v.shop.publicOf(v.r, path) }

func (s *Shop) publicOf(r *http.Request, path string) string {
	if s.Public != "" {
		return strings.TrimRight(s.Public, "/") + path
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + path
}

// versionOf tells one state of the static files from the next.
func versionOf(all fs.FS) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(all, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(all, name)
		sum.Write(b)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil))[:12], err
}
