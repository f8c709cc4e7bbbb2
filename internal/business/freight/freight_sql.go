package freight

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var rates = record.TableOf(Rates, record.Layout[Rate]{
	Changing: "method_code, channel_code, country, postal_from, postal_to, currency, is_inclusive, basis, steps, up_to, " +
		"free_from, tax_code, estimated_days, is_active",
	Derived: func(r *Rate) db.Args {
		return db.Args{"search": record.SearchText(r.MethodCode, r.ChannelCode, r.CountryCode, r.PostalFrom)}
	},
	Missing: func(id string) error { return ErrNotFound.Because("there is no freight rate %s", id) },
})

// Read reads a rate. FreightRate.NotFound.
func Read(tx *db.Tx, id string) (Rate, error) { return rates.Find(tx, id) }

// List reads rates by shipping method and as they were made.
func List(tx *db.Tx, search string, p record.Page) (record.Found[Rate], error) {
	q := rates.Query("freight.List")
	q.Key = []string{"method_code", "id"}
	q.Search("search", search)
	return record.ListOf(tx, q, p, rates.Scan)
}

// active are all rates that apply to something.
func active(tx *db.Tx) ([]Rate, error) {
	return rates.Where(tx, "freight.active", "is_active = 1 order by id", nil)
}
