package checkout_test

import (
	"testing"

	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Whoever guesses at orders hears the same of each.
func TestGuessingAtOrdersTellsNothing(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 5)
		placed, err := s.ready("anna@example.com", "PRE", "SAW").place("")
		if err != nil {
			s.Fatal(err)
		}
		v := s.visit()
		asked := func(trail checkout.Trail) (refusal error) {
			v.do(func(tx *db.Tx) error { _, _, refusal = checkout.Follow(tx, trail); return nil })
			return refusal
		}
		number := placed.OrderNumber
		none := asked(checkout.Trail{OrderNumber: "NONE", Email: "anna@example.com"})
		for what, trail := range map[string]checkout.Trail{
			"a wrong address": {OrderNumber: number, Email: "eve@example.com"}, "no address": {OrderNumber: number},
			"a wrong key":         {OrderNumber: number, Key: "a"},
			"another order's key": {OrderNumber: number, Key: channel.OrderKey("another")},
			"no order's key":      {OrderNumber: "NONE", Key: channel.OrderKey("")},
		} {
			if err := asked(trail); !fault.Is(err, checkout.ErrOrderNotFound) || err.Error() != none.Error() {
				s.Errorf("%s: %v, not %v", what, err, none)
			}
		}
		for range 2 {
			for _, trail := range []checkout.Trail{{OrderNumber: number, Email: " ANNA@example.com"},
				{OrderNumber: number, Key: channel.OrderKey(placed.OrderID)}} {
				if err := asked(trail); err != nil {
					s.Fatal(err)
				}
			}
		}
	})
}
