package promotion

import (
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/foundation/dec"
)

func everything(Good) bool { return true }

func TestReduce(t *testing.T) {
	goods := func(amounts ...string) (out []Good) {
		for i, a := range amounts {
			out = append(out, Good{Item: string(rune('a' + i)), Amount: dec.Must(a)})
		}
		return out
	}
	for _, c := range []struct {
		name   string
		goods  []Good
		grants []Grant
		digits int
		lines  []string
		codes  []string
	}{
		{"ten per cent, each line rounded by itself", goods("0.05", "0.05", "10"),
			[]Grant{{Percent: dec.Int(10), Covers: everything}}, 2, []string{"0.01", "0.01", "1"}, []string{"1.02"}},
		{"a third each, the odd cent to the first", goods("10", "10", "10"),
			[]Grant{{Amount: dec.Int(10), Covers: everything}}, 2, []string{"3.34", "3.33", "3.33"}, []string{"10"}},
		{"no more than there is", goods("3", "4"), []Grant{{Amount: dec.Int(10), Covers: everything}}, 2,
			[]string{"3", "4"}, []string{"7"}},
		{"percentages first whatever the order", goods("100"), []Grant{{Amount: dec.Int(10), Covers: everything},
			{Percent: dec.Int(50), Covers: everything}}, 2,
			[]string{"60"}, []string{"10", "50"}},
		{"what is not covered stays", goods("100", "50"),
			[]Grant{{Percent: dec.Int(20), Covers: func(g Good) bool { return g.Item == "b" }}}, 2, []string{"0", "10"},
			[]string{"10"}},
		{"a currency without decimals", goods("100", "101"), []Grant{{Amount: dec.Int(51), Covers: everything}}, 0,
			[]string{"25", "26"}, []string{"51"}},
		{"nothing to take it off", nil, []Grant{{Amount: dec.Int(51), Covers: everything}}, 2, nil, []string{"0"}},
	} {
		lines, codes := Reduce(c.goods, c.grants, Terms{Digits: c.digits})
		for i, want := range c.lines {
			if lines[i] != dec.Must(want) {
				t.Errorf("%s: line %d is reduced by %s, want %s", c.name, i, lines[i], want)
			}
		}
		for i, want := range c.codes {
			if codes[i] != dec.Must(want) {
				t.Errorf("%s: code %d grants %s, want %s", c.name, i, codes[i], want)
			}
		}
	}
}

// Whatever is granted: the parts add up, no line falls below zero, everything is a whole number of minor units, and an
// amount is granted in full where the goods cost that much.
func TestReduceAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.IntRange(0, 3).Draw(t, "digits")
		unit := dec.Unit(digits)
		goods := make([]Good, rapid.IntRange(0, 12).Draw(t, "lines"))
		for i := range goods {
			goods[i] = Good{Item: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "item"),
				Amount: dec.Dec(rapid.Int64Range(0, 900_000_000_000_000/int64(unit)).Draw(t, "amount")) * unit}
		}
		grants := make([]Grant, rapid.IntRange(0, 4).Draw(t, "grants"))
		for i := range grants {
			only := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "only")
			grants[i].Covers = func(g Good) bool { return only == "" || g.Item == only }
			if rapid.Bool().Draw(t, "percent?") {
				grants[i].Percent = dec.Dec(rapid.Int64Range(0, int64(hundred)).Draw(t, "percent"))
			} else {
				grants[i].Amount = dec.Dec(rapid.Int64Range(0, 1_000_000_000_000/int64(unit)).Draw(t, "off")) * unit
			}
		}
		lines, codes := Reduce(goods, grants, Terms{Digits: digits})
		if dec.Sum(lines...) != dec.Sum(codes...) {
			t.Fatalf("the lines are reduced by %s, the codes grant %s", dec.Sum(lines...), dec.Sum(codes...))
		}
		for i, off := range lines {
			if off < 0 || off > goods[i].Amount || off%unit != 0 {
				t.Fatalf("line %d of %s is reduced by %s", i, goods[i].Amount, off)
			}
		}
		if len(grants) == 1 && grants[0].Percent == 0 {
			var covered dec.Dec
			for _, g := range goods {
				if grants[0].Covers(g) {
					covered = covered.Add(g.Amount)
				}
			}
			if want := min(grants[0].Amount, covered); codes[0] != want {
				t.Fatalf("%s off %s: %s was granted", grants[0].Amount, covered, codes[0])
			}
		}
	})
}

// An amount is what the buyer sees go: with tax where the store shows prices so, whichever list a price comes from.
func TestAmountsAreAsTheStoreShowsPrices(t *testing.T) {
	with, without := Terms{Digits: 2, IsPriceIncludingTax: true}, Terms{Digits: 2}
	net := Good{Amount: dec.Int(400), TaxPercent: dec.Int(25)}
	gross := Good{Amount: dec.Int(500), TaxPercent: dec.Int(25), IsPriceIncludingTax: true}
	for _, c := range []struct {
		name  string
		goods []Good
		grant Grant
		terms Terms
		lines []string
		code  string
	}{
		{"with tax, off prices without", []Good{net}, Grant{Amount: dec.Int(100)}, with, []string{"80"}, "100"},
		{"without tax, off prices with", []Good{gross}, Grant{Amount: dec.Int(100)}, without, []string{"125"}, "100"},
		{"off both", []Good{net, gross}, Grant{Amount: dec.Int(100)}, with, []string{"40", "50"}, "100"},
		{"all of it", []Good{net, gross}, Grant{Amount: dec.Int(2_000)}, with, []string{"400", "500"}, "1000"},
		{"a percentage is told as shown", []Good{net}, Grant{Percent: dec.Int(10)}, with, []string{"40"}, "50"},
		// No price without tax comes to 499.97 with it: the second line, which has it, makes up for that.
		{"an amount that a line cannot have", []Good{net, gross}, Grant{Amount: dec.Must("0.07")}, with,
			[]string{"0.03", "0.03"}, "0.07"},
	} {
		c.grant.Covers = everything
		lines, codes := Reduce(c.goods, []Grant{c.grant}, c.terms)
		for i, want := range c.lines {
			if lines[i] != dec.Must(want) {
				t.Errorf("%s: line %d is reduced by %s, want %s", c.name, i, lines[i], want)
			}
		}
		if codes[0] != dec.Must(c.code) {
			t.Errorf("%s: the code grants %s, want %s", c.name, codes[0], c.code)
		}
	}
}

// Whatever the lists and the store's terms: what codes grant is what the buyer sees go, an amount to within a minor
// unit, and no line is reduced below zero.
func TestAmountsInOtherTermsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := Terms{Digits: rapid.IntRange(0, 3).Draw(t, "digits"), IsPriceIncludingTax: rapid.Bool().Draw(t, "with")}
		unit := dec.Unit(terms.Digits)
		goods := make([]Good, rapid.IntRange(1, 8).Draw(t, "lines"))
		var before dec.Dec
		for i := range goods {
			goods[i] = Good{Amount: dec.Dec(rapid.Int64Range(0, 2_000).Draw(t, "amount")) * unit,
				TaxPercent:          dec.Dec(rapid.SampledFrom([]int64{0, 6, 12, 25, 100}).Draw(t, "percent")) * dec.One,
				IsPriceIncludingTax: rapid.Bool().Draw(t, "list with")}
			before = before.Add(terms.shown(goods[i], goods[i].Amount))
		}
		grants := []Grant{{Percent: dec.Dec(rapid.Int64Range(0, int64(hundred)).Draw(t, "percent off")), Covers: everything},
			{Amount: dec.Dec(rapid.Int64Range(1, 5_000).Draw(t, "off")) * unit, Covers: everything}}
		lines, codes := Reduce(goods, grants, terms)
		var after dec.Dec
		for i, off := range lines {
			if off < 0 || off > goods[i].Amount || off%unit != 0 {
				t.Fatalf("line %d of %s is reduced by %s", i, goods[i].Amount, off)
			}
			after = after.Add(terms.shown(goods[i], goods[i].Amount.Sub(off)))
		}
		if before.Sub(after) != dec.Sum(codes...) {
			t.Fatalf("the buyer sees %s go, the codes grant %s", before.Sub(after), dec.Sum(codes...))
		}
		if want := min(grants[1].Amount, before.Sub(codes[0])); (codes[1] - want).Abs() > unit {
			t.Fatalf("%s off %s: %s was granted", grants[1].Amount, before.Sub(codes[0]), codes[1])
		}
	})
}
