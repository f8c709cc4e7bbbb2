package purchasing

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const contactColumns = "id, name, email, phone, mobile, role, language_code, is_primary, is_active, created_at, modified_at, changed_at"

func scanContact(r db.Row, c *Contact) error {
	return r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone, &c.Mobile, &c.Role, &c.LanguageCode, &c.IsPrimary, &c.IsActive,
		&c.CreatedAt, &c.ModifiedAt, &c.ChangedAt)
}

// Contacts are the people at a supplier, oldest first. Supplier.NotFound.
func Contacts(tx *db.Tx, supplierNumber string, p record.Page) (record.Found[Contact], error) {
	s, err := FindSupplier(tx, supplierNumber)
	if err != nil {
		return record.Found[Contact]{}, err
	}
	q := record.Query{Name: "purchasing.Contacts", Select: contactColumns, From: "supplier_contact",
		Key: []record.Order{{Column: "id"}}, Stamp: "changed_at"}
	q.Where("supplier_id = :supplier", db.Args{"supplier": s.ID})
	return record.ListOf(tx, q, p, scanContact)
}

// FindContact reads a contact of a supplier. SupplierContact.NotFound.
func FindContact(tx *db.Tx, supplierID, id string) (c Contact, err error) {
	err = tx.Each(`-- purchasing.FindContact
		select `+contactColumns+
		` from supplier_contact where company = :company and supplier_id = :supplier and id = :id`,
		db.Args{"supplier": supplierID, "id": strings.ToLower(id)}, func(r db.Row) error { return scanContact(r, &c) })
	if err == nil && c.ID == "" {
		err = ErrContactNotFound.Because("the supplier has no contact %q", id)
	}
	return c, err
}

// writeContact writes a contact, new or changed. One who becomes the first to call takes the place of whoever was.
func writeContact(tx *db.Tx, supplierID string, c Contact) error {
	if c.IsPrimary {
		if _, err := tx.Exec(`-- purchasing.writeContact
			update supplier_contact set is_primary = 0, modified_at = :stamp, changed_at = :stamp
			where company = :company and supplier_id = :supplier and id <> :id and is_primary = 1`,
			db.Args{"supplier": supplierID, "id": c.ID, "stamp": c.ChangedAt}); err != nil {
			return err
		}
	}
	return tx.Upsert("supplier_contact", "supplier_id, "+contactColumns, 1, func(int) []any {
		return []any{supplierID, c.ID, c.Name, c.Email, c.Phone, c.Mobile, c.Role, c.LanguageCode, c.IsPrimary,
			c.IsActive, c.CreatedAt, c.ModifiedAt, c.ChangedAt}
	}, `on conflict (company, supplier_id, id) do update set name = excluded.name, email = excluded.email, phone = excluded.phone,
		mobile = excluded.mobile, role = excluded.role, language_code = excluded.language_code, is_primary = excluded.is_primary,
		is_active = excluded.is_active, modified_at = excluded.modified_at, changed_at = excluded.changed_at`)
}

func removeContact(tx *db.Tx, supplierID, id string) error {
	_, err := tx.Exec(`-- purchasing.removeContact
		delete from supplier_contact where company = :company and supplier_id = :supplier and id = :id`,
		db.Args{"supplier": supplierID, "id": id})
	return err
}
