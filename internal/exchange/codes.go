package exchange

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func attributeKind() kind {
	return kind{name: "attributes", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return attributes{} }, export: exportAttributes,
		fields: []field{
			must(column(code, "code", "attributeCode")),
			column(nameText, "name"),
			column(note, "description"),
			column(nameText, "group"),
			column(code, "dataType", "type"),
			column(code, "unit"),
			column(manyText, "allowedValues"),
			truth("isMultiValue"),
			truth("isVisibleOnProductPage", "isVisible"),
			number("minValue"),
			number("maxValue"),
			column(path, "pattern"),
		}}
}

// attributes books definitions of attributes.
type attributes struct{ plain }

func (attributes) key(r *row) string { return record.Fold(r.get("code")) }

func (attributes) book(tx *db.Tx, rows []*row) error { return oneByOne(tx, rows, bookAttribute) }

func bookAttribute(tx *db.Tx, r *row) error {
	a, err := catalog.FindAttribute(tx, r.get("code"))
	if fault.Is(err, catalog.ErrAttributeNotFound) {
		a, err = catalog.Attribute{Code: r.get("code"), DataType: catalog.Text}, nil
	}
	if err != nil {
		return err
	}
	before := a.Version
	a.IsActive = true
	c := r.cells()
	c.text("name", &a.Name)
	c.text("description", &a.Description)
	c.text("group", &a.Group)
	choice(c, "dataType", &a.DataType)
	c.text("unit", &a.Unit)
	c.list("allowedValues", &a.AllowedValues)
	c.flag("isMultiValue", &a.IsMultiValue)
	c.flag("isVisibleOnProductPage", &a.IsVisible)
	c.optional("minValue", &a.MinValue)
	c.optional("maxValue", &a.MaxValue)
	c.text("pattern", &a.Pattern)
	if err := c.wrong.Err(); err != nil {
		return err
	}
	a, err = catalog.SaveAttribute(tx, a)
	if err != nil {
		return err
	}
	r.became(revised(before, a.Version))
	return nil
}

func exportAttributes(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, catalog.ListAttributes, func(a catalog.Attribute) error {
		return p.row(a.Code, a.Name, a.Description, a.Group, string(a.DataType), a.Unit, joined(a.AllowedValues),
			flag(a.IsMultiValue), flag(a.IsVisible), optional(a.MinValue), optional(a.MaxValue), a.Pattern)
	})
}

func brandKind() kind {
	return kind{name: "brands", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return brands{} }, export: exportBrands,
		fields: []field{
			must(column(code, "code", "brandCode")),
			column(nameText, "name", "brandName"),
			column(nameText, "slug"),
			column(note, "description"),
			column(path, "logoUrl"),
			column(path, "websiteUrl"),
			number("sortOrder"),
			truth("isActive", "active"),
		}}
}

// brands books brands.
type brands struct{ plain }

func (brands) key(r *row) string { return record.Fold(r.get("code")) }

func (brands) book(tx *db.Tx, rows []*row) error {
	for _, r := range rows {
		var before int64
		apply := func(b *catalog.Brand) error {
			before = b.Version
			c := r.cells()
			c.text("name", &b.Name)
			c.given("slug", &b.Slug)
			c.text("description", &b.Description)
			c.text("logoUrl", &b.LogoURL)
			c.text("websiteUrl", &b.WebsiteURL)
			c.whole("sortOrder", &b.SortOrder)
			c.flag("isActive", &b.IsActive)
			return c.wrong.Err()
		}
		b, err := catalog.ChangeBrand(tx, r.get("code"), apply)
		if fault.Is(err, catalog.ErrBrandNotFound) {
			b = catalog.Brand{Code: r.get("code"), IsActive: true}
			if err = apply(&b); err == nil {
				b, err = catalog.CreateBrand(tx, b)
			}
		}
		if err != nil {
			return err
		}
		r.became(revised(before, b.Version))
	}
	return nil
}

func exportBrands(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, catalog.ListBrands, func(b catalog.Brand) error {
		return p.row(b.Code, b.Name, b.Slug, b.Description, b.LogoURL, b.WebsiteURL, whole(b.SortOrder),
			flag(b.IsActive))
	})
}

func categoryKind() kind {
	return kind{name: "categories", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return categories{} }, export: exportCategories,
		fields: []field{
			must(column(code, "code", "categoryCode")),
			column(nameText, "name", "categoryName"),
			column(code, "parentCode", "parent", "parentCategoryCode"),
			column(nameText, "slug"),
			column(note, "description"),
			number("sortOrder"),
			truth("isActive", "active"),
		}}
}

// categories books the tree of categories, parents before what lies below them.
type categories struct{ plain }

func (categories) key(r *row) string   { return record.Fold(r.get("code")) }
func (categories) after(r *row) string { return record.Fold(r.get("parentCode")) }

func (categories) book(tx *db.Tx, rows []*row) error {
	for _, r := range rows {
		var before int64
		apply := func(g *catalog.Category) error {
			before = g.Version
			c := r.cells()
			c.text("name", &g.Name)
			if c.has("parentCode") && !strings.EqualFold(g.ParentCode, c.get("parentCode")) {
				g.ParentCode = c.get("parentCode")
			}
			c.given("slug", &g.Slug)
			c.text("description", &g.Description)
			c.whole("sortOrder", &g.SortOrder)
			c.flag("isActive", &g.IsActive)
			return c.wrong.Err()
		}
		g, err := catalog.ChangeCategory(tx, r.get("code"), apply)
		if fault.Is(err, catalog.ErrCategoryNotFound) {
			g = catalog.Category{Code: r.get("code"), IsActive: true}
			if err = apply(&g); err == nil {
				g, err = catalog.CreateCategory(tx, g)
			}
		}
		if err != nil {
			return err
		}
		r.became(revised(before, g.Version))
	}
	return nil
}

func exportCategories(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, catalog.ListCategories, func(g catalog.Category) error {
		return p.row(g.Code, g.Name, g.ParentCode, g.Slug, g.Description, whole(g.SortOrder), flag(g.IsActive))
	})
}
