package preview

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

type contactFields struct {
	Name            string    `json:"name" req:"true" text:"name"`
	Email           rest.Text `json:"email" text:"name"`
	Phone           rest.Text `json:"phone"`
	Mobile          rest.Text `json:"mobile"`
	Role            rest.Text `json:"role" text:"name"`
	LanguageCode    rest.Text `json:"languageCode" doc:"ISO 639-1." example:"sv"`
	IsPrimary       bool      `json:"isPrimary" doc:"One contact of a customer is; making another so takes it from the first."`
	IsActive        bool      `json:"isActive" default:"true"`
	HasPortalAccess bool      `json:"hasPortalAccess" doc:"Signs in to the customer portal; needs an e-mail, unique in the company."`
}

// Contact is a contact person on the wire.
type Contact struct {
	ContactID string `json:"contactId" format:"uuid"`
	contactFields
	CreatedDate  db.Time   `json:"createdDate"`
	ModifiedDate rest.Time `json:"modifiedDate"`
	rest.Located
}

func contactFieldsOf(c party.Contact) contactFields {
	return contactFields{Name: c.Name, Email: rest.Text(c.Email), Phone: rest.Text(c.Phone),
		Mobile: rest.Text(c.Mobile), Role: rest.Text(c.Role), LanguageCode: rest.Text(c.LanguageCode),
		IsPrimary: c.IsPrimary, IsActive: c.IsActive, HasPortalAccess: c.HasPortalAccess}
}

func (f contactFields) onto(c *party.Contact) {
	c.Name, c.Email, c.Phone, c.Mobile, c.Role = f.Name, string(f.Email), string(f.Phone), string(f.Mobile),
		string(f.Role)
	c.LanguageCode, c.IsPrimary, c.IsActive, c.HasPortalAccess = string(f.LanguageCode), f.IsPrimary, f.IsActive,
		f.HasPortalAccess
}

var shownContact = rest.Shows(contactOf)

func contactOf(c party.Contact) Contact {
	return Contact{ContactID: c.ID, contactFields: contactFieldsOf(c), CreatedDate: c.CreatedAt,
		ModifiedDate: rest.Time(c.ModifiedAt)}
}

func createContact(tx *db.Tx, in rest.With[rest.Key, contactFields]) (Contact, error) {
	var c party.Contact
	in.Body.onto(&c)
	c, err := party.CreateContact(tx, in.At.Key, c)
	out := contactOf(c)
	out.Location = rest.Self("/preview/customers/", in.At.Key, "contacts", c.ID).Self
	return out, err
}

// postalFields are an address as requests and answers carry it: the specification's DeliveryAddress.
type postalFields struct {
	Name          rest.Text `json:"name" text:"name"`
	ContactPerson rest.Text `json:"contactPerson" text:"name"`
	Street1       rest.Text `json:"street1" text:"name"`
	Street2       rest.Text `json:"street2" text:"name"`
	PostalCode    rest.Text `json:"postalCode"`
	City          rest.Text `json:"city" text:"name"`
	CountryCode   rest.Text `json:"countryCode" doc:"ISO 3166-1 alpha-2." example:"SE"`
	Email         rest.Text `json:"email" text:"name"`
	Phone         rest.Text `json:"phone"`
}

func postalFieldsOf(p party.Postal) postalFields {
	return postalFields{rest.Text(p.Name), rest.Text(p.ContactPerson), rest.Text(p.Street1), rest.Text(p.Street2),
		rest.Text(p.PostalCode), rest.Text(p.City), rest.Text(p.CountryCode), rest.Text(p.Email), rest.Text(p.Phone)}
}

func (f postalFields) postal() party.Postal {
	return party.Postal{Name: string(f.Name), ContactPerson: string(f.ContactPerson), Street1: string(f.Street1),
		Street2: string(f.Street2), PostalCode: string(f.PostalCode), City: string(f.City),
		CountryCode: string(f.CountryCode), Email: string(f.Email), Phone: string(f.Phone)}
}

type addressFields struct {
	Name          rest.Text `json:"name" text:"name"`
	ContactPerson rest.Text `json:"contactPerson" text:"name"`
	Street1       rest.Text `json:"street1" text:"name"`
	Street2       rest.Text `json:"street2" text:"name"`
	PostalCode    rest.Text `json:"postalCode"`
	City          rest.Text `json:"city" text:"name"`
	CountryCode   string    `json:"countryCode" req:"true" doc:"ISO 3166-1 alpha-2." example:"SE"`
	Email         rest.Text `json:"email" text:"name"`
	Phone         rest.Text `json:"phone"`
	IsDefault     bool      `json:"isDefault" doc:"Exactly one address is, while any exists."`
}

// Address is a customer's delivery address on the wire.
type Address struct {
	AddressID string `json:"addressId" format:"uuid"`
	addressFields
	CreatedDate  db.Time   `json:"createdDate"`
	ModifiedDate rest.Time `json:"modifiedDate"`
	rest.Located
}

func addressFieldsOf(a party.Address) addressFields {
	p := postalFieldsOf(a.Postal)
	return addressFields{p.Name, p.ContactPerson, p.Street1, p.Street2, p.PostalCode, p.City, a.CountryCode, p.Email,
		p.Phone, a.IsDefault}
}

func (f addressFields) onto(a *party.Address) {
	a.Postal = postalFields{f.Name, f.ContactPerson, f.Street1, f.Street2, f.PostalCode, f.City,
		rest.Text(f.CountryCode), f.Email, f.Phone}.postal()
	a.IsDefault = f.IsDefault
}

var shownAddress = rest.Shows(addressOf)

func addressOf(a party.Address) Address {
	return Address{AddressID: a.ID, addressFields: addressFieldsOf(a), CreatedDate: a.CreatedAt,
		ModifiedDate: rest.Time(a.ModifiedAt)}
}

func createAddress(tx *db.Tx, in rest.With[rest.Key, addressFields]) (Address, error) {
	var a party.Address
	in.Body.onto(&a)
	a, err := party.CreateAddress(tx, in.At.Key, a)
	out := addressOf(a)
	out.Location = rest.Self("/preview/customers/", in.At.Key, "delivery-addresses", a.ID).Self
	return out, err
}
