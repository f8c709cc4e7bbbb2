package party

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	personColumns  = "id, name, email, phone, mobile, role, language_code, is_primary, is_active, created_at, modified_at, changed_at"
	contactColumns = personColumns + ", has_portal_access, password_hash"
)

var personRow, contactRow = db.Map[Contact](personColumns), db.Map[Contact](contactColumns)

// row is what is kept of a contact.
func (p *People) row() (columns string, row db.Mapping[Contact]) {
	if p.SignIn {
		return contactColumns, contactRow
	}
	return personColumns, personRow
}

// ListContacts reads a page of an owner's contacts, the oldest first.
func (p *People) ListContacts(tx *db.Tx, ownerID string, page record.Page) (record.Found[Contact], error) {
	columns, row := p.row()
	q := record.Query{Name: "party.ListContacts", Select: columns, From: p.Table, Key: []string{"id"},
		Stamp: "changed_at"}
	q.Where(p.Owner+" = :owner", db.Args{"owner": ownerID})
	return record.ListOf(tx, q, page, row.Scan)
}

// every is all contacts of an owner.
func (p *People) every(tx *db.Tx, ownerID string) ([]Contact, error) {
	columns, row := p.row()
	return db.Rows(tx, `-- party.every
		select `+columns+` from `+p.Table+` where company = :company and `+p.Owner+` = :owner order by id`,
		db.Args{"owner": ownerID}, row.Scan)
}

// Everybody puts all contacts into a map: by id their name, and whose they are.
func (p *People) Everybody(tx *db.Tx, into map[string]string) error {
	return db.Each3(tx, `-- party.People.Everybody whole
		select c.id, c.name, o.number from `+p.Table+` c
		join `+p.Resource.Table+` o on o.company = c.company and o.id = c.`+p.Owner+`
		where c.company = :company`, nil, func(id, name, number string) error {
		into[id] = name + " of " + p.Resource.Name + " " + number
		return nil
	})
}

// FindContact reads a contact of an owner. Refuses as Missing does.
func (p *People) FindContact(tx *db.Tx, ownerID, id string) (c Contact, err error) {
	columns, row := p.row()
	found, err := tx.One(`-- party.FindContact
		select `+columns+` from `+p.Table+` where company = :company and `+p.Owner+` = :owner and id = :id`,
		db.Args{"owner": ownerID, "id": strings.ToLower(id)}, row.Of(&c)...)
	if err == nil && !found {
		err = p.Missing(id)
	}
	return c, err
}

// writeContact writes a contact, new or changed. One who becomes the first to call takes the place of whoever was.
func (p *People) writeContact(tx *db.Tx, ownerID string, c *Contact) error {
	if c.IsPrimary {
		if _, err := tx.Exec(`-- party.writeContact
			update `+p.Table+` set is_primary = 0, modified_at = :stamp, changed_at = :stamp
			where company = :company and `+p.Owner+` = :owner and id <> :id and is_primary = 1`,
			db.Args{"owner": ownerID, "id": c.ID, "stamp": c.ChangedAt}); err != nil {
			return err
		}
	}
	columns, row := p.row()
	values := append(row.Of(c), ownerID)
	if columns += ", " + p.Owner; p.SignIn {
		columns, values = columns+", email_key", append(values, record.Fold(c.Email))
	}
	return tx.Upsert(p.Table, columns, 1, func(int) []any { return values }, db.Overwriting(p.Owner+", id", columns))
}

func (p *People) removeContact(tx *db.Tx, ownerID, id string) error {
	return tx.Run(`-- party.removeContact
		delete from `+p.Table+` where company = :company and `+p.Owner+` = :owner and id = :id`,
		db.Args{"owner": ownerID, "id": id})
}
