package portal

import (
	"unicode/utf8"

	"kontor/internal/business/party"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
)

// The lengths of a password: NIST SP 800-63B's idea with the house's number, and no rules of composition.
const (
	minPassword = 10
	maxPassword = 200
)

// CheckPassword refuses a password that is too short or too long to be one. Auth.PasswordInvalid.
func CheckPassword(field, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		return ErrPassword.At(field, "has %d characters; a password needs at least %d, so choose a longer one", n,
			minPassword)
	case n > maxPassword:
		return ErrPassword.At(field, "has %d characters; at most %d are read, so choose a shorter one", n, maxPassword)
	}
	return nil
}

// Person is a contact who may come in, with the customer it acts for. The zero value is nobody.
type Person struct {
	Customer     storefront.Customer
	Contact      storefront.Contact
	Language     string
	PasswordHash string // "" = comes in by codes alone
}

// SignIn lets a person in whose password was found right outside this transaction: it must still be theirs.
// Auth.SignInFailed.
func SignIn(tx *db.Tx, p Person) error {
	now, err := Find(tx, p.Contact.Email)
	if err != nil {
		return err
	}
	if p.Contact.ID == "" || now.Contact.ID != p.Contact.ID || now.PasswordHash != p.PasswordHash {
		return WrongPassword()
	}
	return enter(tx, now.Customer, now.Contact)
}

// WrongPassword is the one refusal of everything that may be wrong with an address and a password.
func WrongPassword() error {
	return ErrSignInFailed.Because(
		"the e-mail address or the password is wrong; who has forgotten the password asks for a code with POST /ecom/auth/request-code")
}

// SignInByCode lets in whoever has the address of a code that Present found right, and uses it up. Auth.WrongCode,
// Auth.ApprovalPending.
func SignInByCode(tx *db.Tx, email, digits string) error {
	p, err := byCode(tx, email, OneTimeLogin, digits)
	if err != nil {
		return err
	}
	return enter(tx, p.Customer, p.Contact)
}

// ResetPassword gives the person who has the address of a code that Present found right another password, and signs
// them in. All their other sessions end. Auth.WrongCode.
func ResetPassword(tx *db.Tx, email, digits, hash string) error {
	p, err := byCode(tx, email, PasswordReset, digits)
	if err != nil {
		return err
	}
	if err := setPassword(tx, p, hash); err != nil {
		return err
	}
	return enter(tx, p.Customer, p.Contact)
}

func byCode(tx *db.Tx, email string, purpose Purpose, digits string) (Person, error) {
	if err := use(tx, email, purpose, digits); err != nil {
		return Person{}, err
	}
	p, err := Find(tx, email)
	if err != nil || p.Contact.ID != "" {
		return p, err
	}
	r, found, err := findRegistration(tx, email)
	if err == nil && found && r.ContactID != "" {
		return p, ErrPending.Because("the address is confirmed; the account waits until %s lets it in",
			storefront.Of(tx).Channel.Name)
	}
	if err == nil {
		err = WrongCode()
	}
	return p, err
}

// SignedIn is the person who is signed in.
func SignedIn(tx *db.Tx) (Person, error) { return Find(tx, storefront.Of(tx).Contact.Email) }

// ChangePassword gives the person who is signed in another password; the present one was found right outside this
// transaction and must still be theirs. All their other sessions end. Auth.PasswordInvalid.
func ChangePassword(tx *db.Tx, p Person, hash string) error {
	v := storefront.Of(tx)
	now, err := Find(tx, v.Contact.Email)
	if err != nil {
		return err
	}
	if now.Contact.ID != v.Contact.ID || now.PasswordHash != p.PasswordHash {
		return NotPresentPassword()
	}
	return setPassword(tx, now, hash)
}

// NotPresentPassword is the refusal of a wrong present password.
func NotPresentPassword() error {
	return ErrPassword.At("currentPassword", "is not your present password")
}

// SignOut ends the sessions of a contact who is reached at another address from now on. It handles party.EmailMoved.
func SignOut(tx *db.Tx, e party.EmailMoved) error {
	if err := tx.Delete(db.Args{"contact_id": e.ContactID}, "portal_confirmed"); err != nil {
		return err
	}
	return storefront.EndOthers(tx, e.ContactID)
}

// enter signs a person in, who has shown by that to read the mails of the address.
func enter(tx *db.Tx, customer storefront.Customer, contact storefront.Contact) error {
	if err := confirm(tx, contact.ID); err != nil {
		return err
	}
	return storefront.SignIn(tx, customer, contact)
}

func setPassword(tx *db.Tx, p Person, hash string) error {
	_, err := party.UpdateContact(tx, p.Customer.Number, p.Contact.ID, func(c *party.Contact) error {
		c.PasswordHash = hash
		return nil
	})
	if err != nil {
		return err
	}
	return storefront.EndOthers(tx, p.Contact.ID)
}
