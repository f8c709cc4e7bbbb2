package storefront

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Page is a public address of a store's shop.
type Page struct {
	Type      PageType
	Slug      string
	ChangedAt db.Time
}

// PageType is what a page shows.
type PageType string

// The types of pages.
const (
	CategoryPage PageType = "Category"
	BrandPage    PageType = "Brand"
	ProductPage  PageType = "Product"
	ReadingPage  PageType = "Page" // the home page, and pages of the store's own
	BlogPage     PageType = "BlogPost"
	NewsPage     PageType = "NewsPost"
	HelpPage     PageType = "HelpArticle"
)

// Values are all types of pages.
func (PageType) Values() []PageType {
	return []PageType{CategoryPage, BrandPage, ProductPage, ReadingPage, BlogPage, NewsPage, HelpPage}
}

// Pages are the public addresses of a store's goods: its products, and the active categories and brands. Of categories
// those below an inactive one are not shown.
func Pages(tx *db.Tx, c channel.Channel) (all []Page, err error) {
	for _, part := range []struct {
		kind  PageType
		query string
	}{
		{CategoryPage, `-- storefront.Pages categories
			with recursive shown (code, code_key, slug, changed_at) as (
				select code, code_key, slug, changed_at from category
				where company = :company and parent_code = '' and is_active = 1
				union
				select c.code, c.code_key, c.slug, c.changed_at from category c join shown s on c.parent_code = s.code
				where c.company = :company and c.is_active = 1
			) select slug, changed_at from shown order by code_key`},
		{BrandPage, `-- storefront.Pages brands whole
			select slug, changed_at from brand where company = :company and is_active = 1 order by code_key`},
		{ProductPage, `-- storefront.Pages products whole
			select p.slug, case when p.changed_at > i.changed_at then p.changed_at else i.changed_at end
			from publication p join item i on i.company = :company and i.id = p.item_id
			where p.company = :company and p.channel_key = :channel and p.is_published = 1 and i.is_active = 1
				and (p.publish_from is null or p.publish_from <= :now) and (p.publish_to is null or p.publish_to > :now)
			order by p.item_key`},
	} {
		err := tx.Each(part.query, db.Args{"channel": record.Fold(c.Code)}, func(r db.Row) error {
			all = append(all, Page{Type: part.kind})
			return r.Scan(&all[len(all)-1].Slug, &all[len(all)-1].ChangedAt)
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
