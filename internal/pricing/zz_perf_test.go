package pricing_test

import (
	"fmt"
	"testing"
	"time"

	"kontor/internal/catalog"
	"kontor/internal/db"
	"kontor/internal/db/dbtest"
	"kontor/internal/dec"
	"kontor/internal/party"
	"kontor/internal/pricing"
)

func TestZZPerf(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.write(func(tx *db.Tx) error {
			var items []catalog.Item
			for i := range 2000 {
				items = append(items, item(fmt.Sprintf("I%05d", i), "10"))
			}
			var cs []party.Customer
			for i := range 2000 {
				cs = append(cs, party.Customer{Number: fmt.Sprintf("K%05d", i), Name: "x", IsActive: true, GroupCode: "WHOLESALE"})
			}
			if err := party.CreateMany(tx, cs); err != nil {
				return err
			}
			return catalog.CreateMany(tx, items)
		})
		sh.list("BASE", pricing.Standard, func(l *pricing.List) { l.IsDefault, l.Priority = true, 9 })
		t0 := time.Now()
		for b := range 4 {
			var lines []pricing.Line
			for i := range 500 {
				lines = append(lines, fixed(fmt.Sprintf("I%05d 9", b*500+i)))
			}
			sh.write(func(tx *db.Tx) error { _, err := pricing.SetPrices(tx, "BASE", lines, pricing.Upsert); return err })
		}
		t.Log("4 batches of 500", time.Since(t0))
		t0 = time.Now()
		sh.write(func(tx *db.Tx) error {
			for i := range 2000 {
				l := pricing.List{Code: fmt.Sprintf("L%05d", i), Name: "x", Type: pricing.Contract, CurrencyCode: "SEK", IsActive: true, CustomerNumbers: []string{fmt.Sprintf("K%05d", i)}}
				if _, err := pricing.Create(tx, l); err != nil {
					return err
				}
				var lines []pricing.Line
				for k := range 5 {
					lines = append(lines, fixed(fmt.Sprintf("I%05d 8", k)))
				}
				if _, err := pricing.SetPrices(tx, l.Code, lines, pricing.Upsert); err != nil {
					return err
				}
			}
			return nil
		})
		t.Log("2000 lists", time.Since(t0))
		for _, who := range []string{"", "K00777"} {
			sh.read(func(tx *db.Tx) error {
				var c *party.Customer
				if who != "" {
					x, err := party.Find(tx, who)
					if err != nil {
						return err
					}
					c = &x
				}
				found, err := catalog.FindMany(tx, []string{"I00001", "I00003", "I01999"})
				var asks []pricing.Ask
				for _, i := range found {
					asks = append(asks, pricing.Ask{Item: i, Quantity: dec.One})
				}
				var out string
				for n := range 101 {
					if n == 1 {
						t0 = time.Now()
					}
					q, err := pricing.For(tx, pricing.Situation{Customer: c}, asks)
					if err != nil {
						return err
					}
					out = fmt.Sprint(q[0].ListCode, q[1].ListCode, q[2].ListCode)
				}
				t.Log(who, "For 3 asks", time.Since(t0)/100, out)
				return err
			})
		}
	})
}
