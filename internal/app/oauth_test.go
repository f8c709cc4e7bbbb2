package app

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Every scope of the API is in the one list of permissions: else nobody's connection could reach the operation.
func TestEveryScopeIsAPermission(t *testing.T) {
	for _, scope := range Scopes() {
		if !strings.HasPrefix(scope, "preview:") &&
			!slices.ContainsFunc(identity.Permissions(), func(p identity.Permission) bool { return p.Name == scope }) {
			t.Errorf("the scope %s is no permission: enter it in the areas of identity", scope)
		}
	}
}

// The base address is never a stranger's.
func TestBaseAddress(t *testing.T) {
	h := &App{serving: Serving{PublicURL: "https://erp.example.com/"}}
	r := httptest.NewRequest("GET", "https://evil.example/", nil)
	if h.baseOf(r) != "https://erp.example.com" || !h.secureFor(r) ||
		h.metadata(r) != "https://erp.example.com/.well-known/oauth-protected-resource/preview" {
		t.Errorf("%s, %s", h.base(), h.metadata(r))
	}
	l, err := Take("127.0.0.1:0", "--listen")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h = &App{}
	h.listening(l.Addr())
	if h.baseOf(r) != "http://"+l.Addr().String() || h.secureFor(r) {
		t.Errorf("%s at %s", h.base(), l.Addr())
	}
}

// Who shows several credentials is refused before any is looked at: which of them is meant is not ours to choose.
func TestOneCredentialIsShown(t *testing.T) {
	for _, shown := range [][]string{{"X-Api-Key", "X-Api-Key"}, {"X-Api-Key", "Authorization"},
		{"Authorization", "Authorization"}} {
		r := httptest.NewRequest("GET", "/preview/items", nil)
		for _, name := range shown {
			r.Header.Add(name, "Bearer it")
		}
		if _, err := (&App{}).caller(r); !fault.Is(err, identity.ErrInvalidCredential) {
			t.Errorf("%q: %v", shown, err)
		}
	}
}

// credentials are a key and a token of the same house.
func credentials(b *testing.B, h *App) (key, token string) {
	company, err := h.CreateCompany(b.Context(), acme())
	if err != nil {
		b.Fatal(err)
	}
	token, hash := identity.NewSecret(identity.AccessPrefix)
	err = h.Control(b.Context(), func(tx *db.Tx) (err error) {
		if _, key, err = identity.CreateKey(tx, company, identity.NewKey{Name: "k", Scopes: []string{"*"}},
			Scopes()); err != nil {
			return err
		}
		u, err := identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", PasswordHash: "h",
			CompanyID: company.ID, Role: identity.Admin})
		if err != nil {
			return err
		}
		for _, query := range []string{
			"-- test\ninsert into oauth_client (id, name, redirect_uris, created_at) values ('c', 'Robot', '[]', :now)",
			"-- test\ninsert into oauth_grant (id, client_id, user_id, company_id, scopes, resource, created_at) values ('g', 'c', :user, :company_id, 'preview:read', :resource, :now)",
			"-- test\ninsert into oauth_token (hash, grant_id, kind, created_at, expires_at) values (:hash, 'g', 'access', :now, :now + 3600000000)",
		} {
			args := db.Args{"user": u.ID, "company_id": company.ID, "hash": hash, "resource": h.base() + "/preview"}
			if _, err := tx.Exec(query, args); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return key, token
}

// A token is checked for what a key costs.
func BenchmarkCredentials(b *testing.B) {
	place := datadir.Dir{Data: b.TempDir()}
	h, err := Open(b.Context(), place, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close(b.Context())
	key, token := credentials(b, h)
	for name, header := range map[string][2]string{"key": {"X-Api-Key", key},
		"token": {"Authorization", "Bearer " + token}} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/preview/items", nil)
			r.Header.Set(header[0], header[1])
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.caller(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
