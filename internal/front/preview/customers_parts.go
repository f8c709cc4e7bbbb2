package preview

import (
	"kontor/internal/business/party"
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
	rest.Tag  `of:"-"`
	ContactID string `json:"contactId" of:"ID" format:"uuid"`
	contactFields
	rest.Stamps
	rest.Located `of:"ID" self:""`
}

var shownContact = rest.ShowsPart(rest.Shown[Contact, party.Contact]())

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
	rest.Tag  `of:"-"`
	AddressID string `json:"addressId" of:"ID" format:"uuid"`
	addressFields
	rest.Stamps
	rest.Located `of:"ID" self:""`
}

var shownAddress = rest.ShowsPart(rest.Shown[Address, party.Address]())
