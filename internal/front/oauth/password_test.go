package oauth_test

import (
	"context"
	"testing"

	"kontor/internal/business/identity"
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
