package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/front/rest"
)

// Categories are the tree that items are sorted into.
func Categories() rest.Group {
	return rest.Group{Tag: "Categories", Scope: "categories",
		Doc: "The item category tree; parentCode nests a category.", Ops: []rest.Op{
			rest.List("listCategories", "/categories", "The item category tree, parents before their children.",
				rest.Lists[listCategoriesIn](shownCategory, catalog.ListCategories)).Cached(),
			rest.Create("createCategory", "/categories", "Creates a category; its parent must exist.",
				rest.Creates[newCategory](shownCategory, catalog.CreateCategory)).
				Raises(catalog.ErrCategoryExists, catalog.ErrCategorySlug, catalog.ErrCategoryParent,
					catalog.ErrCategoryInvalid).
				Example(`{"code": "HAND-TOOLS", "name": "Hand tools", "sortOrder": 10}`),
			rest.Get("getCategory", "/categories/{code}", "One category.",
				shownCategory.Of(catalog.FindCategory)).CachedOne(catalog.Categories).
				Raises(catalog.ErrCategoryNotFound), rest.Patch("updateCategory", "/categories/{code}",
				"Changes a category; another parentCode moves it with all below it.",
				rest.Edits[categoryBody](shownCategory, catalog.ChangeCategory)).
				Raises(catalog.ErrCategoryNotFound, catalog.ErrCategorySlug, catalog.ErrCategoryParent,
					catalog.ErrCategoryCycle, catalog.ErrCategoryInvalid).
				Example(`{"parentCode": "TOOLS"}`),
			rest.Delete("deleteCategory", "/categories/{code}",
				"Deletes a category without items and without categories below it.", rest.Gone(catalog.DeleteCategory)).
				Raises(catalog.ErrCategoryNotFound, catalog.ErrCategoryInUse),
		}}
}

// categoryFields are what may be written of a category, less its slug, which is never null once made.
type categoryFields struct {
	Name        string    `json:"name" req:"true" text:"name" example:"Hand tools"`
	ParentCode  rest.Text `json:"parentCode" doc:"Null at the top of the tree."`
	Description rest.Text `json:"description" text:"note"`
	SortOrder   int       `json:"sortOrder" doc:"Order among categories of one level."`
	IsActive    bool      `json:"isActive" default:"true"`
}

type categoryBody struct {
	categoryFields
	Slug rest.Text `json:"slug" text:"name" doc:"Address in the channels: lower-case letters, digits, hyphens. Left out or null: made from the name; a changed one leaves a redirect."`
}

type newCategory struct {
	Code string `json:"code" req:"true" example:"HAND-TOOLS"`
	categoryBody
}

// Category is a category on the wire.
type Category struct {
	rest.Tag
	Code string `json:"code"`
	categoryFields
	Slug string `json:"slug"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Code" self:"/preview/categories/"`
}

var shownCategory = rest.Shows(rest.Shown[Category, catalog.Category]())

type listCategoriesIn struct {
	rest.Paging
	Search     string `query:"search" doc:"Part of code or name."`
	ParentCode string `query:"parentCode" doc:"Only those right below it."`
	IsActive   *bool  `query:"isActive"`
}
