package assortment_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A variant that can be bought is found: under its parent while that is there, else by itself; and while nobody writes.
func TestAVariantIsFoundWhileItsParentIsAway(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		start := time.Now()
		parent := s.item("SHIRT", "Shirt", "TOOLS", "", "100", nil)
		i := s.item("SHIRT-L", "Shirt L", "TOOLS", "", "120", func(i *catalog.Item) {
			i.VariantOf, i.VariantOptions = "SHIRT", []catalog.Option{{Name: "Size", Value: "L"}}
		})
		s.publish("SHIRT-L", nil)
		s.publish("SHIRT", func(p *channel.Publication) {
			p.PublishFrom, p.PublishTo = db.TimeOf(start.Add(time.Hour)), db.TimeOf(start.Add(2*time.Hour))
		})
		s.woken()
		s.follow()
		for _, c := range []struct {
			after time.Duration
			found string
		}{{0, i.ID}, {90 * time.Minute, parent.ID}, {3 * time.Hour, i.ID}} {
			r := dbtest.Request()
			r.AsksCommitted, r.Now = true, db.TimeOf(start.Add(c.after))
			err := s.store.Read(context.Background(), r, func(tx *db.Tx) error {
				v, e := s.viewer(tx, ""), s.fresh(tx)
				for _, w := range []assortment.Wish{{Category: "TOOLS"}, {Text: "shirt"}, {}} {
					w.Limit = 5
					found, err := assortment.Browse(tx, e, v, w)
					if err != nil || len(found.IDs) != 1 || found.IDs[0] != c.found {
						t.Errorf("after %s %v are found by %+v, not %s: %v", c.after, found.IDs, w, c.found, err)
					}
				}
				p, err := assortment.PageOf(tx, v, i.ID)
				if err != nil || (p.VariantOf == "") != (c.found == i.ID) {
					t.Errorf("after %s the variant stands under %q: %v", c.after, p.VariantOf, err)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

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

// Of what one request published nothing is the newest: it goes by name, then by number, on either engine.
func TestTheNewestOfOneMomentGoByName(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		var all []channel.Publication
		for number, name := range map[string]string{"Z": "Axe", "C": "Saw", "B": "Saw", "Y": "Chisel", "D": "Saw"} {
			s.item(number, name, "TOOLS", "", "100", nil)
			s.write(func(tx *db.Tx) error { return channel.Withdraw(tx, number, s.code) })
			all = append(all, channel.Publication{ItemNumber: number, ChannelCode: s.code, IsPublished: true})
		}
		s.write(func(tx *db.Tx) error {
			out, err := channel.Publish(tx, all)
			for _, o := range out {
				err = cmp.Or(err, o.Err)
			}
			return err
		})
		s.woken()
		s.same(s.numbers(assortment.Wish{Sort: assortment.ByNewest}), "Z Y B C D")
	})
}
