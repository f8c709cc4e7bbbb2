package cart_test

import (
	"sync"
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func TestSigningInAndOut(t *testing.T) {
	each(t, func(s *shop) {
		first := s.visit()
		first.adds("SAW", "1")
		first.signsIn()
		first.adds("CABLE", "2")
		first.wants("login keeps the cart", "SAW 1 PCS 100+25; CABLE 2 PCS 20+5; 150")

		second := s.visit()
		second.adds("CABLE", "1")
		second.signsIn()
		if got := words(second.sees()); got != "SAW 1 PCS 100+25; CABLE 3 PCS 30+7.5; 162.5 (Cart.LinesMovedIn)" {
			s.Errorf("the earlier session's lines came: %s", got)
		}
		first.wants("the source is empty", "0")
		second.wants("told once", "SAW 1 PCS 100+25; CABLE 3 PCS 30+7.5; 162.5")

		stranger := s.visit()
		stranger.adds("SAW", "5")
		third := s.visit()
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			tx.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, second.token)
			return storefront.End(tx)
		})
		third.signsIn()
		third.wants("logout discarded the cart, strangers keep theirs", "0")
		stranger.wants("the stranger's", "SAW 5 PCS 500+125; 625")
		if err := second.try(func(tx *db.Tx) error { return nil }); !fault.Is(err, storefront.ErrSessionOver) {
			s.Error(err)
		}
	})
}

// What two carts together have more of than a line may stays out, as what no line is left for does.
func TestSigningInWithTooMuch(t *testing.T) {
	each(t, func(s *shop) {
		first, second := s.visit(), s.visit()
		first.signsIn()
		for _, v := range []*visitor{first, second} {
			v.adds("CABLE", "60000000")
			v.adds("SAW", "1")
		}
		second.signsIn()
		c := second.sees()
		if len(c.Lines) != 2 || c.Lines[0].Quantity != dec.Int(60_000_000) || c.Lines[1].Quantity != dec.Int(2) ||
			len(c.Messages) != 2 {
			s.Errorf("%s", words(c))
		}
		dbtest.Read(s, s.store, func(tx *db.Tx) error {
			return cart.Verify(tx, func(what string) { s.Error(what) })
		})
	})
}

// Many sessions of one person sign in at once: the goods are in one cart in the end, and none twice.
func TestSigningInTogether(t *testing.T) {
	each(t, func(s *shop) {
		first := s.visit()
		first.signsIn()
		first.adds("SAW", "7")
		visitors := make([]*visitor, 8)
		for i := range visitors {
			visitors[i] = s.visit()
		}
		var wg sync.WaitGroup
		for _, v := range visitors {
			wg.Go(func() {
				if err := v.try(func(tx *db.Tx) error {
					return storefront.SignIn(tx, s.customer, s.anna)
				}); err != nil {
					s.Error(err)
				}
			})
		}
		wg.Wait()
		pieces := first.sees().PieceCount()
		for _, v := range visitors {
			pieces = pieces.Add(v.sees().PieceCount())
		}
		if pieces != dec.Int(7) {
			s.Errorf("%s pieces of 7", pieces)
		}
	})
}
