package exchange

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// ratesThere are the quotations of a currency (folded code) on days.
func ratesThere(tx *db.Tx, currency string, days []string) (map[day.Date]dec.Rate, error) {
	return db.ByKey(tx, `-- exchange.ratesThere
		select rate_date, amount, units from currency_rate
		where company = :company and currency_key = :currency and rate_date in (:days)`,
		db.Args{"currency": currency, "days": days}, func(r db.Row, on *day.Date, rate *dec.Rate) error {
			return r.Scan(on, &rate.Amount, &rate.Units)
		})
}

// exportRates writes the quotations of all currencies, day by day.
func exportRates(tx *db.Tx, p *printer) error {
	return tx.Each(`-- exchange.exportRates
		select c.code, c.name, q.rate_date, q.amount, q.units from currency_rate q
		join currency c on c.company = q.company and c.code_key = q.currency_key
		where q.company = :company order by q.currency_key, q.rate_date`, nil, func(r db.Row) error {
		var code, name, on string
		var rate dec.Rate
		if err := r.Scan(&code, &name, &on, &rate.Amount, &rate.Units); err != nil {
			return err
		}
		return p.row(code, name, on, rate.Amount.String(), rate.Units.String())
	})
}
