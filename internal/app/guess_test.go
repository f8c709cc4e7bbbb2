package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
)

const rightPassword = "correct horse battery"

// besieged is a house that strangers try to get into, from whatever address they like.
type besieged struct {
	*testing.T
	place   datadir.Dir
	kontor  *app.App
	company identity.Company
	anna    identity.User
}

func besiege(t *testing.T, place datadir.Dir) *besieged {
	b := &besieged{T: t, place: place}
	b.open()
	t.Cleanup(func() { b.close() })
	var err error
	b.company, err = b.kontor.CreateCompany(t.Context(), identity.Company{Code: "acme", Name: "Acme", Country: "SE",
		Currency: "SEK", Environment: identity.Test})
	if err != nil {
		t.Fatal(err)
	}
	hash, err := b.kontor.Hasher.Hash(t.Context(), rightPassword)
	if err != nil {
		t.Fatal(err)
	}
	err = b.kontor.InCompany(t.Context(), "acme", func(tx *db.Tx) error {
		c, err := party.Create(tx, party.Customer{Name: "Ida", IsActive: true})
		if err == nil {
			_, err = party.CreateContact(tx, c.Number, party.Contact{Name: "Ida", Email: "ida@example.com",
				HasPortalAccess: true, IsActive: true, PasswordHash: hash})
		}
		return err
	})
	if err == nil {
		err = b.kontor.Control(t.Context(), func(tx *db.Tx) (err error) {
			b.anna, err = identity.CreateUser(tx, identity.NewUser{Email: "anna@example.com", Name: "Anna",
				PasswordHash: hash, CompanyID: b.company.ID, Role: identity.Admin})
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *besieged) open() {
	b.Helper()
	var err error
	b.kontor, err = app.OpenServing(b.Context(), b.place, app.Serving{PublicURL: "https://kontor.example.com"},
		slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
}

func (b *besieged) close() {
	if err := b.kontor.Close(context.Background()); err != nil {
		b.Error(err)
	}
}

// ask sends a request from an address.
func (b *besieged) ask(peer, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(b.Context(), method, "https://kontor.example.com"+path, strings.NewReader(body))
	r.RemoteAddr = peer + ":4711"
	r.Header.Set("X-Visitor-IP", peer)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.kontor.ServeHTTP(w, r)
	return w
}

func (b *besieged) form(peer, path string, values ...string) *httptest.ResponseRecorder {
	v := url.Values{}
	for i := 0; i < len(values); i += 2 {
		v.Set(values[i], values[i+1])
	}
	return b.ask(peer, "POST", path, v.Encode(), "Content-Type: application/x-www-form-urlencoded",
		"Origin: https://kontor.example.com", "Sec-Fetch-Site: same-origin")
}

func (b *besieged) visit(peer string) []string {
	b.Helper()
	h := []string{"X-Tenant-Id: " + b.company.ID, "X-Channel: WEB"}
	w := b.ask(peer, "GET", "/ecom/session", "", h...)
	var s struct{ SessionToken string }
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || s.SessionToken == "" {
		b.Fatalf("no session: %d %s", w.Code, w.Body)
	}
	return append(h, "Authorization: Bearer "+s.SessionToken)
}

// probe makes the i-th attempt at something that can be guessed, or asked for too often; most is after how many it must
// be refused.
type probe struct {
	most int
	make func(b *besieged, visit []string, i int) *httptest.ResponseRecorder
}

const thief = "198.51.100.1"

func shopPost(path, body string) func(*besieged, []string, int) *httptest.ResponseRecorder {
	return func(b *besieged, visit []string, i int) *httptest.ResponseRecorder {
		text := strings.ReplaceAll(body, "$i", strconv.Itoa(i))
		return b.ask(thief, "POST", "/ecom"+path, text,
			append(visit, fmt.Sprintf("Idempotency-Key: %s-%d", strings.ReplaceAll(path, "/", ""), i))...)
	}
}

// probes are how each kind is tried from outside by HTTP. Office codes, proofs and invitations need somebody who is
// signed in, and mails come by SMTP: their own tests try them.
func probes() map[string]probe {
	return map[string]probe{
		"shop-password": {10, shopPost("/auth/login", `{"email": "ida@example.com", "password": "a wrong guess"}`)},
		"shop-code": {15, shopPost("/auth/verify-code",
			`{"email": "ida@example.com", "code": "$i", "purpose": "OneTimeLogin"}`)},
		"shop-mail": {1, shopPost("/auth/request-code",
			`{"email": "nobody@example.com", "purpose": "OneTimeLogin"}`)},
		"shop-order-code": {10, shopPost("/checkout/apply-code", `{"code": "GUESS$i"}`)},
		"shop-return-code": {10, shopPost("/portal/returns",
			`{"orderNumber": "SO-1", "returnCode": "GUESS$i", "reason": "Defective", "lines": [{"orderLineNumber": 1, "quantity": "1"}]}`)},
		"shop-order-trail": {20, shopPost("/checkout/orders/follow",
			`{"orderNumber": "SO-$i", "email": "guess@example.com"}`)},
		"shop-registration": {20, shopPost("/auth/register",
			`{"email": "stranger$i@example.com", "password": "a long password", "firstName": "S", "lastName": "T"}`)},
		"shop-form": {60, shopPost("/content/forms/018f6f2e-0000-7000-8000-00000000dead",
			`{"values": {"message": "Buy $i"}}`)},
		"shop-question": {20, shopPost("/assistant/messages", `{"message": "Do you have $i?"}`)},
		"shop-link": {30, func(b *besieged, visit []string, i int) *httptest.ResponseRecorder {
			if i%2 == 0 {
				return b.ask(thief, "POST", fmt.Sprintf("/ecom/newsletter/unsubscribe?token=guess%d", i),
					"List-Unsubscribe=One-Click", "Content-Type: application/x-www-form-urlencoded")
			}
			return b.ask(thief, "POST", "/ecom/newsletter/confirm", fmt.Sprintf(`{"token": "guess%d"}`, i), visit...)
		}},
		"store-domain": {60, func(b *besieged, _ []string, i int) *httptest.ResponseRecorder {
			return b.ask(thief, "GET", fmt.Sprintf("/ecom/session/resolve?domain=shop%d.example.com", i), "")
		}},
		"office-password": {10, func(b *besieged, _ []string, _ int) *httptest.ResponseRecorder {
			return b.form(thief, "/sign-in", "email", "anna@example.com", "password", "a wrong guess")
		}},
		"office-link": {30, func(b *besieged, _ []string, i int) *httptest.ResponseRecorder {
			return b.ask(thief, "GET", fmt.Sprintf("/%s?token=guess%d",
				[]string{"reset", "invitation", "quote", "quote/pdf", "newsletter/confirm",
					"newsletter/unsubscribe"}[i%6], i), "")
		}},
		"office-reset": {5, func(b *besieged, _ []string, _ int) *httptest.ResponseRecorder {
			return b.form(thief, "/forgot", "email", "nobody@example.com")
		}},
		"oauth-secret": {100, func(b *besieged, _ []string, i int) *httptest.ResponseRecorder {
			return b.form(thief, "/oauth/token", "grant_type", "refresh_token", "client_id", "x", "refresh_token",
				fmt.Sprintf("krt_%d", i))
		}},
		"oauth-registration": {20, func(b *besieged, _ []string, _ int) *httptest.ResponseRecorder {
			return b.ask(thief, "POST", "/oauth/register", `{"redirect_uris": ["https://program.example.com/back"]}`)
		}},
	}
}

// within are the kinds that only somebody who is in can try.
func within() []string {
	return []string{"shop-proof", "office-code", "office-proof", "office-invitation", "ticket-mail"}
}

// TestEveryGuessIsLimited tries everything that can be guessed from one address until it is refused, also right after a
// restart, while the owners still come in from elsewhere; and no password is hashed for who is refused.
func TestEveryGuessIsLimited(t *testing.T) {
	all := probes()
	for _, k := range throttle.Kinds() {
		if _, ok := all[k.Name]; !ok && !strings.Contains(strings.Join(within(), " "), k.Name) {
			t.Errorf("nothing tries %s, %s: add a probe", k.Name, k.Doc)
		}
	}
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		b := besiege(t, place)
		visit := b.visit(thief)
		for name, p := range all {
			for i := range p.most {
				if w := p.make(b, visit, i); w.Code == http.StatusTooManyRequests || w.Code >= 500 {
					t.Fatalf("%s: attempt %d of %d: %d %.300s", name, i+1, p.most, w.Code, w.Body)
				}
			}
			b.refused(name, p, visit, p.most)
		}
		b.close()
		b.open()
		hashed := b.kontor.Hasher.Hashed() + b.kontor.ShopHasher.Hashed()
		for name, p := range all {
			b.refused(name+" after a restart", p, visit, p.most+1)
		}
		if n := b.kontor.Hasher.Hashed() + b.kontor.ShopHasher.Hashed() - hashed; n != 0 {
			t.Errorf("%d passwords were hashed for who is refused", n)
		}
		home := "192.0.2.1"
		if w := b.ask(home, "POST", "/ecom/auth/login", `{"email": "ida@example.com", "password": "`+rightPassword+`"}`,
			b.visit(home)...); w.Code != 200 {
			t.Errorf("the customer at home: %d %s", w.Code, w.Body)
		}
		if w := b.form(home, "/sign-in", "email", "anna@example.com", "password",
			rightPassword); w.Code != http.StatusSeeOther {
			t.Errorf("the user at home: %d %s", w.Code, w.Body)
		}
	})
}

func (b *besieged) refused(what string, p probe, visit []string, i int) {
	b.Helper()
	w := p.make(b, visit, i)
	wait, err := strconv.Atoi(cmp.Or(w.Header().Get("Retry-After"), "none"))
	if w.Code != http.StatusTooManyRequests || err != nil || wait < 1 {
		b.Errorf("%s: %d, Retry-After %q: %.300s", what, w.Code, w.Header().Get("Retry-After"), w.Body)
	}
}

// Whoever shows tokens that nobody knows is counted by where he comes from, before the data is asked.
func TestWhoGuessesATokenIsCounted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		h, err := app.OpenServing(t.Context(), place, app.Serving{PublicURL: "https://kontor.example.com",
			IntegrationRate: 0.001}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		b := &besieged{T: t, place: place, kontor: h}
		t.Cleanup(b.close)
		guess := func(from string) int {
			token, _ := identity.NewSecret(identity.AccessPrefix)
			return b.ask(from, "GET", "/preview/items", "", "Authorization: Bearer "+token).Code
		}
		if got := guess(thief); got != http.StatusUnauthorized {
			t.Errorf("the first guess: %d", got)
		}
		n := 1
		for ; n < 10_000 && guess(thief) == http.StatusUnauthorized; n++ {
		}
		if n < 200 || n == 10_000 {
			t.Errorf("refused after %d guesses", n)
		}
		if got := guess("192.0.2.1"); got != http.StatusUnauthorized {
			t.Errorf("from elsewhere: %d", got)
		}
	})
}

// Whoever follows links that need no password is counted by where he comes from, before anything is read; others are
// not held up.
func TestWhoFollowsALinkIsCounted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		h, err := app.OpenServing(t.Context(), place, app.Serving{PublicURL: "https://kontor.example.com",
			CommerceRate: 0.2}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		b := &besieged{T: t, place: place, kontor: h}
		t.Cleanup(b.close)
		for i, path := range []string{"/quote", "/quote/pdf", "/newsletter/confirm", "/newsletter/unsubscribe"} {
			from := fmt.Sprint("198.51.100.", 20+i)
			if w := b.ask(from, "GET", path+"?token=none", ""); w.Code != http.StatusNotFound &&
				w.Code != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
			}
			if w := b.ask(from, "GET", path+"?token=none", ""); w.Code != http.StatusTooManyRequests ||
				w.Header().Get("Retry-After") == "" {
				t.Errorf("%s again: %d %.300s", path, w.Code, w.Body)
			}
		}
	})
}
