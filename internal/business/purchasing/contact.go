package purchasing

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Contact is a person at a supplier; nobody of them signs in.
type Contact = party.Contact

// people are the contacts of suppliers.
var people = party.People{Resource: Suppliers, Table: "supplier_contact", Owner: "supplier_id",
	EmailInvalid: ErrContactEmail, UnknownCode: ErrUnknownCode,
	Lock: func(tx *db.Tx, number string) (record.Root, string, error) {
		s, err := suppliers.Lock(tx, number)
		return s.Root, s.Number, err
	},
	Missing: func(id string) error { return ErrContactNotFound.Because("the supplier has no contact %q", id) }}

// Contacts are the people at a supplier, oldest first. Supplier.NotFound.
func Contacts(tx *db.Tx, supplierNumber string, p record.Page) (record.Found[Contact], error) {
	s, err := FindSupplier(tx, supplierNumber)
	if err != nil {
		return record.Found[Contact]{}, err
	}
	return people.ListContacts(tx, s.ID, p)
}

// FindContact reads a contact of a supplier. SupplierContact.NotFound.
func FindContact(tx *db.Tx, supplierID, id string) (Contact, error) {
	return people.FindContact(tx, supplierID, id)
}

// CreateContact adds a contact. Supplier.NotFound, Supplier.UnknownCode, SupplierContact.EmailInvalid.
func CreateContact(tx *db.Tx, supplierNumber string, c Contact) (Contact, error) {
	return people.Create(tx, supplierNumber, c)
}

// ChangeContact lays edit over a contact. Supplier.NotFound, SupplierContact.NotFound and the codes of CreateContact.
func ChangeContact(tx *db.Tx, supplierNumber, id string, edit func(*Contact) error) (Contact, error) {
	_, c, err := people.Change(tx, supplierNumber, id, edit)
	return c, err
}

// DeleteContact removes a contact. Supplier.NotFound, SupplierContact.NotFound.
func DeleteContact(tx *db.Tx, supplierNumber, id string) error {
	return people.Delete(tx, supplierNumber, id)
}

// Everybody puts all contacts into a map, by id.
func Everybody(tx *db.Tx, into map[string]string) error { return people.Everybody(tx, into) }
