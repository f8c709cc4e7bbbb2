package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/freight"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// freightRates are the pages of what delivery costs.
func freightRates() []page.Page {
	return []page.Page{page.Records[freight.Rate]{Path: "/freight", Title: "Freight", Area: "settings", By: "id",
		Key: func(r freight.Rate) string { return r.ID }, Find: freight.Read, Resource: freight.Rates,
		List: page.List[freight.Rate]{Search: "Shipping method, country, channel",
			Lead: "What each shipping method costs. Of the rates that apply to a cart, the most particular decides: by channel, then postal code, then country.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[freight.Rate], error) {
				return freight.List(c.Tx, q.Search, q.Page)
			},
			Columns: func(r freight.Rate) []page.Column {
				return []page.Column{page.Col("Shipping method", shippingMethods.of(r.MethodCode)),
					page.Col("Where to", whereTo(r)), page.Minor("Channel", channelOrAll(r.ChannelCode)),
					page.Minor("Counts", page.Word(string(r.Basis))), page.Col("From", firstPrice(r)),
					page.Minor("Free from", page.MaybeMoney(r.FreeFrom, r.CurrencyCode)),
					page.Col("Status", page.Active(r.IsActive))}
			}},
		Record: page.Record[freight.Rate]{Show: showRate},
		New:    page.Form[freight.Rate]{Title: "New rate"}, Edit: page.Form[freight.Rate]{Title: "Edit rate"},
		Fields: rateFields, Begin: func(c *page.Ctx) (freight.Rate, error) {
			return freight.Rate{IsActive: true, IsPriceIncludingTax: true, Basis: freight.Value,
				CurrencyCode: base(c), MethodCode: c.Query("method")}, nil
		},
		Create: freight.Create, Made: "The rate is made.", Change: freight.Change, Delete: freight.Delete,
		Warning: "The rate is deleted. Orders keep the price they were given.", Deleted: "The rate is deleted."}}
}

func rateFields(c *page.Ctx, r *freight.Rate) []page.Field {
	return []page.Field{
		page.Select("shippingMethodCode", "Shipping method", &r.MethodCode, shippingMethods.offered(c)).Required(),
		page.Select("channelCode", "Channel", &r.ChannelCode, channels.offered(c)).Hint("Left empty: all."),
		country("countryCode", "Country", &r.CountryCode).Suggest(countries(c)).
			Hint("Its name, or its two letters, such as SE. Left empty: all."), page.Code("postalFrom", "Postal codes from",
			&r.PostalFrom).
			Hint("The beginning of the first and of the last, such as 100 and 199."),
		page.Code("postalTo", "Postal codes to", &r.PostalTo), page.Group("Price",
			page.Select("currencyCode", "Currency", &r.CurrencyCode, currencies.offered(c)).Required(),
			page.Select("taxCode", "Tax code", &r.TaxCode, taxCodes.offered(c)),
			page.Check("isPriceIncludingTax", "Prices include tax", &r.IsPriceIncludingTax),
			page.Radio("basis", "Counts", &r.Basis, page.Options(freight.Basis("").Values())).Required().
				Hint("The value of the goods, as the store shows prices, or their weight in kilograms."),
			page.Lines("steps", "Prices", &r.Steps, func(s *freight.Step) []page.Field {
				return []page.Field{page.Decimal("from", "From", &s.From), page.Decimal("price", "Price", &s.Price)}
			}).Required().Hint("The price from a value or a weight on. Below the first step the rate does not apply."),
			page.Maybe("upTo", "Does not apply above", &r.UpTo), page.Maybe("freeFrom", "Free from an order value of",
				&r.FreeFrom)),
		page.MaybeNumber("estimatedDays", "Days until delivery", &r.EstimatedDays).Max(3),
		page.Check("isActive", "Active", &r.IsActive),
	}
}

// whereTo is where a rate applies.
func whereTo(r freight.Rate) page.Value {
	if r.CountryCode == "" {
		return page.Word("Everywhere")
	}
	postal := ""
	if r.PostalFrom != "" {
		postal = " " + r.PostalFrom + "–" + r.PostalTo
	}
	return page.T(r.CountryCode + postal).Called(func(c *page.Ctx) page.Value {
		return page.T(countryName(c, r.CountryCode) + postal)
	})
}

// channelOrAll is a channel, or all of them.
func channelOrAll(code string) page.Value {
	if code == "" {
		return page.Word("All")
	}
	return channels.of(code)
}

// orAll is a code that may stand for all.
func orAll(code string) page.Value {
	if code == "" {
		return page.Word("All")
	}
	return page.T(code)
}

// orAllOf are codes, on a page by their names, of which none stands for all.
func orAllOf(codes []string, name func(*page.Ctx, string) string) page.Value {
	return orAll(strings.Join(codes, ", ")).Called(func(c *page.Ctx) page.Value { return orAll(names(c, codes, name)) })
}

// names are codes as people call what they stand for.
func names(c *page.Ctx, codes []string, name func(*page.Ctx, string) string) string {
	return strings.Join(each.Of(codes, func(code string) string { return name(c, code) }), ", ")
}

func countryName(c *page.Ctx, code string) string {
	name, _ := reference.Country(code)
	return cmp.Or(c.Say(name), code)
}

// ratesOf are what a shipping method costs. Without a rate no store offers it.
func ratesOf(c *page.Ctx, m reference.ShippingMethod) ([]page.Part, error) {
	found, err := freight.List(c.Tx, m.Code, all())
	grid := page.Grid{Title: "Freight", Heads: []string{"Where to", "Channel", "From", "Free from", "Status"},
		Empty: "Without a rate no store offers it.", Go: []page.Go{{Label: "New rate",
			Path: "/new/freight?method=" + query(m.Code)}}}
	for _, r := range found.Items {
		if record.Fold(r.MethodCode) == record.Fold(m.Code) {
			grid.Rows = append(grid.Rows, []page.Value{c.Called(whereTo(r)).Linked(page.Path("freight", r.ID)),
				c.Called(channelOrAll(r.ChannelCode)), firstPrice(r),
				page.MaybeMoney(r.FreeFrom, r.CurrencyCode), page.Active(r.IsActive)})
		}
	}
	return []page.Part{grid}, err
}

func showRate(c *page.Ctx, r freight.Rate) (page.Sheet, error) {
	unit := r.CurrencyCode
	if r.Basis == freight.Weight {
		unit = "kg"
	}
	facts := page.Facts{Title: "Rate", Facts: []page.Fact{
		{Label: "Shipping method", Value: shippingMethods.called(c, r.MethodCode)},
		{Label: "Where to", Value: c.Called(whereTo(r))}, {Label: "Channel", Value: c.Called(channelOrAll(r.ChannelCode))},
		{Label: "Counts", Value: page.Word(string(r.Basis))},
		{Label: "Prices include tax", Value: page.YesNo(r.IsPriceIncludingTax)},
		{Label: "Tax code", Value: taxCodes.called(c, r.TaxCode)},
		{Label: "Free from an order value of", Value: page.MaybeMoney(r.FreeFrom, r.CurrencyCode)},
		{Label: "Days until delivery", Value: maybeCount(r.EstimatedDays)},
		{Label: "Does not apply above", Value: page.MaybeQty(r.UpTo, unit)}}}
	grid := page.Grid{Title: "Prices", Heads: []string{"From", "Price"}}
	for _, s := range r.Steps {
		grid.Rows = append(grid.Rows, []page.Value{page.QtyOf(s.From, unit), page.Money(s.Price, r.CurrencyCode)})
	}
	return page.Sheet{Title: shippingMethods.name(c, r.MethodCode), Badges: []page.Value{page.Active(r.IsActive)},
		Parts: []page.Part{grid}, Side: []page.Part{facts}}, nil
}

// firstPrice is the price of a rate's first step.
func firstPrice(r freight.Rate) page.Value {
	if len(r.Steps) == 0 {
		return page.None()
	}
	return page.Money(r.Steps[0].Price, r.CurrencyCode)
}
