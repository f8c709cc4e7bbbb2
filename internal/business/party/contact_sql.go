package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const contactColumns = "id, name, email, phone, mobile, role, language_code, is_primary, is_active, has_portal_access, password_hash, created_at, modified_at, changed_at"

func scanContact(r db.Row, c *Contact) error {
	return r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone, &c.Mobile, &c.Role, &c.LanguageCode, &c.IsPrimary, &c.IsActive,
		&c.HasPortalAccess, &c.PasswordHash, &c.CreatedAt, &c.ModifiedAt, &c.ChangedAt)
}

// Contacts reads a page of a customer's contacts, oldest first. Customer.NotFound.
func Contacts(tx *db.Tx, number string, p record.Page) (record.Found[Contact], error) {
	c, err := Find(tx, number)
	if err != nil {
		return record.Found[Contact]{}, err
	}
	q := record.Query{Name: "party.Contacts", Select: contactColumns, From: "customer_contact",
		Key: []record.Order{{Column: "id"}}, Stamp: "changed_at"}
	q.Where("customer_id = :customer", db.Args{"customer": c.ID})
	return record.ListOf(tx, q, p, scanContact)
}

// CreateContact adds a contact. Customer.NotFound, CustomerContact.EmailRequired, .EmailInvalid, .EmailTaken.
func CreateContact(tx *db.Tx, number string, c Contact) (Contact, error) {
	owner, err := lock(tx, number)
	if err != nil {
		return c, err
	}
	at := tx.Stamp()
	c.ID, c.CreatedAt, c.ModifiedAt, c.ChangedAt = record.NewID(), at, 0, at
	err = saveContact(tx, owner, nil, &c)
	return c, err
}

// UpdateContact changes a contact. CustomerContact.NotFound and the codes of CreateContact.
func UpdateContact(tx *db.Tx, number, id string, edit func(*Contact) error) (Contact, error) {
	owner, before, err := findContact(tx, number, id)
	if err != nil {
		return before, err
	}
	c := before
	if err := edit(&c); err != nil {
		return c, err
	}
	if record.Fold(c.Email) != record.Fold(before.Email) {
		c.PasswordHash = "" // it was chosen by who reads the mails of the other address
	}
	if c == before {
		return c, tx.Match(owner.ID, owner.ETag())
	}
	c.ModifiedAt = max(tx.Stamp(), before.ChangedAt+1)
	c.ChangedAt = c.ModifiedAt
	if err := saveContact(tx, owner, &before, &c); err != nil {
		return c, err
	}
	if record.Fold(c.Email) != record.Fold(before.Email) {
		if err := tx.Fire(EmailMoved{c.ID}); err != nil {
			return c, err
		}
	}
	if !c.comesIn() || before.comesIn() {
		return c, nil
	}
	return c, tx.Fire(PortalOpened{c})
}

// DeleteContact removes a contact. Customer.NotFound, CustomerContact.NotFound.
func DeleteContact(tx *db.Tx, number, id string) error {
	owner, before, err := findContact(tx, number, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`-- party.DeleteContact
		delete from customer_contact where company = :company and customer_id = :customer and id = :id`,
		db.Args{"customer": owner.ID, "id": id}); err != nil {
		return err
	}
	return Resource.Touched(tx, &owner.Root, owner.Number, "contact deleted",
		map[string][2]any{"contact": {before, nil}})
}

func findContact(tx *db.Tx, number, id string) (owner Customer, c Contact, err error) {
	if owner, err = lock(tx, number); err != nil {
		return owner, c, err
	}
	c, err = FindContact(tx, owner.ID, id)
	return owner, c, err
}

// FindContact reads a contact of a customer. CustomerContact.NotFound.
func FindContact(tx *db.Tx, customerID, id string) (c Contact, err error) {
	found := false
	err = tx.Each(`-- party.FindContact
		select `+contactColumns+
		` from customer_contact where company = :company and customer_id = :customer and id = :id`,
		db.Args{"customer": customerID, "id": id}, func(r db.Row) error {
			found = true
			return scanContact(r, &c)
		})
	if err == nil && !found {
		err = ErrContactNotFound.Because("the customer has no contact %q", id)
	}
	return c, err
}

// ContactByEmail finds the active contact that an address belongs to: the one who signs in with it, in the whole
// company; else one of the customer's people, where a customer is named.
func ContactByEmail(tx *db.Tx, customerID, email string) (c Contact, found bool, err error) {
	err = tx.Each(`-- party.ContactByEmail
		select `+contactColumns+` from customer_contact
		where company = :company and email_key = :email and is_active = 1 and (has_portal_access = 1 or customer_id = :customer)
		order by has_portal_access desc, is_primary desc, id limit 1`,
		db.Args{"email": record.Fold(email), "customer": customerID}, func(r db.Row) error {
			found = true
			return scanContact(r, &c)
		})
	return c, found, err
}

// CustomerByEmail is the number of the customer that the contact who signs in with an address acts for.
func CustomerByEmail(tx *db.Tx, email string) (number string, found bool, err error) {
	found, err = tx.One(`-- party.CustomerByEmail
		select c.number from customer_contact p join customer c on c.company = p.company and c.id = p.customer_id
		where p.company = :company and p.email_key = :email and p.has_portal_access = 1 and p.is_active = 1`,
		db.Args{"email": record.Fold(email)}, &number)
	return number, found, err
}

// saveContact writes a contact, new when before is nil, and reports it as a change of its customer.
func saveContact(tx *db.Tx, owner Customer, before, c *Contact) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := portalEmailFree(tx, *c); err != nil {
		return err
	}
	if c.IsPrimary { // one person is the first to call
		if _, err := tx.Exec(`-- party.saveContact
			update customer_contact set is_primary = 0, modified_at = :stamp, changed_at = :stamp
			where company = :company and customer_id = :customer and id <> :id and is_primary = 1`,
			db.Args{"customer": owner.ID, "id": c.ID, "stamp": c.ChangedAt}); err != nil {
			return err
		}
	}
	err := tx.Upsert("customer_contact", "customer_id, email_key, "+contactColumns, 1, func(int) []any {
		return []any{owner.ID, record.Fold(c.Email), c.ID, c.Name, c.Email, c.Phone, c.Mobile, c.Role, c.LanguageCode,
			c.IsPrimary, c.IsActive, c.HasPortalAccess, c.PasswordHash, c.CreatedAt, c.ModifiedAt, c.ChangedAt}
	}, `on conflict (company, customer_id, id) do update set name = excluded.name, email = excluded.email, email_key = excluded.email_key,
		phone = excluded.phone, mobile = excluded.mobile, role = excluded.role, language_code = excluded.language_code,
		is_primary = excluded.is_primary, is_active = excluded.is_active, has_portal_access = excluded.has_portal_access,
		password_hash = excluded.password_hash, modified_at = excluded.modified_at, changed_at = excluded.changed_at`)
	if err != nil {
		return err
	}
	if before == nil {
		return Resource.Touched(tx, &owner.Root, owner.Number, "contact created",
			map[string][2]any{"contact": {nil, *c}})
	}
	return Resource.Touched(tx, &owner.Root, owner.Number, "contact changed", record.Diff(*before, *c))
}

// portalEmailFree refuses an e-mail with which somebody else of the company signs in. The unique index is the second
// wall.
func portalEmailFree(tx *db.Tx, c Contact) error {
	if !c.HasPortalAccess {
		return nil
	}
	var other string
	taken, err := tx.One(`-- party.portalEmailFree
		select id from customer_contact where company = :company and email_key = :email and has_portal_access = 1 and id <> :id`,
		db.Args{"email": record.Fold(c.Email), "id": c.ID}, &other)
	if err == nil && taken {
		err = ErrEmailTaken.Because("another contact signs in with %s: portal e-mails are unique in the company",
			c.Email)
	}
	return err
}

// MailAddresses tells the folded mail addresses of the active people of active customers, with the customer's folded
// number; of those of a group, "" = of all.
func MailAddresses(tx *db.Tx, groupCode string, fn func(customer, email string)) error {
	narrow, args := "", db.Args{}
	if groupCode != "" {
		narrow, args["group"] = " and c.group_code = :group", groupCode
	}
	return tx.Each(`-- party.MailAddresses whole
		select c.number_key, p.email_key from customer c join customer_contact p on p.company = :company and p.customer_id = c.id
		where c.company = :company and c.is_active = 1 and p.is_active = 1 and p.email_key <> ''`+narrow, args,
		func(r db.Row) error {
			var customer, email string
			err := r.Scan(&customer, &email)
			fn(customer, email)
			return err
		})
}
