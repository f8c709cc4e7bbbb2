package backoffice

import (
	"cmp"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/page"
)

// moneyCodes are the pages of taxes and currencies.
func moneyCodes() []page.Page {
	return pages(
		codes[reference.TaxCode]{kind: taxCodes, resource: reference.TaxCodes, title: "Tax codes", one: "Tax code",
			new: "New tax code", lead: "Classes of goods for value added tax, with their rates by country and day.",
			save: reference.SaveTaxCodes,
			fields: func(c *page.Ctx, t *reference.TaxCode) []page.Field {
				return []page.Field{page.Lines("rates", "Rates", &t.Rates, func(r *reference.TaxRate) []page.Field {
					return []page.Field{country("countryCode", "Country", &r.Country).Suggest(countries(c)),
						page.Date("validFrom", "From", &r.ValidFrom), page.Decimal("percent", "Percent", &r.Percent)}
				}).
					Hint(
						"A country left empty holds for all that have no rate of their own; a day left empty means ever since. A country without a rate pays none.")}
			},
			parts: func(c *page.Ctx, t reference.TaxCode) ([]page.Part, error) {
				grid := page.Grid{Title: "Rates", Heads: []string{"Country", "From", "Percent"},
					Empty: "No rates: nothing is taxed."}
				for _, r := range t.Rates {
					from := page.Word("ever since")
					if r.ValidFrom != "" {
						from = page.Day(r.ValidFrom)
					}
					grid.Rows = append(grid.Rows, []page.Value{orAll(r.Country), from, page.Percent(r.Percent)})
				}
				return []page.Part{grid}, nil
			},
			shown: func(t reference.TaxCode) []page.Column {
				return []page.Column{page.Minor("Rates", page.Count(len(t.Rates)))}
			}}.pages(),
		codes[reference.Currency]{kind: currencies, resource: reference.Currencies, title: "Currencies",
			one: "Currency", new: "New currency",
			lead: "The currencies that the company deals in, and what they are worth.", save: reference.SaveCurrencies,
			actions: []page.Action[reference.Currency]{addRates()},
			parts:   quotations, shown: func(v reference.Currency) []page.Column {
				return []page.Column{page.Col("Rate", rateOf(v)), page.Minor("Rate of", page.Day(v.RateDate)),
					page.Minor("Decimals", page.Count(v.Decimals))}
			}}.pages(),
	)
}

func rateOf(v reference.Currency) page.Value {
	if v.IsBase {
		return page.Badge("Base currency", page.Calm)
	}
	if v.Rate.Units == 0 {
		return page.Badge("No rate", page.Warn)
	}
	rate := v.Rate.Amount.MulDiv(dec.One, v.Rate.Units)
	return page.Qty(rate).Called(func(c *page.Ctx) page.Value { return page.QtyOf(rate, base(c)) })
}

// quotation is what a currency is worth from a day on, as somebody types it.
type quotation struct {
	Rates []reference.RatePoint
}

// addRates adds quotations of a currency.
func addRates() page.Action[reference.Currency] {
	return page.Ask(page.Action[reference.Currency]{Name: "rates", Label: "Add rates",
		When:    func(v reference.Currency) bool { return !v.IsBase },
		Confirm: "From a day on, so many units of the currency are worth the amount in the base currency. A rate of the same day is replaced."},
		func(c *page.Ctx, _ reference.Currency) (quotation, error) {
			return quotation{[]reference.RatePoint{{Date: c.Tx.Today(), Rate: dec.Rate{Units: dec.One}}}}, nil
		},
		func(c *page.Ctx, v reference.Currency, q *quotation) []page.Field {
			return []page.Field{page.Lines("rates", "Rates", &q.Rates, func(p *reference.RatePoint) []page.Field {
				return []page.Field{page.Date("date", "From", &p.Date), page.Decimal("units", "Units", &p.Rate.Units),
					page.Decimal("amount", "Are worth", &p.Rate.Amount)}
			}).Required()}
		},
		func(c *page.Ctx, v reference.Currency, q quotation) (page.Done, error) {
			for i := range q.Rates {
				p := &q.Rates[i]
				p.Date = cmp.Or(p.Date, c.Tx.Today())
				if p.Rate.Units == 0 {
					p.Rate.Units = dec.One
				}
				if p.Rate.Amount <= 0 {
					return page.Done{}, page.Refusal("rates["+itoa(i)+"].amount", "must be above 0")
				}
			}
			return page.Did("The rates are added."), reference.SaveRates(c.Tx, v.Code, q.Rates...)
		})
}

// quotations are the newest rates of a currency.
func quotations(c *page.Ctx, v reference.Currency) ([]page.Part, error) {
	if v.IsBase {
		return nil, nil
	}
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Rates", Heads: []string{"From", "Units", "Are worth"},
		Empty: "No rates yet: prices in it cannot be converted."}
	all := book.Rates(v.Code)
	for i := len(all) - 1; i >= 0 && len(grid.Rows) < 60; i-- {
		grid.Rows = append(grid.Rows, []page.Value{page.Day(all[i].Date), page.QtyOf(all[i].Rate.Units, v.Code),
			page.QtyOf(all[i].Rate.Amount, base(c))})
	}
	return []page.Part{grid}, nil
}
