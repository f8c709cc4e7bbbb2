package pricing_test

import (
	"testing"

	"kontor/internal/business/pricing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What a day turns is the same in either direction: a clock that was put back shows the prices of the day that it is.
func TestADayTurnsBothWays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("P/1", pricing.Standard, nil)
		sh.set("P/1", "A 9 @2026-07-01..", "B 5")
		sh.read(func(tx *db.Tx) error {
			for _, days := range [][2]day.Date{{"2026-06-30", "2026-07-01"}, {"2026-07-01", "2026-06-30"}} {
				if turned, err := pricing.Turning(tx, days[0], days[1]); err != nil || len(turned) != 1 {
					t.Errorf("from %s to %s: %v, %v", days[0], days[1], turned, err)
				}
			}
			return nil
		})
	})
}
