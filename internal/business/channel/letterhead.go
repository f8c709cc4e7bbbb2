package channel

import (
	"cmp"
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/letters"
)

// Letterhead is who writes the mails of a channel's store: the store's profile, and the company's where that says
// nothing.
func Letterhead(tx *db.Tx, c Channel) letters.Store {
	p := c.Store.Profile
	s := letters.Store{Code: c.Code, Name: c.Name, URL: c.URL(), LogoURL: p.LogoURL, Email: p.Email, Phone: p.Phone,
		Color: p.Colors["primary"], LegalName: p.LegalName}
	seller := reference.Profile{LegalName: tx.Info.Name}
	if book, err := reference.Of(tx); err == nil { // a mail is better with less at its foot than not at all
		seller = book.Profile()
	}
	s.LegalName, s.VATNumber = cmp.Or(s.LegalName, seller.LegalName), seller.VATNumber
	if p.Address == "" {
		s.CountryCode, seller.CountryCode = seller.CountryCode, ""
		s.Address = seller.Lines()
	}
	s.Address = append(s.Address, each.Given(strings.Split(p.Address, "\n"), strings.TrimSpace)...)
	return s
}
