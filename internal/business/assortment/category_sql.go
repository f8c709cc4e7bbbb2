package assortment

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// readTree reads the active categories, parents before their children.
func readTree(tx *db.Tx) (*tree, error) {
	t := &tree{byCode: map[string]*Node{}, bySlug: map[string]*Node{}}
	return t, tx.Each(`-- assortment.readTree whole
		select code, name, slug, description, parent_code from category
		where company = :company and is_active = 1 order by depth, sort_order, code_key`, nil, func(r db.Row) error {
		var n Node
		var parent string
		if err := r.Scan(&n.Code, &n.Name, &n.Slug, &n.Description, &parent); err != nil {
			return err
		}
		if parent != "" {
			if n.Parent = t.byCode[record.Fold(parent)]; n.Parent == nil {
				return nil
			}
			n.Parent.Children = append(n.Parent.Children, &n)
		} else {
			t.roots = append(t.roots, &n)
		}
		t.byCode[record.Fold(n.Code)], t.bySlug[n.Slug] = &n, &n
		return nil
	})
}

func readBrands(tx *db.Tx) (out []Brand, err error) {
	return db.Rows(tx, `-- assortment.readBrands whole
		select code, name, slug, description, logo_url, website_url from brand
		where company = :company and is_active = 1 order by sort_order, name, code_key`, nil,
		func(r db.Row, b *Brand) error {
			return r.Scan(&b.Code, &b.Name, &b.Slug, &b.Description, &b.LogoURL, &b.WebsiteURL)
		})
}

// listed leaves out the variants that stand under their parent.
const listed = `(i.variant_of = '' or not exists (select 1 from publication pp join item up on up.company = pp.company
	and up.number_key = pp.item_key
	where pp.company = :company and pp.channel_key = p.channel_key and pp.item_key = fold(i.variant_of)
	and pp.is_published = 1 and up.is_active = 1
	and (pp.publish_from is null or pp.publish_from <= :now) and (pp.publish_to is null or pp.publish_to > :now)))`

// countProducts counts the listed products of a channel by their category or brand.
func countProducts(tx *db.Tx, c channel.Channel, facet string) (map[string]int, error) {
	column := "i.category_code"
	if facet == facetBrand {
		column = "i.brand_code"
	}
	return db.Pairs[string, int](tx, `-- assortment.countProducts
		select `+column+`, count(*) from `+shown+`
		where p.company = :company and p.channel_key = :channel and `+visible+` and `+listed+` group by `+column,
		db.Args{"channel": record.Fold(c.Code)})
}
