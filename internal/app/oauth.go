package app

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/oauth"
	"kontor/internal/front/rest"
)

// openEntrance makes what lets people and their programs in, on data that was just opened.
func (h *App) openEntrance(store *db.Store) {
	h.gate = identity.NewGate(store.Control, store.Now)
	gate := h.gate
	db.On(store, func(tx *db.Tx, _ identity.Turned) error {
		tx.Done(gate.Forget)
		return nil
	})
	h.entrance = identity.NewEntrance(store.Control, h.guard, h.Hasher, h.post)
	h.readings = oauth.NewReadings(store.Write)
}

// authorization is the OAuth server of the house.
func (h *App) authorization(pages oauth.Pages) *oauth.Server {
	return oauth.New(oauth.Options{Base: h.baseOf, Control: h.store.Control, Session: h.sessionOf, Pages: pages,
		SignIn: "/sign-in", Address: h.clientOf, Guard: h.guard, Log: h.Log})
}

// base is the address under which others reach this house, for what no request asks for, such as a mail: the configured
// one, else where it listens. See baseOf.
func (h *App) base() string {
	if h.serving.PublicURL != "" {
		return strings.TrimRight(h.serving.PublicURL, "/")
	}
	if at := h.listens.Load(); at != nil {
		return *at
	}
	return "http://" + h.serving.Listen
}

// listening notes where the house listens. An address that stands for all of the machine's is told as its own.
func (h *App) listening(a net.Addr) {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	at := "http://" + net.JoinHostPort(host, port)
	h.listens.Store(&at)
}

// sessionOf is who is signed in in the browser that asks.
func (h *App) sessionOf(r *http.Request) (identity.Session, error) {
	c, err := r.Cookie(identity.SessionCookie(h.secureFor(r)))
	if err != nil {
		return h.gate.Session(r.Context(), "")
	}
	return h.gate.Session(r.Context(), c.Value)
}

// clientOf is the address a request comes from, behind the proxies that are trusted.
func (h *App) clientOf(r *http.Request) string {
	return clientOf(r, h.proxies)
}

// metadata is where the integration API describes itself to programs that come without a token.
func (h *App) metadata(r *http.Request) string {
	return rest.ResourceMetadata(h.baseOf(r), "/preview")
}

// guessRate is how many credentials of the integration API that are not known an address may show a second, whatever
// one that is known may ask: who has just been given a key shows one too.
const guessRate = 50

// countGuess spends one of that; nothing where rates are not limited.
func (h *App) countGuess(r *http.Request) func() error {
	return func() error {
		if h.serving.IntegrationRate <= 0 {
			return nil
		}
		return h.strangers.Take("credential:"+throttle.Network(h.clientOf(r)),
			rest.Limit{Rate: h.share(guessRate), Burst: 4 * guessRate})
	}
}

// caller finds the caller of the integration API, by its key or by the token of a person's program.
func (h *App) caller(r *http.Request) (rest.Caller, error) {
	shown := each.Where(slices.Concat(r.Header["X-Api-Key"], r.Header["Authorization"]),
		func(text string) bool { return text != "" })
	if len(shown) > 1 {
		return rest.Caller{}, identity.ErrInvalidCredential.Because(
			"%d credentials were sent in X-Api-Key and Authorization: send the one that is meant", len(shown))
	}
	if r.Header.Get("Authorization") == "" {
		return h.byAPIKey(r)
	}
	b, err := h.gate.Bearer(r.Context(), rest.BearerToken(r), h.countGuess(r))
	if err != nil {
		return rest.Caller{}, err
	}
	// RFC 8707, section 2: a token is good at the resource it was asked for, and nowhere else.
	if b.Resource != h.baseOf(r)+"/preview" {
		return rest.Caller{},
			identity.ErrInvalidCredential.Because(
				"the access token was given for another address than this API's: start the authorization again")
	}
	return rest.Caller{
		Company: b.CompanyID, Actor: b.Actor(), Credential: b.GrantID, Scopes: b.Scopes, Permits: b.Permits,
		Recorded: true, Limit: &rest.Limit{Rate: h.share(h.serving.IntegrationRate)},
	}, nil
}

// witness records what a program reads for a person.
func (h *App) witness(ctx context.Context, c rest.Caller, r rest.Reading) error {
	return h.readings.Note(ctx, c.Company, record.Reading{Actor: c.Actor, RequestID: r.RequestID, Resource: r.Resource,
		Key: r.Key, Operation: r.Operation, Query: r.Query})
}

// post turns what identity has to tell somebody into a mail of the company's.
func (h *App) post(ctx context.Context, l identity.Letter) error {
	c, err := h.Company(ctx, l.CompanyID)
	if err != nil {
		return err
	}
	as := db.Request{Company: l.CompanyID, Actor: db.Actor{Kind: "system", ID: "entrance", Name: "entrance"}}
	return h.store.Write(ctx, as, func(tx *db.Tx) error {
		return mail.Enqueue(tx, h.letter(c, l, tx.Now))
	})
}

// letter is a letter of identity in the words of its person. Its link holds the secret after the question mark of a
// page that tells no other site where it was.
func (h *App) letter(c identity.Company, l identity.Letter, now db.Time) mail.Message {
	lang := cmp.Or(l.Language, reference.LanguageOf(c.Country))
	// our own people write it down
	store, to := letters.Store{Name: c.Name, URL: h.base()}, mail.Address{Name: l.Name, Email: l.Email, Confirmed: true}
	left := l.ExpiresAt.Time().Sub(now.Time())
	link := h.entranceLink(l.Purpose, l.Token)
	if l.Purpose == "reset" {
		return letters.UserPasswordReset(lang, store, to, link, int(left.Round(time.Minute)/time.Minute), now)
	}
	m := letters.UserInvitation(lang, store, to,
		letters.Invitation{By: l.By, Link: link, Days: int(left.Round(dayLong) / dayLong)})
	m.Expires, m.Readers = l.ExpiresAt, "users:write"
	return m
}

// entranceLink is the address of a page that the holder of a token enters by.
func (h *App) entranceLink(purpose, token string) string {
	return h.base() + "/" + purpose + "?" + url.Values{"token": {token}}.Encode()
}

const dayLong = 24 * time.Hour

// sweepEntrance drops what has expired of sessions, tickets, tokens and connections.
func (h *App) sweepEntrance(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return h.inside(func(s *db.Store) error {
		return s.Control(ctx, db.Request{Actor: db.Actor{Kind: "system", ID: "housekeeping",
			Name: "kontor housekeeping"}}, true, func(tx *db.Tx) error {
			if err := identity.Sweep(tx); err != nil {
				return err
			}
			if err := throttle.Sweep(tx); err != nil {
				return err
			}
			return oauth.Sweep(tx)
		})
	})
}
