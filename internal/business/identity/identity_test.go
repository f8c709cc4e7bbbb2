package identity_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

func control(t *testing.T, s *db.Store, fn func(tx *db.Tx) error) {
	t.Helper()
	if err := refused(s, fn); err != nil {
		t.Fatal(err)
	}
}

func refused(s *db.Store, fn func(tx *db.Tx) error) error {
	return s.Control(context.Background(), db.Request{Actor: db.Actor{Kind: "system"}}, true, fn)
}

func acme() identity.Company {
	return identity.Company{Code: "Acme", Name: "Acme AB", Country: "se", Currency: "sek", Environment: identity.Test}
}

func TestCompanies(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var c identity.Company
		control(t, s, func(tx *db.Tx) (err error) {
			if c, err = identity.Register(tx, acme()); err == nil {
				err = identity.Activate(tx, c.ID)
			}
			return err
		})
		if c.TimeZone != "Europe/Stockholm" || c.Country != "SE" || c.Currency != "SEK" {
			t.Errorf("registered as %+v", c)
		}
		for _, name := range []string{"acme", "ACME", c.ID} {
			control(t, s, func(tx *db.Tx) error {
				got, err := identity.FindCompany(tx, name)
				if err == nil && (got.ID != c.ID || got.Status != identity.Active) {
					t.Errorf("FindCompany(%q) = %+v", name, got)
				}
				return err
			})
		}
		err := refused(s, func(tx *db.Tx) error { _, err := identity.Register(tx, acme()); return err })
		if !fault.Is(err, identity.ErrCompanyExists) {
			t.Errorf("a second Acme: %v", err)
		}
		control(t, s, func(tx *db.Tx) error { return identity.Remove(tx, c) })
		err = refused(s, func(tx *db.Tx) error { _, err := identity.FindCompany(tx, "acme"); return err })
		if !fault.Is(err, identity.ErrCompanyNotFound) {
			t.Errorf("after it was removed: %v", err)
		}
	})
}

func TestCompanyFaultsAllAtOnce(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	err := refused(s, func(tx *db.Tx) error {
		_, err := identity.Register(tx, identity.Company{Code: "-a/b", Country: "ZZ", Currency: "KR",
			Environment: "Demo", TimeZone: "Mars/Olympus"})
		return err
	})
	f := fault.As(err)
	var fields []string
	for _, x := range f.Fields {
		fields = append(fields, x.Path)
	}
	if got := strings.Join(fields, " "); got != "code name country currency environment timeZone" {
		t.Errorf("faults in %s: %v", got, err)
	}
}

// A base currency is one that the books know: metals and codes for tests are none, and new money is.
func TestBaseCurrencyIsOneOfTheBooks(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	for code, is := range map[string]bool{"ves": true, "XCG": true, "XXX": false, "XAU": false, "DEM": false} {
		err := refused(s, func(tx *db.Tx) error {
			c := acme()
			c.Code, c.Currency = "c-"+code, code
			_, err := identity.Register(tx, c)
			return err
		})
		f := fault.As(err)
		if is != (err == nil) || !is && (len(f.Fields) != 1 || f.Fields[0].Path != "currency") {
			t.Errorf("a company in %s: %v", code, err)
		}
	}
}

// fixture is a company with a gate before it.
type fixture struct {
	store   *db.Store
	gate    *identity.Gate
	company identity.Company
	reads   int
}

func newFixture(t *testing.T, s *db.Store) *fixture {
	h := &fixture{store: s}
	h.gate = identity.NewGate(func(ctx context.Context, r db.Request, write bool, fn func(*db.Tx) error) error {
		h.reads++
		return s.Control(ctx, r, write, fn)
	}, s.Now)
	control(t, s, func(tx *db.Tx) (err error) {
		if h.company, err = identity.Register(tx, acme()); err == nil {
			err = identity.Activate(tx, h.company.ID)
		}
		return err
	})
	return h
}

func (h *fixture) key(t *testing.T, n identity.NewKey) (k identity.Key, secret string) {
	t.Helper()
	control(t, h.store, func(tx *db.Tx) (err error) {
		k, secret, err = identity.CreateKey(tx, h.company, n, []string{"items:read", "items:write"})
		return err
	})
	return k, secret
}

func (h *fixture) try(secret string) (identity.Caller, error) {
	return h.gate.Authenticate(context.Background(), secret, nil)
}

// A key ends when the data says so, whatever the clock of the machine that reads it shows.
func TestAKeyEndsByTheClockOfTheData(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		h, ahead := newFixture(t, s), time.Duration(0)
		gate := identity.NewGate(s.Control, func() db.Time { return db.TimeOf(time.Now().Add(ahead)) })
		_, secret := h.key(t, identity.NewKey{Name: "till", Scopes: []string{"items:read"},
			ExpiresAt: db.TimeOf(time.Now().Add(time.Hour))})
		if _, err := gate.Authenticate(t.Context(), secret, nil); err != nil {
			t.Error(err)
		}
		ahead = 2 * time.Hour
		if _, err := gate.Authenticate(t.Context(), secret, nil); !fault.Is(err, identity.ErrExpiredCredential) {
			t.Errorf("an hour after its end: %v", err)
		}
	})
}

func TestGate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		h := newFixture(t, s)
		k,
			secret := h.key(t, identity.NewKey{Name: " erp ", Scopes: []string{"items:write", "items:read",
			"items:read"}})

		c, err := h.try(secret)
		if err != nil || c.CompanyID != h.company.ID || c.KeyID != k.ID || c.Name != "erp" ||
			strings.Join(c.Scopes, " ") != "items:read items:write" {
			t.Fatalf("Authenticate = %+v, %v", c, err)
		}
		before := h.reads
		for range 10 {
			if _, err := h.try(secret); err != nil {
				t.Fatal(err)
			}
		}
		if h.reads > before+9 {
			t.Errorf("the key is read from the database each time")
		}
		var stranger string // a well-formed key whose making was taken back
		_ = refused(s, func(tx *db.Tx) (err error) {
			_, stranger, err = identity.CreateKey(tx, h.company, identity.NewKey{Name: "x", Scopes: []string{"*"}}, nil)
			return errors.Join(err, errors.New("taken back"))
		})
		for secret, want := range map[string]fault.Code{
			"": identity.ErrMissingCredential, "svc_test_sk_nonsense": identity.ErrInvalidCredential,
			stranger: identity.ErrInvalidCredential,
		} {
			if _, err := h.try(secret); !fault.Is(err, want) {
				t.Errorf("Authenticate(%q) = %v, want %s", secret, err, want.Name)
			}
		}
		control(t, s, func(tx *db.Tx) error { _, err := identity.RevokeKey(tx, h.company, "ERP"); return err })
		h.gate.Forget()
		if _, err := h.try(secret); !fault.Is(err, identity.ErrInvalidCredential) {
			t.Errorf("a revoked key: %v", err)
		}
	})
}

func TestGateKnowsExpiryEnvironmentAndClosedDoors(t *testing.T) {
	h := newFixture(t, dbtest.Store(t, "sqlite"))
	_, brief := h.key(t, identity.NewKey{Name: "brief", Scopes: []string{"*"},
		ExpiresAt: db.TimeOf(time.Now().Add(time.Hour))})
	control(t, h.store, func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate api_key set expires_at = 1", nil)
		return err
	})
	if _, err := h.try(brief); !fault.Is(err, identity.ErrExpiredCredential) {
		t.Errorf("an expired key: %v", err)
	}
	_, test := h.key(t, identity.NewKey{Name: "test", Scopes: []string{"*"}})
	control(t, h.store, func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate company set environment = 'Production'", nil)
		return err
	})
	if _, err := h.try(test); !fault.Is(err, identity.ErrInvalidCredential) {
		t.Errorf("a test key of a production company: %v", err)
	}
	h.company.Environment = identity.Production
	_, live := h.key(t, identity.NewKey{Name: "live", Scopes: []string{"*"}})
	if _, err := h.try(live); err != nil {
		t.Errorf("a live key of a production company: %v", err)
	}
	control(t, h.store, func(tx *db.Tx) error { return identity.BeginClosing(tx, h.company) })
	h.gate.Forget()
	if _, err := h.try(live); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("a key of a company that closes, or is put back: %v", err)
	}
	known := identity.NewKnownCompanies(h.store.Control)
	if _, _, err := known.Find(context.Background(), h.company.ID); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("a visitor of that company: %v", err)
	}
}

func TestKeysNeedScopes(t *testing.T) {
	h := newFixture(t, dbtest.Store(t, "sqlite"))
	for _, scopes := range [][]string{nil, {}, {"items:read", "itmes:write"}, {"items"}} {
		err := refused(h.store, func(tx *db.Tx) error {
			_, _, err := identity.CreateKey(tx, h.company, identity.NewKey{Name: "k", Scopes: scopes},
				[]string{"items:read"})
			return err
		})
		if f := fault.As(err); f.Code != "ApiKey.Invalid" || f.Fields[0].Path != "scopes" {
			t.Errorf("scopes %q: %v", scopes, err)
		}
	}
}

func TestLastUseIsWrittenLate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		h := newFixture(t, s)
		_, secret := h.key(t, identity.NewKey{Name: "k", Scopes: []string{"*"}})
		lastUsed := func() (at db.Time) {
			control(t, s, func(tx *db.Tx) error {
				keys, err := identity.Keys(tx, h.company.ID)
				at = keys[0].LastUsedAt
				return err
			})
			return at
		}
		if _, err := h.try(secret); err != nil {
			t.Fatal(err)
		}
		if at := lastUsed(); at != 0 {
			t.Errorf("written at once: %s", at)
		}
		if err := h.gate.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
		if at := lastUsed(); at == 0 || at.Time().Second() != 0 || time.Since(at.Time()) > 5*time.Minute {
			t.Errorf("last used %s", at)
		}
	})
}

func TestUsers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		h := newFixture(t, s)
		n := identity.NewUser{Email: "Anna@Example.com", PasswordHash: "h", CompanyID: h.company.ID,
			Role: identity.Sales}
		create := func(n identity.NewUser) (u identity.User, err error) {
			err = refused(s, func(tx *db.Tx) (err error) { u, err = identity.CreateUser(tx, n); return err })
			return u, err
		}
		anna, err := create(n)
		if err != nil {
			t.Fatal(err)
		}
		n.Email = "anna@example.com"
		if _, err := create(n); !fault.Is(err, identity.ErrUserExists) {
			t.Errorf("a second Anna: %v", err)
		}
		n.PasswordHash = ""
		if _, err := create(n); !fault.Is(err, identity.ErrUserExists) {
			t.Errorf("Anna twice in one company: %v", err)
		}
		second := acme()
		second.Code = "beta"
		control(t, s, func(tx *db.Tx) (err error) { second, err = identity.Register(tx, second); return err })
		n.CompanyID = second.ID
		if u, err := create(n); err != nil || u.ID != anna.ID {
			t.Errorf("Anna in a second company: %+v, %v", u, err)
		}
		for _, email := range []string{"", "anna", "Anna <anna@example.com>", "a@b", "a b@example.com"} {
			n.Email, n.PasswordHash = email, "h"
			if _, err := create(n); !fault.Is(err, identity.ErrUserInvalid) {
				t.Errorf("address %q: %v", email, err)
			}
		}
	})
}

func TestACompanyMovesWithItsPeopleAndKeys(t *testing.T) {
	from, to := newFixture(t, dbtest.Store(t, "sqlite")), dbtest.Store(t, "sqlite")
	_, secret := from.key(t, identity.NewKey{Name: "k", Scopes: []string{"items:read"}})
	control(t, from.store, func(tx *db.Tx) error {
		_, err := identity.CreateUser(tx, identity.NewUser{Email: "a@example.com", PasswordHash: "h",
			CompanyID: from.company.ID, Role: identity.Admin})
		return err
	})
	var e identity.Export
	control(t, from.store, func(tx *db.Tx) (err error) { e, err = identity.ExportOf(tx, "acme"); return err })
	control(t, to, func(tx *db.Tx) error { _, err := identity.Import(tx, e); return err })
	gate := identity.NewGate(to.Control, to.Now)
	if _, err := gate.Authenticate(context.Background(), secret, nil); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("let in before the doors are open: %v", err)
	}
	control(t, to, func(tx *db.Tx) error { return identity.Activate(tx, from.company.ID) })
	gate.Forget()
	if c, err := gate.Authenticate(context.Background(), secret, nil); err != nil || c.CompanyID != from.company.ID {
		t.Errorf("after the move: %+v, %v", c, err)
	}
	if err := refused(to, func(tx *db.Tx) error { _, err := identity.Import(tx, e); return err }); !fault.Is(err,
		identity.ErrCompanyExists) {
		t.Errorf("moved in twice: %v", err)
	}
}

// Who shows a credential that was not found good before pays before the data is asked; one that was found good is
// looked up without paying, whatever strangers do at the same address.
func TestWhoGuessesPaysFirst(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		h := newFixture(t, s)
		_, secret := h.key(t, identity.NewKey{Name: "till", Scopes: []string{"items:read"}})
		spent := errors.New("spent")
		refuses := func() error { return spent }
		asked := 0
		gate := identity.NewGate(func(ctx context.Context, r db.Request, write bool, fn func(*db.Tx) error) error {
			asked++
			return s.Control(ctx, r, write, fn)
		}, s.Now)
		token, _ := identity.NewSecret(identity.AccessPrefix)
		if _, err := gate.Authenticate(t.Context(), secret, refuses); !errors.Is(err, spent) || asked > 0 {
			t.Errorf("a key that nobody knows yet: %v, asked %d times", err, asked)
		}
		if _, err := gate.Bearer(t.Context(), token, refuses); !errors.Is(err, spent) || asked > 0 {
			t.Errorf("a token that nobody knows: %v, asked %d times", err, asked)
		}
		if _, err := gate.Authenticate(t.Context(), secret, func() error { return nil }); err != nil {
			t.Errorf("who has not spent all: %v", err)
		}
		gate.Forget()
		if _, err := gate.Authenticate(t.Context(), secret, refuses); err != nil {
			t.Errorf("a key that was found good before: %v", err)
		}
		if _, err := gate.Authenticate(t.Context(), "", refuses); !fault.Is(err, identity.ErrMissingCredential) {
			t.Errorf("nothing at all costs nothing: %v", err)
		}
	})
}
