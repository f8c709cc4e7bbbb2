package assortment_test

import (
	"context"
	"testing"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What is found of a product's variants is what of them is visible: while time goes by and nobody writes, too.
func TestVariantsOpenAndClose(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		start := time.Now()
		s.item("SHIRT", "Shirt", "TOOLS", "", "100", nil)
		i := s.item("SHIRT-L", "Shirt L", "TOOLS", "", "120", func(i *catalog.Item) {
			i.VariantOf, i.GTIN = "SHIRT", "4006381333931"
			i.VariantOptions = []catalog.Option{{Name: "Size", Value: "L"}}
		})
		s.receive(i, "3")
		s.publish("SHIRT-L", func(p *channel.Publication) {
			p.PublishFrom, p.PublishTo = db.TimeOf(start.Add(time.Hour)), db.TimeOf(start.Add(2*time.Hour))
		})
		s.woken()
		s.follow()
		for _, c := range []struct {
			after time.Duration
			found int
		}{{0, 0}, {90 * time.Minute, 1}, {100 * time.Minute, 1}, {3 * time.Hour, 0}, {4 * time.Hour, 0}} {
			r := dbtest.Request()
			r.AsksCommitted, r.Now = true, db.TimeOf(start.Add(c.after))
			err := s.store.Read(context.Background(), r, func(tx *db.Tx) error {
				v, e := s.viewer(tx, ""), s.fresh(tx)
				for _, w := range []assortment.Wish{{InStock: true}, {Text: "4006381333931"}} {
					w.Limit = 5
					found, err := assortment.Browse(tx, e, v, w)
					if err != nil || found.Total != c.found {
						t.Errorf("after %s %d are found by %+v: %v", c.after, found.Total, w, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
