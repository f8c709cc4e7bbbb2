package page

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/bodies"
)

// Codes of what pages refuse themselves.
var (
	errNoPage     = fault.New(fault.NotFound, "Page.NotFound")
	errNotAllowed = fault.New(fault.Denied, "Permission.Denied")
	errCrossSite  = fault.New(fault.Denied, "Form.CrossSite")
	errCompany    = fault.New(fault.Conflict, "Form.OtherCompany")
)

// exchange is one request on its way through a page.
type exchange struct {
	site     *Site
	w        http.ResponseWriter
	r        *http.Request
	route    *found
	captured map[string]string
	visitor  Visitor
	signedIn bool
	t        *translator
	lang     string
	id       string
	// hasFailed is true where there is a page that says so.
	hasFailed bool
}

// Handles reports whether an address is one of the office's.
func (s *Site) Handles(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, assetPath) {
		return true
	}
	at, _ := s.router.at(r.URL.EscapedPath())
	return at != nil
}

// Wanted reports whether a request comes from somebody who looks at pages, and so is told in one that there is nothing.
func Wanted(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"),
		"text/html")
}

// ServeHTTP answers with a page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, assetPath); ok {
		r.Pattern = assetPath
		s.serveAsset(w, r, name)
		return
	}
	x := &exchange{site: s, w: w, r: r, id: record.NewID(), lang: s.Language(r)}
	x.t = s.tongues[x.lang]
	w.Header().Set("X-Request-Id", x.id)
	secure(w.Header(), false)
	defer x.recovered()
	if err := x.serve(); err != nil {
		x.fail(err)
	}
}

// secure sets what every page says to the browser: nothing but what the office itself serves, and nothing is kept,
// since a page shows the company's business and bears the seals of its forms.
func secure(h http.Header, leadsAway bool) {
	h.Set("Content-Security-Policy", policy("", leadsAway))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Cookie, Accept-Language")
}

// policy is what a page may load: what the office itself serves, and pictures from wherever else a page shows those of
// others. A form that leads away is answered by somebody else's site: browsers hold form-action against every further
// address that one leads to, so it says nothing there.
func policy(pictures string, leadsAway bool) string {
	forms := "form-action 'self'; "
	if leadsAway {
		forms = ""
	}
	return "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:" + pictures +
		"; connect-src 'self'; font-src 'self'; " + forms + "frame-ancestors 'none'; base-uri 'none'"
}

// Guard lets a handler of a page of its own answer with the same protection: headers, and no posts from elsewhere.
func (s *Site) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), false)
		if err := s.guard.Check(r); err != nil {
			s.Card(w, r, crossSite(err))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func crossSite(err error) Card {
	return Card{Status: http.StatusForbidden, Title: "Not sent",
		Problem: errCrossSite.Because("this form was sent from another site, so nothing was done").From(err)}
}

func (x *exchange) serve() (err error) {
	if err := x.find(); err != nil {
		return err
	}
	if err := x.site.guard.Check(x.r); err != nil {
		return errCrossSite.Because("this form was sent from another site, so nothing was done").From(err)
	}
	if x.route.open { // a form is held in memory whole, and who is not signed in is counted nowhere
		x.r.Body = http.MaxBytesReader(x.w, x.r.Body, bodies.Light)
	} else {
		if err := x.enter(); err != nil {
			return err
		}
		if !x.may(x.route.permission) {
			return errNotAllowed.Because(
				"your role does not include this; an administrator of the company can change it")
		}
		carried, err := x.site.Loads.Carry(x.visitor.Company, x.r, maxUpload)
		defer carried.Down()
		if err != nil {
			return err
		}
	}
	return x.route.serve(x)
}

// find finds the page of the address.
func (x *exchange) find() error {
	at, captured := x.site.router.at(x.r.URL.EscapedPath())
	if at == nil {
		return errNoPage.Because("there is no page at this address")
	}
	method := x.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if x.route = at.routes[method]; x.route == nil {
		return errNoPage.Because("there is no page at this address")
	}
	x.r.Pattern = x.route.path
	var ok bool
	if x.captured, ok = x.route.capture(captured); !ok {
		return errNoPage.Because("there is no page at this address")
	}
	return nil
}

// enter finds out who asks.
func (x *exchange) enter() error {
	v, err := x.site.Enter(x.r)
	if err != nil {
		return err
	}
	x.visitor, x.signedIn = v, true
	if x.site.tongues[v.Language] != nil {
		x.lang = v.Language
	}
	x.t = x.site.tongues[x.lang].in(v.Zone)
	x.t.shut = x.shut
	return nil
}

// shut reports whether an address is a page that the person may not open, or a form they may not send: what they may
// not do they are not shown a way to, whichever page it would stand on.
func (x *exchange) shut(address string, post bool) bool {
	path, _, _ := strings.Cut(address, "?")
	at, _ := x.site.router.at(path)
	method := http.MethodGet
	if post {
		method = http.MethodPost
	}
	if at == nil || at.routes[method] == nil {
		return false
	}
	r := at.routes[method]
	return !r.open && !x.may(r.permission)
}

// ajar is an address, or "" where it is shut.
func (x *exchange) ajar(address string) string {
	if address == "" || x.shut(address, false) {
		return ""
	}
	return address
}

func (x *exchange) may(permission string) bool { return permits(x.visitor, permission) }

// ctx is what the page's functions are given.
func (x *exchange) ctx(tx *db.Tx) *Ctx {
	return &Ctx{Tx: tx, Visitor: x.visitor, Request: x.r, site: x.site, captured: x.captured,
		speak: x.t, requestID: x.id}
}

func (x *exchange) request() db.Request {
	return db.Request{Company: x.visitor.Company, Actor: x.visitor.Actor, RequestID: x.id}
}

// read runs a page's functions that only look.
func (x *exchange) read(where Where, fn func(c *Ctx) error) error {
	run := func(tx *db.Tx) error { return fn(x.ctx(tx)) }
	if where == InCompany {
		return x.site.Store.Read(x.r.Context(), x.request(), run)
	}
	return x.site.Store.Control(x.r.Context(), x.request(), false, run)
}

// recovered turns a panic into an answer, and notes it.
func (x *exchange) recovered() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	x.fail(fault.Crashed(p))
}

// statuses are those of the kinds of faults.
var statuses = map[fault.Kind]int{fault.Invalid: http.StatusUnprocessableEntity,
	fault.Unauthenticated: http.StatusUnauthorized, fault.Denied: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict, fault.Stale: http.StatusConflict,
	fault.Gone: http.StatusGone, fault.TooLarge: http.StatusRequestEntityTooLarge,
	fault.Unsupported: http.StatusUnsupportedMediaType, fault.TooMany: http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable}

// problem is a fault ready for the template.
type problem struct {
	Title, Text string
	More        []string
	RequestID   string
}

// problemOf says what went wrong, and when to come again where the refusal knows; what was our fault goes into the log.
func (x *exchange) problemOf(err error) *problem {
	f := fault.As(err)
	if f.RetryAfterSeconds > 0 {
		x.w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
	}
	if f.Kind == fault.Internal {
		x.site.Log.Error("a page failed", "request", x.id, "path", x.r.Pattern, "error", err)
		return &problem{Title: x.t.say("Something failed on our side"), RequestID: x.id,
			Text: x.t.say("Nothing was changed. Try again; if it stays, report the number of the request.")}
	}
	p := &problem{Title: x.t.say("That did not work"), Text: sentence(x.t.refusal(f.Said()))}
	if len(f.Fields) > 0 {
		p.Title, p.Text = x.t.say("Something is not right yet"),
			x.t.say("Look at the fields that are marked; nothing was changed.")
	}
	return p
}

// problemAlone is problemOf on a page without a form, which has no field to mark.
func (x *exchange) problemAlone(err error) *problem {
	p := x.problemOf(err)
	if p.More = newSheet(x.t, nil, err).others(); len(p.More) > 0 {
		p.Title, p.Text = x.t.say("That did not work"), ""
	}
	return p
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	first, n := utf8.DecodeRuneInString(s)
	return fault.Ended(string(unicode.ToUpper(first)) + s[n:])
}

// fail answers a request that came to nothing.
func (x *exchange) fail(err error) {
	f := fault.As(err)
	if f.Kind == fault.Unauthenticated && !x.isScript() {
		to := x.site.SignIn
		if next := x.after(); next != x.site.Home {
			to += "?next=" + url.QueryEscape(next)
		}
		if x.r.Method == http.MethodPost && x.route != nil {
			x.flash(
				x.t.say("You were signed out before this was sent, so nothing was done. Sign in and send it again."))
		}
		http.Redirect(x.w, x.r, to, http.StatusSeeOther)
		return
	}
	titles := map[fault.Kind]string{fault.NotFound: "Not here", fault.Denied: "Not allowed",
		fault.Unavailable: "Not at the moment"}
	title := cmp.Or(titles[f.Kind], "That did not work")
	x.hasFailed = true
	x.render("message", statusOfError(err),
		frame{Title: x.t.say(title), Body: messageView{Problem: x.problemAlone(err), Back: x.back()}})
}

// isScript says whether a script of a page asks (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/): nobody sees
// its answer as a page.
func (x *exchange) isScript() bool { return x.r.Header.Get("Sec-Fetch-Dest") == "empty" }

// after is where somebody goes on who has to sign in first: to the page that was asked for, or that the form stood on.
func (x *exchange) after() string {
	if x.r.Method == http.MethodGet || x.r.Method == http.MethodHead {
		return x.r.URL.RequestURI()
	}
	if at, _ := x.site.router.at(x.r.URL.EscapedPath()); at != nil && at.routes[http.MethodGet] != nil &&
		!at.routes[http.MethodGet].aside {
		return x.r.URL.RequestURI()
	}
	return x.back()
}

// back is where the person came from, within the office.
func (x *exchange) back() string {
	u, err := url.Parse(x.r.Referer())
	if err != nil || u.Host != x.r.Host || !strings.HasPrefix(u.Path, "/") || u.Path == x.r.URL.Path {
		return x.site.Home
	}
	return Local(u.RequestURI(), x.site.Home)
}

// Local is next where it is a path of this server, else otherwise: nobody is led elsewhere.
func Local(next, otherwise string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") {
		return otherwise
	}
	return next
}

// render writes a page.
func (x *exchange) render(kind string, status int, f frame) {
	x.fill(&f)
	var b bytes.Buffer
	if err := x.site.sets[x.lang+"/"+kind].ExecuteTemplate(&b, "page", f); err != nil {
		x.site.Log.Error("a page could not be written", "request", x.id, "path", x.r.Pattern, "error", err)
		http.Error(x.w, "This page could not be made.", http.StatusInternalServerError)
		return
	}
	h := x.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		x.w.Write(b.Bytes())
	}
}

// Context of a request that outlives its client's patience is not cancelled half way.
func lasting(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

func statusOfError(err error) int {
	return cmp.Or(statuses[fault.As(err).Kind], http.StatusInternalServerError)
}

// readCommitted is read for lists, which remember their totals and where their pages begin.
func (x *exchange) readCommitted(where Where, fn func(c *Ctx) error) error {
	if where != InCompany {
		return x.read(where, fn)
	}
	r := x.request()
	r.AsksCommitted = true
	return x.site.Store.Read(x.r.Context(), r, func(tx *db.Tx) error { return fn(x.ctx(tx)) })
}
