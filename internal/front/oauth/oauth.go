// Package oauth is the authorization server of the integration API: OAuth 2.1 (draft-ietf-oauth-v2-1) for public
// clients with PKCE, one file for each flow, the sentence of the standard above the line that obeys it. Programs
// register themselves (register.go), a person signs in, chooses a company and approves (authorize.go, consent.go), and
// the program gets tokens (token.go, refresh.go) that end when somebody says so (revoke.go). Whether a token is good is
// asked at identity's gate.
package oauth

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/time/rate"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/cache"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/page"
	"kontor/internal/front/rest"
)

// The scopes a connection can have: consent asks only about reading and acting.
const (
	ScopeRead  = "preview:read"
	ScopeWrite = "preview:write"
)

// Pages shows people what they are asked; a page.Site is one.
type Pages interface {
	Card(w http.ResponseWriter, r *http.Request, c page.Card)
	// Guard sets the headers of a page and refuses forms that were sent from other sites.
	Guard(next http.Handler) http.Handler
}

// Options are what the server stands on.
type Options struct {
	// Base is the address under which who sends a request reaches the installation, never what a stranger says of it.
	Base    func(*http.Request) string
	Control identity.Control
	// Session is who is signed in in the browser that asks.
	Session func(*http.Request) (identity.Session, error)
	Pages   Pages
	// SignIn is the path of the sign-in page; it takes the way back as next.
	SignIn string
	// Address is where a request comes from.
	Address func(*http.Request) string
	// Guard counts what is guessed here.
	Guard *throttle.Guard
	Log   *slog.Logger
}

// Server answers below /oauth/ and the two well-known addresses.
type Server struct {
	Options
	calls       cache.Cache[*rate.Limiter] // a token bucket for each address that was seen lately
	authorizing http.Handler
}

// New is a server.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Server{Options: o, calls: cache.New[*rate.Limiter](maxAddresses, 0)}
	s.authorizing = o.Pages.Guard(http.HandlerFunc(s.authorize))
	return s
}

const (
	wellKnownServer   = "/.well-known/oauth-authorization-server"
	wellKnownResource = "/.well-known/oauth-protected-resource"
	resourcePath      = "/preview"
)

// Handles reports whether the server answers at a path.
func Handles(path string) bool {
	return strings.HasPrefix(path, "/oauth/") || under(path, wellKnownServer) || under(path, wellKnownResource)
}

func under(path, place string) bool {
	rest, ok := strings.CutPrefix(path, place)
	return ok && (rest == "" || rest[0] == '/')
}

// ServeHTTP answers what Handles names.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", rest.RequestID(r))
	keepNowhere(w.Header())
	r.Pattern = r.URL.Path
	switch path := r.URL.Path; {
	case path == "/oauth/authorize":
		s.only(w, r, s.authorizing, http.MethodGet, http.MethodHead, http.MethodPost)
	case path == "/oauth/token":
		s.only(w, r, s.answering(s.token), http.MethodPost)
	case path == "/oauth/register":
		s.only(w, r, s.answering(s.register), http.MethodPost)
	case path == "/oauth/revoke":
		s.only(w, r, s.answering(s.revoke), http.MethodPost)
	case path == wellKnownServer, path == wellKnownServer+s.basePath(r):
		s.only(w, r, http.HandlerFunc(s.describeServer), http.MethodGet, http.MethodHead)
	case path == wellKnownResource+resourcePath, path == wellKnownResource+s.basePath(r)+resourcePath:
		s.only(w, r, http.HandlerFunc(s.describeResource), http.MethodGet, http.MethodHead)
	default:
		r.Pattern = ""
		writeJSON(w, http.StatusNotFound,
			refusal{Code: "not_found", Description: "nothing can be found at this address"})
	}
}

// only refuses other methods.
func (s *Server) only(w http.ResponseWriter, r *http.Request, h http.Handler, methods ...string) {
	if slices.Contains(methods, r.Method) {
		h.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	writeJSON(w, http.StatusMethodNotAllowed, refusal{Code: "invalid_request", Description: "the method must be " +
		strings.Join(methods, " or ")})
}

// resource is the identifier of the integration API, to which every connection is bound.
func (s *Server) resource(r *http.Request) string { return s.Base(r) + resourcePath }
