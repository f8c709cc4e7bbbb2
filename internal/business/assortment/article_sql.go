package assortment

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// visible is what exists in a channel. Every statement of this room that answers products, whatever the door, has it.
const visible = published +
	` and (p.publish_from is null or p.publish_from <= :now) and (p.publish_to is null or p.publish_to > :now)`

// published is visible but for the window, which the index knows by itself.
const published = `p.is_published = 1 and i.is_active = 1`

// shown are the tables of products, p and i.
const shown = `publication p join item i on i.company = p.company and i.number_key = p.item_key`

// articleColumns are what scanArticle reads. That a parent's number is not empty PostgreSQL must be told: where most
// items have no parent it would otherwise expect to find most items below each.
const articleColumns = `i.id, i.number, i.name, i.description, i.type, i.category_code, i.brand_code, i.base_unit,
	i.sales_unit, i.decimal_places,
	i.sales_price, i.tax_code, i.weight_kg, i.gtin, i.manufacturer_number, i.is_configurable, i.variant_of,
	i.variant_options, i.cross_references, i.units,
	p.slug, p.title, p.short_description, p.description, p.meta_title, p.meta_description, p.sort_order, p.is_featured, p.is_purchasable,
	p.allow_backorder, p.publish_from, p.publish_to, p.created_at, coalesce(b.name, ''), coalesce(b.slug, ''),
	coalesce(a.file_name, ''), coalesce(a.hash, ''), coalesce(a.content_type, ''), coalesce(a.width, 0),
	coalesce(a.height, 0), coalesce(a.alt_text, ''),
	coalesce((select string_agg(vi.id || ' ' || vi.type || ' ' || vp.allow_backorder || ' ' || vi.number_key, '` + partsEnd + `')
	from item vi join publication vp on vp.company = vi.company and vp.item_key = vi.number_key and vp.channel_key = p.channel_key
		where vi.company = :company and vi.variant_of = i.number and vi.variant_of <> '' and vi.is_active = 1 and vp.is_published = 1
		and (vp.publish_from is null or vp.publish_from <= :now) and (vp.publish_to is null or vp.publish_to > :now)), '')`

// partsEnd stands between the variants in the last of articleColumns; no item number has it.
const partsEnd = "\x1f"

const articleParts = `
	left join brand b on b.company = i.company and b.code = i.brand_code and b.is_active = 1
	left join item_asset a on a.company = i.company and a.item_id = i.id and a.is_primary = 1
	where p.company = :company and p.channel_key = :channel and `

const articlesOf = `select ` + articleColumns + ` from ` + shown + articleParts

const articles = articlesOf + visible

// articlesAmong begins with the items: SQLite, which keeps to the order of a cross join, would otherwise go through all
// that the channel shows to find those in a list of ids or parents.
const articlesAmong = `select ` + articleColumns + ` from item i cross join publication p` + articleParts +
	`i.company = :company and p.item_key = i.number_key and `

func scanArticle(r db.Row, at **Article) error {
	a := &Article{}
	*at = a
	i, f := &a.Item, &a.Picture
	var variants string
	err := r.Scan(&i.ID, &i.Number, &i.Name, &i.Description, &i.Type, &i.CategoryCode, &i.BrandCode, &i.BaseUnit,
		&i.SalesUnit, &i.DecimalPlaces, &i.SalesPrice, &i.TaxCode, &i.WeightKg, &i.GTIN, &i.ManufacturerNumber,
		&i.IsConfigurable, &i.VariantOf, db.JSON{At: &i.VariantOptions}, db.JSON{At: &i.CrossReferences},
		db.JSON{At: &i.Units},
		&a.Slug, &a.Name, &a.ShortDescription, &a.Description, &a.MetaTitle, &a.MetaDescription, &a.SortOrder,
		&a.IsFeatured, &a.IsPurchasable, &a.AllowBackorder, &a.Opens, &a.Closes, &a.PublishedAt, &a.BrandName,
		&a.BrandSlug, &f.FileName, &f.Hash, &f.ContentType, &f.Width, &f.Height, &a.PictureAlt, &variants)
	i.IsActive = true
	a.Name = cmp.Or(a.Name, i.Name)
	a.Description = cmp.Or(a.Description, i.Description)
	a.count(variants)
	return err
}

// count takes down what the article's stock is counted of, in the order of the numbers.
func (a *Article) count(variants string) {
	if variants == "" {
		a.parts = []part{{a.Item.ID, record.Fold(a.Item.Number), a.Item.InStock(), a.AllowBackorder}}
		return
	}
	a.Variants = strings.Count(variants, partsEnd) + 1
	a.parts = make([]part, 0, a.Variants)
	for one := range strings.SplitSeq(variants, partsEnd) {
		id, rest, _ := strings.Cut(one, " ")
		kind, rest, _ := strings.Cut(rest, " ")
		backorder, key, _ := strings.Cut(rest, " ")
		item := catalog.Item{Type: catalog.ItemType(kind)}
		a.parts = append(a.parts, part{id, key, item.InStock(), backorder == "1"})
	}
	slices.SortFunc(a.parts, func(x, y part) int { return cmp.Compare(x.key, y.key) })
}

func byID(tx *db.Tx, c channel.Channel, ids []string) (map[string]*Article, error) {
	if len(ids) == 0 {
		return map[string]*Article{}, nil
	}
	return db.ByKey(tx, `-- assortment.byID
		`+articlesAmong+visible+` and i.id in (:ids)`, db.Args{"channel": record.Fold(c.Code), "ids": ids},
		func(r db.Row, id *string, a **Article) error {
			err := scanArticle(r, a)
			*id = (*a).Item.ID
			return err
		})
}

// FindNumbers are the articles with these item numbers, by folded number.
func FindNumbers(tx *db.Tx, v Viewer, numbers []string) (map[string]*Article, error) {
	if len(numbers) == 0 {
		return map[string]*Article{}, nil
	}
	return db.ByKey(tx, `-- assortment.FindNumbers
		`+articles+` and p.item_key in (:numbers)`,
		db.Args{"channel": record.Fold(v.Channel.Code), "numbers": record.FoldAll(numbers)},
		func(r db.Row, key *string, a **Article) error {
			err := scanArticle(r, a)
			*key = record.Fold((*a).Item.Number)
			return err
		})
}

// bySlug finds one article by its slug, else by its id. A slug may look like an id; the slug goes before.
func bySlug(tx *db.Tx, c channel.Channel, slugOrID string) (a *Article, found bool, err error) {
	args := db.Args{"channel": record.Fold(c.Code), "slug": slugOrID}
	a, found, err = db.First(tx, `-- assortment.bySlug
		`+articles+` and p.slug = :slug`, args, scanArticle)
	if err != nil || found || len(slugOrID) != 36 {
		return a, found, err
	}
	return db.First(tx, `-- assortment.bySlug id
		`+articles+` and i.id = :slug`, args, scanArticle)
}

// relation is a relation of an item to another that exists in the store.
type relation struct {
	kind catalog.RelationType
	id   string
}

// relationsOf are the relations of an item to visible items, by type and order.
func relationsOf(tx *db.Tx, c channel.Channel, itemID string, kind catalog.RelationType) ([]relation, error) {
	return db.Rows(tx, `-- assortment.relationsOf
		select r.type, i.id from item_relation r join item i on i.company = r.company and i.id = r.target_id
		join publication p on p.company = i.company and p.item_key = i.number_key
		where r.company = :company and r.source_id = :source and (:kind = '' or r.type = :kind) and p.channel_key = :channel and `+visible+`
		order by r.type, r.sort_order, i.number_key`,
		db.Args{"source": itemID, "kind": kind, "channel": record.Fold(c.Code)}, func(r db.Row, v *relation) error {
			return r.Scan(&v.kind, &v.id)
		})
}
