package reference

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const profileColumns = `legal_name, organization_number, vat_number, street1, street2, postal_code, city, country_code,
	seat, email, phone, website,
	bank_name, iban, bic, bankgiro, plusgiro, has_f_tax, invoice_text, logo_hash`

var profileRow = db.Map[Profile](record.RootColumns + ", " + profileColumns)

// readProfile reads the company's profile; what was never saved begins with the company's name and country.
func readProfile(tx *db.Tx, lock string) (Profile, error) {
	var p Profile
	err := tx.Each(`-- reference.readProfile
		select `+record.RootColumns+`, `+profileColumns+` from company_profile where company = :company`+lock, nil,
		func(r db.Row) error { return profileRow.Scan(r, &p) })
	if err == nil && p.ID == "" {
		p.LegalName, p.CountryCode = tx.Info.Name, tx.Info.Country
	}
	return p, err
}

func writeProfile(tx *db.Tx, p Profile) error {
	return tx.Upsert("company_profile", record.RootColumns+", "+profileColumns, 1,
		func(int) []any { return profileRow.Of(&p) }, db.Overwriting("id", profileColumns))
}

func writeLogo(tx *db.Tx, picture []byte) error {
	return tx.Run(`-- reference.writeLogo
		update company_profile set logo = :logo where company = :company`, db.Args{"logo": picture})
}

// Logo is the picture of the company's logo; nil where it has none.
func Logo(tx *db.Tx) ([]byte, error) {
	return db.Value[[]byte](tx, `-- reference.Logo
		select logo from company_profile where company = :company`, nil)
}
