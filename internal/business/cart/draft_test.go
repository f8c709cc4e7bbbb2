package cart_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/stock"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// remembering lets what other processes commit be followed, as the house does.
func (s *shop) remembering() { s.store.TailToo(record.Tail(), stock.Tail(), storefront.Tail()) }

// request is the visitor's next one, who has caught up with what was committed.
func (v *visitor) request() db.Request {
	r := dbtest.Request()
	r.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, v.token)
	r.Caught = v.store.Catch(context.Background(), r.Company)
	return r
}

func (v *visitor) admitted(fn func(tx *db.Tx) error) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		if err := storefront.Admit(tx, "session"); err != nil {
			return err
		}
		return fn(tx)
	}
}

// drafts works an addition out; nil where it is left to the transaction.
func (v *visitor) drafts(r db.Request, item string) (d *cart.Draft) {
	v.Helper()
	err := v.store.Read(context.Background(), r, v.admitted(func(tx *db.Tx) (err error) {
		d, err = cart.Prepare(tx, []cart.Addition{{ItemID: v.ids[item], Quantity: dec.One}})
		return err
	}))
	if err != nil {
		v.Error(err)
	}
	return d
}

// puts puts in a draft, or what it was of.
func (v *visitor) puts(r db.Request, d *cart.Draft, item string) (drafted bool, c *cart.Cart) {
	v.Helper()
	err := v.store.Write(context.Background(), r, v.admitted(func(tx *db.Tx) (err error) {
		if drafted, err = d.Put(tx); drafted || err != nil {
			c = d.Cart()
			return err
		}
		c, _, err = cart.Add(tx, []cart.Addition{{ItemID: v.ids[item], Quantity: dec.One}})
		return err
	}))
	if err != nil {
		v.Error(err)
	}
	return drafted, c
}

// add is one addition as a request makes it.
func (v *visitor) add(item string) (drafted bool, c *cart.Cart) {
	v.Helper()
	r := v.request()
	return v.puts(r, v.drafts(r, item), item)
}

func TestDrafts(t *testing.T) {
	each(t, func(s *shop) {
		s.remembering()
		v := s.visit()
		var last *cart.Cart
		drafts := 0
		for _, item := range []string{"SAW", "SAW", "CABLE", "SAW", "NAIL"} {
			drafted, c := v.add(item)
			if last = c; drafted {
				drafts++
			}
		}
		const want = "SAW 3 PCS 300+75; CABLE 1 PCS 10+2.5; NAIL 1 BOX 50+12.5; 450"
		if got := words(last); got != want || drafts < 3 {
			t.Errorf("%d drafts were put in:\n got %s\nwant %s", drafts, got, want)
		}
		v.wants("in the books", want)
		if d := v.drafts(v.request(), "HIDDEN"); d != nil {
			t.Error("what is not sold here has a draft")
		}
	})
}

// Whatever a draft was made of may change before it is put in.
func TestDraftsThatNoLongerHold(t *testing.T) {
	each(t, func(s *shop) {
		s.remembering()
		price := func(p int64) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				_, err := catalog.Change(tx, "CABLE", func(i *catalog.Item) error {
					p := dec.Int(p)
					i.SalesPrice = &p
					return nil
				})
				return err
			}
		}
		taxed := true
		for _, c := range []struct {
			what    string
			by      func(v *visitor)
			want    string
			instead string // where the draft may still be put in
		}{
			{what: "nothing", by: func(*visitor) {}, instead: "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5"},
			{what: "another tab", by: func(v *visitor) { v.adds("SAW", "1") },
				want: "SAW 2 PCS 200+50; CABLE 1 PCS 10+2.5; 262.5"},
			{what: "a line taken out", by: func(v *visitor) {
				v.do(func(tx *db.Tx) error { return cart.Remove(tx, v.within(tx).Lines[0].ID) })
			}, want: "CABLE 1 PCS 10+2.5; 12.5"},
			{what: "the cart emptied", by: func(v *visitor) { v.do(cart.Clear) }, want: "CABLE 1 PCS 10+2.5; 12.5"},
			{what: "the cart ordered", by: func(v *visitor) {
				v.do(func(tx *db.Tx) error { return v.within(tx).Close(tx) })
			}, want: "CABLE 1 PCS 10+2.5; 12.5"},
			{what: "another price", by: func(*visitor) { dbtest.Write(t, s.store, price(12)) },
				want: "SAW 1 PCS 100+25; CABLE 1 PCS 12+3; 140"},
			{what: "the price as it was", by: func(*visitor) { dbtest.Write(t, s.store, price(10)) },
				want: "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5"},
			{what: "the visitor's choice", by: func(v *visitor) {
				v.do(func(tx *db.Tx) error { return storefront.Choose(tx, storefront.Wishes{IncludesTax: &taxed}) })
			}, want: "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5"},
			{what: "somebody signed in", by: func(v *visitor) { v.signsIn() },
				want: "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5"},
			{what: "no longer sold", by: func(*visitor) {
				dbtest.Write(t, s.store, func(tx *db.Tx) error { return channel.Withdraw(tx, "SAW", "WEB") })
			}, want: "SAW 1 PCS 0+0 !Cart.NoLongerSold; CABLE 1 PCS 10+2.5; 12.5"},
		} {
			v := s.visit()
			v.add("SAW")
			r := v.request()
			d := v.drafts(r, "CABLE")
			if d == nil {
				t.Fatalf("%s: there is no draft", c.what)
			}
			c.by(v)
			drafted, shown := v.puts(v.request(), d, "CABLE")
			if got := words(shown); c.want != "" && (drafted || got != c.want) || c.instead != "" &&
				(!drafted || got != c.instead) {
				t.Errorf("%s: drafted %t: got %s\nwant %s%s", c.what, drafted, got, c.want, c.instead)
			}
			v.wants(c.what+", in the books", c.want+c.instead)
		}
	})
}

// within is the cart within a transaction.
func (v *visitor) within(tx *db.Tx) *cart.Cart {
	v.Helper()
	c, err := cart.Of(tx)
	if err != nil {
		v.Error(err)
	}
	return c
}

// A visitor with many tabs, whose additions are drafted while others are put in, loses none and doubles none; the price
// moves meanwhile, and the cart ends with the last one.
func TestDraftsTogether(t *testing.T) {
	each(t, func(s *shop) {
		s.remembering()
		const tabs, each = 6, 20
		v := s.visit()
		var drafts atomic.Int64
		var all sync.WaitGroup
		for tab := range tabs {
			all.Go(func() {
				for range each {
					if drafted, _ := v.add([]string{"SAW", "CABLE"}[tab%2]); drafted {
						drafts.Add(1)
					}
				}
			})
		}
		all.Go(func() {
			for p := range 10 {
				dbtest.Write(t, s.store, func(tx *db.Tx) error {
					_, err := catalog.Change(tx, "SAW", func(i *catalog.Item) error {
						p := dec.Int(int64(91 + p))
						i.SalesPrice = &p
						return nil
					})
					return err
				})
			}
		})
		all.Wait()
		c := v.sees()
		if len(c.Lines) != 2 || c.PieceCount() != dec.Int(tabs*each) {
			t.Errorf("%d lines, %s pieces of %d; %d were drafted", len(c.Lines), c.PieceCount(), tabs*each,
				drafts.Load())
		}
		for _, l := range c.Lines {
			if l.Item.Number == "SAW" && l.UnitPrice != dec.Int(100) {
				t.Errorf("a saw costs %s", l.UnitPrice)
			}
		}
	})
}
