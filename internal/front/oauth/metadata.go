package oauth

import (
	"net/http"
	"net/url"
	"strings"
)

// basePath is the path of the base address, where it has one: RFC 8414, section 3.1, puts the well-known part between
// host and path, and so it may arrive here.
func (s *Server) basePath(r *http.Request) string {
	u, err := url.Parse(s.Base(r))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

// serverMetadata is the server as RFC 8414 describes one.
type serverMetadata struct {
	// "The authorization server's issuer identifier, which is a URL that uses the "https" scheme and has no query or
	// fragment components." It is the base address as it was configured.
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuth             []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuth        []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	// RFC 9207, section 3: "indicating whether the authorization server provides the iss parameter in the authorization
	// response".
	SendsIssuer   bool     `json:"authorization_response_iss_parameter_supported"`
	Resources     []string `json:"protected_resources"` // RFC 9728, section 4
	Documentation string   `json:"service_documentation"`
	Locales       []string `json:"ui_locales_supported"`
}

func (s *Server) describeServer(w http.ResponseWriter, r *http.Request) {
	base := s.Base(r)
	describe(w, serverMetadata{
		Issuer: base, AuthorizationEndpoint: base + "/oauth/authorize", TokenEndpoint: base + "/oauth/token",
		RegistrationEndpoint: base + "/oauth/register", RevocationEndpoint: base + "/oauth/revoke",
		Scopes: []string{ScopeRead, ScopeWrite}, ResponseTypes: []string{"code"}, ResponseModes: []string{"query"},
		GrantTypes: []string{"authorization_code", "refresh_token"}, TokenAuth: []string{"none"},
		RevocationAuth: []string{"none"}, ChallengeMethods: []string{"S256"}, SendsIssuer: true,
		Resources: []string{s.resource(r)}, Documentation: base +
			"/docs/", Locales: []string{"en", "sv"},
	})
}

// resourceMetadata is the integration API as RFC 9728 describes a protected resource.
type resourceMetadata struct {
	// "The protected resource's resource identifier".
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	Methods       []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name"`
	Documentation string   `json:"resource_documentation"`
}

func (s *Server) describeResource(w http.ResponseWriter, r *http.Request) {
	describe(w, resourceMetadata{
		Resource: s.resource(r), Servers: []string{s.Base(r)}, Scopes: []string{ScopeRead, ScopeWrite},
		Methods: []string{"header"}, Name: "Kontor integration API", Documentation: s.Base(r) + "/docs/",
	})
}

func describe(w http.ResponseWriter, v any) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	w.Header().Del("Pragma")
	writeJSON(w, http.StatusOK, v)
}
