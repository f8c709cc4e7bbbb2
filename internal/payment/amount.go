package payment

import (
	"kontor/internal/dec"
)

// Minor is an amount in the currency's smallest unit: 12.50 with two digits is 1250. An amount that is not exact in it is refused,
// never rounded.
func Minor(amount dec.Dec, digits int) (int64, error) {
	if digits < 0 || digits > dec.Scale {
		return 0, ErrInexact.Because("A currency has 0 to %d decimals, not %d.", dec.Scale, digits)
	}
	if amount.Decimals() > digits {
		return 0, ErrInexact.Because("The amount %s has more than the %d decimals of its currency.", amount, digits)
	}
	return int64(amount) / unit(digits), nil
}

// OfMinor is the amount of n smallest units.
func OfMinor(n int64, digits int) (dec.Dec, error) {
	if digits < 0 || digits > dec.Scale {
		return 0, ErrInexact.Because("A currency has 0 to %d decimals, not %d.", dec.Scale, digits)
	}
	u := unit(digits)
	if n > int64(dec.Max)/u || n < -int64(dec.Max)/u {
		return 0, ErrInexact.Because("The amount %d is beyond twelve digits.", n)
	}
	return dec.Dec(n * u), nil
}

// unit is how many millionths the smallest unit of a currency with that many decimals is.
func unit(digits int) int64 {
	u := int64(dec.One)
	for range digits {
		u /= 10
	}
	return u
}
