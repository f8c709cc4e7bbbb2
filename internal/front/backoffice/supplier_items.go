package backoffice

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// suppliedItems are the first items of a supplier.
func suppliedItems(c *page.Ctx, t purchasing.Supplier) (page.Grid, error) {
	path := page.Path("suppliers", t.Number)
	grid := page.Grid{Title: "Items", Heads: []string{"Item", "Name", "Their number", "Price", "At least",
		"Lead time, days", "", ""}, Empty: "No items yet.",
		Go: []page.Go{{Label: "New supplier item", Path: path + "/items/new"}}}
	book, err := reference.Of(c.Tx)
	if err != nil {
		return grid, err
	}
	_, found, err := purchasing.ListItems(c.Tx, t.Number, purchasing.ItemFilter{}, record.Page{Number: 1, Size: 20})
	for _, i := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.To(i.Item, path+page.Path("item", i.Item)), page.T(i.ItemName),
			page.T(i.TheirNumber), page.MaybeMoney(i.UnitPrice, i.Currency(t, book)),
			page.MaybeQty(i.MinOrderQuantity, ""), maybeCount(i.LeadTimeDays), primaryBadge(i.IsPrimary),
			page.Post("Remove", path+page.Path("item", i.Item, "delete"))})
	}
	if found.Total > len(found.Items) {
		grid.Go = append(grid.Go, page.Go{Label: c.Say("All %d", found.Total), Path: path + "/items"})
	}
	return grid, err
}

func primaryBadge(is bool) page.Value {
	return page.Badge("Primary", page.Good).If(is)
}

// supplierItemList are all items of a supplier.
func supplierItemList() page.Page {
	return page.List[purchasing.SupplierItem]{Path: "/suppliers/{number}/items", Crumbs: supplierCrumbs,
		Title: "Items of a supplier", Permission: "suppliers:read", Search: "Number, name, the supplier's number",
		Filters: []page.Filter{page.Flag("primary", "Primary", "Primary", "Not primary")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[purchasing.SupplierItem], error) {
			_, found, err := purchasing.ListItems(c.Tx, c.Path("number"),
				purchasing.ItemFilter{Search: q.Search, IsPrimary: q.Bool("primary")}, q.Page)
			return found, err
		},
		Href: func(i purchasing.SupplierItem) string { return page.Path("items", i.Item) },
		Columns: func(i purchasing.SupplierItem) []page.Column {
			return []page.Column{page.Col("Item", page.T(i.Item)), page.Col("Name", page.T(i.ItemName)),
				page.Minor("Their number", page.T(i.TheirNumber)),
				page.Col("Price", page.MaybeMoney(i.UnitPrice, i.CurrencyCode)),
				page.Minor("At least", page.MaybeQty(i.MinOrderQuantity, "")),
				page.Minor("Lead time, days", maybeCount(i.LeadTimeDays)),
				page.Col("Primary", primaryBadge(i.IsPrimary))}
		}}
}

// supplierItemForm adds an item to a supplier, or changes the one that is in the path.
func supplierItemForm(path, title string) page.Page {
	return page.Form[purchasing.SupplierItem]{Path: path, Title: title, Permission: "suppliers:write",
		Crumbs: supplierCrumbs, Back: func(c *page.Ctx) string { return page.Path("suppliers", c.Path("number")) },
		Load: func(c *page.Ctx) (i purchasing.SupplierItem, err error) {
			s, err := purchasing.FindSupplier(c.Tx, c.Path("number"))
			if err != nil || c.Path("item") == "" {
				return i, err
			}
			item, err := catalog.Find(c.Tx, c.Path("item"))
			if err != nil {
				return i, err
			}
			rows, err := purchasing.OffersOf(c.Tx, s, []string{item.ID})
			if _, ok := rows[item.ID]; !ok && err == nil {
				err = purchasing.ErrItemNotFound.Because("supplier %s has no item %s", s.Number, item.Number)
			}
			return rows[item.ID], err
		},
		Fields: func(c *page.Ctx, i *purchasing.SupplierItem) []page.Field {
			return []page.Field{
				page.Code("itemNumber", "Item", &i.Item).Required().FixedIf(i.ID != "").Lookup(findItems),
				page.Code("supplierItemNumber", "Their number", &i.TheirNumber),
				page.Text("supplierItemName", "Their name", &i.TheirName),
				page.Maybe("unitPrice", "Price of a base unit", &i.UnitPrice),
				page.Select("currencyCode", "Currency", &i.CurrencyCode, currencies.offered(c)).Hint("Empty: the supplier's."),
				page.Date("validFrom", "First day", &i.ValidFrom), page.Date("validTo", "Last day", &i.ValidTo),
				page.Maybe("minOrderQuantity", "At least", &i.MinOrderQuantity),
				page.Maybe("orderMultiple", "In multiples of", &i.OrderMultiple),
				page.MaybeNumber("leadTimeDays", "Lead time, days", &i.LeadTimeDays),
				page.Check("isPrimary", "Primary supplier of the item", &i.IsPrimary),
			}
		},
		Save: func(c *page.Ctx, lay func(*purchasing.SupplierItem) error) (page.Done, error) {
			typed := purchasing.SupplierItem{Item: c.Path("item")}
			if c.Path("item") == "" {
				if err := lay(&typed); err != nil {
					return page.Done{}, err
				}
			}
			out, err := purchasing.SaveItems(c.Tx, c.Path("number"), []purchasing.Draft{{Item: typed.Item, Edit: lay}})
			if err != nil {
				return page.Done{}, err
			}
			if saved := out[0]; c.Path("item") == "" && saved.Err == nil && !saved.Created {
				return page.Done{}, page.Refusal("itemNumber", "the supplier has item %s already: edit what stands there",
					saved.Item.Item)
			}
			return page.Went(page.Path("suppliers", c.Path("number")), "Saved."), out[0].Err
		}}
}

// supplierLink leads to a supplier.
func supplierLink(number string) page.Value {
	return page.To(number, page.Path("suppliers", number)).If(number != "")
}

// sourcesOf are the suppliers of an item.
func sourcesOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	if !c.May("suppliers:read") {
		return nil, nil
	}
	found, err := purchasing.ListSources(c.Tx, t.Number, all())
	if err != nil || found.Total == 0 {
		return nil, err
	}
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Suppliers", Of: found.Total, Heads: []string{"Supplier", "Their number", "Price", "At least",
		"Lead time, days", "", ""}}
	for _, s := range found.Items {
		row := page.Path("suppliers", s.Supplier.Number, "item", t.Number)
		grid.Rows = append(grid.Rows, []page.Value{page.To(s.Supplier.Name, page.Path("suppliers", s.Supplier.Number)),
			page.T(s.TheirNumber), page.MaybeMoney(s.UnitPrice, s.Currency(s.Supplier, book)),
			page.MaybeQty(s.MinOrderQuantity, t.BaseUnit), maybeCount(s.LeadTimeDays), primaryBadge(s.IsPrimary),
			page.To(c.Say("Edit"), row)})
	}
	return grid, nil
}

// supplierContactForm makes a contact of a supplier, or changes the one whose id is in the path.
func supplierContactForm(path, title string) page.Page {
	return page.Form[purchasing.Contact]{Path: path, Title: title, Permission: "suppliers:write",
		Crumbs: supplierCrumbs, Back: func(c *page.Ctx) string { return page.Path("suppliers", c.Path("number")) },
		Load: func(c *page.Ctx) (purchasing.Contact, error) {
			s, err := purchasing.FindSupplier(c.Tx, c.Path("number"))
			if err != nil || c.Path("id") == "" {
				return purchasing.Contact{IsActive: true}, err
			}
			return purchasing.FindContact(c.Tx, s.ID, c.Path("id"))
		},
		Fields: func(_ *page.Ctx, p *purchasing.Contact) []page.Field {
			return []page.Field{
				page.Text("name", "Name", &p.Name).Required(), page.Text("role", "Role", &p.Role),
				page.Email("email", "E-mail", &p.Email), page.Code("phone", "Phone", &p.Phone),
				page.Code("mobile", "Mobile", &p.Mobile), page.Code("languageCode", "Language", &p.LanguageCode).
					Suggest(languages()).Max(2).
					Hint("Two letters, such as sv."), page.Check("isPrimary", "Primary contact", &p.IsPrimary),
				page.Check("isActive", "Active", &p.IsActive),
			}
		},
		Save: partSaved(purchasing.Contact{IsActive: true}, "The contact is added.", purchasing.CreateContact,
			purchasing.ChangeContact)}
}
