package backoffice

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// warehouseStock are the pages of stock: what lies where, the ledger, and what is done by hand.
func warehouseStock() []page.Page {
	return []page.Page{stockList(), ledger(), adjustment(), relocation()}
}

func stockList() page.Page {
	return page.List[stock.Row]{Path: "/stock", Own: page.Own("item"), Title: "Stock levels",
		Permission: "inventory:read", Menu: true, Filters: []page.Filter{page.Match("item", "Item").Lookup(findItems),
			page.ChoiceOf("warehouse", "Warehouse", warehouses.offered), page.Match("location", "Location"),
			page.Match("batch", "Batch"), page.Match("serial", "Serial number")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[stock.Row], error) {
			return stock.ListRows(c.Tx, stock.RowFilter{Item: q.Get("item"), Warehouse: q.Get("warehouse"),
				Location: q.Get("location"), Batch: q.Get("batch"), Serial: q.Get("serial")}, q.Page)
		},
		Href: func(r stock.Row) string { return page.Path("items", r.Item) },
		Columns: func(r stock.Row) []page.Column {
			return []page.Column{page.Col("Item", page.T(r.Item)).By("item"),
				page.Col("Warehouse", warehouses.of(r.Warehouse)), page.Col("Location", page.T(r.Location)),
				page.Minor("Batch", page.T(r.Batch)), page.Minor("Serial number", page.T(r.Serial)),
				page.Minor("Expires", page.Day(r.Expiry)), page.Col("On hand", page.Qty(r.OnHand)),
				page.Minor("Reserved", page.Qty(r.Allocated)),
				page.Minor("Average cost", costs(&r.Average))}
		},
		New: []page.Go{{Label: "Relocate", Path: "/new/relocations"},
			{Label: "Adjust", Path: "/new/adjustments", Primary: true}}}
}

func ledger() page.Page {
	return page.List[stock.Entry]{Path: "/stock/ledger", Own: page.Own("-when"), Title: "Stock ledger",
		Permission: "inventory:read", Menu: true,
		Lead: "Every movement, the newest first. Nothing here is ever changed.",
		Filters: []page.Filter{page.Match("item", "Item").Lookup(findItems),
			page.ChoiceOf("warehouse", "Warehouse", warehouses.offered),
			page.Choice("kind", "Kind", page.Options(stock.Kind("").Values())), page.From("from", "From"),
			page.From("to", "To")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[stock.Entry], error) {
			return stock.ListEntries(c.Tx, stock.EntryFilter{Item: q.Get("item"), Warehouse: q.Get("warehouse"),
				Kind: stock.Kind(q.Get("kind")), From: q.Date("from"), To: q.Date("to")}, q.Page)
		},
		Columns: func(e stock.Entry) []page.Column {
			return []page.Column{page.Col("When", page.At(e.At)).By("when"),
				page.Col("Kind", page.Word(page.Words(string(e.Kind)))),
				page.Col("Item", page.To(e.Item, page.Path("items", e.Item))),
				page.Minor("Warehouse", warehouses.of(e.Warehouse)), page.Minor("Location", page.T(moved(e))),
				page.Minor("Batch, serial", page.T(pair(e.Batch, e.Serial))),
				page.Col("Quantity", page.Qty(e.Quantity)), page.Minor("After", page.Qty(e.BalanceAfter)),
				page.Minor("Unit cost", costs(e.UnitCost)),
				page.Minor("Because of", because(e))}
		}}
}

// because is the document that a movement in stock follows from, and what was said of it.
func because(e stock.Entry) page.Value {
	said := page.T(e.Notes)
	if e.RefType == "" {
		return said
	}
	kind := page.Words(e.RefType)
	if e.RefID == "" {
		return page.Each(page.Word(kind), said)
	}
	pages := strings.ReplaceAll(strings.ToLower(kind), " ", "-") + "s" // each kind of document has its pages there
	return page.Each(page.Word(kind), page.To(e.RefID, page.Path(pages, e.RefID)), said)
}

func moved(e stock.Entry) string {
	if e.TargetLocation != "" {
		return e.Location + " → " + e.TargetLocation
	}
	return e.Location
}

func pair(a, b string) string {
	if a != "" && b != "" {
		return a + ", " + b
	}
	return a + b
}

// itemsWarehouse is the warehouse a form about stock begins with.
func itemsWarehouse(c *page.Ctx) string {
	if w := warehouses.offered(c); len(w) == 1 && w[0].Value != "" {
		return w[0].Value
	}
	return c.Query("warehouse")
}

func adjustment() page.Page {
	return page.Form[stock.Adjustment]{Path: "/new/adjustments", Title: "Adjust stock", Permission: "inventory:write",
		Crumbs: crumb("Stock levels", "/stock"), Submit: "Adjust", Settles: true,
		Lead: "What was counted more or less than the books say, and what is thrown away.",
		Load: func(c *page.Ctx) (stock.Adjustment, error) {
			return stock.Adjustment{Kind: stock.Adjusted, Item: c.Query("item"), Warehouse: itemsWarehouse(c)}, nil
		},
		Fields: func(c *page.Ctx, a *stock.Adjustment) []page.Field {
			return []page.Field{page.Code("itemNumber", "Item", &a.Item).Required().Lookup(findItems),
				page.Select("transactionType", "Kind", &a.Kind,
					page.Options([]stock.Kind{stock.Adjusted, stock.Scrapped})).Required(),
				page.Select("warehouseCode", "Warehouse", &a.Warehouse, warehouses.offered(c)).Required(),
				page.Code("locationCode", "Location", &a.Location).Required().Suggest(everyLocation.offered(c)),
				page.Decimal("quantity", "Quantity", &a.Quantity).Required().
					Hint("Below zero takes out, above zero puts in."), page.Code("batchNumber", "Batch", &a.Batch),
				page.Code("serialNumber", "Serial number", &a.Serial), page.Text("notes", "Notes", &a.Notes)}
		},
		Save: page.Made(stock.Adjustment{}, func(c *page.Ctx, a stock.Adjustment) (page.Done, error) {
			e, err := stock.Adjust(c.Tx, a)
			return page.Went("/stock/ledger?item="+query(e.Item), "The stock is adjusted."), err
		})}
}

func relocation() page.Page {
	return page.Form[stock.Relocation]{Path: "/new/relocations", Title: "Relocate", Permission: "inventory:write",
		Crumbs: crumb("Stock levels", "/stock"), Submit: "Relocate", Settles: true,
		Load: func(c *page.Ctx) (stock.Relocation, error) {
			return stock.Relocation{Item: c.Query("item"), Warehouse: itemsWarehouse(c)}, nil
		},
		Fields: func(c *page.Ctx, r *stock.Relocation) []page.Field {
			places := everyLocation.offered(c)
			return []page.Field{page.Code("itemNumber", "Item", &r.Item).Required().Lookup(findItems),
				page.Select("warehouseCode", "Warehouse", &r.Warehouse, warehouses.offered(c)).Required(),
				page.Code("fromLocationCode", "From", &r.From).Required().Suggest(places).At("locationCode", "from"),
				page.Code("toLocationCode", "To", &r.To).Required().Suggest(places).At("targetLocationCode", "to"),
				page.Decimal("quantity", "Quantity", &r.Quantity).Required(),
				page.Code("batchNumber", "Batch", &r.Batch), page.Code("serialNumber", "Serial number", &r.Serial),
				page.Text("notes", "Notes", &r.Notes)}
		},
		Save: page.Made(stock.Relocation{}, func(c *page.Ctx, r stock.Relocation) (page.Done, error) {
			e, err := stock.Relocate(c.Tx, r)
			return page.Went("/stock/ledger?item="+query(e.Item), "The goods are relocated."), err
		})}
}

// everyLocation are the places of all warehouses, for a field whose warehouse is chosen in the same form.
var everyLocation = chosen("/find/places", "",
	func(c *page.Ctx, text string, p record.Page) (record.Found[reference.Location], error) {
		book, err := reference.Of(c.Tx)
		if err != nil {
			return record.Found[reference.Location]{}, err
		}
		var every []reference.Location
		for _, w := range book.Warehouses() {
			if w.IsActive {
				every = append(every, inUse(c, w.Code)...)
			}
		}
		return among(every, text, p, place), nil
	}, place)

func place(l reference.Location) (value, label string) {
	return l.Code, l.Warehouse + ": " + named(l.Code, l.Name)
}

// brands are the pages of brands.
func brands() []page.Page {
	return []page.Page{page.Records[catalog.Brand]{Path: "/brands", Title: "Brands", Area: "brands", By: "code",
		Key: func(b catalog.Brand) string { return b.Code }, Find: catalog.FindBrand, Resource: catalog.Brands,
		List: page.List[catalog.Brand]{Whole: wholeOf("brands"), Own: page.Own("code"), Search: "Code, name",
			Find: func(c *page.Ctx, q page.Query) (record.Found[catalog.Brand], error) {
				return catalog.ListBrands(c.Tx, catalog.BrandFilter{Search: q.Search}, q.Page)
			},
			Columns: func(b catalog.Brand) []page.Column {
				return []page.Column{page.Col("Code", page.T(b.Code)).By("code"),
					page.Col("Name", page.T(b.Name)).By("name"), page.Minor("Address", page.T(b.Slug)),
					page.Minor("Web site", page.T(b.WebsiteURL)), page.Col("Status", page.Active(b.IsActive))}
			}},
		Record: page.Record[catalog.Brand]{Show: func(_ *page.Ctx, b catalog.Brand) (page.Sheet, error) {
			return page.Sheet{Title: b.Name, Subtitle: b.Code, Badges: []page.Value{page.Active(b.IsActive)},
				Parts: []page.Part{page.Facts{Facts: []page.Fact{
					{Label: "Address", Value: page.T(b.Slug)}, {Label: "Sort order", Value: page.Count(b.SortOrder)},
					{Label: "Web site", Value: page.T(b.WebsiteURL)},
					{Label: "Description", Value: page.T(b.Description)},
					{Label: "Items", Value: page.To("Show", "/items?brand="+query(b.Code))}}}}}, nil
		}},
		New: page.Form[catalog.Brand]{Title: "New brand"}, Edit: page.Form[catalog.Brand]{Title: "Edit brand"},
		Fields: func(_ *page.Ctx, b *catalog.Brand) []page.Field {
			return []page.Field{page.Code("code", "Code", &b.Code).Required().FixedIf(b.ID != ""),
				page.Text("name", "Name", &b.Name).Required(), page.Text("slug", "Address", &b.Slug).
					Hint("Left empty, it is made from the name."), page.Number("sortOrder", "Sort order", &b.SortOrder),
				page.Text("logoUrl", "Logo, address", &b.LogoURL).
					Max(2000), page.Text("websiteUrl", "Web site", &b.WebsiteURL).Max(2000),
				page.Check("isActive", "Active", &b.IsActive),
				page.Prose("description", "Description", &b.Description)}
		},
		Begin:  func(*page.Ctx) (catalog.Brand, error) { return catalog.Brand{IsActive: true}, nil },
		Create: catalog.CreateBrand, Made: "Brand %s is made.", Change: catalog.ChangeBrand,
		Delete: catalog.DeleteBrand, Warning: "One that an item carries stays.", Deleted: "Brand %s is deleted."}}
}
