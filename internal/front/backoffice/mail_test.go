package backoffice_test

import (
	"context"
	"encoding/base64"
	"image/png"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/mail/mailtest"
)

// openedWithMail is an office whose letters arrive somewhere.
func openedWithMail(t *testing.T, engine string) (*office, *mailtest.Office) {
	t.Helper()
	post := mailtest.Open(t)
	o := openedWith(t, engine, app.Serving{SMTPURL: post.URL})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { o.kontor.Work().Run(ctx); close(ended) }()
	t.Cleanup(func() { stop(); <-ended })
	return o, post
}

// linkTo waits for the next letter, which must be to somebody, and is where the link in it leads.
func linkTo(t *testing.T, post *mailtest.Office, to string) string {
	t.Helper()
	l := post.Next(t)
	found := regexp.MustCompile(`https?://[^\s/]+(/\w+\?token=\S+)`).FindStringSubmatch(l.Text)
	if !slices.Equal(l.To, []string{to}) || found == nil {
		t.Fatalf("a letter to %s, not one to %s with a link:\n%s", l.To, to, l.Text)
	}
	return found[1]
}

// Somebody is invited by letter, comes in with a password of their own, and sees no more than the role reaches; who is
// known already needs no new password; a link is good once.
func TestSomebodyIsInvited(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	anna := o.signedIn("anna@acme.test", identity.Admin)
	anna.get("/new/users")
	anna.submit("/new/users", "email", "vera@acme.test", "name", "Vera", "role", "viewer", "language", "en")
	anna.see("An invitation is on its way to vera@acme.test.", "Invited")
	link := linkTo(t, post, "vera@acme.test")
	b := o.browser()
	b.get(link)
	b.see("You are invited to work in Acme AB.", "vera@acme.test", "Viewer")
	if told, kept := b.header.Get("Referrer-Policy"), b.header.Get("Cache-Control"); told != "same-origin" ||
		kept != "no-store" {
		t.Errorf("the address with its secret is told to others, or kept: %q, %q", told, kept)
	}
	b.submit("/invitation", "password", "short")
	b.see("Welcome")
	if b.value("name") != "Vera" || b.find(byName("password")) == nil ||
		attr(b.find(byName("password")), "aria-invalid") != "true" {
		t.Errorf("a short password is not refused at its field: %s", b.words())
	}
	b.submit("/invitation", "name", "Vera", "password", "ten letters and more")
	if b.at != "/" {
		t.Fatalf("not let in: %s %s", b.at, b.words())
	}
	b.get("/customers")
	b.miss("New customer")
	stranger := o.browser()
	stranger.get(link)
	stranger.see("This link is not valid any more")

	other := o.newCompany("other", "Other AB")
	if err := o.join("anna@acme.test", identity.Admin, other); err != nil {
		t.Fatal(err)
	}
	anna.get("/")
	anna.submit("/switch", "company", other.ID)
	anna.get("/new/users")
	anna.submit("/new/users", "email", "vera@acme.test", "role", "sales", "language", "en")
	b.get(linkTo(t, post, "vera@acme.test"))
	b.see("You are invited to work in Other AB.", "You sign in with the password you have.")
	b.submit("/invitation")
	b.get("/")
	b.submit("/switch", "company", other.ID)
	b.get("/customers")
	if !strings.Contains(b.text, "New customer") {
		t.Error("the role of the other company does not hold there")
	}
}

// A forgotten password is replaced over a letter; every session there was ends, and nobody learns who has an account.
func TestAPasswordIsForgotten(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	anna := o.signedIn("anna@acme.test", identity.Admin)
	b := o.browser()
	b.get("/forgot")
	b.submit("/forgot", "email", "nobody@acme.test")
	b.see("Look into your mail", "nobody@acme.test")
	b.get("/forgot")
	b.submit("/forgot", "email", "anna@acme.test")
	b.see("Look into your mail", "anna@acme.test")
	link := linkTo(t, post, "anna@acme.test") // the first letter there is: nobody got none
	b.get(link)
	b.submit("/reset", "password", "short")
	if n := b.find(byName("password")); n == nil || attr(n, "aria-invalid") != "true" {
		t.Errorf("a short password is not refused at its field: %s", b.words())
	}
	b.submit("/reset", "password", "a new password of hers")
	b.see("The new password is saved. Sign in with it.")
	if b.value("email") != "anna@acme.test" {
		t.Error("the sign-in does not know whose password that was")
	}
	if anna.get("/orders"); anna.at != "/sign-in?next=%2Forders" {
		t.Errorf("a session from before goes on: %s", anna.at)
	}
	b.submit("/sign-in", "password", password)
	if b.find(byName("password")) == nil {
		t.Error("the old password still lets in")
	}
	b.submit("/sign-in", "email", "anna@acme.test", "password", "a new password of hers")
	b.see("Overview")
	b.get(link)
	b.see("This link is not valid any more")
}

// A second factor is set up, asked for, replaced once by a recovery code, and switched off with the password.
func TestASecondFactor(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna := o.signedIn("anna@acme.test", identity.Admin)
		anna.get("/account/second-factor")
		anna.submit("/account/second-factor", "proof", "not it, surely")
		anna.see("First show that it is you.")
		anna.submit("/account/second-factor", "proof", password)
		secret := anna.secret()
		picture, _ := strings.CutPrefix(attr(anna.find(byClass("code")), "src"), "data:image/png;base64,")
		if _, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(picture))); err != nil {
			t.Errorf("the picture to be scanned is none: %v", err)
		}
		anna.submit("/account/second-factor", "code", "000000")
		if again := anna.secret(); again != secret || attr(anna.find(byName("code")), "id") == "" {
			t.Error("a wrong code changes the secret that was scanned")
		}
		code, err := totp.GenerateCode(secret, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		anna.submit("/account/second-factor", "code", code)
		anna.see("Keep these recovery codes")
		recovery := strings.Fields(anna.secret())
		anna.get("/account/recovery")
		anna.submit("/account/recovery", "proof", "not it, surely")
		anna.see("Make new recovery codes")
		anna.submit("/account/recovery", "proof", password)
		if fresh := strings.Fields(anna.secret()); len(fresh) != 10 || fresh[3] == recovery[3] {
			t.Fatalf("new recovery codes %q after %q", fresh, recovery)
		} else {
			recovery = fresh
		}
		if len(recovery) != 10 {
			t.Fatalf("%d recovery codes", len(recovery))
		}
		b := o.browser()
		const next = "/orders?status=Placed"
		b.get("/sign-in?" + url.Values{"next": {next}}.Encode())
		b.submit("/sign-in", "email", "anna@acme.test", "password", password)
		b.see("One more step")
		if b.get("/orders"); !strings.HasPrefix(b.at, "/sign-in") {
			t.Fatal("the password alone lets in")
		}
		b.get("/sign-in?" + url.Values{"next": {next}}.Encode())
		b.submit("/sign-in", "email", "anna@acme.test", "password", password)
		b.submit("/sign-in/code", "code", code)
		b.see("One more step") // a code is good once: the first one confirmed the set-up
		b.submit("/sign-in/code", "code", recovery[3])
		if b.at != next {
			t.Fatalf("a recovery code does not let in: %s %s", b.at, b.words())
		}
		b.get("/account")
		b.see("On", "9")
		b.get("/account/second-factor/off")
		b.submit("/account/second-factor/off", "proof", "not it, surely")
		b.see("Switch the second factor off")
		b.submit("/account/second-factor/off", "proof", password)
		b.see("Off")
		again := o.browser()
		again.signIn("anna@acme.test")
	})
}

// secret is what a page shows once.
func (b *browser) secret() string {
	b.t.Helper()
	n := b.find(byClass("secret"))
	if n == nil {
		b.t.Fatalf("%s (%d) shows no secret:\n%s", b.at, b.status, b.words())
	}
	return inner(n)
}
