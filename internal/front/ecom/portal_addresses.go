package ecom

import (
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// PortalPostal is an address as a document or the address book keeps it.
type PortalPostal struct {
	wire.Postal
}

// PortalAddresses are the address book of a customer.
func PortalAddresses() rest.Group {
	return rest.Group{Tag: "PortalAddresses", Scope: rest.ScopeCustomer,
		Doc: "The addresses the customer wants goods sent to.", Ops: []rest.Op{
			rest.List("listPortalAddresses", "/portal/addresses", "The address book, the oldest first.",
				listPortalAddresses),
			rest.Create("createPortalAddress", "/portal/addresses", "Adds an address; the first is the default.",
				needs(portal.WriteAddresses, createPortalAddress)).
				Raises(portal.ErrDenied, party.ErrUnknownCode).
				Example(
					`{"name": "Nordic Tools, gate 3", "street1": "Hamngatan 1", "postalCode": "111 47", "city": "Stockholm", "countryCode": "SE"}`),
			rest.Patch("updatePortalAddress", "/portal/addresses/{id}", "Changes an address.", updatePortalAddress).
				Raises(party.ErrAddressNotFound, party.ErrUnknownCode).Example(`{"street1": "Hamngatan 3"}`),
			rest.Delete("deletePortalAddress", "/portal/addresses/{id}",
				"Removes an address; the oldest left becomes the default where it was it.", deletePortalAddress).
				Raises(party.ErrAddressNotFound),
			rest.Do("setDefaultAddress", "/portal/addresses/{id}/default", "Makes an address the default.",
				setDefaultAddress).
				Answers(204).Raises(party.ErrAddressNotFound),
		}}
}

// portalAddressFields are what may be written of an address.
type portalAddressFields struct {
	wire.Address
}

// PortalAddress is an address of the address book.
type PortalAddress struct {
	rest.Located `of:"ID" self:"/ecom/portal/addresses/"`
	ID           string `json:"id" format:"uuid"`
	portalAddressFields
	IsDefault bool `json:"isDefault"`
}

var (
	portalAddressesFields = rest.Alike[portalAddressFields, party.Address]()
	portalAddressOf       = rest.Shown[PortalAddress, party.Address]()
)

func listPortalAddresses(tx *db.Tx, in pageIn) (rest.Paged[PortalAddress], error) {
	found, err := party.Addresses(tx, storefront.Of(tx).Customer.Number, in.Record())
	return rest.PageOf(found, in.Paging, portalAddressOf), err
}

func createPortalAddress(tx *db.Tx, in rest.Sent[portalAddressFields]) (PortalAddress, error) {
	var a party.Address
	portalAddressesFields.Onto(in.Body, &a)
	a, err := party.CreateAddress(tx, storefront.Of(tx).Customer.Number, a)
	return portalAddressOf(a), err
}

func updatePortalAddress(tx *db.Tx,
	in rest.With[rest.ID, rest.Merge[portalAddressFields]]) (PortalAddress, error) {
	a, err := changeAddress(tx, in.At.ID, rest.Laid(in.Body, portalAddressesFields))
	return portalAddressOf(a), err
}

func changeAddress(tx *db.Tx, id string, edit func(*party.Address) error) (party.Address, error) {
	if err := portal.NeedFor(tx, portal.WriteAddresses, party.ErrAddressNotFound, id); err != nil {
		return party.Address{}, err
	}
	return party.UpdateAddress(tx, storefront.Of(tx).Customer.Number, id, edit)
}

func deletePortalAddress(tx *db.Tx, in rest.ID) (rest.NoContent, error) {
	if err := portal.NeedFor(tx, portal.WriteAddresses, party.ErrAddressNotFound, in.ID); err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{}, party.DeleteAddress(tx, storefront.Of(tx).Customer.Number, in.ID)
}

func setDefaultAddress(tx *db.Tx, in rest.ID) (rest.NoContent, error) {
	_, err := changeAddress(tx, in.ID, func(a *party.Address) error {
		a.IsDefault = true
		return nil
	})
	return rest.NoContent{}, err
}
