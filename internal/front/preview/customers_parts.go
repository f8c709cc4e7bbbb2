package preview

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

type contactFields struct {
	wire.Person
	IsPrimary       bool `json:"isPrimary" doc:"One contact of a customer is; making another so takes it from the first."`
	IsActive        bool `json:"isActive" default:"true"`
	HasPortalAccess bool `json:"hasPortalAccess" doc:"Signs in to the customer portal; needs an e-mail, unique in the company."`
}

// Contact is a contact person on the wire.
type Contact struct {
	ContactID string `json:"contactId" of:"ID" format:"uuid"`
	contactFields
	rest.Stamps
	rest.Located
}

var contactWritten = rest.Written[contactFields, party.Contact]()

var shownContact = rest.Shows(contactOf)

var contactOf = rest.Shown[Contact, party.Contact]()

func createContact(tx *db.Tx, in rest.With[rest.Key, contactFields]) (Contact, error) {
	c, err := party.CreateContact(tx, in.At.Key, contactWritten(in.Body))
	out := contactOf(c)
	out.Location = rest.Self("/preview/customers/", in.At.Key, "contacts", c.ID).Self
	return out, err
}

// postalFields are an address as requests and answers carry it: the specification's DeliveryAddress.
type postalFields struct {
	wire.Postal
}

type addressFields struct {
	wire.Address
	IsDefault bool `json:"isDefault" doc:"Exactly one address is, while any exists."`
}

// Address is a customer's delivery address on the wire.
type Address struct {
	AddressID string `json:"addressId" of:"ID" format:"uuid"`
	addressFields
	rest.Stamps
	rest.Located
}

var addressWritten = rest.Written[addressFields, party.Address]()

var shownAddress = rest.Shows(addressOf)

var addressOf = rest.Shown[Address, party.Address]()

func createAddress(tx *db.Tx, in rest.With[rest.Key, addressFields]) (Address, error) {
	a, err := party.CreateAddress(tx, in.At.Key, addressWritten(in.Body))
	out := addressOf(a)
	out.Location = rest.Self("/preview/customers/", in.At.Key, "delivery-addresses", a.ID).Self
	return out, err
}
