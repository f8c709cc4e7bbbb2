package assortment

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Page is an article with everything its page shows.
type Page struct {
	Card
	Breadcrumbs []Crumb // from the top category down
	Images      []media.ItemAsset
	Documents   []media.ItemAsset
	Attributes  []AttributeGroup
	Options     []VariantOption
	Choices     []Card // the variants
	Related     []RelatedCount
	VariantOf   string // number of the parent that it stands under, "" where it stands by itself
}

const pageWeight = 6_000 // bytes, about, without its text

// Crumb is a category on the way to a product.
type Crumb struct{ Code, Name, Slug string }

// AttributeGroup are attributes under one heading; "" where they have none.
type AttributeGroup struct {
	Name       string
	Attributes []AttributeValue
}

// AttributeValue is what an article has of an attribute.
type AttributeValue struct {
	Code, Name, Unit string
	DataType         catalog.DataType
	Values           []string
}

// VariantOption is something that variants differ in, with all values there are.
type VariantOption struct {
	Name   string
	Values []string
}

// RelatedCount is how many visible products a relation leads to.
type RelatedCount struct {
	Type  catalog.RelationType
	Count int
}

// PageOf is the page of the product with this slug or id: a constant number of statements, or none where it is kept.
// Refusal: Product.NotFound.
func PageOf(tx *db.Tx, v Viewer, slugOrID string) (*Page, error) {
	k, err := keeperOf(tx, v)
	if err != nil {
		return nil, err
	}
	if p, ok := recall[*Page](tx, &k, "page "+slugOrID); ok {
		return p, nil
	}
	a, err := Find(tx, v, slugOrID)
	if err != nil {
		return nil, err
	}
	a.Description = catalog.Described(a.Description) // it was read for this page alone
	p := &Page{}
	choices, err := variantsOf(tx, v.Channel, a)
	if err != nil {
		return nil, err
	}
	of := choices[a.Item.ID]
	cards, err := cardsOf(tx, v, k, append([]*Article{a}, of...))
	if err != nil {
		return nil, err
	}
	p.Card, p.Choices, p.Options = cards[0], cards[1:], optionsOf(of)
	if err := p.fill(tx, v, k); err != nil {
		return nil, err
	}
	remember(tx, k, "page "+slugOrID, pageWeight+len(p.Description)+cardWeight*len(of), p, append([]*Article{a}, of...)...)
	return p, nil
}

// fill reads what stands around the product.
func (p *Page) fill(tx *db.Tx, v Viewer, k keeper) error {
	t, err := treeOf(tx, k)
	if err != nil {
		return err
	}
	p.Breadcrumbs = t.way(p.Item.CategoryCode)
	if p.Item.VariantOf != "" {
		parent := record.Fold(p.Item.VariantOf)
		above, err := among(tx, v.Channel, []string{parent})
		if err != nil {
			return err
		}
		if above[parent] {
			p.VariantOf = p.Item.VariantOf
		}
	}
	assets, err := assetsOf(tx, p.Item.ID)
	if err != nil {
		return err
	}
	for _, a := range assets {
		if a.Kind == media.Image {
			p.Images = append(p.Images, a)
		} else {
			p.Documents = append(p.Documents, a)
		}
	}
	if p.Attributes, err = attributesOf(tx, p.Item.ID); err != nil {
		return err
	}
	related, err := relationsOf(tx, v.Channel, p.Item.ID, "")
	for _, r := range related {
		i := slices.IndexFunc(p.Related, func(c RelatedCount) bool { return c.Type == r.kind })
		if i < 0 {
			i = len(p.Related)
			p.Related = append(p.Related, RelatedCount{Type: r.kind})
		}
		p.Related[i].Count++
	}
	return err
}

// optionsOf is what variants differ in, in the order in which they say it.
func optionsOf(variants []*Article) (out []VariantOption) {
	for _, a := range variants {
		for _, o := range a.Item.VariantOptions {
			i := slices.IndexFunc(out, func(v VariantOption) bool { return v.Name == o.Name })
			if i < 0 {
				i = len(out)
				out = append(out, VariantOption{Name: o.Name})
			}
			if !slices.Contains(out[i].Values, o.Value) {
				out[i].Values = append(out[i].Values, o.Value)
			}
		}
	}
	return out
}

// Assets are the pictures and documents of a product, in their order. Refusal: Product.NotFound.
func Assets(tx *db.Tx, v Viewer, slugOrID string) ([]media.ItemAsset, error) {
	a, err := Find(tx, v, slugOrID)
	if err != nil {
		return nil, err
	}
	return assetsOf(tx, a.Item.ID)
}

// Variants reads a page of the visible variants of a product, by number, and how many there are. Refusal:
// Product.NotFound.
func Variants(tx *db.Tx, v Viewer, slugOrID string, p record.Page) (record.Found[Card], error) {
	a, err := Find(tx, v, slugOrID)
	if err != nil {
		return record.Found[Card]{}, err
	}
	cards, err := Cards(tx, v, each.Of(window(a.parts[:a.Variants], p), func(one part) string { return one.itemID }))
	return record.Found[Card]{Items: cards, Total: a.Variants}, err
}

// Relative is a product that another is related to.
type Relative struct {
	Type catalog.RelationType
	Card
}

// Relatives reads a page of what a product is related to, of one type or, with "", of all, and how many there are.
// Refusal:
// Product.NotFound.
func Relatives(tx *db.Tx, v Viewer, slugOrID string, kind catalog.RelationType, p record.Page) (record.Found[Relative],
	error) {
	var found record.Found[Relative]
	a, err := Find(tx, v, slugOrID)
	if err != nil {
		return found, err
	}
	all, err := relationsOf(tx, v.Channel, a.Item.ID, kind)
	if err != nil {
		return found, err
	}
	found.Total = len(all)
	some := window(all, p)
	ids := each.Of(some, func(r relation) string { return r.id })
	cards, err := cardsByID(tx, v, ids)
	for _, r := range some {
		if c, ok := cards[r.id]; ok {
			found.Items = append(found.Items, Relative{r.kind, c})
		}
	}
	return found, err
}

// window is the page of a list that was read as a whole.
func window[T any](all []T, p record.Page) []T {
	from := min((p.Number-1)*p.Size, len(all))
	return all[from:min(from+p.Size, len(all))]
}
