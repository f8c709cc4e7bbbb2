package storefront

import (
	"strings"

	"kontor/internal/channel"
	"kontor/internal/db"
	"kontor/internal/letters"
)

// Sender is who writes the mails of a store.
func Sender(tx *db.Tx, c channel.Channel) letters.Store {
	p := c.Store.Profile
	s := letters.Store{Name: c.Name, URL: c.URL(), LogoURL: p.LogoURL, Email: p.Email, Phone: p.Phone, Color: p.Colors["primary"],
		LegalName: p.LegalName}
	if s.LegalName == "" {
		s.LegalName = tx.Info.Name
	}
	for line := range strings.Lines(p.Address) {
		if line = strings.TrimSpace(line); line != "" {
			s.Address = append(s.Address, line)
		}
	}
	return s
}
