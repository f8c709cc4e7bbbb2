package identity

import "kontor/internal/foundation/db"

// sessionColumns are those of a session with its person and the company worked in; see sessionFrom.
const sessionColumns = `s.id, s.user_id, u.email, u.name, u.language, u.totp_secret, s.created_at, s.seen_at,
	s.expires_at, s.address, s.agent,
coalesce(c.id, ''), coalesce(c.code, ''), coalesce(c.name, ''), coalesce(c.environment, ''), coalesce(c.time_zone, ''),
coalesce(m.role, '')`

const sessionFrom = `user_session s join app_user u on u.id = s.user_id and u.is_active = 1
left join membership m on m.user_id = s.user_id and m.company_id = s.company_id and m.is_active = 1
left join company c on c.id = m.company_id and c.status = 'Active'`

func scanSession(r db.Row, s *Session) error {
	var totp string
	err := r.Scan(&s.ID, &s.UserID, &s.Email, &s.Name, &s.Language, &totp, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt,
		&s.Address, &s.Agent, &s.CompanyID, &s.CompanyCode, &s.CompanyName, &s.Environment, &s.TimeZone, &s.Role)
	s.SecondFactor = totp != ""
	if s.CompanyID == "" {
		s.Role = ""
	}
	return err
}

// sessionOf is the session with this hash, whether it still lives or not.
func sessionOf(tx *db.Tx, hash []byte) (Session, bool, error) {
	return db.First(tx, `-- identity.sessionOf
select `+sessionColumns+` from `+sessionFrom+` where s.hash = :hash`, db.Args{"hash": hash}, scanSession)
}

// Sessions are where a person is signed in, the newest first.
func Sessions(tx *db.Tx, userID string) ([]Session, error) {
	return db.Rows(tx, `-- identity.Sessions
select `+sessionColumns+` from `+sessionFrom+`
where s.user_id = :user and s.expires_at > :now and s.seen_at > :idle order by s.created_at desc, s.id`,
		db.Args{"user": userID, "idle": tx.Now.Add(-sessionIdle)}, scanSession)
}

// Memberships are the open companies that a person has a role in, by code.
func Memberships(tx *db.Tx, userID string) ([]Membership, error) {
	return db.Rows(tx, `-- identity.Memberships
select c.id, c.code, c.name, m.role from membership m join company c on c.id = m.company_id
where m.user_id = :user and m.is_active = 1 and c.status = 'Active' order by c.code_key`, db.Args{"user": userID},
		func(r db.Row, m *Membership) error {
			return r.Scan(&m.CompanyID, &m.CompanyCode, &m.CompanyName, &m.Role)
		})
}

// insertSession enters a session; of somebody with very many the oldest ends.
func insertSession(tx *db.Tx, s Session, hash []byte) error {
	_, err := tx.Exec(`-- identity.insertSession full
delete from user_session where user_id = :user and id not in (
select id from user_session where user_id = :user order by created_at desc, id desc limit :keep)`,
		db.Args{"user": s.UserID, "keep": maxSessions - 1})
	if err != nil {
		return err
	}
	_, err = tx.Exec(`-- identity.insertSession
insert into user_session (hash, id, user_id, company_id, created_at, seen_at, expires_at, address, agent)
values (:hash, :id, :user, :company_id, :now, :now, :expires, :address, :agent)`, db.Args{
		"hash": hash, "id": s.ID, "user": s.UserID, "company_id": s.CompanyID, "expires": s.ExpiresAt,
		"address": s.Address, "agent": s.Agent,
	})
	if err != nil {
		return err
	}
	return tx.Run(`-- identity.insertSession user
update app_user set signed_in_at = :now where id = :user`, db.Args{"user": s.UserID})
}

func setSessionCompany(tx *db.Tx, id, companyID string) error {
	return tx.Run(`-- identity.setSessionCompany
update user_session set company_id = :company_id where id = :id`, db.Args{"id": id, "company_id": companyID})
}

// lastCompany is the company of the newest session, "" where there is none.
func lastCompany(tx *db.Tx, userID string) (string, error) {
	return db.Value[string](tx, `-- identity.lastCompany
select company_id from user_session where user_id = :user order by created_at desc limit 1`, db.Args{"user": userID})
}

func deleteSession(tx *db.Tx, userID, id string) (int64, error) {
	return tx.Exec(`-- identity.deleteSession
delete from user_session where user_id = :user and id = :id`, db.Args{"user": userID, "id": id})
}

func deleteSessions(tx *db.Tx, userID, exceptID string) (int64, error) {
	return tx.Exec(`-- identity.deleteSessions
delete from user_session where user_id = :user and id <> :except`, db.Args{"user": userID, "except": exceptID})
}

// markSeen notes when sessions were last used, all of one minute in one statement.
func markSeen(tx *db.Tx, minute db.Time, ids []string) error {
	return tx.Run(`-- identity.markSeen
update user_session set seen_at = :minute where id in (:ids) and seen_at < :minute`,
		db.Args{"minute": minute, "ids": ids})
}

// deviceOwner is whose browser this is, "" where it is nobody's.
func deviceOwner(tx *db.Tx, hash []byte) (string, error) {
	return db.Value[string](tx, `-- identity.deviceOwner
select user_id from user_device where hash = :hash and expires_at > :now`, db.Args{"hash": hash})
}

func renewDevice(tx *db.Tx, hash []byte, expires db.Time) error {
	return tx.Run(`-- identity.renewDevice
update user_device set expires_at = :expires where hash = :hash`, db.Args{"hash": hash, "expires": expires})
}

func insertDevice(tx *db.Tx, userID string, hash []byte, expires db.Time) error {
	_, err := tx.Exec(`-- identity.insertDevice full
delete from user_device where user_id = :user and hash not in (
select hash from user_device where user_id = :user order by expires_at desc limit :keep)`,
		db.Args{"user": userID, "keep": maxDevices - 1})
	if err != nil {
		return err
	}
	return tx.Run(`-- identity.insertDevice
insert into user_device (hash, user_id, created_at, expires_at) values (:hash, :user, :now, :expires)`,
		db.Args{"hash": hash, "user": userID, "expires": expires})
}

func deleteDevices(tx *db.Tx, userID string) error {
	return tx.Delete(db.Args{"user_id": userID}, "user_device")
}

// Sweep drops what has expired: sessions, also those of a clock that was put back (see db.Time.IsLiving), known
// browsers and tickets.
func Sweep(tx *db.Tx) error {
	for _, query := range []string{
		"-- identity.Sweep sessions\ndelete from user_session where expires_at < :now or seen_at < :idle " +
			"or expires_at > :late or seen_at > :unseen",
		"-- identity.Sweep devices\ndelete from user_device where expires_at < :now",
		"-- identity.Sweep tickets\ndelete from user_ticket where expires_at < :now",
	} {
		if _, err := tx.Exec(query, db.Args{"idle": tx.Now.Add(-sessionIdle), "late": tx.Now.Add(2 * sessionWhole),
			"unseen": tx.Now.Add(sessionIdle)}); err != nil {
			return err
		}
	}
	return nil
}
