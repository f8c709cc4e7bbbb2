package oauth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// A connection reaches as far as its scopes, and no further than the person's role; the refusals say which it was.
func TestBounds(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		const brand = `{"code":"BOLT","name":"Bolt"}`
		access, _ := p.connect(b)
		if status, answer := w.call(access, http.MethodPost, "/preview/brands", brand); status != http.StatusCreated {
			t.Fatalf("an administrator with preview:write: %d %v", status, answer)
		}
		b.quiet = true
		reader, _ := p.connect(b)
		status, answer := w.call(reader, http.MethodPost, "/preview/brands", brand)
		challenge, _ := answer["WWW-Authenticate"].(string)
		if status != http.StatusForbidden || answer["code"] != "Scope.Missing" ||
			!strings.Contains(challenge, `error="insufficient_scope", scope="preview:write"`) ||
			!strings.Contains(challenge, "resource_metadata=") {
			t.Errorf("preview:read: %d %v", status, answer)
		}
		b.quiet, b.company = false, w.other.ID
		viewer, _ := p.connect(b)
		status, answer = w.call(viewer, http.MethodPost, "/preview/brands", brand)
		challenge, _ = answer["WWW-Authenticate"].(string)
		if status != http.StatusForbidden || answer["code"] != "Permission.Denied" ||
			strings.Contains(challenge, "error=") {
			t.Errorf("a viewer with preview:write: %d %v", status, answer)
		}
		w.works(viewer, true, "a viewer reads")
		w.control(func(tx *db.Tx) error { return identity.ChangeRole(tx, w.other.ID, w.anna.ID, identity.Purchasing) })
		if status, answer := w.call(viewer, http.MethodPost, "/preview/brands", brand); status != http.StatusCreated {
			t.Errorf("after the role was changed: %d %v", status, answer)
		}
		if status, answer := w.call(viewer, http.MethodGet, "/preview/brands/BOLT", ""); status != http.StatusOK ||
			answer["name"] != "Bolt" {
			t.Errorf("the other company's own: %d %v", status, answer)
		}
		if status, answer := w.json(http.MethodGet, "/preview/items", "", "", "Authorization: Bearer "+access,
			"X-Api-Key: x"); status != http.StatusUnauthorized {
			t.Errorf("two credentials: %d %v", status, answer)
		}
	})
}

// Whoever may end a connection ends it at once: the person, an administrator, the program itself, and what takes the
// person's rights.
func TestConnectionsEnd(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		newest := func(company string) (c identity.Connection) {
			w.control(func(tx *db.Tx) error {
				all, err := identity.Connections(tx, company, "")
				if err == nil && len(all) > 0 {
					c = all[0]
				}
				return err
			})
			return c
		}
		access, refresh := p.connect(b)
		c := newest(w.acme.ID)
		if c.ClientName != "Robot" || c.UserID != w.anna.ID || c.CompanyName != "ACME" ||
			strings.Join(c.Scopes, " ") != "preview:read preview:write" {
			t.Errorf("connection %+v", c)
		}
		if newest(w.other.ID).ID != "" {
			t.Error("it shows in another company")
		}
		for what, end := range map[string]func(tx *db.Tx) error{
			"another company's administrator": func(tx *db.Tx) error {
				return identity.RevokeConnection(tx, w.other.ID, "", c.ID)
			},
			"somebody else": func(tx *db.Tx) error {
				return identity.RevokeConnection(tx, "", "nobody", c.ID)
			},
		} {
			if err := w.kontor.Control(w.Context(), end); err == nil {
				t.Errorf("%s ended it", what)
			}
		}
		w.works(access, true, "before")
		w.control(func(tx *db.Tx) error { return identity.RevokeConnection(tx, "", w.anna.ID, c.ID) })
		w.works(access, false, "ended by the person")
		if status, answer := p.refresh(refresh); status != http.StatusBadRequest {
			t.Errorf("refreshed after its end: %d %v", status, answer)
		}
		access, _ = p.connect(b)
		c = newest(w.acme.ID)
		w.control(func(tx *db.Tx) error { return identity.RevokeConnection(tx, w.acme.ID, "", c.ID) })
		w.works(access, false, "ended by an administrator")

		access, refresh = p.connect(b)
		other := w.register("https://other.example.com/cb")
		revoke := func(p *program, token string) (int, map[string]any) {
			return w.json(http.MethodPost, "/oauth/revoke", "application/x-www-form-urlencoded",
				url.Values{"token": {token}, "client_id": {p.id}}.Encode())
		}
		if status, answer := revoke(other, refresh); status != http.StatusBadRequest {
			t.Errorf("another program ended it: %d %v", status, answer)
		}
		if status, answer := revoke(p, "unknown"); status != http.StatusOK {
			t.Errorf("an unknown token: %d %v", status, answer)
		}
		if status, answer := revoke(p, access); status != http.StatusOK {
			t.Errorf("revoke: %d %v", status, answer)
		}
		w.works(access, false, "its access token revoked")
		_, answer := p.refresh(refresh)
		access, refresh = answer["access_token"].(string), answer["refresh_token"].(string)
		w.works(access, true, "its refresh token was not")
		revoke(p, refresh)
		w.works(access, false, "its refresh token revoked")

		b.company = w.other.ID
		access, refresh = p.connect(b)
		w.works(access, true, "as a viewer")
		w.control(func(tx *db.Tx) error { return identity.Deactivate(tx, w.other.ID, w.anna.ID) })
		w.works(access, false, "deactivated in the company")
		w.control(func(tx *db.Tx) error { return identity.Reactivate(tx, w.other.ID, w.anna.ID) })
		w.works(access, false, "activated again")
		if status, answer := p.refresh(refresh); status != http.StatusBadRequest {
			t.Errorf("refreshed again: %d %v", status, answer)
		}
	})
}

// Reads and writes are recorded against person and program, and nothing secret is.
func TestEverythingIsRecorded(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		code := p.code(b)
		_, answer := p.exchange(code)
		access, refresh := answer["access_token"].(string), answer["refresh_token"].(string)
		w.call(access, http.MethodPost, "/preview/brands", `{"code":"BOLT","name":"Bolt"}`)
		w.call(access, http.MethodGet, "/preview/brands/BOLT", "")
		w.call(access, http.MethodGet, "/preview/brands?search=bo", "")
		w.call(access, http.MethodGet, "/preview/brands?search=bo", "") // kept bytes are recorded as well
		var got []string
		err := w.kontor.Store().Read(w.Context(), db.Request{Company: w.acme.ID}, func(tx *db.Tx) error {
			got = nil
			return tx.Each(`-- test
select resource, business_key, action, actor_kind, actor_id, actor_name, client_name, detail from activity
where company = :company and actor_kind <> 'system' order by at`, nil, func(r db.Row) error {
				var f [8]string
				err := r.Scan(&f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6], &f[7])
				if f[4] != w.anna.ID {
					t.Errorf("recorded against %q", f[4])
				}
				line := strings.Join([]string{f[0], f[1], f[2], f[3], f[5], f[6]}, "|")
				if f[2] == "read" {
					line += "|" + f[7]
				}
				got = append(got, line)
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"brands|BOLT|created|user|Anna|Robot",
			`brands|BOLT|read|user|Anna|Robot|{"operation":[null,"getBrand"]}`,
			`brands||read|user|Anna|Robot|{"operation":[null,"listBrands"],"query":[null,"search=bo"]}`,
			`brands||read|user|Anna|Robot|{"operation":[null,"listBrands"],"query":[null,"search=bo"]}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("recorded\n%s", strings.Join(got, "\n"))
		}
		w.control(func(tx *db.Tx) error {
			for _, secret := range []string{code, access, refresh, b.token, p.verifier, password} {
				var n int64
				_, err := tx.One(
					"-- test\nselect count(*) from control_activity where detail like :like or record_key like :like",
					db.Args{"like": "%" + secret + "%"}, &n)
				if err != nil || n != 0 {
					return fmt.Errorf("a secret stands in the log: %w", err)
				}
			}
			return nil
		})
	})
}

// Rows of reads that come together are committed together.
func TestReadsAreRecordedInGroups(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb"), w.browser()
	access, _ := p.connect(b)
	const reads = 40
	var all sync.WaitGroup
	for range reads {
		all.Go(func() { w.works(access, true, "together") })
	}
	all.Wait()
	var n int64
	err := w.kontor.Store().Read(context.Background(), db.Request{Company: w.acme.ID}, func(tx *db.Tx) error {
		_, err := tx.One("-- test\nselect count(*) from activity where company = :company and action = 'read'", nil, &n)
		return err
	})
	if err != nil || n != reads {
		t.Errorf("%d of %d reads are recorded, %v", n, reads, err)
	}
}
