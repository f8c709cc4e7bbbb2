package oauth

import (
	"net/http"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// revoke ends a token that a program needs no more (RFC 7009). A refresh token takes its connection with it; the hint
// at the kind of token is not needed, since both are found in one place.
func (s *Server) revoke(_ http.ResponseWriter, r *http.Request) (any, error) {
	form, err := s.form(r)
	if err != nil {
		return nil, err
	}
	token := form.Get("token")
	if token == "" {
		return nil, refuse("invalid_request", "token is missing")
	}
	// RFC 7009, section 2.1: "verifies whether the token was issued to the client making the revocation request. If
	// this validation fails, the request is refused and the client is informed of the error".
	if form.Get("client_id") == "" {
		return nil, refuse("invalid_request", "client_id is missing")
	}
	return s.change(r, func(tx *db.Tx) (any, error) {
		// Section 2.2: "The content of the response body is ignored by the client": but some libraries read every
		// answer as JSON before they ignore it.
		none := struct{}{}
		hash := identity.HashSecret(token)
		h, found, err := tokenOf(tx, hash)
		switch {
		case err != nil:
			return nil, err
		// Section 2.2: "The authorization server responds with HTTP status code 200 if the token has been revoked
		// successfully or if the client submitted an invalid token."
		case !found:
			return none, nil
		case h.ClientID != form.Get("client_id"):
			return nil, refuse("invalid_grant", "the token was not issued to this client")
		case h.Kind == kindRefresh:
			// Section 2.1: "If the particular token is a refresh token and the authorization server supports the
			// revocation of access tokens, then the authorization server SHOULD also invalidate all access tokens based
			// on the same authorization grant".
			return none, s.end(tx, h.GrantID)
		}
		if err := spendToken(tx, hash); err != nil {
			return nil, err
		}
		return none, tx.Fire(identity.Turned{})
	})
}
