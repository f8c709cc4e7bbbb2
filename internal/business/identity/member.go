package identity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Members and FindMember show who works in a company; see transfer.go for Member.

// FindMember is one user of a company. It refuses with User.NotFound.
func FindMember(tx *db.Tx, companyID, userID string) (Member, error) {
	all, err := membersWhere(tx, companyID, userID)
	if err == nil && len(all) == 0 {
		err = errNoUser()
	}
	if err != nil {
		return Member{}, err
	}
	return all[0], nil
}

// Members are the users of a company by address, those deactivated included.
func Members(tx *db.Tx, companyID string) ([]Member, error) { return membersWhere(tx, companyID, "") }

func errNoUser() error { return ErrUserNotFound.Because("the company has no such user") }

// ChangeRole gives a user another role in a company. It refuses with User.NotFound, User.Invalid and User.LastAdmin.
func ChangeRole(tx *db.Tx, companyID, userID string, role Role) error {
	if !slices.Contains(role.Values(), role) {
		return ErrUserInvalid.At("role", "%q is none of %s", role, list(role.Values()))
	}
	m, err := memberToChange(tx, companyID, userID, role == Admin)
	if err != nil || m.Role == role {
		return err
	}
	if err := setRole(tx, companyID, userID, role); err != nil {
		return err
	}
	return turned(tx, companyID, "users", m.Email, "change-role",
		map[string]any{"role": []Role{m.Role, role}})
}

// Deactivate shuts a company's door to a user, and ends the connections that act for them there. Other companies of
// theirs are not touched. It refuses with User.NotFound and User.LastAdmin.
func Deactivate(tx *db.Tx, companyID, userID string) error {
	m, err := memberToChange(tx, companyID, userID, false)
	if err != nil || !m.IsMember {
		return err
	}
	if err := setMember(tx, companyID, userID, false); err != nil {
		return err
	}
	if err := revokeConnectionsOf(tx, companyID, userID); err != nil {
		return err
	}
	return turned(tx, companyID, "users", m.Email, "deactivate", nil)
}

// Reactivate lets a user in again, in the role they had. It refuses with User.NotFound.
func Reactivate(tx *db.Tx, companyID, userID string) error {
	m, err := FindMember(tx, companyID, userID)
	if err != nil || m.IsMember {
		return err
	}
	if err := setMember(tx, companyID, userID, true); err != nil {
		return err
	}
	return turned(tx, companyID, "users", m.Email, "reactivate", nil)
}

// memberToChange is the user, unless the change takes the last active administrator from the company.
func memberToChange(tx *db.Tx, companyID, userID string, staysAdmin bool) (Member, error) {
	if err := lockCompany(tx, companyID); err != nil { // two administrators may be taking the right from each other
		return Member{}, err
	}
	m, err := FindMember(tx, companyID, userID)
	if err != nil || m.Role != Admin || !m.IsMember || staysAdmin {
		return m, err
	}
	others, err := otherAdmins(tx, companyID, userID)
	return m, ErrLastAdmin.When(others == 0, err,
		"%s is the last administrator of the company: make somebody else one first", m.Email)
}

// Profile is what a person says of themselves.
type Profile struct {
	Name     string
	Language string // of the back office and of mails, "" = as the browser asks
	IsQuiet  bool   // wants no mails of what the office notifies them of
}

// ProfileOf is the profile of a user. It refuses with User.NotFound.
func ProfileOf(tx *db.Tx, userID string) (Profile, error) {
	u, err := userByID(tx, userID)
	return Profile{u.Name, u.Language, u.IsQuiet}, err
}

// UpdateProfile keeps what a person says of themselves. It refuses with User.Invalid.
func UpdateProfile(tx *db.Tx, userID string, p Profile) error {
	p.Name = strings.TrimSpace(p.Name)
	var wrong fault.List
	wrong.If(utf8.RuneCountInString(p.Name) > 200, ErrUserInvalid, "name", "is longer than 200 characters; shorten it")
	wrong.If(p.Language != "" && !slices.Contains(languages(), p.Language), ErrUserInvalid, "language",
		"%q is none of %s", p.Language, list(languages()))
	if err := wrong.Err(); err != nil {
		return err
	}
	u, err := userByID(tx, userID)
	if err != nil {
		return err
	}
	if err := setProfile(tx, userID, p); err != nil {
		return err
	}
	return turned(tx, "", "users", u.Email, "change-profile", nil)
}

// languages are those the back office and its mails can be had in.
func languages() []string { return []string{"sv", "nb", "da", "fi", "de", "en"} }
