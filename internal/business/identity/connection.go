package identity

import "kontor/internal/foundation/db"

// Connection is a program that acts for a person in a company, as it may be shown.
type Connection struct {
	ID                      string
	ClientID, ClientName    string
	UserID, UserName, Email string
	CompanyID, CompanyName  string
	Scopes                  []string
	CreatedAt, LastUsedAt   db.Time
}

// RevokeConnection ends a connection of a company ("" = of any), of one person or, with userID "", as an administrator:
// within a second it is refused on every node. It refuses with Connection.NotFound.
func RevokeConnection(tx *db.Tx, companyID, userID, id string) error {
	all, err := connectionsWhere(tx, companyID, userID, id)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return ErrConnectionNotFound.Because("there is no such connection: it has been ended already")
	}
	c := all[0]
	if err := revokeGrant(tx, c.ID); err != nil {
		return err
	}
	return turned(tx, c.CompanyID, "connections", c.ClientName, "revoke",
		map[string]any{"id": c.ID, "user": c.Email})
}

// RevokeConnections ends all that acts for a person, in every company, and what programs hold to become a connection.
func RevokeConnections(tx *db.Tx, userID string) error {
	all, err := connectionsWhere(tx, "", userID, "")
	if err != nil {
		return err
	}
	for _, c := range all {
		if err := note(tx, c.CompanyID, "connections", c.ClientName, "revoke",
			map[string]any{"id": c.ID, "user": c.Email}); err != nil {
			return err
		}
	}
	if err := revokeConnectionsOf(tx, "", userID); err != nil {
		return err
	}
	return tx.Fire(Turned{})
}

// Connections are the connections of a company ("" = of all companies), of one person or ("") of everybody, the newest
// first.
func Connections(tx *db.Tx, companyID, userID string) ([]Connection, error) {
	return connectionsWhere(tx, companyID, userID, "")
}

// RecordConnection notes in the company's log what became of a connection: "connect" or "revoke".
func RecordConnection(tx *db.Tx, c Connection, action string) error {
	return note(tx, c.CompanyID, "connections", c.ClientName, action, map[string]any{"id": c.ID, "scopes": c.Scopes})
}
