package assortment_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/record"
)

// family makes a product of many variants, each published and with one piece in stock, and finds it once.
func (s *shop) family(number string, n int) (variants []catalog.Item) {
	s.Helper()
	s.item(number, number, "TOOLS", "", "100", nil)
	s.write(func(tx *db.Tx) error {
		rows := make([]channel.Publication, n)
		for k := range n {
			i := catalog.New()
			i.Number, i.Name, i.BaseUnit, i.TaxCode, i.VariantOf = fmt.Sprintf("%s-%04d", number, k), number, "PCS", "STD", number
			i.VariantOptions = []catalog.Option{{Name: "Colour", Value: fmt.Sprint(k / 50)},
				{Name: "Size", Value: fmt.Sprint(k % 50)}}
			variants = append(variants, i)
			rows[k] = channel.Publication{ItemNumber: i.Number, ChannelCode: "WEB", IsPublished: true, IsPurchasable: true}
		}
		if err := catalog.CreateMany(tx, variants); err != nil {
			return err
		}
		_, err := channel.Publish(tx, rows)
		for _, i := range variants {
			err = first(err, received(tx, i, "1"))
		}
		return err
	})
	for range 2 { // the second time nothing is left to do
		s.woken()
		s.follow()
	}
	return variants
}

// alone runs fn on each engine, one after the other: what it measures is of the whole process.
func alone(t *testing.T, fn func(t *testing.T, s *db.Store)) {
	for _, e := range dbtest.Engines() {
		t.Run(e, func(t *testing.T) { fn(t, dbtest.Store(t, e)) })
	}
}

// allocations are how many fn makes: a measure of work that is nearly the same each time.
func allocations(fn func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}

// A page of a product's variants shows those of the page, by number, and how many there are. It is made of these alone,
// however many the product has.
func TestAPageOfManyVariants(t *testing.T) {
	alone(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		page := func(slug string, number int) (got []string) {
			s.read(func(tx *db.Tx) error {
				found, err := assortment.Variants(tx, s.viewer(tx, ""), slug, record.Page{Number: number, Size: 2})
				for _, c := range found.Items {
					got = append(got, c.Item.Number)
				}
				return err
			})
			return got
		}
		s.family("COAT", 20)
		s.family("SHIRT", 400)
		for n, want := range map[int]string{1: "SHIRT-0000 SHIRT-0001", 200: "SHIRT-0398 SHIRT-0399", 201: "", 1 << 40: ""} {
			s.same(page("shirt", n), want)
		}
		few, many := allocations(func() { page("coat", 7) }), allocations(func() { page("shirt", 7) })
		if many > 2*few {
			t.Errorf("a page of 400 variants takes %d allocations, one of 20 %d", many, few)
		}
	})
}

// What a variant costs and is called by its parent shows, to the very next request: the parent is made anew, of little
// of each variant, and its siblings stay as they are.
func TestAChangeOfAVariantLeavesItsSiblings(t *testing.T) {
	alone(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.family("SHIRT", 400)
		price := 7
		changed := func() {
			price++
			s.write(func(tx *db.Tx) error {
				_, err := pricing.SetPrices(tx, "BASE", []pricing.Line{line("SHIRT-0001", fmt.Sprint(price))}, pricing.Upsert)
				return err
			})
			s.woken()
		}
		caughtUp := func() {
			s.read(func(tx *db.Tx) error {
				if s.fresh(tx); tx.Lag() != 0 {
					t.Errorf("the index lags by %s for one variant", tx.Lag())
				}
				return nil
			})
		}
		changed()
		caughtUp()
		least := math.MaxInt // what else the process does allocates too
		for range 3 {
			changed()
			least = min(least, allocations(caughtUp))
		}
		if least > 120*400 {
			t.Errorf("a variant's price took %d allocations, beside 399 others", least)
		}
		s.write(func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "SHIRT-0001", func(i *catalog.Item) error { i.GTIN = "4006381333931"; return nil })
			return err
		})
		s.woken()
		caughtUp()
		s.same(s.numbers(assortment.Wish{Text: "4006381333931"}), "SHIRT")
		s.checked()
	})
}

// Many numbers are found among many variants without holding each against each.
func TestManyNumbersAmongManyVariants(t *testing.T) {
	alone(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.family("SHIRT", 400)
		look := func(n int) {
			s.read(func(tx *db.Tx) error {
				asked := make([]string, n)
				for k := range asked {
					asked[k] = fmt.Sprintf("shirt%04d", 3*k) // without its separator
				}
				rows, err := assortment.Lookup(tx, func() (assortment.Edition, error) { return s.fresh(tx), nil },
					s.viewer(tx, ""), asked)
				for k, r := range rows {
					if want := fmt.Sprintf("SHIRT-%04d", 3*k); r.Card == nil || r.Card.Item.Number != want {
						t.Errorf("%s is %+v, wanted %s", r.Number, r.Card, want)
					}
				}
				return err
			})
		}
		look(110)
		few, many := allocations(func() { look(10) }), allocations(func() { look(110) })
		if each := (many - few) / 100; each > 400 {
			t.Errorf("each number more takes %d allocations, among 400 variants", each)
		}
	})
}

func BenchmarkFamily(b *testing.B) {
	s := open(b, dbtest.Store(b, "sqlite"))
	of := s.family("SHIRT", 5_000)
	for b.Loop() {
		b.StopTimer()
		s.write(func(tx *db.Tx) error {
			_, err := catalog.Change(tx, of[7].Number, func(i *catalog.Item) error { i.Name += "x"; return nil })
			return err
		})
		b.StartTimer()
		s.numbers(assortment.Wish{})
	}
}
