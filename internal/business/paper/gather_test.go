package paper

import (
	"testing"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// A paper speaks as the customer's people do, the first of them first; else as it was ordered, else as one does
// business where it goes.
func TestTheReceiversLanguage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		ordered := ""
		speaks := func(want, number string, to party.Postal) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				r, err := ReceiverOf(tx, number, ordered, to)
				if err == nil && (r.Language != want || r.Customer.Number != number) {
					t.Errorf("%s is written to in %q, want %q", r.Customer.Number, r.Language, want)
				}
				return err
			})
		}
		add := func(c party.Contact) (made party.Contact) {
			t.Helper()
			dbtest.Write(t, s, func(tx *db.Tx) (err error) {
				made, err = party.CreateContact(tx, "C-1", c)
				return err
			})
			return made
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := party.Create(tx, party.Customer{Number: "C-1", Name: "One", CountryCode: "NO", IsActive: true})
			if err == nil {
				_, err = party.Create(tx, party.Customer{Number: "C-2", Name: "Two", IsActive: true})
			}
			return err
		})
		speaks("nb", "C-1", party.Postal{})
		speaks("de", "C-1", party.Postal{CountryCode: "AT"})
		speaks("en", "C-1", party.Postal{CountryCode: "JP"})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			speaks(reference.LanguageOf(tx.Info.Country), "C-2", party.Postal{})
			return nil
		})
		add(party.Contact{Name: "Gone", LanguageCode: "da"})
		speaks("nb", "C-1", party.Postal{})
		add(party.Contact{Name: "Mute", IsActive: true, IsPrimary: true})
		speaks("nb", "C-1", party.Postal{})
		ordered = "en-GB"
		speaks("en-GB", "C-1", party.Postal{CountryCode: "AT"})
		add(party.Contact{Name: "First", LanguageCode: "fi", IsActive: true})
		add(party.Contact{Name: "Second", LanguageCode: "sv", IsActive: true})
		speaks("fi", "C-1", party.Postal{CountryCode: "AT"})
		add(party.Contact{Name: "Primary", LanguageCode: "de", IsActive: true, IsPrimary: true})
		speaks("de", "C-1", party.Postal{CountryCode: "NO"})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			if _, err := For(tx, "nobody", nil, party.Postal{}, nil); !fault.Is(err, party.ErrNotFound) {
				t.Errorf("a paper for nobody: %v", err)
			}
			return nil
		})
	})
}

// Goods go back to the warehouse, where its address is known, else to the company.
func TestWhereGoodsGoBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "FAR", Name: "Far away", IsActive: true,
				Street1: "Lagervägen 2", PostalCode: "0150", City: "Oslo", CountryCode: "NO"},
				reference.Warehouse{Code: "NEAR", Name: "Here", IsActive: true}); err != nil {
				return err
			}
			_, err := reference.SaveProfile(tx, func(p *reference.Profile) error {
				p.LegalName, p.Street1, p.PostalCode, p.City, p.CountryCode = "Acme AB", "Storgatan 1", "111 22",
					"Stockholm", "SE"
				return nil
			})
			return err
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for code, want := range map[string]party.Postal{
				"FAR": {Name: "Acme AB", ContactPerson: "Far away", Street1: "Lagervägen 2", PostalCode: "0150",
					City: "Oslo", CountryCode: "NO"},
				"NEAR": {Name: "Acme AB", Street1: "Storgatan 1", PostalCode: "111 22", City: "Stockholm",
					CountryCode: "SE"},
				"": {Name: "Acme AB", Street1: "Storgatan 1", PostalCode: "111 22", City: "Stockholm",
					CountryCode: "SE"},
			} {
				got, err := SendTo(tx, returns.Return{WarehouseCode: code})
				if err != nil || got != want {
					t.Errorf("goods of %q go to %v: %v", code, got, err)
				}
			}
			own, err := SenderOf(tx)
			if err == nil && own.Profile.LegalName != "Acme AB" {
				t.Errorf("the sender is %v", own.Profile)
			}
			return err
		})
	})
}
