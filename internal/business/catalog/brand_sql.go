package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const brandFields = "code, name, slug, description, logo_url, website_url, sort_order, is_active"

const brandColumns = record.RootColumns + ", " + brandFields

var brandRow = db.Map[Brand](brandColumns)

func (b *Brand) values() []any {
	return append(brandRow.Of(b), record.Fold(b.Code), record.SearchText(b.Code, b.Name))
}

// FindBrand is the brand with this code. Refusal: Brand.NotFound.
func FindBrand(tx *db.Tx, code string) (Brand, error) {
	return readBrand(tx, `-- catalog.FindBrand
		select `+brandColumns+` from brand where company = :company and code_key = :key`, code)
}

func lockBrand(tx *db.Tx, code string) (Brand, error) {
	return readBrand(tx, `-- catalog.lockBrand
		select `+brandColumns+` from brand where company = :company and code_key = :key for update`, code)
}

func readBrand(tx *db.Tx, query, code string) (Brand, error) {
	var b Brand
	err := tx.Each(query, db.Args{"key": record.Fold(code)}, func(r db.Row) error { return brandRow.Scan(r, &b) })
	if err == nil && b.ID == "" {
		err = ErrBrandNotFound.Because("there is no brand %s", code)
	}
	return b, err
}

// ListBrands are the brands by code.
func ListBrands(tx *db.Tx, f BrandFilter, p record.Page) (record.Found[Brand], error) {
	q := record.Query{Name: "catalog.ListBrands", Select: brandColumns, From: "brand", Stamp: "changed_at",
		Key: []string{"code_key"}, Resources: []string{Brands.Name},
		Sorts: map[string][]string{"code": {"code_key"}, "name": {"lower(name)", "code_key"}}}
	q.Search("search", f.Search)
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, brandRow.Scan)
}

func insertBrand(tx *db.Tx, b Brand) error {
	return tx.Insert("brand", brandColumns+", code_key, search", 1, func(int) []any { return b.values() })
}

func updateBrand(tx *db.Tx, b Brand) error {
	return tx.Upsert("brand", brandColumns+", code_key, search", 1, func(int) []any { return b.values() },
		db.Overwriting("id", brandFields+", search"))
}

func removeBrand(tx *db.Tx, id string) error { return tx.Delete(db.Args{"id": id}, "brand") }
