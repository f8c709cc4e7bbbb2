package pricing_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// However many campaigns there are, the lowest price of them wins, and what tells their prices from others' in the
// names of all that is cached stays short.
func TestManyCampaigns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		for n := range 40 {
			code := fmt.Sprintf("CAMPAIGN-%d", n)
			s.list(code, pricing.Campaign, nil)
			s.set(code, fmt.Sprintf("A %d", 50+n*7%40))
		}
		s.expect(s.price("A", "1", "", nil), "50 SEK CAMPAIGN-0")
		s.read(func(tx *db.Tx) error {
			name, err := pricing.Profile(tx, pricing.Situation{})
			if len(name) > 100 {
				t.Errorf("the name of 40 campaigns has %d characters", len(name))
			}
			return err
		})
	})
}
