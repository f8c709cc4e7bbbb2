package oauth_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/front/oauth"
)

// These are the attacks of RFC 9700 that reach an authorization server, and what they must come to.

func (p *program) refused(what, code string, status int, answer map[string]any) {
	p.Helper()
	if status != http.StatusBadRequest || answer["error"] != code {
		p.Errorf("%s: want 400 %s, got %d %v", what, code, status, answer)
	}
}

// Section 4.5: a code that is used twice ends everything that came of it.
func TestCodeReplay(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		code := p.code(b)
		status, first := p.exchange(code)
		if status != http.StatusOK || first["token_type"] != "Bearer" || first["expires_in"] != 3600.0 ||
			first["scope"] != "preview:read preview:write" {
			t.Fatalf("exchange: %d %v", status, first)
		}
		w.works(first["access_token"].(string), true, "before the replay")
		status, answer := p.exchange(code)
		p.refused("replay", "invalid_grant", status, answer)
		w.works(first["access_token"].(string), false, "after the replay")
		status, answer = p.refresh(first["refresh_token"].(string))
		p.refused("refresh after the replay", "invalid_grant", status, answer)
		w.control(func(tx *db.Tx) error {
			all, err := identity.Connections(tx, "", w.anna.ID)
			if len(all) != 0 {
				t.Errorf("connections left: %+v", all)
			}
			return err
		})
	})
}

// A code that is exchanged by many at once is exchanged by one at most.
func TestCodeRace(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		code := p.code(b)
		var mu sync.Mutex
		var all sync.WaitGroup
		won := 0
		for range 8 {
			all.Go(func() {
				if status, _ := p.exchange(code); status == http.StatusOK {
					mu.Lock()
					won++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if won != 1 {
			t.Errorf("%d of 8 exchanged one code", won)
		}
	})
}

// Sections 4.5 and 4.8: a stolen code is worth nothing without the verifier, at another program, or under another
// method.
func TestCodeInjection(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, thief, b := w.register("https://robot.example.com/cb", "https://robot.example.com/other"),
			w.register("https://thief.example.com/cb"), w.browser()
		code := p.code(b)
		for _, c := range []struct{ what, change, want string }{
			{"no verifier", "code_verifier=", "invalid_request"},
			{"a short verifier", "code_verifier=short", "invalid_request"},
			{"another verifier", "code_verifier=" + strings.Repeat("w", 43), "invalid_grant"},
			{"the challenge for a verifier", "code_verifier=" + challengeOf(p.verifier), "invalid_grant"},
			{"another redirect", "redirect_uri=https://robot.example.com/other", "invalid_grant"},
			{"another program", "client_id=" + thief.id, "invalid_grant"},
			{"another resource", "resource=https://elsewhere.example/preview", "invalid_target"},
			{"no program", "client_id=", "invalid_request"},
			{"a secret", "client_secret=s", "invalid_client"},
			{"an assertion", "client_assertion=s", "invalid_client"},
			{"another grant", "grant_type=password", "unsupported_grant_type"},
		} {
			status, answer := p.exchange(code, c.change)
			p.refused(c.what, c.want, status, answer)
		}
		status, answer := p.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded",
			"grant_type=authorization_code&code="+code, "Authorization: Basic "+p.id)
		if challenge, _ := answer["WWW-Authenticate"].(string); status != http.StatusUnauthorized ||
			answer["error"] != "invalid_client" || !strings.HasPrefix(challenge, "Basic ") {
			t.Errorf("basic: %d %v", status, answer)
		}
		if status, answer := p.exchange(code); status != http.StatusOK {
			t.Errorf("the program itself: %d %v", status, answer)
		}
		for _, c := range []struct{ what, ends string }{{"too late", ":now"},
			{"by a clock that was two minutes ahead", "expires_at + 120000000"}} {
			code = p.code(b)
			w.control(func(tx *db.Tx) error {
				_, err := tx.Exec("-- test\nupdate oauth_code set expires_at = "+c.ends, nil)
				return err
			})
			status, answer = p.exchange(code)
			p.refused(c.what, "invalid_grant", status, answer)
		}
	})
}

// Section 4.8.2 (downgrade) and RFC 8707: what is wrong with a request is told to the program, with state and issuer.
// Section
// 4.11.2: it is told once a person has seen it and goes back, so that nobody is led from here to a stranger's address
// by a link.
func TestRequestsThatAreNotAsked(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb?keep=1"), w.browser()
	for change, want := range map[string]string{
		"code_challenge_method=plain":               "invalid_request",
		"code_challenge_method=":                    "invalid_request",
		"code_challenge=":                           "invalid_request",
		"code_challenge=" + strings.Repeat("!", 43): "invalid_request",
		"code_challenge=" + strings.Repeat("a", 44): "invalid_request",
		"resource=": "invalid_target",
		"resource=https://elsewhere.example/preview":   "invalid_target",
		"resource=" + w.url:                            "invalid_target",
		"resource=" + w.url + "/ecom":                  "invalid_target",
		"response_type=token":                          "unsupported_response_type",
		"response_type=":                               "invalid_request",
		"response_mode=fragment":                       "invalid_request",
		"scope=preview:read everything":                "invalid_scope",
		"request_uri=https://thief.example.com/object": "request_uri_not_supported",
		"request=e30":                                  "request_not_supported",
	} {
		shown := b.get(p.authorization(change))
		if shown.to() != "" || shown.status != http.StatusBadRequest ||
			!strings.Contains(shown.body, "Go back to the program") ||
			strings.Contains(shown.body, `value="allow"`) {
			t.Errorf("%s: shown %d, sent to %q", change, shown.status, shown.to())
		}
		form := b.form(shown)
		for _, ticket := range []string{"", strings.Repeat("x", 43)} {
			if forged := b.post(w.url+"/oauth/authorize",
				url.Values{"request": form["request"], "ticket": {ticket}}); forged.to() != "" {
				t.Errorf("%s: without having seen the page, sent to %q", change, forged.to())
			}
		}
		form.Set("decision", "allow")
		page := b.post(w.url+"/oauth/authorize", form)
		q := page.answer()
		if page.status != http.StatusSeeOther ||
			!strings.HasPrefix(page.to(), "https://robot.example.com/cb?keep=1&") || q.Get("error") != want ||
			q.Get("state") != "s t&a" || q.Get("iss") != w.url || q.Get("code") != "" {
			t.Errorf("%s: %d %s", change, page.status, page.to())
		}
	}
	b.refuse = true
	if q := b.consent(p.authorization()).answer(); q.Get("error") != "access_denied" || q.Get("iss") != w.url ||
		q.Get("state") != "s t&a" {
		t.Errorf("refused: %v", q)
	}
}

// Section 4.1 and 4.11: nobody's browser is sent to an address that is not registered, whatever else is wrong.
func TestOpenRedirect(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb"), w.browser()
	two := w.register("https://robot.example.com/a", "https://robot.example.com/b")
	for what, target := range map[string]string{
		"another host":        p.authorization("redirect_uri=https://thief.example.com/cb"),
		"a path below":        p.authorization("redirect_uri=https://robot.example.com/cb/x"),
		"a query more":        p.authorization("redirect_uri=https://robot.example.com/cb?x"),
		"another case":        p.authorization("redirect_uri=https://robot.example.com/CB"),
		"user information":    p.authorization("redirect_uri=https://robot.example.com@thief.example.com/cb"),
		"an error besides":    p.authorization("redirect_uri=https://thief.example.com/cb", "response_type=token"),
		"an unknown program":  p.authorization("client_id=00000000-0000-7000-8000-000000000000"),
		"no program":          p.authorization("client_id="),
		"none of two":         two.authorization("redirect_uri="),
		"twice":               p.authorization() + "&redirect_uri=https://thief.example.com/cb",
		"an unreadable query": p.authorization() + "&x=%zz",
	} {
		page := b.get(target)
		if page.status != http.StatusBadRequest || page.to() != "" || strings.Contains(page.body, "ticket") {
			t.Errorf("%s: %d, sent to %q", what, page.status, page.to())
		}
	}
	if page := b.get(p.authorization("redirect_uri=")); !strings.Contains(page.body, "robot.example.com") {
		t.Errorf("the only address, not named: %d", page.status)
	}
	stranger := *b
	stranger.token = ""
	for _, change := range []string{"state=1", "scope=everything", "response_type=token", "code_challenge=",
		"resource="} {
		for _, silent := range []string{"", "&prompt=none"} {
			target := p.authorization(change) + silent
			to, err := url.Parse(stranger.get(target).to())
			if err != nil || to.Path != "/sign-in" || to.Host != "" || !strings.HasPrefix(to.Query().Get("next"),
				"/oauth/authorize?") {
				t.Errorf("%s: a stranger is sent to %v, %v", change, to, err)
			}
			if page := b.get(target); page.to() != "" {
				t.Errorf("%s: whoever is signed in is sent to %q before they saw anything", change, page.to())
			}
		}
	}
}

// An address that was registered while its host was taken for one is no address any more: people read its host on the
// page.
func TestHostsThatAreNone(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb"), w.browser()
	for _, host := range []string{"a.example;script-src", "a.example,b.example", "a.example'x", "a.example*",
		"a.example(x)", "a.example$", "a%2cb.example", "a.example!", "a~b.example", "a&b.example", "a=b.example",
		"a+b.example", "[fe80::1%25eth0]"} {
		uri := "https://" + host + "/cb"
		status, answer := w.json(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["`+uri+
			`"]}`)
		if status != http.StatusBadRequest || answer["error"] != "invalid_redirect_uri" {
			t.Errorf("%q: %d %v", uri, status, answer)
		}
		w.control(func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate oauth_client set redirect_uris = :uris",
				db.Args{"uris": `["` + uri + `"]`})
			return err
		})
		for _, change := range []string{"redirect_uri=" + uri, "redirect_uri="} {
			if page := b.get(p.authorization(change)); page.status != http.StatusBadRequest ||
				strings.Contains(page.body, "Its answer goes to") {
				t.Errorf("%s %s: %d %s", uri, change, page.status, page.body)
			}
		}
	}
	for _, uri := range []string{"https://a-b.example.com:8443/cb;x,y", "https://[2001:db8::1]/cb",
		"https://192.0.2.1/cb", "com.example.app:/cb", "com.example.app://cb"} {
		if status, answer := w.json(http.MethodPost, "/oauth/register", "application/json", `{"redirect_uris":["`+uri+
			`"]}`); status != http.StatusCreated {
			t.Errorf("%q: %d %v", uri, status, answer)
		}
	}
}

// A private scheme may be any program's, so a host within it says nothing of who is answered, and is not shown.
func TestWhoIsAnswered(t *testing.T) {
	w := newWorld(t, "sqlite")
	for uri, want := range map[string]string{"https://robot.example.com:8443/cb": "robot.example.com:8443",
		"http://127.0.0.1:5000/cb": "127.0.0.1 (this computer)", "com.example.app:/cb": "com.example.app: (this computer)",
		"com.example.app://bank.example.com/cb": "com.example.app: (this computer)"} {
		p, b := w.register(uri), w.browser()
		if shown := b.get(p.authorization("redirect_uri=" + uri)); !strings.Contains(shown.body,
			"<dt>Its answer goes to</dt><dd>"+want+"</dd>") {
			t.Errorf("%s is answered at %s", uri, shown.body)
		}
	}
}

// What nobody let in goes after a day, and neither one address nor all together can fill the table with it.
func TestUnusedRegistrations(t *testing.T) {
	eachWorld(t, func(w *world) {
		used, b := w.register("https://used.example.com/cb"), w.browser()
		used.connect(b)
		fill := func(peer string, n, hours int) {
			w.control(func(tx *db.Tx) error {
				for i := range n {
					_, err := tx.Exec(`-- test
insert into oauth_client (id, name, redirect_uris, peer, created_at) values (:id, 'X', '[]', :peer, :at)`,
						db.Args{"id": fmt.Sprint(peer, "-", i), "peer": peer,
							"at": tx.Now - db.Time(hours)*3600*1_000_000 + db.Time(i)})
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
		count := func(where string) (n int) {
			w.control(func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect count(*) from oauth_client where "+where, nil, &n)
				return err
			})
			return n
		}
		fill("127.0.0.1", 100, 25)
		w.register("https://robot.example.com/cb")
		if n := count("used_at is null"); n != 1 {
			t.Errorf("%d unused registrations, want the one of now", n)
		}
		fill("127.0.0.1", 99, 1)
		status, answer := w.json(http.MethodPost, "/oauth/register", "application/json",
			`{"redirect_uris":["https://robot.example.com/cb"]}`)
		if status != http.StatusTooManyRequests || answer["error"] != "temporarily_unavailable" {
			t.Errorf("one more of an address: %d %v", status, answer)
		}
		w.control(func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\ndelete from oauth_client where used_at is null", nil)
			return err
		})
		fill("198.51.100.7", 5000, 2)
		w.register("https://robot.example.com/cb")
		if n, oldest := count("used_at is null"), count("id = '198.51.100.7-0'"); n != 5000 || oldest != 0 {
			t.Errorf("%d unused registrations, the oldest among them %d times", n, oldest)
		}
		w.control(func(tx *db.Tx) error {
			if _, err := tx.Exec(
				"-- test\nupdate oauth_client set created_at = created_at - 86400000000 where used_at is null",
				nil); err != nil {
				return err
			}
			return oauth.Sweep(tx)
		})
		if n, kept := count("used_at is null"), count("used_at is not null and peer = ''"); n != 0 || kept != 1 {
			t.Errorf("after the sweep %d unused and %d used programs", n, kept)
		}
	})
}

// RFC 6749, section 3.2: a parameter without a value counts as left out; an empty secret is none. One that stands twice
// is refused.
func TestEmptyParameters(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb"), w.browser()
	code := b.consent(p.authorization() + "&request=&request_uri=&response_mode=").answer().Get("code")
	form := "grant_type=authorization_code&code=" + code + "&code_verifier=" + p.verifier +
		"&scope=&resource=&redirect_uri="
	twice := form + "&client_id=" + p.id + "&client_id=" + p.id
	if status, answer := w.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded",
		twice); answer["error"] != "invalid_request" {
		t.Errorf("twice: %d %v", status, answer)
	}
	status, first := w.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded",
		form+"&client_secret=&client_assertion=&client_id="+p.id)
	if status != http.StatusOK {
		t.Fatalf("in the body: %d %v", status, first)
	}
	basic := func(id, secret string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
	}
	renew := "grant_type=refresh_token&refresh_token=" + first["refresh_token"].(string)
	for _, wrong := range []string{basic(p.id, "secret"), basic("", ""), basic("other", "")} {
		if status, answer := w.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded",
			renew+"&client_id="+p.id, wrong); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %v", wrong, status, answer)
		}
	}
	if status, answer := w.json(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", renew,
		basic(p.id, "")); status != http.StatusOK {
		t.Errorf("in the header: %d %v", status, answer)
	}
}

// Sections 4.7 and 4.16: consent cannot be given from another site, in a frame, for another request, in another
// session, or twice.
func TestConsentIsGivenOnThePage(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b, other := w.register("https://robot.example.com/cb"), w.browser(), w.browser()
		shown := b.get(p.authorization())
		policy := shown.header.Get("Content-Security-Policy")
		if shown.header.Get("X-Frame-Options") != "DENY" || !strings.Contains(policy, "frame-ancestors 'none'") ||
			strings.Contains(policy, "form-action") || strings.Contains(policy, "unsafe") {
			t.Errorf("headers %v", shown.header)
		}
		form := b.form(shown)
		at := w.url + "/oauth/authorize"
		with := func(changes ...string) url.Values {
			changed := url.Values{}
			for k, v := range form {
				changed[k] = append([]string(nil), v...)
			}
			change(changed, changes)
			return changed
		}
		wider := strings.TrimPrefix(p.authorization("state=other"), w.url+"/oauth/authorize?")
		for what, page := range map[string]page{
			"from another site":      b.post(at, form, "Sec-Fetch-Site: cross-site"),
			"from a sister site":     b.post(at, form, "Sec-Fetch-Site: same-site"),
			"from another origin":    b.post(at, form, "Sec-Fetch-Site: ", "Origin: https://thief.example.com"),
			"without a ticket":       b.post(at, with("ticket=")),
			"for another request":    b.post(at, with("request="+wider)),
			"in another session":     other.post(at, form),
			"with a made-up ticket":  b.post(at, with("ticket="+strings.Repeat("x", 43))),
			"for a foreign company":  b.post(at, with("company=00000000-0000-7000-8000-000000000009")),
			"without being asked at": b.post(at, url.Values{}),
		} {
			if page.to() != "" || page.status < 400 {
				t.Errorf("%s: %d, sent to %q", what, page.status, page.to())
			}
		}
		if got := b.post(at, form).answer().Get("code"); got == "" {
			t.Error("the person themselves may not")
		}
		if page := b.post(at, form); page.to() != "" {
			t.Errorf("twice: sent to %q", page.to())
		}
		other.token = ""
		if page := other.post(at, form); !strings.HasPrefix(page.to(), "/sign-in?") {
			t.Errorf("signed out: %d %q", page.status, page.to())
		}
	})
}

// Section 4.14: a refresh token that comes a second time ends the connection for everybody.
func TestRefreshReplay(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, thief, b := w.register("https://robot.example.com/cb"), w.register("https://thief.example.com/cb"),
			w.browser()
		_, refresh := p.connect(b)
		for what, change := range map[string]string{"another program": "client_id=" + thief.id,
			"an access token": "refresh_token=kat_" + strings.Repeat("x", 43)} {
			status, answer := p.refresh(refresh, change)
			p.refused(what, "invalid_grant", status, answer)
		}
		status, answer := p.refresh(refresh, "scope=preview:read other")
		p.refused("more scope", "invalid_scope", status, answer)
		status, answer = p.refresh(refresh, "resource=https://elsewhere.example/preview")
		p.refused("another resource", "invalid_target", status, answer)

		status, second := p.refresh(refresh, "scope=preview:read")
		if status != http.StatusOK || second["scope"] != "preview:read" {
			t.Fatalf("refresh: %d %v", status, second)
		}
		less := second["access_token"].(string)
		w.works(less, true, "after the refresh")
		if status, answer := w.call(less, http.MethodPost, "/preview/brands",
			`{"code":"B","name":"B"}`); status != http.StatusForbidden || answer["code"] != "Scope.Missing" {
			t.Errorf("with less scope: %d %v", status, answer)
		}
		status, third := p.refresh(second["refresh_token"].(string))
		if status != http.StatusOK || third["scope"] != "preview:read preview:write" {
			t.Fatalf("second refresh: %d %v", status, third)
		}
		status, answer = p.refresh(refresh)
		p.refused("the first once more", "invalid_grant", status, answer)
		w.works(third["access_token"].(string), false, "after the replay")
		status, answer = p.refresh(third["refresh_token"].(string))
		p.refused("the newest after the replay", "invalid_grant", status, answer)
	})
}

// What a clock gave out that was a year ahead, and is put back, does not live for a year more than it says.
func TestTokensOfAClockThatWasAhead(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		for ahead, works := range map[string]bool{"1800000000": true, "31536000000000": false} {
			code := p.code(b)
			status, given := p.exchange(code)
			if status != http.StatusOK {
				t.Fatalf("%d %v", status, given)
			}
			w.control(func(tx *db.Tx) error {
				_, err := tx.Exec("-- test\nupdate oauth_token set expires_at = expires_at + "+ahead, nil)
				return err
			})
			w.works(given["access_token"].(string), works, "ahead by "+ahead)
			if status, answer := p.refresh(given["refresh_token"].(string)); (status == http.StatusOK) != works {
				t.Errorf("refreshed, ahead by %s: %d %v", ahead, status, answer)
			}
		}
	})
}

// A refresh token that comes many times at once is exchanged once, and the others end the connection.
func TestRefreshRace(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		_, refresh := p.connect(b)
		var mu sync.Mutex
		var all sync.WaitGroup
		var won []string
		for range 6 {
			all.Go(func() {
				if status, answer := p.refresh(refresh); status == http.StatusOK {
					mu.Lock()
					won = append(won, answer["access_token"].(string))
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if len(won) != 1 {
			t.Fatalf("%d of 6 refreshed with one token", len(won))
		}
		w.works(won[0], false, "after the others came")
	})
}

// RFC 8707: a token that was given for another address than this API's does not work here.
func TestTokenOfAnotherResource(t *testing.T) {
	w := newWorld(t, "sqlite")
	p, b := w.register("https://robot.example.com/cb"), w.browser()
	access, refresh := p.connect(b)
	w.works(access, true, "at its resource")
	w.control(func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\nupdate oauth_grant set resource = 'https://elsewhere.example/preview'", nil)
		return err
	})
	w.kontor.Gate().Forget()
	w.works(access, false, "given for another resource")
	w.works(refresh, false, "a refresh token for an access token")
	w.works(b.token, false, "a session for an access token")
	for _, token := range []string{"", "x", "kat_", "kat_" + strings.Repeat("x", 43)} {
		w.works(token+"        ", false, "made up")
	}
	status, answer := w.json(http.MethodGet, "/preview/items", "", "", "Authorization: Basic x")
	if status != http.StatusUnauthorized {
		t.Errorf("another scheme: %d %v", status, answer)
	}
}
