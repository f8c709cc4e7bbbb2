package oauth

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/page"
	"kontor/internal/front/rest"
)

// authorization is what a program asks a person for (OAuth 2.1, section 4.1.1).
type authorization struct {
	client    client
	query     string // as it was asked, to be asked again by the form
	redirect  string
	state     string
	scopes    []string
	challenge string
}

const (
	maxQuery = 8 << 10
	// RFC 7636, section 4.2: a challenge of S256 is 32 bytes in base64url without padding.
	challengeChars = 43
	base64URL      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// errAuthorize is what a person is told where the program cannot be.
var (
	errAuthorize    = fault.New(fault.Invalid, "OAuth.InvalidRequest")
	errUnregistered = errAuthorize.Because(
		"the program that sent you here is not registered: open it again, so that it registers anew")
)

// authorize serves the one page of the server. Programs register themselves, so a registered address is no proof of
// anything:
// nobody's browser is sent to one, with an error either, before the person signed in, was shown a page and pressed its
// button (RFC 9700, section 4.11.2).
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.RawQuery
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, 4*maxQuery)
		if err := r.ParseForm(); err != nil {
			s.stop(w, r, errAuthorize.Because("the form is too long or broke off"))
			return
		}
		query = r.PostForm.Get("request")
	}
	a, err := s.readAuthorization(r, query)
	if err != nil {
		s.stop(w, r, err)
		return
	}
	session, err := s.Session(r)
	switch f := fault.As(err); {
	case err == nil:
		s.consult(w, r, a, session)
	case f.Kind == fault.Unauthenticated:
		// The way back is a path of ours, never an address from outside.
		http.Redirect(w, r, s.SignIn+"?"+url.Values{"next": {"/oauth/authorize?" + a.query}}.Encode(),
			http.StatusSeeOther)
	default:
		s.stop(w, r, err)
	}
}

// consult shows a person who is signed in what is asked, or what is wrong with it, and takes their answer.
func (s *Server) consult(w http.ResponseWriter, r *http.Request, a authorization, session identity.Session) {
	wrong := a.check(s.resource(r))
	switch {
	case r.Method == http.MethodPost:
		s.decide(w, r, a, session, wrong)
	case wrong != nil:
		s.excuse(w, r, a, session, *wrong)
	default:
		s.ask(w, r, a, session, nil)
	}
}

// readAuthorization finds the program and the address of its answers.
// RFC 6749, section 4.1.2.1: "If the request fails due to a missing, invalid, or mismatching redirection URI, or if the
// client identifier is missing or invalid, the authorization server SHOULD inform the resource owner of the error and
// MUST NOT automatically redirect the user-agent to the invalid redirection URI."
func (s *Server) readAuthorization(r *http.Request, query string) (a authorization, err error) {
	a.query = query
	if len(query) > maxQuery {
		return a, errAuthorize.Because("the request is too long")
	}
	q, err := parameters(query)
	if err != nil {
		return a,
			errAuthorize.Because(
				"the address that the program sent you to is damaged: a parameter stands in it twice or cannot be read")
	}
	var found bool
	err = s.Control(r.Context(), s.request(r), false, func(tx *db.Tx) (err error) {
		a.client, found, err = findClient(tx, q.Get("client_id"))
		return err
	})
	if err != nil {
		return a, err
	}
	if !found {
		if err := s.Guard.Miss(r.Context(), &throttle.OAuthSecret, throttle.Who{Peer: s.Address(r)}); err != nil {
			return a, err
		}
		return a, errUnregistered
	}
	var ok bool
	if a.redirect, ok = a.client.redirect(q.Get("redirect_uri")); !ok {
		return a,
			errAuthorize.Because(
				"the program wants its answer at an address that it has not registered, so nothing was sent there")
	}
	a.state = q.Get("state")
	return a, nil
}

// parameters reads a query or a form.
func parameters(text string) (url.Values, error) {
	q, err := url.ParseQuery(text)
	if err != nil {
		return nil, err
	}
	for name, values := range q {
		// RFC 6749, section 3.1: "Request and response parameters MUST NOT be included more than once." RFC 8707,
		// section 2, allows several resources; there is one here.
		if len(values) > 1 && name != "resource" {
			return nil, errTwice
		}
		// RFC 6749, sections 3.1 and 3.2: "Parameters sent without a value MUST be treated as if they were omitted from
		// the request."
		if q[name] = slices.DeleteFunc(values, func(v string) bool { return v == "" }); len(q[name]) == 0 {
			delete(q, name)
		}
	}
	return q, nil
}

var errTwice = errors.New("oauth: a parameter stands there twice")

// check reads the rest of the request; what is wrong with it is told to the program.
func (a *authorization) check(resource string) *refusal {
	q, err := parameters(a.query)
	if err != nil {
		q = url.Values{} // it was parsed before
	}
	wrong := func(code, format string, args ...any) *refusal { e := refuse(code, format, args...); return &e }
	switch {
	case q.Get("request") != "":
		return wrong("request_not_supported", "send the parameters themselves")
	case q.Get("request_uri") != "":
		return wrong("request_uri_not_supported", "send the parameters themselves")
	case q.Get("response_type") == "":
		return wrong("invalid_request", "response_type is missing; it must be code")
	case q.Get("response_type") != "code":
		return wrong("unsupported_response_type", "response_type must be code")
	case q.Get("response_mode") != "" && q.Get("response_mode") != "query":
		return wrong("invalid_request", "response_mode must be query")
	// OAuth 2.1, section 4.1.1: "Clients MUST use code_challenge and code_verifier and authorization servers MUST
	// enforce their use".
	case q.Get("code_challenge") == "":
		return wrong("invalid_request", "code_challenge is missing: PKCE with S256 is required")
	// RFC 7636, section 4.3: the method "defaults to "plain" if not present"; RFC 9700, section 2.1.1: "S256 is the
	// only such method".
	case q.Get("code_challenge_method") != "S256":
		return wrong("invalid_request", "code_challenge_method must be S256")
	case len(q.Get("code_challenge")) != challengeChars || strings.Trim(q.Get("code_challenge"), base64URL) != "":
		return wrong("invalid_request",
			"code_challenge must be the SHA-256 of the verifier in base64url without padding, 43 characters")
	case !isFor(q["resource"], resource):
		// RFC 8707, section 2: "invalid_target: The requested resource is invalid, missing, unknown, or malformed."
		return wrong("invalid_target", "resource must be %s", resource)
	}
	a.challenge = q.Get("code_challenge")
	a.scopes = scopesOf(q.Get("scope"))
	if slices.ContainsFunc(a.scopes, isUnknown) {
		return wrong("invalid_scope", "there are the scopes %s and %s", ScopeRead, ScopeWrite)
	}
	if len(a.scopes) == 0 {
		// RFC 6749, section 3.3: "the authorization server MUST either process the request using a pre-defined default
		// value or fail".
		a.scopes = []string{ScopeRead}
	}
	return nil
}

// isFor reports whether everything asked for is the one resource there is.
func isFor(asked []string, resource string) bool {
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(a string) bool { return a != resource })
}

// sendBack answers the program at its registered address.
func (s *Server) sendBack(w http.ResponseWriter, r *http.Request, a authorization, answer url.Values) {
	if a.state != "" {
		// RFC 6749, section 4.1.2: state is "REQUIRED if the "state" parameter was present in the client authorization
		// request".
		answer.Set("state", a.state)
	}
	// RFC 9207, section 2: "authorization servers […] MUST indicate their identity by including the iss parameter", in
	// errors too.
	answer.Set("iss", s.Base(r))
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", withAnswer(a.redirect, answer))
	// RFC 9700, section 4.12: "the authorization server MUST NOT use the HTTP status code 307"; 303 makes a GET of a
	// form's answer.
	w.WriteHeader(http.StatusSeeOther)
}

// stop tells the person what went wrong, where no program can be told.
func (s *Server) stop(w http.ResponseWriter, r *http.Request, err error) {
	card := page.Card{Title: "This connection cannot be made", Problem: err}
	switch f := fault.As(err); f.Kind {
	case fault.Internal, fault.Unavailable:
		s.Log.Error("request failed", "method", r.Method, "path", r.Pattern, "error", err)
	case fault.Invalid, fault.NotFound:
		card.Status = http.StatusBadRequest
	}
	s.Pages.Card(w, r, card)
}

func (s *Server) request(r *http.Request) db.Request {
	return db.Request{Actor: db.Actor{Kind: "system", ID: "oauth", Name: "oauth"}, RequestID: rest.RequestID(r)}
}

func (s *Server) requestOf(r *http.Request, session identity.Session) db.Request {
	return db.Request{Actor: session.Actor(), RequestID: rest.RequestID(r)}
}
