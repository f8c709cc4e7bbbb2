package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Brand is the name under which items are sold.
type Brand struct {
	record.Root
	Code        string
	Name        string
	Slug        string // its address in the channels, unique in the company
	Description string
	LogoURL     string
	WebsiteURL  string
	SortOrder   int
	IsActive    bool
}

// BrandFilter narrows the list of brands; its zero value takes all.
type BrandFilter struct {
	Search   string // code, name
	IsActive *bool
}

// CreateBrand makes a brand; without a slug it makes one from the name. Refusals:
// Brand.AlreadyExists, Brand.SlugAlreadyExists, Brand.Invalid.
func CreateBrand(tx *db.Tx, b Brand) (Brand, error) {
	if err := brands.Free(tx, &b); err != nil {
		return b, err
	}
	b.Root = record.New(tx)
	if err := validateBrand(tx, Brand{}, &b); err != nil {
		return b, err
	}
	return b, brands.Create(tx, &b)
}

// ChangeBrand lays edit over a brand; another slug leaves the old address leading to the new one
// (SlugChanged). Refusals: Brand.NotFound and those of CreateBrand.
func ChangeBrand(tx *db.Tx, code string, edit func(*Brand) error) (Brand, error) {
	before, b, err := brands.Change(tx, code, edit, func(before Brand, b *Brand) error {
		return validateBrand(tx, before, b)
	})
	if err != nil || b.Slug == before.Slug {
		return b, err
	}
	return b, tx.Fire(SlugChanged{Kind: "brand", Code: b.Code, Old: before.Slug, New: b.Slug})
}

// DeleteBrand removes a brand. Refusals: Brand.NotFound, Brand.InUse while an item carries it.
func DeleteBrand(tx *db.Tx, code string) error {
	return brands.Delete(tx, code, func(b *Brand) error {
		return refuseUsed(tx, ErrBrandInUse, brandTable, b.Code)
	})
}

func validateBrand(tx *db.Tx, before Brand, b *Brand) error {
	var wrong fault.List
	wrong.If(b.Code == "", ErrBrandInvalid, "code", "a brand needs a code")
	wrong.If(b.Name == "", ErrBrandInvalid, "name", "a brand needs a name")
	for _, u := range []struct{ field, url string }{{"logoUrl", b.LogoURL}, {"websiteUrl", b.WebsiteURL}} {
		if u.url == "" {
			continue
		}
		if problem := checkURL(u.url); problem.Is() {
			wrong.Note(ErrBrandInvalid, u.field, problem)
		}
	}
	if err := validateSlug(tx, &wrong, brandTable, &b.Slug, before.Slug, b.Name, b.Code, b.ID); err != nil {
		return err
	}
	return wrong.Err()
}
