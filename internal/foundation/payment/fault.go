package payment

import (
	"kontor/internal/foundation/fault"
)

// The ways a payment fails. ErrUnavailable alone is worth another try with the same ids.
var (
	ErrUnavailable   = fault.New(fault.Unavailable, "Payment.ProviderUnavailable")
	ErrDeclined      = fault.New(fault.Conflict, "Payment.Declined")
	ErrMisconfigured = fault.New(fault.Conflict, "Payment.Misconfigured")
	// ErrWrongState: what was asked does not fit how the payment stands with the provider: Look.
	ErrWrongState = fault.New(fault.Conflict, "Payment.WrongState")
	ErrNotFound   = fault.New(fault.NotFound, "Payment.NotFound")
	ErrNotAllowed = fault.New(fault.Denied, "Payment.NotAllowed")
	ErrInvalid    = fault.New(fault.Invalid, "Payment.Invalid")
	// ErrInexact: an amount that has no whole number of the currency's smallest unit.
	ErrInexact = fault.New(fault.Invalid, "Payment.InexactAmount")
	// ErrMismatch: the provider has another amount or currency than the payment.
	ErrMismatch = fault.New(fault.Conflict, "Payment.AmountMismatch")
	// Callbacks that prove nothing.
	ErrForged   = fault.New(fault.Unauthenticated, "Payment.CallbackForged")
	ErrStale    = fault.New(fault.Unauthenticated, "Payment.CallbackStale")
	ErrCallback = fault.New(fault.Invalid, "Payment.CallbackInvalid")
)

// IsTemporary reports whether the same call may succeed later.
func IsTemporary(err error) bool { return fault.Is(err, ErrUnavailable) }

// IsNews reports whether err is the provider's answer on the payment itself (declined, wrong state, not found), so that
// another try is no use.
func IsNews(err error) bool {
	return fault.Is(err, ErrDeclined) || fault.Is(err, ErrWrongState) || fault.Is(err, ErrNotFound)
}
