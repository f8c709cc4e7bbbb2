package price_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
)

// lists draws a handful of lists with any strategy, parent, circle, currency and validity.
func lists(t *rapid.T) []price.Offer {
	n := rapid.IntRange(0, 6).Draw(t, "lists")
	id := func(i int) string { return string(rune('A' + i)) }
	offers := make([]price.Offer, n)
	for i := range offers {
		o := price.Offer{Applies: rapid.Bool().Draw(t, "applies")}
		o.List = price.List{ID: id(i), Code: id(i), Type: price.Standard,
			Currency:  rapid.SampledFrom([]string{"SEK", "EUR", "USD"}).Draw(t, "currency"),
			Priority:  rapid.IntRange(0, 2).Draw(t, "priority"),
			Parent:    id(rapid.IntRange(0, n).Draw(t, "parent")),
			ValidFrom: rapid.SampledFrom([]day.Date{"", "2026-06-01", "2026-07-01"}).Draw(t, "listFrom")}
		seen := map[string]bool{}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			l := price.Line{
				MinQuantity: dec.Int(rapid.Int64Range(0, 3).Draw(t, "min") * 10),
				ValidFrom:   rapid.SampledFrom([]day.Date{"", "2026-06-01", "2026-07-01"}).Draw(t, "from"),
				Strategy:    rapid.SampledFrom(price.Fixed.Values()).Draw(t, "strategy"),
				UnitPrice:   amount(t, "price"), Percentage: amount(t, "percentage"), FixedAmount: amount(t, "amount"),
			}
			if rapid.Bool().Draw(t, "ends") {
				last := l.MinQuantity + dec.Int(rapid.Int64Range(0, 25).Draw(t, "last"))
				l.MaxQuantity = &last
			}
			if key := l.MinQuantity.String() + string(l.ValidFrom); !seen[key] { // the key of a line
				seen[key] = true
				o.Lines = append(o.Lines, l)
			}
		}
		offers[i] = o
	}
	return offers
}

func amount(t *rapid.T, label string) *dec.Dec {
	d := dec.Dec(rapid.Int64Range(0, int64(150*dec.One)).Draw(t, label))
	return &d
}

func anyAsk(t *rapid.T) price.Ask {
	a := price.Ask{Quantity: dec.Dec(rapid.Int64Range(1, int64(40*dec.One)).Draw(t, "quantity")), Factor: dec.One}
	if rapid.Bool().Draw(t, "hasSalesPrice") {
		a.SalesPrice = amount(t, "salesPrice")
	}
	if rapid.Bool().Draw(t, "hasCost") {
		a.Cost = amount(t, "cost")
	}
	return a
}

// Neither the order of lists nor that of their lines matters, circles included.
func TestOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offers, a := lists(t), anyAsk(t)
		wanted := terms(rapid.SampledFrom([]string{"SEK", "EUR", "USD"}).Draw(t, "wanted"))
		first := price.For(wanted, a, offers)
		shuffle := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shuffle.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
		for _, o := range offers {
			shuffle.Shuffle(len(o.Lines), func(i, j int) { o.Lines[i], o.Lines[j] = o.Lines[j], o.Lines[i] })
		}
		if second := price.For(wanted, a, offers); !reflect.DeepEqual(first, second) {
			t.Fatalf("%+v in one order, %+v in another", first, second)
		}
	})
}

// A price is never negative, never of a list that does not apply, and none only where there is truly nothing.
func TestQuoteIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offers, a := lists(t), anyAsk(t)
		q := price.For(terms("SEK"), a, offers)
		switch {
		case q.UnitPrice == nil && (q.Source != price.None || a.SalesPrice != nil):
			t.Fatalf("no price, though the source is %s and the sales price %v", q.Source, a.SalesPrice)
		case q.UnitPrice != nil && *q.UnitPrice < 0:
			t.Fatalf("the price is %s", q.UnitPrice)
		}
		for _, o := range offers {
			if o.List.Code == q.ListCode && !o.Applies {
				t.Fatalf("list %s does not apply", q.ListCode)
			}
		}
	})
}

// With breaks that fall, more never costs more a piece.
func TestFallingBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := price.Offer{Applies: true, List: price.List{ID: "A", Code: "A", Type: price.Standard, Currency: "SEK"}}
		p, from := dec.Int(1_000), dec.Dec(0)
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			unitPrice := p
			o.Lines = append(o.Lines, price.Line{Strategy: price.Fixed, MinQuantity: from, UnitPrice: &unitPrice})
			p -= dec.Dec(rapid.Int64Range(0, int64(100*dec.One)).Draw(t, "fall"))
			from += dec.Dec(rapid.Int64Range(1, int64(50*dec.One)).Draw(t, "step"))
		}
		quantity := rapid.Int64Range(0, int64(300*dec.One))
		few, many := dec.Dec(quantity.Draw(t, "few")), dec.Dec(quantity.Draw(t, "many"))
		if few > many {
			few, many = many, few
		}
		price1 := func(q dec.Dec) dec.Dec {
			return *price.For(terms("SEK"), price.Ask{Quantity: q, Factor: dec.One}, []price.Offer{o}).UnitPrice
		}
		if price1(many) > price1(few) {
			t.Fatalf("%s for %s, %s for %s", price1(few), few, price1(many), many)
		}
	})
}

// Whatever quantity is asked about, the breaks say what every other one costs: the last of them that is not above it,
// or the price itself where there are none.
func TestBreaksTell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offers, a := lists(t), anyAsk(t)
		for i := range offers {
			offers[i].List.IsPriceIncludingTax = rapid.Bool().Draw(t, "with tax")
		}
		wanted := terms(rapid.SampledFrom([]string{"SEK", "EUR"}).Draw(t, "wanted"))
		a.Quantity = dec.Int(rapid.Int64Range(1, 60).Draw(t, "asked"))
		asked := price.For(wanted, a, offers)
		a.Quantity = dec.Int(rapid.Int64Range(1, 60).Draw(t, "other"))
		other := price.For(wanted, a, offers)
		told := asked.UnitPrice
		for i := range asked.Breaks {
			if b := &asked.Breaks[i]; i == 0 || b.MinQuantity <= a.Quantity {
				told = &b.UnitPrice
			}
		}
		if asked.UnitPrice != nil && other.UnitPrice != nil && *told != *other.UnitPrice {
			t.Fatalf("%s cost %s apiece, the breaks say %s: %v", a.Quantity, other.UnitPrice, told, asked.Breaks)
		}
	})
}

// A price in crowns shown in euros, kept as a euro list and shown in crowns again is the same but for the rounding.
func TestConversionThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := amount(t, "price")
		back := func(from, to string, p dec.Dec) dec.Dec {
			wanted := price.Terms{Currency: to, Base: from, Rate: func(c string) (dec.Rate, bool) {
				if from == "SEK" {
					return dec.Rate{Amount: dec.Int(10), Units: dec.One}, true
				}
				return dec.Rate{Amount: dec.One, Units: dec.Int(10)}, true
			}}
			return *price.For(wanted, price.Ask{Quantity: dec.One, Factor: dec.One, SalesPrice: &p}, nil).UnitPrice
		}
		if got := back("EUR", "SEK", back("SEK", "EUR", *p)); got.Sub(*p).Abs() > 5 {
			t.Fatalf("%s came back as %s", p, got)
		}
	})
}

// A unit's price is the base price times its factor, whatever list it comes from.
func TestUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offers, a := lists(t), anyAsk(t)
		one := price.For(terms("SEK"), a, offers)
		a.Factor = dec.Int(rapid.Int64Range(1, 1_000).Draw(t, "factor"))
		box := price.For(terms("SEK"), a, offers)
		if one.Source != box.Source || one.ListCode != box.ListCode {
			t.Fatalf("one comes from %s %s, the box from %s %s", one.Source, one.ListCode, box.Source, box.ListCode)
		}
		if one.UnitPrice != nil && one.UnitPrice.Mul(a.Factor) != *box.UnitPrice {
			t.Fatalf("one costs %s, a box of %s %s", one.UnitPrice, a.Factor, box.UnitPrice)
		}
	})
}

func BenchmarkFor(b *testing.B) {
	offers := []price.Offer{offer("A", 1, "90", "10- 80", "100- 70"), offer("B", 1, "95"), offer("C", 2, "10")}
	wanted, a := terms("SEK"), ask("12")
	b.ReportAllocs()
	for b.Loop() {
		price.For(wanted, a, offers)
	}
}
