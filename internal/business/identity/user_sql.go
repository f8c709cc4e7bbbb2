package identity

import "kontor/internal/foundation/db"

const userColumns = `u.id, u.email, u.name, u.password_hash, u.is_active, u.language, u.signed_in_at, u.totp_secret,
	u.totp_pending, u.totp_step, u.recovery, u.is_quiet`

func (u *User) scan() []any {
	return []any{&u.ID, &u.Email, &u.Name, &u.PasswordHash, &u.IsActive, &u.Language, &u.SignedInAt, &u.totpSecret,
		&u.totpPending, &u.totpStep, &u.recovery, &u.IsQuiet}
}

func findUser(tx *db.Tx, email string) (u User, found bool, err error) {
	found, err = tx.One(`-- identity.findUser
select `+userColumns+` from app_user u where u.email_key = :key`,
		db.Args{"key": emailKey(email)}, u.scan()...)
	u.SecondFactor = u.totpSecret != ""
	return u, found, err
}

// userByID refuses with User.NotFound.
func userByID(tx *db.Tx, id string) (u User, err error) {
	found, err := tx.One(`-- identity.userByID
select `+userColumns+` from app_user u where u.id = :id`, db.Args{"id": id}, u.scan()...)
	if err == nil && !found {
		err = errNoUser()
	}
	u.SecondFactor = u.totpSecret != ""
	return u, err
}

// insertUser enters a person as they were elsewhere, sealed as it was there, with the second factor they had elsewhere.
func insertUser(tx *db.Tx, u User) error {
	return tx.Run(`-- identity.insertUser
insert into app_user (id, email, email_key, name, password_hash, is_active, language, totp_secret, totp_step, recovery,
is_quiet, created_at, changed_at)
values (:id, :email, :key, :name, :hash, 1, :language, :totp, :step, :recovery, :quiet, :now, :now)`,
		db.Args{"id": u.ID, "email": u.Email, "key": emailKey(u.Email), "name": u.Name, "hash": u.PasswordHash,
			"language": u.Language, "totp": u.totpSecret, "step": u.totpStep, "recovery": u.recovery,
			"quiet": u.IsQuiet})
}

// join reports whether the user was not a member of the company before.
func join(tx *db.Tx, userID, companyID string, role Role) (bool, error) {
	n, err := tx.Exec(`-- identity.join
insert into membership (user_id, company_id, role, created_at) values (:user, :company_id, :role, :now)
on conflict do nothing`, db.Args{"user": userID, "company_id": companyID, "role": role})
	return n == 1, err
}

func setPassword(tx *db.Tx, userID, hash string) error {
	return tx.Run(`-- identity.setPassword
update app_user set password_hash = :hash, changed_at = :now where id = :id`, db.Args{"id": userID, "hash": hash})
}

func setProfile(tx *db.Tx, userID string, p Profile) error {
	return tx.Run(`-- identity.setProfile
update app_user set name = :name, language = :language, is_quiet = :quiet, changed_at = :now where id = :id`,
		db.Args{"id": userID, "name": p.Name, "language": p.Language, "quiet": p.IsQuiet})
}

// The columns that hold a secret of a second factor. They are kept sealed.
const (
	totpColumn    = "totp_secret"
	pendingColumn = "totp_pending"
)

// staleUsers are the ids of those whose second factor is not sealed with the present key, with what their columns hold.
func staleUsers(tx *db.Tx) (all []User, err error) {
	err = tx.Each(`-- identity.staleUsers
select id, totp_secret, totp_pending from app_user where totp_secret <> '' or totp_pending <> ''`, nil,
		func(r db.Row) error {
			var u User
			err := r.Scan(&u.ID, &u.totpSecret, &u.totpPending)
			if !tx.SealedNow(u.totpSecret) || !tx.SealedNow(u.totpPending) {
				all = append(all, u)
			}
			return err
		})
	return all, err
}

// writeSeals replaces the sealed texts of a person, whose secrets stay what they are.
func writeSeals(tx *db.Tx, u User) error {
	return tx.Run(`-- identity.writeSeals
update app_user set totp_secret = :secret, totp_pending = :pending where id = :id`,
		db.Args{"id": u.ID, "secret": u.totpSecret, "pending": u.totpPending})
}

func setTOTPPending(tx *db.Tx, userID, secret string) error {
	secret, err := tx.Seal("app_user", pendingColumn, userID, secret)
	if err != nil {
		return err
	}
	return tx.Run(`-- identity.setTOTPPending
update app_user set totp_pending = :secret, changed_at = :now where id = :id`, db.Args{"id": userID, "secret": secret})
}

// setTOTP makes a secret the second factor; "" takes it away.
func setTOTP(tx *db.Tx, userID, secret string, step int64, recovery string) error {
	secret, err := tx.Seal("app_user", totpColumn, userID, secret)
	if err != nil {
		return err
	}
	return tx.Run(`-- identity.setTOTP
update app_user set totp_secret = :secret, totp_pending = '', totp_step = :step, recovery = :recovery, changed_at = :now where id = :id`,
		db.Args{"id": userID, "secret": secret, "step": step, "recovery": recovery})
}

// spendTOTPStep reports whether no code of this half minute was taken before.
func spendTOTPStep(tx *db.Tx, userID string, step int64) (bool, error) {
	n, err := tx.Exec(`-- identity.spendTOTPStep
update app_user set totp_step = :step where id = :id and totp_step < :step`, db.Args{"id": userID, "step": step})
	return n == 1, err
}

func setRecovery(tx *db.Tx, userID, hashes string) error {
	return tx.Run(`-- identity.setRecovery
update app_user set recovery = :hashes, changed_at = :now where id = :id`, db.Args{"id": userID, "hashes": hashes})
}

// useRecovery reports whether the codes were still those that were read.
func useRecovery(tx *db.Tx, userID, before, after string) (bool, error) {
	n, err := tx.Exec(`-- identity.useRecovery
update app_user set recovery = :after where id = :id and recovery = :before`,
		db.Args{"id": userID, "before": before, "after": after})
	return n == 1, err
}
