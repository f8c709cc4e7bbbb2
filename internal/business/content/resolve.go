package content

import (
	"slices"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Resolved is what the business keys of a page's sections lead to in a store, section by section.
type Resolved struct {
	Shown      []Shown // with the keys alone that lead somewhere there
	Products   [][]assortment.Card
	Categories [][]*assortment.Node
	Brands     [][]assortment.Brand
	Posts      [][]Page
}

// The most that a section shows where it does not say.
const (
	usualProducts = 12
	usualPosts    = 6
)

// orders are the store's orders of products by those of sections.
var orders = map[ProductSort]assortment.Sort{SortFeatured: assortment.ByFeatured, SortName: assortment.ByName,
	SortPrice: assortment.ByPrice, SortPriceDown: assortment.ByPriceDown, SortNewest: assortment.ByNewest,
	SortRating: assortment.ByRating}

// Resolve finds what sections show. What the store does not have is left out. The number of statements does not grow
// with that of sections or cards: item numbers, item groups with suppliers, and posts are read once for the whole page,
// and so are cards; categories and brands come from what is remembered, and products of a category from the index of
// the store.
func Resolve(tx *db.Tx, v assortment.Viewer, edition assortment.Edition, sections []Section) (Resolved, error) {
	n := len(sections)
	r := Resolved{make([]Shown, n), make([][]assortment.Card, n), make([][]*assortment.Node, n),
		make([][]assortment.Brand, n), make([][]Page, n)}
	if err := r.products(tx, v, edition, sections); err != nil {
		return r, err
	}
	has := func(t SectionType) bool {
		return slices.ContainsFunc(sections, func(s Section) bool { return s.Type == t })
	}
	if has(Categories) {
		roots, err := assortment.Categories(tx, edition, v)
		if err != nil {
			return r, err
		}
		for i, s := range sections {
			if s.Type == Categories {
				r.Categories[i] = chosen(roots, s)
			}
		}
	}
	if has(Brands) {
		all, err := assortment.Brands(tx, edition, v)
		if err != nil {
			return r, err
		}
		for i, s := range sections {
			if s.Type == Brands {
				r.Brands[i] = all[:min(len(all), or(s.MaxBrands, len(all)))]
			}
		}
	}
	return r, r.posts(tx, v, sections)
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// chosen are the categories that a section names, those below one, or the top ones.
func chosen(roots []*assortment.Node, s Section) (out []*assortment.Node) {
	known := map[string]*assortment.Node{}
	var note func(all []*assortment.Node)
	note = func(all []*assortment.Node) {
		for _, n := range all {
			known[record.Fold(n.Code)] = n
			note(n.Children)
		}
	}
	note(roots)
	switch codes := or(s.CategoryList, nil); {
	case len(codes) > 0:
		out = each.Given(codes, func(code string) *assortment.Node { return known[record.Fold(code)] })
	case s.Parent != nil:
		if n := known[record.Fold(*s.Parent)]; n != nil {
			out = n.Children
		}
	default:
		out = roots
	}
	return out
}

// products finds the ids of each section's products, and then all cards at once.
func (r *Resolved) products(tx *db.Tx, v assortment.Viewer, edition assortment.Edition, sections []Section) error {
	var numbers []string
	for _, s := range sections {
		numbers = append(numbers, s.numbers()...)
	}
	named, err := assortment.FindNumbers(tx, v, numbers)
	if err != nil {
		return err
	}
	hasCategory, err := assortment.HasCategory(tx, v)
	if err != nil {
		return err
	}
	for i, s := range sections {
		r.Shown[i] = s.shownIn(func(number string) bool { return named[record.Fold(number)] != nil }, hasCategory)
	}
	ids, err := productsOf(tx, v, edition, sections, named)
	if err != nil {
		return err
	}
	all := slices.Concat(ids...)
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	cards, err := assortment.Cards(tx, v, slices.Compact(all))
	if err != nil {
		return err
	}
	byID := each.By(cards, func(c assortment.Card) string { return c.Item.ID })
	for i := range sections {
		for _, id := range ids[i] {
			if c, ok := byID[id]; ok {
				r.Products[i] = append(r.Products[i], c)
			}
		}
	}
	return nil
}

func productsOf(tx *db.Tx, v assortment.Viewer, edition assortment.Edition, sections []Section,
	named map[string]*assortment.Article) ([][]string, error) {
	var g groups
	for _, s := range sections {
		g.add(s)
	}
	if err := g.read(tx, v.Channel); err != nil {
		return nil, err
	}
	out := make([][]string, len(sections))
	for i, s := range sections {
		for _, number := range s.numbers() {
			if a := named[record.Fold(number)]; a != nil {
				out[i] = append(out[i], a.Item.ID)
			}
		}
		most := or(s.MaxProducts, max(usualProducts, len(out[i])))
		if s.Type != Products {
			continue
		}
		out[i] = append(out[i], g.of(s)...)
		if s.Category != nil && len(out[i]) < most {
			found, err := assortment.Browse(tx, edition, v,
				assortment.Wish{Category: *s.Category, Sort: orders[or(s.Sort, SortManual)], Limit: most})
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], found.IDs...)
		}
		out[i] = firsts(out[i], most)
	}
	return out, nil
}

// numbers are the item numbers that a section names.
func (s *Section) numbers() []string {
	if s.ProductSpotlight != nil {
		return []string{s.ProductSpotlight.ProductNumber}
	}
	return or(s.Numbers, nil)
}

// shownIn is what visitors may see of a section in a store that has these products and categories: it names nothing
// that they could not ask for.
func (s *Section) shownIn(hasProduct, hasCategory func(string) bool) Shown {
	out := s.Shown
	out.Numbers, out.CategoryList = those(out.Numbers, hasProduct), those(out.CategoryList, hasCategory)
	if !hasCategory(or(out.Category, "")) {
		out.Category = nil
	}
	if !hasCategory(or(out.Parent, "")) {
		out.Parent = nil
	}
	if one := out.ProductSpotlight; one != nil && !hasProduct(one.ProductNumber) {
		out.ProductSpotlight = nil
	}
	return out
}

// those are the keys of a list that there are in the store; a list that was not given stays away.
func those(keys *[]string, has func(string) bool) *[]string {
	if keys == nil {
		return nil
	}
	some := append([]string{}, each.Where(*keys, has)...) // an empty list is still one
	return &some
}

// firsts are the first of a list, each once.
func firsts(ids []string, most int) []string {
	ids = each.Once(ids, func(id string) string { return id })
	return ids[:min(most, len(ids))]
}

func (r *Resolved) posts(tx *db.Tx, v assortment.Viewer, sections []Section) error {
	if !slices.ContainsFunc(sections, func(s Section) bool { return s.Type == Posts }) {
		return nil
	}
	all, err := NewestPosts(tx, v.Channel, usualPosts)
	if err != nil {
		return err
	}
	for i, s := range sections {
		if s.Type != Posts {
			continue
		}
		for _, p := range all {
			if want := or(s.ArticleType, AllPosts); len(r.Posts[i]) < usualPosts &&
				(want == AllPosts || string(want) == string(p.Type)) {
				r.Posts[i] = append(r.Posts[i], p)
			}
		}
	}
	return nil
}
