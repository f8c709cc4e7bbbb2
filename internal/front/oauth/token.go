package oauth

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
)

const (
	refreshLife = 90 * 24 * time.Hour

	refreshPrefix = "krt_"
	maxForm       = 64 << 10
)

// tokens are the answer of the token endpoint (RFC 6749, section 5.1).
type tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int64  `json:"expires_in"`
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

// token serves the token endpoint.
func (s *Server) token(_ http.ResponseWriter, r *http.Request) (any, error) {
	form, err := s.form(r)
	if err != nil {
		return nil, err
	}
	if form.Get("client_id") == "" {
		return nil, refuse("invalid_request", "client_id is missing")
	}
	// RFC 8707, section 2.2: the resource of a token request is one of those that were granted. Where it is left out it
	// is the one that the connection is bound to.
	if asked := form["resource"]; len(asked) > 0 && !isFor(asked, s.resource(r)) {
		return nil, refuse("invalid_target", "resource must be %s", s.resource(r))
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		out, err := s.exchange(r, form)
		return out, s.missed(r, err)
	case "refresh_token":
		out, err := s.refresh(r, form)
		return out, s.missed(r, err)
	case "":
		return nil, refuse("invalid_request", "grant_type is missing")
	}
	return nil, refuse("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
}

// missed counts a code or token that is none against the address it came from.
func (s *Server) missed(r *http.Request, err error) error {
	var e refusal
	if !errors.As(err, &e) || e.Code != "invalid_grant" {
		return err
	}
	return cmp.Or(s.Guard.Miss(r.Context(), &throttle.OAuthSecret, throttle.Who{Peer: s.Address(r)}), err)
}

// form reads what a program sends to the token or the revocation endpoint.
func (s *Server) form(r *http.Request) (url.Values, error) {
	if err := s.take(s.Address(r)); err != nil {
		return nil, err
	}
	// RFC 6749, section 4.1.3: "using the "application/x-www-form-urlencoded" format […] in the HTTP request
	// entity-body".
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		media != "application/x-www-form-urlencoded" {
		return nil, refuse("invalid_request", "the body must be application/x-www-form-urlencoded")
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxForm))
	if err != nil {
		return nil, refuse("invalid_request", "the body is longer than 64 KiB or broke off")
	}
	form, err := parameters(string(body))
	if err != nil {
		return nil, refuse("invalid_request", "the body cannot be read, or a parameter stands in it twice")
	}
	return form, withoutSecret(r, form)
}

// withoutSecret refuses a program that comes with a secret, and reads its name where it comes with an empty one.
func withoutSecret(r *http.Request, form url.Values) error {
	// There are public clients only: a secret is neither issued nor accepted.
	// RFC 6749, section 5.2: "If the client attempted to authenticate via the "Authorization" request header field, the
	// authorization server MUST respond with an HTTP 401 (Unauthorized) status code and include the "WWW-Authenticate"
	// response header field".
	if r.Header.Get("Authorization") != "" {
		// Section 2.3.1: "The client MAY omit the parameter if the client secret is an empty string": some libraries
		// know only how to send it empty.
		user, secret, ok := r.BasicAuth()
		id, err := url.QueryUnescape(user)
		if !ok || err != nil || secret != "" || id == "" || form.Has("client_id") && form.Get("client_id") != id {
			e := refuse("invalid_client",
				"clients have no secret here: send client_id in the body, and no Authorization")
			e.status, e.challenge = http.StatusUnauthorized, `Basic realm="kontor"`
			return e
		}
		form.Set("client_id", id)
	}
	if form.Has("client_secret") || form.Has("client_assertion") {
		return refuse("invalid_client", "clients have no secret here: send client_id alone")
	}
	return nil
}

// given is a code as it was given out, with the connection it opens.
type given struct {
	GrantID, ClientID      string
	Redirect, Challenge    string
	Scopes                 string
	Expires, Used, Revoked db.Time
}

// exchange gives tokens for a code (OAuth 2.1, section 4.1.3).
func (s *Server) exchange(r *http.Request, form url.Values) (any, error) {
	if form.Get("code") == "" {
		return nil, refuse("invalid_request", "code is missing")
	}
	// RFC 7636, section 4.5: code_verifier is "REQUIRED"; section 4.1: "a minimum length of 43 characters and a maximum
	// length of
	// 128 characters".
	verifier := form.Get("code_verifier")
	if !isVerifier(verifier) {
		return nil, refuse("invalid_request",
			"code_verifier must be the one of the challenge: 43 to 128 characters A-Z a-z 0-9 - . _ ~")
	}
	return s.change(r, func(tx *db.Tx) (any, error) {
		g, found, err := codeOf(tx, identity.HashSecret(form.Get("code")))
		if err != nil {
			return nil, err
		}
		if wrong := refuseCode(tx, g, found, form, verifier); wrong != nil {
			// RFC 6749, section 4.1.2: "If an authorization code is used more than once, the authorization server MUST
			// deny the request and SHOULD revoke (when possible) all tokens previously issued based on that
			// authorization code."
			if found && g.Used != 0 {
				return nil, cmp.Or(s.end(tx, g.GrantID), wrong)
			}
			return nil, wrong
		}
		if err := useCode(tx, identity.HashSecret(form.Get("code")), g); err != nil {
			return nil, err
		}
		return issue(tx, g.GrantID, g.Scopes, "")
	})
}

// change is a write whose answer may be a refusal: what was done until then stays.
func (s *Server) change(r *http.Request, do func(*db.Tx) (any, error)) (out any, err error) {
	var wrong error
	err = s.Control(r.Context(), s.request(r), true, func(tx *db.Tx) (err error) {
		out, err = do(tx)
		wrong = nil // it may run again
		if errors.As(err, new(refusal)) {
			wrong, err = err, nil
		}
		return err
	})
	return out, cmp.Or(err, wrong)
}

// refuseCode is why a code is not good for this request. What was wrong is not said: it is the same error for all.
func refuseCode(tx *db.Tx, g given, found bool, form url.Values, verifier string) error {
	// RFC 6749, section 5.2: "invalid_grant: The provided authorization grant […] is invalid, expired, revoked, does
	// not match the redirection URI used in the authorization request, or was issued to another client."
	wrong := refuse("invalid_grant",
		"the code is not valid: it was used, is older than a minute, or belongs to another request; start again")
	switch {
	case !found, g.Used != 0, g.Revoked != 0, !g.Expires.IsLiving(tx.Now, codeLife), g.ClientID != form.Get("client_id"),
		// OAuth 2.1, section 10.2: a program of OAuth 2.0 sends it, "the authorization server MUST" then compare it.
		form.Has("redirect_uri") && form.Get("redirect_uri") != g.Redirect,
		!proves(verifier, g.Challenge):
		return wrong
	}
	return nil
}

// proves reports whether a verifier is the challenge's.
// RFC 7636, section 4.6: "BASE64URL-ENCODE(SHA256(ASCII(code_verifier))) == code_challenge".
func proves(verifier, challenge string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

func isVerifier(s string) bool {
	return len(s) >= 43 && len(s) <= 128 && strings.Trim(s, base64URL+".~") == ""
}

// issue makes a pair of tokens of a connection. scopes are the connection's; less are those asked for now, "" = all of
// them.
func issue(tx *db.Tx, grantID, scopes, less string) (tokens, error) {
	access, accessHash := identity.NewSecret(identity.AccessPrefix)
	refresh, refreshHash := identity.NewSecret(refreshPrefix)
	if err := insertToken(tx, grantID, kindAccess, accessHash, less, identity.AccessLife); err != nil {
		return tokens{}, err
	}
	if err := insertToken(tx, grantID, kindRefresh, refreshHash, "", refreshLife); err != nil {
		return tokens{}, err
	}
	return tokens{Access: access, Type: "Bearer", ExpiresIn: int64(identity.AccessLife / time.Second), Refresh: refresh,
		Scope: cmp.Or(less, scopes)}, nil
}

// end ends a connection with everything that was issued for it.
func (s *Server) end(tx *db.Tx, grantID string) error {
	ended, err := revokeGrant(tx, grantID)
	if err != nil || !ended {
		return err
	}
	c, found, err := connectionOf(tx, grantID)
	if err != nil {
		return err
	}
	if found {
		if err := identity.RecordConnection(tx, c, "revoke"); err != nil {
			return err
		}
	}
	return tx.Fire(identity.Turned{})
}
