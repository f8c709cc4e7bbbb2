package exchange

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func attributeKind() kind {
	return kind{name: "attributes", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: eachAlone(bookAttribute), export: eachRecord(catalog.ListAttributes),
		fields: of[catalog.Attribute](
			must(key(column(code, "code", "attributeCode"))),
			column(nameText, "name"),
			column(note, "description"),
			column(nameText, "group"),
			column(code, "dataType", "type"),
			column(code, "unit"),
			column(manyText, "allowedValues"),
			truth("isMultiValue"),
			as("IsVisible", truth("isVisibleOnProductPage", "isVisible")),
			number("minValue"),
			number("maxValue"),
			column(path, "pattern"),
		)}
}

func bookAttribute(tx *db.Tx, r *row) error {
	return put(tx, r, catalog.Attribute{Code: r.get("code"), DataType: catalog.Text, IsActive: true},
		catalog.ErrAttributeNotFound, catalog.FindAttribute,
		func(tx *db.Tx, a catalog.Attribute) (catalog.Attribute, error) {
			a.IsActive = true
			return catalog.SaveAttribute(tx, a)
		})
}

func brandKind() kind {
	return kind{name: "brands", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: eachAlone(bookBrand), export: eachRecord(catalog.ListBrands),
		fields: of[catalog.Brand](
			must(key(column(code, "code", "brandCode"))),
			column(nameText, "name", "brandName"),
			kept(column(nameText, "slug")),
			column(note, "description"),
			column(path, "logoUrl"),
			column(path, "websiteUrl"),
			number("sortOrder"),
			truth("isActive", "active"),
		)}
}

func bookBrand(tx *db.Tx, r *row) error {
	return upsert(tx, r, catalog.Brand{Code: r.get("code"), IsActive: true}, catalog.ErrBrandNotFound,
		catalog.ChangeBrand, catalog.CreateBrand)
}

func categoryKind() kind {
	return kind{name: "categories", shownKey: []string{"code"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return categories{single{one: bookCategory}} },
		export: eachRecord(catalog.ListCategories),
		fields: of[catalog.Category](
			must(key(column(code, "code", "categoryCode"))),
			column(nameText, "name", "categoryName"),
			coded(column(code, "parentCode", "parent", "parentCategoryCode")),
			kept(column(nameText, "slug")),
			column(note, "description"),
			number("sortOrder"),
			truth("isActive", "active"),
		)}
}

// categories books the tree of categories, parents before what lies below them.
type categories struct{ single }

func (categories) after(r *row) string { return record.Fold(r.get("parentCode")) }

func bookCategory(tx *db.Tx, r *row) error {
	return upsert(tx, r, catalog.Category{Code: r.get("code"), IsActive: true}, catalog.ErrCategoryNotFound,
		catalog.ChangeCategory, catalog.CreateCategory)
}
