package freight

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// longestPostal is the longest postal code in the form it is compared in.
const longestPostal = 12

// compact is a postal code without what people put between its letters and digits, in capitals.
func compact(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, code)
}

// Normal is a postal code in the form it is compared in: without spaces, hyphens and the country's letters before it.
// What tells only the street is left out, since the table does not know it: the inward half in GB, the letters in NL,
// the last four digits in US.
func Normal(country, code string) string {
	country, code = strings.ToUpper(country), compact(code)
	if rest, ok := strings.CutPrefix(code, country); ok && country != "GB" && rest != "" && isDigit(rest[0]) {
		code = rest // SE-111 47, LV-1001
	}
	if !isPlain(code) {
		return code
	}
	switch country {
	case "GB":
		if n := len(code); n >= 5 && n <= 7 && isDigit(code[n-3]) && !isDigit(code[n-2]) && !isDigit(code[n-1]) {
			return code[:n-3] // SW1A 1AA is in SW1A
		}
	case "NL":
		if len(code) == 6 && !isDigit(code[4]) && !isDigit(code[5]) {
			return code[:4]
		}
	case "US":
		if len(code) == 9 {
			return code[:5]
		}
	}
	return code
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isPlain reports whether a code may be taken apart: every country's are letters and digits of ASCII.
func isPlain(code string) bool {
	return !strings.ContainsFunc(code, func(c rune) bool { return c > unicode.MaxASCII })
}

// Spelled is a normal postal code as the country writes it.
func Spelled(country, code string) string {
	at, mark := 0, " "
	switch strings.ToUpper(country) {
	case "SE", "CZ", "SK", "GR":
		at = 3
	case "PL":
		at, mark = 2, "-"
	case "PT":
		at, mark = 4, "-"
	case "JP":
		at, mark = 3, "-"
	}
	if at == 0 || len(code) <= at || !isPlain(code) {
		return code
	}
	return code[:at] + mark + code[at:]
}

// within reports whether a normal postal code lies between two beginnings, both included.
func within(code, from, to string) bool {
	return code != "" && code[:min(len(code), len(from))] >= from && code[:min(len(code), len(to))] <= to
}

// Town is a place that has a postal code.
type Town struct {
	CountryCode  string `db:"country"`
	PostalCode   string `db:"code"`
	City, Region string
	Place        int // of the towns with this postal code, the lowest is named first
}

// check refuses what is no postal code of a town.
func (t *Town) check() error {
	var l fault.List
	t.CountryCode = strings.ToUpper(strings.TrimSpace(t.CountryCode))
	t.PostalCode = Normal(t.CountryCode, t.PostalCode)
	t.City, t.Region = strings.TrimSpace(t.City), strings.TrimSpace(t.Region)
	if _, ok := reference.Country(t.CountryCode); !ok {
		l.Add(fault.ErrInvalid, "countryCode", "%q is no country code of ISO 3166-1 (two letters, like SE)",
			t.CountryCode)
	}
	l.If(t.PostalCode == "" || len(t.PostalCode) > longestPostal, fault.ErrInvalid, "postalCode",
		"must have 1 to %d letters and digits", longestPostal)
	l.If(t.City == "", fault.ErrInvalid, "city", "is required")
	return l.Err()
}

// Saved is what became of a town that was saved.
type Saved struct {
	Created, Updated bool
	Err              error
}

// SaveTowns keeps towns with their postal codes, each refused by itself. They are a table that somebody else maintains:
// saving them again replaces what is known of them, and leaves no trace in the change log.
func SaveTowns(tx *db.Tx, towns []Town) ([]Saved, error) {
	out := make([]Saved, len(towns))
	type key struct{ country, code, city string }
	at := map[key]int{} // the last row about it
	var countries, codes []string
	for i := range towns {
		if out[i].Err = towns[i].check(); out[i].Err == nil {
			at[key{towns[i].CountryCode, towns[i].PostalCode, towns[i].City}] = i
			codes = append(codes, towns[i].PostalCode)
			if !slices.Contains(countries, towns[i].CountryCode) {
				countries = append(countries, towns[i].CountryCode)
			}
		}
	}
	before, err := townsWith(tx, countries, codes)
	if err != nil {
		return nil, err
	}
	known := each.By(before, func(t Town) key { return key{t.CountryCode, t.PostalCode, t.City} })
	last := map[key]Town{} // of a code
	var rows []Town
	for i, t := range towns {
		k := key{t.CountryCode, t.PostalCode, t.City}
		if out[i].Err != nil || at[k] != i {
			continue
		}
		was, ok := known[k]
		code := key{t.CountryCode, t.PostalCode, ""}
		switch before, some := last[code]; {
		case ok && (!some || was.follows(before)): // its place among its own is the same, whatever other codes have
			t.Place = was.Place
		case some:
			t.Place = max(t.Place, before.Place+1)
		}
		last[code] = t
		out[i].Created, out[i].Updated = !ok, ok && was != t
		if was != t {
			rows = append(rows, t)
		}
	}
	return out, writeTowns(tx, rows)
}

// follows reports whether a town is named after another one of its postal code.
func (t Town) follows(o Town) bool {
	return cmp.Or(cmp.Compare(t.Place, o.Place), cmp.Compare(t.City, o.City)) > 0
}

// Lookup is the towns with a postal code, the best known first. PostalCode.NotFound.
func Lookup(tx *db.Tx, country, code string) ([]Town, error) {
	country = strings.ToUpper(country)
	normal := Normal(country, code)
	found, err := townsAt(tx, country, normal)
	return found, ErrPostalNotFound.When(len(found) == 0, err,
		"no town is known for postal code %q in %q", code, country)
}
