package backoffice

import (
	"kontor/internal/business/promotion"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// discountCodes are the pages of discount codes.
func discountCodes() []page.Page {
	use := func(active bool, say string) func(*page.Ctx, promotion.Discount) (page.Done, error) {
		return func(c *page.Ctx, d promotion.Discount) (page.Done, error) {
			_, err := promotion.Change(c.Tx, d.Code, func(d *promotion.Discount) error {
				d.IsActive = active
				return nil
			})
			return page.Did(say), err
		}
	}
	return []page.Page{page.Records[promotion.Discount]{Path: "/discount-codes", Title: "Discount codes",
		Area: "discounts", By: "code", Key: func(d promotion.Discount) string { return d.Code }, Find: promotion.Find,
		Resource: promotion.Codes,
		List: page.List[promotion.Discount]{Own: page.Own("code"), Search: "Code, description",
			Filters: []page.Filter{page.Flag("active", "Status", "Active", "Inactive")},
			Find: func(c *page.Ctx, q page.Query) (record.Found[promotion.Discount], error) {
				return promotion.List(c.Tx, promotion.Filter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
			},
			Columns: func(d promotion.Discount) []page.Column {
				return []page.Column{page.Col("Code", page.T(d.Code)).By("code"),
					page.Minor("Description", page.T(d.Description)), page.Col("Grants", grants(d)),
					page.Minor("Valid from", page.Day(d.ValidFrom)),
					page.Minor("Valid to", page.Day(d.ValidTo)).By("until"),
					page.Minor("Used", page.Count(d.Used)), page.Minor("Limit", orNoLimit(d.LimitTotal)),
					page.Col("Status", discountBadge(d))}
			}},
		Record: page.Record[promotion.Discount]{Show: showDiscount, Actions: []page.Action[promotion.Discount]{
			{Name: "activate", Label: "Activate", When: func(d promotion.Discount) bool { return !d.IsActive },
				Do: use(true, "The code may be used again.")},
			{Name: "deactivate", Label: "Deactivate", When: func(d promotion.Discount) bool { return d.IsActive },
				Do: use(false, "The code may not be used any more.")}}},
		New:  page.Form[promotion.Discount]{Title: "New discount code"},
		Edit: page.Form[promotion.Discount]{Title: "Edit discount code"}, Fields: discountFields,
		Begin: func(c *page.Ctx) (promotion.Discount, error) {
			return promotion.Discount{IsActive: true, CurrencyCode: base(c)}, nil
		},
		Create: promotion.Create, Made: "Discount code %s is made.", Change: promotion.Change}}
}

func discountBadge(d promotion.Discount) page.Value {
	return usable(d.IsActive, d.ValidTo, d.LimitTotal > 0 && d.Used >= d.LimitTotal)
}

// usable is whether a code or a card may be used, which one that is active may not be any more.
func usable(isActive bool, last day.Date, isUsedUp bool) page.Value {
	return page.Active(isActive).Called(func(c *page.Ctx) page.Value {
		switch {
		case isActive && last != "" && last < c.Tx.Today():
			return page.Badge("Expired", page.Calm)
		case isActive && isUsedUp:
			return page.Badge("Used up", page.Calm)
		}
		return page.Active(isActive)
	})
}

// grants is what a discount code gives.
func grants(d promotion.Discount) page.Value {
	var all []page.Value
	if d.Percent != 0 {
		all = append(all, page.Percent(d.Percent))
	}
	if d.Amount != 0 {
		all = append(all, page.Money(d.Amount, d.CurrencyCode))
	}
	if d.FreeFreight {
		all = append(all, page.Word("Free delivery"))
	}
	return page.Each(all...)
}

func orNoLimit(n int) page.Value {
	return page.Count(n).If(n != 0)
}

func discountFields(c *page.Ctx, d *promotion.Discount) []page.Field {
	goods := func(name, label, hint string, g *promotion.Goods) page.Field {
		return page.Group(label, page.Items(name+".items", "Items, one a line", &g.Items).
			Max(50_000).Hint(hint),
			page.Checks(name+".categories", "Categories, with all below them", &g.Categories, categoryOptions(c)),
			page.Checks(name+".brands", "Brands", &g.Brands, brandOptions.offered(c)))
	}
	return []page.Field{
		page.Code("code", "Code", &d.Code).Required().FixedIf(d.ID != "").
			Hint("As buyers type it: case, spaces and hyphens do not matter."),
		page.Text("description", "Description", &d.Description), page.Check("isActive", "Active", &d.IsActive),
		page.Group("What it grants", page.Decimal("percent", "Percentage", &d.Percent).Max(9),
			page.Decimal("amount", "Or an amount", &d.Amount).
				Hint("As the store shows prices, with tax or without."),
			page.Select("currencyCode", "Currency", &d.CurrencyCode, currencies.offered(c)),
			page.Check("freeFreight", "Free delivery", &d.FreeFreight)),
		page.Group("When it holds", page.Decimal("minValue", "Order value at least", &d.MinValue).
			Hint("As the store shows prices, with tax or without."),
			page.Date("validFrom", "Valid from", &d.ValidFrom), page.Date("validTo", "Valid to", &d.ValidTo),
			page.Number("limitTotal", "For so many orders", &d.LimitTotal).Hint("0: no limit."),
			page.Number("limitCustomer", "For so many orders of a customer", &d.LimitCustomer).Hint("0: no limit."),
			page.Check("isCombinable", "May be combined with other codes", &d.IsCombinable)),
		page.Group("Whom it is for", page.Checks("scope.channels", "Channels", &d.Scope.Channels, channels.offered(c)).
			Hint("None chosen: all."), page.Checks("scope.customerGroups", "Customer groups", &d.Scope.CustomerGroups,
			customerGroups.offered(c)).
			Hint("None chosen: all.")),
		goods("scope.included", "Only for", "Nothing named: for everything.", &d.Scope.Included),
		goods("scope.excluded", "Not for", "What is named here is never reduced.", &d.Scope.Excluded),
	}
}

func showDiscount(c *page.Ctx, d promotion.Discount) (page.Sheet, error) {
	facts := page.Facts{Title: "What it grants", Facts: []page.Fact{{Label: "Grants", Value: grants(d)},
		{Label: "Valid from", Value: page.Day(d.ValidFrom)}, {Label: "Valid to", Value: page.Day(d.ValidTo)},
		{Label: "May be combined with other codes", Value: page.YesNo(d.IsCombinable)},
		{Label: "Used", Value: page.Count(d.Used)}, {Label: "For so many orders", Value: orNoLimit(d.LimitTotal)},
		{Label: "For so many orders of a customer", Value: orNoLimit(d.LimitCustomer)},
		{Label: "Order value at least", Value: page.Money(d.MinValue, d.CurrencyCode).If(d.MinValue != 0)}}}
	uses, err := promotion.UsesOf(c.Tx, d.ID)
	if err != nil {
		return page.Sheet{}, err
	}
	orders := page.Grid{Title: "Orders", Heads: []string{"When", "Order", "Discount"}, Of: d.Used}
	for _, u := range uses {
		orders.Rows = append(orders.Rows, []page.Value{page.At(u.UsedAt),
			page.To(u.OrderNumber, page.Path("orders", u.OrderNumber)), page.Money(u.Amount, u.CurrencyCode)})
	}
	s := page.Sheet{Title: d.Code, Subtitle: d.Description, Badges: []page.Value{c.Called(discountBadge(d))},
		Parts: []page.Part{facts, orders}, Side: []page.Part{page.Facts{Title: "Whom it is for",
			Facts: []page.Fact{{Label: "Channels", Value: c.Called(orAllOf(d.Scope.Channels, channels.name))},
				{Label: "Customer groups", Value: c.Called(orAllOf(d.Scope.CustomerGroups, customerGroups.name))}}}}}
	for _, g := range []struct {
		title string
		goods promotion.Goods
	}{{"Only for", d.Scope.Included}, {"Not for", d.Scope.Excluded}} {
		if len(g.goods.Items)+len(g.goods.Categories)+len(g.goods.Brands) > 0 {
			s.Parts = append(s.Parts, page.Facts{Title: g.title, Facts: []page.Fact{
				{Label: "Items", Value: page.Each(each.Of(g.goods.Items, func(number string) page.Value {
					return page.To(number, page.Path("items", number))
				})...)},
				{Label: "Categories", Value: page.T(names(c, g.goods.Categories, categoryName))},
				{Label: "Brands", Value: page.T(names(c, g.goods.Brands, brandName))}}})
		}
	}
	return s, nil
}
