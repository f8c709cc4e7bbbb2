package assortment_test

import (
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// A customer sorts and filters by what he pays himself, whoever else looks.
func TestOwnPrices(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.item("A", "Alpha", "TOOLS", "", "100", nil)
		s.item("B", "Beta", "TOOLS", "", "200", nil)
		s.item("C", "Gamma", "TOOLS", "", "300", nil)
		s.write(func(tx *db.Tx) error {
			if _, err := pricing.Create(tx, pricing.List{Code: "TRADE", Name: "Trade", Type: pricing.CustomerGroup,
				CurrencyCode: "SEK", IsActive: true, CustomerGroupCodes: []string{"TRADE"}}); err != nil {
				return err
			}
			_, err := pricing.SetPrices(tx, "TRADE", []pricing.Line{line("C", "10")}, pricing.Upsert)
			return err
		})
		s.woken()
		var got []string
		s.numbersAs("C1", assortment.Wish{Sort: assortment.ByPrice}, &got)
		s.same(got, "C A B")
		s.same(s.numbers(assortment.Wish{Sort: assortment.ByPrice}), "A B C")
		s.write(func(tx *db.Tx) error {
			_, err := pricing.SetPrices(tx, "TRADE", []pricing.Line{line("C", "150"), line("B", "1")}, pricing.Upsert)
			return err
		})
		s.woken()
		s.numbersAs("C1", assortment.Wish{Sort: assortment.ByPrice}, &got)
		s.same(got, "B A C")
		to := dec.Int(2)
		s.numbersAs("C1", assortment.Wish{PriceTo: &to}, &got)
		s.same(got, "B")
		s.numbersAs("C2", assortment.Wish{Sort: assortment.ByPriceDown}, &got) // pays in euro
		s.same(got, "C B A")
	})
}

// A product whose variants have prices begins at the lowest of them, where it is shown, filtered and sorted by price,
// for each who pays another one. What it is said to cost itself nobody can buy.
func TestTheLowestPriceOfVariants(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.item("A", "Alpha", "TOOLS", "", "90", nil)
		s.item("SHIRT", "Shirt", "TOOLS", "", "1", nil)
		of := func(i *catalog.Item) { i.VariantOf = "SHIRT" }
		s.item("SHIRT-M", "Shirt M", "TOOLS", "", "120", of)
		s.item("SHIRT-L", "Shirt L", "TOOLS", "", "100", of)
		s.item("HAT", "Hat", "TOOLS", "", "5", nil)
		s.item("HAT-S", "Hat S", "TOOLS", "", "", func(i *catalog.Item) { i.VariantOf = "HAT" })
		s.woken()
		begins := func(customer, want, order string) {
			t.Helper()
			s.read(func(tx *db.Tx) error {
				v := s.viewer(tx, customer)
				a, err := assortment.Find(tx, v, "shirt")
				if err != nil {
					return err
				}
				cards, err := assortment.Cards(tx, v, []string{a.Item.ID})
				if err != nil {
					return err
				}
				p := cards[0].Price
				if p.Shown() == nil || *p.Shown() != dec.Must(want) || p.ItemID != a.Item.ID {
					t.Errorf("%q sees %v of %s, not %s", customer, p.Shown(), p.ItemID, want)
				}
				return nil
			})
			var got []string
			s.numbersAs(customer, assortment.Wish{Sort: assortment.ByPrice}, &got)
			s.same(got, order)
			at := dec.Must(want)
			s.numbersAs(customer, assortment.Wish{PriceFrom: &at, PriceTo: &at}, &got)
			s.same(got, "SHIRT")
		}
		begins("", "125", "HAT A SHIRT") // with tax
		begins("C1", "125", "HAT A SHIRT")
		s.write(func(tx *db.Tx) error {
			if _, err := pricing.Create(tx, pricing.List{Code: "TRADE", Name: "Trade", Type: pricing.CustomerGroup,
				CurrencyCode: "SEK", IsActive: true, CustomerGroupCodes: []string{"TRADE"}}); err != nil {
				return err
			}
			_, err := pricing.SetPrices(tx, "TRADE", []pricing.Line{line("SHIRT-M", "60")}, pricing.Upsert)
			return err
		})
		s.woken()
		begins("C1", "75", "HAT SHIRT A")
		begins("", "125", "HAT A SHIRT")
		s.write(func(tx *db.Tx) error {
			_, err := pricing.SetPrices(tx, "TRADE", []pricing.Line{line("SHIRT-L", "40")}, pricing.Upsert)
			return err
		})
		s.write(func(tx *db.Tx) error {
			_, err := pricing.SetPrices(tx, "BASE", []pricing.Line{line("SHIRT-M", "30")}, pricing.Upsert)
			return err
		})
		s.woken()
		begins("C1", "37.5", "HAT SHIRT A")
		begins("", "37.5", "HAT SHIRT A")
		s.publish("SHIRT-M", func(p *channel.Publication) { p.IsPublished = false })
		s.woken()
		begins("", "125", "HAT A SHIRT")
		begins("C1", "50", "HAT SHIRT A")
	})
}

func line(item, unitPrice string) pricing.Line {
	l := pricing.Line{Item: item}
	d := dec.Must(unitPrice)
	l.Strategy, l.UnitPrice = price.Fixed, &d
	return l
}
