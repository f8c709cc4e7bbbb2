package assortment

import (
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// Node is a category with those below it, and how many products it leads to.
type Node struct {
	Code, Name, Slug, Description string
	Parent                        *Node
	Children                      []*Node
	Products                      int // with those below
}

// tree are the active categories of a company. Those below an inactive one are not shown either.
type tree struct {
	roots  []*Node
	byCode map[string]*Node // by folded code
	bySlug map[string]*Node
}

func treeOf(tx *db.Tx, k keeper) (*tree, error) {
	k.name = ""
	return recalled(tx, k, "tree", readTree)
}

// way are the categories from the top down to one; those that are not shown are left out.
func (t *tree) way(code string) (out []Crumb) {
	for n := t.byCode[record.Fold(code)]; n != nil; n = n.Parent {
		out = append(out, Crumb{n.Code, n.Name, n.Slug})
	}
	slices.Reverse(out)
	return out
}

// copied is the tree with product counts.
func (t *tree) counted(counts map[string]int) *tree {
	out := &tree{byCode: map[string]*Node{}, bySlug: map[string]*Node{}}
	var copyOf func(n, parent *Node) *Node
	copyOf = func(n, parent *Node) *Node {
		c := *n
		c.Parent, c.Products = parent, counts[n.Code]
		c.Children = each.Of(n.Children, func(child *Node) *Node { return copyOf(child, &c) })
		out.byCode[record.Fold(c.Code)], out.bySlug[c.Slug] = &c, &c
		return &c
	}
	for _, r := range t.roots {
		out.roots = append(out.roots, copyOf(r, nil))
	}
	return out
}

// Categories are the top categories of a store with all below them and their product counts. Without an edition the
// counts are taken from the books.
func Categories(tx *db.Tx, e Edition, v Viewer) ([]*Node, error) {
	t, err := categories(tx, e, v)
	if err != nil {
		return nil, err
	}
	return t.roots, nil
}

// HasCategory says of a code whether the store shows a category by it.
func HasCategory(tx *db.Tx, v Viewer) (func(code string) bool, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(tx, k)
	return func(code string) bool { return t.byCode[record.Fold(code)] != nil }, err
}

// HasPages says of slugs whether the store has a page of a category, and of a brand, by them.
func HasPages(tx *db.Tx, v Viewer) (category, brand func(slug string) bool, err error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, nil, err
	}
	t, err := treeOf(tx, k)
	if err != nil {
		return nil, nil, err
	}
	brands, err := brandsOf(tx, k)
	return func(slug string) bool { return t.bySlug[strings.ToLower(slug)] != nil },
		func(slug string) bool {
			return slices.ContainsFunc(brands, func(b Brand) bool { return strings.EqualFold(b.Slug, slug) })
		}, err
}

// CategoryOf is the category with this slug. Refusal: Category.NotFound.
func CategoryOf(tx *db.Tx, e Edition, v Viewer, slug string) (*Node, error) {
	t, err := categories(tx, e, v)
	if err != nil {
		return nil, err
	}
	if n := t.bySlug[strings.ToLower(slug)]; n != nil {
		return n, nil
	}
	return nil, catalog.ErrCategoryNotFound.Because("the store has no category %q", slug)
}

func categories(tx *db.Tx, e Edition, v Viewer) (*tree, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(tx, k)
	if err != nil {
		return nil, err
	}
	counts, err := countsOf(tx, e, v, k, facetCategory)
	if err != nil {
		return nil, err
	}
	if e.edition == nil { // the books count each category by itself
		whole := map[string]int{}
		for code, n := range counts {
			for at := t.byCode[record.Fold(code)]; at != nil; at = at.Parent {
				whole[at.Code] += n
			}
		}
		counts = whole
	}
	return t.counted(counts), nil
}

// countsOf are the products by category or brand.
func countsOf(tx *db.Tx, e Edition, v Viewer, k keeper, facet string) (map[string]int, error) {
	if e.edition != nil {
		tx.AnswerDependsOn(k.below(tx, Wish{}))
		return e.counts(tx, v, facet), nil
	}
	k.name = v.Channel.Code
	return recalled(tx, k, "counts "+facet,
		func(tx *db.Tx) (map[string]int, error) { return countProducts(tx, v.Channel, facet) })
}

func (e *edition) counts(tx *db.Tx, v Viewer, facet string) map[string]int {
	r := e.index(v.Language).Search(search.Request{Facets: []string{facet}, FacetValues: 1 << 20, At: int64(tx.Now)})
	out := map[string]int{}
	for _, f := range r.Facets {
		for _, value := range f.Values {
			out[value.Value] = value.Count
		}
	}
	return out
}

// Brand is a brand with how many products a store has of it.
type Brand struct {
	Code, Name, Slug, Description, LogoURL, WebsiteURL string
	Products                                           int
}

// Brands are the active brands of which a store has products, in their order. Without an edition the counts are taken
// from the books.
func Brands(tx *db.Tx, e Edition, v Viewer) ([]Brand, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, err
	}
	all, err := brandsOf(tx, k)
	if err != nil {
		return nil, err
	}
	counts, err := countsOf(tx, e, v, k, facetBrand)
	out := make([]Brand, 0, len(all))
	for _, b := range all {
		if b.Products = counts[b.Code]; b.Products > 0 {
			out = append(out, b)
		}
	}
	return out, err
}

func brandsOf(tx *db.Tx, k keeper) ([]Brand, error) {
	k.name = ""
	return recalled(tx, k, "brands", readBrands)
}

// BrandOf is the active brand with this slug, also where the store has nothing of it now. Refusal: Brand.NotFound.
func BrandOf(tx *db.Tx, e Edition, v Viewer, slug string) (Brand, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return Brand{}, err
	}
	all, err := brandsOf(tx, k)
	if err != nil {
		return Brand{}, err
	}
	for _, b := range all {
		if strings.EqualFold(b.Slug, slug) {
			counts, err := countsOf(tx, e, v, k, facetBrand)
			b.Products = counts[b.Code]
			return b, err
		}
	}
	return Brand{}, catalog.ErrBrandNotFound.Because("the store has no brand %q", slug)
}
