package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/front/rest"
)

// Brands are the names under which items are sold.
func Brands() rest.Group {
	return rest.Group{Tag: "Brands", Scope: "brands", Doc: "The brands items carry.", Ops: []rest.Op{
		rest.List("listBrands", "/brands", "The brands by code.",
			rest.Lists[listBrandsIn](shownBrand, catalog.ListBrands)).Cached(),
		rest.Create("createBrand", "/brands", "Creates a brand.",
			rest.Creates[newBrand](shownBrand, catalog.CreateBrand)).
			Raises(catalog.ErrBrandExists, catalog.ErrBrandSlug, catalog.ErrBrandInvalid).
			Example(`{"code": "HULTAFORS", "name": "Hultafors", "websiteUrl": "https://www.hultafors.com"}`),
		rest.Get("getBrand", "/brands/{code}", "One brand.",
			shownBrand.Of(catalog.FindBrand)).CachedOne(catalog.Brands).
			Raises(catalog.ErrBrandNotFound), rest.Patch("updateBrand", "/brands/{code}", "Changes a brand.",
			rest.Edits[brandBody](shownBrand, catalog.ChangeBrand)).
			Raises(catalog.ErrBrandNotFound, catalog.ErrBrandSlug, catalog.ErrBrandInvalid).
			Example(`{"sortOrder": 20}`),
		rest.Delete("deleteBrand", "/brands/{code}", "Deletes a brand that no item carries.",
			rest.Gone(catalog.DeleteBrand)).
			Raises(catalog.ErrBrandNotFound, catalog.ErrBrandInUse),
	}}
}

// brandFields are what may be written of a brand, less its slug, which is never null once made.
type brandFields struct {
	Name        string    `json:"name" req:"true" text:"name" example:"Hultafors"`
	Description rest.Text `json:"description" text:"note"`
	LogoURL     rest.Text `json:"logoUrl" text:"path" doc:"Absolute http or https address."`
	WebsiteURL  rest.Text `json:"websiteUrl" text:"path" doc:"Absolute http or https address."`
	SortOrder   int       `json:"sortOrder"`
	IsActive    bool      `json:"isActive" default:"true"`
}

type brandBody struct {
	brandFields
	Slug rest.Text `json:"slug" text:"name" doc:"Address in the channels: lower-case letters, digits, hyphens. Left out or null: made from the name; a changed one leaves a redirect."`
}

type newBrand struct {
	Code string `json:"code" req:"true" example:"HULTAFORS"`
	brandBody
}

// Brand is a brand on the wire.
type Brand struct {
	rest.Tag
	Code string `json:"code"`
	brandFields
	Slug string `json:"slug"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Code" self:"/preview/brands/"`
}

var shownBrand = rest.Shows(rest.Shown[Brand, catalog.Brand]())

type listBrandsIn struct {
	rest.Paging
	Search   string `query:"search" doc:"Part of code or name."`
	IsActive *bool  `query:"isActive"`
}
