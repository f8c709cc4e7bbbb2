package exchange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/freight"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/table"
)

// postalKind is the table of postal codes with their towns, as GeoNames publishes it for each country. It has no key: a
// town may stand in it several times, and the last row about it counts.
func postalKind() kind {
	return kind{name: "postal-codes", shownKey: []string{"countryCode", "postalCode", "city"},
		duplicate: fault.ErrInvalid, booker: func() booker { return &postalCodes{} }, export: exportPostalCodes,
		fields: of[freight.Town](
			column(code, "countryCode", "country", "countryName"),
			must(column(code, "postalCode", "zipcode", "zip", "postcode")),
			must(column(nameText, "city", "place", "placeName", "town")),
			column(nameText, "region", "state", "adminName1", "county"),
		)}
}

// geoNames are the columns of a file of GeoNames, which has no header.
var geoNames = [...]string{"countryCode", "postalCode", "city", "region", "adminCode1", "adminName2", "adminCode2",
	"adminName3", "adminCode3", "latitude", "longitude", "accuracy"}

var countryLike = lazy.Regexp(`^[A-Z]{2}$`)

// nameHeadless names the columns of files of postal codes that do not: those of GeoNames, and pairs of code and town.
func nameHeadless(k *kind, t *table.Reader) {
	names := t.Columns()
	if slices.ContainsFunc(names, func(n string) bool { _, ok := k.target(n); return ok }) {
		return
	}
	switch {
	case len(names) >= 4 && len(names) <= len(geoNames) && countryLike().MatchString(strings.TrimSpace(names[0])):
		t.NameColumns(slices.Clone(geoNames[:len(names)]))
	case len(names) == 2:
		t.NameColumns([]string{"postalCode", "city"})
	}
}

// postalCodes books towns with their postal codes.
type postalCodes struct {
	plain
	country string // of rows that name none
}

func (b *postalCodes) key(r *row) string { return strconv.Itoa(r.line) }

func (b *postalCodes) book(tx *db.Tx, rows []*row) error {
	towns := make([]freight.Town, len(rows))
	for i, r := range rows {
		t := freight.Town{Place: r.line}
		if err := r.lay(&t); err != nil {
			return err
		}
		t.CountryCode = cmp.Or(t.CountryCode, b.country)
		if named, ok := reference.CountryNamed(t.CountryCode); ok {
			t.CountryCode = named
		}
		towns[i] = t
	}
	saved, err := freight.SaveTowns(tx, towns)
	if err != nil {
		return err
	}
	for i, s := range saved {
		rows[i].turned(s.Err, s.Created, s.Updated)
	}
	return nil
}

func exportPostalCodes(tx *db.Tx, p *printer) error {
	return freight.EachTown(tx, func(t freight.Town) error {
		t.PostalCode = freight.Spelled(t.CountryCode, t.PostalCode)
		return p.record(nil, t)
	})
}
