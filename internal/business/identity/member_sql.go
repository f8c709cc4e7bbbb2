package identity

import "kontor/internal/foundation/db"

// membersWhere are the users of a company by address; userID "" = all of them.
func membersWhere(tx *db.Tx, companyID, userID string) ([]Member, error) {
	return db.Rows(tx, `-- identity.membersWhere
select `+userColumns+`, m.role, m.is_active from membership m join app_user u on u.id = m.user_id
where m.company_id = :company_id and (:user = '' or m.user_id = :user) order by u.email_key`,
		db.Args{"company_id": companyID, "user": userID}, func(r db.Row, m *Member) error {
			err := r.Scan(append(m.User.scan(), &m.Role, &m.IsMember)...)
			m.SecondFactor = m.totpSecret != ""
			return err
		})
}

func lockCompany(tx *db.Tx, companyID string) error {
	var id string
	_, err := tx.One(`-- identity.lockCompany
select id from company where id = :id for update`, db.Args{"id": companyID}, &id)
	return err
}

func otherAdmins(tx *db.Tx, companyID, userID string) (int64, error) {
	return db.Value[int64](tx, `-- identity.otherAdmins
select count(*) from membership m join app_user u on u.id = m.user_id
where m.company_id = :company_id and m.user_id <> :user and m.role = 'admin' and m.is_active = 1 and u.is_active = 1`,
		db.Args{"company_id": companyID, "user": userID})
}

func setRole(tx *db.Tx, companyID, userID string, role Role) error {
	return tx.Run(`-- identity.setRole
update membership set role = :role where company_id = :company_id and user_id = :user`,
		db.Args{"company_id": companyID, "user": userID, "role": role})
}

// setMember opens or shuts a company's door to a user.
func setMember(tx *db.Tx, companyID, userID string, active bool) error {
	return tx.Run(`-- identity.setMember
update membership set is_active = :active where company_id = :company_id and user_id = :user`,
		db.Args{"company_id": companyID, "user": userID, "active": active})
}

// rejoin lets somebody who was a member in again, in a role.
func rejoin(tx *db.Tx, companyID, userID string, role Role) error {
	return tx.Run(`-- identity.rejoin
update membership set is_active = 1, role = :role where company_id = :company_id and user_id = :user`,
		db.Args{"company_id": companyID, "user": userID, "role": role})
}
