package backoffice

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// items are the pages of items.
func (o Office) items() []page.Page {
	return append(o.itemFiles(), page.Records[catalog.Item]{Path: "/items", Title: "Items", Area: "items", By: "number",
		Key: func(t catalog.Item) string { return t.Number }, Find: catalog.Find, Resource: catalog.Items,
		List: itemList(), Record: page.Record[catalog.Item]{Show: o.showItem,
			Edit: func(_ *page.Ctx, t catalog.Item) []page.Go {
				base := page.Path("items", t.Number)
				return []page.Go{{Label: "Edit", Path: base + "/edit", Primary: true},
					{Label: "Attributes", Path: base + "/attributes"},
					{Label: "What can be chosen", Path: base + "/configuration"},
					{Label: "Explain a price", Path: "/price?item=" + query(t.Number)}}
			}},
		New: page.Form[catalog.Item]{Title: "New item"},
		Edit: page.Form[catalog.Item]{Title: "Edit item", Crumbs: itemCrumbs,
			Heading: func(c *page.Ctx, t catalog.Item) string { return c.Say("Edit") + ": " + t.Name }},
		Fields: itemFields, Begin: func(*page.Ctx) (catalog.Item, error) { return catalog.New(), nil },
		Create: catalog.Create, Made: "Item %s is made.", Change: catalog.Change, Delete: catalog.Delete,
		Warning: "The item is deleted with its attribute values and relations. One that a document or stock names stays.",
		Deleted: "Item %s is deleted."},
		itemAttributes(), replenishmentForm(), variants())
}

func loadItem(c *page.Ctx) (catalog.Item, error) { return catalog.Find(c.Tx, c.Path("number")) }

func toItem(c *page.Ctx) string { return page.Path("items", c.Path("number")) }

var itemCrumbs = crumbs("Items", "/items", "", "number")

func itemList() page.List[catalog.Item] {
	return page.List[catalog.Item]{Whole: wholeOf("items"), Latest: true, Own: page.Own("number"),
		Search: "Number, name, GTIN, manufacturer's number",
		Filters: []page.Filter{page.ChoiceOf("category", "Category", categoryOptions),
			page.ChoiceOf("brand", "Brand", brandOptions.offered),
			page.Choice("type", "Type", page.Options(catalog.ItemType("").Values())),
			page.Flag("active", "Status", "Active", "Inactive")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[catalog.Item], error) {
			return catalog.List(c.Tx, catalog.Filter{Search: q.Search, CategoryCode: q.Get("category"),
				BrandCode: q.Get("brand"), Type: catalog.ItemType(q.Get("type")), IsActive: q.Bool("active")}, q.Page)
		},
		Columns: func(t catalog.Item) []page.Column {
			return []page.Column{page.Col("Number", page.T(t.Number)).By("number"),
				page.Col("Name", page.T(t.Name)).By("name"),
				page.Minor("Category", page.T(t.CategoryCode)).By("category"),
				page.Minor("Brand", page.T(t.BrandCode)).By("brand"),
				page.Minor("Type", page.Word(page.Words(string(t.Type)))),
				page.Minor("GTIN", page.T(t.GTIN)), page.Minor("Unit", page.T(t.BaseUnit)),
				page.Col("Sales price", page.MaybeMoney(t.SalesPrice, "")).By("price"),
				page.Col("Status", page.Active(t.IsActive))}
		}}
}

// categoryOptions are the categories as a tree, by code.
func categoryOptions(c *page.Ctx) []page.Option {
	found, err := catalog.ListCategories(c.Tx, catalog.CategoryFilter{}, inDropDown)
	if err != nil || found.Total > len(found.Items) {
		return page.Searched(findCategories)
	}
	below := map[string][]catalog.Category{}
	for _, t := range found.Items {
		below[t.ParentCode] = append(below[t.ParentCode], t)
	}
	var out []page.Option
	var walk func(parent string, depth int)
	walk = func(parent string, depth int) {
		for _, t := range below[parent] {
			out = append(out, page.Option{Value: t.Code, Label: strings.Repeat("\u2003", min(depth, 20)) + t.Name})
			walk(t.Code, depth+1)
		}
	}
	walk("", 0)
	return out
}

var brandOptions = chosen("/find/brands", "items:read",
	func(c *page.Ctx, text string, p record.Page) (record.Found[catalog.Brand], error) {
		return catalog.ListBrands(c.Tx, catalog.BrandFilter{Search: text}, p)
	}, func(b catalog.Brand) (string, string) { return b.Code, b.Name })

var (
	categoryName = naming(catalog.FindCategory, func(t catalog.Category) string { return t.Name })
	brandName    = naming(catalog.FindBrand, func(b catalog.Brand) string { return b.Name })
)

func itemFields(c *page.Ctx, t *catalog.Item) []page.Field {
	unit := units.offered(c)
	return []page.Field{
		page.Code("itemNumber", "Number", &t.Number).FixedIf(t.ID != "").
			Hint("Left empty, it gets the next of the series."), page.Text("name", "Name", &t.Name).Required(),
		page.Prose("description", "Description", &t.Description),
		page.Select("categoryCode", "Category", &t.CategoryCode, categoryOptions(c)),
		page.Select("brandCode", "Brand", &t.BrandCode, brandOptions.offered(c)),
		page.OneOf("type", "Type", &t.Type).Required(),
		page.Check("isActive", "Active: may be ordered", &t.IsActive), page.Group("Price and units",
			page.Maybe("salesPrice", "Sales price", &t.SalesPrice).Hint("Without tax, in %s.", base(c)),
			page.Select("taxCode", "Tax code", &t.TaxCode, taxCodes.offered(c)),
			page.Select("baseUnitCode", "Base unit", &t.BaseUnit, unit).Required().At("baseUnit"),
			page.Number("decimalPlaces", "Decimals of a quantity", &t.DecimalPlaces),
			page.Select("salesUnitCode", "Sold in", &t.SalesUnit, unit).At("salesUnit"),
			page.Select("purchaseUnitCode", "Bought in", &t.PurchaseUnit, unit).At("purchaseUnit"),
			page.Lines("units", "Further units", &t.Units, func(u *catalog.Unit) []page.Field {
				return []page.Field{page.Code("unitCode", "Unit", &u.Code),
					page.Decimal("factor", "Base units in it", &u.Factor), page.Code("gtin", "GTIN", &u.GTIN)}
			})),
		page.Group("Identification",
			page.Code("gtin", "GTIN", &t.GTIN), page.Code("manufacturerItemNumber", "Manufacturer's number",
				&t.ManufacturerNumber).At("manufacturerNumber"),
			page.Code("primarySupplierNumber", "Supplier", &t.SupplierNumber).Lookup(findSuppliers),
			page.Code("itemGroupCode", "Item group", &t.GroupCode), country("originCountryCode", "Country of origin",
				&t.OriginCountry).Suggest(countries(c)).At("originCountry"),
			page.Code("commodityCode", "Commodity code", &t.CommodityCode),
			page.Lines("crossReferences", "Cross references", &t.CrossReferences,
				func(r *catalog.CrossReference) []page.Field {
					return []page.Field{page.OneOf("type", "Type", &r.Type), page.Code("value", "Number", &r.Value),
						page.Code("customerNumber", "Customer", &r.CustomerNumber).Lookup(findCustomers)}
				})),
		page.Group("Stock and measures",
			page.OneOf("trackingType", "Tracking", &t.Tracking).Required(),
			page.OneOf("replenishment", "Replenishment", &t.Replenishment).Required(),
			page.Maybe("weightKg", "Weight, kg", &t.WeightKg), page.Maybe("lengthCm", "Length, cm", &t.LengthCm),
			page.Maybe("widthCm", "Width, cm", &t.WidthCm), page.Maybe("heightCm", "Height, cm", &t.HeightCm)),
		page.Group("Variants",
			page.Code("variantOfItemNumber", "Variant of", &t.VariantOf).Lookup(findItems).At("variantOf"),
			page.Check("isConfigurable", "Is configured when it is ordered", &t.IsConfigurable).Fixed().
				Hint("Follows from what can be chosen of the item."),
			page.Lines("variantOptions", "What makes the variant", &t.VariantOptions,
				func(o *catalog.Option) []page.Field {
					return []page.Field{page.Text("name", "Name", &o.Name), page.Text("value", "Value", &o.Value)}
				})),
	}
}

func (o Office) showItem(c *page.Ctx, t catalog.Item) (page.Sheet, error) {
	facts := page.Facts{Title: "Item", Facts: []page.Fact{
		{Label: "Type", Value: page.Word(page.Words(string(t.Type)))},
		{Label: "Category", Value: page.T(categoryName(c, t.CategoryCode))},
		{Label: "Brand", Value: page.T(brandName(c, t.BrandCode))},
		{Label: "Sales price", Value: page.MaybeMoney(t.SalesPrice, base(c))},
		{Label: "Tax code", Value: taxCodes.called(c, t.TaxCode)}, {Label: "Base unit", Value: units.called(c, t.BaseUnit)},
		{Label: "Sold in", Value: units.called(c, t.SalesUnit)}, {Label: "GTIN", Value: page.T(t.GTIN)},
		{Label: "Manufacturer's number", Value: page.T(t.ManufacturerNumber)},
		{Label: "Supplier", Value: supplierLink(t.SupplierNumber)},
		{Label: "Weight", Value: page.MaybeQty(t.WeightKg, "kg")},
		{Label: "Country of origin", Value: page.T(countryName(c, t.OriginCountry))},
		{Label: "Commodity code", Value: page.T(t.CommodityCode)},
		{Label: "Tracking", Value: page.Word(page.Words(string(t.Tracking)))},
		{Label: "Replenishment", Value: page.Word(page.Words(string(t.Replenishment)))},
		{Label: "Variant of", Value: page.To(t.VariantOf, page.Path("items", t.VariantOf))}}}
	s := page.Sheet{Title: t.Name, Subtitle: t.Number, Badges: []page.Value{page.Active(t.IsActive)},
		Side: []page.Part{facts}}
	for _, part := range []func(*page.Ctx, catalog.Item) (page.Part,
		error){stockOf, sourcesOf, replenishmentOf, variantsOf, publicationsOf, o.showFiles,
		unitsOf, valuesOf, relationsOf} {
		p, err := part(c, t)
		if err != nil {
			return s, err
		}
		s.Parts = append(s.Parts, p)
	}
	s.Parts = append(s.Parts, page.Noted("Description", t.Description))
	return s, nil
}

func stockOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	if !t.InStock() || !c.May("inventory:read") {
		return nil, nil
	}
	a, err := stock.AvailabilityOf(c.Tx, t.Number)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Stock levels", Heads: []string{"Warehouse", "On hand", "Reserved", "Available",
		"Average cost"}, Empty: "None in stock.",
		Go: []page.Go{{Label: "Ledger", Path: "/stock/ledger?item=" + query(t.Number)},
			{Label: "Adjust", Path: "/new/adjustments?item=" + query(t.Number)},
			{Label: "Relocate", Path: "/new/relocations?item=" + query(t.Number)}}}
	for _, h := range a.Holdings {
		grid.Rows = append(grid.Rows, []page.Value{warehouses.called(c, h.Warehouse), page.QtyOf(h.OnHand, t.BaseUnit),
			page.Qty(h.Allocated), page.Qty(h.Available()).Strong(), page.Cost(h.Average, base(c))})
	}
	return grid, nil
}

func variantsOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	if t.VariantOf != "" {
		return nil, nil
	}
	found, err := catalog.ListVariants(c.Tx, t, record.Page{Number: 1, Size: 50})
	if err != nil || found.Total == 0 {
		return nil, err
	}
	grid := page.Grid{Title: "Variants", Of: found.Total, Heads: []string{"Number", "Name", "Options", "Sales price"}}
	if found.Total > len(found.Items) {
		grid.Go = []page.Go{{Label: "All", Path: page.Path("items", t.Number, "variants")}}
	}
	for _, v := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.To(v.Number, page.Path("items", v.Number)), page.T(v.Name),
			page.T(distinguished(v)), page.MaybeMoney(v.SalesPrice, "")})
	}
	return grid, nil
}

// distinguished is what makes a variant the one it is.
func distinguished(v catalog.Item) string {
	return strings.Join(each.Of(v.VariantOptions, func(o catalog.Option) string { return o.Name + " " + o.Value }), ", ")
}

// variants are all of an item, of which its own page shows the first.
func variants() page.Page {
	return page.List[catalog.Item]{Path: "/items/{number}/variants", Title: "Variants", Permission: "items:read",
		Crumbs: itemCrumbs, Href: func(v catalog.Item) string { return page.Path("items", v.Number) },
		Find: func(c *page.Ctx, q page.Query) (record.Found[catalog.Item], error) {
			t, err := loadItem(c)
			if err != nil {
				return record.Found[catalog.Item]{}, err
			}
			return catalog.ListVariants(c.Tx, t, q.Page)
		},
		Columns: func(v catalog.Item) []page.Column {
			return []page.Column{page.Col("Number", page.T(v.Number)), page.Col("Name", page.T(v.Name)),
				page.Col("Options", page.T(distinguished(v))), page.Minor("GTIN", page.T(v.GTIN)),
				page.Col("Sales price", page.MaybeMoney(v.SalesPrice, "")),
				page.Col("Status", page.Active(v.IsActive))}
		}}
}

// publicationsOf are the channels that show an item: without one no store has it, whatever else is right about it.
func publicationsOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	if !c.May("channels:read") {
		return nil, nil
	}
	found, err := channel.ListPublications(c.Tx, channel.PublicationFilter{ItemNumber: t.Number}, all())
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "Channels", Of: found.Total, Heads: []string{"Channel", "Status", "Address", "From", "To"},
		Empty: "No channel shows it yet.", Go: []page.Go{{Label: "Publish",
			Path: "/new/publications?item=" + query(t.Number)}}}
	for _, p := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{
			channels.called(c, p.ChannelCode).Linked(page.Path("publications", p.ChannelCode, p.ItemNumber)), publishedBadge(p),
			page.T(p.Slug), page.At(p.PublishFrom), page.At(p.PublishTo)})
	}
	return grid, nil
}

func unitsOf(_ *page.Ctx, t catalog.Item) (page.Part, error) {
	grid := page.Grid{Title: "Units and cross references", Heads: []string{"Kind", "Value", "Base units in it",
		"Customer"}}
	for _, u := range t.Units {
		grid.Rows = append(grid.Rows, []page.Value{page.Word("Unit"), page.T(u.Code), page.Qty(u.Factor), {}})
	}
	for _, r := range t.CrossReferences {
		grid.Rows = append(grid.Rows, []page.Value{page.Word(page.Words(string(r.Type))), page.T(r.Value), {},
			page.T(r.CustomerNumber)})
	}
	return grid.IfAny(), nil
}

func valuesOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	values, err := catalog.ValuesOf(c.Tx, t.ID)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	f := page.Facts{Title: "Attributes"}
	for _, v := range values {
		text := strings.Join(v.Values, ", ")
		if v.Attribute.Unit != "" {
			text += " " + v.Attribute.Unit
		}
		f.Facts = append(f.Facts, page.Fact{Label: v.Attribute.Name, Value: page.T(text)})
	}
	return f, nil
}

func relationsOf(c *page.Ctx, t catalog.Item) (page.Part, error) {
	found, err := catalog.ListRelations(c.Tx, t.ID, all())
	if err != nil {
		return nil, err
	}
	base := page.Path("items", t.Number)
	grid := page.Grid{Title: "Relations", Of: found.Total, Heads: []string{"Type", "Item", "Name", ""},
		Go: []page.Go{{Label: "Relate", Path: base + "/relate"}}}
	for _, r := range found.Items {
		grid.Rows = append(grid.Rows, []page.Value{page.Word(page.Words(string(r.Type))),
			page.To(r.Target, page.Path("items", r.Target)), page.T(r.Name),
			page.Post("Remove", base+page.Path("relations", string(r.Type), r.Target, "delete"))})
	}
	return grid, nil
}
