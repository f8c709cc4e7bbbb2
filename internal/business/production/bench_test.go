package production_test

import (
	"context"
	"fmt"
	"testing"

	"kontor/internal/business/production"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// BenchmarkArrival brings a piece for one of so many work orders that wait for components: who waits for something else
// is to cost nothing, who waits behind him little.
func BenchmarkArrival(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		for _, waiting := range []int{100, 2_000} {
			b.Run(fmt.Sprintf("%s/%d", engine, waiting), func(b *testing.B) {
				s := dbtest.Store(b, engine)
				open(b, s)
				dbtest.Write(b, s, func(tx *db.Tx) error { return bom(tx, "SET", "B", "1") })
				plan := func(item string, count int) {
					dbtest.Write(b, s, func(tx *db.Tx) error {
						for range count {
							o, err := production.Create(tx, production.New{Item: item, Quantity: q("1")})
							if err == nil {
								_, err = production.Plan(tx, o.Number)
							}
							if err != nil {
								return err
							}
						}
						return nil
					})
				}
				plan("LAMP", waiting)
				r := runner(s)
				for b.Loop() {
					plan("SET", 1)
					test.Arrive(b, s, "B", "1")
					if _, err := r.RunDue(context.Background(), dbtest.Company); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
