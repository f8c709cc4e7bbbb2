package reference

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	_ "image/jpeg" // formats of logos
	_ "image/png"
	"net/url"
	"regexp"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// CompanyProfile is the resource of the company's profile.
var CompanyProfile = record.Define("company-profile", "company_profile", "CompanyProfile")

// ErrProfileInvalid refuses a profile that breaks a rule.
var ErrProfileInvalid = fault.New(fault.Invalid, "CompanyProfile.Invalid")

// Profile is who the company is, as its invoices and letters name it: what article 226 of directive 2006/112/EC wants
// to know of who sells, and how it is paid.
type Profile struct {
	record.Root
	LegalName                                       string
	OrganizationNumber, VATNumber                   string
	Street1, Street2, PostalCode, City, CountryCode string
	Seat                                            string // town of the registered office
	Email, Phone, Website                           string
	BankName, IBAN, BIC, Bankgiro, Plusgiro         string
	HasFTax                                         bool   // approved for F-tax, as Swedish invoices say
	InvoiceText                                     string // at the foot of invoices
	LogoHash                                        string // of the logo's bytes, "" = none
}

// Profile is the company's profile; one that was never saved has the company's name and country.
func (b *Book) Profile() Profile { return b.profile }

// Lines are the address as it stands on a letter.
func (p Profile) Lines() []string {
	country, _ := Country(p.CountryCode)
	return each.Where([]string{p.Street1, p.Street2, strings.TrimSpace(p.PostalCode + " " + p.City), country},
		func(l string) bool { return l != "" })
}

// Missing are the names of what a lawful invoice says and the profile does not.
//
// Directive 2006/112/EC, article 226: "(3) the VAT identification number referred to in Article 214 under which the
// taxable person supplied the goods or services; (5) the full name and address of the taxable person and of the
// customer".
func (p Profile) Missing() (missing []string) {
	for _, f := range []struct{ name, value string }{{"legalName", p.LegalName}, {"vatNumber", p.VATNumber},
		{"street1", p.Street1}, {"city", p.City}, {"countryCode", p.CountryCode}} {
		if f.value == "" {
			missing = append(missing, f.name)
		}
	}
	return missing
}

// SpacedIBAN is the account number in groups of four, as people read it.
func (p Profile) SpacedIBAN() string {
	var b strings.Builder
	for i, r := range p.IBAN {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// SaveProfile edits the company's profile. CompanyProfile.Invalid names everything that is wrong.
func SaveProfile(tx *db.Tx, edit func(*Profile) error) (Profile, error) {
	return saveProfile(tx, edit, func(*Profile) ([]byte, bool, error) { return nil, false, nil })
}

// SaveLogo sets the company's logo, a PNG or JPEG picture; none takes it away. CompanyProfile.Invalid.
func SaveLogo(tx *db.Tx, picture []byte) (Profile, error) {
	return saveProfile(tx, func(*Profile) error { return nil }, func(p *Profile) ([]byte, bool, error) {
		if p.LogoHash = ""; len(picture) == 0 {
			return nil, true, nil
		}
		if err := checkLogo(picture); err != nil {
			return nil, false, err
		}
		sum := sha256.Sum256(picture)
		p.LogoHash = hex.EncodeToString(sum[:])
		return picture, true, nil
	})
}

func saveProfile(tx *db.Tx, edit func(*Profile) error, logo func(*Profile) (picture []byte, replaces bool, err error)) (
	Profile, error) {
	before, err := readProfile(tx, db.ForUpdate)
	if err != nil {
		return before, err
	}
	p := before
	if err := edit(&p); err != nil {
		return p, err
	}
	p.Root, p.LogoHash = before.Root, before.LogoHash
	picture, replaces, err := logo(&p)
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return p, err
	}
	if p.ID == "" {
		p.Root = record.New(tx)
		err = CompanyProfile.Created(tx, p.Root, "profile", p)
	} else {
		err = CompanyProfile.Changed(tx, &p.Root, "profile", before, p)
	}
	if err != nil || p.Root == before.Root {
		return p, err
	}
	if err = writeProfile(tx, p); err == nil && replaces {
		err = writeLogo(tx, picture)
	}
	if err != nil {
		return p, err
	}
	return p, record.BumpEpoch(tx)
}

const (
	maxLogo       = 300 << 10
	maxLogoPixels = 4_000_000
)

func checkLogo(picture []byte) error {
	c, _, err := image.DecodeConfig(bytes.NewReader(picture))
	switch {
	case len(picture) > maxLogo:
		return ErrProfileInvalid.At("logo", "has %d kB, the limit is %d: save it smaller", len(picture)>>10,
			maxLogo>>10)
	case err != nil:
		return ErrProfileInvalid.At("logo", "is no PNG or JPEG picture")
	case c.Width*c.Height > maxLogoPixels:
		return ErrProfileInvalid.At("logo", "has %d by %d pixels: save it smaller", c.Width, c.Height)
	}
	if _, _, err = image.Decode(bytes.NewReader(picture)); err != nil {
		return ErrProfileInvalid.At("logo", "is damaged and cannot be printed: save it once more").From(err)
	}
	return nil
}

// vatNumbers are the forms of VAT numbers by their first two letters (VIES, Commission's list of structures; Norway,
// Switzerland).
var vatNumbers = map[string]func() *regexp.Regexp{
	"AT": lazy.Regexp(`^ATU\d{8}$`), "BE": lazy.Regexp(`^BE[01]\d{9}$`),
	"BG": lazy.Regexp(`^BG\d{9,10}$`), "CY": lazy.Regexp(`^CY\d{8}[A-Z]$`),
	"CZ": lazy.Regexp(`^CZ\d{8,10}$`), "DE": lazy.Regexp(`^DE\d{9}$`),
	"DK": lazy.Regexp(`^DK\d{8}$`), "EE": lazy.Regexp(`^EE\d{9}$`),
	"EL": lazy.Regexp(`^EL\d{9}$`), "ES": lazy.Regexp(`^ES[0-9A-Z]\d{7}[0-9A-Z]$`),
	"FI": lazy.Regexp(`^FI\d{8}$`), "FR": lazy.Regexp(`^FR[0-9A-Z]{2}\d{9}$`),
	"HR": lazy.Regexp(`^HR\d{11}$`), "HU": lazy.Regexp(`^HU\d{8}$`),
	"IE": lazy.Regexp(`^IE\d[0-9A-Z+*]\d{5}[A-Z]{1,2}$`), "IT": lazy.Regexp(`^IT\d{11}$`),
	"LT": lazy.Regexp(`^LT(\d{9}|\d{12})$`), "LU": lazy.Regexp(`^LU\d{8}$`),
	"LV": lazy.Regexp(`^LV\d{11}$`), "MT": lazy.Regexp(`^MT\d{8}$`),
	"NL": lazy.Regexp(`^NL[0-9A-Z+*]{12}$`), "PL": lazy.Regexp(`^PL\d{10}$`),
	"PT": lazy.Regexp(`^PT\d{9}$`), "RO": lazy.Regexp(`^RO\d{2,10}$`),
	"SE": lazy.Regexp(`^SE\d{10}01$`), "SI": lazy.Regexp(`^SI\d{8}$`),
	"SK": lazy.Regexp(`^SK\d{10}$`), "XI": lazy.Regexp(`^XI(\d{9}|\d{12}|(GD|HA)\d{3})$`),
	"GB": lazy.Regexp(`^GB(\d{9}|\d{12})$`), "NO": lazy.Regexp(`^NO\d{9}(MVA)?$`),
	"CH": lazy.Regexp(`^CHE\d{9}(MWST|TVA|IVA)?$`),
}

var (
	anyVAT = lazy.Regexp(`^[A-Z]{2}[0-9A-Z]{2,15}$`)
	iban   = lazy.Regexp(`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`)
	bic    = lazy.Regexp(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
	giro   = lazy.Regexp(`^\d{2,8}$`)
)

// IsUnionVAT reports whether a VAT number is one of a member state of the European Union, or of Northern Ireland.
func IsUnionVAT(number string) bool {
	form := vatNumbers[number[:min(2, len(number))]]
	return form != nil && form().MatchString(number) && !strings.Contains(" GB NO CH ", " "+number[:2]+" ")
}

// IsUnion reports whether a country is a member state of the European Union.
func IsUnion(country string) bool {
	return len(country) == 2 &&
		strings.Contains(" AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ",
			" "+country+" ")
}

// validate brings numbers into the form in which they are kept and refuses what cannot be, everything at once.
func (p *Profile) validate() error {
	for _, s := range []*string{&p.LegalName, &p.OrganizationNumber, &p.Street1, &p.Street2, &p.PostalCode, &p.City,
		&p.Seat, &p.Email, &p.Phone, &p.Website, &p.BankName, &p.InvoiceText} {
		*s = strings.TrimSpace(*s)
	}
	p.VATNumber, p.IBAN, p.BIC, p.CountryCode = bare(p.VATNumber), bare(p.IBAN), bare(p.BIC), bare(p.CountryCode)
	var l fault.List
	c := checker{}
	c.text("legalName", p.LegalName, 200, true)
	for _, f := range []struct {
		name, value string
		limit       int
	}{{"street1", p.Street1, 200}, {"street2", p.Street2, 200}, {"postalCode", p.PostalCode, 20}, {"city", p.City, 200},
		{"seat", p.Seat, 200}, {"phone", p.Phone, 50}, {"bankName", p.BankName, 200},
		{"organizationNumber", p.OrganizationNumber, 50}, {"invoiceText", p.InvoiceText, 1000}} {
		c.text(f.name, f.value, f.limit, false)
	}
	c.country("countryCode", p.CountryCode)
	if err := l.AddError(c.Err()); err != nil {
		return err
	}
	p.validateNumbers(&l)
	mail.Check(&l, ErrProfileInvalid, "email", p.Email)
	l.If(p.Website != "" && !IsWebAddress(p.Website), ErrProfileInvalid, "website",
		"%q is no address like https://www.example.com", p.Website)
	return l.Err()
}

// IsWebAddress reports whether a text is the address of a page: http or https, with a host.
func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

func (p *Profile) validateNumbers(l *fault.List) {
	if p.CountryCode == "SE" && p.OrganizationNumber != "" {
		n := bare(p.OrganizationNumber)
		if len(n) != 10 || !luhn(n) {
			l.Add(ErrProfileInvalid, "organizationNumber",
				"%q is no Swedish organisation number, such as 556016-0680: ten digits, the last of which checks the others",
				p.OrganizationNumber)
		} else {
			p.OrganizationNumber = n[:6] + "-" + n[6:]
		}
	}
	if v := p.VATNumber; v != "" {
		form, known := vatNumbers[v[:min(2, len(v))]]
		if !known {
			form = anyVAT
		}
		l.If(!form().MatchString(v) || strings.HasPrefix(v, "SE") && !luhn(v[2:12]), ErrProfileInvalid, "vatNumber",
			"%q is no VAT number: it begins with the country's letters, such as SE556016068001", v)
	}
	l.If(p.IBAN != "" && (!iban().MatchString(p.IBAN) || !checksIBAN(p.IBAN)), ErrProfileInvalid, "iban",
		"%q is no IBAN: its check digits do not fit", p.IBAN)
	l.If(p.BIC != "" && !bic().MatchString(p.BIC), ErrProfileInvalid, "bic",
		"%q is no BIC: it has 8 or 11 letters and digits, such as HANDSESS", p.BIC)
	p.validateGiros(l)
}

func (p *Profile) validateGiros(l *fault.List) {
	if n := bare(p.Bankgiro); p.Bankgiro != "" {
		if len(n) < 7 || len(n) > 8 || !luhn(n) {
			l.Add(ErrProfileInvalid, "bankgiro",
				"%q is no bankgiro number, such as 5050-1055: seven or eight digits, the last of which checks the others",
				p.Bankgiro)
		} else {
			p.Bankgiro = n[:len(n)-4] + "-" + n[len(n)-4:]
		}
	}
	if n := bare(p.Plusgiro); p.Plusgiro != "" {
		if !giro().MatchString(n) || !luhn(n) {
			l.Add(ErrProfileInvalid, "plusgiro",
				"%q is no plusgiro number: two to eight digits, the last of which checks the others", p.Plusgiro)
		} else {
			p.Plusgiro = n[:len(n)-1] + "-" + n[len(n)-1:]
		}
	}
}

// bare is a number in capitals, without what people put between its groups.
func bare(s string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "", "\u00a0", "").Replace(s))
}

// luhn checks a number by its last digit (ISO/IEC 7812-1, annex B), as Swedish organisation, bankgiro and plusgiro
// numbers are.
func luhn(n string) bool {
	sum := 0
	for i := range len(n) {
		d := int(n[len(n)-1-i] - '0')
		if n[len(n)-1-i] < '0' || d > 9 {
			return false
		}
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return len(n) > 0 && sum%10 == 0
}

// checksIBAN checks an account number (ISO 13616): with its first four characters at the end and its letters as 10 to
// 35 it leaves
// 1 when divided by 97.
func checksIBAN(n string) bool {
	rest := 0
	for _, r := range n[4:] + n[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	return rest == 1
}
