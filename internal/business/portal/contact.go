package portal

import (
	"cmp"
	"kontor/internal/business/channel"
	"kontor/internal/business/party"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// Invite adds a colleague to the visitor's customer, who comes in by a code, and mails them. Permission.Denied and what
// party.CreateContact refuses.
func Invite(tx *db.Tx, c party.Contact) (party.Contact, error) {
	v := storefront.Of(tx)
	if err := Need(tx, WriteContacts); err != nil {
		return c, err
	}
	if err := mail.CheckAddress("email", c.Email); err != nil {
		return c, err
	}
	c.IsActive, c.HasPortalAccess = true, true
	c.LanguageCode = cmp.Or(c.LanguageCode, language(v.Language))
	c, err := party.CreateContact(tx, v.Customer.Number, c)
	if err != nil {
		return c, err
	}
	return c, mail.Enqueue(tx, letters.ContactInvitation(c.LanguageCode, channel.Letterhead(tx, v.Channel),
		mail.Address{Name: c.Name, Email: c.Email}, letters.Invitation{By: v.Contact.Name, Link: v.Channel.URL()}))
}

// ChangeContact changes a colleague. CustomerContact.NotFound, CustomerContact.LastAdmin.
func ChangeContact(tx *db.Tx, id string, edit func(*party.Contact) error) (party.Contact, error) {
	if err := NeedFor(tx, WriteContacts, party.ErrContactNotFound, id); err != nil {
		return party.Contact{}, err
	}
	c, err := party.UpdateContact(tx, storefront.Of(tx).Customer.Number, id, edit)
	if err != nil {
		return c, err
	}
	return c, keepAdmin(tx)
}

// RemoveContact removes a colleague, whose sessions end. CustomerContact.NotFound, CustomerContact.LastAdmin.
func RemoveContact(tx *db.Tx, id string) error {
	if err := NeedFor(tx, WriteContacts, party.ErrContactNotFound, id); err != nil {
		return err
	}
	if err := party.DeleteContact(tx, storefront.Of(tx).Customer.Number, id); err != nil {
		return err
	}
	return keepAdmin(tx)
}

// keepAdmin refuses what has left the visitor's customer without an administrator.
func keepAdmin(tx *db.Tx) error {
	n, err := countAdmins(tx, storefront.Of(tx).Customer.ID)
	return ErrLastAdmin.When(n == 0, err, "somebody has to administer the colleagues: make another contact Admin first")
}

// Self reads the contact who is signed in.
func Self(tx *db.Tx) (party.Contact, error) {
	v := storefront.Of(tx)
	return party.FindContact(tx, v.Customer.ID, v.Contact.ID)
}
