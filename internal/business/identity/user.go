package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// User is a person who signs in to the back office, in one or several companies.
type User struct {
	ID, Email, Name string
	PasswordHash    string
	IsActive        bool
	Language        string  // sv, en …; "" = as the browser asks
	IsQuiet         bool    // does not want to be mailed what the office notifies them of
	SignedInAt      db.Time // last
	SecondFactor    bool

	totpSecret, totpPending, recovery string
	totpStep                          int64
}

// emailKey is what a person is found by. Whatever is typed that finds the same person is counted as the same guess, so
// counting goes by it too.
func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// Actor is the person, as the activity log names them.
func (u User) Actor() db.Actor { return actorOf(u.ID, u.Name, u.Email) }

// NewUser is what it takes to let a person in.
type NewUser struct {
	Email, Name string
	// PasswordHash comes from a Hasher, before the transaction. It is left empty to give a person who
	// is known already a role in another company.
	PasswordHash string
	CompanyID    string
	Role         Role
}

// CreateUser lets a person in to a company with a role. It refuses with User.Invalid naming every wrong
// field, and with User.AlreadyExists when the address is a member already or a password was given for
// somebody who has one.
func CreateUser(tx *db.Tx, n NewUser) (User, error) {
	if err := checkNewcomer(&n.Email, &n.Name, n.Role); err != nil {
		return User{}, err
	}
	u, known, err := findUser(tx, n.Email)
	switch {
	case err != nil:
		return u, err
	case known && n.PasswordHash != "":
		return u,
			ErrUserExists.Because("%s is known already and has a password: leave the password out to add a company",
				u.Email)
	case !known && n.PasswordHash == "":
		return u, ErrUserInvalid.At("password", "is missing, and nobody has the address %s yet: give one", n.Email)
	case !known:
		u = User{ID: newID(), Email: n.Email, Name: n.Name, PasswordHash: n.PasswordHash, IsActive: true}
		if err := insertUser(tx, u); err != nil {
			return u, err
		}
	}
	joined, err := join(tx, u.ID, n.CompanyID, n.Role)
	if err != nil {
		return u, err
	}
	if !joined {
		return u, ErrUserExists.Because("%s is a user of this company already", u.Email)
	}
	return u, note(tx, n.CompanyID, "users", u.Email, "create", map[string]any{"role": n.Role})
}

// checkNewcomer makes what is typed of somebody who gets in fit to be kept. It refuses with User.Invalid naming every
// wrong field.
func checkNewcomer(email, name *string, r Role) error {
	*email, *name = strings.TrimSpace(*email), strings.TrimSpace(*name)
	var wrong fault.List
	wrong.If(!isAddress(*email), ErrUserInvalid, "email", "%q is not a mail address, such as anna@example.com", *email)
	wrong.If(utf8.RuneCountInString(*name) > 200, ErrUserInvalid, "name", "is longer than 200 characters; shorten it")
	wrong.If(!slices.Contains(r.Values(), r), ErrUserInvalid, "role", "%q is none of %s", r, list(r.Values()))
	return wrong.Err()
}

// isAddress accepts a bare mail address, without a display name.
func isAddress(s string) bool {
	return mail.IsAddress(s) && len(s) <= 200 && strings.Contains(s[strings.LastIndexByte(s, '@'):], ".")
}

// list writes values as a person reads them: a, b, c.
func list[S ~string](values []S) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}
