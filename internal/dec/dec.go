// Package dec is the house's one exact decimal: an int64 of millionths, at most
// 12 digits before the point and 6 after it. Products and quotients go through
// 128 bits; nothing ever passes through a float. Arithmetic that leaves the range
// panics with ErrRange, which the transaction turns into the refusal
// Decimal.OutOfRange: no caller has to thread an error through a sum.
package dec

import (
	"errors"
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
func (d Dec) Add(e Dec) Dec { return check(d + e) }

// Sub is d - e.
func (d Dec) Sub(e Dec) Dec { return check(d - e) }

// Neg is -d.
func (d Dec) Neg() Dec { return -d }

// Abs is the magnitude of d.
func (d Dec) Abs() Dec {
	if d < 0 {
		return -d
	}
	return d
}

// Sign is -1, 0 or 1.
func (d Dec) Sign() int {
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// Mul is d * e, rounded half away from zero to 6 decimals.
func (d Dec) Mul(e Dec) Dec { return d.MulDiv(e, One) }

// MulRound is d * e rounded once, half away from zero, to places decimals (0 to 6).
func (d Dec) MulRound(e Dec, places int) Dec {
	unit := pow10[Scale-places]
	return check(mulDiv(int64(d), int64(e), int64(One)*unit) * Dec(unit))
}

// Product is a * b * num / den rounded once, half away from zero, to places decimals: an amount of a discounted line has up to 18
// decimals before it is rounded, and rounding it twice would lift what is just below a half.
func Product(places int, a, b, num, den Dec) Dec {
	if num == den {
		return a.MulRound(b, places)
	}
	unit := big.NewInt(pow10[Scale-places])
	x := big.NewInt(int64(a))
	x.Mul(x, big.NewInt(int64(b))).Mul(x, big.NewInt(int64(num)))
	y := big.NewInt(int64(den))
	y.Mul(y, big.NewInt(int64(One))).Mul(y, unit)
	half := new(big.Int).Rsh(new(big.Int).Abs(y), 1)
	negative := x.Sign()*y.Sign() < 0
	x.Abs(x).Add(x, half).Quo(x, y.Abs(y)).Mul(x, unit)
	if !x.IsInt64() {
		panic(ErrRange)
	}
	if negative {
		return check(Dec(-x.Int64()))
	}
	return check(Dec(x.Int64()))
}

// Div is d / e rounded half away from zero to 6 decimals. It panics when e is 0.
func (d Dec) Div(e Dec) Dec { return d.MulDiv(One, e) }

// MulDiv is d * num / den with one rounding, half away from zero, to 6 decimals.
func (d Dec) MulDiv(num, den Dec) Dec { return check(mulDiv(int64(d), int64(num), int64(den))) }

// mulDiv is a * b / c on integers with a 128-bit intermediate, rounded half away from zero.
func mulDiv(a, b, c int64) Dec {
	if c == 0 {
		panic("dec: division by zero")
	}
	neg := (a < 0) != (b < 0) != (c < 0)
	hi, lo := bits.Mul64(abs(a), abs(b))
	den := abs(c)
	if hi >= den {
		panic(ErrRange)
	}
	q, r := bits.Div64(hi, lo, den)
	if r >= den-r {
		q++
	}
	if q > uint64(Max) {
		panic(ErrRange)
	}
	if neg {
		return -Dec(q)
	}
	return Dec(q)
}

func abs(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// Round is d rounded half away from zero to places decimals (0 to 6).
func (d Dec) Round(places int) Dec {
	if places >= Scale {
		return d
	}
	unit := pow10[Scale-places]
	return check(mulDiv(int64(d), 1, unit) * Dec(unit))
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
	u := abs(int64(d))
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
	if from == to {
		return amount.Round(places)
	}
	base := amount.MulDiv(from.Amount, from.Units)
	return base.MulDiv(to.Units, to.Amount).Round(places)
}
