// Package throttle bounds guessing, and what costs much or reaches strangers. Attempts are counted by whoever makes
// them: by the account together with the network it is tried from, by the network for all accounts it tries, by the
// account for all places that were never let in to it, and by the company for all of those. Whichever is reached first
// refuses, and what is refused counts for nobody. So a wrong guess costs the guesser: an account's owner still comes in
// from where they came in before.
//
// Counts lie in the control database, so they hold on every node and after a restart. What a node has just refused it
// refuses again from memory.
package throttle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	"kontor/internal/foundation/cache"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// What is refused here: attempts at a door, and all others.
var (
	ErrAttempts = fault.New(fault.TooMany, "Auth.TooManyAttempts")
	ErrRate     = fault.New(fault.TooMany, "RateLimit.Exceeded")
)

// Limit is how many attempts are made in a window of time at most.
type Limit struct {
	Many   int64
	Window time.Duration
}

// Kind is something that can be guessed, or asked for too often. Of each way of counting every limit holds.
type Kind struct {
	Name string
	Doc  string // what is guessed or asked for, for people
	// Pair counts an account with the network that tries it, Account an account over all networks that were never let
	// in to it, Peer a network, and Company what all of these networks do in a company.
	Pair, Account, Peer, Company []Limit
	// Clears says that a success clears the pair's count, because nobody else can have one.
	Clears bool
	Code   fault.Code
}

// Who makes an attempt. What is empty is not counted.
type Who struct {
	Account string // that is tried, as it was typed: an e-mail, a user, a cart
	Peer    string // the address of who tries
	Company string
	// Known says that the account was let in from here before: it is counted by itself then, apart from all strangers.
	// Where it is not set, Place is looked for among those that Welcome noted.
	Known bool
	Place string
}

// placeKept is how long a place is remembered from which an account was let in.
const placeKept = 90 * 24 * time.Hour

// recall is how long a refusal is repeated from memory. It is short because attempts that turn out well are taken back.
const recall = 5 * time.Second

// maxRecalled bounds the refusals remembered.
const maxRecalled = 50_000

// Control runs work on the control database; a db.Store's Control is one.
type Control = func(ctx context.Context, r db.Request, write bool, fn func(*db.Tx) error) error

// Guard counts attempts.
type Guard struct {
	control Control
	now     func() db.Time
	refused cache.Cache[db.Time] // until when a key is full
}

// New is a guard over the counts of an installation.
func New(control Control, now func() db.Time) *Guard {
	return &Guard{control, now, cache.New[db.Time](maxRecalled, recall)}
}

// Attempt is one that was counted.
type Attempt struct {
	guard *Guard
	kind  *Kind
	who   Who
	keys  []counter
}

// counter is one row: a key with its limit.
type counter struct {
	key   string
	limit Limit
	pair  bool
}

// Spend counts an attempt before it is made, so that many at once find no gap. It refuses with the kind's code when
// there were too many; then nothing was counted.
func (g *Guard) Spend(ctx context.Context, k *Kind, who Who) (Attempt, error) {
	who.Account, who.Peer = record.Fold(strings.TrimSpace(who.Account)), Network(who.Peer)
	a := Attempt{guard: g, kind: k, who: who}
	all := k.counters(who, who.Known)
	for _, c := range all {
		// What concerns strangers alone may not concern this one: that is known after a look at the places.
		until, full := g.refused.Get(c.key)
		if now := g.now(); full && (c.pair || who.Place == "") && c.limit.isOpen(until, now) {
			return a, k.refuse(until, now)
		}
	}
	var full counter
	var until, now db.Time
	err := g.control(ctx, request(), true, func(tx *db.Tx) (err error) {
		a.keys, full, now = all, counter{}, tx.Now
		if who.Place != "" && !who.Known {
			known, err := isKnown(tx, k.place(who))
			if err != nil {
				return err
			}
			if known {
				a.keys = k.counters(who, true)
			}
		}
		if full, until, err = firstFull(tx, a.keys, 0); err != nil || full.key != "" {
			return err
		}
		if err := count(tx, a.keys); err != nil {
			return err
		}
		// Others may have counted meanwhile: who is past the limit now is refused, and takes the count back with the
		// transaction.
		if full, until, err = firstFull(tx, a.keys, 1); err == nil && full.key != "" {
			err = errFull
		}
		return err
	})
	if full.key != "" {
		g.refused.Put(full.key, until)
		return a, k.refuse(until, now)
	}
	return a, err
}

// errFull takes back what a transaction has counted.
var errFull = ErrRate.Because("full")

func (k *Kind) refuse(until, now db.Time) error {
	wait := max(1, int((until-now)/db.Time(time.Second/time.Microsecond))+1)
	f := k.Code.Because("too many attempts were made: wait %d seconds and try again", wait)
	if wait >= 120 {
		f = k.Code.Because("too many attempts were made: wait %d minutes and try again", (wait+59)/60)
	}
	return f.After(wait)
}

// TakeBack gives an attempt back that was none.
func (a Attempt) TakeBack(ctx context.Context) error { return a.conclude(ctx, false) }

// conclude gives an attempt back; one that was right also clears what its pair counts, and makes the place known.
func (a Attempt) conclude(ctx context.Context, right bool) error {
	return a.guard.control(ctx, request(), true, func(tx *db.Tx) error {
		var clear, less []string
		for _, c := range a.keys {
			if right && c.pair && a.kind.Clears {
				clear = append(clear, c.key)
			} else {
				less = append(less, c.key)
			}
		}
		if err := forget(tx, clear); err != nil {
			return err
		}
		if err := takeBack(tx, less); err != nil || !right || a.who.Place == "" {
			return err
		}
		return noteKnown(tx, a.kind.place(a.who), db.TimeOf(tx.Now.Time().Add(placeKept)))
	})
}

// Try makes an attempt that is a guess. It is counted unless it turns out right, after which the account is known at
// the place of who made it. One that could not be made is not counted either.
func (g *Guard) Try(ctx context.Context, k *Kind, who Who, guess func() (right bool, err error)) (right bool,
	err error) {
	a, err := g.Spend(ctx, k, who)
	if err != nil {
		return false, err
	}
	right, err = guess()
	if right || err != nil {
		err = errors.Join(err, a.conclude(context.WithoutCancel(ctx), right))
	}
	return right, err
}

// Miss counts a guess that was wrong, of what is too long to be found by guessing: who was right asks nobody.
func (g *Guard) Miss(ctx context.Context, k *Kind, who Who) error {
	_, err := g.Spend(ctx, k, who)
	return err
}

// counters are what an attempt is counted on. The order is that of the keys, in which all attempts lock them.
func (k *Kind) counters(w Who, known bool) []counter {
	var all []counter
	add := func(pair bool, limits []Limit, what string, of ...string) {
		for _, l := range limits {
			all = append(all, counter{k.Name + "/" + what + "/" + l.Window.String() + ":" + digest(of...), l, pair})
		}
	}
	if w.Account != "" {
		switch {
		case known:
			add(true, k.Pair, "known", w.Company, w.Account, w.Place)
		default:
			add(true, k.Pair, "pair", w.Company, w.Account, w.Peer)
			add(false, k.Account, "account", w.Company, w.Account)
		}
	}
	if !known && w.Peer != "" {
		add(false, k.Peer, "peer", w.Peer)
	}
	if !known && w.Company != "" {
		add(false, k.Company, "company", w.Company)
	}
	slices.SortFunc(all, func(a, b counter) int { return strings.Compare(a.key, b.key) })
	return all
}

// place is the key of a place that an account was let in from, through one door whatever was guessed there.
func (k *Kind) place(w Who) string {
	door, _, _ := strings.Cut(k.Name, "-")
	return door + "/place:" + digest(w.Company, w.Account, w.Place)
}

// digest is what is kept of what strangers type, which may be a password.
func digest(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Network is who an address belongs to: of IPv6 the first 64 bits, the rest of which a subscriber chooses freely. It is
// empty where the text is no address.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		if p, err := netip.ParsePrefix(address); err == nil {
			return p.String() // of a network already
		}
		return ""
	}
	a = a.Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

func request() db.Request {
	return db.Request{Actor: db.Actor{Kind: "system", ID: "entrance", Name: "entrance"}}
}
