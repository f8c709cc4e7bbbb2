package reference_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// paths are the fields that a refusal names.
func paths(err error) (out []string) {
	for _, f := range fault.As(err).Fields {
		out = append(out, f.Path)
	}
	return out
}

func TestProfile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		if p := book(t, s).Profile(); p.LegalName == "" || !slices.Contains(p.Missing(), "vatNumber") {
			t.Errorf("before it is saved the profile is %+v", p)
		}
		edit := func(fn func(*reference.Profile)) (p reference.Profile, err error) {
			dbtest.Write(t, s, func(tx *db.Tx) error {
				p, err = reference.SaveProfile(tx, func(p *reference.Profile) error { fn(p); return nil })
				return nil
			})
			return p, err
		}
		_, err := edit(func(p *reference.Profile) {
			p.LegalName, p.CountryCode = "Acme AB", "SE"
			p.OrganizationNumber, p.VATNumber, p.IBAN, p.BIC = "5560160681", "SE556016068101",
				"SE35 5000 0000 0549 1000 0004", "HAND"
			p.Bankgiro, p.Plusgiro, p.Email, p.Website = "5050-1056", "4", "Acme <post@acme.example>", "acme.example"
		})
		want := []string{"bankgiro", "bic", "email", "iban", "organizationNumber", "plusgiro", "vatNumber", "website"}
		if got := paths(err); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("refused are %v, want %v", got, want)
		}
		p, err := edit(func(p *reference.Profile) {
			p.LegalName, p.CountryCode, p.Street1, p.PostalCode, p.City = " Acme AB ", "se", "Hamngatan 1", "111 47",
				"Stockholm"
			p.OrganizationNumber, p.VATNumber, p.IBAN, p.BIC = "5560160680", "se 556016-0680 01",
				"SE35 5000 0000 0549 1000 0003", "handsess"
			p.Bankgiro, p.Plusgiro, p.Website = "50501055", "4-2", "https://acme.example"
		})
		if err != nil {
			t.Fatal(err, paths(err))
		}
		if got := strings.Join([]string{p.LegalName, p.OrganizationNumber, p.VATNumber, p.SpacedIBAN(), p.BIC,
			p.Bankgiro, p.Plusgiro}, "|"); got !=
			"Acme AB|556016-0680|SE556016068001|SE35 5000 0000 0549 1000 0003|HANDSESS|5050-1055|4-2" {
			t.Error(got)
		}
		if kept := book(t, s).Profile(); kept != p || len(kept.Missing()) != 0 {
			t.Errorf("kept is %+v, which lacks %v", kept, kept.Missing())
		}
		if again, err := edit(func(*reference.Profile) {}); err != nil || again.Version != p.Version {
			t.Errorf("saved as it was it is revision %d, %v; want %d", again.Version, err, p.Version)
		}
	})
}

func TestLogo(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := reference.SaveLogo(tx, b.Bytes())
			return err
		})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			for name, picture := range map[string][]byte{"what is no picture": []byte("<svg/>"),
				"a picture without its end": b.Bytes()[:b.Len()-12]} {
				if _, err := reference.SaveLogo(tx, picture); !slices.Equal(paths(err), []string{"logo"}) {
					t.Errorf("%s: %v", name, err)
				}
			}
			_, err := reference.SaveProfile(tx, func(p *reference.Profile) error {
				p.City, p.LogoHash = "Lund", "of another"
				return nil
			})
			return err
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			got, err := reference.Logo(tx)
			if !bytes.Equal(got, b.Bytes()) {
				t.Errorf("the logo is %d bytes, want %d", len(got), b.Len())
			}
			return err
		})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			p, err := reference.SaveLogo(tx, nil)
			if p.LogoHash != "" || p.City != "Lund" {
				t.Errorf("without its logo the profile is %+v", p)
			}
			return err
		})
	})
}

func TestVATNumbersOfTheUnion(t *testing.T) {
	for number, want := range map[string]bool{"SE556016068001": true, "DE123456789": true, "XI123456789": true,
		"GB123456789": false, "NO123456789MVA": false, "DE1": false, "": false, "S": false} {
		if got := reference.IsUnionVAT(number); got != want {
			t.Errorf("IsUnionVAT(%q) = %v", number, got)
		}
	}
}

func TestNumberSeries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		save := func(series number.Series) (err error) {
			dbtest.Write(t, s, func(tx *db.Tx) error { err = reference.SaveSeries(tx, series); return nil })
			return err
		}
		if err := save(number.Series{Name: "invoice-document", Prefix: "F", Next: 7, Width: 5}); err != nil {
			t.Fatal(err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			got, err := number.GapFree(tx, "invoice-document", 2)
			if !slices.Equal(got, []string{"F00007", "F00008"}) {
				t.Errorf("drawn are %v", got)
			}
			return err
		})
		for _, c := range []struct {
			series number.Series
			path   string
		}{
			{number.Series{Name: "invoice-document", Prefix: "F", Next: 8, Width: 5}, "next"},
			{number.Series{Name: "order", Prefix: "a b", Next: 200_000}, "prefix"},
			{number.Series{Name: "order", Next: 0}, "next"},
			{number.Series{Name: "order", Prefix: "O-", Next: 1, Width: 13}, "width"},
		} {
			if err := save(c.series); !slices.Equal(paths(err), []string{c.path}) {
				t.Errorf("%+v: %v, want a refusal at %s", c.series, err, c.path)
			}
		}
		if err := save(number.Series{Name: "nonsense", Next: 1}); !fault.Is(err, reference.ErrSeriesNotFound) {
			t.Errorf("a series there is none of: %v", err)
		}
		if err := save(number.Series{Name: "invoice-document", Prefix: "G", Next: 1}); err != nil {
			t.Errorf("with another prefix it begins anew: %v", err)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			entries, err := record.History(tx, reference.Settings, book(t, s).Defaults().ID, 0, 10)
			if len(entries) != 3 { // made, and twice changed
				t.Errorf("the history has %d entries, want 3", len(entries))
			}
			return err
		})
	})
}
