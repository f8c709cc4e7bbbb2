package oauth

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// held is a token that was given out, with the connection it belongs to.
type held struct {
	Kind              string
	GrantID, ClientID string
	Scopes            string // of the connection
	Expires, Spent    db.Time
	Revoked           db.Time
	// Stands says that the person still has a role in the company, and the company still answers.
	Stands bool
}

// refresh gives new tokens for a refresh token, which stops working (OAuth 2.1, section 4.3.1).
// RFC 9700, section 4.14.2: "refresh token rotation: the authorization server issues a new refresh token with every
// access token refresh response. The previous refresh token is invalidated, but information about the relationship is
// retained by the authorization server.
// If a refresh token is compromised and subsequently used by both the attacker and the legitimate client, one of them
// will present an invalidated refresh token, which will inform the authorization server of the breach. The
// authorization server […] will revoke the active refresh token."
func (s *Server) refresh(r *http.Request, form url.Values) (any, error) {
	token := form.Get("refresh_token")
	if token == "" {
		return nil, refuse("invalid_request", "refresh_token is missing")
	}
	less := strings.Join(strings.Fields(form.Get("scope")), " ")
	return s.change(r, func(tx *db.Tx) (any, error) {
		hash := identity.HashSecret(token)
		h, found, err := tokenOf(tx, hash)
		if err != nil {
			return nil, err
		}
		if !found || h.Kind != kindRefresh || h.ClientID != form.Get("client_id") || h.Revoked != 0 {
			return nil, errRefresh()
		}
		if h.Spent != 0 {
			return nil, cmp.Or(s.end(tx, h.GrantID), errRefresh())
		}
		if !h.Expires.IsLiving(tx.Now, refreshLife) || !h.Stands {
			return nil, errRefresh()
		}
		// RFC 6749, section 6: "The requested scope MUST NOT include any scope not originally granted by the resource
		// owner".
		if !within(less, h.Scopes) {
			return nil, refuse("invalid_scope", "the connection has the scope %s", h.Scopes)
		}
		if err := spendToken(tx, hash); err != nil {
			return nil, err
		}
		if err := forgetExpired(tx, h.GrantID); err != nil {
			return nil, err
		}
		return issue(tx, h.GrantID, h.Scopes, less)
	})
}

func errRefresh() error {
	return refuse("invalid_grant",
		"the refresh token is not valid: it was used before, has expired, or the connection was ended; start again")
}

func within(asked, granted string) bool {
	have := strings.Fields(granted)
	for scope := range strings.FieldsSeq(asked) {
		// Writing is everything, reading included.
		if !slices.Contains(have, scope) && !(scope == ScopeRead && slices.Contains(have, ScopeWrite)) {
			return false
		}
	}
	return true
}
