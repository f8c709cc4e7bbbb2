package cart_test

import (
	"context"
	"testing"
	"time"

	"kontor/internal/business/cart"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// at does something in a transaction of the visitor at a moment.
func (v *visitor) at(now time.Time, fn func(tx *db.Tx) error) error {
	r := dbtest.Request()
	r.Party, r.Now = storefront.Holder(storefront.Guest{Channel: "WEB"}, v.token), db.TimeOf(now)
	return v.store.Write(context.Background(), r, func(tx *db.Tx) error {
		if err := storefront.Admit(tx, "session"); err != nil {
			return err
		}
		return fn(tx)
	})
}

func look(*db.Tx) error { return nil }

// A session lives for a week, whatever it keeps; one that was ended never comes back, not even when its row is swept,
// and not where it kept nothing.
func TestSessionsEnd(t *testing.T) {
	each(t, func(s *shop) {
		empty, kept, ended, left := s.visit(), s.visit(), s.visit(), s.visit()
		kept.adds("SAW", "1")
		ended.adds("SAW", "1")
		start := time.Now()
		over := func(v *visitor, after time.Duration) bool { s.Helper(); return v.at(start.Add(after), look) != nil }
		for _, v := range []*visitor{empty, kept} {
			if over(v, storefront.Lifetime-time.Minute) || !over(v, storefront.Lifetime+time.Minute) {
				s.Error("a session does not live seven days")
			}
		}
		ended.do(storefront.End)
		left.do(storefront.End)
		for hour := range 200 { // swept every hour, although usually a day later
			r := dbtest.Request()
			r.Now = db.TimeOf(start.Add(time.Duration(hour) * time.Hour))
			if err := s.store.Write(context.Background(), r, func(tx *db.Tx) error {
				_, err := cart.Sweep(tx, tx.Now)
				return err
			}); err != nil {
				s.Fatal(err)
			}
			for _, v := range []*visitor{ended, left} {
				if err := v.at(r.Now.Time(), look); !fault.Is(err, storefront.ErrSessionOver) {
					s.Fatalf("%d hours after it was ended, a session is let in: %v", hour, err)
				}
			}
		}
	})
}

// What others change of a session in the same moment stays: a choice that was under way when it was ended does not
// bring it back, and one that keeps the first thing does not undo a sign-in.
func TestSessionsAreNotOverwritten(t *testing.T) {
	each(t, func(s *shop) {
		if s.store.EngineName() == "sqlite" {
			return // one after another
		}
		v := s.visit()
		v.adds("SAW", "1")
		v.do(func(tx *db.Tx) error {
			v.do(storefront.End)
			yes := true
			return storefront.Choose(tx, storefront.Wishes{IncludesTax: &yes})
		})
		v.refused("Auth.ExpiredCredential", look)
		w := s.visit()
		w.do(func(tx *db.Tx) error {
			w.signsIn()
			yes := true
			return storefront.Choose(tx, storefront.Wishes{IncludesTax: &yes})
		})
		w.do(func(tx *db.Tx) error {
			if !storefront.Of(tx).SignedIn() {
				s.Error("a choice signed the visitor out")
			}
			return nil
		})
	})
}
