package reference

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const profileColumns = `legal_name, organization_number, vat_number, street1, street2, postal_code, city, country_code, seat, email, phone, website,
	bank_name, iban, bic, bankgiro, plusgiro, has_f_tax, invoice_text, logo_hash`

// readProfile reads the company's profile; what was never saved begins with the company's name and country.
func readProfile(tx *db.Tx, forUpdate bool) (Profile, error) {
	lock := ""
	if forUpdate {
		lock = " for update"
	}
	var p Profile
	err := tx.Each(`-- reference.readProfile
		select `+record.RootColumns+`, `+profileColumns+` from company_profile where company = :company`+lock, nil,
		func(r db.Row) error {
			return r.Scan(append(p.Root.Scan(), &p.LegalName, &p.OrganizationNumber, &p.VATNumber, &p.Street1,
				&p.Street2, &p.PostalCode, &p.City, &p.CountryCode, &p.Seat, &p.Email, &p.Phone, &p.Website,
				&p.BankName, &p.IBAN, &p.BIC, &p.Bankgiro, &p.Plusgiro, &p.HasFTax, &p.InvoiceText, &p.LogoHash)...)
		})
	if err == nil && p.ID == "" {
		p.LegalName, p.CountryCode = tx.Info.Name, tx.Info.Country
	}
	return p, err
}

func writeProfile(tx *db.Tx, p Profile) error {
	return tx.Upsert("company_profile", record.RootColumns+", "+profileColumns, 1, func(int) []any {
		return append(p.Root.Values(), p.LegalName, p.OrganizationNumber, p.VATNumber, p.Street1, p.Street2,
			p.PostalCode, p.City, p.CountryCode, p.Seat, p.Email, p.Phone, p.Website, p.BankName, p.IBAN, p.BIC,
			p.Bankgiro, p.Plusgiro, p.HasFTax, p.InvoiceText, p.LogoHash)
	}, `on conflict (company, id) do update set legal_name = excluded.legal_name, organization_number = excluded.organization_number,
		vat_number = excluded.vat_number, street1 = excluded.street1, street2 = excluded.street2, postal_code = excluded.postal_code, city = excluded.city,
		country_code = excluded.country_code, seat = excluded.seat, email = excluded.email, phone = excluded.phone, website = excluded.website,
		bank_name = excluded.bank_name, iban = excluded.iban, bic = excluded.bic, bankgiro = excluded.bankgiro, plusgiro = excluded.plusgiro,
		has_f_tax = excluded.has_f_tax, invoice_text = excluded.invoice_text, logo_hash = excluded.logo_hash`)
}

func writeLogo(tx *db.Tx, picture []byte) error {
	_, err := tx.Exec(`-- reference.writeLogo
		update company_profile set logo = :logo where company = :company`, db.Args{"logo": picture})
	return err
}

// Logo is the picture of the company's logo; nil where it has none.
func Logo(tx *db.Tx) (picture []byte, err error) {
	_, err = tx.One(`-- reference.Logo
		select logo from company_profile where company = :company`, nil, &picture)
	return picture, err
}
