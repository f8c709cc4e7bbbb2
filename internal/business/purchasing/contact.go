package purchasing

import (
	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// Contact is a person at a supplier. Its stamps are its own; a change of it is a change of the supplier.
type Contact struct {
	ID            string
	Name          string
	Email         string
	Phone, Mobile string
	Role          string
	LanguageCode  string // ISO 639-1
	IsPrimary     bool   // the first to call: one of a supplier's at most
	IsActive      bool
	CreatedAt     db.Time
	ModifiedAt    db.Time
	ChangedAt     db.Time
}

func (c *Contact) check() error {
	var wrong fault.List
	if c.Email != "" && !mail.IsAddress(c.Email) {
		wrong.Add(ErrContactEmail, "email", "%q is no e-mail address", c.Email)
	}
	party.CheckLanguage(&wrong, ErrUnknownCode, &c.LanguageCode)
	return wrong.Err()
}

// CreateContact adds a contact. Supplier.NotFound, Supplier.UnknownCode, SupplierContact.EmailInvalid.
func CreateContact(tx *db.Tx, supplierNumber string, c Contact) (Contact, error) {
	owner, err := lockSupplier(tx, supplierNumber)
	if err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, err
	}
	at := tx.Stamp()
	c.ID, c.CreatedAt, c.ModifiedAt, c.ChangedAt = record.NewID(), at, 0, at
	if err := writeContact(tx, owner.ID, c); err != nil {
		return c, err
	}
	return c, Suppliers.Touched(tx, &owner.Root, owner.Number, "contact created",
		map[string][2]any{"contact": {nil, c}})
}

// ChangeContact lays edit over a contact. Supplier.NotFound, SupplierContact.NotFound and the codes of CreateContact.
func ChangeContact(tx *db.Tx, supplierNumber, id string, edit func(*Contact) error) (Contact, error) {
	owner, before, err := lockContact(tx, supplierNumber, id)
	if err != nil {
		return before, err
	}
	c := before
	if err := edit(&c); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, err
	}
	if c == before {
		return c, tx.Match(owner.ID, owner.ETag())
	}
	c.ModifiedAt = max(tx.Stamp(), before.ChangedAt+1)
	c.ChangedAt = c.ModifiedAt
	if err := writeContact(tx, owner.ID, c); err != nil {
		return c, err
	}
	return c, Suppliers.Touched(tx, &owner.Root, owner.Number, "contact changed", record.Diff(before, c))
}

// DeleteContact removes a contact. Supplier.NotFound, SupplierContact.NotFound.
func DeleteContact(tx *db.Tx, supplierNumber, id string) error {
	owner, before, err := lockContact(tx, supplierNumber, id)
	if err != nil {
		return err
	}
	if err := removeContact(tx, owner.ID, before.ID); err != nil {
		return err
	}
	return Suppliers.Touched(tx, &owner.Root, owner.Number, "contact deleted",
		map[string][2]any{"contact": {before, nil}})
}

func lockContact(tx *db.Tx, supplierNumber, id string) (owner Supplier, c Contact, err error) {
	if owner, err = lockSupplier(tx, supplierNumber); err != nil {
		return owner, c, err
	}
	c, err = FindContact(tx, owner.ID, id)
	return owner, c, err
}
