package backoffice

import (
	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// suppliers are the pages of suppliers, with their contacts and the items they supply.
func suppliers() []page.Page {
	home := func(c *page.Ctx) string { return page.Path("suppliers", c.Path("number")) }
	return []page.Page{
		page.Records[purchasing.Supplier]{Path: "/suppliers", Title: "Suppliers", Area: "suppliers", By: "number",
			Key:  func(t purchasing.Supplier) string { return t.Number },
			Find: purchasing.FindSupplier, Resource: purchasing.Suppliers, List: supplierList(),
			Record: page.Record[purchasing.Supplier]{Show: showSupplier,
				Edit: func(_ *page.Ctx, t purchasing.Supplier) []page.Go {
					return append(onlyEdit("suppliers", t.Number),
						page.Go{Label: "Register an invoice",
							Path: page.Path("suppliers", t.Number, "invoices", "new")})
				},
				Actions: []page.Action[purchasing.Supplier]{{Name: "vat-number-found",
					Label:   "VAT number found in VIES",
					When:    func(t purchasing.Supplier) bool { return t.VATNumber != "" && t.VATValidatedAt == 0 },
					Confirm: "Say so after you have looked the number up in VIES, the register of the EU.",
					Do: done("Saved.", purchasing.ValidateVAT,
						func(t purchasing.Supplier) string { return t.Number })}}},
			New: page.Form[purchasing.Supplier]{Title: "New supplier"},
			Edit: page.Form[purchasing.Supplier]{Title: "Edit supplier", Crumbs: supplierCrumbs,
				Heading: func(c *page.Ctx, t purchasing.Supplier) string { return c.Say("Edit") + ": " + t.Name }},
			Fields: supplierFields,
			Begin:  func(*page.Ctx) (purchasing.Supplier, error) { return purchasing.Supplier{IsActive: true}, nil },
			Create: purchasing.CreateSupplier, Made: "Supplier %s is made.", Change: purchasing.ChangeSupplier,
			Delete:  purchasing.DeleteSupplier,
			Warning: "The supplier is deleted with contacts and items. One that a document names stays.",
			Deleted: "Supplier %s is deleted."},
		supplierContactForm("/suppliers/{number}/contacts/new", "New contact"),
		supplierContactForm("/suppliers/{number}/contact/{id}", "Edit contact"),
		page.Deed{Path: "/suppliers/{number}/contact/{id}/delete", Permission: "suppliers:write",
			Do: partGone("The contact is removed, and the log no longer says who it was.", home, "number", "id",
				purchasing.DeleteContact)},
		supplierItemList(),
		supplierItemForm("/suppliers/{number}/items/new", "New supplier item"),
		supplierItemForm("/suppliers/{number}/item/{item}", "Edit supplier item"),
		page.Deed{Path: "/suppliers/{number}/item/{item}/delete", Permission: "suppliers:write",
			Do: partGone("The item is removed.", home, "number", "item", purchasing.DeleteItem)},
	}
}

func supplierCrumbs(c *page.Ctx) []page.Link {
	out := []page.Link{{Label: c.Say("Suppliers"), Href: "/suppliers"}}
	if t, err := purchasing.FindSupplier(c.Tx, c.Path("number")); err == nil {
		out = append(out, page.Link{Label: t.Name, Href: page.Path("suppliers", t.Number)})
	}
	return out
}

func supplierList() page.List[purchasing.Supplier] {
	return page.List[purchasing.Supplier]{Whole: wholeOf("suppliers"), Latest: true, Own: page.Own("number"),
		Search:  "Number, name, organisation number, city",
		Filters: []page.Filter{page.Flag("active", "Status", "Active", "Inactive")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[purchasing.Supplier], error) {
			return purchasing.ListSuppliers(c.Tx,
				purchasing.SupplierFilter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
		},
		Columns: func(t purchasing.Supplier) []page.Column {
			return []page.Column{page.Col("Number", page.T(t.Number)).By("number"),
				page.Col("Name", page.T(t.Name)).By("name"), page.Minor("City", page.T(t.City)),
				page.Minor("Country", page.T(t.CountryCode)), page.Minor("Currency", page.T(t.CurrencyCode)),
				page.Minor("Lead time, days", maybeCount(t.LeadTimeDays)),
				page.Col("Status", page.Active(t.IsActive))}
		}}
}

func maybeCount(n *int) page.Value {
	if n == nil {
		return page.None()
	}
	return page.Count(*n)
}

func supplierFields(c *page.Ctx, t *purchasing.Supplier) []page.Field {
	return []page.Field{
		page.Code("supplierNumber", "Number", &t.Number).FixedIf(t.ID != "").
			Hint("Left empty, it gets the next of the series."), page.Text("name", "Name", &t.Name).Required(),
		page.Code("organizationNumber", "Organisation number", &t.OrganizationNumber),
		page.Code("vatNumber", "VAT number", &t.VATNumber),
		page.Text("contactPerson", "Contact person", &t.ContactPerson), page.Code("phone", "Phone", &t.Phone),
		page.Email("purchaseOrderEmail", "E-mail for purchase orders", &t.OrderEmail),
		page.Text("website", "Website", &t.Website).Max(2000), page.Group("Address",
			page.Text("street1", "Street", &t.Street1), page.Text("street2", "Street, second line", &t.Street2),
			page.Code("postalCode", "Postal code", &t.PostalCode), page.Text("city", "City", &t.City),
			country("countryCode", "Country", &t.CountryCode).Suggest(countries(c))),
		page.Group("Terms",
			page.Select("currencyCode", "Currency", &t.CurrencyCode, currencies.offered(c)),
			page.Code("languageCode", "Language", &t.LanguageCode).Suggest(languages()).Max(2).
				Hint("Two letters, such as sv."), page.Select("paymentTermCode", "Payment term", &t.PaymentTermCode,
				paymentTerms.offered(c)),
			page.Select("deliveryTermCode", "Delivery term", &t.DeliveryTermCode, deliveryTerms.offered(c)),
			page.MaybeNumber("leadTimeDays", "Lead time, days", &t.LeadTimeDays),
			page.Code("ourCustomerNumber", "Our customer number", &t.OurCustomerNumber),
			page.Check("isActive", "Active: may be used on new purchase orders", &t.IsActive),
			page.Prose("notes", "Internal notes", &t.Notes)),
	}
}

func showSupplier(c *page.Ctx, t purchasing.Supplier) (page.Sheet, error) {
	contacts, err := purchasing.Contacts(c.Tx, t.Number, all())
	if err != nil {
		return page.Sheet{}, err
	}
	path := page.Path("suppliers", t.Number)
	people := page.Grid{Title: "Contacts", Of: contacts.Total, Heads: []string{"Name", "Role", "E-mail", "Phone", "", ""},
		Go: []page.Go{{Label: "New contact", Path: path + "/contacts/new"}}}
	for _, p := range contacts.Items {
		tag := page.Badge("Primary", page.Good).If(p.IsPrimary)
		people.Rows = append(people.Rows, []page.Value{page.To(p.Name, path+page.Path("contact", p.ID)), page.T(p.Role),
			page.T(p.Email), page.T(pair(p.Phone, p.Mobile)), tag,
			page.Post("Remove", path+page.Path("contact", p.ID, "delete"))})
	}
	items, err := suppliedItems(c, t)
	if err != nil {
		return page.Sheet{}, err
	}
	validated := page.Badge("Found in VIES", page.Good).If(t.VATValidatedAt > 0)
	return page.Sheet{Title: t.Name, Subtitle: t.Number, Badges: []page.Value{page.Active(t.IsActive)},
		Parts: []page.Part{items, people}, Side: []page.Part{
			page.Facts{Title: "Supplier", Facts: []page.Fact{
				{Label: "Organisation number", Value: page.T(t.OrganizationNumber)},
				{Label: "VAT number", Value: page.Each(page.T(t.VATNumber), validated)},
				{Label: "Contact person", Value: page.T(t.ContactPerson)},
				{Label: "E-mail for purchase orders", Value: page.T(t.OrderEmail)},
				{Label: "Phone", Value: page.T(t.Phone)}, {Label: "Website", Value: page.T(t.Website)},
				{Label: "Currency", Value: page.T(t.CurrencyCode)}, {Label: "Language", Value: page.T(t.LanguageCode)},
				{Label: "Payment term", Value: paymentTerms.called(c, t.PaymentTermCode)},
				{Label: "Delivery term", Value: deliveryTerms.called(c, t.DeliveryTermCode)},
				{Label: "Lead time, days", Value: maybeCount(t.LeadTimeDays)},
				{Label: "Our customer number", Value: page.T(t.OurCustomerNumber)}}},
			page.Note{Title: "Address", Text: address(c, t.Postal())}, page.Noted("Internal notes", t.Notes)}}, nil
}
