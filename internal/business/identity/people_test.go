package identity_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

const password = "correct horse battery"

// door is a house with an entrance, and Anna, who administers the company.
type door struct {
	*fixture
	*testing.T
	*identity.Entrance
	anna    identity.User
	letters []identity.Letter
}

func eachDoor(t *testing.T, fn func(d *door)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, s *db.Store) { fn(newDoor(t, s)) })
}

func newDoor(t *testing.T, s *db.Store) *door {
	d := &door{fixture: newFixture(t, s), T: t}
	gate := d.gate
	db.On(s, func(tx *db.Tx, _ identity.Turned) error { tx.Done(gate.Forget); return nil })
	hasher := identity.NewHasher()
	guard := throttle.New(s.Control, s.Now)
	d.Entrance = identity.NewEntrance(s.Control, guard, hasher, func(_ context.Context, l identity.Letter) error {
		d.letters = append(d.letters, l)
		return nil
	})
	hash, err := hasher.Hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	control(t, s, func(tx *db.Tx) (err error) {
		d.anna, err = identity.CreateUser(tx, identity.NewUser{Email: "Anna@Example.com", Name: "Anna",
			PasswordHash: hash, CompanyID: d.company.ID, Role: identity.Admin})
		return err
	})
	return d
}

func home() identity.Attempt { return identity.Attempt{Address: "192.0.2.7", Agent: "Browser"} }

func (d *door) enter(k identity.Attempt) identity.Admitted {
	d.Helper()
	a, err := d.SignIn(d.Context(), k, "anna@example.COM", password)
	if err != nil {
		d.Fatal(err)
	}
	return a
}

func (d *door) session(token string) identity.Session {
	d.Helper()
	s, err := d.gate.Session(d.Context(), token)
	if err != nil {
		d.Fatal(err)
	}
	return s
}

func (d *door) ended(token, when string) {
	d.Helper()
	if _, err := d.gate.Session(d.Context(), token); !fault.Is(err, identity.ErrInvalidCredential) {
		d.Errorf("%s: the session answers %v", when, err)
	}
}

func (d *door) control(fn func(tx *db.Tx) error) {
	d.Helper()
	control(d.T, d.store, fn)
}

func (d *door) last() identity.Letter {
	d.Helper()
	if len(d.letters) == 0 {
		d.Fatal("no letter was sent")
	}
	return d.letters[len(d.letters)-1]
}

func TestSignIn(t *testing.T) {
	eachDoor(t, func(d *door) {
		a := d.enter(home())
		s := d.session(a.Token)
		if s.UserID != d.anna.ID || s.Email != "Anna@Example.com" || s.CompanyID != d.company.ID ||
			s.Role != identity.Admin || !s.Permits("users:write") || s.Address != "192.0.2.7" || s.Agent != "Browser" ||
			s.Actor() != (db.Actor{Kind: "user", ID: d.anna.ID, Name: "Anna"}) {
			d.Errorf("session %+v", s)
		}
		for what, c := range map[string][2]string{"wrong password": {"anna@example.com", "another password"},
			"no password": {"anna@example.com", ""}, "nobody": {"nobody@example.com", password}, "nothing": {"", ""}} {
			if _, err := d.SignIn(d.Context(), home(), c[0], c[1]); !fault.Is(err, identity.ErrSignInFailed) {
				d.Errorf("%s: %v", what, err)
			}
		}
		for _, token := range []string{strings.Repeat("x", 43), "x"} {
			d.ended(token, "made up")
		}
		if _, err := d.gate.Session(d.Context(), ""); !fault.Is(err, identity.ErrMissingCredential) {
			d.Errorf("none: %v", err)
		}
		other := d.enter(home())
		d.control(func(tx *db.Tx) error {
			all, err := identity.Sessions(tx, d.anna.ID)
			if len(all) != 2 || all[0].ID != d.session(other.Token).ID {
				d.Errorf("sessions %+v", all)
			}
			return err
		})
		err := refused(d.store, func(tx *db.Tx) error { return identity.EndSession(tx, "somebody else", s.ID) })
		if !fault.Is(err, identity.ErrSessionNotFound) {
			d.Errorf("somebody else ends it: %v", err)
		}
		d.control(func(tx *db.Tx) error { return identity.EndSession(tx, d.anna.ID, s.ID) })
		d.ended(a.Token, "ended")
		d.session(other.Token)
	})
}

func TestSessionsExpire(t *testing.T) {
	eachDoor(t, func(d *door) {
		for what, change := range map[string]string{"its time": "expires_at = :now",
			"a clock that was ahead":  "expires_at = :now + 1296000000000",
			"one that it was seen by": "seen_at = :now + 46800000000",
			"idleness":                "seen_at = :now - 43200000001"} {
			a := d.enter(home())
			d.control(func(tx *db.Tx) error {
				_, err := tx.Exec("-- test\nupdate user_session set "+change+" where user_id = :user",
					db.Args{"user": d.anna.ID})
				return err
			})
			d.ended(a.Token, what)
		}
		d.control(identity.Sweep)
		d.control(func(tx *db.Tx) error {
			var n int64
			_, err := tx.One("-- test\nselect count(*) from user_session", nil, &n)
			if n != 0 {
				d.Errorf("%d sessions are left after the sweep", n)
			}
			return err
		})
	})
}

func TestSecondFactor(t *testing.T) {
	eachDoor(t, func(d *door) {
		now := func(secret string) string {
			code, err := totp.GenerateCode(secret, time.Now())
			if err != nil {
				d.Fatal(err)
			}
			return code
		}
		s := d.session(d.enter(home()).Token)
		if _, _, err := d.OfferTOTP(d.Context(), home(), s, "wrong password"); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("offered for a wrong password: %v", err)
		}
		if _, _, err := d.OfferTOTP(d.Context(), home(), s, "000000"); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("offered for a code of no authenticator: %v", err)
		}
		seen, void, err := d.OfferTOTP(d.Context(), home(), s, password)
		if err != nil {
			d.Fatal(err)
		}
		e, offer, err := d.OfferTOTP(d.Context(), home(), s, password)
		if err != nil || e.Secret == seen.Secret || !strings.Contains(e.URL, "secret="+e.Secret) {
			d.Errorf("a secret that was shown before is offered again: %+v %v", e, err)
		}
		if a := d.enter(home()); a.Token == "" {
			d.Fatal("a second factor that is not confirmed is asked for")
		}
		code := now(e.Secret)
		elsewhere := d.session(d.enter(home()).Token)
		for what, try := range map[string]func() error{
			"a ticket that was replaced": func() error {
				_, _, err := d.ConfirmTOTP(d.Context(), home(), s, void, code)
				return err
			},
			"no ticket": func() error {
				_, _, err := d.ConfirmTOTP(d.Context(), home(), s, "", code)
				return err
			},
		} {
			if err := try(); !fault.Is(err, identity.ErrTicketInvalid) {
				d.Errorf("%s: %v", what, err)
			}
		}
		if _, again, err := d.ConfirmTOTP(d.Context(), home(), s, offer,
			"000000x"); fault.As(err).Code != "Auth.WrongCode" || again != e {
			d.Errorf("a wrong code: %v, then offered %+v", err, again)
		}
		recovery, _, err := d.ConfirmTOTP(d.Context(), home(), s, offer, code)
		if err != nil || len(recovery) != 10 {
			d.Fatalf("recovery codes %q, %v", recovery, err)
		}
		if _, _, err := d.ConfirmTOTP(d.Context(), home(), s, offer, code); !fault.Is(err, identity.ErrTicketInvalid) {
			d.Errorf("confirmed twice: %v", err)
		}
		if _, err := d.RenewRecovery(d.Context(), home(), elsewhere, "wrong password"); !fault.Is(err,
			identity.ErrUserInvalid) {
			d.Errorf("new recovery codes for a wrong password: %v", err)
		}
		if _, err := d.RenewRecovery(d.Context(), home(), elsewhere, code); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("new recovery codes for a code that was used: %v", err)
		}
		if recovery, err = d.RenewRecovery(d.Context(), home(), elsewhere, password); err != nil ||
			len(recovery) != 10 {
			d.Fatalf("new recovery codes %q, %v", recovery, err)
		}
		a := d.enter(home())
		if a.Token != "" || a.Ticket == "" {
			d.Fatalf("let in without the second factor: %+v", a)
		}
		second := func(ticket, code string) (identity.Admitted, error) {
			return d.SecondFactor(d.Context(), home(), ticket, code)
		}
		if _, err := second(a.Ticket, code); !fault.Is(err, identity.ErrWrongCode) {
			d.Errorf("the code that was used to confirm, once more: %v", err)
		}
		in, err := second(a.Ticket, strings.ToUpper(recovery[3]))
		if err != nil || !d.session(in.Token).SecondFactor {
			d.Fatalf("a recovery code: %v", err)
		}
		if _, err := second(a.Ticket, recovery[4]); !fault.Is(err, identity.ErrTicketInvalid) {
			d.Errorf("a ticket twice: %v", err)
		}
		a = d.enter(home())
		if _, err := second(a.Ticket, recovery[3]); !fault.Is(err, identity.ErrWrongCode) {
			d.Errorf("a recovery code twice: %v", err)
		}
		for range 4 {
			if _, err := second(a.Ticket, "000000"); !fault.Is(err, identity.ErrWrongCode) {
				d.Errorf("a guess: %v", err)
			}
		}
		if _, err := second(a.Ticket, recovery[5]); !fault.Is(err, identity.ErrTicketInvalid) {
			d.Errorf("after five tries: %v", err)
		}
		d.control(func(tx *db.Tx) error { // half a minute later: the code was not used yet
			_, err := tx.Exec("-- test\nupdate app_user set totp_step = totp_step - 2", nil)
			return err
		})
		a = d.enter(home())
		if in, err = second(a.Ticket, now(e.Secret)); err != nil {
			d.Fatalf("the present code: %v", err)
		}
		s = d.session(in.Token)
		d.control(func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate app_user set totp_step = totp_step - 2", nil)
			return err
		})
		if renewed, err := d.RenewRecovery(d.Context(), home(), s, now(e.Secret)); err != nil || len(renewed) != 10 {
			d.Errorf("new recovery codes for the present code: %q, %v", renewed, err)
		}
		if err := d.DisableTOTP(d.Context(), home(), s, "wrong password"); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("disabled with a wrong password: %v", err)
		}
		if err := d.DisableTOTP(d.Context(), home(), s, password); err != nil {
			d.Fatal(err)
		}
		if a := d.enter(home()); a.Token == "" {
			d.Error("the second factor is still asked for")
		}
	})
}

func TestPasswordEndsSessions(t *testing.T) {
	eachDoor(t, func(d *door) {
		one, two := d.enter(home()), d.enter(home())
		s := d.session(one.Token)
		if _, err := d.ChangePassword(d.Context(), home(), s, "wrong password", "another long one",
			false); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("with a wrong one: %v", err)
		}
		if _, err := d.ChangePassword(d.Context(), home(), s, password, "short", false); !fault.Is(err,
			identity.ErrUserInvalid) {
			d.Errorf("to a short one: %v", err)
		}
		three, err := d.ChangePassword(d.Context(), home(), s, password, "another long one", false)
		if err != nil {
			d.Fatal(err)
		}
		d.ended(one.Token, "the one that changed it")
		d.ended(two.Token, "another one")
		if d.session(three.Token).CompanyID != d.company.ID {
			d.Error("the new session is in another company")
		}
		if _, err := d.SignIn(d.Context(), home(), "anna@example.com", password); !fault.Is(err,
			identity.ErrSignInFailed) {
			d.Errorf("the old password: %v", err)
		}
	})
}

func TestReset(t *testing.T) {
	eachDoor(t, func(d *door) {
		before := d.enter(home())
		for _, email := range []string{"nobody@example.com", "not an address", "anna@example.com", "anna@example.com"} {
			if err := d.AskReset(d.Context(), home(), email); err != nil {
				d.Fatal(err)
			}
		}
		if len(d.letters) != 1 {
			d.Fatalf("%d letters were sent, want one: the second within a minute is left out", len(d.letters))
		}
		l := d.last()
		if l.Purpose != "reset" || l.Email != "Anna@Example.com" || l.CompanyID != d.company.ID || l.Token == "" {
			d.Errorf("letter %+v", l)
		}
		if email, err := d.OpenReset(d.Context(), home(), l.Token); err != nil || email != "Anna@Example.com" {
			d.Errorf("opened for %q, %v", email, err)
		}
		if err := d.Reset(d.Context(), home(), l.Token, "short"); !fault.Is(err, identity.ErrUserInvalid) {
			d.Errorf("to a short one: %v", err)
		}
		if err := d.Reset(d.Context(), home(), l.Token, "another long one"); err != nil {
			d.Fatal(err)
		}
		d.ended(before.Token, "after the reset")
		for what, token := range map[string]string{"twice": l.Token, "made up": "x"} {
			if err := d.Reset(d.Context(), home(), token, "another long one"); !fault.Is(err,
				identity.ErrTicketInvalid) {
				d.Errorf("%s: %v", what, err)
			}
		}
		if _, err := d.SignIn(d.Context(), home(), "anna@example.com", "another long one"); err != nil {
			d.Error(err)
		}
		err := error(nil)
		for range 6 {
			err = d.AskReset(d.Context(), identity.Attempt{Address: "198.51.100.9"}, "nobody@example.com")
		}
		if !fault.Is(err, identity.ErrTooManyAttempts) {
			d.Errorf("asked without end: %v", err)
		}
	})
}

func TestInvitations(t *testing.T) {
	eachDoor(t, func(d *door) {
		by := db.Request{Actor: d.anna.Actor()}
		invite := func(email string, role identity.Role) (identity.Invitation, error) {
			return d.Invite(d.Context(), by, identity.Invited{CompanyID: d.company.ID, Email: email, Name: "Bea",
				Role: role})
		}
		_, err := invite("no address", "boss")
		if f := fault.As(err); len(f.Fields) != 2 {
			d.Errorf("everything wrong: %v", err)
		}
		if _, err := invite("anna@example.com", identity.Sales); !fault.Is(err, identity.ErrUserExists) {
			d.Errorf("a member: %v", err)
		}
		if _, err := invite("bea@example.com", identity.Sales); err != nil {
			d.Fatal(err)
		}
		first := d.last()
		if _, err := invite("Bea@example.com", identity.Warehouse); err != nil || first.By != "Anna" {
			d.Fatalf("%+v, %v", first, err)
		}
		if _, err := d.Accept(d.Context(), home(), first.Token, "", password); !fault.Is(err,
			identity.ErrTicketInvalid) {
			d.Errorf("the first of two letters: %v", err)
		}
		i, err := d.OpenInvitation(d.Context(), home(), d.last().Token)
		if err != nil || i.Known || i.Role != identity.Warehouse || i.CompanyName != "Acme AB" {
			d.Errorf("invitation %+v, %v", i, err)
		}
		if _, err := d.Accept(d.Context(), home(), d.last().Token, "Bea", "short"); !fault.Is(err,
			identity.ErrUserInvalid) {
			d.Errorf("a short password: %v", err)
		}
		a, err := d.Accept(d.Context(), home(), d.last().Token, "Bea B", password)
		if err != nil {
			d.Fatal(err)
		}
		bea := d.session(a.Token)
		if bea.Name != "Bea B" || bea.Role != identity.Warehouse || bea.Permits("invoices:write") ||
			!bea.Permits("shipments:write") {
			d.Errorf("session %+v", bea)
		}
		if _, err := d.Accept(d.Context(), home(), d.last().Token, "Bea", password); !fault.Is(err,
			identity.ErrTicketInvalid) {
			d.Errorf("twice: %v", err)
		}

		// Somebody who is known from another company signs in as ever.
		second := identity.Company{Code: "beta", Name: "Beta", Country: "SE", Currency: "SEK",
			Environment: identity.Test}
		d.control(func(tx *db.Tx) (err error) {
			if second, err = identity.Register(tx, second); err == nil {
				err = identity.Activate(tx, second.ID)
			}
			return err
		})
		i, err = d.Invite(d.Context(), by, identity.Invited{CompanyID: second.ID, Email: "bea@example.com",
			Role: identity.Viewer})
		if err != nil || i.Email != "bea@example.com" {
			d.Fatal(err)
		}
		if a, err = d.Accept(d.Context(), home(), d.last().Token, "", ""); err != nil || a.Token != "" {
			d.Fatalf("somebody known: %+v, %v", a, err)
		}
		d.control(func(tx *db.Tx) error {
			places, err := identity.Memberships(tx, bea.UserID)
			if len(places) != 2 || places[1].Role != identity.Viewer {
				d.Errorf("memberships %+v", places)
			}
			if err == nil {
				err = identity.ChooseCompany(tx, bea, "beta")
			}
			return err
		})
		d.control(func(tx *db.Tx) error { return identity.ChangeRole(tx, second.ID, bea.UserID, identity.Finance) })

		w, err := invite("cleo@example.com", identity.Sales)
		if err != nil {
			d.Fatal(err)
		}
		d.control(func(tx *db.Tx) error { return identity.Withdraw(tx, d.company.ID, w.ID) })
		if _, err := d.Accept(d.Context(), home(), d.last().Token, "", password); !fault.Is(err,
			identity.ErrTicketInvalid) {
			d.Errorf("taken back: %v", err)
		}
	})
}

func TestMembers(t *testing.T) {
	eachDoor(t, func(d *door) {
		var bea identity.User
		d.control(func(tx *db.Tx) (err error) {
			bea, err = identity.CreateUser(tx,
				identity.NewUser{Email: "bea@example.com", PasswordHash: d.anna.PasswordHash, CompanyID: d.company.ID,
					Role: identity.Sales})
			return err
		})
		for what, change := range map[string]func(tx *db.Tx) error{
			"another role": func(tx *db.Tx) error {
				return identity.ChangeRole(tx, d.company.ID, d.anna.ID, identity.Viewer)
			},
			"deactivated": func(tx *db.Tx) error { return identity.Deactivate(tx, d.company.ID, d.anna.ID) },
		} {
			if err := refused(d.store, change); !fault.Is(err, identity.ErrLastAdmin) {
				d.Errorf("the last administrator, %s: %v", what, err)
			}
		}
		a, err := d.SignIn(d.Context(), home(), "bea@example.com", password)
		if err != nil {
			d.Fatal(err)
		}
		d.control(func(tx *db.Tx) error { return identity.ChangeRole(tx, d.company.ID, bea.ID, identity.Admin) })
		if s := d.session(a.Token); s.Role != identity.Admin {
			d.Errorf("the role arrives late: %+v", s)
		}
		d.control(func(tx *db.Tx) error { return identity.Deactivate(tx, d.company.ID, d.anna.ID) })
		d.control(func(tx *db.Tx) error { return identity.Deactivate(tx, d.company.ID, d.anna.ID) })
		if s := d.session(d.enter(home()).Token); s.CompanyID != "" || s.Role != "" || s.Permits("items:read") {
			d.Errorf("deactivated: %+v", s)
		}
		d.control(func(tx *db.Tx) error { return identity.Reactivate(tx, d.company.ID, d.anna.ID) })
		d.control(func(tx *db.Tx) error {
			all, err := identity.Members(tx, d.company.ID)
			got := ""
			for _, m := range all {
				got += fmt.Sprint(m.Email, " ", m.Role, " ", m.IsMember, " ", m.SignedInAt != 0, "; ")
			}
			if got != "Anna@Example.com admin true true; bea@example.com admin true true; " {
				d.Errorf("members: %s", got)
			}
			return err
		})
		err = refused(d.store,
			func(tx *db.Tx) error { return identity.ChangeRole(tx, d.company.ID, "nobody", identity.Admin) })
		if !fault.Is(err, identity.ErrUserNotFound) {
			d.Errorf("nobody: %v", err)
		}
	})
}

func TestPermissions(t *testing.T) {
	for _, p := range identity.Permissions() {
		if !identity.Admin.Permits(p.Name) || p.Doc == "" {
			t.Errorf("%+v", p)
		}
		if strings.HasSuffix(p.Name, ":write") && identity.Viewer.Permits(p.Name) {
			t.Errorf("a viewer may %s", p.Name)
		}
	}
	for role, may := range map[identity.Role]string{identity.Sales: "sales-orders:write",
		identity.Warehouse: "shipments:write", identity.Finance: "invoices:write",
		identity.Purchasing: "purchase-orders:write", identity.Support: "tickets:write",
		identity.Viewer: "sales-orders:read"} {
		if !role.Permits(may) || role.Permits("users:write") || role.Permits("api-keys:write") ||
			role.Permits("nonsense:read") {
			t.Errorf("%s may not %s, or may more than that", role, may)
		}
	}
	if identity.Role("").Permits("items:read") || identity.Admin.Permits("nonsense:read") {
		t.Error("no role permits nothing")
	}
}
