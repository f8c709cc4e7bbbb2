package backoffice

import (
	"cmp"

	"kontor/internal/business/checkout"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// customers are the pages of customers, with their contacts and delivery addresses.
func customers() []page.Page {
	home := func(c *page.Ctx) string { return page.Path("customers", c.Path("number")) }
	return []page.Page{
		page.Records[party.Customer]{Path: "/customers", Title: "Customers", Area: "customers", By: "number",
			Key: func(t party.Customer) string { return t.Number }, Find: party.Find, Resource: party.Resource,
			List: customerList(),
			Record: page.Record[party.Customer]{
				Show: withTickets(showCustomer, func(t party.Customer) support.Filter {
					return support.Filter{Customer: t.Number}
				}),
				Edit: func(_ *page.Ctx, t party.Customer) []page.Go {
					return []page.Go{{Label: "New order", Path: "/new/orders?customer=" + query(t.Number),
						Primary: true},
						{Label: "New ticket", Path: "/new/tickets?customer=" + query(t.Number)},
						{Label: "Personal data", Path: page.Path("customers", t.Number, "personal-data")},
						editing("customers", t.Number)}
				}},
			New: page.Form[party.Customer]{Title: "New customer"},
			Edit: page.Form[party.Customer]{Title: "Edit customer",
				Heading: func(c *page.Ctx, t party.Customer) string { return c.Say("Edit") + ": " + t.Name }},
			Fields: customerFields,
			Begin:  func(*page.Ctx) (party.Customer, error) { return party.Customer{IsActive: true}, nil },
			Create: party.Create, Made: "Customer %s is made.", Change: party.Update, Delete: party.Delete,
			Warning: "The customer is deleted with contacts and addresses. One that a document names stays.",
			Deleted: "Customer %s is deleted."},
		contactForm("/customers/{number}/contacts/new", "New contact"), contactForm("/customers/{number}/contact/{id}",
			"Edit contact"),
		addressForm("/customers/{number}/addresses/new", "New delivery address"),
		addressForm("/customers/{number}/address/{id}", "Edit delivery address"),
		page.Deed{Path: "/customers/{number}/contact/{id}/delete", Permission: "customers:write",
			Do: partGone("The contact is removed, and the log no longer says who it was.", home, "number", "id",
				party.DeleteContact)},
		page.Deed{Path: "/customers/{number}/address/{id}/delete", Permission: "customers:write",
			Do: partGone("The address is removed.", home, "number", "id", party.DeleteAddress)},
	}
}

func customerList() page.List[party.Customer] {
	return page.List[party.Customer]{Whole: wholeOf("customers"), Latest: true, Own: page.Own("number"),
		Search:  "Number, name, organisation number, e-mail, city",
		Filters: []page.Filter{page.Flag("active", "Status", "Active", "Inactive")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[party.Customer], error) {
			return party.List(c.Tx, party.Filter{Shown: q.Search, IsActive: q.Bool("active")}, q.Page)
		},
		Columns: func(t party.Customer) []page.Column {
			return []page.Column{page.Col("Number", page.T(t.Number)).By("number"),
				page.Col("Name", page.T(t.Name)).By("name"), page.Minor("City", page.T(t.City)),
				page.Minor("Country", page.T(t.CountryCode)), page.Minor("Group", page.T(t.GroupCode)),
				page.Minor("E-mail", page.T(t.InvoiceEmail)), page.Col("Status", page.Active(t.IsActive))}
		}}
}

func customerFields(c *page.Ctx, t *party.Customer) []page.Field {
	return []page.Field{
		page.Code("customerNumber", "Number", &t.Number).FixedIf(t.ID != "").
			Hint("Left empty, it gets the next of the series."), page.Text("name", "Name", &t.Name).Required(),
		page.Code("organizationNumber", "Organisation number", &t.OrganizationNumber).At("organisationNumber"),
		page.Code("vatNumber", "VAT number", &t.VATNumber),
		page.Email("invoiceEmail", "E-mail for invoices", &t.InvoiceEmail), page.Code("phone", "Phone", &t.Phone),
		page.Group("Address",
			page.Text("street1", "Street", &t.Street1), page.Text("street2", "Street, second line", &t.Street2),
			page.Code("postalCode", "Postal code", &t.PostalCode), page.Text("city", "City", &t.City),
			country("countryCode", "Country", &t.CountryCode).Suggest(countries(c))),
		page.Group("Terms",
			page.Select("defaultCurrencyCode", "Currency", &t.CurrencyCode, currencies.offered(c)).At("currencyCode"),
			page.Select("customerGroupCode", "Customer group", &t.GroupCode, customerGroups.offered(c)),
			page.Select("paymentTermCode", "Payment term", &t.PaymentTermCode, paymentTerms.offered(c)),
			page.Select("deliveryTermCode", "Delivery term", &t.DeliveryTermCode, deliveryTerms.offered(c)),
			page.Maybe("creditLimit", "Credit limit", &t.CreditLimit).
				Hint("In %s, with tax. Empty: no limit. Staff may place orders beyond it; a store does not.", base(c)),
			page.Select("invoiceDelivery", "Invoices by mail", &t.InvoiceDelivery, invoiceDeliveries()).
				Hint("The electronic invoice is Peppol BIS Billing 3.0; it comes where what it must say is known."),
			page.Check("isActive", "Active: may be placed on new orders", &t.IsActive),
			page.Prose("notes", "Internal notes", &t.Notes)),
	}
}

// invoiceDeliveries are the ways in which a customer gets invoices, in words.
func invoiceDeliveries() []page.Option {
	return []page.Option{{Value: "", Label: "Those of a store's orders, as PDF"},
		{Value: string(party.ByNone), Label: "No invoices"}, {Value: string(party.ByPDF), Label: "All, as PDF"},
		{Value: string(party.ByPDFAndXML), Label: "All, as PDF with the electronic invoice"}}
}

// customerCalled leads to a customer by his name.
func customerCalled(c *page.Ctx, number string) page.Value {
	name := number
	if t, err := party.Find(c.Tx, number); err == nil {
		name = cmp.Or(t.Name, number)
	}
	return page.To(name, page.Path("customers", number))
}

func showCustomer(c *page.Ctx, t party.Customer) (page.Sheet, error) {
	contacts, err := party.Contacts(c.Tx, t.Number, all())
	if err != nil {
		return page.Sheet{}, err
	}
	addresses, err := party.Addresses(c.Tx, t.Number, all())
	if err != nil {
		return page.Sheet{}, err
	}
	owed, err := checkout.Owed(c.Tx, &t)
	if err != nil {
		return page.Sheet{}, err
	}
	path := page.Path("customers", t.Number)
	people := page.Grid{Title: "Contacts", Of: contacts.Total, Heads: []string{"Name", "Role", "E-mail", "Phone", "", "", ""},
		Go: []page.Go{{Label: "New contact", Path: path + "/contacts/new"}}}
	for _, p := range contacts.Items {
		tags := page.Badge("Primary", page.Good).If(p.IsPrimary)
		if p.HasPortalAccess {
			tags = page.Each(tags, page.Badge("Portal", page.Calm))
		}
		people.Rows = append(people.Rows, []page.Value{page.To(p.Name, path+page.Path("contact", p.ID)), page.T(p.Role),
			page.T(p.Email), page.T(pair(p.Phone, p.Mobile)), tags,
			page.To(c.Say("Personal data"), path+page.Path("contact", p.ID, "personal-data")),
			page.Post("Remove", path+page.Path("contact", p.ID, "delete"))})
	}
	places := page.Grid{Title: "Delivery addresses", Of: addresses.Total, Heads: []string{"Name", "Street", "City", "Country", "", ""},
		Go: []page.Go{{Label: "New delivery address", Path: path + "/addresses/new"}}}
	for _, a := range addresses.Items {
		tag := page.Badge("Usual", page.Good).If(a.IsDefault)
		name := cmp.Or(a.Name, t.Name)
		places.Rows = append(places.Rows, []page.Value{page.To(name, path+page.Path("address", a.ID)),
			page.T(a.Street1), page.T(a.PostalCode + " " + a.City), page.T(countryName(c, a.CountryCode)), tag,
			page.Post("Remove", path+page.Path("address", a.ID, "delete"))})
	}
	sheet := page.Sheet{Title: t.Name, Subtitle: t.Number, Badges: []page.Value{page.Active(t.IsActive)},
		Parts: []page.Part{people, places}, Side: []page.Part{
			page.Facts{Title: "Customer", Facts: []page.Fact{
				{Label: "Organisation number", Value: page.T(t.OrganizationNumber)},
				{Label: "VAT number", Value: page.T(t.VATNumber)},
				{Label: "E-mail for invoices", Value: page.T(t.InvoiceEmail)}, {Label: "Phone", Value: page.T(t.Phone)},
				{Label: "Currency", Value: page.T(t.CurrencyCode)},
				{Label: "Customer group", Value: customerGroups.called(c, t.GroupCode)},
				{Label: "Payment term", Value: paymentTerms.called(c, t.PaymentTermCode)},
				{Label: "Delivery term", Value: deliveryTerms.called(c, t.DeliveryTermCode)},
				{Label: "Credit limit", Value: page.MaybeMoney(t.CreditLimit, base(c))},
				{Label: "Owed", Value: page.Money(owed, base(c))}}},
			page.Note{Title: "Address", Text: address(c, t.Postal())}, page.Noted("Internal notes", t.Notes)}}
	return withOrders(c, sheet, t)
}

// withOrders adds a customer's latest orders, for those who may see them.
func withOrders(c *page.Ctx, s page.Sheet, t party.Customer) (page.Sheet, error) {
	if !c.May("sales-orders:read") {
		return s, nil
	}
	found, err := sales.List(c.Tx, sales.Filter{CustomerNumber: t.Number}, record.Page{Number: 1, Size: 10})
	if err != nil {
		return s, err
	}
	grid := page.Grid{Title: "Latest orders", Heads: []string{"Number", "Date", "Status", "Delivery", "Total"},
		Empty: "No orders yet."}
	for _, o := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.To(o.Number, page.Path("orders", o.Number)),
			page.Day(o.OrderDate), orderBadge(o.Status), deliveryBadge(o.Delivery),
			page.Money(o.TotalAmount, o.CurrencyCode)})
	}
	if found.Total > len(found.Items) {
		grid.Go = []page.Go{{Label: c.Say("All %d", found.Total), Path: "/orders?customer=" + query(t.Number)}}
	}
	s.Parts = append([]page.Part{grid}, s.Parts...)
	return s, nil
}
