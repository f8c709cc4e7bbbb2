package identity

import (
	"fmt"

	"kontor/internal/foundation/db"
)

// Export is a company with everybody who may come in, as it moves between installations. It holds hashes, so it is
// as secret as a backup.
type Export struct {
	Company Company
	Members []Member
	Keys    []StoredKey
	// Domains lead to its channels: who comes by one is told to wait, not that there is no store, until its doors open.
	Domains map[string]string
}

// Member is a user with a role in a company.
type Member struct {
	User
	Role Role
	// IsMember is false where the company has shut its door to the user.
	IsMember bool
}

// StoredKey is an API key as it is kept.
type StoredKey struct {
	Key
	hash keyHash
}

// ExportOf gathers what Import takes, of the company with this code or id. It refuses with Company.NotFound.
func ExportOf(tx *db.Tx, code string) (e Export, err error) {
	if e.Company, err = FindCompany(tx, code); err != nil {
		return e, err
	}
	if e.Members, err = Members(tx, e.Company.ID); err != nil {
		return e, err
	}
	if e.Keys, err = storedKeys(tx, e.Company.ID); err != nil {
		return e, err
	}
	e.Domains, err = domainsOf(tx, e.Company.ID)
	return e, err
}

// Import enters a company as it was elsewhere, with status Opening; Activate opens its doors. A person known
// here already, by address, keeps the password of here; users says by their ids there who everybody is here. It refuses
// with Company.AlreadyExists.
func Import(tx *db.Tx, e Export) (users map[string]string, err error) {
	e.Company.Status = Opening
	entered, err := insertCompany(tx, e.Company)
	if err != nil {
		return nil, err
	}
	users = map[string]string{}
	if !entered {
		return nil, ErrCompanyExists.Because("there is a company with the code %s or the id %s already", e.Company.Code,
			e.Company.ID)
	}
	for _, m := range e.Members {
		u, known, err := findUser(tx, m.Email)
		if err == nil && !known {
			u, err = m.User, insertUser(tx, m.User)
		}
		if err == nil {
			_, err = join(tx, u.ID, e.Company.ID, m.Role)
		}
		if err == nil && !m.IsMember {
			err = setMember(tx, e.Company.ID, u.ID, false)
		}
		if err != nil {
			return nil, fmt.Errorf("user %s: %w", m.Email, err)
		}
		users[m.ID] = u.ID
	}
	if err := insertStoredKeys(tx, e.Keys); err != nil {
		return nil, err
	}
	if err := ApplyDomains(tx, e.Company.ID, e.Domains); err != nil {
		return nil, err
	}
	return users, note(tx, e.Company.ID, "companies", e.Company.Code, "restore",
		map[string]any{"users": len(e.Members), "keys": len(e.Keys)})
}
