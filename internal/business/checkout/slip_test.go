package checkout_test

import (
	"maps"
	"testing"

	"kontor/internal/business/channel"
	"kontor/internal/business/portal"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
)

// What lies in the parcel lets a buyer without an account send goods back, where the store takes returns.
func TestParcelsHoldReturnCodes(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		b := s.buys("TEST", "SAW")
		holds := func(want bool) {
			b.do(func(tx *db.Tx) error {
				o, err := sales.Find(tx, b.number)
				if err != nil {
					return err
				}
				codes := map[string]string{}
				if want {
					codes[b.number] = portal.ReturnCode(o.ID)
				}
				got, err := portal.ReturnCodes(tx, []string{b.number, "nobody's"})
				if err == nil && !maps.Equal(got, codes) {
					t.Errorf("the parcel holds %v, want %v", got, codes)
				}
				return err
			})
		}
		holds(true)
		b.do(func(tx *db.Tx) error {
			_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
				c.Store.Features = &channel.Features{}
				return nil
			})
			return err
		})
		holds(false)
	})
}
