package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
)

// Scheme and host are believed as far as trusted proxies reported them, in either form of saying it.
func TestOrigins(t *testing.T) {
	for i, c := range []struct {
		remote string
		said   []string
		want   origin
	}{
		{"203.0.113.9:1", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example"},
			origin{"203.0.113.9", "", ""}},
		{"203.0.113.9:1", []string{"Forwarded: for=1.2.3.4;proto=https;host=evil.example"},
			origin{"203.0.113.9", "", ""}},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.1", "X-Forwarded-Proto: https",
			"X-Forwarded-Host: Shop.example:8443"},
			origin{"198.51.100.1", "https", "shop.example:8443"}},
		{"10.0.0.1:1", []string{"X-Forwarded-Proto: https"}, origin{"10.0.0.1", "https", ""}},
		{"10.0.0.1:1", []string{"Forwarded: for=198.51.100.1;proto=https;host=shop.example"},
			origin{"198.51.100.1", "https", "shop.example"}},
		{"10.0.0.1:1", []string{`Forwarded: For="[2001:db8::17]:4711"; Proto=HTTPS; host="shop.example:8443"`},
			origin{"2001:db8::17", "https", "shop.example:8443"}},
		{"10.0.0.1:1",
			[]string{
				"Forwarded: for=6.6.6.6;host=evil.example;proto=http, for=198.51.100.1;host=shop.example;proto=https"},
			origin{"198.51.100.1", "https", "shop.example"}},
		{"10.0.0.1:1", []string{"Forwarded: for=198.51.100.1;host=shop.example;proto=https",
			"Forwarded: for=10.0.0.2;proto=http;host=inner"},
			origin{"198.51.100.1", "https", "shop.example"}},
		{"10.0.0.1:1", []string{"Forwarded: for=unknown;proto=https"}, origin{"10.0.0.1", "https", ""}},
		{"10.0.0.1:1", []string{"Forwarded: for=6.6.6.6;host=evil.example", "X-Forwarded-For: 198.51.100.1"},
			origin{"198.51.100.1", "", ""}},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 6.6.6.6, 198.51.100.1",
			"X-Forwarded-Host: evil.example, shop.example"}, origin{"198.51.100.1", "", "shop.example"}},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.1, 10.0.0.2", "X-Forwarded-Proto: https, http"},
			origin{"198.51.100.1", "https", ""}},
		{"10.0.0.1:1", []string{"X-Forwarded-Host: a/b", "X-Forwarded-Proto: javascript"}, origin{"10.0.0.1", "", ""}},
		{"10.0.0.1:1", []string{"X-Forwarded-Host: user@evil.example"}, origin{"10.0.0.1", "", ""}},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		for _, line := range c.said {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Add(name, value)
		}
		if got := originOf(r, prefixes([]string{"10.0.0.0/8"})); got != c.want {
			t.Errorf("%d: %v is %+v, want %+v", i, c.said, got, c.want)
		}
	}
}

// What a declared proxy says makes addresses, cookies and the issuer; what others say makes a warning, once for each of
// them.
func TestForwardedRequests(t *testing.T) {
	for _, public := range []string{"", "https://public.example"} {
		var log bytes.Buffer
		serving := Serving{Listen: "127.0.0.1:0", TrustedProxy: []string{"10.0.0.0/8"}, PublicURL: public}
		h, err := OpenServing(t.Context(), datadir.Dir{Data: t.TempDir()}, serving,
			slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close(t.Context()) })
		hash, err := h.Hasher.Hash(t.Context(), "correct horse battery")
		if err != nil {
			t.Fatal(err)
		}
		company, err := h.CreateCompany(t.Context(), acme())
		if err != nil {
			t.Fatal(err)
		}
		err = h.Control(t.Context(), func(tx *db.Tx) error {
			_, err := identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna",
				PasswordHash: hash, CompanyID: company.ID, Role: identity.Admin})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		srv, err := Listen(h, serving)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { srv.main.Close() })
		send := func(from, method, path, body string) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
			r.RemoteAddr, r.Host = from+":4711", "inner:8080"
			r.Header.Set("X-Forwarded-For", "198.51.100.1")
			r.Header.Set("X-Forwarded-Proto", "https")
			r.Header.Set("X-Forwarded-Host", "erp.example")
			if body != "" {
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.Header.Set("Origin", "https://erp.example")
			}
			w := httptest.NewRecorder()
			srv.handler().ServeHTTP(w, r)
			return w
		}
		here := "http://" + srv.main.Addr().String()
		for _, c := range []struct {
			from, base string
			secure     bool
		}{{"10.0.0.1", "https://erp.example", true}, {"203.0.113.9", here, false}} {
			if public != "" {
				c.base, c.secure = public, true
			}
			w := send(c.from, "GET", "/.well-known/oauth-authorization-server", "")
			var said struct{ Issuer, TokenEndpoint string }
			if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Issuer != c.base {
				t.Errorf("from %s, where %q is public, the issuer is %q, not %q", c.from, public, said.Issuer, c.base)
			}
			if got := w.Header().Get("Strict-Transport-Security") != ""; got != c.secure {
				t.Errorf("from %s, where %q is public, HSTS is sent: %t", c.from, public, got)
			}
			refused := send(c.from, "GET", "/preview/items", "")
			if said := refused.Header().Get("WWW-Authenticate"); !strings.Contains(said, `resource_metadata="`+c.base+
				"/") {
				t.Errorf("from %s, where %q is public, a 401 says %s", c.from, public, said)
			}
			if public != "" || !c.secure {
				continue
			}
			in := send(c.from, "POST", "/sign-in",
				url.Values{"email": {"anna@example.com"}, "password": {"correct horse battery"}}.Encode())
			cookies := in.Result().Cookies()
			if in.Code != http.StatusSeeOther || len(cookies) == 0 {
				t.Errorf("from %s nobody is let in: %d", c.from, in.Code)
			}
			for _, cookie := range cookies {
				if !cookie.Secure || !strings.HasPrefix(cookie.Name, "__Host-") {
					t.Errorf("from %s, where %q is public, a cookie is %s", c.from, public, cookie)
				}
			}
			for path, body := range map[string]string{"/language": "language=sv", "/account/profile": "name=Anna"} {
				cookies := send(c.from, "POST", path, body).Result().Cookies()
				if len(cookies) != 1 || !cookies[0].Secure {
					t.Errorf("from %s the cookies of %s are %s", c.from, path, cookies)
				}
			}
		}
		for i := range 3 * maxSuspects {
			send(fmt.Sprintf("203.0.%d.%d", i/200, i%200), "GET", "/preview/items", "")
			send("203.0.113.9", "GET", "/preview/items", "")
		}
		if n := strings.Count(log.String(), "not declared"); n != maxSuspects {
			t.Errorf("%d warnings are in the log", n)
		}
		if strings.Contains(log.String(), "proxy=10.") || strings.Count(log.String(), "proxy=203.0.113.9") != 1 {
			t.Error("a declared proxy is warned of, or an undeclared one not once")
		}
	}
}
