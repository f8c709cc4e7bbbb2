// Package page is the back office's pages as kinds, as rest is the API's operations: a list with filters, search,
// paging and export; a record with its actions and its history; a form with every error in its place; a board of
// figures. A kind carries what all pages of it share (permission, paging, versions, form tokens, languages, what is
// sent when something is refused), so that a page is a value with two or three functions. It knows no business.
package page

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/bodies"
)

// Surface is an office: its pages by area, and what they need to be served.
type Surface struct {
	Name  string // of the product, in titles
	Store *db.Store
	Areas []Area
	// Enter says who asks. An Unauthenticated fault leads to SignIn.
	Enter func(*http.Request) (Visitor, error)
	// Secure reports whether who sends a request reaches the office by TLS.
	Secure func(*http.Request) bool
	// SignIn is the path of the sign-in page; the page that was wanted comes as ?next=.
	SignIn string
	// Home is the path of the page that the name leads to.
	Home string
	// Account and SignOut are in the menu of the person, Switch is posted another company's id.
	Account, SignOut, Switch string
	// Words are further translations, by English sentence.
	Words texts.Table
	// Digits are the minor digits of a currency.
	Digits func(currency string) int
	// Discussions are how people speak of records.
	Discussions Discussions
	// Loads bounds what bodies take of the memory of this process; nil is the usual bound, for this surface alone.
	Loads *bodies.Loads
	Log   *slog.Logger
}

// Area is a part of the office, with its pages.
type Area struct {
	Title string
	Icon  string // of assets/icons
	Pages []Page
	// Folded areas show their pages only when one of them is open.
	Folded bool
}

// Page is a value of one of the kinds.
type Page interface {
	// routes are what it answers, and its place in the menu; nil = it has none.
	routes() ([]route, *item)
}

// item is an entry of the navigation.
type item struct{ Title, Path, Permission string }

// in is the entry of a page that is in the navigation; nil for one that is not.
func (i item) in(menu bool) *item {
	if !menu {
		return nil
	}
	return &i
}

// Visitor is who is signed in, as far as a page needs to know.
type Visitor struct {
	Company, CompanyName string // id and name of the company they work in
	Companies            []Option
	Environment          string // shown when it is not Production
	Actor                db.Actor
	Email                string
	Role                 string
	// Credential scopes form tokens: the session's or the person's id.
	Credential string
	// Language is what the person chose, "" = what the browser asks for.
	Language string
	// Zone is where the company's clock stands; every time on a page is in it. nil is UTC.
	Zone    *time.Location
	Permits func(permission string) bool
}

// Where a page's functions run.
type Where int

// The places: the company's data, the control database, or no transaction of the page's (verbs that open their own).
const (
	InCompany Where = iota
	InControl
	Outside
)

// Site is an office ready to be served.
type Site struct {
	Surface
	router  router
	tongues map[string]*translator
	sets    map[string]*template.Template
	assets  map[string]asset
	guard   *http.CrossOriginProtection
	menu    []menuArea
}

type menuArea struct {
	Title, Icon string
	Folded      bool
	Items       []item
}

// route is one address of a page.
type route struct {
	method, path string
	permission   string
	open         bool   // for people who are not signed in as well
	aside        bool   // shows no page, but leads to one
	title        string // of a page that others lie below, for the way up
	serve        func(x *exchange) error
}

// New makes an office ready. Its error lists what is wrong with the declared pages.
func New(s Surface) (*Site, error) {
	if s.Log == nil {
		s.Log = slog.Default()
	}
	s.Loads = cmp.Or(s.Loads, bodies.New(bodies.Usual))
	site := &Site{Surface: s, guard: http.NewCrossOriginProtection()}
	var err error
	if site.tongues, err = translators(s.Words, s.Digits); err != nil {
		return nil, err
	}
	if site.assets, err = readAssets(); err != nil {
		return nil, err
	}
	if site.sets, err = site.templates(); err != nil {
		return nil, err
	}
	var errs []error
	for _, a := range s.Areas {
		m := menuArea{Title: a.Title, Icon: a.Icon, Folded: a.Folded}
		for _, p := range a.Pages {
			routes, place := p.routes()
			for _, r := range routes {
				errs = append(errs, site.router.add(r))
			}
			if place != nil {
				m.Items = append(m.Items, *place)
			}
		}
		if len(m.Items) > 0 {
			site.menu = append(site.menu, m)
		}
	}
	return site, errors.Join(errs...)
}

// Ctx is what a page's functions are given: the transaction, the person, and what the address says.
type Ctx struct {
	Tx      *db.Tx // nil where the page runs Outside
	Visitor Visitor
	// Request is the request itself, for the few pages that need more of it than the address.
	Request  *http.Request
	site     *Site
	captured map[string]string
	speak    *translator

	requestID string
	trying    bool // what is done is only tried
}

// errTrying ends what is only tried where it would leave the company's data.
var errTrying = errors.New("page: this is only tried")

// Context is the request's context.
func (c *Ctx) Context() context.Context { return c.Request.Context() }

// Path is a value of the page's path.
func (c *Ctx) Path(name string) string { return c.captured[name] }

// Query is a value of the address after the question mark.
func (c *Ctx) Query(name string) string { return c.Request.URL.Query().Get(name) }

// Chosen are the keys of the rows that were chosen in a list.
func (c *Ctx) Chosen() []string { return c.Request.URL.Query()["chosen"] }

// May reports whether the person has a permission.
func (c *Ctx) May(permission string) bool { return permits(c.Visitor, permission) }

// Say is a sentence in the person's language.
func (c *Ctx) Say(english string, args ...any) string { return c.speak.say(english, args...) }

// Who is an actor as the person calls them: see translator.who.
func (c *Ctx) Who(a db.Actor) string { return c.speak.who(a) }

// Show is a value as text in the person's language.
func (c *Ctx) Show(v Value) string { return c.speak.cell(v).Text }

// Language is the language of the page.
func (c *Ctx) Language() string { return c.speak.lang }

// Control runs fn on the control database, for pages of the company that also show what lies there.
func (c *Ctx) Control(write bool, fn func(*db.Tx) error) error {
	if write && c.trying {
		return errTrying
	}
	return c.site.Store.Control(c.Context(), c.AsVisitor(), write, fn)
}

// permits reports whether the visitor has a permission; "" is everybody's.
func permits(v Visitor, permission string) bool {
	return permission == "" || v.Permits != nil && v.Permits(permission)
}

// Done is what becomes of a page's act: where to go, and what to say there.
type Done struct {
	// To is the path to go to; "" is back where the person came from.
	To string
	// Say is a sentence, shown once at the top of the next page.
	Say  string
	Args []any
	// Card shows a page of its own instead of going anywhere, for what is shown only once.
	Card *Card
}

// Went leads to a path with a sentence.
func Went(to, say string, args ...any) Done { return Done{To: to, Say: say, Args: args} }

// Did stays where the person came from, with a sentence.
func Did(say string, args ...any) Done { return Done{Say: say, Args: args} }

// Link leads somewhere.
type Link struct{ Label, Href string }

// Go is a button that leads to another page, where the person may open that.
type Go struct {
	Label, Path string
	Primary     bool
	missing     bool
}

// If is the button where ok, and none otherwise.
func (g Go) If(ok bool) Go { g.missing = !ok; return g }

// Option is a choice.
type Option struct {
	Value, Label string
	find         string // of those that Searched stands for
}

// Searched are choices of which there are more than a drop-down holds: a field or filter that is offered them takes
// what is typed, and offers what the Lookup page of this path finds.
func Searched(path string) []Option { return []Option{{find: path}} }

// searched is the Lookup page that finds the choices, "" where all of them are there.
func searched(options []Option) string {
	for _, o := range options {
		if o.find != "" {
			return o.find
		}
	}
	return ""
}

// Options are choices whose values are enum words: PartiallyDelivered is shown as Partially delivered.
func Options[S ~string](values []S) []Option {
	return each.Of(values, func(v S) Option { return Option{Value: string(v), Label: Words(string(v))} })
}

// AsVisitor is a request of the person, for verbs that open transactions of their own.
func (c *Ctx) AsVisitor() db.Request {
	return db.Request{Actor: c.Visitor.Actor, RequestID: c.requestID}
}
