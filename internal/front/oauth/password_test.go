package oauth_test

import (
	"context"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/throttle"
)

// Whoever knew a password may have let a program in: one that was forgotten takes all connections with it, one that is
// changed does where the person says so.
func TestPasswordEndsConnections(t *testing.T) {
	eachWorld(t, func(w *world) {
		p, b := w.register("https://robot.example.com/cb"), w.browser()
		var letter identity.Letter
		guard := throttle.New(w.kontor.Store().Control, w.kontor.Store().Now)
		w.entrance = identity.NewEntrance(w.kontor.Store().Control, guard, w.kontor.Hasher,
			func(_ context.Context, l identity.Letter) error {
				letter = l
				return nil
			})
		knock := identity.Attempt{Address: "192.0.2.1"}
		access, _ := p.connect(b)
		change := func(old, password string, programs bool) {
			w.Helper()
			s, err := w.kontor.Gate().Session(w.Context(), b.token)
			if err != nil {
				w.Fatal(err)
			}
			in, err := w.entrance.ChangePassword(w.Context(), knock, s, old, password, programs)
			if err != nil {
				w.Fatal(err)
			}
			b.token = in.Token
		}
		change(password, "another long password", false)
		w.works(access, true, "after a change that says nothing of programs")
		b.company = w.other.ID
		elsewhere, _ := p.connect(b)
		change("another long password", "a third long password", true)
		w.works(access, false, "after a change with all programs")
		w.works(elsewhere, false, "in another company, after a change with all programs")
		access, refresh := p.connect(b)
		if err := w.entrance.AskReset(w.Context(), knock, "anna@example.com"); err != nil {
			w.Fatal(err)
		}
		if err := w.entrance.Reset(w.Context(), knock, letter.Token, "a fourth long password"); err != nil {
			w.Fatal(err)
		}
		w.works(access, false, "after the password was forgotten")
		status, answer := p.refresh(refresh)
		p.refused("refresh after the password was forgotten", "invalid_grant", status, answer)
	})
}

// A connection names the person it acts for, by the address where somebody gave no name.
func TestAConnectionNamesItsPerson(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.register("https://robot.example.com/cb").connect(w.browser())
		w.control(func(tx *db.Tx) error {
			if _, err := tx.Exec("-- test\nupdate app_user set name = ''", nil); err != nil {
				return err
			}
			all, err := identity.Connections(tx, w.acme.ID, "")
			if len(all) != 1 || all[0].UserName != "anna@example.com" {
				t.Errorf("the connections are %+v", all)
			}
			return err
		})
	})
}
