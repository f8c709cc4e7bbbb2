package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// ContactByEmail finds the active contact that an address belongs to: the one who signs in with it, in the whole
// company; else one of the customer's people, where a customer is named.
func ContactByEmail(tx *db.Tx, customerID, email string) (c Contact, found bool, err error) {
	found, err = tx.One(`-- party.ContactByEmail
		select `+contactColumns+` from customer_contact
		where company = :company and email_key = :email and is_active = 1 and (has_portal_access = 1 or customer_id = :customer)
		order by has_portal_access desc, is_primary desc, id limit 1`,
		db.Args{"email": record.Fold(email), "customer": customerID}, contactRow.Of(&c)...)
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

// portalEmailFree refuses an e-mail with which somebody else of the company signs in. The unique index is the second
// wall.
func portalEmailFree(tx *db.Tx, c Contact) error {
	var other string
	taken, err := tx.One(`-- party.portalEmailFree
		select id from customer_contact where company = :company and email_key = :email and has_portal_access = 1 and id <> :id`,
		db.Args{"email": record.Fold(c.Email), "id": c.ID}, &other)
	return ErrEmailTaken.When(taken, err,
		"another contact signs in with %s: portal e-mails are unique in the company", c.Email)
}

// MailAddresses tells the folded mail addresses of the active people of active customers, with the customer's folded
// number; of those of a group, "" = of all.
func MailAddresses(tx *db.Tx, groupCode string, fn func(customer, email string)) error {
	narrow, args := "", db.Args{}
	if groupCode != "" {
		narrow, args["group"] = " and c.group_code = :group", groupCode
	}
	return db.Each2(tx, `-- party.MailAddresses whole
		select c.number_key, p.email_key from customer c join customer_contact p on p.company = :company and p.customer_id = c.id
		where c.company = :company and c.is_active = 1 and p.is_active = 1 and p.email_key <> ''`+narrow, args,
		func(customer, email string) error {
			fn(customer, email)
			return nil
		})
}
