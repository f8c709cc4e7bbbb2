package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var brands = record.TableOf(Brands, record.Layout[Brand]{
	Fixed:    "code",
	Changing: "name, slug, description, logo_url, website_url, sort_order, is_active",
	Key:      "code_key",
	KeyOf:    func(b *Brand) string { return b.Code },
	Derived:  func(b *Brand) db.Args { return db.Args{"search": record.SearchText(b.Code, b.Name)} },
	Missing:  func(code string) error { return ErrBrandNotFound.Because("there is no brand %s", code) },
	Taken: func(b *Brand) error {
		if b.Version > 1 { // its code is its own
			return slugTaken(ErrBrandSlug, b.Slug)
		}
		return ErrBrandExists.Because("brand %s exists already: choose another code, or change that brand", b.Code)
	},
})

// FindBrand is the brand with this code. Refusal: Brand.NotFound.
func FindBrand(tx *db.Tx, code string) (Brand, error) { return brands.Find(tx, code) }

// ListBrands are the brands by code.
func ListBrands(tx *db.Tx, f BrandFilter, p record.Page) (record.Found[Brand], error) {
	q := brands.Query("catalog.ListBrands")
	q.Sorts = map[string][]string{"code": {"code_key"}, "name": {"lower(name)", "code_key"}}
	q.Search("search", f.Search)
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, brands.Scan)
}
