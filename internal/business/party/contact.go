package party

import (
	"strings"

	"golang.org/x/text/language"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Codes of contacts.
var (
	ErrContactNotFound = fault.New(fault.NotFound, "CustomerContact.NotFound")
	ErrPortalEmail     = fault.New(fault.Invalid, "CustomerContact.EmailRequired")
	ErrEmailTaken      = fault.New(fault.Conflict, "CustomerContact.EmailTaken")
	ErrEmailInvalid    = fault.New(fault.Invalid, "CustomerContact.EmailInvalid")
)

// Contact is a person at a customer, or at a supplier. Its stamps are its own; a change of it is a change of whom it
// belongs to.
type Contact struct {
	ID              string
	Name            string
	Email           string
	Phone, Mobile   string
	Role            string
	LanguageCode    string // ISO 639-1
	IsPrimary       bool   // the first to call: one of all at most
	IsActive        bool
	HasPortalAccess bool   // signs in to the customer portal with the e-mail
	PasswordHash    string `log:"-"`
	CreatedAt       db.Time
	ModifiedAt      db.Time
	ChangedAt       db.Time
}

// PortalOpened is fired when a contact that could not come into the customer portal may from now on.
type PortalOpened struct{ Contact Contact }

// EmailMoved is fired when a contact has got another e-mail: who came in by the one before is to come in anew.
type EmailMoved struct{ ContactID string }

// comesIn reports whether the contact may come into the customer portal.
func (c Contact) comesIn() bool { return c.HasPortalAccess && c.IsActive }

// people are the contacts of customers.
var people = People{Resource: Resource, Table: "customer_contact", Owner: "customer_id", SignIn: true,
	EmailInvalid: ErrEmailInvalid, UnknownCode: ErrUnknownCode,
	Lock: func(tx *db.Tx, number string) (record.Root, string, error) {
		c, err := customers.Lock(tx, number)
		return c.Root, c.Number, err
	},
	Missing: func(id string) error { return ErrContactNotFound.Because("the customer has no contact %q", id) }}

// Contacts reads a page of a customer's contacts, oldest first. Customer.NotFound.
func Contacts(tx *db.Tx, number string, p record.Page) (record.Found[Contact], error) {
	c, err := Find(tx, number)
	if err != nil {
		return record.Found[Contact]{}, err
	}
	return people.ListContacts(tx, c.ID, p)
}

// FindContact reads a contact of a customer. CustomerContact.NotFound.
func FindContact(tx *db.Tx, customerID, id string) (Contact, error) {
	return people.FindContact(tx, customerID, id)
}

// CreateContact adds a contact. Customer.NotFound, CustomerContact.EmailRequired, .EmailInvalid, .EmailTaken.
func CreateContact(tx *db.Tx, number string, c Contact) (Contact, error) {
	return people.Create(tx, number, c)
}

// UpdateContact changes a contact. CustomerContact.NotFound and the codes of CreateContact.
func UpdateContact(tx *db.Tx, number, id string, edit func(*Contact) error) (Contact, error) {
	before, c, err := people.Change(tx, number, id, func(c *Contact) error {
		email := record.Fold(c.Email)
		err := edit(c)
		if record.Fold(c.Email) != email {
			c.PasswordHash = "" // it was chosen by who reads the mails of the other address
		}
		return err
	})
	if err == nil && record.Fold(c.Email) != record.Fold(before.Email) {
		err = tx.Fire(EmailMoved{c.ID})
	}
	if err != nil || !c.comesIn() || before.comesIn() {
		return c, err
	}
	return c, tx.Fire(PortalOpened{c})
}

// DeleteContact removes a contact. Customer.NotFound, CustomerContact.NotFound.
func DeleteContact(tx *db.Tx, number, id string) error { return people.Delete(tx, number, id) }

// CheckLanguage notes a languageCode that is none of ISO 639-1 as wrong, and writes the others small.
func CheckLanguage(wrong *fault.List, code fault.Code, languageCode *string) {
	if *languageCode == "" {
		return
	}
	small := strings.ToLower(*languageCode)
	if base, err := language.ParseBase(small); err != nil || len(small) != 2 || base.String() != small {
		wrong.Add(code, "languageCode", "%q is no language: write its ISO 639-1 code, such as sv", *languageCode)
		return
	}
	*languageCode = small
}
