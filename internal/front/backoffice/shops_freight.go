package backoffice

import (
	"strconv"
	"strings"

	"kontor/internal/business/freight"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// freightForm is a rate as its form holds it: days that may be unknown are text.
type freightForm struct {
	freight.Rate
	Days string
}

func freightFormOf(r freight.Rate) freightForm {
	f := freightForm{Rate: r}
	if r.EstimatedDays != nil {
		f.Days = strconv.Itoa(*r.EstimatedDays)
	}
	return f
}

func (f freightForm) rate() (freight.Rate, error) {
	f.EstimatedDays = nil
	if f.Days != "" {
		n, err := strconv.Atoi(f.Days)
		if err != nil {
			return f.Rate, page.Refusal("estimatedDays", "is no whole number of at most 12 digits")
		}
		f.EstimatedDays = &n
	}
	return f.Rate, nil
}

// freightRates are the pages of what delivery costs.
func freightRates() []page.Page {
	up := crumb("Freight", "/freight")
	load := func(c *page.Ctx) (freight.Rate, error) { return freight.Read(c.Tx, c.Path("id")) }
	return []page.Page{
		page.List[freight.Rate]{Path: "/freight", Title: "Freight", Permission: "settings:read", Menu: true,
			Search: "Shipping method, country, channel",
			Lead:   "What each shipping method costs. Of the rates that apply to a cart, the most particular decides: by channel, then postal code, then country.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[freight.Rate], error) {
				return freight.List(c.Tx, q.Search, q.Page)
			},
			Href: func(r freight.Rate) string { return page.Path("freight", r.ID) },
			Columns: func(r freight.Rate) []page.Column {
				return []page.Column{page.Col("Shipping method", page.T(r.MethodCode)),
					page.Col("Where to", whereTo(r)), page.Minor("Channel", orAll(r.ChannelCode)),
					page.Minor("Counts", page.Word(string(r.Basis))), page.Col("From", firstPrice(r)),
					page.Minor("Free from", page.MaybeMoney(r.FreeFrom, r.CurrencyCode)),
					page.Col("Status", page.Active(r.IsActive))}
			},
			New: []page.Go{{Label: "New rate", Path: "/new/freight", Permission: "settings:write", Primary: true}}},
		page.Record[freight.Rate]{Path: "/freight/{id}", Permission: "settings:read", Resource: freight.Rates,
			Crumbs: up, Load: load, Show: showRate,
			Edit: func(_ *page.Ctx, r freight.Rate) []page.Go { return onlyEdit("settings:write", "freight", r.ID) },
			Actions: []page.Action[freight.Rate]{{Name: "delete", Label: "Delete", Permission: "settings:write",
				Tone: page.Bad, Confirm: "The rate is deleted. Orders keep the price they were given.",
				Do: func(c *page.Ctx, r freight.Rate) (page.Done, error) {
					return page.Went("/freight", "The rate is deleted."), freight.Delete(c.Tx, r.ID)
				}}}},
		page.Form[freightForm]{Path: "/new/freight", Title: "New rate", Permission: "settings:write", Crumbs: up,
			Fields: rateFields, Load: func(c *page.Ctx) (freightForm, error) {
				return freightForm{Rate: freight.Rate{IsActive: true, IsPriceIncludingTax: true, Basis: freight.Value,
					CurrencyCode: base(c)}}, nil
			},
			Save: page.Made(freightForm{}, func(c *page.Ctx, f freightForm) (page.Done, error) {
				r, err := f.rate()
				if err == nil {
					r, err = freight.Create(c.Tx, r)
				}
				return page.Went(page.Path("freight", r.ID), "The rate is made."), err
			})},
		page.Form[freightForm]{Path: "/freight/{id}/edit", Title: "Edit rate", Permission: "settings:write", Crumbs: up,
			Resource: freight.Rates, Fields: rateFields,
			Back: func(c *page.Ctx) string { return page.Path("freight", c.Path("id")) },
			Load: func(c *page.Ctx) (freightForm, error) {
				r, err := load(c)
				return freightFormOf(r), err
			},
			Save: func(c *page.Ctx, lay func(*freightForm) error) (page.Done, error) {
				_, err := freight.Change(c.Tx, c.Path("id"), func(r *freight.Rate) error {
					f := freightFormOf(*r)
					if err := lay(&f); err != nil {
						return err
					}
					var err error
					*r, err = f.rate()
					return err
				})
				return page.Did("Saved."), err
			}},
	}
}

func rateFields(c *page.Ctx, f *freightForm) []page.Field {
	r := &f.Rate
	return []page.Field{
		page.Select("shippingMethodCode", "Shipping method", &r.MethodCode, shippingMethods(c)).Required(),
		page.Select("channelCode", "Channel", &r.ChannelCode, channels(c)).Hint("Left empty: all."),
		page.Code("countryCode", "Country", &r.CountryCode).Suggest(countries(c)).Max(2).
			Hint("Two letters, such as SE. Left empty: all."), page.Code("postalFrom", "Postal codes from",
			&r.PostalFrom).
			Hint("The beginning of the first and of the last, such as 100 and 199."),
		page.Code("postalTo", "Postal codes to", &r.PostalTo), page.Group("Price",
			page.Select("currencyCode", "Currency", &r.CurrencyCode, currencies(c)).Required(),
			page.Select("taxCode", "Tax code", &r.TaxCode, taxCodes(c)),
			page.Check("isPriceIncludingTax", "Prices include tax", &r.IsPriceIncludingTax),
			page.Radio("basis", "Counts", &r.Basis, page.Options(freight.Basis("").Values())).Required().
				Hint("The value of the goods, as the store shows prices, or their weight in kilograms."),
			page.Lines("steps", "Prices", &r.Steps, func(s *freight.Step) []page.Field {
				return []page.Field{page.Decimal("from", "From", &s.From), page.Decimal("price", "Price", &s.Price)}
			}).Required().Hint("The price from a value or a weight on. Below the first step the rate does not apply."),
			page.Maybe("upTo", "Does not apply above", &r.UpTo), page.Maybe("freeFrom", "Free from an order value of",
				&r.FreeFrom)),
		page.Code("estimatedDays", "Days until delivery", &f.Days).Max(3),
		page.Check("isActive", "Active", &r.IsActive),
	}
}

// whereTo is where a rate applies.
func whereTo(r freight.Rate) page.Value {
	if r.CountryCode == "" {
		return page.Word("Everywhere")
	}
	if r.PostalFrom == "" {
		return page.T(r.CountryCode)
	}
	return page.T(r.CountryCode + " " + r.PostalFrom + "–" + r.PostalTo)
}

// orAll is a code that may stand for all.
func orAll(code string) page.Value {
	if code == "" {
		return page.Word("All")
	}
	return page.T(code)
}

// orAllOf are codes of which none stands for all.
func orAllOf(codes []string) page.Value { return orAll(strings.Join(codes, ", ")) }

func showRate(_ *page.Ctx, r freight.Rate) (page.Sheet, error) {
	facts := page.Facts{Title: "Rate", Facts: []page.Fact{{Label: "Shipping method", Value: page.T(r.MethodCode)},
		{Label: "Where to", Value: whereTo(r)}, {Label: "Channel", Value: orAll(r.ChannelCode)},
		{Label: "Counts", Value: page.Word(string(r.Basis))},
		{Label: "Prices include tax", Value: page.YesNo(r.IsPriceIncludingTax)},
		{Label: "Tax code", Value: page.T(r.TaxCode)},
		{Label: "Free from an order value of", Value: page.MaybeMoney(r.FreeFrom, r.CurrencyCode)}}}
	if r.EstimatedDays != nil {
		facts.Facts = append(facts.Facts, page.Fact{Label: "Days until delivery", Value: page.Count(*r.EstimatedDays)})
	}
	unit := r.CurrencyCode
	if r.Basis == freight.Weight {
		unit = "kg"
	}
	facts.Facts = append(facts.Facts, page.Fact{Label: "Does not apply above", Value: page.MaybeQty(r.UpTo, unit)})
	grid := page.Grid{Title: "Prices", Heads: []string{"From", "Price"}}
	for _, s := range r.Steps {
		grid.Rows = append(grid.Rows, []page.Value{page.QtyOf(s.From, unit), page.Money(s.Price, r.CurrencyCode)})
	}
	return page.Sheet{Title: r.MethodCode, Badges: []page.Value{page.Active(r.IsActive)}, Parts: []page.Part{grid},
		Side: []page.Part{facts}}, nil
}

// firstPrice is the price of a rate's first step.
func firstPrice(r freight.Rate) page.Value {
	if len(r.Steps) == 0 {
		return page.None()
	}
	return page.Money(r.Steps[0].Price, r.CurrencyCode)
}
