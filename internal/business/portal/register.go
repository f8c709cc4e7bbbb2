package portal

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"kontor/internal/business/channel"
	"kontor/internal/business/party"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// How long what somebody typed waits for its code, and an account for being let in.
const (
	registrationKept = 24 * time.Hour
	waitingKept      = 365 * 24 * time.Hour
)

// Account is what somebody says who wants one.
type Account struct {
	Email              string `json:"email"`
	FirstName          string `json:"firstName"`
	LastName           string `json:"lastName"`
	CompanyName        string `json:"companyName,omitempty"`
	OrganizationNumber string `json:"organizationNumber,omitempty"`
	VATNumber          string `json:"vatNumber,omitempty"`
	Phone              string `json:"phone,omitempty"`

	Channel  string `json:"channel,omitempty"`
	Language string `json:"language,omitempty"`
	Country  string `json:"country,omitempty"`
	Currency string `json:"currency,omitempty"`
	Waits    bool   `json:"waits,omitempty"` // the store lets accounts in itself
}

func (a Account) name() string { return strings.TrimSpace(a.FirstName + " " + a.LastName) }

// CheckRegistration refuses a registration that cannot be, before its password is hashed. Permission.Denied,
// Mail.Invalid, Auth.PasswordInvalid.
func CheckRegistration(tx *db.Tx, a Account, password string) error {
	if !storefront.Of(tx).Channel.Store.Offers().Registration {
		return ErrDenied.Because("this store opens no accounts by itself: ask it for one")
	}
	var wrong fault.List
	for _, err := range []error{mail.CheckAddress("email", a.Email), CheckPassword("password", password)} {
		if err := wrong.AddError(err); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// Register keeps what somebody typed and mails a code to the address; the account is made when the code comes back. Who
// has the address already gets another letter, and whoever typed it is answered the same. Mail.Invalid.
func Register(tx *db.Tx, a Account, passwordHash string) error {
	v := storefront.Of(tx)
	a.Channel, a.Language, a.Country, a.Currency, a.Waits = v.Channel.Code, v.Language, v.Country,
		v.Channel.CurrencyCode, v.Channel.Store.NeedsSignUp
	details, err := json.Marshal(a)
	if err != nil {
		return err
	}
	err = issue(tx, codeJob{Email: a.Email, Purpose: OneTimeLogin, IsSignUp: true, Channel: v.Channel.Code,
		Language: v.Language})
	if err != nil {
		return err
	}
	return writeRegistration(tx, registration{SessionID: v.Session.ID, Email: a.Email, PasswordHash: passwordHash,
		Details: string(details)},
		tx.Now.Add(registrationKept))
}

// open makes the account of a registered address that has just been shown to be theirs. The password counts only in the
// session that chose it: else a stranger could register somebody's address, wait for them to use their own code, and
// come in as well.
func open(tx *db.Tx, email string) error {
	taken, err := isTaken(tx, email)
	if err != nil {
		return err
	}
	r, found, err := findRegistration(tx, email)
	if err != nil || !found {
		return err
	}
	if taken {
		return dropRegistration(tx, email)
	}
	if r.ContactID != "" {
		return nil // it waits still
	}
	var a Account
	if err := json.Unmarshal([]byte(r.Details), &a); err != nil {
		return err
	}
	c := party.Customer{Name: a.CompanyName, OrganizationNumber: a.OrganizationNumber, VATNumber: a.VATNumber,
		IsActive: true, InvoiceEmail: a.Email, Phone: a.Phone, CountryCode: a.Country, CurrencyCode: a.Currency}
	c.Name = cmp.Or(c.Name, a.name())
	if c, err = party.Create(tx, c); err != nil {
		return err
	}
	p := party.Contact{Name: a.name(), Email: a.Email, Phone: a.Phone, Role: string(storefront.Admin),
		LanguageCode: language(a.Language), IsPrimary: true, IsActive: true, HasPortalAccess: !a.Waits}
	if r.SessionID == storefront.Of(tx).Session.ID {
		p.PasswordHash = r.PasswordHash
	}
	if p, err = party.CreateContact(tx, c.Number, p); err != nil {
		return err
	}
	if !a.Waits {
		return dropRegistration(tx, email)
	}
	where, err := json.Marshal(Account{Channel: a.Channel, Language: a.Language})
	if err != nil {
		return err
	}
	return endRegistration(tx, email, p.ID, string(where), tx.Now.Add(waitingKept))
}

// Welcome tells somebody whose account waited that the company has let them in. It handles party.PortalOpened; who did
// not ask for the account in a store hears of it from whoever made it.
func Welcome(tx *db.Tx, e party.PortalOpened) error {
	r, found, err := findRegistration(tx, e.Contact.Email)
	if err != nil || !found || r.ContactID != e.Contact.ID {
		return err
	}
	if err := dropRegistration(tx, e.Contact.Email); err != nil || r.Details == "" {
		return err
	}
	var a Account
	if err := json.Unmarshal([]byte(r.Details), &a); err != nil {
		return err
	}
	store, err := channel.Find(tx, a.Channel)
	if fault.Is(err, channel.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	// by the code, before the account waited
	to := mail.Address{Name: e.Contact.Name, Email: e.Contact.Email, Confirmed: true}
	return mail.Enqueue(tx, letters.Welcome(cmp.Or(e.Contact.LanguageCode, a.Language), channel.Letterhead(tx, store),
		to, store.URL()))
}

// language is the ISO 639-1 part of a language.
func language(tag string) string {
	code, _, _ := strings.Cut(tag, "-")
	return code
}
