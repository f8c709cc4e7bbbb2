package identity

import (
	"strings"

	"kontor/internal/db"
)

func findUser(tx *db.Tx, email string) (u User, found bool, err error) {
	found, err = tx.One(`-- identity.findUser
select id, email, name, password_hash, is_active from app_user where email_key = :key`,
		db.Args{"key": strings.ToLower(email)}, &u.ID, &u.Email, &u.Name, &u.PasswordHash, &u.IsActive)
	return u, found, err
}

func insertUser(tx *db.Tx, u User) error {
	_, err := tx.Exec(`-- identity.insertUser
insert into app_user (id, email, email_key, name, password_hash, is_active, created_at, changed_at)
values (:id, :email, :key, :name, :hash, 1, :now, :now)`,
		db.Args{"id": u.ID, "email": u.Email, "key": strings.ToLower(u.Email), "name": u.Name, "hash": u.PasswordHash})
	return err
}

// join reports whether the user was not a member of the company before.
func join(tx *db.Tx, userID, companyID string, role Role) (bool, error) {
	n, err := tx.Exec(`-- identity.join
insert into membership (user_id, company_id, role, created_at) values (:user, :company_id, :role, :now)
on conflict do nothing`, db.Args{"user": userID, "company_id": companyID, "role": role})
	return n == 1, err
}
