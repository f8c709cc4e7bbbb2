package oauth

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

func newID() string { return record.NewID() }

// The kinds of a token.
const (
	kindAccess  = "access"
	kindRefresh = "refresh"
)

func insertClient(tx *db.Tx, c client) (client, error) {
	c.ID, c.CreatedAt = newID(), tx.Now
	uris, err := json.Marshal(c.RedirectURIs)
	if err != nil {
		return c, err
	}
	_, err = tx.Exec(`-- oauth.insertClient
insert into oauth_client (id, name, redirect_uris, metadata, peer, created_at) values (:id, :name, :uris, :metadata, :peer, :now)`,
		db.Args{"id": c.ID, "name": c.Name, "uris": string(uris), "metadata": c.Metadata, "peer": c.Peer})
	return c, err
}

// dropUnused forgets the programs that were registered before a moment and never let in.
func dropUnused(tx *db.Tx, before db.Time) error {
	_, err := tx.Exec(`-- oauth.dropUnused
delete from oauth_client where used_at is null and created_at < :before`, db.Args{"before": before})
	return err
}

// countUnused counts the programs that nobody has let in, of one address and in all.
func countUnused(tx *db.Tx, peer string) (mine, all int64, err error) {
	_, err = tx.One(`-- oauth.countUnused
select count(case when peer = :peer then 1 end), count(*) from oauth_client where used_at is null`,
		db.Args{"peer": peer}, &mine, &all)
	return mine, all, err
}

// dropOldest forgets the n programs that have waited longest.
func dropOldest(tx *db.Tx, n int64) error {
	_, err := tx.Exec(`-- oauth.dropOldest
delete from oauth_client where id in (select id from oauth_client where used_at is null order by created_at, id limit :n)`,
		db.Args{"n": n})
	return err
}

func findClient(tx *db.Tx, id string) (c client, found bool, err error) {
	var uris string
	found, err = tx.One(`-- oauth.findClient
select id, name, redirect_uris, created_at from oauth_client where id = :id`, db.Args{"id": id}, &c.ID, &c.Name, &uris,
		&c.CreatedAt)
	if err == nil && found {
		err = json.Unmarshal([]byte(uris), &c.RedirectURIs)
	}
	return c, found, err
}

func insertGrant(tx *db.Tx, c identity.Connection, resource string) error {
	_, err := tx.Exec(`-- oauth.insertGrant
insert into oauth_grant (id, client_id, user_id, company_id, scopes, resource, created_at)
values (:id, :client, :user, :company_id, :scopes, :resource, :now)`, db.Args{
		"id": c.ID, "client": c.ClientID, "user": c.UserID, "company_id": c.CompanyID,
		"scopes": strings.Join(c.Scopes, " "), "resource": resource,
	})
	if err != nil {
		return err
	}
	_, err = tx.Exec(`-- oauth.insertGrant client
update oauth_client set used_at = :now, peer = '' where id = :id`, db.Args{"id": c.ClientID})
	return err
}

func insertCode(tx *db.Tx, grantID string, hash []byte, redirect, challenge string, expires db.Time) error {
	_, err := tx.Exec(`-- oauth.insertCode
insert into oauth_code (hash, grant_id, redirect_uri, challenge, expires_at) values (:hash, :grant, :redirect, :challenge, :expires)`,
		db.Args{"hash": hash, "grant": grantID, "redirect": redirect, "challenge": challenge, "expires": expires})
	return err
}

// codeOf finds a code and holds it, so that of two who come with it one comes second.
func codeOf(tx *db.Tx, hash []byte) (g given, found bool, err error) {
	found, err = tx.One(`-- oauth.codeOf
select c.grant_id, g.client_id, c.redirect_uri, c.challenge, g.scopes, c.expires_at, c.used_at, g.revoked_at
from oauth_code c join oauth_grant g on g.id = c.grant_id where c.hash = :hash for update`, db.Args{"hash": hash},
		&g.GrantID, &g.ClientID, &g.Redirect, &g.Challenge, &g.Scopes, &g.Expires, &g.Used, &g.Revoked)
	return g, found, err
}

func useCode(tx *db.Tx, hash []byte, g given) error {
	n, err := tx.Exec(`-- oauth.useCode
update oauth_code set used_at = :now where hash = :hash and used_at is null`, db.Args{"hash": hash})
	if err == nil && n != 1 {
		err = fmt.Errorf("oauth: a code of connection %s was used under us", g.GrantID)
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(`-- oauth.useCode grant
update oauth_grant set redeemed_at = :now where id = :id`, db.Args{"id": g.GrantID})
	return err
}

func insertToken(tx *db.Tx, grantID, kind string, hash []byte, scopes string, life time.Duration) error {
	_, err := tx.Exec(`-- oauth.insertToken
insert into oauth_token (hash, grant_id, kind, scopes, created_at, expires_at) values (:hash, :grant, :kind, :scopes, :now, :expires)`,
		db.Args{"hash": hash, "grant": grantID, "kind": kind, "scopes": scopes,
			"expires": tx.Now.Add(life)})
	return err
}

// tokenOf finds a token and holds it, so that of two who come with it one comes second.
func tokenOf(tx *db.Tx, hash []byte) (h held, found bool, err error) {
	found, err = tx.One(`-- oauth.tokenOf
select t.kind, t.grant_id, g.client_id, g.scopes, t.expires_at, t.spent_at, g.revoked_at,
case when exists (select 1 from membership m join app_user u on u.id = m.user_id join company c on c.id = m.company_id
where m.user_id = g.user_id and m.company_id = g.company_id and m.is_active = 1 and u.is_active = 1
and c.status = 'Active') then 1 else 0 end
from oauth_token t join oauth_grant g on g.id = t.grant_id
where t.hash = :hash for update`, db.Args{"hash": hash},
		&h.Kind, &h.GrantID, &h.ClientID, &h.Scopes, &h.Expires, &h.Spent, &h.Revoked, &h.Stands)
	return h, found, err
}

func spendToken(tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(`-- oauth.spendToken
update oauth_token set spent_at = :now where hash = :hash and spent_at is null`, db.Args{"hash": hash})
	return err
}

// forgetExpired drops what a connection has outlived: spent refresh tokens are kept until they would have expired,
// because their reuse tells of a theft.
func forgetExpired(tx *db.Tx, grantID string) error {
	_, err := tx.Exec(`-- oauth.forgetExpired
delete from oauth_token where grant_id = :grant and expires_at < :now`, db.Args{"grant": grantID})
	return err
}

// revokeGrant reports whether the connection was not ended before.
func revokeGrant(tx *db.Tx, id string) (bool, error) {
	n, err := tx.Exec(`-- oauth.revokeGrant
update oauth_grant set revoked_at = :now where id = :id and revoked_at is null`, db.Args{"id": id})
	return n == 1, err
}

// connectionOf is a connection by its id, whether it still lives or not.
func connectionOf(tx *db.Tx, id string) (c identity.Connection, found bool, err error) {
	var scopes string
	found, err = tx.One(`-- oauth.connectionOf
select g.id, g.company_id, l.name, g.scopes from oauth_grant g join oauth_client l on l.id = g.client_id where g.id = :id`,
		db.Args{"id": id}, &c.ID, &c.CompanyID, &c.ClientName, &scopes)
	c.Scopes = strings.Fields(scopes)
	return c, found, err
}

// Sweep drops what nobody can use any more: tokens and codes that expired, connections without either, and programs
// that nobody let in.
func Sweep(tx *db.Tx) error {
	const day = db.Time(24 * 3600 * 1_000_000)
	for _, query := range []string{
		"-- oauth.Sweep tokens\ndelete from oauth_token where expires_at < :yesterday",
		"-- oauth.Sweep ended\nupdate oauth_grant set revoked_at = :now where redeemed_at is not null and revoked_at is null " +
			"and not exists (select 1 from oauth_token t where t.grant_id = oauth_grant.id and t.spent_at is null and t.expires_at > :now)",
		"-- oauth.Sweep unredeemed\ndelete from oauth_grant where redeemed_at is null and created_at < :yesterday",
		"-- oauth.Sweep connections\ndelete from oauth_grant where revoked_at < :season",
		"-- oauth.Sweep unused\ndelete from oauth_client where used_at is null and created_at < :yesterday",
		"-- oauth.Sweep clients\ndelete from oauth_client where created_at < :month and " +
			"not exists (select 1 from oauth_grant g where g.client_id = oauth_client.id)",
	} {
		args := db.Args{"yesterday": tx.Now - day, "month": tx.Now - 30*day, "season": tx.Now - 90*day}
		if _, err := tx.Exec(query, args); err != nil {
			return err
		}
	}
	return nil
}
