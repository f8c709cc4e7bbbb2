package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// ErrAddressNotFound is the refusal of an unknown delivery address.
var ErrAddressNotFound = fault.New(fault.NotFound, "CustomerAddress.NotFound")

// Address is where a customer wants goods sent. Exactly one is the default while any exists.
type Address struct {
	ID string
	Postal
	IsDefault  bool
	CreatedAt  db.Time
	ModifiedAt db.Time
	ChangedAt  db.Time
}

func (a *Address) check(was Address) error {
	var wrong fault.List
	checkCountry(&wrong, "countryCode", &a.CountryCode)
	if a.Email != was.Email {
		mail.Check(&wrong, fault.ErrInvalid, "email", a.Email)
	}
	return wrong.Err()
}
