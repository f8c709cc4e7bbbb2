package oauth

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/throttle"
)

// client is a program that registered itself.
type client struct {
	ID           string
	Name         string
	RedirectURIs []string
	Metadata     string // what else it said about itself
	CreatedAt    db.Time
	Peer         string // whose registration it is, until somebody lets it in
}

// registration is what a program says of itself (RFC 7591, section 2).
type registration struct {
	RedirectURIs  []string `json:"redirect_uris"`
	AuthMethod    string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes    []string `json:"grant_types,omitempty"`
	ResponseTypes []string `json:"response_types,omitempty"`
	Name          string   `json:"client_name,omitempty"`
	URI           string   `json:"client_uri,omitempty"`
	LogoURI       string   `json:"logo_uri,omitempty"`
	Scope         string   `json:"scope,omitempty"`
	Contacts      []string `json:"contacts,omitempty"`
	TOSURI        string   `json:"tos_uri,omitempty"`
	PolicyURI     string   `json:"policy_uri,omitempty"`
	SoftwareID    string   `json:"software_id,omitempty"`
	Version       string   `json:"software_version,omitempty"`
}

// registered is the answer: "all registered metadata about this client" (RFC 7591, section 3.2.1).
type registered struct {
	ID       string `json:"client_id"`
	IssuedAt int64  `json:"client_id_issued_at"`
	registration
}

const (
	maxRegistration = 64 << 10
	maxRedirects    = 20
	maxClientName   = 100
)

// register lets a program introduce itself. Nobody has to let it in, since it can do nothing before a person does.
func (s *Server) register(_ http.ResponseWriter, r *http.Request) (any, error) {
	// RFC 7591, section 3.1: "the client or developer sends an HTTP POST to the client registration endpoint with a
	// content type of "application/json"".
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, refuse("invalid_client_metadata", "the body must be application/json")
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxRegistration))
	if err != nil {
		return nil, refuse("invalid_client_metadata", "the body is longer than 64 KiB or broke off")
	}
	var in registration
	// Section 2: "The authorization server MUST ignore any client metadata sent by the client that it does not
	// understand".
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, refuse("invalid_client_metadata", "the body is not the JSON of a client's metadata")
	}
	in, err = complete(in)
	if err != nil {
		return nil, err
	}
	kept := in
	kept.RedirectURIs, kept.Name = nil, ""
	metadata, err := json.Marshal(kept)
	if err != nil {
		return nil, err
	}
	// Registration is open to everybody, so what one address may do of it is little.
	if _, err := s.Guard.Spend(r.Context(), &throttle.OAuthRegistration,
		throttle.Who{Peer: s.Address(r), Company: throttle.House}); err != nil {
		return nil, err
	}
	var c client
	asked := client{Name: in.Name, RedirectURIs: in.RedirectURIs, Metadata: string(metadata),
		Peer: throttle.Network(s.Address(r))}
	err = s.Control(r.Context(), s.request(r), true, func(tx *db.Tx) (err error) {
		if err = makeRoom(tx, asked.Peer); err == nil {
			c, err = insertClient(tx, asked)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return registered{ID: c.ID, IssuedAt: c.CreatedAt.Time().Unix(), registration: in}, nil
}

// Programs that nobody has let in yet are kept for a day. One address may have maxWaiting of them; of all addresses
// there are maxUnused, and the oldest makes room for one more, so that a crowd of made-up programs keeps nobody out.
const (
	unusedLife = 24 * time.Hour
	maxWaiting = 100
	maxUnused  = 5000
)

// makeRoom refuses one more program of an address that has enough of them waiting.
func makeRoom(tx *db.Tx, peer string) error {
	if err := dropUnused(tx, tx.Now.Add(-unusedLife)); err != nil {
		return err
	}
	mine, all, err := countUnused(tx, peer)
	if err != nil {
		return err
	}
	if mine >= maxWaiting {
		e := refuse("temporarily_unavailable",
			"%d programs were registered from this address and not let in by anybody: use one of them, or come back tomorrow", mine)
		e.status, e.retry = http.StatusTooManyRequests, int(unusedLife.Seconds())
		return e
	}
	if all >= maxUnused {
		return dropOldest(tx, all-maxUnused+1)
	}
	return nil
}

// complete checks what a program says of itself and fills in what it left out.
func complete(in registration) (registration, error) {
	// RFC 7591, section 2: "Clients using flows with redirection MUST register their redirection URI values."
	if len(in.RedirectURIs) == 0 || len(in.RedirectURIs) > maxRedirects {
		return in, refuse("invalid_redirect_uri", "redirect_uris must name 1 to %d addresses", maxRedirects)
	}
	for _, uri := range in.RedirectURIs {
		if wrong := checkRedirect(uri); wrong != "" {
			return in, refuse("invalid_redirect_uri", "redirect_uris: %.200q %s", uri, wrong)
		}
	}
	// Section 3.2.1: "The authorization server MAY reject or replace any of the client's requested metadata values". No
	// secret is issued, whoever asks for one: the answer says none.
	in.AuthMethod = "none"
	for _, g := range in.GrantTypes {
		if g == "implicit" || g == "password" || g == "client_credentials" {
			return in, refuse("invalid_client_metadata",
				"grant_types: %s is not served here; there are authorization_code and refresh_token", g)
		}
	}
	in.GrantTypes = []string{"authorization_code", "refresh_token"}
	if len(in.ResponseTypes) > 0 && !slices.Contains(in.ResponseTypes, "code") {
		return in, refuse("invalid_client_metadata", "response_types: only code is served here")
	}
	in.ResponseTypes = []string{"code"}
	in.Scope = narrowed(in.Scope)
	var err error
	if in.Name, err = shown(in.Name); err != nil {
		return in, err
	}
	return in, in.checkTexts()
}

// checkTexts bounds what a program says of itself besides its name.
func (in *registration) checkTexts() error {
	for name, uri := range map[string]*string{"client_uri": &in.URI, "logo_uri": &in.LogoURI, "tos_uri": &in.TOSURI,
		"policy_uri": &in.PolicyURI} {
		if *uri != "" && (len(*uri) > maxURI || !plainASCII(*uri) || !strings.HasPrefix(*uri, "https://") &&
			!strings.HasPrefix(*uri, "http://")) {
			return refuse("invalid_client_metadata", "%s is no web address", name)
		}
	}
	if len(in.Contacts) > 20 || len(in.SoftwareID) > 200 || len(in.Version) > 200 ||
		len(strings.Join(in.Contacts, "")) > 4000 {
		return refuse("invalid_client_metadata", "contacts, software_id or software_version is too long")
	}
	return nil
}

// scopesOf are the scopes of a list, each once.
func scopesOf(list string) []string {
	return each.Once(strings.Fields(list), func(scope string) string { return scope })
}

func isUnknown(scope string) bool { return scope != ScopeRead && scope != ScopeWrite }

// narrowed are the scopes of a list that exist here; all where none does.
func narrowed(scope string) string {
	known := slices.DeleteFunc(scopesOf(scope), isUnknown)
	if len(known) == 0 {
		known = []string{ScopeRead, ScopeWrite}
	}
	return strings.Join(known, " ")
}

// shown is a program's name as people will read it: it must not look like anything else on the page.
func shown(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return "A program without a name", nil
	}
	if utf8.RuneCountInString(name) > maxClientName {
		return "", refuse("invalid_client_metadata", "client_name is longer than %d characters", maxClientName)
	}
	for _, r := range name {
		// Format characters turn the direction of text round or hide parts of it.
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return "", refuse("invalid_client_metadata", "client_name holds a character that cannot be shown: %s",
				fmt.Sprintf("%U", r))
		}
	}
	return name, nil
}

// redirect is the address at which the program has its answer: the one asked for where it is registered, or the only
// one.
func (c client) redirect(asked string) (uri string, ok bool) {
	// It is looked at again: what is no address any more may have been registered while it was one.
	if asked != "" && checkRedirect(asked) != "" {
		return "", false
	}
	if asked == "" {
		// OAuth 2.1, section 4.1.1: redirect_uri is "OPTIONAL if only one redirect URI is registered for this client".
		if len(c.RedirectURIs) == 1 {
			return c.RedirectURIs[0], checkRedirect(c.RedirectURIs[0]) == ""
		}
		return "", false
	}
	return asked, slices.ContainsFunc(c.RedirectURIs, func(r string) bool { return sameRedirect(r, asked) })
}
