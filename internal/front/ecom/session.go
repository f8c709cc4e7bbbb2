// Package ecom is the commerce API: what the back end of a merchant's own storefront calls. One file for each group of
// the specification; every function wraps a verb of a room.
package ecom

import (
	"context"

	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// Resolve finds the store of a domain for who asks: its company's id and name, and its channel. Store.NotFound.
type Resolve func(ctx context.Context, g storefront.Guest, domain string) (Resolved, error)

// Session is the visitor's stay: opening it, and what the visitor chooses.
func Session(resolve Resolve) rest.Group {
	return rest.Group{Tag: "Session", Scope: rest.ScopeSession,
		Doc: "A visitor's session, with which everything else is asked.", Ops: []rest.Op{
			rest.Stream("resolveSession", "/session/resolve", "The company and store of a domain.",
				func(ctx context.Context, s *rest.Streaming, in resolveIn) (Resolved, error) {
					return resolve(ctx, guest(s.Party()), in.Domain)
				}).
				Open().NamedByQuery().Raises(storefront.ErrNotFound),
			rest.Stream("openSession", "/session",
				"Opens a session, or reads the one whose token is sent, with the whole store configuration.",
				openSession).
				Open().NamedByQuery().Raises(storefront.ErrNotFound),
			rest.Patch("updateSession", "/session", "Changes language, country and whether prices are shown with tax.",
				updateSession).
				Secret().Raises(storefront.ErrNotOffered).Scoped(rest.ScopeNone).
				Example(`{"languageCode": "en", "isPriceIncludingTax": true}`),
		}}
}

type resolveIn struct {
	Domain string `query:"domain" req:"true" doc:"Host name of the shop." example:"shop.example.com"`
}

// Resolved is the store of a domain.
type Resolved struct {
	TenantID    string `json:"tenantId" format:"uuid" doc:"Send it as X-Tenant-Id."`
	ChannelCode string `json:"channelCode" doc:"Send it as X-Channel."`
	CompanyName string `json:"companyName"`
	StoreName   string `json:"storeName"`
}

// LoginResult is who has signed in.
type LoginResult struct {
	ContactID  string    `json:"contactId" format:"uuid"`
	CustomerID string    `json:"customerId" format:"uuid"`
	Email      rest.Text `json:"email"`
	Name       rest.Text `json:"name"`
}

// SessionView is a session as the storefront reads it.
type SessionView struct {
	SessionToken string  `json:"sessionToken" secret:"true" doc:"Send it as Authorization: Bearer; keep it on the server."`
	ExpiresAt    db.Time `json:"expiresAt" doc:"Seven days after the opening; it does not slide."`
	IsNew        bool    `json:"isNew"`
	stay
}

// stay is who has come to the store, what they have chosen and what they hold.
type stay struct {
	IsSignedIn          bool         `json:"isSignedIn"`
	Customer            *LoginResult `json:"customer"`
	LanguageCode        string       `json:"languageCode"`
	CountryCode         string       `json:"countryCode"`
	IsPriceIncludingTax bool         `json:"isPriceIncludingTax"`
	CartSummary         CartSummary  `json:"cartSummary"`
	Store               Store        `json:"store"`
}

func loginResultOf(v *storefront.Visit) *LoginResult {
	if !v.SignedIn() {
		return nil
	}
	return &LoginResult{ContactID: v.Contact.ID, CustomerID: v.Customer.ID, Email: rest.Text(v.Contact.Email),
		Name: rest.Text(v.Contact.Name)}
}

func viewOf(tx *db.Tx, token string, isNew bool) (SessionView, error) {
	v := storefront.Of(tx)
	s := SessionView{SessionToken: token, ExpiresAt: v.Session.ExpiresAt, IsNew: isNew,
		stay: stay{IsSignedIn: v.SignedIn(), Customer: loginResultOf(v), LanguageCode: v.Language,
			CountryCode: v.Country, IsPriceIncludingTax: v.IncludesTax}}
	var err error
	if s.CartSummary, err = summaryOf(tx); err != nil {
		return s, err
	}
	s.Store, err = storeOf(tx)
	return s, err
}

// openSession reads the session of a token that stands, and opens one where none is sent, which writes nothing. A token
// that is sent and does not stand is refused: the storefront must learn that its visitor's cart is gone.
func openSession(_ context.Context, s *rest.Streaming, _ struct{}) (view SessionView, err error) {
	sent := rest.BearerToken(s.HTTP())
	err = s.Read(func(tx *db.Tx) (err error) {
		token := sent
		if sent == "" {
			token, err = storefront.Open(tx)
		} else {
			err = storefront.Admit(tx, rest.ScopeSession)
		}
		if err == nil {
			view, err = viewOf(tx, token, sent == "")
		}
		return err
	})
	return view, err
}

type sessionFields struct {
	LanguageCode        string `json:"languageCode"`
	CountryCode         string `json:"countryCode"`
	IsPriceIncludingTax bool   `json:"isPriceIncludingTax"`
}

// sessionChoices is the session after a choice. The token is known to who sent it.
type sessionChoices struct {
	ExpiresAt db.Time `json:"expiresAt"`
	stay
}

func updateSession(tx *db.Tx, in rest.Sent[rest.Merge[sessionFields]]) (sessionChoices, error) {
	v := storefront.Of(tx)
	f := sessionFields{v.Language, v.Country, v.IncludesTax}
	before := f
	if err := in.Body.Onto(&f); err != nil {
		return sessionChoices{}, err
	}
	var w storefront.Wishes
	if f.LanguageCode != before.LanguageCode {
		w.Language = &f.LanguageCode
	}
	if f.CountryCode != before.CountryCode {
		w.Country = &f.CountryCode
	}
	if f.IsPriceIncludingTax != before.IsPriceIncludingTax {
		w.IncludesTax = &f.IsPriceIncludingTax
	}
	if err := storefront.Choose(tx, w); err != nil {
		return sessionChoices{}, err
	}
	s, err := viewOf(tx, "", false)
	return sessionChoices{s.ExpiresAt, s.stay}, err
}
