package identity

import (
	"strings"

	"kontor/internal/foundation/db"
)

func connectionsWhere(tx *db.Tx, companyID, userID, id string) ([]Connection, error) {
	return db.Rows(tx, `-- identity.connectionsWhere
select g.id, g.client_id, l.name, g.user_id, u.name, u.email, g.company_id, c.name, g.scopes, g.created_at, g.last_used_at
from oauth_grant g join oauth_client l on l.id = g.client_id join app_user u on u.id = g.user_id join company c on c.id = g.company_id
where g.revoked_at is null and g.redeemed_at is not null and (:company_id = '' or g.company_id = :company_id)
and (:user = '' or g.user_id = :user) and (:id = '' or g.id = :id) order by g.created_at desc, g.id`,
		db.Args{"company_id": companyID, "user": userID, "id": id}, func(r db.Row, c *Connection) error {
			var scopes string
			err := r.Scan(&c.ID, &c.ClientID, &c.ClientName, &c.UserID, &c.UserName, &c.Email, &c.CompanyID,
				&c.CompanyName, &scopes, &c.CreatedAt, &c.LastUsedAt)
			c.UserName, c.Scopes = actorOf(c.UserID, c.UserName, c.Email).Name, strings.Fields(scopes)
			return err
		})
}

func revokeGrant(tx *db.Tx, id string) error {
	return tx.Run(`-- identity.revokeGrant
update oauth_grant set revoked_at = :now where id = :id and revoked_at is null`, db.Args{"id": id})
}

// revokeConnectionsOf ends everything that acts for a user in a company ("" = in all), also what has not come for its
// tokens yet.
func revokeConnectionsOf(tx *db.Tx, companyID, userID string) error {
	return tx.Run(`-- identity.revokeConnectionsOf
update oauth_grant set revoked_at = :now where (:company_id = '' or company_id = :company_id) and user_id = :user and revoked_at is null`,
		db.Args{"company_id": companyID, "user": userID})
}

// bearerOf is who an access token speaks for, and whether everything it rests on still stands.
func bearerOf(tx *db.Tx, hash []byte) (b Bearer, expires, used db.Time, found bool, err error) {
	var scopes, name, email string
	found, err = tx.One(`-- identity.bearerOf
select g.id, g.company_id, g.user_id, u.name, u.email, l.name, case when t.scopes = '' then g.scopes else t.scopes end,
g.resource, m.role, t.expires_at, g.last_used_at
from oauth_token t join oauth_grant g on g.id = t.grant_id join oauth_client l on l.id = g.client_id
join app_user u on u.id = g.user_id join company c on c.id = g.company_id
join membership m on m.user_id = g.user_id and m.company_id = g.company_id
where t.hash = :hash and t.kind = 'access' and t.spent_at is null and g.revoked_at is null
and u.is_active = 1 and m.is_active = 1 and c.status = 'Active'`, db.Args{"hash": hash},
		&b.GrantID, &b.CompanyID, &b.UserID, &name, &email, &b.ClientName, &scopes, &b.Resource, &b.Role, &expires,
		&used)
	b.UserName, b.Scopes, b.Permits = actorOf(b.UserID, name, email).Name, strings.Fields(scopes), b.Role.Permits
	return b, expires, used, found, err
}

// markGrants notes when connections were last used, all of one minute in one statement.
func markGrants(tx *db.Tx, minute db.Time, ids []string) error {
	return tx.Run(`-- identity.markGrants
update oauth_grant set last_used_at = :minute where id in (:ids) and (last_used_at is null or last_used_at < :minute)`,
		db.Args{"minute": minute, "ids": ids})
}
