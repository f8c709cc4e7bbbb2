package party

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// Postal is an address as documents keep it: what it was when the document was made.
type Postal struct {
	Name          string `json:"name,omitzero"`
	ContactPerson string `json:"contactPerson,omitzero"`
	Street1       string `json:"street1,omitzero"`
	Street2       string `json:"street2,omitzero"`
	PostalCode    string `json:"postalCode,omitzero"`
	City          string `json:"city,omitzero"`
	CountryCode   string `json:"countryCode,omitzero"`
	Email         string `json:"email,omitzero"`
	Phone         string `json:"phone,omitzero"`
}

// IsZero reports whether nothing is known of the address.
func (p Postal) IsZero() bool { return p == Postal{} }

// Text is the address as documents store it: JSON, or empty for none.
func (p Postal) Text() string {
	if p.IsZero() {
		return ""
	}
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // nine strings cannot fail to encode
	}
	return string(b)
}

// Scan reads what Text wrote.
func (p *Postal) Scan(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("party: an address is kept as text, not %T", v)
	}
	*p = Postal{}
	if s == "" {
		return nil
	}
	return json.Unmarshal([]byte(s), p)
}

// Check verifies the country, which it writes in upper case, and the mail address, unless it is as it was; path names
// the address in the request.
func (p *Postal) Check(wrong *fault.List, path string, was Postal) {
	checkCountry(wrong, path+".countryCode", &p.CountryCode)
	if p.Email != was.Email {
		mail.Check(wrong, fault.ErrInvalid, path+".email", p.Email)
	}
}

// Mailable is the address without a mail address to which no mail can be sent, as records may have from before these
// were checked.
func (p Postal) Mailable() Postal {
	if !mail.IsAddress(p.Email) {
		p.Email = ""
	}
	return p
}

func checkCountry(wrong *fault.List, path string, code *string) {
	if *code == "" {
		return
	}
	upper := strings.ToUpper(*code)
	if _, ok := reference.Country(upper); !ok {
		wrong.Add(ErrUnknownCode, path, "%q is no country: write its ISO 3166-1 alpha-2 code, such as SE", *code)
		return
	}
	*code = upper
}
