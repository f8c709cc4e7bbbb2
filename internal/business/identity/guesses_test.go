package identity_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// Who fails under Anna's name locks themselves out, and neither Anna at home nor anybody else.
func TestLockOutHitsWhoFails(t *testing.T) {
	eachDoor(t, func(d *door) {
		device := d.enter(home()).Device
		thief := identity.Attempt{Address: "198.51.100.1"}
		guess := func(k identity.Attempt, email string) error {
			_, err := d.SignIn(d.Context(), k, email, "a guess of ten")
			return err
		}
		for i := range 10 {
			if err := guess(thief, "anna@example.com"); !fault.Is(err, identity.ErrSignInFailed) {
				d.Fatalf("guess %d: %v", i, err)
			}
		}
		err := guess(thief, "anna@example.com")
		if f := fault.As(err); f.Code != "Auth.TooManyAttempts" || f.RetryAfterSeconds < 800 ||
			f.RetryAfterSeconds > 901 {
			d.Errorf("the eleventh guess: %v", err)
		}
		if _, err := d.SignIn(d.Context(), thief, "anna@example.com", password); !fault.Is(err,
			identity.ErrTooManyAttempts) {
			d.Errorf("the right guess after too many: %v", err)
		}
		if err := guess(thief, "bea@example.com"); !fault.Is(err, identity.ErrSignInFailed) {
			d.Errorf("another name: %v", err)
		}

		d.enter(home()) // from another address
		d.enter(identity.Attempt{Address: thief.Address, Device: device})

		// Nobody learns from it whether a name exists.
		for i := range 10 {
			if err := guess(identity.Attempt{Address: "198.51.100.2"}, "nobody@example.com"); !fault.Is(err,
				identity.ErrSignInFailed) {
				d.Fatalf("guess %d at nobody: %v", i, err)
			}
		}
		if err := guess(identity.Attempt{Address: "198.51.100.2"}, "nobody@example.com"); !fault.Is(err,
			identity.ErrTooManyAttempts) {
			d.Errorf("too many guesses at nobody: %v", err)
		}
		// A stolen device cookie buys no more guesses than another address.
		for range 20 {
			_ = guess(identity.Attempt{Address: "198.51.100.3", Device: device}, "anna@example.com")
		}
		if err := guess(identity.Attempt{Address: "198.51.100.4", Device: device}, "anna@example.com"); !fault.Is(err,
			identity.ErrTooManyAttempts) {
			d.Errorf("too many guesses by a known browser: %v", err)
		}
		d.control(func(tx *db.Tx) error { // a quarter of an hour later
			_, err := tx.Exec("-- test\nupdate attempt set ends_at = ends_at - 900000001", nil)
			return err
		})
		guard := throttle.New(d.store.Control, d.store.Now) // that remembers no refusal
		d.Entrance = identity.NewEntrance(d.store.Control, guard, identity.NewHasher(), nil)
		d.enter(thief)
	})
}

// Every spelling that finds a person counts as the same guess: a Turkish capital I is written small as that of others.
func TestSpellingsOfAnAddressAreOneGuess(t *testing.T) {
	d := newDoor(t, dbtest.Store(t, "sqlite"))
	thief := identity.Attempt{Address: "198.51.100.1"}
	spellings := []string{"iris@example.com", "IRIS@example.com", " \u0130ris@example.com", "ir\u0130s@example.com"}
	guess := func(i int) error {
		_, err := d.SignIn(t.Context(), thief, spellings[i%len(spellings)], "a guess of ten")
		return err
	}
	for i := range 10 {
		if err := guess(i); !fault.Is(err, identity.ErrSignInFailed) {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	for i := range spellings {
		if err := guess(i); !fault.Is(err, identity.ErrTooManyAttempts) {
			t.Errorf("%s after ten guesses: %v", spellings[i], err)
		}
	}
	for i := range 6 {
		err := d.AskReset(t.Context(), thief, spellings[i%len(spellings)])
		if refused := fault.Is(err, identity.ErrTooManyAttempts); refused != (i == 5) {
			t.Errorf("letter %d: %v", i, err)
		}
	}
}

// One address tries many names: the address is refused, also where it changes within its network.
func TestManyNamesFromOneAddress(t *testing.T) {
	d := newDoor(t, dbtest.Store(t, "sqlite"))
	for i := range 100 {
		k := identity.Attempt{Address: fmt.Sprintf("2001:db8:1:2:%x::1", i)}
		if _, err := d.SignIn(t.Context(), k, fmt.Sprintf("somebody%d@example.com", i), password); !fault.Is(err,
			identity.ErrSignInFailed) {
			t.Fatalf("name %d: %v", i, err)
		}
	}
	_, err := d.SignIn(t.Context(), identity.Attempt{Address: "2001:db8:1:2:3::4"}, "anna@example.com", password)
	if !fault.Is(err, identity.ErrTooManyAttempts) {
		t.Errorf("the same network: %v", err)
	}
	d.enter(identity.Attempt{Address: "2001:db8:1:3::4"})
}
