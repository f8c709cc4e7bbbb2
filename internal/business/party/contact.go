package party

import (
	"strings"

	"golang.org/x/text/language"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// Codes of contacts.
var (
	ErrContactNotFound = fault.New(fault.NotFound, "CustomerContact.NotFound")
	ErrPortalEmail     = fault.New(fault.Invalid, "CustomerContact.EmailRequired")
	ErrEmailTaken      = fault.New(fault.Conflict, "CustomerContact.EmailTaken")
	ErrEmailInvalid    = fault.New(fault.Invalid, "CustomerContact.EmailInvalid")
)

// Contact is a person at a customer. Its stamps are its own; a change of it is a change of the customer.
type Contact struct {
	ID              string
	Name            string
	Email           string
	Phone, Mobile   string
	Role            string
	LanguageCode    string // ISO 639-1
	IsPrimary       bool
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

func (c *Contact) check() error {
	var wrong fault.List
	switch {
	case c.Email == "" && c.HasPortalAccess:
		wrong.Add(ErrPortalEmail, "email",
			"a contact with portal access signs in with an e-mail: give one, or set hasPortalAccess to false")
	case c.Email != "" && !mail.IsAddress(c.Email):
		wrong.Add(ErrEmailInvalid, "email", "%q is no e-mail address", c.Email)
	}
	CheckLanguage(&wrong, ErrUnknownCode, &c.LanguageCode)
	return wrong.Err()
}

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
