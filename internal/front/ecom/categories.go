package ecom

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/front/rest"
)

// Categories are the ways into a store's assortment.
func Categories(w Window) rest.Group {
	return rest.Group{Tag: "Categories", Scope: rest.ScopeSession,
		Doc: "The categories and brands of the store, with how many products they lead to.", Ops: []rest.Op{
			rest.List("listCatalogCategories", "/catalog/categories",
				"The top categories with all below them and their product counts.", indexed(w, listCategories)).
				Indexed(),
			rest.Get("getCatalogCategory", "/catalog/categories/{slug}", "A category with what its page shows.",
				indexed(w, getCategory)).
				Raises(catalog.ErrCategoryNotFound).Indexed(),
			rest.List("listCatalogBrands", "/catalog/brands", "The brands of which the store has products.",
				indexed(w, listBrands)).
				Indexed(),
			rest.Get("getCatalogBrand", "/catalog/brands/{slug}", "A brand with what its page shows.", indexed(w, getBrand)).
				Extension().Indexed().Raises(catalog.ErrBrandNotFound),
		}}
}

// CategoryNode is a category with those below it.
type CategoryNode struct {
	Code         string         `json:"code"`
	Name         string         `json:"name"`
	Slug         string         `json:"slug"`
	ProductCount int            `json:"productCount" doc:"With all categories below it."`
	Children     []CategoryNode `json:"children"`
}

func nodeOf(n *assortment.Node) CategoryNode {
	return CategoryNode{n.Code, n.Name, n.Slug, n.Products, each.Of(n.Children, nodeOf)}
}

func listCategories(tx *db.Tx, v assortment.Viewer, s assortment.Edition, in pageIn) (rest.Paged[CategoryNode],
	error) {
	roots, err := assortment.Categories(tx, s, v)
	return rest.PageOfAll(roots, in.Paging, nodeOf), err
}

// CategoryPage is a category with what its page shows.
type CategoryPage struct {
	CategoryNode
	Description rest.Text `json:"description"`
	SEO         SEO       `json:"seo"`
	Breadcrumbs []Crumb   `json:"breadcrumbs" doc:"From the top category down to this one."`
}

func getCategory(tx *db.Tx, v assortment.Viewer, s assortment.Edition, in rest.Key) (CategoryPage, error) {
	n, err := assortment.CategoryOf(tx, s, v, in.Key)
	if err != nil {
		return CategoryPage{}, err
	}
	page := CategoryPage{CategoryNode: nodeOf(n), Description: rest.Text(n.Description), Breadcrumbs: []Crumb{},
		SEO: SEO{Title: n.Name, Description: "", CanonicalPath: v.Channel.Paths.CategoryPath(n.Slug)}}
	for at := n; at != nil; at = at.Parent {
		page.Breadcrumbs = append([]Crumb{{at.Code, at.Name, at.Slug}}, page.Breadcrumbs...)
	}
	return page, nil
}

// BrandRow is a brand in the list.
type BrandRow struct {
	Code         string    `json:"code"`
	Name         string    `json:"name"`
	Slug         string    `json:"slug"`
	LogoURL      rest.Text `json:"logoUrl"`
	ProductCount int       `json:"productCount" of:"Products"`
}

var brandRowOf = rest.Shown[BrandRow, assortment.Brand]()

func listBrands(tx *db.Tx, v assortment.Viewer, s assortment.Edition, in pageIn) (rest.Paged[BrandRow], error) {
	all, err := assortment.Brands(tx, s, v)
	return rest.PageOfAll(all, in.Paging, brandRowOf), err
}

// BrandPage is a brand with what its page shows.
type BrandPage struct {
	BrandRow
	Description rest.Text `json:"description"`
	WebsiteURL  rest.Text `json:"websiteUrl"`
	SEO         SEO       `json:"seo" of:"-"`
}

var brandPageOf = rest.Shown[BrandPage, assortment.Brand]()

func getBrand(tx *db.Tx, v assortment.Viewer, s assortment.Edition, in rest.Key) (BrandPage, error) {
	b, err := assortment.BrandOf(tx, s, v, in.Key)
	out := brandPageOf(b)
	out.SEO = SEO{Title: b.Name, CanonicalPath: v.Channel.Paths.BrandPath(b.Slug)}
	return out, err
}
