package ecom

import (
	"kontor/internal/business/identity"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/seal"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// Access is what stands before everything that can be guessed, or costs much. What is guessed is counted in
// transactions of its own, so that a refusal does not undo its count; passwords are hashed outside all of them, and
// after the limits.
type Access struct {
	Hasher *identity.Hasher
	Guard  *throttle.Guard
	Keys   *seal.Ring // prove what was mailed
}

// guest is the visitor that a request is made for.
func guest(p db.Party) storefront.Guest {
	g, _ := p.(storefront.Guest)
	return g
}

// visitor is who makes an attempt at an account, from where the account may be known.
func visitor(a *rest.Ahead, account string) throttle.Who {
	w := throttle.Who{Account: account, Peer: guest(a.Party()).Address, Company: a.Company()}
	w.Place = throttle.Network(w.Peer)
	return w
}

// stranger is who makes an attempt at what is nobody's account.
func stranger(a *rest.Ahead, account string) throttle.Who {
	return throttle.Who{Account: account, Peer: guest(a.Party()).Address, Company: a.Company()}
}

// come refuses who is no visitor of the store, before anything is counted.
func come(a *rest.Ahead) error { return a.Read(func(*db.Tx) error { return nil }) }

// mayWrite bounds what visitors send for people to read: forms, reviews, addresses of a newsletter.
func mayWrite[In any](e Access) func(a *rest.Ahead, in *In) error {
	return func(a *rest.Ahead, _ *In) error {
		if err := come(a); err != nil {
			return err
		}
		_, err := e.Guard.Spend(a.Context, &throttle.ShopForm, stranger(a, ""))
		return err
	}
}
