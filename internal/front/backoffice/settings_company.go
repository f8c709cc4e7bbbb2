package backoffice

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// companySettings are the pages of what holds for the company as a whole.
func companySettings() []page.Page {
	load := func(c *page.Ctx) (reference.Defaults, error) {
		book, err := reference.Of(c.Tx)
		if err != nil {
			return reference.Defaults{}, err
		}
		return book.Defaults(), nil
	}
	return []page.Page{
		page.Record[reference.Defaults]{Path: "/settings/defaults", Title: "Defaults", Menu: true,
			Permission: "settings:read", Resource: reference.Settings, Load: load, Show: showDefaults,
			Edit: func(*page.Ctx, reference.Defaults) []page.Go {
				return []page.Go{{Label: "Edit", Path: "/settings/defaults/edit", Primary: true}}
			}},
		page.Form[reference.Defaults]{Path: "/settings/defaults/edit", Title: "Defaults", Permission: "settings:write",
			Resource: reference.Settings, Fields: defaultFields, Load: load,
			Lead: "What is used where a document names nothing.",
			Save: page.Remade(load, func(c *page.Ctx, d reference.Defaults) (page.Done, error) {
				return page.Did("Saved."), reference.SaveDefaults(c.Tx, d)
			})},
		page.List[comingNumber]{Path: "/settings/number-series", Title: "Number series", Permission: "settings:read",
			Menu: true, Lead: "How the numbers of documents look, and which comes next.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[comingNumber], error) {
				all, err := comingNumbers(c.Tx)
				return page.Cut(all, q), err
			},
			Href: func(s comingNumber) string { return page.Path("settings", "number-series", s.Name) },
			Columns: func(s comingNumber) []page.Column {
				return []page.Column{page.Col("Series", page.Word(seriesWords(s.Name))),
					page.Minor("Prefix", page.T(s.Prefix)), page.Col("Next number", page.T(s.number))}
			}},
		page.Form[number.Series]{Path: "/settings/number-series/{name}", Title: "Number series",
			Permission: "settings:write",
			Heading: func(c *page.Ctx, s number.Series) string {
				return c.Say("Number series") + ": " + c.Say(seriesWords(s.Name))
			},
			Load: loadSeries,
			Fields: func(_ *page.Ctx, s *number.Series) []page.Field {
				return []page.Field{page.Code("prefix", "Prefix", &s.Prefix).Max(20),
					page.Number("next", "Next number", &s.Next).Required(), page.Number("width", "Digits", &s.Width).
						Hint("Filled with zeros from the left. 0: as many as the number has.")}
			},
			Save: page.Remade(loadSeries, func(c *page.Ctx, s number.Series) (page.Done, error) {
				return page.Did("Saved."), reference.SaveSeries(c.Tx, s)
			})},
	}
}

func loadSeries(c *page.Ctx) (number.Series, error) {
	return reference.FindSeries(c.Tx, c.Path("name"))
}

// comingNumber is a series with the number that really comes next: what a record has been given by hand is passed over.
type comingNumber struct {
	number.Series
	number string
}

func comingNumbers(tx *db.Tx) ([]comingNumber, error) {
	all, err := number.All(tx)
	out := make([]comingNumber, len(all))
	for i, s := range all {
		out[i].Series = s
		if err == nil {
			out[i].number, err = coming(tx, s)
		}
	}
	return out, err
}

// coming is the first number of a series that no record has. After many thousands that are taken it stops looking.
func coming(tx *db.Tx, s number.Series) (string, error) {
	const looks, atOnce = 100, 200
	for range looks {
		ahead := s.Ahead(atOnce)
		var used map[string]bool
		var err error
		switch s.Name {
		case "customer":
			used, err = keysOf(party.FindMany(tx, ahead))
		case "item":
			used, err = keysOf(catalog.FindMany(tx, ahead))
		case "order":
			used, err = keysOf(sales.FindMany(tx, ahead))
		}
		if err != nil {
			return "", err
		}
		for _, n := range ahead {
			if !used[record.Fold(n)] {
				return n, nil
			}
		}
		s.Next += atOnce
	}
	return s.Ahead(1)[0], nil
}

func keysOf[T any](found map[string]T, err error) (map[string]bool, error) {
	keys := make(map[string]bool, len(found))
	for key := range found {
		keys[key] = true
	}
	return keys, err
}

var seriesNamed = map[string]string{
	"customer": "Customers", "item": "Items", "order": "Orders", "shipment": "Shipments",
	"invoice": "Invoices, before they are booked", "invoice-document": "Booked invoices, without gaps",
	"return": "Returns", "supplier": "Suppliers", "purchase-order": "Purchase orders", "receipt": "Goods receipts",
	"supplier-invoice": "Suppliers' invoices", "transfer": "Transfers", "quote": "Quotes",
	"work-order": "Work orders", "count": "Stock counts", "configuration": "Configurations", "ticket": "Tickets",
}

// seriesWords are the words of a series.
func seriesWords(name string) string { return cmp.Or(seriesNamed[name], page.Words(name)) }

func defaultFields(c *page.Ctx, d *reference.Defaults) []page.Field {
	return []page.Field{
		page.Select("warehouseCode", "Warehouse", &d.Warehouse, warehouses.offered(c)),
		page.Select("orderTypeCode", "Order type", &d.OrderType, orderTypes.offered(c)),
		page.Select("shippingMethodCode", "Shipping method", &d.ShippingMethod, shippingMethods.offered(c)),
		page.Select("paymentTermCode", "Payment term", &d.PaymentTerm, paymentTerms.offered(c)),
		page.Select("deliveryTermCode", "Delivery term", &d.DeliveryTerm, deliveryTerms.offered(c)),
		page.Select("taxCode", "Tax code", &d.TaxCode, taxCodes.offered(c)), page.Select("unitCode", "Unit", &d.Unit, units.offered(c)),
		page.Select("customerGroupCode", "Customer group",
			&d.CustomerGroup, customerGroups.offered(c)),
		page.Select("ticketQueueCode", "Ticket queue", &d.TicketQueue, ticketQueues.offered(c)),
		page.Group("Shipments", page.Check("allowSkipPack", "May go on without being packed", &d.AllowSkipPack),
			page.Check("allowSkipBook", "May go on without a booked carrier", &d.AllowSkipBook)),
		page.Group("Suppliers' invoices pass by themselves", page.Decimal("billPercent", "Up to this difference, percent",
			&d.BillPercent).Hint("Of what was ordered, line by line."),
			page.Decimal("billAmount", "Or up to this amount", &d.BillAmount).Hint("In the company's currency.")),
	}
}

func showDefaults(c *page.Ctx, d reference.Defaults) (page.Sheet, error) {
	used := page.Facts{Title: "Used where a document names nothing",
		Facts: []page.Fact{{Label: "Warehouse", Value: warehouses.called(c, d.Warehouse)},
			{Label: "Order type", Value: orderTypes.called(c, d.OrderType)},
			{Label: "Shipping method", Value: shippingMethods.called(c, d.ShippingMethod)},
			{Label: "Payment term", Value: paymentTerms.called(c, d.PaymentTerm)},
			{Label: "Delivery term", Value: deliveryTerms.called(c, d.DeliveryTerm)},
			{Label: "Tax code", Value: taxCodes.called(c, d.TaxCode)},
			{Label: "Unit", Value: units.called(c, d.Unit)},
			{Label: "Customer group", Value: customerGroups.called(c, d.CustomerGroup)},
			{Label: "Ticket queue", Value: ticketQueues.called(c, d.TicketQueue)}}}
	may := page.Facts{Title: "Shipments",
		Facts: []page.Fact{{Label: "May go on without being packed", Value: page.YesNo(d.AllowSkipPack)},
			{Label: "May go on without a booked carrier", Value: page.YesNo(d.AllowSkipBook)}}}
	bills := page.Facts{Title: "Suppliers' invoices pass by themselves",
		Facts: []page.Fact{{Label: "Up to this difference, percent", Value: page.Percent(d.BillPercent)},
			{Label: "Or up to this amount", Value: page.Money(d.BillAmount, base(c))}}}
	return page.Sheet{Title: c.Say("Defaults"), Parts: []page.Part{used, may, bills}}, nil
}
