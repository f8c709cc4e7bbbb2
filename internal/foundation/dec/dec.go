// Package dec is the house's one exact decimal: an int64 of millionths, at most
// 12 digits before the point and 6 after it. Products and quotients go through
// 128 bits or more; nothing ever passes through a float. Every operation gives the
// exact result, rounded once where it says so, or panics with ErrRange, which the
// transaction turns into the refusal Decimal.OutOfRange: no caller has to thread an
// error through a sum. Outside this package nobody calculates on the integer.
package dec

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
)

// Dec is a decimal number in millionths. The zero value is 0. It is comparable with == and <.
type Dec int64

// One is 1.
const One Dec = 1_000_000

// Scale is the number of decimals kept.
const Scale = 6

// Max is the greatest magnitude: twelve digits, a point, six digits.
const Max Dec = 999_999_999_999_999_999

// ErrRange is what arithmetic panics with when a result has more than 12 digits before the point.
var ErrRange = errors.New("dec: more than 12 digits before the point")

// InRange runs fn and reports whether its arithmetic kept to the range. What else it panics with goes on.
func InRange(fn func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if err, is := p.(error); !is || !errors.Is(err, ErrRange) {
				panic(p)
			}
		}
	}()
	fn()
	return true
}

// errZero is a division by zero: a fault of ours, since no number that may be a divisor is taken from outside as 0.
var errZero = errors.New("dec: division by zero")

// ErrSyntax is returned for anything that is not plain decimal notation.
var ErrSyntax = errors.New("dec: not a plain decimal number")

var pow10 = [...]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000}

// Int is n as a decimal.
func Int(n int64) Dec { return Dec(n).scaled() }

func (d Dec) scaled() Dec {
	if d > 999_999_999_999 || d < -999_999_999_999 {
		panic(ErrRange)
	}
	return d * One
}

// Parse reads plain notation: an optional minus, 1 to 12 digits, optionally a point and 1 to 6
// digits. No plus sign, no exponent, no separators, no leading point.
func Parse(s string) (Dec, error) {
	i, neg := 0, false
	if len(s) > 0 && s[0] == '-' {
		neg, i = true, 1
	}
	var n int64
	start := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if i-start >= 12 {
			return 0, ErrRange
		}
		n = n*10 + int64(s[i]-'0')
	}
	if i == start {
		return 0, ErrSyntax
	}
	frac := 0
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			if frac++; frac > Scale {
				return 0, ErrRange
			}
			n = n*10 + int64(s[i]-'0')
		}
		if frac == 0 {
			return 0, ErrSyntax
		}
	}
	if i != len(s) {
		return 0, ErrSyntax
	}
	n *= pow10[Scale-frac]
	if neg {
		n = -n
	}
	return Dec(n), nil
}

// Must is Parse for literals in code and tests.
func Must(s string) Dec {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func check(d Dec) Dec {
	if d > Max || d < -Max {
		panic(ErrRange)
	}
	return d
}

// Add is d + e.
func (d Dec) Add(e Dec) Dec { return check(check(d) + check(e)) } // two in range never pass an int64

// Sub is d - e.
func (d Dec) Sub(e Dec) Dec { return check(check(d) - check(e)) }

// Neg is -d.
func (d Dec) Neg() Dec { return -check(d) }

// Abs is the magnitude of d.
func (d Dec) Abs() Dec {
	if d < 0 {
		return d.Neg()
	}
	return check(d)
}

// Sign is -1, 0 or 1.
func (d Dec) Sign() int { return cmp.Compare(d, 0) }

// Mul is d * e, rounded half away from zero to 6 decimals.
func (d Dec) Mul(e Dec) Dec { return d.MulDiv(e, One) }

// MulRound is d * e rounded once, half away from zero, to places decimals (0 to 6).
func (d Dec) MulRound(e Dec, places int) Dec { return d.MulDivRound(e, One, places) }

// Div is d / e rounded half away from zero to 6 decimals. It panics when e is 0.
func (d Dec) Div(e Dec) Dec { return d.MulDiv(One, e) }

// MulDiv is d * num / den with one rounding, half away from zero, to 6 decimals.
func (d Dec) MulDiv(num, den Dec) Dec { return d.MulDivRound(num, den, Scale) }

// MulDivRound is d * num / den rounded once, half away from zero, to places decimals (0 to 6).
func (d Dec) MulDivRound(num, den Dec, places int) Dec {
	unit := Unit(places)
	check(d)
	check(num)
	if check(den) > Max/unit || den < -Max/unit {
		return ratio(unit, []Dec{d, num}, []Dec{den})
	}
	return times(mulDiv(int64(d), int64(num), int64(den*unit)), unit)
}

// Round is d rounded half away from zero to places decimals (0 to 6).
func (d Dec) Round(places int) Dec {
	return times(mulDiv(int64(check(d)), 1, int64(Unit(places))), Unit(places))
}

// Cut is d without its decimals beyond places (0 to 6): rounded towards zero.
func (d Dec) Cut(places int) Dec { return check(d) - d%Unit(places) }

// Product is a * b * num / den rounded once, half away from zero, to places decimals: an amount of a discounted line
// has up to 18 decimals before it is rounded, and rounding it twice would lift what is just below a half.
func Product(places int, a, b, num, den Dec) Dec {
	if num == den && den != 0 {
		return a.MulRound(b, places)
	}
	return ratio(Unit(places), []Dec{a, b, num}, []Dec{One, den})
}

// Unit is the smallest amount with places decimals (0 to 6): 0.01 with two.
func Unit(places int) Dec { return Dec(pow10[Scale-places]) }

// Units is how many of the smallest amounts with places decimals d is, and whether it is that exactly: 12.50 with two
// is 1250.
func (d Dec) Units(places int) (n int64, isExact bool) {
	unit := Unit(places)
	return int64(d / unit), d%unit == 0
}

// OfUnits is n times the smallest amount with places decimals: 1250 with two is 12.50.
func OfUnits(n int64, places int) Dec { return times(Dec(n), Unit(places)) }

// times is n * unit, for a unit above zero.
func times(n, unit Dec) Dec {
	if most := Max / unit; n > most || n < -most {
		panic(ErrRange)
	}
	return n * unit
}

// mulDiv is a * b / c on integers with a 128-bit intermediate, rounded half away from zero.
func mulDiv(a, b, c int64) Dec {
	if c == 0 {
		panic(errZero)
	}
	neg := (a < 0) != (b < 0) != (c < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	den := magnitude(c)
	if hi >= den {
		panic(ErrRange)
	}
	q, r := bits.Div64(hi, lo, den)
	if q > uint64(Max) { // before the rounding, which could pass the integer's end
		panic(ErrRange)
	}
	if r >= den-r {
		q++
	}
	if neg {
		return check(-Dec(q))
	}
	return check(Dec(q))
}

// ratio is the product of num over that of den, both counted in millionths, rounded once, half away from zero, to a
// multiple of unit.
func ratio(unit Dec, num, den []Dec) Dec {
	x, y := big.NewInt(1), big.NewInt(int64(unit))
	for _, n := range num {
		x.Mul(x, big.NewInt(int64(check(n))))
	}
	for _, n := range den {
		y.Mul(y, big.NewInt(int64(check(n))))
	}
	if y.Sign() == 0 {
		panic(errZero)
	}
	negative := x.Sign()*y.Sign() < 0
	y.Abs(y)
	x.Abs(x).Add(x, new(big.Int).Rsh(y, 1)).Quo(x, y)
	if !x.IsInt64() {
		panic(ErrRange)
	}
	q := times(Dec(x.Int64()), unit)
	if negative {
		return -q
	}
	return q
}

// Mean is the mean of values by their weights, none of which is below zero and one above, rounded once, half away from
// zero, to 6 decimals. The sum of the products, which may leave the range, never has to be one of ours.
func Mean(weights, values []Dec) Dec {
	sum, of := new(big.Int), new(big.Int)
	for i, w := range weights {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(check(w))), big.NewInt(int64(check(values[i])))))
		of.Add(of, big.NewInt(int64(w)))
	}
	if of.Sign() == 0 {
		panic(errZero)
	}
	half := new(big.Int).Rsh(of, 1)
	if sum.Sign() < 0 {
		half.Neg(half)
	}
	return check(Dec(sum.Add(sum, half).Quo(sum, of).Int64())) // between the least and the greatest value
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Decimals is how many decimals d needs: 0 for 3, 1 for 2.5.
func (d Dec) Decimals() int {
	n := Scale
	for m := int64(d); n > 0 && m%10 == 0; n-- {
		m /= 10
	}
	return n
}

// String is d without trailing zeros: "3", "2.5", "-0.001".
func (d Dec) String() string { return string(d.Append(nil, 0)) }

// Fixed is d with at least min decimals and no trailing zeros beyond them: an amount already
// rounded to the currency's digits prints with exactly those.
func (d Dec) Fixed(min int) string { return string(d.Append(nil, min)) }

// Append appends d with at least min decimals.
func (d Dec) Append(b []byte, min int) []byte {
	if d < 0 {
		b = append(b, '-')
	}
	u := magnitude(int64(d))
	b = strconv.AppendUint(b, u/uint64(One), 10)
	frac := u % uint64(One)
	if frac == 0 && min == 0 {
		return b
	}
	b = append(b, '.')
	for n, unit := 0, uint64(One)/10; n < min || frac > 0; n, unit = n+1, unit/10 {
		b = append(b, '0'+byte(frac/unit))
		frac %= unit
		if unit == 1 {
			break
		}
	}
	return b
}

// MarshalText writes d as String does, so that JSON shows it as a string.
func (d Dec) MarshalText() ([]byte, error) { return d.Append(nil, 0), nil }

// UnmarshalText is Parse.
func (d *Dec) UnmarshalText(b []byte) (err error) { *d, err = Parse(string(b)); return err }

// Scan reads millionths from a database. What the engine summed up beyond the range is refused with ErrRange.
func (d *Dec) Scan(v any) error {
	n, ok := v.(int64)
	switch v := v.(type) {
	case int64:
	case string: // PostgreSQL's sum of bigints
		sum, isWhole := new(big.Int).SetString(v, 10)
		if ok = isWhole; ok && !sum.IsInt64() {
			return ErrRange
		}
		if ok {
			n = sum.Int64()
		}
	case float64: // SQLite's sum, difference or product that passed 64 bits
		return ErrRange
	}
	if !ok {
		return fmt.Errorf("dec: millionths are kept as a whole number, not %T %[1]v", v)
	}
	if Dec(n) > Max || Dec(n) < -Max {
		return ErrRange
	}
	*d = Dec(n)
	return nil
}

// Cap is where figures for people end that add up what nobody bounds, on either side of 0; who shows it says that it is
// more.
const Cap Dec = 999_999_999_999 * One

// Capped is a figure that is calculated, at most Cap, however large what it is made of is.
func Capped(calculate func() Dec) Dec {
	d := Cap
	InRange(func() { d = min(d, calculate()) })
	return d
}

// Halves takes what SQL added up in two columns, whole units and millionths, because in one it may pass 64 bits.
type Halves struct{ Whole, Rest int64 }

// Capped is what they are together, from -Cap to Cap.
func (h Halves) Capped() Dec {
	sum := new(big.Int).Mul(big.NewInt(h.Whole), big.NewInt(int64(One)))
	sum.Add(sum, big.NewInt(h.Rest))
	if sum.CmpAbs(big.NewInt(int64(Cap))) > 0 {
		return Cap * Dec(sum.Sign())
	}
	return Dec(sum.Int64())
}

// AddCapped is d + e, from -Cap to Cap.
func (d Dec) AddCapped(e Dec) Dec { return max(-Cap, min(Cap, check(d)+check(e))) }

// Sum adds up.
func Sum(ds ...Dec) (t Dec) {
	for _, d := range ds {
		t = t.Add(d)
	}
	return t
}

// Min and Max of two are the language's min and max: Dec is ordered.

// Fixed is a decimal that prints with at least Digits decimals: document amounts with the
// currency's minor digits, unit prices with at least those.
type Fixed struct {
	Value  Dec
	Digits int
}

// MarshalText prints the value with its digits.
func (f Fixed) MarshalText() ([]byte, error) { return f.Value.Append(nil, f.Digits), nil }

// String prints the value with its digits.
func (f Fixed) String() string { return f.Value.Fixed(f.Digits) }

// Rate is an exchange rate kept exactly as it is quoted: Amount of the base currency for Units of
// the foreign one (DKK is quoted per 100).
type Rate struct{ Amount, Units Dec }

// Convert is amount in a currency with rate from, expressed in the currency with rate to, rounded
// half away from zero to places decimals. Both rates are against the same base; the base itself is {1, 1}.
func Convert(amount Dec, from, to Rate, places int) Dec {
	return ConvertProduct(amount, One, from, to, places)
}

// ConvertProduct is Convert of amount * factor, rounded once.
func ConvertProduct(amount, factor Dec, from, to Rate, places int) Dec {
	if from == to {
		return amount.MulRound(factor, places)
	}
	return ratio(Unit(places), []Dec{amount, factor, from.Amount, to.Units}, []Dec{One, from.Units, to.Amount})
}
