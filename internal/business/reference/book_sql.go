package reference

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// load reads a company's reference data.
func load(tx *db.Tx) (*codes, error) {
	s := &codes{base: tx.Info.Currency, locations: map[string]set[Location]{}}
	rates, err := taxRates(tx)
	if err != nil {
		return nil, err
	}
	if s.rates, err = ratePoints(tx); err != nil {
		return nil, err
	}
	if s.defaults, err = readDefaults(tx, ""); err != nil {
		return nil, err
	}
	if s.profile, err = readProfile(tx, ""); err != nil {
		return nil, err
	}
	for _, fill := range []func() error{
		filling(tx, warehouses, &s.warehouses, nil),
		filling(tx, currencyKind, &s.currencies, func(c *Currency) { c.derive(tx) }),
		filling(tx, paymentTerms, &s.paymentTerms, nil),
		filling(tx, deliveryTerms, &s.deliveryTerms, nil),
		filling(tx, orderTypes, &s.orderTypes, nil),
		filling(tx, shippingMethods, &s.shippingMethods, nil),
		filling(tx, ticketQueues, &s.ticketQueues, nil),
		filling(tx, cannedAnswers, &s.cannedAnswers, nil),
		filling(tx, units, &s.units, nil),
		filling(tx, customerGroups, &s.customerGroups, nil),
		filling(tx, taxCodes, &s.taxCodes, func(t *TaxCode) {
			t.Rates, t.home = rates[record.Fold(t.Code)], tx.Info.Country
		}),
	} {
		if err := fill(); err != nil {
			return nil, err
		}
	}
	return s, s.loadLocations(tx)
}

// filling reads all rows of a kind into a set; more completes a row that is not all in its table.
func filling[T any](tx *db.Tx, k *kind[T], into *set[T], more func(*T)) func() error {
	return func() error {
		rows, err := k.read(tx)
		if err != nil {
			return err
		}
		if more != nil {
			for i := range rows {
				more(&rows[i])
			}
		}
		*into = setOf(rows, func(v *T) string { return *k.head(v).code })
		return nil
	}
}

func (s *codes) loadLocations(tx *db.Tx) error {
	rows, err := locations.read(tx)
	if err != nil {
		return err
	}
	for _, rows := range each.Together(rows, func(l Location) string { return record.Fold(l.Warehouse) }) {
		s.locations[record.Fold(rows[0].Warehouse)] = setOf(rows, func(l *Location) string { return l.Code })
	}
	return nil
}

// ratePoints reads the quotations of every currency, by folded currency, oldest first.
func ratePoints(tx *db.Tx) (map[string][]RatePoint, error) {
	return db.Grouped(tx, `-- reference.ratePoints
		select currency_key, rate_date, amount, units from currency_rate
		where company = :company order by currency_key, rate_date`, nil,
		func(r db.Row, key *string, p *RatePoint) error {
			return r.Scan(key, &p.Date, &p.Rate.Amount, &p.Rate.Units)
		})
}

// writePoints stores quotations of one currency; one of the same day is replaced.
func writePoints(tx *db.Tx, currency string, points []RatePoint) error {
	key := record.Fold(currency)
	return tx.Upsert("currency_rate", "currency_key, rate_date, amount, units", len(points), func(i int) []any {
		return []any{key, points[i].Date, points[i].Rate.Amount, points[i].Rate.Units}
	}, "on conflict (company, currency_key, rate_date) do update set amount = excluded.amount, units = excluded.units")
}

// taxRates reads the rates of every tax code, by folded code, then country and date.
func taxRates(tx *db.Tx) (map[string][]TaxRate, error) {
	return db.Grouped(tx, `-- reference.taxRates
		select tax_code_key, country_code, valid_from, percent from tax_rate
		where company = :company order by tax_code_key, country_code, valid_from`, nil,
		func(r db.Row, key *string, t *TaxRate) error {
			return r.Scan(key, &t.Country, &t.ValidFrom, &t.Percent)
		})
}

// replaceTaxRates stores the rates of tax codes in place of those they had.
func replaceTaxRates(tx *db.Tx, codes []TaxCode) error {
	type row struct {
		key string
		TaxRate
	}
	var keys []string
	var rows []row
	for _, c := range codes {
		key := record.Fold(c.Code)
		keys = append(keys, key)
		for _, r := range c.Rates {
			rows = append(rows, row{key, r})
		}
	}
	if err := tx.Delete(db.Args{"tax_code_key": keys}, "tax_rate"); err != nil {
		return err
	}
	return tx.Insert("tax_rate", "tax_code_key, country_code, valid_from, percent", len(rows), func(i int) []any {
		return []any{rows[i].key, rows[i].Country, rows[i].ValidFrom, rows[i].Percent}
	})
}

const defaultColumns = record.RootColumns + `, warehouse, order_type, shipping_method, payment_term, delivery_term,
	tax_code, unit, customer_group, ticket_queue, allow_skip_pack, allow_skip_book, bill_percent, bill_amount`

var defaultsRow = db.Map[Defaults](defaultColumns)

// readDefaults reads the company's defaults; before any were saved everything is allowed and nothing named.
func readDefaults(tx *db.Tx, lock string) (Defaults, error) {
	d := Defaults{AllowSkipPack: true, AllowSkipBook: true}
	_, err := tx.One(`-- reference.readDefaults
		select `+defaultColumns+` from company_default where company = :company`+lock, nil,
		defaultsRow.Of(&d)...)
	return d, err
}

// writeDefaults stores the one row.
func writeDefaults(tx *db.Tx, d Defaults) error {
	if err := tx.Delete(nil, "company_default"); err != nil {
		return err
	}
	return tx.Insert("company_default", defaultColumns, 1, func(int) []any { return defaultsRow.Of(&d) })
}

// pointsOf reads the quotations of one currency in a span of days, by day.
func pointsOf(tx *db.Tx, currency string, from, to day.Date) (map[day.Date]RatePoint, error) {
	return db.ByKey(tx, `-- reference.pointsOf
		select rate_date, amount, units from currency_rate
		where company = :company and currency_key = :currency and rate_date between :from and :to`,
		db.Args{"currency": record.Fold(currency), "from": from, "to": to},
		func(r db.Row, on *day.Date, p *RatePoint) error {
			err := r.Scan(&p.Date, &p.Rate.Amount, &p.Rate.Units)
			*on = p.Date
			return err
		})
}
