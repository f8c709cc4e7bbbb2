package identity

import (
	"strings"

	"kontor/internal/foundation/db"
)

const companyColumns = "id, code, name, country, currency, environment, time_zone, status, created_at"

var companyRow = db.Map[Company](companyColumns)

// Companies are all companies by code, whatever their status.
func Companies(tx *db.Tx) ([]Company, error) {
	return db.Rows(tx, `-- identity.Companies
select `+companyColumns+` from company order by code_key`, nil, companyRow.Scan)
}

// FindCompany is the company with this code, or with this id. It refuses with Company.NotFound.
func FindCompany(tx *db.Tx, code string) (Company, error) {
	var c Company
	found, err := tx.One(`-- identity.FindCompany
select `+companyColumns+` from company where code_key = :key or id = :key`, db.Args{"key": strings.ToLower(code)},
		companyRow.Of(&c)...)
	return c, ErrCompanyNotFound.When(!found, err,
		"there is no company with code %s: see them all with kontor company list", code)
}

// insertCompany reports whether the code was free.
func insertCompany(tx *db.Tx, c Company) (bool, error) {
	c.CreatedAt = tx.Now
	n, err := tx.InsertNew("company", companyColumns+", code_key, changed_at", 1, func(int) []any {
		return append(companyRow.Of(&c), strings.ToLower(c.Code), tx.Now)
	}, "on conflict do nothing")
	return n == 1, err
}

func setStatus(tx *db.Tx, id string, s Status) error {
	return tx.Run(`-- identity.setStatus
update company set status = :status, changed_at = :now where id = :id`, db.Args{"id": id, "status": s})
}

func deleteCompany(tx *db.Tx, id string) error {
	err := tx.Delete(db.Args{"company_id": id}, "api_key", "domain", "user_ticket", "membership")
	if err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "company")
}
