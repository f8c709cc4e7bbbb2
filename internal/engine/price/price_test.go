package price_test

import (
	"fmt"
	"strings"
	"testing"

	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
)

func ptr(s string) *dec.Dec {
	if s == "" {
		return nil
	}
	d := dec.Must(s)
	return &d
}

// rates: a euro is 10 crowns, 100 yen are 7 crowns.
func rate(currency string) (dec.Rate, bool) {
	switch currency {
	case "EUR":
		return dec.Rate{Amount: dec.Int(10), Units: dec.One}, true
	case "JPY":
		return dec.Rate{Amount: dec.Int(7), Units: dec.Int(100)}, true
	}
	return dec.Rate{}, false
}

func terms(currency string) price.Terms {
	return price.Terms{Currency: currency, Base: "SEK", Date: "2026-06-15", Rate: rate}
}

func ask(quantity string) price.Ask {
	return price.Ask{Quantity: dec.Must(quantity), Factor: dec.One, SalesPrice: ptr("100"), Cost: ptr("40")}
}

// line reads "min-max price @from..to"; only the price is needed.
func line(text string) price.Line {
	l := price.Line{Strategy: price.Fixed}
	for _, word := range strings.Fields(text) {
		switch {
		case strings.HasPrefix(word, "@"):
			from, to, _ := strings.Cut(word[1:], "..")
			l.ValidFrom, l.ValidTo = day.Date(from), day.Date(to)
		case strings.Contains(word, "-"):
			from, to, _ := strings.Cut(word, "-")
			l.MinQuantity, l.MaxQuantity = dec.Must(from), ptr(to)
		default:
			l.UnitPrice = ptr(word)
		}
	}
	return l
}

func offer(id string, priority int, lines ...string) price.Offer {
	o := price.Offer{Applies: true, List: price.List{ID: id, Code: id, Name: "List " + id, Type: price.Standard,
		Currency: "SEK", Priority: priority}}
	for _, l := range lines {
		o.Lines = append(o.Lines, line(l))
	}
	return o
}

// with changes a copy of an offer.
func with(o price.Offer, change func(*price.Offer)) price.Offer {
	o.Lines = append([]price.Line(nil), o.Lines...)
	change(&o)
	return o
}

func in(currency string, o price.Offer) price.Offer {
	return with(o, func(o *price.Offer) { o.List.Currency = currency })
}

// by gives an offer one calculated line.
func by(strategy price.Strategy, parent, percentage, amount string, o price.Offer) price.Offer {
	return with(o, func(o *price.Offer) {
		o.List.Parent = parent
		o.Lines = []price.Line{{Strategy: strategy, Percentage: ptr(percentage), FixedAmount: ptr(amount)}}
	})
}

// source is an offer that is there only as a parent.
func source(o price.Offer) price.Offer {
	return with(o, func(o *price.Offer) { o.Applies = false })
}

func show(q price.Quote) string {
	p := "none"
	if q.UnitPrice != nil {
		p = q.UnitPrice.String()
	}
	if q.ListCode != "" {
		return fmt.Sprintf("%s %s %s", p, q.CurrencyCode, q.ListCode)
	}
	return fmt.Sprintf("%s %s %s", p, q.CurrencyCode, q.Source)
}

// Of two lists with the same priority one has tax in its prices: what the buyer pays without it decides.
func TestListsWithAndWithoutTaxAreComparedWithoutIt(t *testing.T) {
	taxed := with(offer("TAXED", 0, "110"), func(o *price.Offer) { o.List.IsPriceIncludingTax = true })
	terms := price.Terms{Currency: "SEK", Base: "SEK", Date: "2026-06-15"}
	for _, c := range []struct{ percent, want string }{{"25", "110 SEK TAXED"}, {"6", "100 SEK PLAIN"},
		{"0", "100 SEK PLAIN"}, {"10", "100 SEK PLAIN"}} {
		ask := price.Ask{Quantity: dec.One, Factor: dec.One, TaxPercent: dec.Must(c.percent)}
		for _, offers := range [][]price.Offer{{taxed, offer("PLAIN", 0, "100")}, {offer("PLAIN", 0, "100"), taxed}} {
			if got := show(price.For(terms, ask, offers)); got != c.want {
				t.Errorf("at %s percent: %s, want %s", c.percent, got, c.want)
			}
		}
	}
}

func TestFor(t *testing.T) {
	cases := []struct {
		name     string
		quantity string
		currency string
		offers   []price.Offer
		want     string
	}{
		{"no list: the sales price", "1", "SEK", nil, "100 SEK ListPrice"},
		{"no list, other currency: converted", "1", "EUR", nil, "10 EUR ListPrice"},
		{"a currency quoted by the hundred", "1", "JPY", nil, "1428.571429 JPY ListPrice"},
		{"no rate: no price", "1", "USD", nil, "none USD None"},

		{"ordinary price", "1", "SEK", []price.Offer{offer("A", 0, "90")}, "90 SEK A"},
		{"a list that does not apply", "1", "SEK", []price.Offer{source(offer("A", 0, "90"))}, "100 SEK ListPrice"},
		{"below the break", "9", "SEK", []price.Offer{offer("A", 0, "90", "10- 80")}, "90 SEK A"},
		{"on the break", "10", "SEK", []price.Offer{offer("A", 0, "90", "10- 80")}, "80 SEK A"},
		{"on the upper limit", "20", "SEK", []price.Offer{offer("A", 0, "90", "10-20 80")}, "80 SEK A"},
		{"above the upper limit", "21", "SEK", []price.Offer{offer("A", 0, "90", "10-20 80")}, "90 SEK A"},
		{"too few for any line", "4", "SEK", []price.Offer{offer("A", 0, "5- 90")}, "100 SEK ListPrice"},
		{"the latest validFrom", "1", "SEK", []price.Offer{offer("A", 0, "90", "85 @2026-06-01..", "70 @2026-07-01..")},
			"85 SEK A"},
		{"the greater minQuantity before the later validFrom", "10", "SEK",
			[]price.Offer{offer("A", 0, "10- 80 @2026-01-01..", "95 @2026-06-01..")}, "80 SEK A"},
		{"first and last day count", "1", "SEK", []price.Offer{offer("A", 0, "90 @2026-06-15..2026-06-15")},
			"90 SEK A"},
		{"over", "1", "SEK", []price.Offer{offer("A", 0, "90 @..2026-06-14")}, "100 SEK ListPrice"},
		{"the list is over", "1", "SEK",
			[]price.Offer{with(offer("A", 0, "90"), func(o *price.Offer) { o.List.ValidTo = "2026-06-14" })},
			"100 SEK ListPrice"},

		{"the lowest priority number", "1", "SEK", []price.Offer{offer("A", 2, "10"), offer("B", 1, "90")}, "90 SEK B"},
		{"then the lowest price", "1", "SEK", []price.Offer{offer("A", 1, "90"), offer("B", 1, "80")}, "80 SEK B"},
		{"then the code", "1", "SEK", []price.Offer{offer("B", 1, "90"), offer("A", 1, "90")}, "90 SEK A"},
		{"a list without a line for the quantity gives way", "1", "SEK",
			[]price.Offer{offer("A", 1, "5- 10"), offer("B", 2, "90")}, "90 SEK B"},

		{"the wanted currency comes first", "1", "EUR",
			[]price.Offer{offer("A", 0, "1"), in("EUR", offer("B", 9, "8"))}, "8 EUR B"},
		{"else the base currency, converted", "1", "EUR",
			[]price.Offer{offer("A", 0, "90"), in("JPY", offer("B", 0, "1"))}, "9 EUR A"},
		{"a foreign list never prices a base order", "1", "SEK", []price.Offer{in("EUR", offer("B", 0, "1"))},
			"100 SEK ListPrice"},
		{"no rate: not even a list", "1", "USD", []price.Offer{offer("A", 0, "90")}, "none USD None"},

		{"cost plus percent", "1", "SEK", []price.Offer{by(price.CostPlusPercent, "", "25", "", offer("A", 0))},
			"50 SEK A"},
		{"cost plus amount", "1", "SEK", []price.Offer{by(price.CostPlusAmount, "", "", "12.5", offer("A", 0))},
			"52.5 SEK A"},
		{"cost plus amount in the list's currency", "1", "EUR",
			[]price.Offer{in("EUR", by(price.CostPlusAmount, "", "", "2", offer("A", 0)))}, "6 EUR A"},
		{"discount off the sales price", "1", "SEK",
			[]price.Offer{by(price.BasePriceDiscount, "", "15", "", offer("A", 0))}, "85 SEK A"},
		{"a discount beyond everything is no price", "1", "SEK",
			[]price.Offer{by(price.BasePriceDiscount, "", "101", "", offer("A", 0))}, "100 SEK ListPrice"},
		{"parent", "1", "SEK", []price.Offer{by(price.ParentPriceList, "P", "10", "", offer("A", 0)),
			source(offer("P", 0, "90"))}, "81 SEK A"},
		{"parent with its breaks", "10", "SEK", []price.Offer{by(price.ParentPriceList, "P", "10", "", offer("A", 0)),
			source(offer("P", 0, "90", "10- 80"))}, "72 SEK A"},
		{"parent in another currency", "1", "EUR",
			[]price.Offer{in("EUR", by(price.ParentPriceList, "P", "", "", offer("A", 0))),
				source(offer("P", 0, "90"))}, "9 EUR A"},
		{"chain", "1", "SEK", []price.Offer{
			by(price.ParentPriceList, "B", "50", "", offer("A", 0)),
			source(by(price.ParentPriceList, "C", "50", "", offer("B", 0))),
			source(by(price.CostPlusPercent, "", "100", "", offer("C", 0)))}, "20 SEK A"},
		{"no such parent", "1", "SEK", []price.Offer{by(price.ParentPriceList, "P", "10", "", offer("A", 0))},
			"100 SEK ListPrice"},
		{"a list that is its own parent", "1", "SEK",
			[]price.Offer{by(price.ParentPriceList, "A", "10", "", offer("A", 0))}, "100 SEK ListPrice"},
		{"a circle leaves the other lists their chance", "1", "SEK", []price.Offer{
			by(price.ParentPriceList, "B", "10", "", offer("A", 0)),
			by(price.ParentPriceList, "A", "10", "", offer("B", 0)), offer("C", 9, "95")}, "95 SEK C"},
		{"a circle below a fixed price is never entered", "1", "SEK", []price.Offer{
			with(offer("A", 0, "90"), func(o *price.Offer) { o.List.Parent = "A" })}, "90 SEK A"},
		{"prices with tax do not follow prices without", "1", "SEK", []price.Offer{
			with(by(price.ParentPriceList, "P", "", "", offer("A", 0)),
				func(o *price.Offer) { o.List.IsPriceIncludingTax = true }), source(offer("P", 0, "90"))},
			"100 SEK ListPrice"},
	}
	for _, c := range cases {
		if got := show(price.For(terms(c.currency), ask(c.quantity), c.offers)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestForWithoutCostOrSalesPrice(t *testing.T) {
	bare := price.Ask{Quantity: dec.One, Factor: dec.One}
	offers := []price.Offer{
		by(price.CostPlusPercent, "", "25", "", offer("A", 0)),
		by(price.CostPlusAmount, "", "", "5", offer("B", 0)),
		by(price.BasePriceDiscount, "", "5", "", offer("C", 0)),
	}
	if got := show(price.For(terms("SEK"), bare, offers)); got != "none SEK None" {
		t.Errorf("priced from nothing: %s", got)
	}
}

func TestQuoteSaysWhy(t *testing.T) {
	o := with(offer("A", 3, "5-9 90 @2026-01-01..2026-12-31", "10- 80 @2026-02-01.."), func(o *price.Offer) {
		o.List.Type, o.List.ValidFrom, o.List.ValidTo, o.List.IsPriceIncludingTax = price.Campaign, "2026-05-01",
			"2026-06-30", true
	})
	a := ask("6")
	a.Unit, a.Factor = "BOX", dec.Int(6)
	q := price.For(terms("EUR"), a, []price.Offer{o})
	got := fmt.Sprintf("%s %s %s %s %q min %s %s..%s tax %t per %s breaks %v",
		q.UnitPrice, q.CurrencyCode, q.Source, q.ListCode, q.ListName, q.MinQuantity, q.ValidFrom, q.ValidTo,
		q.IsPriceIncludingTax, q.Unit, q.Breaks)
	want := `54 EUR Campaign A "List A" min 5 2026-05-01..2026-06-30 tax true per BOX breaks [{0 60} {5 54} {10 48}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A price of a part of the base unit in another currency is rounded once: 1.234567 crowns a kilogram are 0.017637 yen a
// gram, where 0.001235 crowns would be 0.017643.
func TestAUnitAbroadIsRoundedOnce(t *testing.T) {
	sales, list := dec.Must("1.234567"), offer("A", 0, "0- 1.234567")
	for name, offers := range map[string][]price.Offer{"its own price": nil, "a list": {list}} {
		a := price.Ask{Quantity: dec.One, Unit: "G", Factor: dec.Must("0.001"), SalesPrice: &sales}
		if q := price.For(terms("JPY"), a, offers); *q.UnitPrice != dec.Must("0.017637") {
			t.Errorf("%s: %s", name, q.UnitPrice)
		}
	}
}

func TestBreaks(t *testing.T) {
	child := by(price.ParentPriceList, "P", "10", "", offer("A", 0))
	cases := []struct {
		name   string
		offers []price.Offer
		want   string
	}{
		{"one price for all", []price.Offer{offer("A", 0, "90")}, "[]"},
		{"from the first unit", []price.Offer{offer("A", 0, "10- 80", "90", "100- 70")}, "[{0 90} {10 80} {100 70}]"},
		{"only in force", []price.Offer{offer("A", 0, "90", "10- 80 @2027-01-01..")}, "[]"},
		{"the parent's", []price.Offer{child, source(offer("P", 0, "90", "10- 80"))}, "[{0 81} {10 72}]"},
		{"what ends", []price.Offer{offer("A", 0, "90", "10-20 80")}, "[{0 90} {10 80} {21 90}]"},
		{"a list beside it", []price.Offer{offer("A", 0, "90", "10- 80"), offer("B", 1, "50", "20- 40")}, "[{0 90} {10 80}]"},
		{"a list before it", []price.Offer{offer("A", 1, "90"), offer("B", 0, "10-20 80")}, "[{0 90} {10 80} {21 90}]"},
		{"from one", []price.Offer{offer("A", 0, "1- 90")}, "[]"},
		{"what ends where nobody asks", []price.Offer{offer("A", 0, "90", "10-999999999999 80")}, "[{0 90} {10 80}]"},
		{"a break that changes nothing", []price.Offer{offer("A", 0, "90", "10- 90", "20- 80")}, "[{0 90} {20 80}]"},
	}
	for _, c := range cases {
		if got := fmt.Sprint(price.For(terms("SEK"), ask("1"), c.offers).Breaks); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestCalculate(t *testing.T) {
	offers := []price.Offer{by(price.ParentPriceList, "P", "10", "", offer("A", 0)),
		source(offer("P", 0, "90", "10- 80"))}
	l := offers[0].Lines[0]
	if p, ok := price.Calculate(terms("SEK"), ask("1"), "A", l, offers); !ok || p != dec.Int(81) {
		t.Errorf("from the first unit: %s, %t", p, ok)
	}
	l.MinQuantity = dec.Int(10)
	if p, ok := price.Calculate(terms("SEK"), ask("1"), "A", l, offers); !ok || p != dec.Int(72) {
		t.Errorf("from ten: %s, %t", p, ok)
	}
	if _, ok := price.Calculate(terms("SEK"), ask("1"), "X", l, offers); ok {
		t.Error("a list that is not among the offers has a price")
	}
}

// What is chosen of a configured item is added to the price there is, each choice for itself: in the base currency at
// the day's rate, in percent of that price, and for a unit as often as it holds base units.
func TestChoicesAreAddedToThePrice(t *testing.T) {
	terms := price.Terms{Currency: "EUR", Base: "SEK", Date: "2026-06-15", Rate: func(string) (dec.Rate, bool) {
		return dec.Rate{Amount: dec.Must("11.5"), Units: dec.One}, true
	}}
	sales := dec.Must("1150")
	ask := price.Ask{Quantity: dec.One, Unit: "PAIR", Factor: dec.Int(2), SalesPrice: &sales,
		Impacts: []price.Impact{{Amount: dec.Must("115")}, {Percent: dec.Must("12.5")},
			{Amount: dec.Must("-11.5"), Percent: dec.Must("-1")}}}
	q := price.For(terms, ask, nil)
	if q.UnitPrice == nil || q.BasePrice != dec.Must("200") || fmt.Sprint(q.Impacts) != "[20 25 -4]" ||
		*q.UnitPrice != dec.Must("241") || q.Source != price.ListPrice {
		t.Errorf("%+v", q)
	}
	ask.Impacts = []price.Impact{{Percent: dec.Must("-100")}, {Amount: dec.Must("-1")}}
	if q := price.For(terms, ask, nil); q.UnitPrice != nil || q.Source != price.None {
		t.Errorf("below nothing there is a price: %+v", q)
	}
}

// Beyond the bound of prices there is none, however it would come about: by the unit, by the rate, by a percentage.
func TestNoPriceIsAboveTheBound(t *testing.T) {
	most := limit.Price.Most()
	dear := func(factor dec.Dec) price.Ask {
		return price.Ask{Quantity: dec.One, Factor: factor, SalesPrice: &most}
	}
	doubled := offer("D", 1)
	percentage := dec.Int(-100)
	doubled.Lines = []price.Line{{Strategy: price.BasePriceDiscount, Percentage: &percentage}}
	for what, q := range map[string]price.Quote{
		"at the bound":    price.For(terms("EUR"), dear(dec.Int(10)), nil),
		"by its unit":     price.For(terms("SEK"), dear(dec.Dec(most)), nil),
		"a little":        price.For(terms("SEK"), dear(dec.One+1), nil),
		"by the rate":     price.For(terms("JPY"), dear(dec.One), nil),
		"by a percentage": price.For(terms("SEK"), dear(dec.One), []price.Offer{doubled}),
	} {
		if want := what == "at the bound"; (q.UnitPrice != nil) != want || (q.Source != price.None) != want {
			t.Errorf("%s: %+v", what, q)
		}
	}
	percentage = dec.Int(-1_000_000_000)
	if p, ok := price.Calculate(terms("SEK"), dear(dec.One), "D", doubled.Lines[0], []price.Offer{doubled}); ok {
		t.Errorf("a line shows the price %s", p)
	}
}

// A rate that is none (an amount or a number of units of nothing) prices nothing.
func TestARateOfNothingIsNone(t *testing.T) {
	for _, c := range []struct{ amount, units, want string }{{"10", "1", "10 EUR ListPrice"}, {"0", "1", "none EUR None"},
		{"10", "0", "none EUR None"}} {
		terms := price.Terms{Currency: "EUR", Base: "SEK", Date: "2026-06-15", Rate: func(string) (dec.Rate, bool) {
			return dec.Rate{Amount: dec.Must(c.amount), Units: dec.Must(c.units)}, true
		}}
		if got := show(price.For(terms, ask("1"), nil)); got != c.want {
			t.Errorf("%s crowns for %s: %s, want %s", c.amount, c.units, got, c.want)
		}
	}
	unknown := price.Terms{Currency: "EUR", Base: "SEK", Date: "2026-06-15", Rate: func(string) (dec.Rate, bool) {
		return dec.Rate{Amount: dec.One, Units: dec.One}, false
	}}
	if got := show(price.For(unknown, ask("1"), nil)); got != "none EUR None" {
		t.Errorf("at a rate that nobody knows: %s", got)
	}
}

func TestWhatStartsFromTheCostSaysSo(t *testing.T) {
	for s, want := range map[price.Strategy]bool{price.Fixed: false, price.CostPlusPercent: true,
		price.CostPlusAmount: true, price.BasePriceDiscount: false, price.ParentPriceList: false} {
		if s.NeedsCost() != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

// A quote ends with its line or its list, whichever ends first; where neither ends it has no end. What is taken off may
// be all of it, and not more.
func TestAQuoteEndsWithWhatEndsFirst(t *testing.T) {
	for _, c := range []struct{ line, list, want string }{{"", "", ""}, {"2026-07-01", "", "2026-07-01"},
		{"", "2026-07-01", "2026-07-01"}, {"2026-07-01", "2026-08-01", "2026-07-01"},
		{"2026-08-01", "2026-07-01", "2026-07-01"}} {
		o := with(offer("A", 0, "90 @.."+c.line), func(o *price.Offer) { o.List.ValidTo = day.Date(c.list) })
		if q := price.For(terms("SEK"), ask("1"), []price.Offer{o}); q.ValidTo != day.Date(c.want) {
			t.Errorf("%+v: %q", c, q.ValidTo)
		}
	}
	for percent, want := range map[string]string{"100": "0 SEK A", "100.000001": "100 SEK ListPrice"} {
		o := by(price.BasePriceDiscount, "", percent, "", offer("A", 0))
		if got := show(price.For(terms("SEK"), ask("1"), []price.Offer{o})); got != want {
			t.Errorf("%s percent off: %s, want %s", percent, got, want)
		}
	}
}
