package oauth_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// A client of another house finds everything by itself: from a 401 to the description of the resource, from there to
// the server's, it registers, sends the person, and comes back with tokens that work.
func TestModelContextProtocolClient(t *testing.T) {
	eachWorld(t, func(w *world) {
		b := w.browser()
		const redirect = "http://127.0.0.1:33418/callback"
		handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
			DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
				Metadata: &oauthex.ClientRegistrationMetadata{
					ClientName: "Assistant", RedirectURIs: []string{redirect},
					GrantTypes:              []string{"authorization_code", "refresh_token"},
					TokenEndpointAuthMethod: "client_secret_basic"}},
			RedirectURL: redirect,
			AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult,
				error) {
				q := b.consent(args.URL).answer()
				return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
			},
		})
		if err != nil {
			w.Fatal(err)
		}
		resp, err := http.Get(w.url + "/preview/items")
		if err != nil {
			w.Fatal(err)
		}
		if err := handler.Authorize(w.Context(), w.request(http.MethodGet, w.url+"/preview", nil), resp); err != nil {
			w.Fatal(err)
		}
		source, err := handler.TokenSource(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		token, err := source.Token()
		if err != nil {
			w.Fatal(err)
		}
		w.works(token.AccessToken, true, "with the token of the client")
	})
}

// The usual client of Go: authorization with PKCE, exchange, and a refresh when the access token is said to have
// expired.
func TestOAuth2Client(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		config := oauth2.Config{ClientID: p.id, RedirectURL: p.redirect,
			Scopes:   []string{"preview:read", "preview:write"},
			Endpoint: oauth2.Endpoint{AuthURL: w.url + "/oauth/authorize", TokenURL: w.url + "/oauth/token"}}
		verifier := oauth2.GenerateVerifier()
		resource := oauth2.SetAuthURLParam("resource", w.url+"/preview")
		q := b.consent(config.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier), resource)).answer()
		if q.Get("iss") != w.url || q.Get("state") != "state" {
			t.Errorf("answered %v", q)
		}
		token, err := config.Exchange(w.Context(), q.Get("code"), oauth2.VerifierOption(verifier), resource)
		if err != nil {
			w.Fatal(err)
		}
		w.works(token.AccessToken, true, "after the exchange")
		old := *token
		old.Expiry = old.Expiry.AddDate(-1, 0, 0)
		fresh, err := config.TokenSource(w.Context(), &old).Token()
		if err != nil {
			w.Fatal(err)
		}
		if fresh.AccessToken == token.AccessToken || fresh.RefreshToken == token.RefreshToken {
			t.Error("nothing was renewed")
		}
		w.works(fresh.AccessToken, true, "after the refresh")
	})
}

// What the server says of itself stands by the base address, whatever Host a request names.
func TestMetadata(t *testing.T) {
	w := newWorld(t, "sqlite")
	req := w.request(http.MethodGet, w.url+"/.well-known/oauth-authorization-server", nil)
	req.Host = "evil.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	meta, err := oauthex.GetAuthServerMeta(t.Context(), w.url+"/.well-known/oauth-authorization-server", w.url,
		http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	if meta.Issuer != w.url || meta.TokenEndpoint != w.url+"/oauth/token" ||
		strings.Join(meta.CodeChallengeMethodsSupported, " ") != "S256" ||
		strings.Join(meta.TokenEndpointAuthMethodsSupported, " ") != "none" ||
		!meta.AuthorizationResponseIssParameterSupported {
		t.Errorf("metadata %+v", meta)
	}
	_, evil := w.json(http.MethodGet, "/.well-known/oauth-protected-resource/preview", "", "",
		"X-Forwarded-Host: evil.example")
	if evil["resource"] != w.url+"/preview" {
		t.Errorf("resource %v", evil)
	}
	status, _ := w.json(http.MethodGet, "/.well-known/oauth-protected-resource", "", "")
	if status != http.StatusNotFound {
		t.Errorf("the root is no protected resource: %d", status)
	}
	_, refused := w.json(http.MethodGet, "/preview/items", "", "")
	if got := refused["WWW-Authenticate"]; got != `Bearer realm="kontor", resource_metadata="`+w.url+
		`/.well-known/oauth-protected-resource/preview"` {
		t.Errorf("challenge %v", got)
	}
	_, refused = w.json(http.MethodGet, "/preview/items", "", "", "Authorization: Bearer kat_x")
	if got, _ := refused["WWW-Authenticate"].(string); !strings.HasSuffix(got, `, error="invalid_token"`) {
		t.Errorf("challenge %v", got)
	}
}

func TestRegistration(t *testing.T) {
	w := newWorld(t, "sqlite")
	status, answer := w.json(http.MethodPost, "/oauth/register", "application/json",
		`{"redirect_uris":["https://a.example/cb","http://localhost/cb","com.example.app:/cb"],"token_endpoint_auth_method":"client_secret_basic","client_name":"A","unheard_of":1}`)
	if status != http.StatusCreated || answer["token_endpoint_auth_method"] != "none" ||
		answer["client_secret"] != nil || answer["client_id"] == "" || answer["client_name"] != "A" ||
		answer["scope"] != "preview:read preview:write" {
		t.Errorf("%d %v", status, answer)
	}
	for _, uri := range []string{"", "/cb", "http://a.example/cb", "https://a.example/cb#x", "javascript:alert(1)",
		"data:text/html,x", "cursor://x", "https://u@a.example/",
		"https:///cb", "https://a.example/\u202e", "http://127.0.0.1.evil.example/cb",
		"http://localhost.evil.example/"} {
		status, answer := w.json(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["`+uri+
			`"]}`)
		if status != http.StatusBadRequest || answer["error"] != "invalid_redirect_uri" {
			t.Errorf("%q: %d %v", uri, status, answer)
		}
	}
	for range 30 {
		status, answer = w.json(http.MethodPost, "/oauth/register", "application/json",
			`{"redirect_uris":["https://a.example/cb"]}`)
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("registered without end: %d %v", status, answer)
	}
}

// Ports of loopback addresses are free, and nothing else of an address is.
func TestLoopbackPorts(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("http://127.0.0.1:1/cb?x=1", "http://[::1]/cb"), w.browser()
	for uri, ok := range map[string]bool{
		"http://127.0.0.1:4711/cb?x=1": true, "http://127.0.0.1/cb?x=1": true, "http://[::1]:99/cb": true,
		"http://127.0.0.1:4711/cb": false, "http://127.0.0.1:4711/cb?x=1&y": false, "http://localhost:1/cb?x=1": false,
		"https://127.0.0.1:1/cb?x=1": false, "http://127.0.0.1:1/cb/?x=1": false, "http://u@127.0.0.1:1/cb?x=1": false,
	} {
		p.redirect = uri
		page := b.get(p.authorization())
		if asked := strings.Contains(page.body, "ticket"); asked != ok || page.to() != "" {
			t.Errorf("%s: asked %v, sent to %q", uri, asked, page.to())
		}
	}
	p.redirect = "http://127.0.0.1:4711/cb?x=1"
	to, err := url.Parse(b.consent(p.authorization()).to())
	if err != nil || to.Host != "127.0.0.1:4711" || to.Query().Get("x") != "1" || to.Query().Get("code") == "" {
		t.Errorf("sent to %s, %v", to, err)
	}
}
