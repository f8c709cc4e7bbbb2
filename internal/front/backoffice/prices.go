package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// prices are the pages of price lists, their lines with every strategy, and why a price is what it is.
func prices() []page.Page {
	return []page.Page{
		page.Records[pricing.List]{Path: "/price-lists", Title: "Price lists", Area: "price-lists", By: "code",
			Key: func(l pricing.List) string { return l.Code }, Find: pricing.Find, Resource: pricing.Lists,
			List: priceLists(), Record: page.Record[pricing.List]{Show: showPriceList,
				Edit: func(_ *page.Ctx, l pricing.List) []page.Go {
					return []page.Go{{Label: "All prices", Path: page.Path("price-lists", l.Code, "lines")},
						editing("price-lists", l.Code),
						{Label: "Set prices", Path: page.Path("price-lists", l.Code, "set"), Primary: true}}
				}},
			New:    page.Form[pricing.List]{Title: "New price list"},
			Edit:   page.Form[pricing.List]{Title: "Edit price list"},
			Fields: priceListFields, Begin: func(c *page.Ctx) (pricing.List, error) {
				return pricing.List{IsActive: true, Type: pricing.Standard, CurrencyCode: base(c), Priority: 100}, nil
			},
			Create: pricing.Create, Made: "Price list %s is made.", Change: pricing.Change},
		priceLines(), setPrices(), explanation(),
		page.Deed{Path: "/price-lists/{code}/lines/{item}/delete", Permission: "price-lists:write", Do: deletePrice},
	}
}

func priceLists() page.List[pricing.List] {
	return page.List[pricing.List]{Whole: wholeOf("price-lists"), Own: page.Own("code"), Search: "Code, name, description",
		Filters: []page.Filter{page.Choice("type", "Type", page.Options(pricing.Type("").Values())),
			page.ChoiceOf("currency", "Currency", currencies.offered),
			page.Flag("active", "Status", "Active", "Inactive")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[pricing.List], error) {
			return pricing.Page(c.Tx, pricing.ListFilter{Search: q.Search, Type: pricing.Type(q.Get("type")),
				CurrencyCode: q.Get("currency"), IsActive: q.Bool("active")}, q.Page)
		},
		Columns: func(l pricing.List) []page.Column {
			return []page.Column{page.Col("Code", page.T(l.Code)).By("code"),
				page.Col("Name", page.T(l.Name)).By("name"),
				page.Col("Type", page.Word(page.Words(string(l.Type)))),
				page.Minor("Currency", page.T(l.CurrencyCode)),
				page.Minor("Priority", page.Count(l.Priority)),
				page.Minor("Valid from", page.Day(l.ValidFrom)), page.Minor("Valid to", page.Day(l.ValidTo)),
				page.Col("Status", listBadge(l))}
		},
		New: []page.Go{{Label: "Explain a price", Path: "/price"}}}
}

func listBadge(l pricing.List) page.Value {
	if l.IsDefault {
		return page.Each(page.Active(l.IsActive), page.Badge("Default", page.Calm))
	}
	return page.Active(l.IsActive)
}

func priceListFields(c *page.Ctx, l *pricing.List) []page.Field {
	return []page.Field{page.Code("code", "Code", &l.Code).Required().FixedIf(l.ID != ""),
		page.Text("name", "Name", &l.Name).Required(),
		page.OneOf("type", "Type", &l.Type).Required(),
		page.Select("currencyCode", "Currency", &l.CurrencyCode, currencies.offered(c)).Required(),
		page.Number("priority", "Priority", &l.Priority).Hint("Where several lists apply, the lower number wins."),
		page.Code("basePriceListCode", "Parent list", &l.BasePriceListCode),
		page.Date("validFrom", "Valid from", &l.ValidFrom), page.Date("validTo", "Valid to", &l.ValidTo),
		page.Check("isActive", "Active", &l.IsActive), page.Check("isPriceIncludingTax", "Prices include tax",
			&l.IsPriceIncludingTax),
		page.Check("isDefault", "Default: holds where no other list does", &l.IsDefault),
		page.Prose("description", "Description", &l.Description),
		page.Group("Who it is for", page.Items("customerNumbers", "Customers, one a line", &l.CustomerNumbers),
			page.Items("customerGroupCodes", "Customer groups, one a line", &l.CustomerGroupCodes),
			page.Items("channelCodes", "Channels, one a line", &l.ChannelCodes))}
}

func showPriceList(c *page.Ctx, l pricing.List) (page.Sheet, error) {
	_, found, err := pricing.PageOfLines(c.Tx, l.Code, pricing.LineFilter{}, record.Page{Number: 1, Size: 20})
	if err != nil {
		return page.Sheet{}, err
	}
	grid := page.Grid{Title: "Prices", Heads: []string{"Item", "Name", "From quantity", "Strategy", "Price",
		"Valid from", "Valid to"}, Empty: "No prices yet."}
	for _, p := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.To(p.Item, page.Path("items", p.Item)), page.T(p.ItemName),
			page.Qty(p.MinQuantity), page.Word(page.Words(string(p.Strategy))), page.MaybeMoney(p.UnitPrice, ""),
			page.Day(p.ValidFrom), page.Day(p.ValidTo)})
	}
	if found.Total > len(found.Items) {
		grid.Go = []page.Go{{Label: c.Say("All %d", found.Total), Path: page.Path("price-lists", l.Code, "lines")}}
	}
	return page.Sheet{Title: l.Name, Subtitle: l.Code, Badges: []page.Value{listBadge(l)}, Parts: []page.Part{grid},
		Side: []page.Part{page.Facts{Title: "Price list", Facts: []page.Fact{
			{Label: "Type", Value: page.Word(page.Words(string(l.Type)))},
			{Label: "Currency", Value: page.T(l.CurrencyCode)}, {Label: "Priority", Value: page.Count(l.Priority)},
			{Label: "Prices include tax", Value: page.YesNo(l.IsPriceIncludingTax)},
			{Label: "Parent list", Value: page.T(l.BasePriceListCode)},
			{Label: "Valid from", Value: page.Day(l.ValidFrom)}, {Label: "Valid to", Value: page.Day(l.ValidTo)},
			{Label: "Customers", Value: page.T(strings.Join(l.CustomerNumbers, ", "))},
			{Label: "Customer groups", Value: page.T(names(c, l.CustomerGroupCodes, customerGroups.name))},
			{Label: "Channels", Value: page.T(names(c, l.ChannelCodes, channels.name))},
			{Label: "Description", Value: page.T(l.Description)}}}}}, nil
}

func priceLines() page.Page {
	return page.List[pricing.Line]{Path: "/price-lists/{code}/lines", Title: "Prices", Permission: "price-lists:read",
		Crumbs:  crumbs("Price lists", "/price-lists", "", "code"),
		Filters: []page.Filter{page.Match("item", "Item").Lookup(findItems), page.From("on", "In force on")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[pricing.Line], error) {
			_, found, err := pricing.PageOfLines(c.Tx, c.Path("code"),
				pricing.LineFilter{Item: q.Get("item"), ValidOn: q.Date("on")}, q.Page)
			return found, err
		},
		Columns: func(l pricing.Line) []page.Column {
			return []page.Column{page.Col("Item", page.To(l.Item, page.Path("items", l.Item))),
				page.Minor("Name", page.T(l.ItemName)), page.Col("From quantity", page.Qty(l.MinQuantity)),
				page.Minor("To quantity", page.MaybeQty(l.MaxQuantity, "")),
				page.Minor("Strategy", page.Word(page.Words(string(l.Strategy)))),
				page.Minor("Percentage", page.MaybeQty(l.Percentage, "%")),
				page.Minor("Amount", page.MaybeMoney(l.FixedAmount, "")),
				page.Col("Price", page.MaybeMoney(l.UnitPrice, "")),
				page.Minor("Valid from", page.Day(l.ValidFrom)), page.Minor("Valid to", page.Day(l.ValidTo)),
				page.Col("", page.Post("Remove", page.Path("price-lists", l.ListCode, "lines", l.Item, "delete")+
					"?min="+query(l.MinQuantity.String())+"&from="+query(string(l.ValidFrom))).
					If(l.Strategy == price.Fixed))}
		}}
}

func deletePrice(c *page.Ctx) (page.Done, error) {
	min, err := dec.Parse(c.Query("min"))
	if err != nil {
		return page.Done{}, pricing.ErrLineNotFound.Because("the list has no such price")
	}
	from := day.Date(c.Query("from"))
	err = pricing.DeleteLine(c.Tx, c.Path("code"), c.Path("item"), pricing.LineKey{MinQuantity: &min, ValidFrom: &from})
	return page.Went(page.Path("price-lists", c.Path("code"), "lines"), "The price is removed."), err
}

// setPrices sets prices of any strategy.
func setPrices() page.Page {
	return page.Form[[]pricing.Line]{Path: "/price-lists/{code}/set", Title: "Set prices",
		Permission: "price-lists:write", Settles: true,
		Lead:   "A line with the same item, quantity and first day takes the place of the one that is there.",
		Crumbs: crumbs("Price lists", "/price-lists", "", "code"),
		Fields: func(_ *page.Ctx, v *[]pricing.Line) []page.Field {
			return []page.Field{page.Lines("lines", "Prices", v, func(l *pricing.Line) []page.Field {
				l.Strategy = cmp.Or(l.Strategy, price.Fixed)
				return []page.Field{page.Code("itemNumber", "Item", &l.Item).Lookup(findItems),
					page.OneOf("strategy", "Strategy", &l.Strategy).Required(),
					page.Maybe("unitPrice", "Price", &l.UnitPrice),
					page.Maybe("percentage", "Percentage", &l.Percentage),
					page.Maybe("fixedAmount", "Amount", &l.FixedAmount), page.Decimal("minQuantity", "From quantity",
						&l.MinQuantity), page.Maybe("maxQuantity", "To quantity", &l.MaxQuantity),
					page.Date("validFrom", "Valid from", &l.ValidFrom), page.Date("validTo", "Valid to", &l.ValidTo)}
			}).Required().Hint("Fixed takes the price. Cost plus and the discounts take a percentage or an amount.")}
		},
		Save: page.Made(nil, func(c *page.Ctx, lines []pricing.Line) (page.Done, error) {
			outcomes, err := pricing.SaveLines(c.Tx, c.Path("code"), lines)
			if err == nil {
				err = rowErrors(outcomes, func(o pricing.Outcome) error { return o.Err })
			}
			return page.Did("%d prices are set.", len(lines)), err
		})}
}

// question is what a price is asked for.
type question struct {
	item, customer, channel, currency, unit string
	quantity                                dec.Dec
	on                                      day.Date
}

// explanation says what an item costs a customer, and why.
func explanation() page.Page {
	return page.Record[question]{Path: "/price", Title: "Explain a price", Permission: "price-lists:read", Menu: true,
		Load: func(c *page.Ctx) (question, error) {
			return question{quantity: dec.One, on: c.Tx.Today()}, nil
		},
		Show: func(c *page.Ctx, q question) (page.Sheet, error) {
			ask := page.Asking{Button: "Explain", Fields: []page.Field{
				page.Code("item", "Item", &q.item).Lookup(findItems),
				page.Code("customer", "Customer", &q.customer).Lookup(findCustomers),
				page.Decimal("quantity", "Quantity", &q.quantity), page.Code("unit", "Unit", &q.unit),
				page.Select("channel", "Channel", &q.channel, channels.offered(c)),
				page.Select("currency", "Currency", &q.currency, currencies.offered(c)), page.Date("on", "Date", &q.on)}}
			ask.Wrong = askAmount(c, ask.Fields, &q.quantity)
			q.on = cmp.Or(q.on, c.Tx.Today())
			s := page.Sheet{Title: c.Say("Explain a price"), Parts: []page.Part{ask}}
			if q.item == "" || ask.Wrong != nil {
				return s, nil
			}
			answer, err := q.answer(c)
			if f := fault.As(err); err != nil && f.Kind != fault.Internal {
				return page.Sheet{Title: s.Title,
					Parts: append(s.Parts, page.Note{Title: "There is no answer", Text: c.Refusal(err)})}, nil
			}
			s.Parts = append(s.Parts, answer...)
			return s, err
		}}
}

// askAmount is Ask for a form with a quantity, which is of something.
func askAmount(c *page.Ctx, fields []page.Field, quantity *dec.Dec) error {
	err := c.Ask(fields)
	if err == nil && *quantity <= 0 {
		err = page.Refusal("quantity", "must be above 0")
	}
	return err
}

// answer is the price, where it comes from, and how it changes with the quantity.
func (q question) answer(c *page.Ctx) ([]page.Part, error) {
	item, err := catalog.Find(c.Tx, q.item)
	if err != nil {
		return nil, err
	}
	s := pricing.Situation{Currency: q.currency, ChannelCode: q.channel, Date: q.on}
	if q.customer != "" {
		t, err := party.Find(c.Tx, q.customer)
		if err != nil {
			return nil, err
		}
		s.Customer = &t
	}
	if err := pricing.CheckUnit(&item, q.unit); err != nil {
		return nil, err
	}
	quotes, err := pricing.For(c.Tx, s, []pricing.Ask{{Item: &item, Quantity: q.quantity, Unit: q.unit}})
	if err != nil {
		return nil, err
	}
	quote := quotes[0]
	facts := page.Facts{Title: item.Number + " " + item.Name,
		Facts: []page.Fact{{Label: "Price", Value: page.MaybeMoney(quote.UnitPrice, quote.CurrencyCode).Strong()},
			{Label: "For one", Value: page.T(quote.Unit)},
			{Label: "Includes tax", Value: page.YesNo(quote.IsPriceIncludingTax)},
			{Label: "Because of", Value: page.Word(cmp.Or(sourcesNamed[quote.Source], "A standard list"))}}}
	if quote.ListCode != "" {
		facts.Facts = append(facts.Facts,
			page.Fact{Label: "Price list", Value: page.To(named(quote.ListCode, quote.ListName),
				page.Path("price-lists", quote.ListCode))},
			page.Fact{Label: "From quantity", Value: page.MaybeQty(quote.MinQuantity, item.BaseUnit)},
			page.Fact{Label: "Valid from", Value: page.Day(quote.ValidFrom)},
			page.Fact{Label: "Valid to", Value: page.Day(quote.ValidTo)})
	}
	breaks := page.Grid{Title: "By quantity", Heads: []string{"From quantity", "Price"},
		Empty: "The price is the same for every quantity."}
	for _, b := range quote.Breaks {
		breaks.Rows = append(breaks.Rows, []page.Value{page.QtyOf(b.MinQuantity, item.BaseUnit),
			page.Money(b.UnitPrice, quote.CurrencyCode)})
	}
	return []page.Part{facts, breaks}, nil
}

var sourcesNamed = map[price.Source]string{
	price.ListPrice: "The sales price of the item: no price list applies",
	price.None:      "Nothing: the item has no price", price.Contract: "A contract list of the customer",
	price.Customer: "A list of the customer", price.CustomerGroup: "A list of the customer group",
	price.Campaign: "A campaign",
}
