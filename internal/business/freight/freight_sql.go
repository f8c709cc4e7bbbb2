package freight

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const columns = `method_code, channel_code, country, postal_from, postal_to, currency, is_inclusive, basis, steps, up_to, free_from,
	tax_code, estimated_days, is_active`

var rateRow = db.Map[Rate](record.RootColumns + ", " + columns)

// Read reads a rate. FreightRate.NotFound.
func Read(tx *db.Tx, id string) (Rate, error) { return find(tx, id, "") }

// lock is Read for a change.
func lock(tx *db.Tx, id string) (Rate, error) { return find(tx, id, " for update") }

func find(tx *db.Tx, id, lock string) (r Rate, err error) {
	found := false
	err = tx.Each(`-- freight.find
		select `+record.RootColumns+`, `+columns+` from freight_rate where company = :company and id = :id`+lock,
		db.Args{"id": id}, func(row db.Row) error {
			found = true
			return rateRow.Scan(row, &r)
		})
	if err == nil && !found {
		err = ErrNotFound.Because("there is no freight rate %s", id)
	}
	return r, err
}

// List reads rates by shipping method and as they were made.
func List(tx *db.Tx, search string, p record.Page) (record.Found[Rate], error) {
	q := record.Query{Name: "freight.List", Select: record.RootColumns + ", " + columns, From: "freight_rate",
		Key: []string{"method_code", "id"}, Stamp: "changed_at",
		Resources: []string{Rates.Name}}
	q.Search("search", search)
	return record.ListOf(tx, q, p, rateRow.Scan)
}

// active are all rates that apply to something.
func active(tx *db.Tx) (all []Rate, err error) {
	err = tx.Each(`-- freight.active
		select `+record.RootColumns+`, `+columns+
		` from freight_rate where company = :company and is_active = 1 order by id`, nil, func(row db.Row) error {
		all = append(all, Rate{})
		return rateRow.Scan(row, &all[len(all)-1])
	})
	return all, err
}

// write stores a rate, new or changed.
func write(tx *db.Tx, r *Rate) error {
	return tx.Upsert("freight_rate", record.RootColumns+", "+columns+", search", 1, func(int) []any {
		return append(rateRow.Of(r), record.SearchText(r.MethodCode, r.ChannelCode, r.CountryCode, r.PostalFrom))
	}, db.Overwriting("id", columns+", search"))
}

func remove(tx *db.Tx, id string) error { return tx.Delete(db.Args{"id": id}, "freight_rate") }
