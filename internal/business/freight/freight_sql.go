package freight

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const columns = `method_code, channel_code, country, postal_from, postal_to, currency, is_inclusive, basis, steps, up_to, free_from,
	tax_code, estimated_days, is_active`

// steps are the steps of a rate as they are stored.
type steps []Step

func (s steps) text() string {
	b, err := json.Marshal([]Step(s))
	if err != nil {
		panic(err) // two decimals cannot fail to encode
	}
	return string(b)
}

// Scan reads what text wrote.
func (s *steps) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("freight: steps are kept as text, not %T", v)
	}
	return json.Unmarshal([]byte(text), (*[]Step)(s))
}

func scan(row db.Row, r *Rate) error {
	var s steps
	err := row.Scan(append(r.Root.Scan(), &r.MethodCode, &r.ChannelCode, &r.CountryCode, &r.PostalFrom, &r.PostalTo,
		&r.CurrencyCode, &r.IsPriceIncludingTax, &r.Basis, &s, &r.UpTo, &r.FreeFrom, &r.TaxCode, &r.EstimatedDays,
		&r.IsActive)...)
	r.Steps = s
	return err
}

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
			return scan(row, &r)
		})
	if err == nil && !found {
		err = ErrNotFound.Because("there is no freight rate %s", id)
	}
	return r, err
}

// List reads rates by shipping method and as they were made.
func List(tx *db.Tx, search string, p record.Page) (record.Found[Rate], error) {
	q := record.Query{Name: "freight.List", Select: record.RootColumns + ", " + columns, From: "freight_rate",
		Key: []record.Order{{Column: "method_code"}, {Column: "id"}}, Stamp: "changed_at",
		Resources: []string{Rates.Name}}
	q.Search("search", search)
	return record.ListOf(tx, q, p, scan)
}

// active are all rates that apply to something.
func active(tx *db.Tx) (all []Rate, err error) {
	err = tx.Each(`-- freight.active
		select `+record.RootColumns+`, `+columns+
		` from freight_rate where company = :company and is_active = 1 order by id`, nil, func(row db.Row) error {
		all = append(all, Rate{})
		return scan(row, &all[len(all)-1])
	})
	return all, err
}

// write stores a rate, new or changed.
func write(tx *db.Tx, r *Rate) error {
	return tx.Upsert("freight_rate", record.RootColumns+", "+columns+", search", 1, func(int) []any {
		return append(r.Root.Values(), r.MethodCode, r.ChannelCode, r.CountryCode, r.PostalFrom, r.PostalTo,
			r.CurrencyCode, r.IsPriceIncludingTax, r.Basis, steps(r.Steps).text(), r.UpTo, r.FreeFrom, r.TaxCode,
			r.EstimatedDays, r.IsActive, record.SearchText(r.MethodCode, r.ChannelCode, r.CountryCode, r.PostalFrom))
	}, `on conflict (company, id) do update set method_code = excluded.method_code, channel_code = excluded.channel_code,
		country = excluded.country, postal_from = excluded.postal_from, postal_to = excluded.postal_to, currency = excluded.currency,
		is_inclusive = excluded.is_inclusive, basis = excluded.basis, steps = excluded.steps, up_to = excluded.up_to,
		free_from = excluded.free_from, tax_code = excluded.tax_code, estimated_days = excluded.estimated_days,
		is_active = excluded.is_active, search = excluded.search`)
}

func remove(tx *db.Tx, id string) error {
	_, err := tx.Exec(`-- freight.remove
		delete from freight_rate where company = :company and id = :id`, db.Args{"id": id})
	return err
}
