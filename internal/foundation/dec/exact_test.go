package dec

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// edges are where integers end, and the numbers just beside them: zero, the units of every rounding, the range, 64 bits
// and their roots.
var edges = sync.OnceValue(func() (all []int64) {
	at := []int64{0, math.MaxInt64, math.MinInt64, int64(Max), -int64(Max), 1 << 31, 1 << 32, 3_037_000_500,
		922_337_203_685 * int64(One), math.MaxInt64 / 2}
	for unit := int64(1); unit <= 1e18; unit *= 10 {
		at = append(at, unit, unit/2, 5*unit, -unit, int64(Max)/unit, math.MaxInt64/unit, math.MaxInt64/unit*unit,
			int64(Max)/unit*unit)
	}
	for _, n := range at {
		for _, beside := range []int64{-2, -1, 0, 1, 2} {
			all = append(all, n+beside) // past the ends it wraps, to an edge again
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
})

// number draws an edge, a number of some business, or any at all.
func number(t *rapid.T, name string) Dec {
	return Dec(rapid.OneOf(rapid.SampledFrom(edges()), rapid.Int64Range(-1e12, 1e12),
		rapid.Int64Range(-int64(Max), int64(Max)), rapid.Int64()).Draw(t, name))
}

func rat(ds ...Dec) *big.Rat {
	x := big.NewRat(1, 1)
	for _, d := range ds {
		x.Mul(x, big.NewRat(int64(d), int64(One)))
	}
	return x
}

// nearest is x rounded half away from zero to places decimals, by another way than the package's: the standard
// library's fractions.
func nearest(x *big.Rat, places int) *big.Rat {
	y, ok := new(big.Rat).SetString(x.FloatString(places))
	if !ok {
		panic("a fraction that cannot be read")
	}
	return y
}

func inRange(ds ...Dec) bool {
	return !slices.ContainsFunc(ds, func(d Dec) bool { return d > Max || d < -Max })
}

// broken says how an operation breaks the law: what it gives is the exact result, and it refuses only where that, or
// one of its operands, is out of range.
func broken(want *big.Rat, operands []Dec, do func() Dec) (how string) {
	defer func() {
		if p := recover(); p != nil && (p != ErrRange || inRange(operands...) && new(big.Rat).Abs(want).
			Cmp(rat(Max)) <= 0) {
			how = fmt.Sprintf("panics with %v, want %s", p, want.FloatString(Scale))
		}
	}()
	if got := do(); rat(got).Cmp(want) != 0 || !inRange(got) {
		return fmt.Sprintf("is %s, want %s", got, want.FloatString(Scale))
	}
	return ""
}

// eachOperation calls try with every operation of the package on the numbers.
func eachOperation(a, b, c, d Dec, places int, try func(name string, want *big.Rat, operands []Dec, do func() Dec)) {
	of := func(ds ...Dec) []Dec { return ds }
	try("a.Add(b)", new(big.Rat).Add(rat(a), rat(b)), of(a, b), func() Dec { return a.Add(b) })
	try("a.Sub(b)", new(big.Rat).Sub(rat(a), rat(b)), of(a, b), func() Dec { return a.Sub(b) })
	try("a.Neg()", new(big.Rat).Neg(rat(a)), of(a), a.Neg)
	try("a.Abs()", new(big.Rat).Abs(rat(a)), of(a), a.Abs)
	try("a.Mul(b)", nearest(rat(a, b), Scale), of(a, b), func() Dec { return a.Mul(b) })
	try("a.MulRound(b)", nearest(rat(a, b), places), of(a, b), func() Dec { return a.MulRound(b, places) })
	try("a.Round()", nearest(rat(a), places), of(a), func() Dec { return a.Round(places) })
	cut := new(big.Int).Quo(big.NewInt(int64(a)), big.NewInt(int64(Unit(places))))
	try("a.Cut()", new(big.Rat).Mul(new(big.Rat).SetInt(cut), rat(Unit(places))), of(a),
		func() Dec { return a.Cut(places) })
	try("OfUnits(a)", new(big.Rat).Mul(new(big.Rat).SetInt64(int64(a)), rat(Unit(places))), nil,
		func() Dec { return OfUnits(int64(a), places) })
	try("Int(a)", new(big.Rat).SetInt64(int64(a)), nil, func() Dec { return Int(int64(a)) })
	if c == 0 || d == 0 {
		return
	}
	try("a.Div(c)", nearest(new(big.Rat).Quo(rat(a), rat(c)), Scale), of(a, c), func() Dec { return a.Div(c) })
	try("a.MulDiv(b, c)", nearest(new(big.Rat).Quo(rat(a, b), rat(c)), Scale), of(a, b, c),
		func() Dec { return a.MulDiv(b, c) })
	try("a.MulDivRound(b, c)", nearest(new(big.Rat).Quo(rat(a, b), rat(c)), places), of(a, b, c),
		func() Dec { return a.MulDivRound(b, c, places) })
	for _, den := range of(c, d) {
		try("Product(a, b, c, den)", nearest(new(big.Rat).Quo(rat(a, b, c), rat(den)), places), of(a, b, c, den),
			func() Dec { return Product(places, a, b, c, den) })
	}
	if c > 0 && d > 0 {
		products, weights := new(big.Rat).Add(rat(a, c), rat(b, d)), new(big.Rat).Add(rat(c), rat(d))
		try("Mean(c a, d b)", nearest(products.Quo(products, weights), Scale), of(a, b, c, d),
			func() Dec { return Mean(of(c, d), of(a, b)) })
	}
	try("Convert(a)", nearest(new(big.Rat).Quo(rat(a, b, b), rat(c, d)), places), of(a, b, c, d),
		func() Dec { return Convert(a, Rate{b, c}, Rate{d, b}, places) })
}

func TestEveryResultIsExactOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := number(t, "a"), number(t, "b"), number(t, "c"), number(t, "d")
		places := rapid.IntRange(0, Scale).Draw(t, "places")
		eachOperation(a, b, c, d, places, func(name string, want *big.Rat, operands []Dec, do func() Dec) {
			if how := broken(want, operands, do); how != "" {
				t.Fatalf("a = %d, b = %d, c = %d, d = %d to %d places: %s %s", a, b, c, d, places, name, how)
			}
		})
	})
}

// Every edge with some of all others, which chance alone would not meet.
func TestEveryEdgeIsExactOrRefused(t *testing.T) {
	const step = 97 // every pair takes a minute
	all := edges()
	for i, a := range all {
		for k := i % step; k < len(all); k += step {
			b, c, places := all[k], Dec(all[(i+7*k)%len(all)]), (i+k)%(Scale+1)
			eachOperation(Dec(a), Dec(b), c, One, places, func(name string, want *big.Rat, operands []Dec,
				do func() Dec) {
				if how := broken(want, operands, do); how != "" {
					t.Errorf("a = %d, b = %d, c = %d to %d places: %s %s", a, b, c, places, name, how)
				}
			})
		}
		if t.Failed() {
			return
		}
	}
}

func FuzzOperations(f *testing.F) {
	f.Add(int64(922_337_203_685_000_000), int64(100_000_000), int64(One), int64(One), 2)
	// its quotient is the end of 64 bits, and a half
	f.Add(int64(253_921), int64(145_295_143_558_111), int64(2), int64(One), 6)
	f.Fuzz(func(t *testing.T, a, b, c, d int64, places int) {
		if places < 0 || places > Scale {
			return
		}
		eachOperation(Dec(a), Dec(b), Dec(c), Dec(d), places, func(name string, want *big.Rat, operands []Dec,
			do func() Dec) {
			if how := broken(want, operands, do); how != "" {
				t.Errorf("%s %s", name, how)
			}
		})
	})
}

func TestSumsAndUnitsAreExactOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := number(t, "a"), number(t, "b"), number(t, "c")
		want := new(big.Rat).Add(new(big.Rat).Add(rat(a), rat(b)), rat(c))
		part := Dec(0)
		if inRange(a, b) {
			part = a + b
		}
		if how := broken(want, []Dec{a, b, c, part}, func() Dec { return Sum(a, b, c) }); how != "" {
			t.Fatalf("%d + %d + %d %s", a, b, c, how)
		}
		places := rapid.IntRange(0, Scale).Draw(t, "places")
		n, isExact := a.Units(places)
		if whole := rat(a).Cmp(new(big.Rat).Mul(new(big.Rat).SetInt64(n), rat(Unit(places)))) == 0; whole != isExact {
			t.Fatalf("%s is %d units of %d places, exactly: %v", a, n, places, isExact)
		}
	})
}

// A figure that ends at Cap is exact up to it.
func TestFiguresAreExactUpToTheirEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int64Range(-int64(Max), int64(Max)), 0, 30).Draw(t, "rows")
		sum := new(big.Int)
		var h Halves
		for _, r := range rows {
			sum.Add(sum, big.NewInt(r))
			h.Whole, h.Rest = h.Whole+r/int64(One), h.Rest+r%int64(One)
		}
		end := big.NewInt(int64(Cap))
		want := sum
		if sum.CmpAbs(end) > 0 {
			want = end.Mul(end, big.NewInt(int64(sum.Sign())))
		}
		if got := h.Capped(); big.NewInt(int64(got)).Cmp(want) != 0 {
			t.Errorf("%v come to %s, want %s", rows, got, want)
		}
	})
}

func TestScanTakesWhatIsInRange(t *testing.T) {
	for _, v := range []any{int64(Max) + 1, -int64(Max) - 1, int64(math.MinInt64), "1000000000000000000",
		"92233720368547758070", 9.3e18, -1.5} {
		if d := One; d.Scan(v) != ErrRange || d != One {
			t.Errorf("%v is taken for %s", v, d)
		}
	}
	for _, v := range []any{nil, "", "1.5", "x", true} {
		if d := One; d.Scan(v) == nil || d.Scan(v) == ErrRange {
			t.Errorf("%v is taken for %s, or a number out of range", v, d)
		}
	}
	for _, v := range []any{int64(-Max), string("-999999999999999999")} {
		if d := One; d.Scan(v) != nil || d != -Max {
			t.Errorf("%v is taken for %s", v, d)
		}
	}
	if d := One; d.Scan(int64(Max)) != nil || d != Max {
		t.Errorf("the greatest is taken for %s", d)
	}
}

// What is no number out of range is somebody's mistake, and is not kept quiet.
func TestInRangeKeepsNothingElseQuiet(t *testing.T) {
	if !InRange(func() {}) || InRange(func() { Max.Add(One) }) {
		t.Error("InRange does not tell what is in range")
	}
	for _, mistake := range []any{"a mistake", errZero} {
		func() {
			defer func() {
				if p := recover(); p != mistake {
					t.Errorf("%v came of %v", p, mistake)
				}
			}()
			InRange(func() { panic(mistake) })
		}()
	}
}

func TestFiguresEndOnEitherSide(t *testing.T) {
	for _, c := range []struct{ a, b, want Dec }{{Int(2), Int(3), Int(5)}, {Int(2), Int(-3), Int(-1)}, {Cap, One, Cap},
		{-Cap, -One, -Cap}, {Cap - One, One, Cap}} {
		if got := c.a.AddCapped(c.b); got != c.want {
			t.Errorf("%s and %s are %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestDecimalsAreThoseThatCount(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "3": 0, "10": 0, "2.5": 1, "-0.01": 2, "100.000001": 6, "0.1": 1} {
		if got := Must(text).Decimals(); got != want {
			t.Errorf("%s has %d decimals, want %d", text, got, want)
		}
	}
}
