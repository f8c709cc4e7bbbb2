package exchange

import (
	"slices"
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func taxKind() kind {
	return kind{name: "tax-codes", shownKey: []string{"taxCode", "countryCode", "validFrom"},
		duplicate: fault.ErrInvalid, booker: func() booker { return &taxes{headsOf(taxHead())} }, export: exportTaxes,
		fields: append(taxHead(), of[reference.TaxRate](
			key(as("Country", column(code, "countryCode", "country", "countryName"))),
			date("validFrom"),
			key(number("percent", "rate", "percentage")),
		)...)}
}

// taxHead are the columns of a tax code itself.
func taxHead() []field {
	return of[reference.TaxCode](
		must(key(as("Code", column(code, "taxCode", "code", "vatCode")))),
		kept(as("Name", column(nameText, "taxName", "name"))),
		truth("isActive", "active"),
	)
}

// taxes books tax codes: a row is the rate of a code in a country from a day on; a row without a rate is the code
// alone.
// Rates that no row speaks of stay.
type taxes struct{ heads }

func (b *taxes) key(r *row) string {
	return record.Fold(r.get("taxCode")) + "\x00" + countryOf(r) + "\x00" + r.get("validFrom")
}

func countryOf(r *row) string {
	country := r.get("countryCode")
	if named, ok := reference.CountryNamed(country); ok {
		return named
	}
	return strings.ToUpper(country)
}

func (b *taxes) book(tx *db.Tx, rows []*row) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var codes []reference.TaxCode
	for _, group := range b.groups(rows) {
		head := b.of(group[0])
		t, known := book.TaxCode(head.get("taxCode"))
		if !known {
			t = reference.TaxCode{Code: head.get("taxCode"), Name: head.get("taxCode"), IsActive: true}
		}
		name, active := t.Name, t.IsActive
		if err := head.lay(&t); err != nil {
			refuseAll(group, head, err)
			continue
		}
		t.Rates = slices.Clone(t.Rates)
		for _, r := range group {
			layRate(r, &t)
		}
		switch {
		case !known:
			group[0].became(created)
		case group[0] == head && (name != t.Name || active != t.IsActive):
			head.became(updated)
		}
		if slices.ContainsFunc(group, func(r *row) bool { return r.err == nil }) {
			codes = append(codes, t)
		}
	}
	return reference.SaveTaxCodes(tx, codes...)
}

// layRate lays the rate that a row says over those of a tax code.
func layRate(r *row, t *reference.TaxCode) {
	rate := reference.TaxRate{Country: countryOf(r)}
	var percent *dec.Dec
	c := r.cells()
	c.lay(&rate)
	c.optional("percent", &percent)
	c.wrong.If(percent == nil && (rate.Country != "" || rate.ValidFrom != "") && c.wrong.Empty(), fault.ErrInvalid,
		"percent", "is empty: say the rate of the country")
	if _, ok := reference.Country(rate.Country); rate.Country != "" && !ok {
		c.wrong.Add(fault.ErrInvalid, "countryCode",
			"%q is no country code of ISO 3166-1 (two capital letters, like SE)", rate.Country)
	}
	if percent != nil && (*percent < 0 || *percent > dec.Int(100)) {
		c.wrong.Add(fault.ErrInvalid, "percent", "is %s, it must be between 0 and 100", *percent)
	}
	if err := c.wrong.Err(); err != nil {
		r.refuse(err)
		return
	}
	if percent == nil {
		r.became(unchanged)
		return
	}
	rate.Percent = *percent
	n := slices.IndexFunc(t.Rates,
		func(x reference.TaxRate) bool { return x.Country == rate.Country && x.ValidFrom == rate.ValidFrom })
	if n < 0 {
		t.Rates = append(t.Rates, rate)
		r.became(created)
		return
	}
	r.turned(nil, false, t.Rates[n] != rate)
	t.Rates[n] = rate
}

func exportTaxes(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, reference.ListTaxCodes, func(t reference.TaxCode) error {
		if len(t.Rates) == 0 {
			return p.record(nil, t)
		}
		return each.Do(t.Rates, func(r reference.TaxRate) error { return p.record(nil, t, r) })
	})
}

func rateKind() kind {
	return kind{name: "currency-rates", shownKey: []string{"currencyCode", "rateDate"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return &rates{newHeads("currencyCode", "currencyName")} }, export: exportRates,
		fields: []field{
			must(column(code, "currencyCode", "currency", "code")),
			column(nameText, "currencyName", "name"),
			must(date("rateDate", "date", "day")),
			must(number("amount", "exchangeRate", "rate")),
			number("units", "per"),
		}}
}

// rates books quotations: on a day, so many units of a currency are worth an amount of the base currency. A currency
// that the company does not deal in yet is taken in where the row says its name.
type rates struct{ heads }

func (b *rates) book(tx *db.Tx, rows []*row) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	for _, group := range b.groups(rows) {
		head := b.of(group[0])
		currency, known := book.Currency(head.get("currencyCode"))
		switch {
		case known && currency.IsBase:
			refuseAll(group, head, fault.ErrInvalid.At("currencyCode",
				"%s is the base currency, whose rate is always 1", currency.Code))
			continue
		case !known && head.get("currencyName") == "":
			refuseAll(group, head, reference.ErrCurrencyNotFound.At("currencyCode",
				"the company has no currency %q: give a currencyName to take it in", head.get("currencyCode")))
			continue
		}
		named, points := pointsOf(group)
		if len(points) == 0 {
			continue
		}
		if !known {
			currency = reference.Currency{Code: head.get("currencyCode"), Name: head.get("currencyName"),
				IsActive: true}
			if err := reference.SaveCurrencies(tx, currency); err != nil {
				return err
			}
		}
		days := each.Of(points, func(p reference.RatePoint) string { return string(p.Date) })
		had, err := ratesThere(tx, record.Fold(currency.Code), days)
		if err != nil {
			return err
		}
		if err := reference.SaveRates(tx, currency.Code, points...); err != nil {
			return err
		}
		for n, p := range points {
			was, ok := had[p.Date]
			named[n].turned(nil, !ok, was != p.Rate)
		}
	}
	return nil
}

// pointsOf reads the quotations of rows, and answers the rows that can be read beside them; others are refused.
func pointsOf(rows []*row) (named []*row, points []reference.RatePoint) {
	for _, r := range rows {
		p, err := pointOf(r)
		if err != nil {
			r.refuse(err)
			continue
		}
		named, points = append(named, r), append(points, p)
	}
	return named, points
}

func pointOf(r *row) (reference.RatePoint, error) {
	p := reference.RatePoint{Rate: dec.Rate{Units: dec.One}}
	c := r.cells()
	c.date("rateDate", &p.Date)
	c.number("amount", &p.Rate.Amount)
	c.number("units", &p.Rate.Units)
	c.wrong.If(c.wrong.Empty() && p.Rate.Amount <= 0, fault.ErrInvalid, "amount", "must be above 0")
	c.wrong.If(c.wrong.Empty() && p.Rate.Units <= 0, fault.ErrInvalid, "units", "must be above 0")
	return p, c.wrong.Err()
}
