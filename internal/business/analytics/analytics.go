// Package analytics is what visitors of stores do, counted: views of pages, visits, events. Nothing that is kept is of
// anybody: an address is kept without what stands behind its question mark, a referrer by its host alone, an event
// without its properties, and a session is known in memory only, by a hash, so that a day's visits can be told apart.
//
// What is counted is gathered in memory, so that no request waits for it, and written in batches. A crash loses the
// seconds since the last writing, which nobody misses; nothing is ever counted twice.
package analytics

import (
	"crypto/sha256"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// Kind is what a count is of.
type Kind string

// The kinds. The name of a View and a Visit is empty.
const (
	View     Kind = "View"
	Visit    Kind = "Visit"
	Path     Kind = "Path"
	Referrer Kind = "Referrer"
	Product  Kind = "Product"
	Category Kind = "Category"
	Event    Kind = "Event"
	Miss     Kind = "Miss" // words that a search found nothing for
)

// Values are the kinds.
func (Kind) Values() []Kind {
	return []Kind{View, Visit, Path, Referrer, Product, Category, Event, Miss}
}

// Bounds of what is counted by name in a day, so that no stranger fills the tables with names of his own; of a
// session's part in it, and of how far back something may have happened.
const (
	mostNames    = 10_000 // of a company; more are not told apart that day, and views and visits are counted on
	mostSessions = 200_000
	mostOfOne    = 2_000 // rows of a session and day: more is a robot
	longName     = 200
	oldest       = 90 * 24 * time.Hour
)

// Visitor is who did something, and where.
type Visitor struct {
	Channel channel.Channel
	Session string
	Agent   string         // the User-Agent that the storefront passes on
	Zone    *time.Location // the company's, whose days are counted
}

// Viewed is a page that was looked at.
type Viewed struct {
	URL, Referrer, ProductID, CategoryCode string
	At                                     db.Time
}

// Happened is an event in a storefront, such as something put into the cart.
type Happened struct {
	Type, ProductID, CategoryCode string
	At                            db.Time
}

// Traffic gathers what visitors do until it is written.
type Traffic struct {
	mu        sync.Mutex
	companies map[string]map[key]int
	named     map[string]*names         // of each company, today
	seen      map[[sha256.Size]byte]int // rows of a session and day
}

// names are those that were counted on a day.
type names struct {
	day  day.Date
	keys map[key]struct{}
}

type key struct {
	channelKey string
	day        day.Date
	kind       Kind
	name       string
}

// NewTraffic has counted nothing yet.
func NewTraffic() *Traffic {
	return &Traffic{companies: map[string]map[key]int{}, named: map[string]*names{}, seen: map[[sha256.Size]byte]int{}}
}

var robots = lazy.Regexp(
	`(?i)bot\b|bot[/;_ -]|crawl|spider|slurp|headless|facebookexternalhit|preview|monitor|curl/|wget/|python-|lighthouse|pingdom`)

// IsRobot reports whether a User-Agent is that of a program that looks by itself.
func IsRobot(agent string) bool { return robots().MatchString(agent) }

// Views counts pages that a visitor looked at.
func (t *Traffic) Views(company string, v Visitor, now db.Time, all []Viewed) {
	counting(t, company, v, now, all, func(p Viewed) db.Time { return p.At }, func(p Viewed, add func(Kind, string)) {
		add(View, "")
		path, host := pathOf(p.URL)
		add(Path, path)
		if _, from := pathOf(p.Referrer); from != "" && from != host {
			add(Referrer, from)
		}
		add(Product, p.ProductID)
		add(Category, record.Fold(p.CategoryCode))
	})
}

// Events counts what happened in a storefront.
func (t *Traffic) Events(company string, v Visitor, now db.Time, all []Happened) {
	counting(t, company, v, now, all, func(e Happened) db.Time { return e.At },
		func(e Happened, add func(Kind, string)) { add(Event, TypeOf(e.Type)) })
}

// counting counts what a visitor did, until it looks like the doing of a program.
func counting[T any](t *Traffic, company string, v Visitor, now db.Time, all []T, at func(T) db.Time,
	count func(one T, add func(Kind, string))) {
	if IsRobot(v.Agent) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range all {
		on := dayOf(at(one), now, v.Zone)
		isFirst, isRobot := t.known(v.Session, on)
		if isRobot {
			return
		}
		add := t.adder(company, v, on, now)
		if isFirst {
			add(Visit, "")
		}
		count(one, add)
	}
}

// Missed counts words that a search found nothing for. What looks like somebody's address is not kept.
func (t *Traffic) Missed(company string, v Visitor, now db.Time, words string) {
	words = strings.Join(strings.Fields(strings.ToLower(words)), " ")
	if strings.Contains(words, "@") || len(words) > 60 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.adder(company, v, dayOf(now, now, v.Zone), now)(Miss, words)
}

// TypeOf is how the type of an event is counted: add_to_cart, addToCart and AddToCart are one.
func TypeOf(s string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(s))
}

// AddedToCart is the type of the event that something was put into the cart.
const AddedToCart = "addtocart"

// known reports whether a session is met for the first time on a day, and whether it does more than a person would.
func (t *Traffic) known(session string, on day.Date) (isFirst, isRobot bool) {
	of := sha256.Sum256([]byte(session + "\x00" + string(on)))
	if len(t.seen) >= mostSessions {
		clear(t.seen)
	}
	n := t.seen[of]
	t.seen[of] = n + 1
	return n == 0, n >= mostOfOne
}

// adder counts for a channel and a day; names that are empty count where the kind has none.
func (t *Traffic) adder(company string, v Visitor, on day.Date, now db.Time) func(Kind, string) {
	of, today := t.companies[company], t.named[company]
	if of == nil {
		of = map[key]int{}
		t.companies[company] = of
	}
	if d := dayOf(now, now, v.Zone); today == nil || today.day != d {
		today = &names{d, map[key]struct{}{}}
		t.named[company] = today
	}
	channelKey := record.Fold(v.Channel.Code)
	return func(kind Kind, name string) {
		if name == "" && kind != View && kind != Visit {
			return
		}
		k := key{channelKey, on, kind, name}
		if name == "" || today.admit(k) {
			of[k]++
		}
	}
}

func (n *names) admit(k key) bool {
	if _, known := n.keys[k]; !known && len(n.keys) >= mostNames {
		return false
	}
	n.keys[k] = struct{}{}
	return true
}

// dayOf is the day of a moment in the company's zone; what cannot be, in the future or long ago, is taken to be now.
func dayOf(at, now db.Time, zone *time.Location) day.Date {
	if at > now || now.Time().Sub(at.Time()) > oldest {
		at = now
	}
	return day.Of(at.Time(), zone)
}

// pathOf are the path of an address, without what may be somebody's, and its host.
func pathOf(address string) (path, host string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	path, host = u.Path, strings.ToLower(u.Hostname())
	if path == "" && host != "" {
		path = "/"
	}
	if strings.Contains(path, "@") || len(path) > longName || len(host) > longName {
		return "", ""
	}
	return strings.ToValidUTF8(path, ""), strings.ToValidUTF8(host, "")
}

// Companies are those with something to be written.
func (t *Traffic) Companies() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.companies))
}

// Write writes what was counted for a company, in one transaction that write runs; where that fails it is counted on.
func (t *Traffic) Write(company string, write func(fn func(tx *db.Tx) error) error) error {
	t.mu.Lock()
	of := t.companies[company]
	delete(t.companies, company)
	t.mu.Unlock()
	if len(of) == 0 {
		return nil
	}
	err := write(func(tx *db.Tx) error { return addTraffic(tx, of) })
	if err == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.companies[company] == nil {
		t.companies[company] = map[key]int{}
	}
	for k, times := range of {
		t.companies[company][k] += times
	}
	return err
}
