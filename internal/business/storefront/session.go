// Package storefront is who visits a store: sessions, the people who sign in to them, and what a store shows of itself.
// A session is a visitor's own affair, no record that other systems follow: it has no change rows.
package storefront

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Lifetime of a session, from its opening; it does not slide.
const Lifetime = 7 * 24 * time.Hour

// What this room refuses.
var (
	ErrNotFound    = fault.New(fault.NotFound, "Store.NotFound")
	ErrNoSession   = identity.ErrMissingCredential
	ErrBadSession  = identity.ErrInvalidCredential
	ErrSessionOver = identity.ErrExpiredCredential
	ErrNotOffered  = fault.New(fault.Invalid, "Session.NotOffered")
	ErrKeyRequired = fault.New(fault.Unauthenticated, "Store.KeyRequired")
)

// Session is a visitor's stay in a store.
type Session struct {
	ID         string
	ChannelKey string
	CreatedAt  db.Time
	ExpiresAt  db.Time
	EndedAt    db.Time
	CustomerID string // "" = not signed in
	ContactID  string
	SignedInAt db.Time
	Language   string
	Country    string
	// IncludesTax is whether prices are shown with tax; nil is as the store does.
	IncludesTax *bool

	token string // its hash
	// IsKept says that it has a row.
	IsKept bool
	// isLapsed says that somebody had signed in who may not come in any more: until that changes the visitor is a
	// guest.
	isLapsed bool
}

// Visit is a session with what it means: the store, the terms of the visitor, and the person where signed in.
type Visit struct {
	Session     Session
	Channel     channel.Channel
	Language    string // BCP 47
	Country     string // ISO 3166-1 alpha-2: taxes, freight
	IncludesTax bool   // prices are shown with tax
	Customer    Customer
	Contact     Contact
	Zone        *time.Location // the company's
}

// Customer is whom the visitor buys for; the zero value is a guest.
type Customer struct{ ID, Number, Name, GroupCode, CurrencyCode string }

// Contact is the person signed in.
type Contact struct {
	ID, Name, Email string
	Role            Role
}

// SignedIn reports whether the visitor is a known contact.
func (v *Visit) SignedIn() bool { return v.Contact.ID != "" }

// Of is the visit of this transaction. It is there in every operation of the commerce API that is not open to all. It
// is shared, and must not be changed; it is another after Choose and SignIn.
func Of(tx *db.Tx) *Visit { return tx.Admitted.(*Visit) }

// IsVisit reports whether somebody who visits a store does what a transaction does.
func IsVisit(tx *db.Tx) bool {
	_, is := tx.Admitted.(*Visit)
	return is
}

// MayCall refuses a stranger whom a store does not serve. Store.KeyRequired.
func MayCall(g Guest, c channel.Channel) error {
	if g.Known || !c.Store.KeyRequired {
		return nil
	}
	return ErrKeyRequired.Because(
		"this store is served to the merchant's own server alone: send its store key as X-Store-Key")
}

// Admit finds the visit of GuestOf(tx) and puts it, with its person as the actor, into the transaction. A scope of
// "customer" needs somebody signed in. Auth.MissingCredential, Auth.InvalidCredential, Auth.ExpiredCredential,
// Store.KeyRequired.
func Admit(tx *db.Tx, scope string) error {
	if err := NeedToken(tx); err != nil {
		return err
	}
	if GuestOf(tx).Forged {
		return NotGivenOut()
	}
	v := known(tx)
	if v == nil {
		var err error
		if v, err = met(tx); err != nil {
			return err
		}
	}
	if err := MayCall(GuestOf(tx), v.Channel); err != nil {
		return err
	}
	tx.Admitted, tx.Actor = v, v.actor()
	tx.AtLast(func() error { return keep(tx) })
	if scope == "customer" {
		return NeedSignIn(tx)
	}
	return nil
}

// NeedToken refuses a request without the token of a session, be it one that stands or not. Auth.MissingCredential.
func NeedToken(tx *db.Tx) error {
	if GuestOf(tx).Token != "" {
		return nil
	}
	return ErrNoSession.Because(
		"this needs a session: open one with GET /ecom/session, and send its sessionToken as Authorization: Bearer")
}

// met reads the visit of GuestOf(tx), and remembers it.
func met(tx *db.Tx) (*Visit, error) {
	deps := tx.DependsOnParty(sessionRef(GuestOf(tx).Token))
	v, err := findVisit(tx)
	if err != nil {
		return nil, err
	}
	c, ok, err := storeOf(tx, GuestOf(tx).Channel)
	switch {
	case err != nil:
		return nil, err
	case !ok || v.Session.ChannelKey != record.Fold(c.Code):
		return nil, NotGivenOut()
	case v.Session.EndedAt != 0, v.Session.ExpiresAt > tx.Now && !v.Session.ExpiresAt.IsLiving(tx.Now, Lifetime):
		return nil, ErrSessionOver.Because("the session was ended: open another with GET /ecom/session")
	case v.Session.ExpiresAt <= tx.Now:
		return nil, ErrSessionOver.Because("the session ended on %s: open another with GET /ecom/session",
			v.Session.ExpiresAt)
	}
	v.Channel = c
	v.chooseTerms(tx)
	v.remember(tx, deps)
	return v, nil
}

// NotGivenOut is the refusal of a token that is none of the store's.
func NotGivenOut() error {
	return ErrBadSession.Because("the session is not known in this store: open one with GET /ecom/session")
}

// empty is the visit of a guest in whose session nothing was kept: no cart, no choice, nobody who signed in. It has no
// row.
func empty(g Guest) *Visit {
	return &Visit{Session: Session{ID: sessionID(g), ChannelKey: record.Fold(g.Channel), CreatedAt: g.Opened,
		ExpiresAt: db.TimeOf(g.Opened.Time().Add(Lifetime)), token: g.Token}}
}

// keep gives the session of this transaction, which has written something, a row if it has none. It is the only place
// where one comes to be, but for save.
func keep(tx *db.Tx) error {
	if Of(tx).Session.IsKept {
		return nil
	}
	return write(tx, &own(tx).Session, "do nothing") // who was faster may have kept more
}

// NeedSignIn refuses a visitor who is not signed in. Auth.InvalidCredential.
func NeedSignIn(tx *db.Tx) error {
	if Of(tx).SignedIn() {
		return nil
	}
	return ErrBadSession.Because("this is for customers who are signed in: sign in with POST /ecom/auth/login")
}

func (v *Visit) actor() db.Actor {
	if v.SignedIn() {
		return db.Actor{Kind: "contact", ID: v.Contact.ID, Name: v.Contact.Name}
	}
	return db.Actor{Kind: "visitor", ID: v.Session.ID, Name: "visitor of " + cmp.Or(v.Channel.Name, v.Channel.Code)}
}

// chooseTerms fills in what the store decides where the visitor chose nothing, or something that the store no longer
// offers.
func (v *Visit) chooseTerms(tx *db.Tx) {
	v.Language, v.Country, v.IncludesTax = v.Session.Language, v.Session.Country, v.Channel.IsPriceIncludingTax
	v.Zone = tx.Info.Zone
	if !slices.Contains(Languages(tx, v.Channel), v.Language) {
		v.Language = v.Channel.LanguageOr(tx.Info.Country)
	}
	if countries := Countries(tx, v.Channel); !slices.Contains(countries, v.Country) {
		v.Country = countries[0]
	}
	if v.Session.IncludesTax != nil {
		v.IncludesTax = *v.Session.IncludesTax
	}
}

// Languages are those that a store speaks, its default first.
func Languages(tx *db.Tx, c channel.Channel) []string {
	if len(c.Languages) > 0 {
		return c.Languages
	}
	return []string{c.LanguageOr(tx.Info.Country)}
}

// Countries are those that a store delivers to, its first choice first; a store that names none delivers at home.
func Countries(tx *db.Tx, c channel.Channel) []string {
	if len(c.Countries) > 0 {
		return c.Countries
	}
	return []string{tx.Info.Country}
}

// storeOf is the active channel with this code.
func storeOf(tx *db.Tx, code string) (channel.Channel, bool, error) {
	c, err := channel.Find(tx, code)
	if fault.Is(err, channel.ErrNotFound) {
		return c, false, nil
	}
	return c, err == nil && c.IsActive, err
}

// StoreFor is the active channel with this code. Store.NotFound.
func StoreFor(tx *db.Tx, code string) (channel.Channel, error) {
	c, ok, err := storeOf(tx, code)
	if err == nil && !ok {
		err = ErrNotFound.Because("there is no store %q here: X-Channel is the code of an active channel", code)
	}
	return c, err
}

// Open begins a visit of the store named by GuestOf(tx), which it puts into the transaction, and answers the session's
// token. It writes nothing: the session has its row once there is something to keep.
// Store.NotFound, Store.KeyRequired.
func Open(tx *db.Tx) (token string, err error) {
	deps := tx.DependsOn()
	c, err := StoreFor(tx, GuestOf(tx).Channel)
	if err == nil {
		err = MayCall(GuestOf(tx), c)
	}
	if err != nil {
		return "", err
	}
	if token, err = newToken(tx, record.Fold(c.Code)); err != nil {
		return "", err
	}
	v := empty(Holder(GuestOf(tx), token))
	v.Channel = c
	v.chooseTerms(tx)
	v.remember(tx, deps.With(tx, sessionRef(v.Session.token))) // nothing has become of it yet
	tx.Admitted, tx.Actor = v, v.actor()
	return token, nil
}

// Wishes are what a visitor may choose; nil leaves it.
type Wishes struct {
	Language, Country *string
	IncludesTax       *bool
}

// Choose changes what the visitor sees. Session.NotOffered names every choice that the store does not offer.
func Choose(tx *db.Tx, w Wishes) error {
	v := own(tx)
	var wrong fault.List
	if w.Language != nil {
		if offered := Languages(tx, v.Channel); isAmong(offered, w.Language) {
			v.Session.Language = *w.Language
		} else {
			wrong.Add(ErrNotOffered, "languageCode", "the store does not speak %q: it speaks %s", *w.Language,
				strings.Join(offered, ", "))
		}
	}
	if w.Country != nil {
		if offered := Countries(tx, v.Channel); isAmong(offered, w.Country) {
			v.Session.Country = *w.Country
		} else {
			wrong.Add(ErrNotOffered, "countryCode", "the store does not deliver to %q: it delivers to %s", *w.Country,
				strings.Join(offered, ", "))
		}
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	v.Session.IncludesTax = cmp.Or(w.IncludesTax, v.Session.IncludesTax)
	v.chooseTerms(tx)
	return save(tx, &v.Session, choices)
}

// isAmong reports whether a code is one of some, and writes it as they do: codes are compared without case.
func isAmong(offered []string, code *string) bool {
	i := slices.IndexFunc(offered, func(o string) bool { return strings.EqualFold(o, *code) })
	if i >= 0 {
		*code = offered[i]
	}
	return i >= 0
}

// SignIn makes the visit that of a contact: the session and its cart stay, prices become the customer's. Its event lets
// the cart follow.
func SignIn(tx *db.Tx, customer Customer, contact Contact) error {
	v := own(tx)
	v.Customer, v.Contact = customer, contact
	v.Session.CustomerID, v.Session.ContactID, v.Session.SignedInAt = customer.ID, contact.ID, tx.Now
	tx.Actor = v.actor()
	if err := save(tx, &v.Session, person); err != nil {
		return err
	}
	return tx.Fire(SignedIn{v})
}

// SignedIn is fired when a visitor has signed in, SignedOut when a session ends for good.
type (
	SignedIn  struct{ Visit *Visit }
	SignedOut struct{ SessionID string }
)

// End ends the session of GuestOf(tx), if there is such a session in the channel; nobody is told. That is kept of one
// in which nothing else was, too: else its token would go on proving itself. Store.KeyRequired.
func End(tx *db.Tx) error {
	if c, ok, err := storeOf(tx, GuestOf(tx).Channel); err != nil || ok && MayCall(GuestOf(tx), c) != nil {
		return cmp.Or(err, MayCall(GuestOf(tx), c))
	}
	if GuestOf(tx).Forged {
		return nil
	}
	v, err := findVisit(tx)
	if err != nil {
		return err
	}
	if s := v.Session; s.EndedAt != 0 || s.ExpiresAt <= tx.Now || s.ChannelKey != record.Fold(GuestOf(tx).Channel) {
		return nil
	}
	v.Session.EndedAt = tx.Now
	if err := save(tx, &v.Session, ending); err != nil {
		return err
	}
	return tx.Fire(SignedOut{v.Session.ID})
}

// Viewer is the visit as the assortment sees it: what is shown, and at what price, depends on it.
func (v *Visit) Viewer() assortment.Viewer {
	out := assortment.Viewer{Channel: v.Channel, Language: v.Language, Country: v.Country, IncludesTax: v.IncludesTax}
	if v.SignedIn() {
		out.Customer = &party.Customer{Number: v.Customer.Number, Name: v.Customer.Name,
			GroupCode: v.Customer.GroupCode, CurrencyCode: v.Customer.CurrencyCode}
		out.Customer.ID = v.Customer.ID
	}
	return out
}
