package identity

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Company is a tenant: one set of books.
type Company struct {
	ID, Code, Name string
	Country        string // ISO 3166-1 alpha-2
	Currency       string // ISO 4217, the base currency
	Environment    Environment
	TimeZone       string // IANA name
	Status         Status
	CreatedAt      db.Time
}

// Info are the facts about the company that its own books carry.
func (c Company) Info() db.CompanyInfo {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return db.CompanyInfo{ID: c.ID, Code: c.Code, Name: c.Name, Currency: c.Currency, Country: c.Country,
		TimeZone: c.TimeZone, Environment: string(c.Environment), Zone: zone}
}

// Register enters a company that is about to be laid out: its status is Opening until Activate. The time
// zone is the country's unless given. It refuses with Company.Invalid naming every wrong field, and with
// Company.AlreadyExists.
func Register(tx *db.Tx, c Company) (Company, error) {
	c, err := complete(c)
	if err != nil {
		return c, err
	}
	c.ID, c.Status, c.CreatedAt = newID(), Opening, tx.Now
	entered, err := insertCompany(tx, c)
	if err != nil {
		return c, err
	}
	if !entered {
		return c,
			ErrCompanyExists.Because(
				"there is a company with code %s already: choose another code, or delete that one first", c.Code)
	}
	return c, note(tx, c.ID, "companies", c.Code, "create", map[string]any{
		"name": c.Name, "country": c.Country, "currency": c.Currency, "environment": c.Environment,
		"timeZone": c.TimeZone})
}

// Check refuses the facts of a new company as Register would, wherever it is to be.
func Check(c Company) error { _, err := complete(c); return err }

// Activate opens a company's doors once its books are laid out.
func Activate(tx *db.Tx, id string) error { return setStatus(tx, id, Active) }

// BeginClosing shuts a company's doors: from here on its credentials are refused on every node.
func BeginClosing(tx *db.Tx, c Company) error {
	if err := setStatus(tx, c.ID, Closing); err != nil {
		return err
	}
	return note(tx, c.ID, "companies", c.Code, "close", nil)
}

// Remove forgets a company whose books are gone, its keys, domains and memberships with it. What was
// done to it stays in the installation's log.
func Remove(tx *db.Tx, c Company) error {
	if err := deleteCompany(tx, c.ID); err != nil {
		return err
	}
	return note(tx, c.ID, "companies", c.Code, "delete", nil)
}

// complete trims, fills in and checks the facts of a new company, and reports all faults at once.
func complete(c Company) (Company, error) {
	var wrong fault.List
	c.Code, c.Name = strings.TrimSpace(c.Code), strings.TrimSpace(c.Name)
	c.Country, c.Currency = strings.ToUpper(c.Country), strings.ToUpper(c.Currency)
	wrong.If(!isHostLabel(c.Code), ErrCompanyInvalid, "code",
		"%q is not 1 to 40 letters a-z, digits and inner hyphens; it becomes part of the shop's host name, so choose one like acme",
		c.Code)
	if n := utf8.RuneCountInString(c.Name); n == 0 || n > 200 {
		wrong.Add(ErrCompanyInvalid, "name", "has %d characters; give it 1 to 200", n)
	}
	wrong.If(zoneOf(c.Country) == "", ErrCompanyInvalid, "country",
		"%q is not a country code of ISO 3166-1, such as SE", c.Country)
	wrong.If(!reference.IsCurrency(c.Currency), ErrCompanyInvalid, "currency",
		"%q is not a currency code of ISO 4217, such as SEK", c.Currency)
	wrong.If(c.Environment != Production && c.Environment != Test, ErrCompanyInvalid, "environment",
		"%q is neither Test nor Production", c.Environment)
	c.TimeZone = cmp.Or(c.TimeZone, zoneOf(c.Country))
	if _, err := time.LoadLocation(c.TimeZone); err != nil || c.TimeZone == "Local" {
		wrong.Add(ErrCompanyInvalid, "timeZone",
			"%q is not a name of the IANA time zone database, such as Europe/Stockholm", c.TimeZone)
	}
	return c, wrong.Err()
}

// isHostLabel reports whether code can stand as one label of a host name (RFC 1123), in either case.
func isHostLabel(code string) bool {
	if len(code) == 0 || len(code) > 40 || code[0] == '-' || code[len(code)-1] == '-' {
		return false
	}
	for _, c := range []byte(code) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
		default:
			return false
		}
	}
	return true
}
