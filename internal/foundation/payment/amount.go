package payment

import (
	"kontor/internal/foundation/dec"
)

// Minor is an amount in the currency's smallest unit: 12.50 with two digits is 1250. An amount that is not exact in it
// is refused, never rounded.
func Minor(amount dec.Dec, digits int) (int64, error) {
	if digits < 0 || digits > dec.Scale {
		return 0, ErrInexact.Because("A currency has 0 to %d decimals, not %d.", dec.Scale, digits)
	}
	n, isExact := amount.Units(digits)
	if !isExact {
		return 0, ErrInexact.Because("The amount %s has more than the %d decimals of its currency.", amount, digits)
	}
	return n, nil
}

// OfMinor is the amount of n smallest units.
func OfMinor(n int64, digits int) (dec.Dec, error) {
	if digits < 0 || digits > dec.Scale {
		return 0, ErrInexact.Because("A currency has 0 to %d decimals, not %d.", dec.Scale, digits)
	}
	if most, _ := dec.Max.Units(digits); n > most || n < -most {
		return 0, ErrInexact.Because("The amount %d is beyond twelve digits.", n)
	}
	return dec.OfUnits(n, digits), nil
}
